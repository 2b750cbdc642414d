"""The JSON API beside the app, version 1: the same errors and the same Decision as the command line."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

import mingpai
from mingpai import api
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import Ambiguous, BadlyWritten, BadSetting, IllegalHere, MingpaiError
from mingpai.games.holdem.equity import equity
from mingpai.methods.endgame.solver import solve
from mingpai.web.limits import MAX_BODY, MAX_SECONDS, hire, offered
from mingpai.web.work import WORKSHOP, Busy, Late

router = APIRouter(prefix="/api/v1", tags=["mingpai"])

Game = Literal["doudizhu", "guandan", "holdem"]
Seed = Annotated[int | None, Field(ge=0, lt=2**63)]


class Asked(BaseModel):
    """A request: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """What was wrong, where, and what was expected."""

    kind: str
    message: str


class PositionAsked(Asked):
    game: Game
    position: dict[str, Any] = Field(description="A position object of the line protocol.")


class DecideAsked(PositionAsked):
    agent: str = Field(max_length=200, examples=["random"])
    seed: Seed = None


class SolveAsked(Asked):
    landlord: str = Field(max_length=60, examples=["4667788QK2"])
    farmer: str | None = Field(None, max_length=60, examples=["334455QK2"], description="Two players.")
    down: str | None = Field(None, max_length=60, description="Three players: the seat after the landlord.")
    up: str | None = Field(None, max_length=60, description="Three players: the seat before the landlord.")
    turn: Literal["landlord", "farmer", "down", "up"] = "landlord"
    last: str = Field("", max_length=60, description="The move to beat; empty to lead.")
    by: Literal["", "landlord", "farmer", "down", "up"] = Field("", description="Who made it.")
    ban: list[Literal["31", "32", "421", "422"]] = Field([], max_length=4)
    rules: str = Field("douzero", max_length=20)
    all_moves: bool = False
    seconds: float = Field(5.0, gt=0, le=15)


class EquityAsked(Asked):
    players: list[Annotated[str, Field(max_length=2000)]] = Field(min_length=2, max_length=10)
    board: str = Field("", max_length=20)
    dead: str = Field("", max_length=104)
    samples: int = Field(100_000, ge=100, le=2_000_000)
    seed: Seed = None


PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem, "description": description}
    for code, description in ((400, "badly written, illegal here, ambiguous or an unknown name"), (413, "too large"),
                              (422, "not the documented form"), (429, "too much work waiting"), (504, "too slow"))
}  # fmt: skip


def client_of(request: Request) -> str:
    """Who is asking, for fair shares of the work."""
    return f"api:{request.client.host if request.client else 'unknown'}"


async def bounded(request: Request, work: Callable[[], Any]) -> Any:
    """The result of the work, dropped when the client leaves."""
    job = asyncio.ensure_future(WORKSHOP.run(client_of(request), MAX_SECONDS, work))
    while not job.done():
        await asyncio.wait({job}, timeout=0.25)
        if not job.done() and await request.is_disconnected():
            job.cancel()
    return await job


@router.get("/version")
def version() -> dict[str, str]:
    """The version of the program."""
    return {"mingpai": mingpai.__version__}


@router.get("/agents/{game}", responses=PROBLEMS)
def agents(game: Game) -> list[dict[str, str]]:
    """The agents of a game that may be asked here."""
    names = offered(game)
    return [{"name": e.name, "summary": e.summary} for e in REGISTRY.entries(game) if e.name in names]


@router.post("/legal", responses=PROBLEMS)
async def legal(request: Request, asked: Annotated[PositionAsked, Body()]) -> dict[str, list[str]]:
    """The legal moves of a position."""
    return {"moves": await bounded(request, lambda: api.legal_moves(asked.game, asked.position))}


@router.post("/decide", responses=PROBLEMS)
async def decide(request: Request, asked: Annotated[DecideAsked, Body()]) -> dict[str, Any]:
    """What an agent would play in a position, and why: a Decision."""
    agent = hire(asked.game, asked.agent, asked.seed or 0)
    made: dict[str, Any] = await bounded(request, lambda: api.decide(asked.game, asked.position, agent).to_json())
    return made


@router.post("/solve", responses=PROBLEMS)
async def solve_endgame(request: Request, asked: Annotated[SolveAsked, Body()]) -> dict[str, Any]:
    """A Dou Dizhu endgame with open cards, proved."""
    given = asked.model_dump()
    made: dict[str, Any] = await bounded(request, lambda: solve(**given).to_json())
    return made


@router.post("/equity", responses=PROBLEMS)
async def hold_em_equity(request: Request, asked: Annotated[EquityAsked, Body()]) -> dict[str, Any]:
    """Shares of the pot of two to ten hold'em players."""
    found: dict[str, Any] = await bounded(request, lambda: equity(
        asked.players, asked.board, asked.dead, samples=asked.samples, seed=asked.seed or 0).to_json())  # fmt: skip
    return found


def install(app: FastAPI) -> None:
    """Add the API, its error answers and the size limit to the app."""
    app.include_router(router)
    app.add_exception_handler(MingpaiError, _say)
    app.add_exception_handler(RequestValidationError, _say_form)
    app.middleware("http")(_refuse_large)


def problem(error: MingpaiError) -> tuple[int, Problem]:
    """Status code and body for an error."""
    status = 429 if isinstance(error, Busy) else 504 if isinstance(error, Late) else 400
    known = (BadlyWritten, IllegalHere, Ambiguous, BadSetting, Busy, Late)
    kind = next((k.__name__ for k in known if isinstance(error, k)), "Error")
    return status, Problem(kind=kind, message=str(error))


async def _say(request: Request, error: Exception) -> Response:
    assert isinstance(error, MingpaiError)
    status, body = problem(error)
    return JSONResponse(body.model_dump(), status_code=status)


async def _say_form(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return JSONResponse(Problem(kind="BadlyWritten", message=f"{where}: {first['msg']}").model_dump(), status_code=422)


async def _refuse_large(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
    if request.url.path.startswith("/api/") and request.method in ("POST", "PUT"):
        length = request.headers.get("content-length", "")
        if not length.isdigit() or int(length) > MAX_BODY:
            body = Problem(kind="TooLarge", message=f"a body of at most {MAX_BODY} bytes with its length is expected")
            return JSONResponse(body.model_dump(), status_code=413)
    return await go_on(request)
