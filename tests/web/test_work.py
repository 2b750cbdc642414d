"""Work goes to processes of its own, which are killed when the time is over or nobody waits any more."""

import asyncio
import contextlib
import functools
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mingpai.core.errors import Ambiguous, MingpaiError
from mingpai.web.work import LONG_PLACES, Busy, Late, Workshop
from mingpai.web.worker import WorkFailed
from tests.web import chores


@pytest.fixture
def shop() -> Iterator[Workshop]:
    made = Workshop(workers=2, quick_seconds=0.2, patience=300)
    yield made
    made.close()


def is_running(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    return False


async def noted(path: Path) -> int:
    """The process that wrote its number to a file."""
    while not path.exists() or not path.read_text():
        await asyncio.sleep(0.01)
    return int(path.read_text())


async def ended(pid: int) -> None:
    async with asyncio.timeout(5):
        while is_running(pid):
            await asyncio.sleep(0.01)


def test_work_is_done_in_another_process_that_serves_again(shop: Workshop) -> None:
    async def ask() -> list[int]:
        return [await shop.run("me", 20, chores.pid) for _ in range(2)]

    first, second = asyncio.run(ask())
    assert first == second != os.getpid()


def test_a_mistake_comes_back_as_it_was_raised(shop: Workshop) -> None:
    with pytest.raises(Ambiguous) as caught:
        asyncio.run(shop.run("me", 20, chores.confuse))
    assert caught.value.readings == ("33", "44")
    assert str(caught.value) == "'3344' is ambiguous: write one of 33, 44"


def test_failures_crashes_and_greed_end_one_piece_of_work_alone(shop: Workshop) -> None:
    with pytest.raises(WorkFailed, match="no mistake of the user"):
        asyncio.run(shop.run("me", 20, chores.break_down))
    with pytest.raises(MingpaiError, match="without a result"):
        asyncio.run(shop.run("me", 20, chores.crash))
    with pytest.raises(MingpaiError, match="memory"):
        asyncio.run(shop.run("me", 20, chores.hoard))
    assert asyncio.run(shop.run("me", 20, chores.pid))


def test_late_work_is_killed(shop: Workshop, tmp_path: Path) -> None:
    async def wait() -> None:
        with pytest.raises(Late):
            await shop.run("me", 1.5, functools.partial(chores.spin, tmp_path / "note"))
        await ended(await noted(tmp_path / "note"))
        assert shop.load() == 0

    asyncio.run(wait())


def test_work_of_a_client_who_left_is_killed_and_what_waits_is_dropped(shop: Workshop, tmp_path: Path) -> None:
    async def leave() -> None:
        spin = functools.partial(chores.spin, tmp_path / "note")
        jobs = [asyncio.ensure_future(shop.run("me", 60, spin)) for _ in range(3)]
        pid = await noted(tmp_path / "note")
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        await ended(pid)
        assert shop.load() == 0

    asyncio.run(leave())


def test_a_client_with_too_much_waiting_is_told_so() -> None:
    async def flood() -> None:
        shop = Workshop(workers=1, per_client=2)
        jobs = [asyncio.ensure_future(shop.run("me", 20, functools.partial(chores.nap, 0.2))) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await shop.run("me", 20, chores.pid)
        assert await shop.run("you", 20, chores.pid)
        await asyncio.gather(*jobs)
        assert shop.load() == 0
        shop.close()

    asyncio.run(flood())


def test_clients_take_turns() -> None:
    async def queue() -> list[str]:
        shop, order = Workshop(workers=1), list[str]()

        async def ask(client: str) -> None:
            await shop.run(client, 20, chores.pid)
            order.append(client)

        await asyncio.gather(*map(ask, ["greedy"] * 4 + ["modest"]))
        shop.close()
        return order

    assert asyncio.run(queue()).index("modest") <= 2


def test_much_long_work_of_one_client_holds_up_neither_the_short_nor_the_long_work_of_another(shop: Workshop) -> None:
    """One asks for eight long pieces: what another asks for is done first, nobody is refused."""

    async def crowd() -> tuple[float, float, list[float]]:
        burn = functools.partial(chores.burn, 0.5)
        jobs = [asyncio.ensure_future(shop.run("greedy", 60, burn, "burn")) for _ in range(8)]
        await asyncio.sleep(1.0)
        start = time.perf_counter()
        for _ in range(5):
            await shop.run("modest", 20, chores.pid, "pid")
        short = time.perf_counter() - start
        await shop.run("modest", 60, burn, "burn")
        done = sum(job.done() for job in jobs)
        return short, done, await asyncio.gather(*jobs)

    short, done, ends = asyncio.run(crowd())
    assert short < 2.0
    assert done < 6
    assert ends == [0.5] * 8
    assert shop.load() == 0


def test_waiting_is_not_working() -> None:
    """A machine that is busy with something else makes no work long: what sleeps keeps its quick place."""

    async def doze() -> int:
        shop = Workshop(workers=2, quick_seconds=0.1)
        nap = functools.partial(chores.nap, 0.5)
        jobs = [asyncio.ensure_future(shop.run("me", 20, nap, "nap")) for _ in range(4)]
        await asyncio.sleep(0.8)
        long = len(shop._long)
        await asyncio.gather(*jobs)
        shop.close()
        return long

    assert asyncio.run(doze()) == 0


def test_one_client_never_has_all_long_places(shop: Workshop) -> None:
    async def crowd() -> set[int]:
        burn = functools.partial(chores.burn, 0.5)
        jobs = [asyncio.ensure_future(shop.run("greedy", 60, burn, "burn")) for _ in range(5)]
        seen = set()
        while not all(job.done() for job in jobs):
            seen.add(len(shop._long))
            await asyncio.sleep(0.02)
        return seen

    assert max(asyncio.run(crowd())) == LONG_PLACES - 1
