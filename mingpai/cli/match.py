"""`mingpai match`: agents against agents on duplicate deals."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import MatchRun, Progress, Stop, merge, play_plan
from mingpai.arena.plan import CATALOGUE, Plan, Unit, duel, rotated, table_of
from mingpai.arena.statistics import ALPHA, Estimate
from mingpai.arena.summary import Standing, Summary
from mingpai.cli.agent import GameName
from mingpai.cli.output import AsJson, console, print_json, show
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.core.game import Game
from mingpai.core.reading import read_json

AgentOption = Annotated[str, typer.Option(metavar="SPEC")]
Deals = Annotated[int, typer.Option(min=1, help="How many deals (or matches), each replayed in every seating.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same deals and the same results.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes. They change no result.")]
EngineName = Annotated[str, typer.Option("--engine", help="local, or ray: the extra 'scale'.")]
Rules = Annotated[str, typer.Option(help="Rule profile; empty for the game's default.")]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Setup of the deal or match, JSON values.")
]

REGISTRY_TARGET = CATALOGUE

LARGE = 100
"""Numbers from here on are shown without decimals."""


def match(
    game: GameName,
    a: AgentOption = "",
    b: AgentOption = "",
    seat: Annotated[list[str] | None, typer.Option(metavar="SPEC", help="One agent per seat, rotated.")] = None,
    landlord: AgentOption = "",
    down: AgentOption = "",
    up: AgentOption = "",
    deals: Deals = 100,
    seed: Seed = 0,
    jobs: Jobs = 1,
    engine: EngineName = "local",
    rules: Rules = "",
    setup: Set = None,
    bidding: Annotated[bool, typer.Option("--bidding", help="Dou Dizhu: bid first; seats rotated.")] = False,
    matches: Annotated[bool, typer.Option("--matches", help="Whole matches instead of single deals.")] = False,
    format_: Annotated[str, typer.Option("--format", help="Hold'em matches: tournament, cash or reset.")] = "",
    hands: Annotated[int | None, typer.Option(min=1, help="Hold'em matches: at most so many hands.")] = None,
    chips: Annotated[int | None, typer.Option(min=1, help="Hold'em: chips of each seat.")] = None,
    rebuy: Annotated[int | None, typer.Option(min=0, help="Hold'em tournaments: chips of a rebuy.")] = None,
    blinds: Annotated[str, typer.Option(metavar="SMALL/BIG", help="Hold'em: for example 20/40.")] = "",
    stop: Annotated[bool, typer.Option("--stop", help="End as soon as the sequential test is decided.")] = False,
    precision: Annotated[float | None, typer.Option(help="End when the win rate is known as well as this.")] = None,
    alpha: Annotated[float, typer.Option(min=1e-6, max=0.5, help="1 - confidence of test and intervals.")] = ALPHA,
    first: Annotated[int, typer.Option(min=0, help="Number of the first deal, to share a match out.")] = 0,
    chunk: Annotated[int, typer.Option(min=0, help="Deals per chunk; 0 adapts. It changes no result.")] = 0,
    run: Annotated[Path | None, typer.Option(help="Folder that keeps each chunk.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in that folder.")] = False,
    merge_: Annotated[list[Path] | None, typer.Option("--merge", help="Show these run folders together.")] = None,
    records: Annotated[Path | None, typer.Option(help="Append every game to this JSON Lines file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Agents against agents. Every deal is replayed so that each side has had every part of it.

    --a X --b Y: two sides (Dou Dizhu: X as landlord against Y as both farmers, and the reverse).
    --landlord X --down Y --up Z: three agents that keep their seats.
    --seat X --seat Y ...: one agent per seat, rotated.

    Intervals are 95% and respect the pairing: deals are the independent units. With --stop or --precision they hold
    at every deal, so that looking early does no harm.
    """
    if merge_:
        _show(merge(merge_), as_json)
        return
    table = REGISTRY.game(game)
    unit: Unit = "match" if matches or format_ or hands or rebuy else "deal"
    named_options = {"format": format_, "hands": hands, "chips": chips, "rebuy": rebuy, "blinds": blinds}
    options = {key: value for key, value in named_options.items() if value} | setup_of(setup)
    if unit == "deal" and not bidding:
        options = {**table.play_only, **options}
    named = {"landlord": landlord, "down": down, "up": up}
    plan = _plan(table, a, b, seat or [], named, seed=seed, rules=rules, unit=unit, setup=options)
    if table.play_only and (bidding or unit == "match"):
        plan = rotated(plan)
    with progress_bar(as_json) as progress:
        played = play_plan(
            plan, deals, first=first, jobs=jobs, engine=engine, chunk=chunk, stop=Stop(stop, precision, alpha),
            folder=run, resume=resume, records=records, progress=progress,
        )  # fmt: skip
    _show(played, as_json)
    if played.results and all(result.is_void for result in played.results):
        raise MingpaiError(f"no deal counts: all {len(played.results)} are void")
    if played.stopped == "interrupted":
        hint = f"; go on with --run {run} --resume" if run is not None else ""
        print(f"mingpai: interrupted after {len(played.results)} of {deals} deals{hint}", file=sys.stderr)
        raise typer.Exit(130)


