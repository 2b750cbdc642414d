"""Expert iteration: the network's playouts on inferred worlds decide, and the network learns what they found.

A generation plays deals in which every choice is made by playouts (`playouts.py`); each candidate becomes a sample
whose target is its mean result over the worlds. A copy of the network learns them, mixed with decisions of ordinary
self-play so that it forgets nothing. It becomes the next network only if it beats the last one on duplicate deals, by a
sequential test. Needs the `train` extra.
"""

import copy
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from mingpai._native import doudizhu, selfplay
from mingpai._native.core import Budget
from mingpai._native.handsplit import Particles, PlayerModel, PlayoutSearcher, PlayoutSettings
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.agents.doudizhu_rows import FEATURES, Evaluate, Rows, Values, position_of
from mingpai.agents.doudizhu_situation import doudizhu_view, situation_of
from mingpai.core.random import seed_of
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.handsplit.agent import make_searcher
from mingpai.methods.handsplit.mcm_export import SHIPPED, ship_value
from mingpai.methods.handsplit.mcm_match import MatchSettings, is_better
from mingpai.methods.handsplit.mcm_network import POINTS, WIN, Shape, ValueNet
from mingpai.methods.handsplit.train_value import SelfPlay
from mingpai.methods.handsplit.train_value import Settings as SelfPlaySettings
from mingpai.models.loader import load
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun

METHOD = "handsplit/expert"


@dataclass(frozen=True)
class Settings:
    """What a run is made of."""

    model: str = SHIPPED
    """The network to start from: a shipped model, or the path of a model folder."""
    generations: int = 2
    deals: int = 200
    """Deals of a generation; each has about twenty choices."""
    worlds: int = 32
    """Worlds that each candidate is played out on."""
    candidates: int = 4
    margin: float = 1.5
    """Candidates are valued at most so far below the best, in logits."""
    particles: int = 100
    """Worlds of the belief."""
    epochs: int = 3
    """Passes over the samples of a generation."""
    minibatch: int = 256
    """Samples of the expert in a step; as many of self-play are learned with them."""
    rate: float = 5e-5
    gate_deals: int = 4000
    """Duplicate deals of the test at most."""
    rules: str = "standard"
    shape: Shape = field(default_factory=Shape)
    seed: int = 1
    threads: int = 1

    @property
    def steps(self) -> int:
        """A step is a deal; a generation ends with learning and the test."""
        return self.generations * self.deals


@dataclass(frozen=True)
class Samples:
    """Candidates of the playouts: their rows, and how they fared."""

    states: NDArray[np.uint8]
    moves: NDArray[np.uint8]
    wins: NDArray[np.float32]

    def tensors(self) -> list[Tensor]:
        return [torch.from_numpy(column) for column in (self.states, self.moves, self.wins)]

    @staticmethod
    def joined(parts: "list[Samples]") -> "Samples":
        return Samples(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in ("states", "moves", "wins"))
        )


class Expert:
    """Plays deals, every choice by playouts of the given network."""

    def __init__(self, net: ValueNet, settings: Settings) -> None:
        self._settings = settings
        self._rules = doudizhu.profile(settings.rules)
        weights = {name: value.detach().numpy() for name, value in net.state_dict().items()}
        network = selfplay.Network(weights)
        self._playouts = PlayoutSearcher(network, network, self._rules, tuned_weights())
        self._searcher = make_searcher(self._rules)
        self._native = PlayoutSettings()
        self._native.worlds, self._native.width = settings.worlds, settings.candidates
        self._native.margin, self._native.trust = settings.margin, 0.0

    def play(self, seed: int) -> list[Samples]:
        """One deal: the samples of its choices."""
        state = GAME.deal(seed, f"{self._settings.rules}+nobid")
        found = []
        while state.to_move is not None:
            view = doudizhu_view(state.view(state.to_move))
            moves = view.native_moves().to_list()
            choice = moves[0]
            if len(moves) > 1:
                choice, samples = self._decide(view, seed)
                found.append(samples)
            state.play(choice)
        return found

    def _decide(self, view: DoudizhuView, seed: int) -> tuple[doudizhu.Move, Samples]:
        situation, position = situation_of(view), position_of(view)
        particles = Particles(seed_of(seed, view.key()), self._settings.particles, PlayerModel(), False)
        worlds = particles.update(situation, self._searcher, Budget())
        result = self._playouts.search(
            situation, worlds, [], self._native, seed_of(seed, "worlds", view.key()), Budget()
        )
        played = [move for move in result.moves if move.worlds > 0]
        states, rows, _ = selfplay.observe_positions([position], False)
        index = [position.moves.index(move.move) for move in played]
        wins = np.array([move.value for move in played], np.float32)
        return result.moves[0].move, Samples(np.repeat(states, len(index), 0), rows[index], wins)


