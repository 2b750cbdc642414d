"""Combinational Q-learning in self-play: splits and groups learn what comes of them. Needs torch.

A step is a wave of deals played side by side by the network, with now and then any split or any group. A split learns
the value of its best group. The group that was played learns the value of the seat's next decision, or the result: the
first stage chooses the split there, the second says what it is worth.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, cos, pi
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from mingpai._native import doudizhu, mcm
from mingpai._native.ruleplay import Splitter
from mingpai.core.random import seed_of
from mingpai.core.settings import setting
from mingpai.methods.mcm.cql import FEATURES, MOST_GROUPS, SHIPPED, SplitSettings
from mingpai.methods.mcm.cql_network import CombinationNet, CombinationShape, network_of
from mingpai.methods.mcm.rows import load_value, older, widened
from mingpai.models.card import BadModel, Card
from mingpai.training.export import Graph, about_run, ship_network
from mingpai.training.learning import begin, draw_closer, set_rate
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun, command_of, commit

ROLES = 3
INPUTS = ("states", "groups", "of", "splits")


@dataclass(frozen=True)
class CqlTraining(SplitSettings):
    """What a run is made of."""

    start: str = setting(
        "", "A network of single moves to start from (mingpai train mcm); empty: nothing.", kind="model"
    )
    deals: int = setting(60_000, "Deals to play: the length of the run and of its schedules.", (1, 10**9))
    tables: int = setting(512, "Deals of a wave.", (1, 100_000))
    seed: int = setting(1, "Of the weights, the deals and what is drawn from memory.", (0, 2**63 - 1))
    rules: str = setting("standard", "Rule profile.")
    shape: CombinationShape = field(default_factory=CombinationShape)
    minibatch: int = setting(512, "Decisions learned at once.", (1, 1_000_000))
    repeats: int = setting(2, "Times that a decision is learned, about.", (1, 100))
    memory: int = setting(60_000, "Latest decisions to draw from.", (1, 10**8))
    rate: float = setting(1e-3, "Learning rate at the start; cosine down to a fiftieth.", (0, 1))
    average: float = setting(
        0.999, "The average of the weights over about 1 / (1 - average) minibatches is shipped.", (0, 1)
    )
    explore: float = setting(0.1, "Chance of any split, and of any group; falls to a fifth by the middle.", (0, 1))
    threads: int = setting(1, "Threads that learn and play.", (1, 1024))

    @property
    def steps(self) -> int:
        return ceil(self.deals / self.tables)


class Decisions:
    """Rows of decisions: the state, the groups of the split taken, which of them was played, what came of it."""

    def __init__(self, size: int) -> None:
        self.states = np.zeros((size, mcm.STATE_SIZE), np.uint8)
        self.groups = np.zeros((size, MOST_GROUPS, mcm.MOVE_SIZE), np.uint8)
        self.counts = np.zeros(size, np.int64)
        self.chosen = np.zeros(size, np.int64)
        self.targets = np.zeros((size, 2), np.float32)
        """Of the split and of the group."""

    def put(self, at: NDArray[np.int64], other: "Decisions", rows: NDArray[np.int64]) -> None:
        for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True):
            mine[at] = theirs[rows]


class Memory:
    """The latest decisions whose worth is known."""

    def __init__(self, size: int, seed: int) -> None:
        self.rows, self.size, self.added = Decisions(size), size, 0
        self._rng = np.random.default_rng(seed)

    def add(self, waiting: Decisions, rows: NDArray[np.int64], worth: NDArray[np.float32]) -> None:
        """Decisions that waited, now that the worth of each is known."""
        at = (self.added + np.arange(len(rows))) % self.size
        self.rows.put(at, waiting, rows)
        self.rows.targets[at, 1] = worth
        self.added += len(rows)

    def minibatch(self, size: int) -> tuple[list[Tensor], Tensor]:
        """What `CombinationNet.learn` takes, and the targets."""
        which = self._rng.integers(0, min(self.added, self.size), size)
        counts = self.rows.counts[which]
        has = np.arange(MOST_GROUPS) < counts[:, None]
        starts = np.cumsum(counts) - counts
        splits = np.where(has, starts[:, None] + np.arange(MOST_GROUPS), counts.sum())[:, : counts.max()]
        parts = (self.rows.states[which], self.rows.groups[which][has], np.repeat(np.arange(size), counts), splits,
                 starts + self.rows.chosen[which])  # fmt: skip
        return [torch.from_numpy(part) for part in parts], torch.from_numpy(self.rows.targets[which])


class Wave:
    """Deals played side by side until all are over."""

    def __init__(self, settings: CqlTraining, number: int, memory: Memory) -> None:
        rules, seed = doudizhu.profile(settings.rules), seed_of(settings.seed, "wave", number)
        self.batch = mcm.Batch(settings.tables, seed, rules, deals_again=False)
        self._settings, self._memory, self._splitter = settings, memory, Splitter(rules)
        self._rng = np.random.default_rng(seed)
        self._waiting = Decisions(settings.tables * ROLES)
        self._waits = np.zeros(settings.tables * ROLES, bool)
        self._states = np.zeros((settings.tables, mcm.STATE_SIZE), np.uint8)
        self._moves = np.zeros((0, mcm.MOVE_SIZE), np.uint8)

    def step(self, net: CombinationNet, explore: float) -> int:
        """A decision at every table that is not over; how many they were."""
        tables = np.flatnonzero(self.batch.turns() >= 0)
        if not len(tables):
            self._finish()
            return 0
        if len(self._moves) < self.batch.options:
            self._moves = np.zeros((2 * self.batch.options, mcm.MOVE_SIZE), np.uint8)
        self.batch.observe(self._states, self._moves)
        groups, of, choices, splits, split_of = self.batch.combinations(
            self._splitter, self._settings.slack, self._settings.most
        )
        inputs = [torch.from_numpy(part) for part in (self._states, groups, of, splits)]
        joint, pooled, split_values = net.split_values(*inputs)
        starts = np.searchsorted(split_of, [*tables, len(self._states)])
        best = _best_of_each(split_values.numpy(), starts)
        choice = np.append(choices, -1)[splits]

        def values(which: NDArray[np.int64]) -> NDArray[np.float32]:
            """Of the groups of some splits, as far as they may be played."""
            told = net.group_values(joint, pooled[which], inputs[3][which]).numpy()
            return np.where(choice[which] >= 0, told, -np.inf)

        self._settle(tables, _chance(values(best).max(axis=1)))
        tries = self._rng.random((2, len(tables))) < explore
        taken = np.where(tries[0], self._rng.integers(starts[:-1], starts[1:]), best)
        filled = np.concatenate([groups, np.zeros((1, mcm.MOVE_SIZE), np.uint8)])
        self._take(tables, filled[splits[taken]], choice[taken], values(taken), tries[1])
        return len(tables)

    def _settle(self, tables: NDArray[np.int64], worth: NDArray[np.float32]) -> None:
        """The decisions before of the seats that decide now."""
        rows = tables * ROLES + self.batch.turns()[tables]
        known = self._waits[rows]
        self._memory.add(self._waiting, rows[known], worth[known])
        self._waits[rows] = True

    def _take(
        self,
        tables: NDArray[np.int64],
        groups: NDArray[np.uint8],
        choices: NDArray[np.int32],
        values: NDArray[np.float32],
        at_random: NDArray[np.bool_],
    ) -> None:
        """Plays a group of the split that each table takes, and notes it until its worth is known."""
        any_group = np.argmax(np.where(choices >= 0, self._rng.random(values.shape), -1), axis=1)
        chosen = np.where(at_random, any_group, np.argmax(values, axis=1))
        wait, rows = self._waiting, tables * ROLES + self.batch.turns()[tables]
        wait.states[rows], wait.chosen[rows] = self._states[tables], chosen
        wait.groups[rows, : groups.shape[1]], wait.counts[rows] = groups, groups.any(axis=2).sum(axis=1)
        wait.targets[rows, 0] = _chance(values.max(axis=1))
        played = np.zeros(len(self._states), np.int32)
        played[tables] = choices[np.arange(len(tables)), chosen]
        self.batch.play(played)

    def _finish(self) -> None:
        """The results."""
        rows = np.flatnonzero(self._waits)
        landlord_won = self.batch.winners()[rows // ROLES] == 0
        self._memory.add(self._waiting, rows, (landlord_won == (rows % ROLES == 0)).astype(np.float32))
        self._waits[:] = False


def _best_of_each(values: NDArray[np.float32], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of the highest value of each stretch."""
    return np.array([first + int(np.argmax(values[first:end])) for first, end in pairwise(starts)])


