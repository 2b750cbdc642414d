"""The JSON API beside the app, version 1: the same errors and the same Decision as the command line."""

import asyncio
import functools
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Body, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from nicegui import app as nicegui_app
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

import mingpai
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import Ambiguous, BadlyWritten, BadSetting, IllegalHere, MingpaiError
from mingpai.methods.handreading.agent import Reading
from mingpai.records.record import Record
from mingpai.web import tasks
from mingpai.web.doors import LOOPBACK
from mingpai.web.games import kept
from mingpai.web.home import home
from mingpai.web.limits import MAX_BODY, MAX_SECONDS, check, offered
from mingpai.web.uploads import MAX_RECORDS
from mingpai.web.work import WORKSHOP, Busy, Late

router = APIRouter(prefix="/api/v1", tags=["mingpai"])

T = TypeVar("T")
LOG = logging.getLogger("mingpai.web")
DOCS = Path(__file__).with_name("docs.html")
DECISION: dict[str, Any] = json.loads((Path(mingpai.__file__).parent / "core" / "decision.schema.json").read_text())
"""The schema of a Decision, the same everywhere."""
MOST_LISTED = 200
NOBODY = "-"

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


class ReadAsked(Asked):
    hand: str = Field(max_length=200_000, description="A hold'em hand: PHH, ACPC, PokerStars or a record.")
    seat: int = Field(ge=1, le=10, description="Whose view: 1 is the small blind, as PHH counts.")
    number: int = Field(1, ge=1, le=100_000, description="Which hand of several, from 1.")
    reading: Reading = "fitted"


class StyleAsked(Asked):
    log: str = Field(max_length=MAX_BODY, description="Hold'em hands: PHH, ACPC, PokerStars or records.")
    least: int = Field(1, ge=1, description="Only players with so many hands.")


class BiddingAsked(Asked):
    log: str = Field(max_length=MAX_BODY, description="Dou Dizhu with bidding: records, or the raw format.")


class VerifyAsked(Asked):
    records: str = Field(max_length=MAX_BODY, description="JSON Lines: one record per line.")


class Moments(BaseModel):
    """Each decision of a seat: what the others may hold, and what FOLD would do."""

    seat: int
    moments: list[dict[str, Any]]


class Style(BaseModel):
    """How one player bets; rates are null where nothing was counted."""

    hands: int
    vpip: float | None
    pfr: float | None
    af: float | None
    wtsd: float | None
    bb_per_100: float | None


class BiddingTable(BaseModel):
    """Over-rating mu and deviation sigma of each player: as `mingpai style --json`."""

    records: int
    malformed: dict[str, Any]
    model: str
    players: list[dict[str, Any]]


class RecordLine(BaseModel):
    """A stored game in short."""

    key: str
    game: str
    rules: str
    players: list[str]
    seats: list[str]
    points: list[float] | None
    events: int
    void: str | None


class RecordList(BaseModel):
    total: int
    records: list[RecordLine]


class Verified(BaseModel):
    """What replaying the records found: as `mingpai records verify --json`."""

    read: int
    good: int
    added: int
    bad: int
    errors: list[dict[str, Any]]


PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem, "description": description}
    for code, description in ((400, "badly written, illegal here, ambiguous or an unknown name"), (413, "too large"),
                              (422, "not the documented form"), (429, "too much work waiting"), (504, "too slow"))
}  # fmt: skip


def client_of(request: Request) -> str:
    """Who is asking, for fair shares of the work."""
    return f"api:{request.client.host if request.client else 'unknown'}"


def whose(request: Request) -> str | None:
    """Whose games may be listed: on this machine all (None), from elsewhere those of the browser that asks."""
    if request.client is None or request.client.host in LOOPBACK:
        return None
    return str(nicegui_app.storage.user.get("who", NOBODY))


async def bounded(request: Request, kind: str, task: Callable[..., T], *args: Any) -> T:
    """The result of a task, done in a worker process that is killed when the client leaves."""
    job = asyncio.ensure_future(
        WORKSHOP.run(client_of(request), MAX_SECONDS, functools.partial(task, *args), f"{task.__name__} {kind}")
    )
    try:
        while not job.done():
            await asyncio.wait({job}, timeout=0.25)
            if not job.done() and await request.is_disconnected():
                job.cancel()
        return await job
    finally:
        job.cancel()


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
    return {"moves": await bounded(request, asked.game, tasks.api_legal, asked.game, asked.position)}


DECIDED: dict[int | str, dict[str, Any]] = {
    **PROBLEMS,
    200: {"description": "A Decision.", "content": {"application/json": {"schema": DECISION}}},
}


@router.post("/decide", responses=DECIDED)
async def decide(request: Request, asked: Annotated[DecideAsked, Body()]) -> dict[str, Any]:
    """What an agent would play in a position, and why: a Decision."""
    check(asked.game, asked.agent)
    kind = f"{asked.game} {asked.agent.partition(':')[0]}"
    return await bounded(request, kind, tasks.api_decide, asked.game, asked.position, asked.agent, asked.seed or 0)


