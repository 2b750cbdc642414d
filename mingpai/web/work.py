"""Bounded work in worker processes: a fair share for each client, and an end that is certain.

A page never computes: it awaits `Workshop.run`. The process that does the work is killed when the time is over or when
nobody waits for the result any more, so nothing goes on unseen. Clients take turns. Each piece of work begins in one of
a few quick places; what takes longer than a moment leaves its place to others and goes on beside them, a few such
pieces at once, the rest paused until it is their turn. So nobody waits long for something short, whoever asks for how
much that is long. Within one client, what is expected to be short comes first.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mingpai.core.errors import MingpaiError
from mingpai.web.worker import Worker, WorkerGone, WorkFailed, nothing

T = TypeVar("T")
LOG = logging.getLogger("mingpai.web")

QUICK_SECONDS = 0.7
"""After so long a piece of work counts as long."""
MOST_LONG = 3
"""Long pieces of work that go on at once."""
MOST_PAUSED = 4
"""Long pieces that wait, paused, for one of those to end; more are refused."""
MEMORY_OF_KINDS = 512


class Busy(MingpaiError):
    """Too much work is waiting."""


class Late(MingpaiError):
    """The work took longer than it may."""


@dataclass(eq=False)
class _Job:
    client: str
    kind: str
    expected: float
    number: int
    turn: asyncio.Event = field(default_factory=asyncio.Event)
    is_refused: bool = False

    @property
    def rank(self) -> tuple[float, int]:
        """What is expected to be short comes first, then what came first."""
        return self.expected, self.number


class Workshop:
    """A few worker processes and a fair share of them for each client."""

    def __init__(
        self, workers: int = 0, per_client: int = 128, waiting: int = 512, patience: float = 60.0,
        quick_seconds: float = QUICK_SECONDS,
    ) -> None:  # fmt: skip
        self._places = workers or max(2, os.cpu_count() or 2)
        """Quick places."""
        self._per_client = per_client
        """Jobs of one client, waiting for a place."""
        self._most = waiting
        """Jobs of all clients, waiting for a place."""
        self._patience = patience
        """Seconds that a job may wait for a place, or paused."""
        self._quick_seconds = quick_seconds
        self._threads = ThreadPoolExecutor(self._places + MOST_LONG + MOST_PAUSED, "mingpai-work")
        self._queues: dict[str, list[_Job]] = {}
        """Waiting jobs of each client; the client whose turn is next comes first."""
        self._quick: list[_Job] = []
        self._long: list[_Job] = []
        self._paused: list[_Job] = []
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        """Every process there is, idle or not."""
        self._expected: dict[str, float] = {}
        """Seconds that work of each kind has taken lately."""
        self._count = 0

    async def run(self, client: str, seconds: float, task: Callable[[], T], kind: str = "") -> T:
        """The result of a picklable task. `kind` tells work apart that takes a different time."""
        job = self._admit(client, kind)
        try:
            await self._place(job)
        except BaseException:
            self._leave(job)
            raise
        worker = self._idle.pop() if self._idle else Worker()
        self._workers.add(worker)
        try:
            result: T = await self._watch(job, worker, task, seconds)
            return result
        finally:
            self._leave(job)

    async def warm_up(self) -> None:
        """Start the processes before somebody waits for them."""
        await asyncio.gather(*(self.run(f"warm {n}", 60.0, nothing, "nothing") for n in range(self._places)))

    def load(self) -> int:
        """Jobs waiting, running or paused."""
        return sum(map(len, self._queues.values())) + len(self._quick) + len(self._long) + len(self._paused)

    def close(self) -> None:
        """End every process."""
        self._idle.clear()
        while self._workers:
            self._workers.pop().kill()

    # --- a place

    def _admit(self, client: str, kind: str) -> _Job:
        self._count += 1
        job = _Job(client, kind, self._expected.get(kind, 0.0), self._count)
        queue = self._queues.setdefault(client, [])
        queue.append(job)
        if len(queue) > self._per_client:
            self._refuse(max(queue, key=lambda waiting: waiting.rank))
        elif sum(map(len, self._queues.values())) > self._most:
            longest = max(self._queues.values(), key=len)
            self._refuse(max(longest, key=lambda waiting: waiting.rank))
        return job

    def _refuse(self, job: _Job) -> None:
        job.is_refused = True
        self._unqueue(job)
        job.turn.set()

    def _unqueue(self, job: _Job) -> None:
        queue = self._queues.get(job.client, [])
        if job in queue:
            queue.remove(job)
        if not queue:
            self._queues.pop(job.client, None)

    async def _place(self, job: _Job) -> None:
        self._give_places()
        try:
            async with asyncio.timeout(self._patience):
                await job.turn.wait()
        except TimeoutError:
            job.is_refused = True
        if job.is_refused or (job.expected > self._quick_seconds and len(self._paused) >= MOST_PAUSED):
            raise Busy("too much work is waiting: try again in a moment")

    def _give_places(self) -> None:
        while len(self._quick) < self._places and (client := self._next_client()) is not None:
            queue = self._queues.pop(client)
            job = min(queue, key=lambda waiting: waiting.rank)
            queue.remove(job)
            if queue:
                self._queues[client] = queue  # at the end: the others come first
            self._quick.append(job)
            job.turn.set()

    def _next_client(self) -> str | None:
        """The first client who does not hold all places but one already."""
        most = max(1, self._places - 1)
        held = [job.client for job in self._quick]
        return next((client for client in self._queues if held.count(client) < most), None)

    def _leave(self, job: _Job) -> None:
        self._unqueue(job)
        for jobs in (self._quick, self._long, self._paused):
            if job in jobs:
                jobs.remove(job)
        self._give_places()
        for waiting in list(self._paused):
            if self._may_go_on(waiting):
                self._paused.remove(waiting)
                self._long.append(waiting)
                waiting.turn.set()

    def _may_go_on(self, job: _Job) -> bool:
        """Whether there is room for one more long piece of work, and one client does not take all of it."""
        mine = sum(other.client == job.client for other in self._long)
        return len(self._long) < MOST_LONG and mine < MOST_LONG - 1

    # --- the work

    async def _watch(self, job: _Job, worker: Worker, task: Callable[[], T], seconds: float) -> T:
        """The answer of a worker, who is killed unless it comes."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        answer = loop.run_in_executor(self._threads, worker.ask, task)
        try:
            if not await _comes(answer, min(self._quick_seconds, seconds)) and seconds > self._quick_seconds:
                start += await self._go_long(job, worker)
                await _comes(answer, seconds - self._quick_seconds)
            if not answer.done():
                raise Late(f"the work took longer than {seconds:g} s")
            result: T = answer.result()
        except WorkerGone:
            raise MingpaiError("the work ended without a result: it needed too much memory or failed") from None
        except WorkFailed as failure:
            LOG.error("work failed: %s", failure)
            raise
        finally:
            took = worker.seconds if answer.done() and worker.seconds is not None else loop.time() - start
            self._learn(job.kind, took)
            self._put_back(worker, answer)
        return result

    async def _go_long(self, job: _Job, worker: Worker) -> float:
        """Leave the quick place to others; pause while too much goes on. Returns the seconds paused."""
        self._learn(job.kind, self._quick_seconds)
        self._quick.remove(job)
        if self._may_go_on(job):
            self._long.append(job)
            self._give_places()
            return 0.0
        if len(self._paused) >= MOST_PAUSED:
            self._give_places()
            raise Busy("too much long work is going on: try again in a moment")
        return await self._pause(job, worker)

    async def _pause(self, job: _Job, worker: Worker) -> float:
        start = asyncio.get_running_loop().time()
        job.turn.clear()
        self._paused.append(job)
        worker.pause()
        self._give_places()
        try:
            async with asyncio.timeout(self._patience):
                await job.turn.wait()
        except TimeoutError:
            raise Busy("too much long work is going on: try again in a moment") from None
        worker.go_on()
        return asyncio.get_running_loop().time() - start

    def _learn(self, kind: str, seconds: float) -> None:
        known = self._expected.pop(kind, seconds)
        self._expected[kind] = 0.6 * known + 0.4 * seconds
        while len(self._expected) > MEMORY_OF_KINDS:
            del self._expected[next(iter(self._expected))]

    def _put_back(self, worker: Worker, answer: "asyncio.Future[Any]") -> None:
        if not answer.done():
            answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        elif not worker.is_dead and len(self._idle) < self._places:
            self._idle.append(worker)
            return
        worker.kill()
        self._workers.discard(worker)


async def _comes(answer: "asyncio.Future[Any]", seconds: float) -> bool:
    await asyncio.wait({answer}, timeout=max(0.0, seconds))
    return answer.done()


WORKSHOP = Workshop()
"""The one workshop of the server."""
