"""The value network learns from a judge that sees all hands, in training alone.

Both are made at the same tables. The judge learns what came of each decision, as in `train_value`; knowing the hands,
it is left with little noise, and near the end, where `exact_cards` lets the solver prove its returns, with none. The
network learns what the judge thinks of several moves of each decision at once, and above all their differences: whether
the deal is a good one is common to them and cancels. The dealt hands are a fair draw from what the seat cannot know, so
that the network learns the mean over them. With `ahead`, moves that are close are played on in those hands before they
are judged (`ahead.py`). Beside that the network learns to read hands: what the next seat holds, from the same trunk, by
a layer that is not shipped. Needs the `train` extra.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mingpai._native import mcm
from mingpai.core.errors import BadSetting
from mingpai.core.random import stream
from mingpai.core.settings import check, setting
from mingpai.methods.mcm.agent import JUDGE, SHIPPED
from mingpai.methods.mcm.ahead import RENEWED, Ahead, AheadSettings, corrected
from mingpai.methods.mcm.export import JUDGE_TITLE, own_command, own_games, ship_value, shipped_network
from mingpai.methods.mcm.league import League, LeagueSettings
from mingpai.methods.mcm.learner import Course, LearnerSettings, Trainee, check_layout, layout_of, replica
from mingpai.methods.mcm.losses import (
    CompareSettings,
    compared_loss,
    reading_loss,
    return_losses,
    warmed,
    worth_comparing,
)
from mingpai.methods.mcm.network import Shape, ValueNet, split_roles
from mingpai.methods.mcm.rows import FEATURES, OPEN_FEATURES, older, widened
from mingpai.methods.mcm.tables import (
    Choices,
    Memory,
    MemorySettings,
    SelfPlay,
    TableSettings,
    draw_seed,
    exploration,
    table_seed,
)
from mingpai.training.learning import begin
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun
from mingpai.training.together import Alone, FirstPeer

CARDS = mcm.state_layout()["hand"][1]
"""Places of a hand."""
NO_SAY = 0.03
"""Share of its weights that an added layer begins with."""
FRESH = "fresh"
"""The start of networks that know nothing."""


@dataclass(frozen=True)
class OpenSettings(LearnerSettings, TableSettings, MemorySettings, CompareSettings, AheadSettings, LeagueSettings):
    """How the judge teaches; `heat` falls to a quarter."""

    samples: int = 16_000_000
    rate: float = 5e-4
    judge_rate: float = setting(1e-3, "Learning rate of the judge at the start; it falls as `rate` does.", (0, 1))
    explore: float = 0.02
    start: str = setting(SHIPPED, "Model that the network starts from, by name or path; fresh: none.", kind="model")
    judge: str = setting(
        JUDGE,
        "Model that the judge starts from; fresh: from the network's start, the hands not looked at yet.",
        kind="model",
    )
    split: bool = setting(
        False, "Landlord, down and up get trunk and head of their own, network and judge; they begin alike."
    )
    deeper: int = setting(
        0, "Layers added to the trunk of the network it starts from; they begin with next to no say.", (0, 100)
    )
    exact_cards: int = setting(
        0,
        "Cards in all hands from which the judge learns what the solver proves, not what came of a move; 0: never.",
        (0, 54),
    )
    reading_weight: float = setting(0.1, "Weight of the cross-entropy of what the next seat holds.", (0, 1000))
    processes: int = setting(
        1, "Processes that play and learn side by side, each its share of tables and minibatch.", (1, 64)
    )

    @property
    def share(self) -> "OpenSettings":
        """What one of the processes does. Raises BadSetting."""
        if self.tables % self.processes or self.minibatch % self.processes:
            expected = f"a divisor of tables ({self.tables}) and minibatch ({self.minibatch})"
            raise BadSetting("processes", self.processes, expected)
        sizes = {name: -(-getattr(self, name) // self.processes) for name in ("tables", "minibatch", "memory", "first")}
        return replace(self, **sizes)


class OpenLearner:
    """Plays one decision at every table; the network learns from the judge, the judge from finished deals."""

    def __init__(self, settings: OpenSettings, peer: Alone | None = None) -> None:
        check(settings)
        self.share = settings.share
        known = None if settings.start == FRESH else shipped_network(settings.start)
        shape = known.shape if known else settings.shape
        begin(settings)
        self.settings = settings
        shape = replace(shape, roles=shape.roles or settings.split)
        self.net = ValueNet(replace(shape, depth=shape.depth + settings.deeper), mixed=settings.mixed)
        if known:
            deepen(self.net, known)
        self.mean = replica(self.net)
        self.judge = first_judge(settings, known, shape)
        self.judge_mean = replica(self.judge)
        self.reader = nn.Linear(self.net.shape.width, CARDS)
        """What the next seat holds, as a thermometer."""
        self.trainee = Trainee(self.net, self.mean, settings.rate, settings.average, [self.reader])
        self.judge_trainee = Trainee(self.judge, self.judge_mean, settings.judge_rate, settings.average)
        self.league = League(settings, self.share.tables, self.mean)
        self.course = Course(settings)
        self.ahead = Ahead(settings, self.mean, self.judge_mean) if settings.ahead else None
        self.peers = peer or Alone()
        self._sit_down()
        self._learn_with(self.peers)

    def _learn_with(self, peers: Alone) -> None:
        self.peers = self.course.peers = self.trainee.peers = self.judge_trainee.peers = peers

    def _call_others(self) -> None:
        """Starts the other processes of a run that has several, once it is known what they begin with."""
        if self.settings.processes > 1 and type(self.peers) is Alone:
            size = max(sum(map(torch.numel, each.parameters())) for each in (self.trainee, self.judge_trainee))
            begin_one = partial(learn_beside, self.settings)
            self._learn_with(FirstPeer(self.settings.processes, size, self.state_dict(), begin_one))

    def _sit_down(self) -> None:
        seed, sitting = self.peers.seed(self.settings.seed), self.course.sitting
        self.memory = Memory(self.share.memory, draw_seed(seed, sitting), is_open=True)
        self.play = SelfPlay(
            self.share,
            table_seed(seed, sitting),
            self.memory,
            is_open=True,
            exact_cards=self.settings.exact_cards,
        )
        self.rng = stream(seed, "others", sitting)

    def step(self) -> Mapping[str, float]:
        self._call_others()
        self._play()
        while len(self.memory) < self.share.first:
            self._play(learns=False)
        return self.course.metrics(self._instruct(), self.play.counts())

    def _play(self, *, learns: bool = True) -> None:
        """One decision at every table; what the judge thinks of it is learned."""
        seen = self.play.ask(self.judge_mean)
        states = seen.states[:, : mcm.STATE_SIZE].contiguous()
        moves = seen.moves[:, : mcm.MOVE_SIZE].contiguous()
        with torch.set_grad_enabled(learns):
            trunk = self.net.trunk(states)
        own = self.net.values_from(trunk.detach(), states, moves, seen.of).clone()
        if learns:
            self._compare(seen, trunk, states, moves, own)
        progress = self.course.progress
        heat = self.settings.heat * (1 - 0.75 * progress)
        chosen = self.league.values(states, moves, seen.of, own, self.play.batch.turns())
        self.play.batch.act(
            warmed(chosen, heat, self.rng), seen.states.numpy(), seen.moves.numpy(),
            exploration(self.settings, progress), self.settings.lam, seen.values.numpy(),
        )  # fmt: skip

    def _compare(self, seen: Choices, trunk: Tensor, states: Tensor, moves: Tensor, own: Tensor) -> None:
        """The network's step: values of the moves that matter, their differences, and what the next seat holds."""
        settings, of = self.settings, seen.of
        best = worth_comparing(states, of, own, self.rng, best=settings.compared, others=settings.others)
        judged = self._played_on(seen, own, best) if self.ahead else seen.values
        kept = torch.from_numpy(best)
        out = self.net.meet(trunk, states, moves[kept], of[kept])
        loss = compared_loss(out, judged[kept], of[kept], len(states), settings, settings.points_weight)
        held = seen.states[:, mcm.STATE_SIZE : mcm.STATE_SIZE + CARDS]
        reading = reading_loss(self.reader(trunk.float()), held, states)
        self.trainee.descend(loss + settings.reading_weight * reading, self.course.rate())
        self.course.steps += 1
        self.trainee.follow(self.course.steps)
        self.league.watch(self.course.steps * settings.minibatch, self.mean)

    def _played_on(self, seen: Choices, own: Tensor, kept: NDArray[np.int64]) -> Tensor:
        """What the judge says of the moves, corrected by playing the close ones on."""
        assert self.ahead
        if self.course.steps % RENEWED == 0:
            self.ahead.renew()
        played = self.ahead.play(self.play.batch, seen, own, kept, 2.0**self.settings.most_doublings)
        return corrected(seen.values, played)

    def _instruct(self) -> tuple[float, float]:
        """The judge's step: what came of decisions; its losses."""
        settings = self.settings
        win_loss, points_loss = return_losses(self.judge, *self.memory.minibatch(self.share.minibatch))
        rate = self.course.rate() * settings.judge_rate / settings.rate
        self.judge_trainee.descend(win_loss + settings.points_weight * points_loss, rate)
        self.judge_trainee.follow(self.course.steps)
        return win_loss.item(), points_loss.item()

    def state_dict(self) -> dict[str, Any]:
        return {
            **layout_of(self.net), **self.trainee.state_dict(), **self.judge_trainee.state_dict("judge", "judge_"),
            "reader": self.reader.state_dict(), "league": self.league.state_dict(), **self.course.state_dict(),
        }  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        check_layout(state, self.net)
        self.trainee.load_state_dict(state)
        self.judge_trainee.load_state_dict(state, "judge", "judge_")
        self.reader.load_state_dict(state["reader"])
        self.league.load_state_dict(state["league"])
        self.course.load_state_dict(state)
        if self.ahead:
            self.ahead.renew()
        self._sit_down()
        if not self.peers.rank:
            self._learn_with(Alone())


