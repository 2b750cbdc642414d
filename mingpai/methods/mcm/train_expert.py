"""Expert iteration: moves worth considering are played out in the dealt hands, and the network learns how they differ.

The network plays all seats of many deals. At every decision the moves it values close to its best are played out to the
end from the hands as they were dealt, a frozen network choosing for all seats. These hands are a fair draw from what
the seat thinks possible, so one world is enough: over many decisions the network learns the mean, and since all moves
of a decision meet the same hands, the luck of the deal cancels. After each generation the learner is tested against the
last network that was kept; it is kept, and shipped, only if a sequential test says it is better. Needs the `train`
extra.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mingpai._native import doudizhu
from mingpai._native.mcm import DealtPlayouts
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.core.errors import BadSetting
from mingpai.core.random import seed_of, stream
from mingpai.core.settings import setting
from mingpai.methods.mcm.agent import SHIPPED, STUDENT
from mingpai.methods.mcm.export import own_command, own_games, ship_value, shipped_network
from mingpai.methods.mcm.losses import (
    ComparingLearner,
    ComparingSettings,
    is_for_points,
    points_losses,
    warmed,
    win_losses,
    worth_comparing,
)
from mingpai.methods.mcm.match import MatchSettings, is_better
from mingpai.methods.mcm.network import POINTS, WIN, ValueNet
from mingpai.methods.mcm.rows import FEATURES, Evaluate, Rows, Values, native_network
from mingpai.methods.mcm.train_value import MAY_CHANGE, SelfPlay, exploration
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun

METHOD = "handsplit/expert"


@dataclass(frozen=True)
class ExpertSettings(ComparingSettings):
    """For decisions that are played out; `lam` and `memory` are not used."""

    samples: int = 4_000_000
    model: str = setting(
        SHIPPED, "The network to start from: a shipped model, or the path of a model folder.", kind="model"
    )
    player: str = setting(STUDENT, "The network that plays out, by name or path.", kind="model")
    memory: int = 1
    first: int = 0
    rate: float = 1.5e-4
    last_rate: float = 1e-5
    explore: float = 0.01
    points_share: float = 0.25
    heat: float = 0.05
    compared: int = 4
    margin: float = setting(
        1.0, "How far below the best a move may be valued to be played out, in logits or points.", (0, 1000)
    )
    difference_weight: float = 4.0
    points_difference_weight: float = 0.3
    generation: int = setting(1_000_000, "Decisions between two tests.", (1, 10**12))
    gate_deals: int = setting(4000, "Duplicate deals of a test at most.", (1, 10**9))


class ExpertLearner(ComparingLearner):
    """One decision at every table, its best moves played out, then one step of the optimiser."""

    settings: ExpertSettings

    def __init__(self, settings: ExpertSettings) -> None:
        if settings.engine != "local":
            raise BadSetting("engine", settings.engine, "local: playouts run on one machine")
        known = shipped_network(settings.model)
        super().__init__(replace(settings, shape=known.shape))
        for net in (self.net, self.mean):
            net.load_state_dict(known.state_dict())
        self.best = shipped_network(settings.model, mixed=settings.mixed)
        """The last network that was kept."""
        self.generation = 0
        self.kept = 0
        """Generations that beat the one before."""
        self._test: dict[str, float] = {}
        rules = doudizhu.profile(settings.rules)
        self._playouts = DealtPlayouts(native_network(settings.player), rules, tuned_weights())
        self._rng = stream(settings.seed, "moves", self.sitting)

    def step(self) -> Mapping[str, float]:
        assert isinstance(self.play, SelfPlay)
        settings = self.settings
        choices = self.play.ask(self.net)
        own, of = choices.values.clone(), choices.of
        kept = worth_comparing(
            choices.states, of, own, self._rng, best=settings.compared, margin=settings.margin
        )  # fmt: skip
        tables = of.numpy()[kept]
        places = kept - self.play.batch.offsets()[tables]
        results = self._playouts.results(self.play.batch, tables.tolist(), places.tolist())
        losses = self.compare(choices.states, choices.moves[torch.from_numpy(kept)], torch.from_numpy(tables),
                              torch.tensor(results))  # fmt: skip
        progress = min(1.0, self.steps / settings.steps)
        self.play.batch.act(
            warmed(own, settings.heat, self._rng), choices.states.numpy(), choices.moves.numpy(),
            exploration(settings, progress), settings.lam,
        )  # fmt: skip
        if self.steps % max(1, settings.generation // settings.minibatch) == 0:
            self._end_generation()
        return {**self.meter.read(losses), "generation": self.generation, "kept": self.kept, **self._test}

    def compare(self, states: Tensor, moves: Tensor, of: Tensor, results: Tensor) -> tuple[float, float]:
        """One step of the optimiser; mean squares of what differences of wins and of points are off."""
        count = len(states)
        out = self.net.forward_all(states, moves, of)
        points = is_for_points(states)[of]
        in_wins = in_points = (0 * out.sum(), 0 * out.sum())
        if (~points).any():
            in_wins = win_losses(out[~points, WIN], results[~points], of[~points], count)
        if points.any():
            in_points = points_losses(out[points, POINTS], results[points], of[points], count)
        self.take_both(in_wins, in_points)
        return in_wins[1].item(), in_points[1].item()

    def _end_generation(self) -> None:
        match = MatchSettings(
            deals=self.settings.gate_deals, seed=seed_of(self.settings.seed, "gate", self.generation) % 2**31
        )
        better, result = is_better(evaluate_of(self.mean), evaluate_of(self.best), match)
        if better:
            self.best.load_state_dict(self.mean.state_dict())
            self.kept += 1
        self.generation += 1
        self._test = {
            "gate_rate": result.rate, "gate_error": result.error, "gate_points": result.mean_points,
            "gate_deals": result.deals, "was_kept": float(better),
        }  # fmt: skip

    def state_dict(self) -> dict[str, Any]:
        return super().state_dict() | {
            "best": self.best.state_dict(), "generation": self.generation, "kept": self.kept, "test": self._test,
        }  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        super().load_state_dict(state)
        self.best.load_state_dict(state["best"])
        self.generation, self.kept, self._test = state["generation"], state["kept"], dict(state["test"])
        self._rng = stream(self.settings.seed, "moves", self.sitting)


def evaluate_of(net: ValueNet) -> Evaluate:
    """A network in training as a player."""

    def evaluate(states: Rows, moves: Rows, of: NDArray[np.int64]) -> Values:
        rows = torch.from_numpy(np.ascontiguousarray(moves))
        values: Values = net.values(torch.from_numpy(states), rows, torch.from_numpy(of)).numpy()
        return values

    return evaluate


def ship_expert(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    """The network of the last generation that was kept."""
    settings: ExpertSettings = run.settings
    data = (
        f"{settings.model}, then {own_games(run, state)} with moves played out: {state['generation']} generations, "
        f"{state['kept']} of them kept"
    )
    command = f"{own_command(run, 'mcm-expert')} --set model={settings.model} --set player={settings.player}"
    return ship_value(run, {**state, "mean": state["best"]}, root, data=data, command=command)


TRAINING = Training(
    method=METHOD,
    settings=ExpertSettings,
    learner=ExpertLearner,
    steps=lambda learner: learner.settings.steps,
    game="doudizhu",
    features=FEATURES,
    shipped=SHIPPED,
    networks=lambda learner: (learner.net, learner.mean, learner.best),
    ship=ship_expert,
    may_change=MAY_CHANGE,
)
