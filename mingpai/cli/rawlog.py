"""`mingpai records simulate`, `raw` and `clean`: logs of a platform's format, made, imported and cleaned."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from mingpai.cli.output import AsJson, console, print_json, show
from mingpai.cli.style import JokerOption, SeatOption, convention_of
from mingpai.core.errors import BadSetting
from mingpai.methods.bidding.clean import ENOUGH_GAMES, GameStore, write_samples
from mingpai.methods.bidding.population import draw_players, write_tempers
from mingpai.methods.bidding.population import simulate as write_log
from mingpai.methods.bidding.raw import FAULTS, PAPER

StoreOption = Annotated[Path, typer.Option("--store", help="The DuckDB file of the raw games.")]
DEFAULT_STORE = Path("raw-games.duckdb")


def simulate(
    game: Annotated[str, typer.Argument(help="doudizhu: whole games with bidding.")],
    games: Annotated[int, typer.Option(min=1, help="Games to play.")] = 100_000,
    players: Annotated[int, typer.Option(min=3, help="Players of the population.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same log.")] = 1,
    out: Annotated[Path, typer.Option(help="The log.")] = Path("doudizhu.log"),
    tempers: Annotated[
        Path | None, typer.Option(help="The true tempers, for scoring only; by default OUT.tempers.csv.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="They change no result.")] = min(2, os.cpu_count() or 1),
    jokers: JokerOption = PAPER.jokers,
    seats: SeatOption = PAPER.seats,
    as_json: AsJson = False,
) -> None:
    """Games of a simulated population in the platform's raw format: half of them by scores, half by call and rob."""
    if game != "doudizhu":
        raise BadSetting("game", game, "doudizhu: the population bids")
    population = draw_players(players, seed)
    truth = tempers or out.with_name(out.name + ".tempers.csv")
    with _bar("games", games, as_json) as progress:
        write_log(
            out, games, population, seed, threads=threads, convention=convention_of(jokers, seats), progress=progress
        )
    write_tempers(truth, population)
    if as_json:
        print_json(
            {"games": games, "players": players, "log": str(out), "bytes": out.stat().st_size, "tempers": str(truth)}
        )
    else:
        console.print(f"{games} games of {players} players written to {out}; their tempers to {truth}", markup=False)


def raw(
    logs: Annotated[list[Path], typer.Argument(help="Raw logs.")],
    store: StoreOption = DEFAULT_STORE,
    jokers: JokerOption = PAPER.jokers,
    seats: SeatOption = PAPER.seats,
    as_json: AsJson = False,
) -> None:
    """Import raw logs into a store. Lines that are no records are counted by reason and do not stop it."""
    convention = convention_of(jokers, seats)
    with GameStore(store) as opened:
        reports = {}
        for log in logs:
            with _bar(f"records of {log.name}", None, as_json) as progress:
                reports[str(log)] = opened.import_log(log, convention, progress)
    if as_json:
        print_json({path: report.to_json() for path, report in reports.items()})
        return
    show(f"Imported into {store}", ("log", "lines", "records", "malformed"), [
        (path, report.lines, report.records, sum(count for count, _ in report.faults.values()))
        for path, report in reports.items()
    ])  # fmt: skip
    for path, report in reports.items():
        for name, (count, lines) in report.faults.items():
            first = ", ".join(map(str, lines))
            console.print(f"{path}: {count} lines, {FAULTS[name]['en']} (first: {first})", markup=False)


def clean(
    store: StoreOption = DEFAULT_STORE,
    out: Annotated[Path, typer.Option(help="Lines phase,bid value,hand,label.")] = Path("bidding-samples.csv"),
    enough: Annotated[int, typer.Option(min=1, help="Games that a strong player must have played.")] = ENOUGH_GAMES,
    most: Annotated[int | None, typer.Option(min=1, help="Keep so many samples, drawn at random.")] = None,
    seed: Annotated[int, typer.Option(help="Of the draw.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Clean imported games into samples of the bidding: strong players, valid games, winners, majority."""
    if not store.is_file():
        raise BadSetting("--store", str(store), "a store made by 'mingpai records raw'")
    with GameStore(store) as opened:
        samples, report = opened.clean(enough)
    kept = samples if most is None else samples.some(most, seed)
    write_samples(out, kept)
    if as_json:
        print_json({"report": report.to_json(), "samples": len(kept), "bids": int(kept.label.sum()), "file": str(out)})
        return
    show("Cleaning", ("unit", "step", "count"), report.steps)
    console.print(f"{len(kept)} samples written to {out}, {int(kept.label.sum())} of them bids", markup=False)


@contextlib.contextmanager
def _bar(what: str, total: int | None, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """A bar on standard error when a person is watching."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