def _chance(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float32)


class CqlLearner:
    """Plays a wave, learning as many decisions as it makes."""

    def __init__(self, settings: CqlTraining) -> None:
        begin(settings)
        self.settings = settings
        self.net = CombinationNet(settings.shape)
        if settings.start:
            weights = widened(load_value(settings.start).weights())
            known = {name: torch.from_numpy(value.copy()) for name, value in weights.items()}
            try:
                self.net.take_over(known)
            except (KeyError, RuntimeError) as error:
                raise BadModel(f"model {settings.start} cannot be started from: {error}") from None
        self.mean = CombinationNet(settings.shape).requires_grad_(False)
        self.mean.load_state_dict(self.net.state_dict())
        self.optimiser = torch.optim.Adam(self.net.parameters(), settings.rate, fused=True)
        self.waves = self.minibatches = self.decisions = 0
        self.cpu_seconds = 0.0
        self.memory = Memory(settings.memory, seed_of(settings.seed, "memory"))

    @property
    def progress(self) -> float:
        return self.waves / self.settings.steps

    def step(self) -> Mapping[str, float]:
        start, wave, losses, due = time.process_time(), Wave(self.settings, self.waves, self.memory), [], 0
        explore = self.settings.explore * max(0.2, 1 - 1.6 * self.progress)
        while made := wave.step(self.net, explore):
            self.decisions, due = self.decisions + made, due + self.settings.repeats * made
            while due >= self.settings.minibatch and self.memory.added:
                due -= self.settings.minibatch
                losses.append(self._learn())
        self.waves += 1
        self.cpu_seconds += time.process_time() - start
        split_loss, group_loss = np.mean(losses, axis=0) if losses else (0.0, 0.0)
        return {
            "decisions": self.decisions, "cpu_seconds": round(self.cpu_seconds, 1),
            "split_loss": round(float(split_loss), 5), "group_loss": round(float(group_loss), 5),
            "landlord_rate": round(float((wave.batch.winners() == 0).mean()), 4),
        }  # fmt: skip

    def _learn(self) -> tuple[float, float]:
        inputs, targets = self.memory.minibatch(self.settings.minibatch)
        logits = torch.stack(self.net.learn(*inputs), dim=1)
        each = functional.binary_cross_entropy_with_logits(logits, targets, reduction="none").mean(0)
        set_rate(self.optimiser, self.settings.rate * (0.02 + 0.98 * (1 + cos(pi * self.progress)) / 2))
        self.optimiser.zero_grad(set_to_none=True)
        each.sum().backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        self.minibatches += 1
        draw_closer(self.mean, self.net, self.settings.average, self.minibatches)
        return each[0].item(), each[1].item()

    def state_dict(self) -> dict[str, Any]:
        return {
            "net": self.net.state_dict(), "mean": self.mean.state_dict(), "optimiser": self.optimiser.state_dict(),
            "waves": self.waves, "minibatches": self.minibatches, "decisions": self.decisions,
            "cpu_seconds": self.cpu_seconds,
        }  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        for name in ("net", "mean", "optimiser"):
            getattr(self, name).load_state_dict(state[name])
        for name in ("waves", "minibatches", "decisions", "cpu_seconds"):
            setattr(self, name, state[name])


