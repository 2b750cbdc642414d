"""Everything that reads what other people write, as functions of bytes: a result, or a MingpaiError.

A target may return what it likes; any other exception, a crash, too much time or too much memory is a finding.
"""

import asyncio
import contextlib
import functools
import io
import json
import logging
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mingpai import api
from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import RunFolder
from mingpai.cli.agent import answer
from mingpai.core.agent import Agent
from mingpai.core.errors import MingpaiError
from mingpai.core.game import State
from mingpai.core.reading import read_json, read_mapping, read_object
from mingpai.games.doudizhu import notation as doudizhu_notation
from mingpai.games.guandan import notation as guandan_notation
from mingpai.games.holdem import notation as holdem_notation
from mingpai.games.holdem.equity import equity
from mingpai.games.holdem.ranges import Range
from mingpai.methods.bidding.clean import read_samples
from mingpai.methods.bidding.population import read_tempers
from mingpai.methods.bidding.raw import PAPER, LogFile, parse_line
from mingpai.methods.endgame import par, puzzles, solver, strategy
from mingpai.models.card import read_card
from mingpai.protocols import acpc, botzone_doudizhu, botzone_guandan, botzone_holdem, huawei, njupt_host
from mingpai.protocols.njupt_client import NjuptClient
from mingpai.records import jsonl, phh, pokerstars
from mingpai.records.acpc_log import AcpcGame, parse_acpc_state
from mingpai.records.handhistory import parse_phh, read_phh
from mingpai.records.poker import hands_in
from mingpai.records.record import Record
from mingpai.records.replay import replay
from mingpai.records.store import Store
from mingpai.training.run import TrainingRun
from mingpai.web import positions, uploads
from mingpai.web.logs import styles_in
from mingpai.web.table import Table

CORPUS = Path(__file__).parent.parent / "corpus"

Run = Callable[[bytes], object]


@dataclass(frozen=True)
class Target:
    """One reader of foreign input."""

    name: str
    """Also its folder in the corpus."""
    run: Run
    most: int
    """Inputs in `make verify`: a million where that takes a minute, else as many as take half a minute or so."""

    def seeds(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted((CORPUS / self.name).iterdir())]


TARGETS: dict[str, Target] = {}


def target(name: str, most: int = 10**6) -> Callable[[Run], Run]:
    """Registers a reader."""

    def register(run: Run) -> Run:
        TARGETS[name] = Target(name, run, most)
        return run

    return register


def text_of(raw: bytes) -> str:
    """As the command line and the streams decode: bytes that are no UTF-8 become halves of characters."""
    return raw.decode("utf-8", "surrogateescape")


def streamed(raw: bytes) -> str:
    """As standard input and sockets are decoded."""
    return raw.decode("utf-8", "replace")


