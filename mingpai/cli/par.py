"""`mingpai par`: who wins whole deals with open cards."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mingpai.cli.output import AsJson, console, print_json, show
from mingpai.core.errors import BadlyWritten

if TYPE_CHECKING:
    from mingpai.methods.endgame.par import Share

app = typer.Typer(help="Who wins whole deals of Dou Dizhu with open cards.", no_args_is_help=True)


@app.command("deal")
def deal(
    hands: Annotated[list[str] | None, typer.Argument(help="The cards of three seats in the order of play.")] = None,
    bottom: Annotated[str, typer.Option(help="The bottom cards.")] = "",
    seed: Annotated[int | None, typer.Option(help="A random deal instead.")] = None,
    rules: Annotated[str, typer.Option(help="Rule profile.")] = "douzero",
    seconds: Annotated[float, typer.Option(help="Limit for each of the nine verdicts, 0 for none.")] = 10.0,
    memory: Annotated[int, typer.Option(help="Memory limit in mebibytes.")] = 256,
    threads: Annotated[int | None, typer.Option(help="Two by default, where the machine has them.")] = None,
    as_json: AsJson = False,
) -> None:
    """The par of a deal: each seat as landlord, each seat on lead."""
    from mingpai.games.doudizhu.notation import cards_text, parse_cards
    from mingpai.methods.endgame.par import Deal, par

    if (seed is None) == (not hands) or (hands and len(hands) != 3):
        raise BadlyWritten("par deal", "three hands and --bottom, or --seed")
    dealt = Deal.random(seed) if seed is not None else Deal([parse_cards(h) for h in hands or ()], parse_cards(bottom))
    rows = par(dealt, rules, seconds=seconds, memory=memory, threads=threads)
    texts = [cards_text(hand) for hand in dealt.hands]
    if as_json:
        return print_json({"hands": texts, "bottom": cards_text(dealt.bottom), "par": [row.__dict__ for row in rows]})
    for seat, text in enumerate(texts):
        console.print(f"seat {seat}  {text}")
    console.print(f"bottom  {cards_text(dealt.bottom)}")
    words = {True: "landlord", False: "farmers", None: "not proved"}
    columns = ["landlord", "leads", "wins", "nodes", "s"]
    table = [[r.landlord, r.lead, words[r.landlord_wins], f"{r.nodes:,}", f"{r.seconds:.2f}"] for r in rows]
    return show("Open cards, best play of all", columns, table)


@app.command("library")
def library(
    out: Annotated[Path, typer.Option(help="The file; what it has is kept, so that the work can be stopped.")],
    count: Annotated[int, typer.Option(help="Deals that the file shall have.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 1,
    nodes: Annotated[int, typer.Option(help="Limit of nodes for a deal.")] = 2_000_000,
    plot: Annotated[Path | None, typer.Option(help="Draw the shares into this SVG file.")] = None,
) -> None:
    """Solve random whole deals, landlord on lead, and count who wins by the strength of his hand."""
    from mingpai.methods.endgame import par

    for solved in par.extend_library(out, seed, count, nodes):
        if solved.deal % 100 == 99:
            console.print(f"{solved.deal + 1} deals")
    deals = par.read_library(out)[1]
    parts = par.shares(deals)
    rows = [_row(str(part.strength), part) for part in parts] + [_row("all", par.total(parts))]
    show("Open deals: landlord wins", ["strength", "deals", "won", "lost", "not proved", "share of wins"], rows)
    if plot is not None:
        plot.write_text(par.plot(deals))


def _row(name: str, part: "Share") -> list[object]:
    low, high = part.bounds
    return [name, part.deals, part.won, part.lost, part.unproved, f"{low:.0%} to {high:.0%}"]