def learn_beside(settings: OpenSettings, peer: Alone, state: Mapping[str, Any]) -> OpenLearner:
    """The learner of another process, with the state of the first."""
    learner = OpenLearner(settings, peer)
    learner.load_state_dict(state)
    return learner


def first_judge(settings: OpenSettings, known: ValueNet | None, shape: Shape) -> ValueNet:
    """The judge at the start of a run: the named one, or one that knows what the network knows, or nothing."""
    if known is not None and settings.judge != FRESH:
        judge = shipped_network(settings.judge, OPEN_FEATURES, mixed=settings.mixed).requires_grad_()
        return apart(judge) if shape.roles and not judge.shape.roles else judge
    judge = ValueNet(shape, mixed=settings.mixed, is_open=True)
    if known is not None:
        weights = known.state_dict()
        judge.load_state_dict(opened(split_roles(weights) if shape.roles and not known.shape.roles else weights))
    return judge


def apart(net: ValueNet) -> ValueNet:
    """The network with trunk and head for each role, still alike."""
    split = ValueNet(replace(net.shape, roles=True), mixed=net.mixed, is_open=net.is_open)
    split.load_state_dict(split_roles(net.state_dict()))
    return split


def deepen(net: ValueNet, known: ValueNet) -> None:
    """Gives a network what another knows; layers that the other has not get next to no weights."""
    with torch.no_grad():
        for block in net.blocks[len(known.blocks) :]:
            for weights in block.parameters():
                weights.mul_(NO_SAY)
    taken = known.state_dict()
    net.load_state_dict(split_roles(taken) if net.shape.roles and not known.shape.roles else taken, strict=False)


