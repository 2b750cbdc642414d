"""A Decision on a page: candidates with bars, reasons, the belief as heat maps, the four stages."""

import dataclasses
import html
from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from mingpai.agents.guandan_rules import LeadScores
from mingpai.core.decision import Candidate, Decision
from mingpai.core.reasons import Reason
from mingpai.games.holdem.ranges import CLASSES
from mingpai.web.board import pretty
from mingpai.web.frame import language, panel, say

GRID = 13
MOST_ROWS = 60
"""Rows of a stage's note that are shown; the whole note is in the JSON."""
SUIT_ROWS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
GUANDAN_RANKS = "23456789TJQKA"


def show_decision(decision: Decision, most: int = 8, with_belief: bool = True) -> None:
    """The move, the reasons, the candidates and the belief."""
    with ui.row().classes("items-baseline gap-2"):
        ui.label(str(decision.move)).classes("text-h6 mp-good").style("font-family: ui-monospace, monospace").mark(
            "decision"
        )
        spent = say("spent", seconds=f"{decision.seconds:.2f}")
        ui.label(f"{pretty(decision.agent)} · {spent}").classes("mp-soft")
    if decision.reasons:
        items = "".join(f"<li>{html.escape(reason_words(reason))}</li>" for reason in decision.reasons)
        ui.html(f'<ul class="mp-reasons">{items}</ul>', sanitize=False).mark("reasons")
    if decision.candidates:
        ui.html(candidates_html(valued(decision)[:most], str(decision.move)), sanitize=False).classes("w-full")
    if with_belief and decision.belief is not None:
        ui.label(say("belief")).classes("mp-h")
        show_belief(decision.belief.marginals())


def reason_words(reason: Reason) -> str:
    """A reason in the reader's language, the seats named as the table names them."""
    seats = {key: _seat_word(str(value)) for key, value in reason.args.items() if key == "seat"}
    return Reason(reason.code, {**reason.args, **seats}).render(language())


def valued(decision: Decision) -> Sequence[Candidate]:
    """The candidates; where they have no values, with the scores that the agent noted when it decided."""
    note = decision.stages.decide
    if not isinstance(note, LeadScores):
        return decision.candidates
    return [dataclasses.replace(c, value=note.scores.get(str(c.move))) for c in decision.candidates]


def candidates_html(candidates: Sequence[Candidate], best: str) -> str:
    """Moves with bars: as long as the move is good, or likely where it has no value."""
    values = [c.value for c in candidates if c.value is not None]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    floor = low - 0.08 * ((high - low) or 1)
    parts = []
    for candidate in candidates:
        share = candidate.probability or 0.0
        if candidate.value is not None:
            share = (candidate.value - floor) / ((high - floor) or 1)
        mark = " best" if str(candidate.move) == best else ""
        bar = f'<div class="mp-track"><div class="mp-bar" style="width: {100 * share:.0f}%"></div></div>'
        parts.append(
            f'<span class="move{mark}">{html.escape(str(candidate.move))}</span>{bar}'
            f'<span class="num">{_numbers(candidate)}</span>'
        )
    return f'<div class="mp-cands">{"".join(parts)}</div>'


def _numbers(candidate: Candidate) -> str:
    value, parts = candidate.value, list[str]()
    if value is not None:
        parts.append(f"{value:.3g}" if abs(value) >= 10 else f"{value if abs(value) >= 0.005 else 0.0:.2f}")
    parts += [] if candidate.probability is None else [f"p {candidate.probability:.2f}"]
    parts += [] if candidate.visits is None else [f"n {candidate.visits}"]
    return " · ".join(parts)


def show_belief(marginals: Mapping[str, Mapping[str, float]]) -> None:
    """What the hidden hands may be: a heat map for each player, or one for all where cards have no suit."""
    cards = {card for row in marginals.values() for card in row}
    if cards <= set(CLASSES):
        with ui.element("div").classes("mp-columns"):
            for seat, row in marginals.items():
                with ui.column().classes("gap-1 w-full"):
                    ui.label(_seat_word(seat)).classes("text-weight-medium")
                    ui.html(classes_html(row), sanitize=False).classes("w-full").mark("belief")
    elif all(len(card) == 2 for card in cards):
        with ui.column().classes("gap-3 w-full"):
            for seat, row in marginals.items():
                ui.label(_seat_word(seat)).classes("text-weight-medium")
                ui.html(f'<div class="mp-scroll">{suits_html(row)}</div>', sanitize=False).classes("w-full").mark(
                    "belief"
                )
    else:
        ui.html(f'<div class="mp-scroll">{ranks_html(marginals)}</div>', sanitize=False).classes("w-full").mark(
            "belief"
        )


def classes_html(row: Mapping[str, float]) -> str:
    """Starting hands in 13 x 13: pairs on the diagonal, suited above it. Depth: probability against the likeliest."""
    sizes = [6 if len(name) == 2 else 4 if name.endswith("s") else 12 for name in CLASSES]
    depths = [row.get(name, 0.0) / size for name, size in zip(CLASSES, sizes, strict=True)]
    top = max(depths) or 1.0
    return grid_html(
        [(name, depth / top, f"{name}: {row.get(name, 0.0):.2%}") for name, depth in zip(CLASSES, depths, strict=True)]
    )


