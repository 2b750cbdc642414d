"""Bounded work in worker processes: a fair share for each client, and an end that is certain.

A page never computes: it awaits `Workshop.run`. The process that does the work is killed when the time is over or when
nobody waits for the result any more, so nothing goes on unseen.

Clients take turns. What is short is done in one of a few quick places. What has used the processor for longer than a
moment is long: it goes on behind the short work, in one of a few places of its own, of which one client never has all;
while these are taken it is ended and waits for one, to begin again. Work of a kind that was long lately waits for such
a place from the start. So nobody waits long for something short, whoever asks for how much that is long, and nobody
is refused for what others ask for. Long and short are told apart by the processor's time and not by the clock, which
runs on while the machine does something else. Within one client, what is expected to be short comes first.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mingpai.core.errors import MingpaiError
from mingpai.web.worker import Worker, WorkerGone, WorkFailed, nothing

T = TypeVar("T")
LOG = logging.getLogger("mingpai.web")

QUICK_SECONDS = 0.5
"""After so much of the processor's time a piece of work counts as long."""
LOOK_SECONDS = 0.1
"""How often that is looked at."""
LONG_PLACES = 3
"""Long pieces of work that go on at once."""
REFUSAL_SECONDS = 1.0
"""Who asks for too much is told so after this time: one who asks again at once would keep the server busy with it."""
MEMORY_OF_KINDS = 512


class Busy(MingpaiError):
    """Too much work is waiting."""


class Late(MingpaiError):
    """The work took longer than it may."""


class _PutOff(Exception):
    """The work is long and has to wait for a long place."""