def opened(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights of a closed network as those of an open one that does not look at the hands yet."""
    out = dict(weights)
    for name, size in (("state_weights", mcm.OPEN_STATE_SIZE), ("move_weights", mcm.OPEN_MOVE_SIZE)):
        rows = weights[name]
        out[name] = torch.cat([rows, torch.zeros(size - len(rows), rows.shape[1])])
    return out


def ship_both(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    """The network and its judge, each as a model folder."""
    settings: OpenSettings = run.settings
    command = own_command(run, "mcm-open")
    data = f"{own_games(run, state)}, from {settings.start}, taught by a judge that sees all hands"
    judge = {**state, "mean": state["judge_mean"]}
    ship_value(run, judge, root, JUDGE, JUDGE_TITLE, data=own_games(run, state), command=command)
    return ship_value(run, state, root, data=data, command=command)


TRAINING = Training(
    method="handsplit/open",
    what="plays {0.samples:,} decisions and learns from them and from a judge that sees all hands and learns beside it",
    settings=OpenSettings,
    learner=OpenLearner,
    steps=lambda learner: learner.settings.steps,
    game="doudizhu",
    features=FEATURES,
    older=older(FEATURES),
    adapt=lambda weights, network: widened(weights),
    shipped=SHIPPED,
    networks=lambda learner: (learner.net, learner.mean),
    ship=ship_both,
    may_change=("samples", "threads", "processes", "ahead", "ahead_margin"),
)
