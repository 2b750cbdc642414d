"""`mingpai records`: games as data. Import, export, list, show, verify."""

import json
from pathlib import Path
from typing import Annotated

import typer

from mingpai.agents.catalogue import REGISTRY
from mingpai.cli.convert import convert
from mingpai.cli.output import AsJson, console, print_json, say_error, show
from mingpai.cli.paper003 import paper003
from mingpai.cli.rawlog import clean, raw, simulate
from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.records.record import Record

app = typer.Typer(help="Games as data: JSON Lines files and a DuckDB store.", no_args_is_help=True)

StorePath = Annotated[Path, typer.Option("--store", envvar="MINGPAI_STORE", help="The DuckDB file.")]
GameFilter = Annotated[str, typer.Option("--game", help="Only this game.")]
PlayerFilter = Annotated[str, typer.Option("--player", help="Only games with this player.")]
Where = Annotated[str, typer.Option(help="A SQL condition on the table: key, game, rules, players, points, void, ...")]

DEFAULT_STORE = Path("records.duckdb")


@app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="JSON Lines files.")],
    store: StorePath = DEFAULT_STORE,
    verify: Annotated[bool, typer.Option(help="Replay each game and leave out those that break the rules.")] = True,
    as_json: AsJson = False,
) -> None:
    """Add games to the store. Bad lines are counted and named, and do not stop it; no game is added twice."""
    from mingpai.records.store import Store

    with Store(store) as opened:
        reports = {str(path): opened.import_file(path, REGISTRY.game if verify else None) for path in files}
    if as_json:
        print_json({path: report.to_json() for path, report in reports.items()})
        return
    show(f"Imported into {store}", ("file", "lines", "good", "added", "bad"), [
        (path, report.read, report.good, report.added, report.bad) for path, report in reports.items()
    ])  # fmt: skip
    for path, report in reports.items():
        for line in report.errors:
            console.print(f"{path}, {line}", markup=False)


app.command("convert")(convert)
app.command("paper003")(paper003)
app.command("simulate")(simulate)
app.command("raw")(raw)
app.command("clean")(clean)


@app.command()
def export(
    out: Annotated[Path, typer.Argument(help="OUT.jsonl, OUT.parquet or OUT.npz (features and masks, in shards).")],
    store: StorePath = DEFAULT_STORE,
    game: GameFilter = "",
    player: PlayerFilter = "",
    where: Where = "",
    as_json: AsJson = False,
) -> None:
    """Write games to a file; the ending chooses the format."""
    from mingpai.records.store import Store

    condition, values = _condition(game, player, where)
    with Store(store, read_only=True) as opened:
        if out.suffix == ".jsonl":
            written, unit = opened.export_jsonl(out, condition, values), "games"
        elif out.suffix == ".parquet":
            written, unit = opened.export_parquet(out, condition, values), "games"
        elif out.suffix == ".npz":
            from mingpai.records.features import export_npz, features_of

            if not game:
                raise BadSetting("--game", game, "the game whose features are written")
            records = opened.records(condition, values)
            written, unit = export_npz(records, REGISTRY.game(game), features_of(game), out), "positions"
        else:
            raise BadSetting("file", str(out), "a name that ends in .jsonl, .parquet or .npz")
    if as_json:
        print_json({"file": str(out), unit: written})
    else:
        console.print(f"{written} {unit} written to {out}")


