"""The value network learns from a judge that sees all hands, in training alone.

Both are made at the same tables. The judge learns what came of each decision, as in `train_value`; knowing the hands,
it is left with little noise. The network learns what the judge thinks of several moves of each decision at once, and
above all their differences: whether the deal is a good one is common to them and cancels. The dealt hands are a fair
draw from what the seat cannot know, so that the network learns the mean over them. Beside that it learns to read hands:
what the next seat holds, from the same trunk, by a layer that is not shipped. Needs the `train` extra.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from mingpai._native import mcm
from mingpai.core.errors import BadSetting
from mingpai.core.random import stream
from mingpai.core.settings import setting
from mingpai.methods.mcm.agent import JUDGE, SHIPPED
from mingpai.methods.mcm.export import JUDGE_TITLE, own_command, own_games, ship_value, shipped_network
from mingpai.methods.mcm.losses import (
    ComparingLearner,
    ComparingSettings,
    points_losses,
    warmed,
    win_losses,
    worth_comparing,
)
from mingpai.methods.mcm.network import POINTS, WIN, ValueNet
from mingpai.methods.mcm.rows import FEATURES, OPEN_FEATURES
from mingpai.methods.mcm.train_value import (
    MAY_CHANGE,
    Choices,
    SelfPlay,
    exploration,
    learning_rate,
)
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun

CARDS = mcm.state_layout()["hand"][1]
"""Places of a hand."""
NO_SAY = 0.03
"""Share of its weights that an added layer begins with."""
FRESH = "fresh"
"""The start of networks that know nothing."""


@dataclass(frozen=True)
class OpenSettings(ComparingSettings):
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
    deeper: int = setting(
        0, "Layers added to the trunk of the network it starts from; they begin with next to no say.", (0, 100)
    )
    others: int = setting(1, "So many moves beside the `compared` ones, drawn anew each time.", (0, 10_000))
    reading_weight: float = setting(0.1, "Weight of the cross-entropy of what the next seat holds.", (0, 1000))


class OpenLearner(ComparingLearner):
    """Plays one decision at every table; the network learns from the judge, the judge from finished deals."""

    settings: OpenSettings

    def __init__(self, settings: OpenSettings) -> None:
        if settings.engine != "local":
            raise BadSetting("engine", settings.engine, "local: a judge works on one machine")
        known = None if settings.start == FRESH else shipped_network(settings.start)
        shape = known.shape if known else settings.shape
        super().__init__(replace(settings, shape=replace(shape, depth=shape.depth + settings.deeper)))
        if known is None or settings.judge == FRESH:
            self.judge = ValueNet(shape, mixed=settings.mixed, is_open=True)
        else:
            self.judge = shipped_network(settings.judge, OPEN_FEATURES, mixed=settings.mixed).requires_grad_()
        if known:
            deepen(self.net, known)
            self.mean.load_state_dict(self.net.state_dict())
            if settings.judge == FRESH:
                self.judge.load_state_dict(opened(known.state_dict()))
        self.judge_mean = ValueNet(self.judge.shape, mixed=settings.mixed, is_open=True).requires_grad_(False)
        self.judge_mean.load_state_dict(self.judge.state_dict())
        self.reader = nn.Linear(self.settings.shape.width, CARDS)
        """What the next seat holds, as a thermometer."""
        self.optimiser.add_param_group({"params": list(self.reader.parameters())})
        self.judge_optimiser = torch.optim.Adam(self.judge.parameters(), settings.judge_rate, fused=True)
        self._sit_down()

    def _sit_down(self) -> None:
        self.play = SelfPlay(self.settings, self.sitting, is_open=True)
        self.rng = stream(self.settings.seed, "others", self.sitting)

    def step(self) -> Mapping[str, float]:
        self._play()
        while len(self.play.samples) < self.settings.first:
            self._play(learns=False)
        losses = self.instruct(*self.play.minibatch())
        return self.meter.read(losses)

    def _play(self, *, learns: bool = True) -> None:
        """One decision at every table; what the judge thinks of it is learned."""
        assert isinstance(self.play, SelfPlay)
        seen = self.play.ask(self.judge_mean)
        known = Choices(
            seen.states[:, : mcm.STATE_SIZE].contiguous(), seen.moves[:, : mcm.MOVE_SIZE].contiguous(),
            seen.of, torch.empty(0),
        )  # fmt: skip
        own = self.net.values(known.states, known.moves, known.of).clone()
        if learns:
            first = mcm.STATE_SIZE
            self.compare(known, own, seen.values, seen.states[:, first : first + CARDS])
        progress = min(1.0, self.steps / self.settings.steps)
        heat = self.settings.heat * (1 - 0.75 * progress)
        self.play.batch.act(
            warmed(own, heat, self.rng), seen.states.numpy(), seen.moves.numpy(), exploration(self.settings, progress),
            self.settings.lam, seen.values.numpy(),
        )  # fmt: skip

    def compare(self, known: Choices, own: Tensor, judged: Tensor, held: Tensor) -> None:
        """The network's step: values of the moves that matter, their differences, and what the next seat holds."""
        settings = self.settings
        kept = torch.from_numpy(worth_comparing(
            known.states, known.of, own, self.rng, best=settings.compared, others=settings.others
        ))  # fmt: skip
        of, states = known.of[kept], len(known.states)
        trunk = self.net.trunk(known.states)
        out, wanted = self.net.meet(trunk, known.moves[kept], of), judged[kept]
        self.take_both(
            win_losses(out[:, WIN], torch.sigmoid(wanted[:, WIN]), of, states),
            points_losses(out[:, POINTS], wanted[:, POINTS], of, states),
            settings.reading_weight * reading_loss(self.reader(trunk.float()), held, known.states),
        )

    def instruct(self, states: Tensor, moves: Tensor, wins: Tensor, points: Tensor) -> tuple[float, float]:
        """The judge's step: what came of decisions; its losses."""
        for group in self.judge_optimiser.param_groups:
            group["lr"] = learning_rate(self.settings, self.steps) * self.settings.judge_rate / self.settings.rate
        out = self.judge(states, moves)
        win_loss = functional.binary_cross_entropy_with_logits(out[:, WIN], wins)
        points_loss = functional.mse_loss(out[:, POINTS], points)
        self.judge_optimiser.zero_grad()
        (win_loss + self.settings.points_weight * points_loss).backward()  # type: ignore[no-untyped-call]
        self.judge_optimiser.step()
        self.follow(self.judge_mean, self.judge)
        return win_loss.item(), points_loss.item()

    def state_dict(self) -> dict[str, Any]:
        return super().state_dict() | {
            "judge": self.judge.state_dict(), "judge_mean": self.judge_mean.state_dict(),
            "judge_optimiser": self.judge_optimiser.state_dict(), "reader": self.reader.state_dict(),
        }  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        super().load_state_dict(state)
        self.judge.load_state_dict(state["judge"])
        self.judge_mean.load_state_dict(state["judge_mean"])
        self.judge_optimiser.load_state_dict(state["judge_optimiser"])
        self.reader.load_state_dict(state["reader"])
        self._sit_down()


def reading_loss(said: Tensor, held: Tensor, states: Tensor) -> Tensor:
    """Cross-entropy of what the next seat holds, over the unseen cards."""
    first, places = mcm.state_layout()["unseen"]
    unseen = states[:, first : first + places].float()
    loss = functional.binary_cross_entropy_with_logits(said, held.float(), unseen, reduction="sum")
    return loss / unseen.sum().clamp(min=1)


def deepen(net: ValueNet, known: ValueNet) -> None:
    """Gives a network what another knows; layers that the other has not get next to no weights."""
    with torch.no_grad():
        for block in net.blocks[len(known.blocks) :]:
            for weights in block.parameters():
                weights.mul_(NO_SAY)
    net.load_state_dict(known.state_dict(), strict=False)


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
    settings=OpenSettings,
    learner=OpenLearner,
    steps=lambda learner: learner.settings.steps,
    game="doudizhu",
    features=FEATURES,
    shipped=SHIPPED,
    networks=lambda learner: (learner.net, learner.mean),
    ship=ship_both,
    may_change=MAY_CHANGE,
)