class ExpertLearner:
    """One step is one deal of the expert; every `deals` steps the network learns and is tested."""

    def __init__(self, settings: Settings) -> None:
        torch.set_num_threads(settings.threads)
        self.settings = settings
        self.net = ValueNet(settings.shape)
        weights = load(settings.model, game="doudizhu", features=FEATURES).weights()
        self.net.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in weights.items()})
        self.steps = 0
        self.generation = 0
        self.kept = 0
        """Generations that beat the one before."""
        self.learned = 0
        """Candidates learned."""
        self.cpu_seconds = 0.0
        self._start = time.process_time()
        self._parts: list[Samples] = []
        self._expert = Expert(self.net, settings)
        self._last: dict[str, float] = {}

    def step(self) -> Mapping[str, float]:
        self._parts += self._expert.play(seed_of(self.settings.seed, "deal", self.steps))
        self.steps += 1
        if self.steps % self.settings.deals == 0:
            self._end_generation()
        decisions = len(self._parts)
        return {"generation": self.generation, "decisions": decisions, "kept": self.kept, **self._last}

    def _end_generation(self) -> None:
        pupil = copy.deepcopy(self.net)
        before, after = self._learn(pupil, Samples.joined(self._parts))
        match = MatchSettings(
            deals=self.settings.gate_deals, seed=seed_of(self.settings.seed, "gate", self.generation) % 2**31
        )
        better, result = is_better(evaluate_of(pupil), evaluate_of(self.net), match)
        if better:
            self.net, self.kept = pupil, self.kept + 1
            self._expert = Expert(self.net, self.settings)
        self.generation += 1
        self.learned += sum(len(part.wins) for part in self._parts)
        self._parts = []
        self._last = {
            "loss_before": before, "loss_after": after, "gate_rate": result.rate, "gate_error": result.error,
            "gate_points": result.mean_points, "gate_deals": result.deals, "was_kept": float(better),
        }  # fmt: skip

    def _learn(self, net: ValueNet, samples: Samples) -> tuple[float, float]:
        """Learns the samples; the loss on a tenth that is left out, before and after."""
        settings = self.settings
        rng = np.random.default_rng(seed_of(settings.seed, "order", self.generation))
        order = rng.permutation(len(samples.wins))
        test, learn = order[: len(order) // 10], order[len(order) // 10 :]
        play = SelfPlay(
            replace(SelfPlaySettings(), seed=seed_of(settings.seed, "play", self.generation) % 2**31, tables=256,
                    memory=50_000, minibatch=settings.minibatch, rules=settings.rules), 0,
        )  # fmt: skip
        while len(play.samples) < 20 * settings.minibatch:
            play.step(net, 0.01)
        before = self._loss(net, samples, test).item()
        optimiser = torch.optim.Adam(net.parameters(), settings.rate)
        for _ in range(settings.epochs):
            for start in range(0, len(learn), settings.minibatch):
                rows = learn[start : start + settings.minibatch]
                play.step(net, 0.01)
                states, moves, wins, points = play.minibatch()
                out = net(states, moves)
                own = functional.binary_cross_entropy_with_logits(out[:, WIN], wins)
                own = own + SelfPlaySettings.points_weight * functional.mse_loss(out[:, POINTS], points)
                optimiser.zero_grad()
                (own + self._loss(net, samples, rows)).backward()  # type: ignore[no-untyped-call]
                optimiser.step()
        return before, self._loss(net, samples, test).item()

    @staticmethod
    def _loss(net: ValueNet, samples: Samples, rows: NDArray[np.int64]) -> Tensor:
        out = net(torch.from_numpy(samples.states[rows]), torch.from_numpy(samples.moves[rows]))
        return functional.binary_cross_entropy_with_logits(out[:, WIN], torch.from_numpy(samples.wins[rows]))

    def state_dict(self) -> dict[str, Any]:
        joined = Samples.joined(self._parts) if self._parts else None
        return {
            "shape": self.net.config(), "mean": self.net.state_dict(), "steps": self.steps,
            "generation": self.generation, "kept": self.kept, "last": self._last, "learned": self.learned,
            "cpu_seconds": self.cpu_seconds + time.process_time() - self._start,
            "samples": joined.tensors() if joined else [],
            "sizes": [len(part.wins) for part in self._parts],
        }  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self.net.load_state_dict(state["mean"])
        self.steps, self.generation, self.kept = state["steps"], state["generation"], state["kept"]
        self._last, self.learned, self.cpu_seconds = dict(state["last"]), state["learned"], state["cpu_seconds"]
        self._parts = []
        if state["samples"]:
            cuts = np.cumsum(state["sizes"])[:-1]
            columns = [np.split(column.numpy(), cuts) for column in state["samples"]]
            self._parts = [Samples(*part) for part in zip(*columns, strict=True)]
        self._expert = Expert(self.net, self.settings)


def evaluate_of(net: ValueNet) -> Evaluate:
    """A network in training as a player."""

    def evaluate(states: Rows, moves: Rows, of: NDArray[np.int64]) -> Values:
        rows = torch.from_numpy(np.ascontiguousarray(moves))
        values: Values = net.values(torch.from_numpy(states), rows, torch.from_numpy(of)).numpy()
        return values

    return evaluate


def ship_expert(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    """The network of the last generation that was kept."""
    settings: Settings = run.settings
    data = (
        f"{settings.model}, then {state['generation']} generations of {settings.deals} deals decided by its playouts, "
        f"{state['kept']} of them kept"
    )
    command = f"mingpai train mcm-expert --set model={settings.model} --set deals={settings.deals}"
    return ship_value(run, state, root, data=data, command=command)


TRAINING = Training(
    method=METHOD,
    settings=Settings,
    learner=ExpertLearner,
    steps=lambda learner: learner.settings.steps,
    game="doudizhu",
    features=FEATURES,
    shipped=SHIPPED,
    networks=lambda learner: (learner.net,),
    ship=ship_expert,
    may_change=("threads", "generations"),
    log_every=5,
)
