"""Where chunks of a match are played: here, in processes, or on Ray. The results are the same."""

import atexit
import functools
import json
import multiprocessing
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Protocol

from mingpai.arena.plan import Plan
from mingpai.arena.result import DealResult, result_of
from mingpai.arena.table import Side, Sitting, play_sittings
from mingpai.arena.workers import is_ray_open, open_ray
from mingpai.core.errors import BadSetting, MingpaiError

ENGINES = ("local", "ray")

TABLES = 256
"""Tables that one process plays at once."""

WORKER_DEATHS = 3
"""How often a pool is started again after a worker died."""


@dataclass(frozen=True)
class Task:
    """Some deals of a plan."""

    plan: Plan
    numbers: tuple[int, ...]
    with_records: bool = False
    """Whether the games themselves are wanted."""


@dataclass(frozen=True)
class Chunk:
    """The results of a task, in the order of its deals."""

    results: tuple[DealResult, ...]
    lines: tuple[tuple[str, ...], ...] = ()
    """For each deal its records as JSON lines, when wanted."""
    seconds: float = 0.0
    """Time it took."""


def play_task(task: Task, sides: Sequence[Side]) -> Chunk:
    """Plays some deals in all their seatings."""
    start = time.perf_counter()
    done: dict[int, list[Sitting]] = {number: [] for number in task.numbers}
    for sitting in play_sittings(task.plan.sittings(task.numbers), sides, TABLES):
        done[sitting.tags["deal"]].append(sitting)
    for sittings in done.values():
        sittings.sort(key=lambda sitting: int(sitting.tags["seating"]))
    results = tuple(result_of(task.plan, number, sittings) for number, sittings in done.items())
    lines = tuple(
        tuple(record.dumps() for sitting in sittings for record in sitting.records) for sittings in done.values()
    )
    return Chunk(results, lines if task.with_records else (), time.perf_counter() - start)


class Engine(Protocol):
    """Plays tasks; several may be on their way at once."""

    slots: int
    """Tasks worth having on the way."""

    def submit(self, task: Task) -> Callable[[], Chunk]:
        """Starts a task; the call gives its chunk when it is done."""
        ...

    def close(self) -> None:
        """Drops what is on its way."""
        ...


class HereEngine:
    """In this process, one task at a time, when its result is asked for."""

    slots = 1

    def __init__(self, plan: Plan) -> None:
        self._sides = plan.make_sides()

    def submit(self, task: Task) -> Callable[[], Chunk]:
        return functools.partial(play_task, task, self._sides)

    def close(self) -> None:
        for side in self._sides:
            side.close()


class ProcessEngine:
    """In processes of this machine. A worker that dies is replaced and its task played again."""

    def __init__(self, jobs: int) -> None:
        self.slots = 2 * jobs
        self._jobs = jobs
        self._deaths = 0
        self._pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._jobs, mp_context=context, initializer=_ignore_interrupts)

    def submit(self, task: Task) -> Callable[[], Chunk]:
        return functools.partial(self._result, task, self._try(task), self._pool)

    def _try(self, task: Task) -> "Future[Chunk] | None":
        try:
            return self._pool.submit(_play_in_worker, task)
        except BrokenProcessPool:
            return None

    def _result(self, task: Task, future: "Future[Chunk] | None", pool: ProcessPoolExecutor) -> Chunk:
        while True:
            try:
                if future is not None:
                    return future.result()
            except BrokenProcessPool:
                pass
            if pool is self._pool:
                self._replace_pool()
            future, pool = self._try(task), self._pool

    def _replace_pool(self) -> None:
        self._deaths += 1
        if self._deaths > WORKER_DEATHS:
            raise MingpaiError(f"worker processes died {self._deaths} times (out of memory?): try fewer --jobs")
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._start()

    def close(self) -> None:
        for process in list((self._pool._processes or {}).values()):
            process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)


class RayEngine:
    """On Ray: a cluster, or a local Ray started here when there is none."""

    def __init__(self, jobs: int) -> None:
        self._started = not is_ray_open()
        self._ray = open_ray(jobs)
        self._remote = self._ray.remote(max_retries=WORKER_DEATHS)(_play_in_worker)
        self.slots = 2 * jobs

    def submit(self, task: Task) -> Callable[[], Chunk]:
        return functools.partial(self._ray.get, self._remote.remote(task))

    def close(self) -> None:
        if self._started:
            self._ray.shutdown()


def make_engine(name: str, plan: Plan, jobs: int) -> Engine:
    if jobs < 1:
        raise BadSetting("jobs", jobs, "at least 1")
    if name == "ray":
        return RayEngine(jobs)
    if name != "local":
        raise BadSetting("engine", name, f"one of {', '.join(ENGINES)}")
    return HereEngine(plan) if jobs == 1 else ProcessEngine(jobs)


def _ignore_interrupts() -> None:
    """Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_in_worker(task: Task) -> Chunk:
    return play_task(task, _sides(json.dumps(task.plan.to_json())))


@functools.lru_cache(maxsize=4)
def _sides(plan: str) -> list[Side]:
    """A worker keeps its agents from task to task: loading a network may take longer than a deal."""
    sides = Plan.from_json(json.loads(plan)).make_sides()
    for side in sides:
        atexit.register(side.close)
    return sides
