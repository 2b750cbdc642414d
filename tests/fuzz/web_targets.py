"""Every route of the API, asked through the application itself: anything but a server error is an answer.

The work is done at once instead of in a worker process, for what is looked for is what the tasks do with their input.
"""

import asyncio
import functools
import json
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI

from mingpai.web import api, tasks
from tests.fuzz.targets import Run, loop, target

SOLVE_SECONDS = 0.05
MOST_SAMPLES = 2000
ROUTES = {"legal": 50_000, "decide": 50_000, "solve": 5_000, "equity": 20_000, "read": 3_000, "style": 30_000,
          "style/bidding": 5_000, "verify": 10_000}  # fmt: skip
"""Paths that take a body, and their inputs in `make verify`."""


class AtOnce:
    """The workshop without its workers."""

    async def run(self, client: str, seconds: float, task: Callable[[], Any], kind: str = "") -> Any:
        return task()


def shortened(task: Callable[..., Any], **bounds: float) -> Callable[..., Any]:
    """A task with less time than a request may ask for."""

    @functools.wraps(task)
    def run(asked: dict[str, Any]) -> Any:
        return task(asked | {name: min(bound, asked[name]) for name, bound in bounds.items()})

    return run


def fewer_samples(task: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(task)
    def run(players: Any, board: str, dead: str, samples: int, seed: int) -> Any:
        return task(players, board, dead, min(samples, MOST_SAMPLES), seed)

    return run


@functools.cache
def app() -> FastAPI:
    """The API with its work done here. Only a process that fuzzes calls this."""
    setattr(api, "WORKSHOP", AtOnce())  # noqa: B010
    tasks.api_solve = shortened(tasks.api_solve, seconds=SOLVE_SECONDS)
    tasks.api_equity = fewer_samples(tasks.api_equity)
    made = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    api.install(made)
    return made


class ServerError(Exception):
    """The application answered with a status of 500 or more."""


async def ask(method: str, path: str, query: bytes, body: bytes) -> int:
    """The status of the answer."""
    status: list[int] = []
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
             "raw_path": path.encode("utf-8", "replace"), "query_string": query, "root_path": "", "scheme": "http",
             "headers": [(b"content-type", b"application/json"), (b"host", b"localhost")],
             "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}  # fmt: skip
    parts: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        return parts.pop() if parts else await asyncio.Future()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            status.append(message["status"])

    await app()(scope, receive, send)
    if status[0] >= 500:
        raise ServerError(f"{method} {path}: {status[0]}")
    return status[0]


def body_reader(route: str) -> Run:
    def run(raw: bytes) -> object:
        return loop().run_until_complete(ask("POST", f"/api/v1/{route}", b"", raw))

    return run


for route, most in ROUTES.items():
    target(f"api-{route.replace('/', '-')}", most)(body_reader(route))


@target("api-get", 50_000)
def paths(raw: bytes) -> object:
    """Routes without a body: the path and the query."""
    path, _, query = raw.partition(b"?")
    return loop().run_until_complete(ask("GET", "/api/v1/" + path.decode("utf-8", "replace"), query, b""))


@target("program", 20_000)
def program(raw: bytes) -> object:
    """What another program answers to a position."""
    from mingpai.agents.program import ProgramAgent, ProgramSettings
    from tests.fuzz.targets import table

    class Told(ProgramAgent):
        def _started(self) -> Any:
            self._answers.put(raw.decode("utf-8", "replace").partition("\n")[0])
            return _Program

    state = table("doudizhu")
    assert state.to_move is not None
    agent = Told(ProgramSettings(command="x"), game="doudizhu", spec="exec:x")
    return json.dumps(str(agent.decide(state.view(state.to_move)).move))


class _Program:
    """A process that takes every line."""

    class stdin:  # noqa: N801
        @staticmethod
        def write(line: str) -> None: ...

        @staticmethod
        def flush() -> None: ...
