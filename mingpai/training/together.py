"""Several processes learn one network in step: each plays and learns its share, and all move by the mean gradient.

Gradients meet in shared memory. The first process is the one that saves and tells; the others are made by it, begin
with its state and end with it. All add the same numbers in the same order, so that their weights stay equal. Needs
torch: training only.
"""

import io
import signal
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.nn import Parameter

from mingpai.core.errors import MingpaiError
from mingpai.core.random import seed_of


class Steps(Protocol):
    """What learns beside the first process."""

    def step(self) -> Any: ...


class Alone:
    """One process: there is nobody to agree with."""

    rank = 0
    count = 1
    """Processes in all."""

    def average(self, parameters: Sequence[Parameter]) -> None:
        """Replaces gradients by their mean over all processes."""

    def total(self, number: int) -> int:
        """The sum of such numbers over all processes."""
        return number

    def cpu_seconds(self) -> float:
        """Processor time of the other processes."""
        return 0.0

    def seed(self, seed: int) -> int:
        """Of the deals of this process, in a run with such a seed."""
        return seed_of(seed, "rank", self.rank) if self.rank else seed


class Peer(Alone):
    """One of several processes, other than the first."""

    def __init__(self, rank: int, slots: Tensor, mean: Tensor, first: Connection) -> None:
        self.rank, self.count = rank, len(slots)
        self._slots, self._mean, self._first = slots, mean, first

    def average(self, parameters: Sequence[Parameter]) -> None:
        size = write(parameters, self._slots[self.rank])
        self._first.send(time.process_time())
        self._first.recv()
        read(parameters, self._mean[:size])

    def total(self, number: int) -> int:
        self._first.send(number)
        whole: int = self._first.recv()
        return whole


class FirstPeer(Alone):
    """The first of several processes. `begin(peer, state)` makes a learner in each of the others."""

    def __init__(
        self, count: int, size: int, state: Mapping[str, Any], begin: Callable[[Alone, Mapping[str, Any]], Steps]
    ) -> None:
        self.count = count
        self._slots, self._mean = shared(count, size), shared(size)
        self._spent = [0.0] * (count - 1)
        self._others: list[Connection] = []
        processes: list[BaseProcess] = []
        context = torch.multiprocessing.get_context("spawn")
        packed = io.BytesIO()
        torch.save(dict(state), packed)
        for rank in range(1, count):
            here, there = context.Pipe()
            arguments = (rank, self._slots, self._mean, there, begin, packed.getvalue())
            process = context.Process(target=accompany, args=arguments, daemon=True)
            process.start()
            there.close()
            self._others.append(here)
            processes.append(process)
        weakref.finalize(self, _end, self._others, processes)

    def average(self, parameters: Sequence[Parameter]) -> None:
        size = write(parameters, self._slots[0])
        self._spent = self._heard()
        torch.mean(self._slots[:, :size], 0, out=self._mean[:size])
        self._tell(None)
        read(parameters, self._mean[:size])

    def total(self, number: int) -> int:
        whole: int = number + sum(self._heard())
        self._tell(whole)
        return whole

    def _heard(self) -> list[Any]:
        """What each of the others has to say."""
        with self._all_there():
            return [other.recv() for other in self._others]

    def _tell(self, word: Any) -> None:
        with self._all_there():
            for other in self._others:
                other.send(word)

    @contextmanager
    def _all_there(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, OSError):
            raise MingpaiError("a process that learned beside this one has ended: go on with --resume") from None

    def cpu_seconds(self) -> float:
        return sum(self._spent)


def accompany(
    rank: int, slots: Tensor, mean: Tensor, first: Connection,
    begin: Callable[[Alone, Mapping[str, Any]], Steps], state: bytes,
) -> None:  # fmt: skip
    """The life of a process beside the first: it learns until that one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the first one's business
    learner = begin(Peer(rank, slots, mean, first), torch.load(io.BytesIO(state), weights_only=True))
    try:
        while True:
            learner.step()
    except (EOFError, OSError):
        return


def shared(*shape: int) -> Tensor:
    """Zeros that all processes see."""
    zeros: Tensor = torch.zeros(*shape).share_memory_()  # type: ignore[no-untyped-call]
    return zeros


def in_row(parameters: Iterable[Parameter], row: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """Each gradient, flat, and its place in a row that holds them one after the other."""
    end = 0
    for parameter in parameters:
        assert parameter.grad is not None
        start, end = end, end + parameter.numel()
        yield parameter.grad.view(-1), row[start:end]


def write(parameters: Iterable[Parameter], row: Tensor) -> int:
    """All gradients one after the other; how many numbers they are."""
    size = 0
    for gradient, place in in_row(parameters, row):
        place.copy_(gradient)
        size += len(place)
    return size


def read(parameters: Iterable[Parameter], row: Tensor) -> None:
    """The gradients back from where they were written."""
    for gradient, place in in_row(parameters, row):
        gradient.copy_(place)


def _end(others: Iterable[Connection], processes: Iterable[BaseProcess]) -> None:
    for other in others:
        other.close()
    for process in processes:
        process.terminate()
        process.join()