@functools.cache
def scratch() -> Path:
    """A folder of this process for what is read from files."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="fuzz-", dir=memory if memory.is_dir() else None))


def file_with(name: str, raw: bytes) -> Path:
    path = scratch() / name
    path.write_bytes(raw)
    return path


# --- core


@target("core-json")
def core_json(raw: bytes) -> object:
    return read_json(raw)


def spec_reader(game: str) -> Run:
    def run(raw: bytes) -> object:
        return REGISTRY.agent(game, text_of(raw), is_stranger=True)

    return run


for each in REGISTRY.games():
    target(f"spec-{each}", 100_000)(spec_reader(each))


# --- positions, moves, decks: each game


@functools.cache
def table(game: str) -> State:
    """A position in the middle of a deal."""
    rules = REGISTRY.game(game)
    state = rules.deal(9, setup=rules.play_only or None)
    for _ in range(6 if game != "holdem" else 3):
        state.play(state.legal_moves()[:2][-1])
    assert state.to_move is not None
    return state


@functools.cache
def player(game: str) -> Agent[Any]:
    """A quick agent that looks at all of a position."""
    return REGISTRY.agent(game, {"doudizhu": "greedy", "guandan": "rule4", "holdem": "tag"}[game])


def game_readers(game: str) -> dict[str, Run]:
    rules = REGISTRY.game(game)

    def move(raw: bytes) -> object:
        return rules.parse_move(text_of(raw), table(game))

    def deck(raw: bytes) -> object:
        return rules.start(text_of(raw), "", rules.play_only or None)

    def view(raw: bytes) -> object:
        return api.legal_moves(game, streamed(raw))

    def line(raw: bytes) -> object:
        return json.loads(answer(player(game), streamed(raw)))

    def deal(raw: bytes) -> object:
        return rules.restore(read_object(raw))

    def match(raw: bytes) -> object:
        made = rules.match_from_json(read_object(raw))
        return None if made.is_over else made.next_deal()

    def setup(raw: bytes) -> object:
        asked = read_object(raw)
        made = rules.match(1, str(asked.get("rules", "")), read_mapping(asked.get("settings", {}), "settings"))
        return rules.deal(1, str(asked.get("rules", "")), read_mapping(asked.get("setup", {}), "setup")), made

    def record(raw: bytes) -> object:
        return replay(Record.loads(streamed(raw)), rules)

    def saved(raw: bytes) -> object:
        return Table.from_json(read_object(raw)).view

    return {"move": move, "deck": deck, "view": view, "line": line, "deal": deal, "match": match, "setup": setup,
            "record": record, "saved": saved}  # fmt: skip


INPUTS = {"move": 10**6, "deck": 300_000, "view": 300_000, "line": 50_000, "deal": 300_000, "match": 10**6,
          "setup": 10**6, "record": 100_000, "saved": 200_000}  # fmt: skip
for each in REGISTRY.games():
    for kind, reader in game_readers(each).items():
        target(f"{kind}-{each}", INPUTS[kind])(reader)


@target("notation-doudizhu")
def doudizhu_position(raw: bytes) -> object:
    text = text_of(raw)
    reader = doudizhu_notation.parse_game if "\n" in text else doudizhu_notation.parse_position
    return reader(text)


@target("notation-guandan")
def guandan_position(raw: bytes) -> object:
    return guandan_notation.parse_position(text_of(raw))


@target("notation-holdem")
def holdem_game(raw: bytes) -> object:
    return holdem_notation.parse_game(text_of(raw))


@target("range", 20_000)
def ranges(raw: bytes) -> object:
    return Range.parse(text_of(raw))


@target("equity", 100_000)
def equities(raw: bytes) -> object:
    players, board, *_ = (*text_of(raw).split("\n"), "", "")
    return equity(players.split(";"), board, samples=200)


@target("fields", 100_000)
def typed_fields(raw: bytes) -> object:
    """What somebody types into the form of a position."""
    asked = read_object(raw)
    game = str(asked.pop("game", "doudizhu"))
    like = json.loads(positions.example("holdem" if game == "holdem" else "doudizhu"))
    return positions.from_fields({key: str(value) for key, value in asked.items()}, like)


# --- files


@target("acpc-log")
def acpc_log(raw: bytes) -> object:
    return parse_acpc_state(streamed(raw), AcpcGame())


@target("acpc-log-line", 500_000)
def acpc_log_line(raw: bytes) -> object:
    return acpc.completed(acpc.read_log_line(streamed(raw), acpc.GameDefinition((20000, 20000), 50, 100))[0])


@target("phh", 100_000)
def phh_histories(raw: bytes) -> object:
    return list(parse_phh(streamed(raw)))


@target("phh-hands", 50_000)
def phh_hands(raw: bytes) -> object:
    text = streamed(raw)
    return list(phh.read_many(text)) if text.startswith("[") else phh.read(text).record()


@target("phh-gz", 50_000)
def phh_packed(raw: bytes) -> object:
    return list(read_phh(file_with("hand.phh.gz", raw)))


@target("pokerstars", 100_000)
def pokerstars_text(raw: bytes) -> object:
    return [pokerstars.read(part).record() for part in pokerstars.split_hands(streamed(raw))]


@target("hands", 50_000)
def any_hands(raw: bytes) -> object:
    return list(hands_in(streamed(raw)))


@target("upload", 5_000)
def upload(raw: bytes) -> object:
    return uploads.records_in(raw), uploads.poker_hands_in(raw)


@target("jsonl", 20_000)
def json_lines(raw: bytes) -> object:
    return list(jsonl.read_lines(file_with("games.jsonl", raw)))


@functools.cache
def store() -> Store:
    return Store(None)


@target("store", 2_000)
def stored(raw: bytes) -> object:
    """Into DuckDB and out again."""
    store().import_file(file_with("stored.jsonl", raw), REGISTRY.game)
    read = list(store().records())
    store().db.execute("DELETE FROM records")
    return read


@target("raw-log", 300_000)
def raw_log(raw: bytes) -> object:
    log = LogFile(file_with("raw.log", raw), PAPER)
    for _ in log.blocks():
        pass
    return parse_line(raw.rstrip(b"\n"), PAPER)


@target("bidding-log", 5_000)
def bidding_log(raw: bytes) -> object:
    return styles_in(raw).to_json()


@target("samples", 200_000)
def samples(raw: bytes) -> object:
    return read_samples(file_with("samples.csv", raw))


@target("tempers", 200_000)
def tempers(raw: bytes) -> object:
    return read_tempers(file_with("tempers.csv", raw))


@target("strategy")
def strategy_file(raw: bytes) -> object:
    return strategy.from_bytes(raw)


@target("library", 100_000)
def library(raw: bytes) -> object:
    return par.shares(par.read_library(file_with("library.jsonl", raw))[1])


@target("puzzle", 500_000)
def puzzle(raw: bytes) -> object:
    read = puzzles.Puzzle.from_json(read_object(raw))
    return read.position(), read.difficulty


@target("model-card", 50_000)
def model_card(raw: bytes) -> object:
    return read_card(file_with("card.toml", raw).parent)


@target("arena-run", 50_000)
def arena_run(raw: bytes) -> object:
    about, _, results = raw.partition(b"\n")
    folder = scratch() / "arena"
    (folder / "chunks").mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_bytes(about)
    (folder / "chunks" / "0.jsonl").write_bytes(results)
    kept = RunFolder(folder)
    return kept.plan(), kept.results()


@target("training-run", 2_000)
def training_run(raw: bytes) -> object:
    from tests.training.toy import LineSettings

    about, _, metrics = raw.partition(b"\n")
    folder = scratch() / "training"
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_bytes(about)
    (folder / "metrics.jsonl").write_bytes(metrics)
    run = TrainingRun(folder, "line", LineSettings())
    try:
        run.start(resume=True)
        return list(run.metrics())
    finally:
        run.close()


@target("solve", 300_000)
def solve(raw: bytes) -> object:
    asked = {name: str(value) for name, value in read_object(raw).items()}
    rules = solver.rules_with_bans(asked.get("rules", "douzero"), asked["ban"].split(",") if asked.get("ban") else ())
    hands = [asked.get(name) for name in ("farmer", "down", "up")]
    told = asked.get("turn", "landlord"), asked.get("last", ""), asked.get("by", "")
    return solver.read_position(asked.get("landlord", ""), hands[0], hands[1], hands[2], *told, rules)


# --- protocols


class Nowhere(io.StringIO):
    """Standard output that keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)


