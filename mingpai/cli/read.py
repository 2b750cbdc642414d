"""`mingpai read`: what the others hold in a recorded hand, street by street, and what FOLD would do."""

import html
from pathlib import Path
from typing import Annotated, cast

import typer

from mingpai.cli.output import AsJson, console, print_json, show
from mingpai.core.errors import BadSetting
from mingpai.games.holdem.ranges import CLASSES, format_matrix
from mingpai.methods.handreading.agent import Reading
from mingpai.methods.handreading.story import Moment, own_class, tell
from mingpai.records.handhistory import HandHistory
from mingpai.records.poker import read_hands

READINGS = ("fitted", "family", "adaptive", "default", "uniform")


def read(
    file: Annotated[
        Path,
        typer.Argument(metavar="HAND.phh", help="A .phh or .phhs file (or .gz), an ACPC log or a PokerStars text."),
    ],
    seat: Annotated[int, typer.Option(help="Whose view: 1 is the small blind, as PHH counts.")],
    number: Annotated[int, typer.Option(help="Which hand of a file of several, from 1.")] = 1,
    reading: Annotated[str, typer.Option(help="fitted, family, adaptive, default or uniform.")] = "fitted",
    matrix: Annotated[bool, typer.Option(help="Print the 13 x 13 matrices.")] = False,
    out: Annotated[Path | None, typer.Option(help="Also write a picture: NAME.png or NAME.html.")] = None,
    as_json: AsJson = False,
) -> None:
    """Read the opponents' hands of a recorded hold'em hand."""
    if reading not in READINGS:
        raise BadSetting("reading", reading, f"one of {', '.join(READINGS)}")
    hand = _hand(file, number)
    moments = tell(hand, seat - 1, cast(Reading, reading))
    if out is not None:
        _write(out, hand, seat - 1, moments)
    if as_json:
        print_json({"seat": seat, "moments": [moment.to_json() for moment in moments]})
        return
    for moment in moments:
        _show(hand, seat - 1, moment, matrix)
    if out is not None:
        console.print(f"written: {out}", markup=False)


def _hand(file: Path, number: int) -> HandHistory:
    if not file.exists():
        raise BadSetting("file", str(file), "a file that exists")
    for index, hand in enumerate(read_hands(file), start=1):
        if index == number:
            return hand
    raise BadSetting("number", number, f"a hand of {file.name}")


def _title(hand: HandHistory, seat: int, moment: Moment) -> str:
    board = f" on {moment.board}: {own_class(hand, seat, moment.board)}" if moment.board else ""
    return f"{moment.street}, {hand.hole[seat]}{board}"


def _show(hand: HandHistory, seat: int, moment: Moment, matrix: bool) -> None:
    rows = []
    for name in moment.ranges:
        likely = " ".join(f"{text} {100 * chance:.0f}%" for text, chance in moment.likeliest(name))
        made = ", ".join(f"{text} {100 * chance:.0f}%" for text, chance in moment.categories(name)[:3])
        rows.append((name, likely, made, moment.held[name] or "?"))
    console.print(f"betting: {moment.actions}", markup=False)
    show(_title(hand, seat, moment), ("player", "likeliest hands", "has", "held"), rows)
    if matrix:
        for name in moment.ranges:
            console.print(f"{name}\n{format_matrix(moment.matrix(name))}", markup=False)
    console.print(_verdict(moment) + "\n", markup=False)


def _verdict(moment: Moment) -> str:
    verdict = moment.verdict
    to = f" to {verdict.to:g}" if verdict.choice == "raise" else ""
    values = ", ".join(f"{option.name} {option.value:+.0f}" for option in verdict.options)
    facts = moment.facts
    special = f" ({facts.special})" if facts.special else ""
    shares = f"equity {100 * facts.equity:.1f}%, price {100 * facts.price:.1f}%"
    return (f"{shares}. FOLD would {verdict.choice}{to}{special}; "
            f"values in chips: {values}. The player {moment.did}.")  # fmt: skip


def _write(out: Path, hand: HandHistory, seat: int, moments: list[Moment]) -> None:
    if out.suffix == ".html":
        out.write_text(_html(hand, seat, moments), encoding="utf-8")
    elif out.suffix == ".png":
        _png(out, moments)
    else:
        raise BadSetting("out", str(out), "a name that ends in .png or .html")


def _html(hand: HandHistory, seat: int, moments: list[Moment]) -> str:
    parts = [
        "<!doctype html><meta charset='utf-8'><title>Hands read</title><style>body{font:14px sans-serif;margin:2em}"
        "table.m{border-collapse:collapse;display:inline-block;margin:0 1em 1em 0}table.m td{width:2.2em;height:1.6em;"
        "text-align:center;font-size:11px;border:1px solid #fff}</style>",
        f"<h1>{html.escape(hand.source or 'hand')}, seat {seat + 1}</h1>",
    ]
    for moment in moments:
        parts.append(f"<h2>{html.escape(_title(hand, seat, moment))}</h2><p>{html.escape(moment.actions)}</p>")
        for name in moment.ranges:
            parts.append(f"<figure style='display:inline-block;margin:0'><figcaption>{html.escape(name)}</figcaption>"
                         f"{_html_matrix(moment, name)}</figure>")  # fmt: skip
        parts.append(f"<p>{html.escape(_verdict(moment))}</p>")
    return "\n".join(parts)


def _html_matrix(moment: Moment, name: str) -> str:
    weights = moment.matrix(name)
    top = float(weights.max()) or 1.0
    rows = []
    for row in range(13):
        cells = []
        for column in range(13):
            depth = float(weights[row, column]) / top
            colour = f"rgba(200,60,30,{0.06 + 0.94 * depth:.2f})"
            cells.append(f"<td style='background:{colour}'>{CLASSES[13 * row + column]}</td>")
        rows.append("<tr>" + "".join(cells) + "</tr>")
    return "<table class='m'>" + "".join(rows) + "</table>"


def _png(out: Path, moments: list[Moment]) -> None:
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise BadSetting("out", str(out), "an .html name, or the extra 'plots' for .png") from None
    columns = max((len(moment.ranges) for moment in moments), default=1)
    rows = max(len(moments), 1)
    figure, axes = pyplot.subplots(rows, columns, squeeze=False, figsize=(3.4 * columns, 3.7 * rows))
    for row, moment in zip(axes, moments, strict=False):
        for axis in row:
            axis.axis("off")
        for axis, name in zip(row, moment.ranges, strict=False):
            axis.imshow(moment.matrix(name), cmap="OrRd")
            axis.set_title(f"{moment.street} {moment.board}\n{name}", fontsize=8)
            for index, text in enumerate(CLASSES):
                axis.text(index % 13, index // 13, text, ha="center", va="center", fontsize=4)
    figure.tight_layout()
    figure.savefig(out, dpi=130)
    pyplot.close(figure)
