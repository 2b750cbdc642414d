"""Bounded work: searches run in a few threads, queued per client, dropped when the client leaves.

A page never blocks on a search: it awaits `Workshop.run`, which raises Busy when the client has too much waiting and
Late when the work took longer than it may. Native code releases the GIL and keeps to its own budget.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from mingpai.core.errors import MingpaiError

T = TypeVar("T")


class Busy(MingpaiError):
    """The client has as much work waiting as it may."""


class Late(MingpaiError):
    """The work took longer than it may."""


class Workshop:
    """A few threads and a fair share of them for each client."""

    def __init__(self, threads: int = 2, per_client: int = 4, waiting: int = 64) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="mingpai-work")
        self._per_client = per_client
        self._waiting = waiting
        self._jobs: Counter[str] = Counter()

    async def run(self, client: str, seconds: float, work: Callable[[], T]) -> T:
        """The result of `work`, run in a thread."""
        if self._jobs[client] >= self._per_client or self._jobs.total() >= self._waiting:
            raise Busy("too much work is waiting: try again in a moment")
        self._jobs[client] += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        future.add_done_callback(lambda done: self._finished(client))
        try:
            return await asyncio.wait_for(asyncio.shield(future), seconds)
        except TimeoutError:
            future.cancel()
            raise Late(f"the work took longer than {seconds:g} s") from None
        except asyncio.CancelledError:
            future.cancel()
            raise

    def load(self) -> int:
        """Jobs waiting or running."""
        return self._jobs.total()

    def _finished(self, client: str) -> None:
        self._jobs[client] -= 1
        if self._jobs[client] <= 0:
            del self._jobs[client]


WORKSHOP = Workshop()
"""The one workshop of the server."""
