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