def graph_of(net: CombinationNet, rows: int = 16) -> Graph:
    """The network with random rows as the example."""
    rng = np.random.default_rng(0)
    states = (rng.random((rows, mcm.STATE_SIZE)) < 0.1).astype(np.uint8)
    groups = (rng.random((4 * rows, mcm.MOVE_SIZE)) < 0.1).astype(np.uint8)
    of, splits = np.sort(rng.integers(0, rows, 4 * rows)), rng.integers(0, 4 * rows + 1, (3 * rows, MOST_GROUPS))
    inputs = dict(zip(INPUTS, map(torch.from_numpy, (states, groups, of, splits)), strict=True))
    axes = {"states": "states", "groups": "groups", "of": "groups", "splits": "splits",
            "split_values": "splits", "group_values": "splits"}  # fmt: skip
    return Graph(net, inputs, ["split_values", "group_values"], axes)


def ship_cql(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    """The averaged network of a run as a model folder."""
    net = network_of(state["mean"])
    minutes, learned = state["cpu_seconds"] / 60, state["decisions"] / 1e6
    card = Card(
        name=SHIPPED, title="Dou Dizhu: combinational Q-learning, values of ways to split a hand and of their groups",
        game="doudizhu", method="mcm", features=FEATURES, seed=run.settings.seed, commit=commit(),
        data=f"{learned:.1f} million decisions of its own games, {minutes:.0f} processor minutes",
        command=command_of("cql", run.settings),
    )  # fmt: skip
    return ship_network(graph_of(net), net, card, run, about_run(run, decisions=state["decisions"]), root)


TRAINING = Training(
    method="mcm/cql",
    what="plays {0.deals:,} deals and learns what ways to split a hand, and their groups, are worth",
    settings=CqlTraining,
    learner=CqlLearner,
    steps=lambda learner: learner.settings.steps,
    game="doudizhu",
    features=FEATURES,
    older=older(FEATURES),
    adapt=lambda weights, network: widened(weights),
    shipped=SHIPPED,
    networks=lambda learner: (learner.net, learner.mean),
    ship=ship_cql,
    may_change=("threads", "deals"),
    log_every=5,
)