@app.command("list")
def list_(
    store: StorePath = DEFAULT_STORE,
    game: GameFilter = "",
    player: PlayerFilter = "",
    where: Where = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many games.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List games of the store."""
    from mingpai.records.store import Store

    condition, values = _condition(game, player, where)
    names = ("key", "game", "rules", "players", "seats", "points", "events", "void")
    with Store(store, read_only=True) as opened:
        total = opened.count(condition, values)
        sql = f"SELECT {', '.join(names)} FROM records WHERE {condition} ORDER BY number LIMIT {limit}"
        rows = list(opened.query(sql, values))
    if as_json:
        print_json({"total": total, "records": [dict(zip(names, row, strict=True)) for row in rows]})
        return
    show(f"{len(rows)} of {total} games", ("key", "game", "rules", "who", "points", "events", "void"), [
        (key, name, rules, ", ".join(f"{seat}: {who}" for seat, who in zip(seats, players, strict=True)),
         "" if points is None else " ".join(f"{p:+g}" for p in points), events, void or "")
        for key, name, rules, players, seats, points, events, void in rows
    ])  # fmt: skip


@app.command("show")
def show_(
    which: Annotated[str, typer.Argument(metavar="KEY|FILE[:LINE]", help="Start of a key in the store, or a file.")],
    store: StorePath = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Show one game, event by event."""
    record = find_record(which, store)
    if as_json:
        print(record.dumps())
        return
    console.print(f"[bold]{record.game}[/bold] ({record.rules}), key {record.key}, seed {record.seed}")
    if record.setup or record.tags:
        console.print(f"setup {json.dumps(dict(record.setup))}, tags {json.dumps(dict(record.tags))}", markup=False)
    names = [f"{seat} ({who})" for seat, who in zip(record.seats, record.players, strict=True)]
    show("Events", ("number", "what", "who", "text"), [
        (number, event.kind + (" (hidden)" if event.private else ""),
         "" if event.seat is None else names[event.seat], event.text)
        for number, event in enumerate(record.events)
    ])  # fmt: skip
    if record.void is not None:
        console.print(f"void: {record.void}", markup=False)
    elif record.points is not None:
        show("Result", ("who", "points", "won"), [
            (name, f"{points:+g}", "yes" if seat in record.winners else "")
            for seat, (name, points) in enumerate(zip(names, record.points, strict=True))
        ])  # fmt: skip


@app.command()
def verify(
    files: Annotated[list[Path] | None, typer.Argument(help="JSON Lines files; none means the store.")] = None,
    store: StorePath = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Replay every game by the rules. Exit code 1 if one of them does not hold."""
    from mingpai.records.jsonl import GoodLine, read_lines
    from mingpai.records.store import Report, Store, checked

    reports = {str(path): Report() for path in files or [store]}
    for file in files or ():
        for _ in checked(read_lines(file), reports[str(file)], REGISTRY.game):
            pass
    if not files:
        with Store(store, read_only=True) as opened:
            numbered = (GoodLine(number, record) for number, record in enumerate(opened.records(), start=1))
            for _ in checked(numbered, reports[str(store)], REGISTRY.game):
                pass
    if as_json:
        print_json({path: report.to_json() for path, report in reports.items()})
    else:
        rows = [(path, report.read, report.good, report.bad) for path, report in reports.items()]
        show("Verified by replay", ("file", "games", "good", "bad"), rows)
        for path, report in reports.items():
            for line in report.errors:
                say_error(MingpaiError(f"{path}, {line}"))
    if any(report.bad for report in reports.values()):
        raise typer.Exit(1)


def find_record(which: str, store: Path) -> Record:
    """A record by the start of its key in the store, or by FILE[:LINE]."""
    from mingpai.records.jsonl import BadLine, read_lines
    from mingpai.records.store import Store

    name, _, number = which.rpartition(":")
    path, line = (Path(name), int(number)) if name and number.isdigit() else (Path(which), 1)
    if not path.is_file():
        if path.suffix == ".jsonl":
            raise MingpaiError(f"no such file: {path}")
        with Store(store, read_only=True) as opened:
            return opened.find(which)
    for read in read_lines(path):
        if read.number == line:
            if isinstance(read, BadLine):
                raise MingpaiError(f"{path}, {read}")
            return read.record
    raise MingpaiError(f"{path} has no line {line}")


def _condition(game: str, player: str, where: str) -> tuple[str, list[object]]:
    parts: list[str] = []
    values: list[object] = []
    if game:
        parts, values = [*parts, "game = ?"], [*values, game]
    if player:
        parts, values = [*parts, "list_contains(players, ?)"], [*values, player]
    if where:
        parts.append(f"({where})")
    return " AND ".join(parts) or "TRUE", values


@app.command()
def styles(
    file: Annotated[Path, typer.Argument(help="Hold'em hands: .phh, .phhs, an ACPC log or a PokerStars text.")],
    least: Annotated[int, typer.Option(min=1, help="Only players with so many hands.")] = 1,
    as_json: AsJson = False,
) -> None:
    """VPIP, PFR, AF and WTSD of every player of poker hands."""
    from mingpai.records.poker import read_hands
    from mingpai.records.styles import style_statistics

    players = {name: item for name, item in style_statistics(read_hands(file)).items() if item.hands >= least}
    if as_json:
        print_json({name: item.to_json() for name, item in players.items()})
        return
    rows = [(name, item.hands, _percent(item.vpip), _percent(item.pfr), "-" if item.af is None else f"{item.af:.2f}",
             _percent(item.wtsd), f"{100 * item.won / item.hands:+.1f}")
            for name, item in sorted(players.items(), key=lambda pair: -pair[1].hands)]  # fmt: skip
    show(f"Styles in {file.name}", ("player", "hands", "VPIP", "PFR", "AF", "WTSD", "bb/100"), rows)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"