def botzone_reader(game: str, adapter: Any) -> Run:
    def run(raw: bytes) -> object:
        return adapter.serve(player(game), io.StringIO(streamed(raw)), Nowhere())

    return run


for each, module in (("doudizhu", botzone_doudizhu), ("guandan", botzone_guandan), ("holdem", botzone_holdem)):
    target(f"botzone-{each}", 50_000)(botzone_reader(each, module))


@target("acpc-game")
def acpc_game(raw: bytes) -> object:
    return acpc.GameDefinition.parse(text_of(raw)).text()


@functools.cache
def loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


@functools.cache
def acpc_client() -> acpc.AcpcClient:
    return acpc.AcpcClient(player("holdem"), acpc.GameDefinition((20000, 20000), 50, 100), limit=5)


@target("acpc-client", 20_000)
def acpc_lines(raw: bytes) -> object:
    async def hear() -> None:
        for line in streamed(raw).splitlines():
            with contextlib.suppress(MingpaiError):
                await acpc_client().answer(line)

    return loop().run_until_complete(hear())


@target("acpc-dealer", 2_000)
def acpc_dealer(raw: bytes) -> object:
    """What a client sends from the first byte on; the other seats never say a word."""
    return loop().run_until_complete(deal_to(raw))


class Wire:
    """The writing end of a client who does not listen."""

    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None: ...

    def close(self) -> None: ...


