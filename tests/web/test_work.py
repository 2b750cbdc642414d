import asyncio
import threading

import pytest

from mingpai.web.work import Busy, Late, Workshop


def test_work_is_done_in_a_thread() -> None:
    name = asyncio.run(Workshop().run("me", 5, lambda: threading.current_thread().name))
    assert name.startswith("mingpai-work")


def test_a_client_with_too_much_waiting_is_told_so() -> None:
    async def flood() -> None:
        shop, gate = Workshop(threads=1, per_client=2), threading.Event()
        jobs = [asyncio.ensure_future(shop.run("me", 5, gate.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await shop.run("me", 5, lambda: True)
        other = asyncio.ensure_future(shop.run("you", 5, lambda: True))
        gate.set()
        assert await other
        await asyncio.gather(*jobs)
        assert shop.load() == 0

    asyncio.run(flood())


def test_late_work_is_given_up_and_its_place_freed() -> None:
    async def wait() -> None:
        shop, gate = Workshop(threads=1), threading.Event()
        with pytest.raises(Late):
            await shop.run("me", 0.05, gate.wait)
        gate.set()
        await asyncio.sleep(0.1)
        assert shop.load() == 0

    asyncio.run(wait())


def test_clients_take_turns() -> None:
    async def queue() -> list[str]:
        shop, gate, order = Workshop(threads=1), threading.Event(), list[str]()
        first = asyncio.ensure_future(shop.run("greedy", 5, gate.wait))
        await asyncio.sleep(0)
        jobs = [asyncio.ensure_future(shop.run("greedy", 5, lambda: order.append("greedy"))) for _ in range(3)]
        jobs.append(asyncio.ensure_future(shop.run("modest", 5, lambda: order.append("modest"))))
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, *jobs)
        return order

    assert asyncio.run(queue()).index("modest") <= 1


def test_work_of_a_client_who_left_is_stopped_and_what_waits_is_dropped() -> None:
    async def leave() -> None:
        shop, stop, done = Workshop(threads=1), threading.Event(), list[int]()
        running = asyncio.ensure_future(shop.run("me", 5, stop.wait, stop.set))
        waiting = asyncio.ensure_future(shop.run("me", 5, lambda: done.append(1)))
        await asyncio.sleep(0.05)
        for job in (waiting, running):
            job.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)
        await asyncio.sleep(0.1)
        assert stop.is_set()
        assert not done
        assert shop.load() == 0

    asyncio.run(leave())