@router.post("/solve", responses=PROBLEMS)
async def solve_endgame(request: Request, asked: Annotated[SolveAsked, Body()]) -> dict[str, Any]:
    """A Dou Dizhu endgame with open cards, proved."""
    cards = sum(len(hand or "") for hand in (asked.landlord, asked.farmer, asked.down, asked.up))
    return await bounded(request, str(cards), tasks.api_solve, asked.model_dump())


@router.post("/equity", responses=PROBLEMS)
async def hold_em_equity(request: Request, asked: Annotated[EquityAsked, Body()]) -> dict[str, Any]:
    """Shares of the pot of two to ten hold'em players."""
    kind = f"{len(asked.players)} {asked.samples.bit_length()}"
    given = (asked.players, asked.board, asked.dead, asked.samples, asked.seed or 0)
    return await bounded(request, kind, tasks.api_equity, *given)


@router.post("/read", responses=PROBLEMS)
async def read_hand(request: Request, asked: Annotated[ReadAsked, Body()]) -> Moments:
    """What the others hold in a recorded hold'em hand, street by street."""
    given = (asked.hand, asked.number, asked.seat - 1, asked.reading)
    return Moments(seat=asked.seat, moments=await bounded(request, "", tasks.api_read, *given))


@router.post("/style", responses=PROBLEMS)
async def style(request: Request, asked: Annotated[StyleAsked, Body()]) -> dict[str, Style]:
    """VPIP, PFR, AF and WTSD of every player of hold'em hands."""
    players = await bounded(request, str(len(asked.log).bit_length()), tasks.api_style, asked.log, asked.least)
    return {name: Style.model_validate(own) for name, own in players.items()}


@router.post("/style/bidding", responses=PROBLEMS)
async def bidding_style(request: Request, asked: Annotated[BiddingAsked, Body()]) -> BiddingTable:
    """How far the bids of each player of Dou Dizhu lie from the benchmark's."""
    table = await bounded(request, str(len(asked.log).bit_length()), tasks.api_bidding, asked.log)
    return BiddingTable.model_validate(table)


@router.get("/records", responses=PROBLEMS)
async def list_records(
    request: Request, game: Game | None = None, limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 20
) -> RecordList:
    """The games that were played in the app, the newest first."""
    records = await bounded(request, "", kept, MOST_LISTED, game or "", whose(request), home())
    return RecordList(total=len(records), records=[_line(record) for record in records[:limit]])


@router.get("/records/{key}", responses={**PROBLEMS, 404: {"model": Problem, "description": "no such record"}})
async def show_record(request: Request, key: str) -> Response:
    """One stored game, whole."""
    records = await bounded(request, "", kept, MAX_RECORDS, "", whose(request), home())
    record = next((record for record in records if record.key == key), None)
    if record is None:
        return JSONResponse(Problem(kind="BadSetting", message="no record has that key").model_dump(), status_code=404)
    return JSONResponse(record.to_json())


@router.post("/verify", responses=PROBLEMS)
async def verify_records(request: Request, asked: Annotated[VerifyAsked, Body()]) -> Verified:
    """Replay records by the rules: how many hold, and what is wrong with the others."""
    report = await bounded(request, str(len(asked.records).bit_length()), tasks.api_verify, asked.records)
    return Verified.model_validate(report)


def _line(record: Record) -> RecordLine:
    about = record.to_json() | {"key": record.key, "events": len(record.events)}
    return RecordLine.model_validate({name: about[name] for name in RecordLine.model_fields})


def install(app: FastAPI) -> None:
    """Add the API, its description and its error answers to the app."""
    app.include_router(router)
    app.add_exception_handler(MingpaiError, _say)
    app.add_exception_handler(RequestValidationError, _say_form)
    app.add_exception_handler(HTTPException, _say_refusal)
    app.add_exception_handler(Exception, _say_failure)
    app.add_api_route("/openapi.json", _description, include_in_schema=False)
    app.add_api_route("/docs", _docs, include_in_schema=False)


def description() -> dict[str, Any]:
    """The API in OpenAPI's words."""
    return get_openapi(title="Mingpai", version=f"v1 ({mingpai.__version__})", routes=router.routes,
                       description="Dou Dizhu, Guandan and hold'em: decide, legal moves, solve, equity, read, style, "
                                   "records. Errors have a kind and a message.")  # fmt: skip


def _description() -> JSONResponse:
    return JSONResponse(description())


def _docs() -> HTMLResponse:
    return HTMLResponse(DOCS.read_text(encoding="utf-8"))


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


async def _say_refusal(request: Request, error: Exception) -> Response:
    """What the framework refuses: a body that is no JSON, an unknown method."""
    assert isinstance(error, HTTPException)
    body = Problem(kind="BadlyWritten", message=str(error.detail))
    return JSONResponse(body.model_dump(), status_code=error.status_code, headers=error.headers)


async def _say_failure(request: Request, error: Exception) -> Response:
    LOG.exception("a request failed", exc_info=error)
    words = "the server failed at this request; its log says why"
    if not request.url.path.startswith("/api/"):
        return PlainTextResponse(words, status_code=500)
    return JSONResponse(Problem(kind="Error", message=words).model_dump(), status_code=500)