async def deal_to(raw: bytes) -> object:
    dealer = acpc.AcpcDealer(acpc.GameDefinition((2000, 2000), 50, 100), hands=2, limit=0.2)
    players = []
    for number, sent in enumerate((raw, b"")):
        reader = asyncio.StreamReader()
        reader.feed_data(sent)
        reader.feed_eof()
        players.append(acpc._Player(f"p{number}", reader=reader, writer=Wire()))  # type: ignore[arg-type]
    await dealer._play(players)
    return dealer.log


@target("acpc-answer")
def acpc_answer(raw: bytes) -> object:
    """One answer to the dealer, as its stream hands it on."""
    state = table("holdem")
    text = streamed(raw).strip()
    token = text if acpc._TOKEN.fullmatch(text) else None
    return state.view(0), acpc.legal_move(token, state)  # type: ignore[arg-type]


@target("huawei-answer")
def huawei_answer(raw: bytes) -> object:
    state = table("holdem").copy()
    state.play(huawei.parse_answer(streamed(raw).strip(), state))  # type: ignore[arg-type]
    return state


@target("huawei-client", 20_000)
def huawei_blocks(raw: bytes) -> object:
    async def hear() -> None:
        client, reader = huawei.HuaweiClient(player("holdem"), "1111", limit=5), huawei.BlockReader()
        try:
            for line in streamed(raw).split("\n"):
                if (block := reader.feed(line)) is not None:
                    await client.receive(block)
            await client.prompt.settle()
        finally:
            client.prompt._pool.shutdown(wait=True)

    return loop().run_until_complete(hear())


def njupt_reader(dialect: Any) -> Run:
    def run(raw: bytes) -> object:
        client = NjuptClient(player("guandan"), dialect=dialect)
        return [json.dumps(client.recv(line)) for line in raw.split(b"\n")]

    return run


def njupt_choice(dialect: Any) -> Run:
    made = njupt_host.HostedTable([], dialect=dialect)

    def run(raw: bytes) -> object:
        state = table("guandan")
        return made._choice(streamed(raw), njupt_host.njupt.in_order(state.legal_moves()), state.level)  # type: ignore[attr-defined]

    return run


def njupt_lobby(raw: bytes) -> object:
    async def ask() -> None:
        host = njupt_host.Host("openguandan")
        for line in streamed(raw).split("\n"):
            visitor = njupt_host.SocketPlayer(Deaf(), "player")
            visitor._inbox.put_nowait(line)
            visitor._inbox.put_nowait(None)
            await host._lobby(visitor)
        for task in tuple(host._tasks):
            task.cancel()

    return loop().run_until_complete(ask())


class Deaf:
    """A WebSocket that nobody reads."""

    async def send(self, text: str) -> None: ...


for dialect in ("v1006", "openguandan"):
    target(f"njupt-client-{dialect}", 10_000)(njupt_reader(dialect))
    target(f"njupt-host-{dialect}")(njupt_choice(dialect))
target("njupt-lobby", 200_000)(njupt_lobby)

logging.getLogger("mingpai").setLevel(logging.CRITICAL)