def grid_html(cells: Sequence[tuple[str, float, str]], click: str = "") -> str:
    """A 13 x 13 grid of (name, depth from 0 to 1, tooltip); `click` names the event that a click on a cell sends."""
    parts = []
    for name, depth, tip in cells:
        on = f" onclick=\"emitEvent('{click}', '{name}')\"" if click else ""
        colour = f"rgba(224, 120, 30, {0.06 + 0.94 * depth:.2f})"
        ink = "; color: #201400" if depth > 0.45 else ""
        kind = "cell click" if click else "cell"
        parts.append(f'<td class="{kind}" style="background: {colour}{ink}" title="{tip}"{on}>{name}</td>')
    rows = ("".join(parts[start : start + GRID]) for start in range(0, GRID * GRID, GRID))
    return '<table class="mp-heat square">' + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def ranks_html(marginals: Mapping[str, Mapping[str, float]]) -> str:
    """Players by cards: expected copies, darker where more are expected."""
    cards = list(dict.fromkeys(card for row in marginals.values() for card in row))[:60]
    head = "".join(f"<th>{html.escape({'T': '10', 'X': '小', 'D': '大'}.get(card, card))}</th>" for card in cards)
    most = max((amount for row in marginals.values() for amount in row.values()), default=0.0) or 1.0
    rows = []
    for seat, row in marginals.items():
        cells = "".join(_heat_cell(row.get(card, 0.0), most) for card in cards)
        rows.append(f'<tr><th class="seat">{html.escape(_seat_word(seat))}</th>{cells}</tr>')
    return f'<table class="mp-heat"><tr><th></th>{head}</tr>{"".join(rows)}</table>'


def suits_html(row: Mapping[str, float]) -> str:
    """One player's cards, suits by ranks, jokers at the end: expected copies."""
    most = max(row.values(), default=0.0) or 1.0
    head = "".join(f"<th>{'10' if rank == 'T' else rank}</th>" for rank in GUANDAN_RANKS) + "<th>小</th><th>大</th>"
    rows = []
    for number, (suit, sign) in enumerate(SUIT_ROWS.items()):
        cells = "".join(_heat_cell(row.get(suit + rank, 0.0), most) for rank in GUANDAN_RANKS)
        if number == 0:
            cells += _heat_cell(row.get("SB", 0.0), most) + _heat_cell(row.get("HR", 0.0), most)
        rows.append(f"<tr><th>{sign}</th>{cells}</tr>")
    return f'<table class="mp-heat"><tr><th></th>{head}</tr>{"".join(rows)}</table>'


def _heat_cell(amount: float, most: float) -> str:
    depth = amount / most
    ink = "; color: #201400" if depth > 0.45 else ""
    return f'<td style="background: rgba(224, 120, 30, {depth:.2f}){ink}">{amount:.1f}</td>'


def _seat_word(seat: str) -> str:
    if seat in ("landlord", "down", "up"):
        return say(f"role_{seat}")
    return say("seat", seat=seat)


def show_stages(decision: Decision) -> None:
    """The four stages as the agent noted them."""
    with ui.element("div").classes("mp-stages"):
        for stage, note in decision.stages.items():
            with ui.element("div").classes("mp-stage").mark(f"stage-{stage}"):
                body = (
                    note_html(note.to_json()) if note is not None else f'<span class="mp-soft">{say("no_stage")}</span>'
                )
                ui.html(f"<h4>{say(f'stage_{stage}')}</h4>{body}", sanitize=False)


def note_html(note: Any, depth: int = 0) -> str:
    """A JSON value as nested tables."""
    if isinstance(note, Mapping) and note and depth < 4:
        shown = list(note.items())[:MOST_ROWS]
        rows = "".join(
            f"<tr><th>{html.escape(str(key))}</th><td>{note_html(value, depth + 1)}</td></tr>" for key, value in shown
        )
        return f'<table class="mp-note">{rows}</table>' + _more(len(note))
    if isinstance(note, list | tuple) and note and isinstance(note[0], Mapping) and depth < 4:
        names = list(dict.fromkeys(key for item in note[:MOST_ROWS] if isinstance(item, Mapping) for key in item))
        head = "".join(f"<th>{html.escape(str(name))}</th>" for name in names)
        rows = "".join(
            "<tr>" + "".join(f"<td>{note_html(item.get(name, ''), depth + 1)}</td>" for name in names) + "</tr>"
            for item in note[:MOST_ROWS]
            if isinstance(item, Mapping)
        )
        return f'<table class="mp-note"><tr>{head}</tr>{rows}</table>' + _more(len(note))
    if isinstance(note, list | tuple):
        return html.escape(", ".join(map(str, note[:MOST_ROWS]))) + _more(len(note))
    if isinstance(note, float):
        return f"{note:.4g}"
    return html.escape(str(note))


def _more(count: int) -> str:
    return f'<span class="mp-soft">… {count}</span>' if count > MOST_ROWS else ""


def show_json(title: str, text: str) -> None:
    """A folded box with JSON."""
    with panel(), ui.expansion(title).classes("w-full"):
        ui.code(text, language="json").classes("w-full")