@dataclass(eq=False)
class _Job:
    client: str
    kind: str
    number: int
    has_proved_long: bool = False
    is_refused: bool = False
    turn: asyncio.Event = field(default_factory=asyncio.Event)


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
        """Seconds that a job may wait for a place."""
        self._quick_seconds = quick_seconds
        self._threads = ThreadPoolExecutor(2 * (self._places + LONG_PLACES), "mingpai-work")
        """One for each place, and as many for those whose process is being killed."""
        self._queues: dict[str, list[_Job]] = {}
        """Waiting jobs of each client; the client whose turn is next comes first."""
        self._quick: list[_Job] = []
        self._long: list[_Job] = []
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        """Every process there is, idle or not."""
        self._expected: dict[str, float] = {}
        """Processor time that work of each kind has taken lately."""
        self._count = 0

    async def run(self, client: str, seconds: float, task: Callable[[], T], kind: str = "") -> T:
        """The result of a picklable task. `kind` tells work apart that takes a different time."""
        self._count += 1
        job = _Job(client, kind, self._count)
        try:
            while True:
                await self._place(job)
                try:
                    return await self._do(job, task, seconds)
                except _PutOff:
                    continue
        finally:
            self._leave(job)

    async def warm_up(self) -> None:
        """Start the processes before somebody waits for them."""
        await asyncio.gather(*(self.run(f"warm {n}", 60.0, nothing, "nothing") for n in range(self._places)))

    def load(self) -> int:
        """Jobs waiting or running."""
        return self._waiting() + len(self._quick) + len(self._long)

    def close(self) -> None:
        """End every process."""
        self._idle.clear()
        while self._workers:
            self._workers.pop().kill()

    # --- a place

    async def _place(self, job: _Job) -> None:
        """Wait for a quick place, or for a long one if the work is."""
        self._enqueue(job)
        self._give_places()
        try:
            async with asyncio.timeout(self._patience):
                await job.turn.wait()
        except TimeoutError:
            job.is_refused = True
        if job.is_refused:
            await asyncio.sleep(REFUSAL_SECONDS)
            raise Busy("too much work is waiting: try again in a moment")

    def _enqueue(self, job: _Job) -> None:
        job.turn.clear()
        queue = self._queues.setdefault(job.client, [])
        queue.append(job)
        if len(queue) > self._per_client:
            self._refuse(max(queue, key=self._rank))
        elif self._waiting() > self._most:
            longest = max(self._queues.values(), key=len)
            self._refuse(max(longest, key=self._rank))

    def _waiting(self) -> int:
        return sum(map(len, self._queues.values()))

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

    def _rank(self, job: _Job) -> tuple[bool, float, int]:
        """What is expected to be short comes first, then what came first."""
        return self._is_long(job), self._expected.get(job.kind, 0.0), job.number

    def _is_long(self, job: _Job) -> bool:
        return job.has_proved_long or self._expected.get(job.kind, 0.0) >= self._quick_seconds

    def _give_places(self) -> None:
        while len(self._quick) < self._places and (job := self._next_quick()) is not None:
            self._give(job, self._quick)
        while len(self._long) < LONG_PLACES and (job := self._next_long()) is not None:
            self._give(job, self._long)

    def _give(self, job: _Job, places: list[_Job]) -> None:
        self._unqueue(job)
        if job.client in self._queues:
            self._queues[job.client] = self._queues.pop(job.client)  # at the end: the others come first
        places.append(job)
        job.turn.set()

    def _next_quick(self) -> _Job | None:
        firsts = (min(queue, key=self._rank) for queue in self._queues.values())
        return next((job for job in firsts if not self._is_long(job)), None)

    def _next_long(self) -> _Job | None:
        """Of a client who has the fewest long places."""
        return min(self._long_ones(), key=lambda job: self._long_places_of(job.client), default=None)

    def _long_ones(self) -> Iterable[_Job]:
        """The first long job of each client who may have one more."""
        for client, queue in self._queues.items():
            jobs = [job for job in queue if self._is_long(job)]
            if jobs and self._may_have_one_more(client):
                yield min(jobs, key=self._rank)

    def _may_have_one_more(self, client: str) -> bool:
        return len(self._long) < LONG_PLACES and self._long_places_of(client) < LONG_PLACES - 1

    def _long_places_of(self, client: str) -> int:
        return sum(job.client == client for job in self._long)

    def _leave(self, job: _Job) -> None:
        """Give up the place, or the wait for one."""
        self._unqueue(job)
        for jobs in (self._quick, self._long):
            if job in jobs:
                jobs.remove(job)
        self._give_places()

    # --- the work

    async def _do(self, job: _Job, task: Callable[[], T], seconds: float) -> T:
        """The answer of a worker, who is killed unless it comes."""
        worker = self._idle.pop() if self._idle and job in self._quick else Worker()
        self._workers.add(worker)
        answer = asyncio.get_running_loop().run_in_executor(self._threads, worker.ask, task)
        try:
            await self._watch(job, worker, answer, seconds)
            if not answer.done():
                raise Late(f"the work took longer than {seconds:g} s")
            result: T = answer.result()
        except WorkerGone:
            raise MingpaiError("the work ended without a result: it needed too much memory or failed") from None
        except WorkFailed as failure:
            LOG.error("work failed: %s", failure)
            raise
        finally:
            self._learn(job.kind, worker.used())
            self._put_back(worker, answer)
        return result

    async def _watch(self, job: _Job, worker: Worker, answer: "asyncio.Future[Any]", seconds: float) -> None:
        """Until the answer comes or the time is over: in a quick place while the work is short, then in a long one."""
        clock = asyncio.get_running_loop().time
        end = clock() + seconds
        while job in self._quick and worker.used() < self._quick_seconds and clock() < end:
            if await _comes(answer, LOOK_SECONDS):
                return
        if job in self._quick and clock() < end:
            self._go_long(job)
        worker.step_back()
        await _comes(answer, end - clock())

    def _go_long(self, job: _Job) -> None:
        """Leave the quick place to others. Raises _PutOff when there is no long one."""
        job.has_proved_long = True
        self._learn(job.kind, self._quick_seconds)
        self._quick.remove(job)
        is_free = self._may_have_one_more(job.client)
        if is_free:
            self._long.append(job)
        self._give_places()
        if not is_free:
            raise _PutOff

    def _learn(self, kind: str, seconds: float) -> None:
        known = self._expected.pop(kind, seconds)
        self._expected[kind] = 0.6 * known + 0.4 * seconds
        while len(self._expected) > MEMORY_OF_KINDS:
            del self._expected[next(iter(self._expected))]

    def _put_back(self, worker: Worker, answer: "asyncio.Future[Any]") -> None:
        if not answer.done():
            answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        elif worker.is_fresh and len(self._idle) < self._places:
            self._idle.append(worker)
            return
        worker.kill()
        self._workers.discard(worker)


async def _comes(answer: "asyncio.Future[Any]", seconds: float) -> bool:
    await asyncio.wait({answer}, timeout=max(0.0, seconds))
    return answer.done()


WORKSHOP = Workshop()
"""The one workshop of the server."""