def _plan(game: Game, a: str, b: str, seats: list[str], named: dict[str, str], **about: Any) -> Plan:
    if a and b and not seats and not any(named.values()):
        return duel(game, a, b, registry=REGISTRY_TARGET, **about)
    if len(seats) > 1 and not a and not b and not any(named.values()):
        return table_of(game, seats, registry=REGISTRY_TARGET, **_seats_in(about, game, len(seats)))
    if all(named.values()) and not a and not b and not seats:
        state = game.deal(0, about["rules"], about["setup"] or None)
        names = [state.seat_name(seat) for seat in range(state.seats)]
        if sorted(names) != sorted(named):
            raise BadSetting("--landlord, --down, --up", game.name, f"a game whose seats are not {', '.join(names)}")
        return table_of(game, [named[name] for name in names], rotate=False, registry=REGISTRY_TARGET, **about)
    raise BadSetting("players", game.name, "--a and --b, or --seat several times, or --landlord, --down and --up")


def _seats_in(about: dict[str, Any], game: Game, seats: int) -> dict[str, Any]:
    """Games for several numbers of players are told how many sit down."""
    state = game.deal(0, about["rules"], about["setup"] if about["unit"] == "deal" and about["setup"] else None)
    if state.seats == seats:
        return about
    return about | {"setup": {"seats": seats} | dict(about["setup"])}


def setup_of(items: list[str] | None) -> dict[str, Any]:
    """KEY=VALUE options as an object; values are JSON where they can be read as such, else text."""
    options: dict[str, Any] = {}
    for item in items or []:
        key, equals, value = item.partition("=")
        if not equals or not key:
            raise BadSetting("--set", item, "KEY=VALUE")
        try:
            options[key] = read_json(value)
        except BadlyWritten:
            options[key] = value
    return options


@contextlib.contextmanager
def progress_bar(quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A bar on standard error when a person is watching."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("deals", total=None)

        def advance(progress: Progress) -> None:
            score = "" if progress.score is None else f", first side {progress.score:.1%}"
            bar.update(task, completed=progress.done, total=progress.total, description=f"deals{score}")

        yield advance


def _show(played: MatchRun, as_json: bool) -> None:
    summary = played.summary()
    if as_json:
        print_json(summary.to_json() | {"stopped": played.stopped})
        return
    _show_summary(summary, played.stopped)


def _show_summary(summary: Summary, stopped: str | None) -> None:
    for why, count in summary.voids.items():
        console.print(f"{count} deals void: {why}", style="red", markup=False)
    if not summary.deals:
        return
    plan = summary.plan
    title = (f"{plan.game}: {summary.deals} {plan.unit}{'es' if plan.unit == 'match' else 's'}"
             f" x {len(plan.seatings)} seatings, seed {plan.seed}")  # fmt: skip
    rows = []
    for side in summary.sides:
        name = side.name if side.name == side.agent else f"{side.name}: {side.agent}"
        rows.append((name, "all", *_cells(side.total)))
        rows += [("", role, *_cells(standing)) for role, standing in side.roles.items() if len(side.roles) > 1]
    if summary.difference is not None:
        name = f"{plan.names[0]} - {plan.names[1]}"
        rows.append((name, "paired", *_cells(summary.difference)))
    show(title, ("side", "part", "games", "win rate", "points"), rows)
    if any(side.facts for side in summary.sides):
        facts = list(summary.sides[0].facts)
        show("Per match", ("side", *facts), [
            (side.name, *(_cell(side.facts[fact], _form(side.facts[fact])) for fact in facts)) for side in summary.sides
        ])  # fmt: skip
    kind = "valid at every deal (anytime)" if summary.intervals == "anytime" else "for this number of deals"
    console.print(f"Brackets: {kind}, deals as units. Points in {_unit(plan)}.", markup=False)
    if summary.evidence is not None:
        verdict = "different" if stopped == "decided" else "not decided" if stopped is None else stopped
        console.print(f"Sequential test of equality: {verdict}, evidence {summary.evidence:.3g}.")
    times = ", ".join(f"{side.name} {side.seconds * 1000:.3g} ms" for side in summary.sides)
    console.print(f"Mean time of a decision: {times}.", markup=False)


def _unit(plan: Plan) -> str:
    return "the match's score" if plan.unit == "match" else plan.load_game().unit


def _cells(standing: Standing) -> tuple[str, ...]:
    return str(standing.games), _cell(standing.win_rate, ".1%"), _cell(standing.points, _form(standing.points, "+"))


def _form(estimate: Estimate, sign: str = "") -> str:
    """Two decimals for small numbers, none for large ones."""
    return f"{sign},.0f" if abs(estimate.mean) >= LARGE or estimate.high - estimate.low >= LARGE else f"{sign},.2f"


def _cell(estimate: Estimate, form: str) -> str:
    return f"{estimate.mean:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"
