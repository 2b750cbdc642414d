"""`mingpai equity`: each player's share of the pot at showdown."""

from typing import Annotated

import typer

from mingpai.cli.output import AsJson, console, print_json, show
from mingpai.core.errors import BadSetting
from mingpai.games.holdem.equity import Method
from mingpai.games.holdem.equity import equity as compute_equity

_METHODS: dict[str, Method] = {"auto": "auto", "exact": "exact", "walk": "walk", "independent": "independent"}


def equity(
    players: Annotated[list[str], typer.Argument(metavar="HAND...", help="AhKd, or a range: 'QQ+,0.5(T9s)', any")],
    board: Annotated[str, typer.Option(help="Three to five cards, such as Jc8d2h.")] = "",
    dead: Annotated[str, typer.Option(help="Cards known to be out of play.")] = "",
    method: Annotated[str, typer.Option(help="auto, exact, walk or independent.")] = "auto",
    samples: Annotated[int, typer.Option(help="At most so many samples.")] = 1_000_000,
    error: Annotated[float, typer.Option(help="Stop sampling at this standard error; 0 takes all samples.")] = 0.0005,
    seed: Annotated[int, typer.Option(help="Seed of the samples.")] = 0,
    threads: Annotated[int, typer.Option(help="Does not change the answer.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Share of the pot of 2 to 10 hold'em players, with known hands or weighted ranges."""
    if method not in _METHODS:
        raise BadSetting("method", method, f"one of {', '.join(_METHODS)}")
    equity = compute_equity(players, board, dead, method=_METHODS[method], samples=samples, target_error=error,
                           seed=seed, threads=threads)  # fmt: skip
    if as_json:
        print_json(equity.to_json())
        return
    rows = [
        (text, f"{100 * share:.2f}%", f"{100 * win:.2f}%", f"{100 * tie:.2f}%", f"± {100 * spread:.2f}")
        for text, share, win, tie, spread in zip(
            players, equity.equities, equity.wins, equity.ties, equity.standard_errors, strict=True
        )
    ]
    show(f"Equity{' on ' + board if board else ''}", ("player", "equity", "wins", "ties", "error"), rows)
    how = "exact" if equity.method == "exact" else f"sampled ({equity.sampler})"
    console.print(f"{how}, {equity.samples:,} {'deals and boards' if how == 'exact' else 'samples'}")
