"""Self-play of the value network on Ray: workers play with the weights they are sent, the learner learns.

A worker holds its share of the tables and gives back the decisions that came to their end. One that dies is replaced;
its unfinished deals are lost, nothing else. A worker plays with weights that are a few steps old.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from mingpai.arena.workers import Workers
from mingpai.core.random import seed_of
from mingpai.methods.mcm.network import ValueNet
from mingpai.methods.mcm.tables import Memory, SelfPlay

if TYPE_CHECKING:
    from mingpai.methods.mcm.train_value import Settings

STEPS = 8
"""Steps of all its tables that a worker plays at a time."""

WORKER_MEMORY = 4
"""A worker remembers so many times the decisions it makes at a time: deals end in bursts."""


@dataclass
class Played:
    """Deals, decisions and wins of the landlord: of all workers, or what one adds."""

    deals: int = 0
    decisions: int = 0
    landlord_wins: int = 0


class Worker:
    """Some tables; lives in a process of its own."""

    def __init__(self, settings: "Settings", seed: int) -> None:
        torch.set_num_threads(1)
        self._lam = settings.lam
        self._net = ValueNet(settings.shape, mixed=settings.mixed)
        self._memory = Memory(WORKER_MEMORY * STEPS * settings.tables, seed)
        self._play = SelfPlay(settings, seed_of(seed, "tables", 0), self._memory)
        self._read = 0

    def play(
        self, weights: Mapping[str, NDArray[np.float32]], explore: float
    ) -> tuple[tuple[NDArray[Any], ...], Played]:
        """The decisions that came to their end, as columns of a memory, and what was played."""
        self._net.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in weights.items()})
        before = self._numbers()
        for _ in range(STEPS):
            self._play.answer(self._play.ask(self._net), explore, self._lam)
        samples = self._memory.samples
        first = max(self._read, samples.added - samples.capacity)
        rows = np.arange(first, samples.added) % samples.capacity
        self._read = samples.added
        columns = (samples.states[rows], samples.moves[rows], samples.wins[rows], samples.points[rows])
        return columns, Played(*(now - then for now, then in zip(self._numbers(), before, strict=True)))

    def _numbers(self) -> tuple[int, int, int]:
        counts = self._play.counts()
        return counts.deals, counts.decisions, counts.landlord_wins


class RayPlay:
    """The tables of all workers, in the place of `SelfPlay`."""

    def __init__(self, settings: "Settings", memory: Memory, sitting: int) -> None:
        share = replace(settings, tables=max(1, settings.tables // settings.workers))
        self.workers = Workers(
            Worker,
            settings.workers,
            lambda number: {
                "settings": share,
                "seed": seed_of(settings.seed, "worker", 1_000_000 * sitting + number) % 2**31,
            },
        )
        self._minibatch = settings.minibatch
        self._memory = memory
        self._asked: tuple[ValueNet, float] | None = None
        self._answers = self.workers.stream("play", self._arguments)
        self._counts = Played()
        self._credit = 0

    def counts(self) -> Played:
        return self._counts

    def step(self, net: ValueNet, explore: float) -> None:
        """Takes in decisions until there is one for each that a minibatch learns."""
        self._asked = net, explore
        while self._credit < self._minibatch:
            columns, added = next(self._answers)
            self._memory.samples.extend(*columns)
            self._credit += len(columns[-1])
            self._counts.deals += added.deals
            self._counts.decisions += added.decisions
            self._counts.landlord_wins += added.landlord_wins
        self._credit -= self._minibatch

    def close(self) -> None:
        self.workers.close()

    def _arguments(self) -> tuple[Any, ...]:
        """The weights and the exploration of this moment."""
        assert self._asked is not None
        net, explore = self._asked
        return {name: value.detach().numpy() for name, value in net.state_dict().items()}, explore
