"""Fifty clients at once: every request is answered, and the server does not grow.

Each client has its own cookie, opens pages over HTTP, holds their web socket open for a while as a browser does, and
asks the API in between. `make verify` runs it for two minutes, CI for a shorter time.
"""

import asyncio
import random
import re
import statistics
import time
import uuid
from pathlib import Path

import httpx
import pytest
import socketio

from tests.scale import count
from tests.web.conftest import Server

pytestmark = pytest.mark.ci

CLIENTS = 50
SECONDS = count(fast=10, ci=30, verify=120)
WARM_UP = count(fast=5, ci=12, verify=40)
"""Seconds until caches, models and threads are there."""
MOST_GROWTH = 1.15
"""The server's memory at the end against that after the warm-up: a model may be loaded late."""
MOST_LEAK = 1.04
"""The lesser of its growths in the two halves: what is loaded once is in one of them, a leak in both."""
PAGES = (
    "/",
    "/play",
    "/play?game=holdem",
    "/solve",
    "/solve/level/5",
    "/analyse?game=guandan",
    "/replay",
    "/styles",
    "/rules",
)
LEAD = {"seat": "landlord", "hand": "3344556677889TJQKA2D", "bottom": "33D", "history": []}
ASKED = (
    ("/api/v1/legal", {"game": "doudizhu", "position": LEAD}),
    ("/api/v1/decide", {"game": "doudizhu", "agent": "greedy", "position": LEAD}),
    ("/api/v1/solve", {"landlord": "4667788QK2", "farmer": "334455QK2"}),
    ("/api/v1/equity", {"players": ["AhKd", "QQ+,AK"], "samples": 2000}),
)


def memory(pid: int) -> float:
    """Resident mebibytes of a process."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


class Visitor:
    """One client, until the time is over."""

    def __init__(self, url: str, seed: int, end: float) -> None:
        self.url, self.rng, self.end = url, random.Random(seed), end
        self.done = 0
        self.faults: list[str] = []

    async def visit(self) -> None:
        await asyncio.sleep(self.rng.random() * 3)
        async with httpx.AsyncClient(base_url=self.url, timeout=60) as http:
            while time.monotonic() < self.end:
                await self._page(http, self.rng.choice(PAGES))
                for _ in range(2):
                    path, body = self.rng.choice(ASKED)
                    self._note(path, await http.post(path, json=body))

    async def _page(self, http: httpx.AsyncClient, path: str) -> None:
        answer = await http.get(path)
        self._note(path, answer)
        found = re.search(r"'client_id': '([0-9a-f-]+)'", answer.text)
        if found is None:
            self.faults.append(f"{path}: no page")
            return
        query = {"implicit_handshake": "true", "client_id": found[1], "tab_id": str(uuid.uuid4()),
                 "document_id": str(uuid.uuid4()), "next_message_id": "0"}  # fmt: skip
        address = str(httpx.URL(self.url, params=query))
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        async with socketio.AsyncSimpleClient() as socket:
            await socket.connect(address, headers={"Cookie": cookie}, transports=["websocket"],
                                 socketio_path="/_nicegui_ws/socket.io", wait_timeout=60,)  # fmt: skip
            await asyncio.sleep(0.5 + self.rng.random())

    def _note(self, path: str, answer: httpx.Response) -> None:
        self.done += 1
        if answer.status_code != 200:
            self.faults.append(f"{path}: {answer.status_code} {answer.text[:200]}")


async def crowd(server: Server) -> tuple[list[Visitor], list[tuple[float, float]]]:
    """All visitors, and the server's memory as time went on."""
    start = time.monotonic()
    visitors = [Visitor(server.url, seed, start + SECONDS) for seed in range(CLIENTS)]
    visits = [asyncio.create_task(visitor.visit()) for visitor in visitors]
    course = []
    while time.monotonic() < start + SECONDS:
        await asyncio.sleep(0.5)
        course.append((time.monotonic() - start, memory(server.process.pid)))
    await asyncio.gather(*visits)
    return visitors, course


def test_fifty_clients_at_once(server: Server) -> None:
    visitors, course = asyncio.run(crowd(server))
    faults = [fault for visitor in visitors for fault in visitor.faults]
    assert not faults, faults[:5]
    assert all(visitor.done >= 3 for visitor in visitors), "everybody is served"
    late = [used for at, used in course if at > WARM_UP]
    third = len(late) // 3
    first, middle, last = (statistics.median(late[i * third : (i + 1) * third]) for i in range(3))
    print(f"{sum(v.done for v in visitors)} requests in {SECONDS} s, memory {first:.0f} to {last:.0f} MiB")
    grew = f"memory grew from {first:.0f} over {middle:.0f} to {last:.0f} MiB"
    assert last <= MOST_GROWTH * first, grew
    assert min(middle / first, last / middle) <= MOST_LEAK, grew
