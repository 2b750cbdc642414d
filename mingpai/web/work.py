"""Bounded work: searches run in a few threads, queued per client, dropped when the client leaves.

A page never blocks on a search: it awaits `Workshop.run`, which raises Busy when the client has too much waiting and
Late when the work took longer than it may. Clients take turns, so that one with much to do does not hold up the others.
Native code releases the GIL and keeps to its own budget.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mingpai.core.errors import MingpaiError

T = TypeVar("T")


class Busy(MingpaiError):
    """The client has as much work waiting as it may."""


class Late(MingpaiError):
    """The work took longer than it may."""


@dataclass(eq=False)
class _Job:
    client: str
    task: Callable[[], Any]
    stop: Callable[[], None] | None
    started: asyncio.Event = field(default_factory=asyncio.Event)
    future: "asyncio.Future[Any] | None" = None


class Workshop:
    """A few threads and a fair share of them for each client."""

    def __init__(self, threads: int = 2, per_client: int = 64, waiting: int = 256, patience: float = 60.0) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="mingpai-work")
        self._threads = threads
        self._per_client = per_client
        """Jobs of one client, waiting or running."""
        self._most = waiting
        """Jobs of all clients."""
        self._patience = patience
        """Seconds that a job may wait for its turn."""
        self._queues: dict[str, deque[_Job]] = {}
        """Waiting jobs of each client; the client whose turn is next comes first."""
        self._running: set[_Job] = set()

    async def run(
        self, client: str, seconds: float, task: Callable[[], T], stop: Callable[[], None] | None = None
    ) -> T:
        """The result of `task`, run in a thread. `stop` is called when the result is no longer wanted."""
        mine = len(self._queues.get(client, ())) + sum(job.client == client for job in list(self._running))
        if mine >= self._per_client or self.load() >= self._most:
            raise Busy("too much work is waiting: try again in a moment")
        job = _Job(client, task, stop)
        self._queues.setdefault(client, deque()).append(job)
        self._start_waiting()
        try:
            async with asyncio.timeout(self._patience):
                await job.started.wait()
            assert job.future is not None
            async with asyncio.timeout(seconds):
                result: T = await asyncio.shield(job.future)
            return result
        except TimeoutError:
            self._give_up(job)
            raise Late(f"the work took longer than {seconds:g} s") from None
        except asyncio.CancelledError:
            self._give_up(job)
            raise

    def load(self) -> int:
        """Jobs waiting or running."""
        return sum(map(len, self._queues.values())) + len(self._running)

    def _start_waiting(self) -> None:
        while self._queues and len(self._running) < self._threads:
            client = next(iter(self._queues))
            queue = self._queues.pop(client)
            job = queue.popleft()
            if queue:
                self._queues[client] = queue
            self._running.add(job)
            job.future = asyncio.get_running_loop().run_in_executor(self._pool, self._do, job)
            job.future.add_done_callback(self._finished)
            job.started.set()

    def _do(self, job: _Job) -> Any:
        """In a thread: the place is free again even if nobody is left to hear of the end."""
        try:
            return job.task()
        finally:
            self._running.discard(job)

    def _finished(self, done: "asyncio.Future[Any]") -> None:
        if not done.cancelled():
            done.exception()
        self._start_waiting()

    def _give_up(self, job: _Job) -> None:
        if job.future is None:
            queue = self._queues.get(job.client)
            if queue is not None and job in queue:
                queue.remove(job)
                if not queue:
                    del self._queues[job.client]
        elif not job.future.done() and job.stop is not None:
            job.stop()


WORKSHOP = Workshop()
"""The one workshop of the server."""
