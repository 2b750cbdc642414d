"""`mingpai records paper003`: the games that came with paper 003, replayed, counted, and written as our records."""

from pathlib import Path
from typing import Annotated

import typer

from mingpai.cli.output import AsJson, console, print_json, show
from mingpai.core.errors import MingpaiError
from mingpai.games.doudizhu.notation import ROLES
from mingpai.records import paper003 as games
from mingpai.records.jsonl import writing_text
from mingpai.records.record import Record


def paper003(
    source: Annotated[Path, typer.Argument(help="The games, .jsonl or .jsonl.gz: docs/paper003.md.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write the good games as records to OUT.jsonl.")] = None,
    rules: Annotated[str, typer.Option(help="The rule profile they are replayed under.")] = games.PROFILE,
    as_json: AsJson = False,
) -> None:
    """Replay the authors' games of paper 003 and compute its tables from them.

    A game that breaks the rules is named with its reason; the tables count every game, as the paper does.
    """
    read = list(games.read_games(source))
    played = [game for game in read if isinstance(game, games.PaperGame)]
    refused = [game for game in read if isinstance(game, games.Refused)]
    good: list[Record] = []
    for game in played:
        try:
            good.append(games.paper_record(game, rules))
        except MingpaiError as error:
            refused.append(games.Refused(game.name, str(error)))
    if out is not None:
        with writing_text(out) as file:
            file.writelines(record.dumps() + "\n" for record in good)
    tallies, high = games.tallies(played), games.high_cards(played)
    if as_json:
        print_json({
            "games": len(read), "good": len(good), "rules": rules,
            "refused": [{"game": game.name, "reason": game.reason} for game in refused],
            "tables": [{"seats": tally.seats, "games": tally.games, "wins": tally.wins} for tally in tallies],
            "high_cards": {"deals": high.deals, "means": high.means, "error": high.error, "expected": high.EXPECTED},
        })  # fmt: skip
        return
    _show(tallies)
    _show_high_cards(high)
    console.print(f"{len(good)} of {len(read)} games replay under {rules}; {len(refused)} do not:", markup=False)
    for bad in refused:
        console.print(f"  {bad.name}: {bad.reason}", markup=False)
    if out is not None:
        console.print(f"{len(good)} records written to {out}", markup=False)


def _show(tallies: list[games.Tally]) -> None:
    columns = ("landlord", "down", "up", "games", "landlord %", "down %", "up %", "paper")
    show("The paper's tables from its games", columns, [
        (*tally.seats, tally.games, *(f"{100 * wins / tally.games:.1f}" for wins in tally.wins), _printed(tally))
        for tally in tallies
    ])  # fmt: skip


def _show_high_cards(high: games.HighCards) -> None:
    means = ", ".join(f"{role} {mean:.2f}" for role, mean in zip(ROLES, high.means, strict=True))
    console.print(
        f"Twos and jokers in the 17 cards of a seat, {high.deals} deals: {means}, standard error {high.error:.2f}; at "
        f"random {high.EXPECTED:.2f}.",
        markup=False,
    )


def _printed(tally: games.Tally) -> str:
    printed = games.PRINTED.get(tally.seats)
    return " / ".join(f"{share:.1f}" for share in printed) if printed else "a curve, no number"
