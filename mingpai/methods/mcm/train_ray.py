"""Self-play of the value network on Ray: workers play with the weights they are sent, the learner learns.

A worker holds its share of the tables and gives back the decisions that came to their end. One that dies is replaced;
its unfinished deals are lost, nothing else. A worker plays with weights that are a few steps old.
"""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mingpai._native import mcm
from mingpai.core.errors import MingpaiError, NotInstalled
from mingpai.core.random import seed_of
from mingpai.methods.mcm.network import ValueNet

if TYPE_CHECKING:
    from mingpai.methods.mcm.train_value import Settings

STEPS = 8
"""Steps of all its tables that a worker plays at a time."""

WORKER_MEMORY = 4
"""A worker remembers so many times the decisions it makes at a time: deals end in bursts."""

WORKER_DEATHS = 20
"""Deaths after which something else is wrong."""


@dataclass(frozen=True)
class Played:
    """What a worker gives back."""

    states: NDArray[np.uint8]
    moves: NDArray[np.uint8]
    wins: NDArray[np.float32]
    points: NDArray[np.float32]
    deals: int
    decisions: int
    landlord_wins: int


@dataclass
class Counts:
    """Sums over all workers."""

    deals: int = 0
    decisions: int = 0
    landlord_wins: int = 0


class Worker:
    """Some tables; lives in a process of its own."""

    def __init__(self, settings: "Settings", number: int) -> None:
        from mingpai.methods.mcm.train_value import SelfPlay

        torch.set_num_threads(1)
        memory = WORKER_MEMORY * STEPS * settings.tables
        self._settings = replace(settings, seed=seed_of(settings.seed, "worker", number) % 2**31, memory=memory)
        self._net = ValueNet(settings.shape, mixed=settings.mixed)
        self._play = SelfPlay(self._settings, 0)
        self._read = 0

    def play(self, weights: Mapping[str, NDArray[np.float32]], explore: float) -> Played:
        self._net.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in weights.items()})
        before = self._numbers()
        for _ in range(STEPS):
            self._play.step(self._net, explore)
        deals, decisions, landlord_wins = (now - then for now, then in zip(self._numbers(), before, strict=True))
        samples = self._play.samples
        first = max(self._read, samples.added - samples.capacity)
        rows = np.arange(first, samples.added) % samples.capacity
        self._read = samples.added
        return Played(
            samples.states[rows], samples.moves[rows], samples.wins[rows], samples.points[rows],
            deals, decisions, landlord_wins,
        )  # fmt: skip

    def _numbers(self) -> tuple[int, int, int]:
        counts = self._play.counts()
        return counts.deals, counts.decisions, counts.landlord_wins


class RayPlay:
    """The tables of all workers, in the place of `SelfPlay`."""

    def __init__(self, settings: "Settings", sitting: int) -> None:
        if importlib.util.find_spec("ray") is None:
            raise NotInstalled("Ray", "pip install 'mingpai[scale]'")
        import ray

        self.settings = settings
        self.samples = mcm.Samples(settings.memory)
        self.columns = [
            torch.from_numpy(column)
            for column in (self.samples.states, self.samples.moves, self.samples.wins, self.samples.points)
        ]
        self.draw = torch.Generator().manual_seed(seed_of(settings.seed, "draw", sitting) % 2**63)
        self.deaths = 0
        """Workers that died and were replaced."""
        self._ray: Any = ray
        if not ray.is_initialized():
            ray.init(num_cpus=settings.workers, include_dashboard=False, log_to_driver=False)
        self._remote = ray.remote(num_cpus=1, max_restarts=0)(Worker)
        self._sitting = sitting
        self._made = 0
        self._counts = Counts()
        self._credit = 0
        self._waiting: dict[Any, Any] = {}

    def counts(self) -> Counts:
        return self._counts

    def workers(self) -> list[Any]:
        """The workers that play now."""
        return list(self._waiting.values())

    def step(self, net: ValueNet, explore: float) -> None:
        """Takes in decisions until there is one for each that a minibatch learns."""
        while len(self._waiting) < self.settings.workers:
            self._submit(self._start(), net, explore)
        while self._credit < self.settings.minibatch:
            self._take(net, explore)
        self._credit -= self.settings.minibatch

    def minibatch(self) -> list[Tensor]:
        """Decisions drawn from memory: states, moves, wins, points."""
        index = torch.randint(len(self.samples), (self.settings.minibatch,), generator=self.draw)
        return [column[index] for column in self.columns]

    def close(self) -> None:
        for worker in self._waiting.values():
            self._ray.kill(worker)
        self._waiting.clear()

    def _start(self) -> Any:
        number = 1_000_000 * self._sitting + self._made
        self._made += 1
        share = max(1, self.settings.tables // self.settings.workers)
        return self._remote.remote(replace(self.settings, tables=share), number)

    def _submit(self, worker: Any, net: ValueNet, explore: float) -> None:
        weights = {name: value.detach().numpy() for name, value in net.state_dict().items()}
        self._waiting[worker.play.remote(weights, explore)] = worker

    def _take(self, net: ValueNet, explore: float) -> None:
        ready, _ = self._ray.wait(list(self._waiting), num_returns=1)
        worker = self._waiting.pop(ready[0])
        try:
            played: Played = self._ray.get(ready[0])
        except self._ray.exceptions.RayActorError as error:
            self.deaths += 1
            if self.deaths > WORKER_DEATHS:
                raise MingpaiError(f"workers died {self.deaths} times (out of memory?): {error}") from None
            worker = self._start()
        else:
            self.samples.extend(played.states, played.moves, played.wins, played.points)
            self._credit += len(played.wins)
            self._counts.deals += played.deals
            self._counts.decisions += played.decisions
            self._counts.landlord_wins += played.landlord_wins
        self._submit(worker, net, explore)
