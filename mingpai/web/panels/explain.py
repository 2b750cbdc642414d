"""A Decision on a page: candidates with bars, reasons, the belief as heat maps, the four stages."""

import dataclasses
import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from mingpai.agents.guandan_rules import LeadScores
from mingpai.core.decision import Candidate, Decision, ValueUnit
from mingpai.core.game import View
from mingpai.core.reasons import Reason
from mingpai.games.guandan.notation import RANKS
from mingpai.games.guandan.view import GuandanView
from mingpai.games.holdem.ranges import CLASSES
from mingpai.web.board import called
from mingpai.web.faces import JOKERS, RANK_NAMES, doudizhu_face, rank_word
from mingpai.web.frame import language, panel, say
from mingpai.web.moves import is_cards, move_html, move_word
from mingpai.web.noted import Teller, kind_word

SeatWords = Callable[[object], str]

GRID = 13
MOST_ROWS = 60
"""Rows of a stage's note that are shown; the whole note is in the JSON."""
SUIT_ROWS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
GUANDAN_RANKS = "23456789TJQKA"
GUANDAN_HEADS = (*(RANK_NAMES.get(rank, rank) for rank in GUANDAN_RANKS), *JOKERS)


def show_decision(decision: Decision, view: View, word: SeatWords, most: int = 8, with_belief: bool = True) -> None:
    """The move, the reasons, the candidates and the belief; `word` names the seats."""
    game, level = view.game.name, level_of(view)
    with ui.row().classes("items-center gap-2"):
        ui.html(move_html(game, decision.move, language(), level, "small"), sanitize=False).mark("decision")
        spent = say("spent", seconds=f"{decision.seconds:.2f}")
        ui.label(f"{called(game, decision.agent)} · {spent}").classes("mp-soft")
    if decision.reasons:
        items = "".join(f"<li>{reason_html(reason, game, level, word)}</li>" for reason in decision.reasons)
        ui.html(f'<ul class="mp-reasons">{items}</ul>', sanitize=False).mark("reasons")
    if decision.candidates:
        drawn = candidates_html(valued(decision)[:most], decision, game, level)
        ui.html(drawn, sanitize=False).classes("w-full")
    if with_belief and decision.belief is not None:
        ui.label(say("belief")).classes("mp-h")
        show_belief(decision.belief.marginals(), word)


def level_of(view: View) -> str:
    """The level of a Guandan view, which says what is wild; empty elsewhere."""
    return RANKS[view.level] if isinstance(view, GuandanView) else ""


CARD_ARGUMENTS = ("cards", "hand", "last", "other", "action", "move")
"""Arguments of reasons that are cards or moves."""


def reason_html(reason: Reason, game: str, level: str, word: SeatWords) -> str:
    """A reason in the reader's language, cards drawn as cards, seats called as the table calls them."""
    marks = {key: f"\u0001{key}\u0002" for key in reason.args}
    drawn = html.escape(Reason(reason.code, marks).render(language()))
    for key, value in reason.args.items():
        drawn = drawn.replace(marks[key], _argument_html(key, value, game, level, word))
    return drawn


def _argument_html(key: str, value: object, game: str, level: str, word: SeatWords) -> str:
    written = str(value)
    if key == "seat":
        return html.escape(word(written))
    if kind := kind_word(written, language()):
        return html.escape(kind)
    is_bid = isinstance(value, int) or (key == "other" and written in ("0", "1", "2", "3"))
    if key in CARD_ARGUMENTS and not is_bid and (is_cards(game, written) or move_word(written, language())):
        return move_html(game, written, language(), level)
    return html.escape(written)


def valued(decision: Decision) -> Sequence[Candidate]:
    """The candidates; where they have no values, with the scores that the agent noted when it decided."""
    note = decision.stages.decide
    if not isinstance(note, LeadScores):
        return decision.candidates
    return [dataclasses.replace(c, value=note.scores.get(str(c.move))) for c in decision.candidates]


def candidates_html(candidates: Sequence[Candidate], decision: Decision, game: str, level: str) -> str:
    """Moves with bars on a fixed scale: as long as the move is good, or likely where it has no value."""
    parts = []
    for candidate in candidates:
        mark = " best" if candidate.move == decision.move else ""
        drawn = move_html(game, candidate.move, language(), level)
        numbers = numbers_html(candidate, decision.value_unit)
        bar = bar_html(candidate, decision.value_unit, candidates)
        parts.append(f'<span class="move{mark}">{drawn}</span>{bar}{numbers}')
    return f'<div class="mp-cands">{"".join(parts)}</div>'


STEPS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 1_000_000)
"""Ends of the scale for points and chips: the first that holds every value shown, on both sides of zero."""


def bar_html(candidate: Candidate, unit: ValueUnit, beside: Sequence[Candidate]) -> str:
    """A bar on an absolute scale: chances from 0 to 1; points and chips from zero, to the left where they are lost."""
    if candidate.value is None or unit == "win":
        share = candidate.value if candidate.value is not None else candidate.probability or 0.0
        left, width = 0.0, 100 * min(1.0, max(0.0, share))
    else:
        most = max(abs(c.value) for c in beside if c.value is not None)
        end = next((step for step in STEPS if step >= most), STEPS[-1])
        width = 50 * min(1.0, abs(candidate.value) / end)
        left = 50.0 if candidate.value >= 0 else 50 - width
    loss = " loss" if candidate.value is not None and unit != "win" and candidate.value < 0 else ""
    middle = " middle" if candidate.value is not None and unit != "win" else ""
    return (f'<span class="mp-track{middle}"><span class="mp-bar-of{loss}" '
            f'style="margin-left: {left:.0f}%; width: {width:.0f}%"></span></span>')  # fmt: skip


def numbers_html(candidate: Candidate, unit: ValueUnit) -> str:
    """The numbers of a candidate with what they mean."""
    value, parts = candidate.value, list[str]()
    if value is not None and unit == "win":
        parts.append(f"{say('unit_win')} {100 * value:.0f}%")
    elif value is not None:
        shown = f"{value:+.0f}" if abs(value) >= 10 else f"{value:+.2f}" if abs(value) >= 0.005 else "0"
        parts.append(f"{shown} {say(f'unit_{unit}')}")
    if candidate.probability is not None:
        parts.append(say("plays_it", percent=f"{100 * candidate.probability:.0f}%"))
    return f'<span class="num">{html.escape(" · ".join(parts))}</span>'


def show_belief(marginals: Mapping[str, Mapping[str, float]], word: SeatWords) -> None:
    """What the hidden hands may be: a heat map for each player, or one for all where cards have no suit."""
    cards = {card for row in marginals.values() for card in row}
    if cards <= set(CLASSES):
        with ui.element("div").classes("mp-columns"):
            for seat, row in marginals.items():
                with ui.column().classes("gap-1 w-full"):
                    ui.label(word(seat)).classes("text-weight-medium")
                    ui.html(classes_html(row), sanitize=False).classes("w-full").mark("belief")
    elif all(len(card) == 2 for card in cards):
        with ui.column().classes("gap-3 w-full"):
            for seat, row in marginals.items():
                ui.label(word(seat)).classes("text-weight-medium")
                ui.html(f'<div class="mp-scroll">{suits_html(row)}</div>', sanitize=False).classes("w-full").mark(
                    "belief"
                )
    else:
        ui.html(f'<div class="mp-scroll">{ranks_html(marginals, word)}</div>', sanitize=False).classes("w-full").mark(
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


def cell_style(depth: float) -> str:
    """The colour of a cell of the 13 x 13 grid, by its depth from 0 to 1."""
    ink = "; color: #201400" if depth > 0.45 else ""
    return f"background: rgba(224, 120, 30, {0.06 + 0.94 * depth:.2f}){ink}"


def grid_html(cells: Sequence[tuple[str, float, str]]) -> str:
    """A 13 x 13 grid of (name, depth from 0 to 1, tooltip)."""
    parts = [f'<td class="cell" style="{cell_style(depth)}" title="{tip}">{name}</td>' for name, depth, tip in cells]
    rows = ("".join(parts[start : start + GRID]) for start in range(0, GRID * GRID, GRID))
    return '<table class="mp-heat square">' + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def ranks_html(marginals: Mapping[str, Mapping[str, float]], word: SeatWords) -> str:
    """Players by cards: expected copies, darker where more are expected."""
    cards = list(dict.fromkeys(card for row in marginals.values() for card in row))[:60]
    head = "".join(_head(doudizhu_face(card).rank) for card in cards)
    most = max((amount for row in marginals.values() for amount in row.values()), default=0.0) or 1.0
    rows = []
    for seat, row in marginals.items():
        cells = "".join(_heat_cell(row.get(card, 0.0), most) for card in cards)
        rows.append(f'<tr><th class="seat">{html.escape(word(seat))}</th>{cells}</tr>')
    return f'<table class="mp-heat"><tr><th></th>{head}</tr>{"".join(rows)}</table>'


def suits_html(row: Mapping[str, float]) -> str:
    """One player's cards, suits by ranks, jokers at the end: expected copies."""
    most = max(row.values(), default=0.0) or 1.0
    head = "".join(_head(rank) for rank in GUANDAN_HEADS)
    rows = []
    for number, (suit, sign) in enumerate(SUIT_ROWS.items()):
        cells = "".join(_heat_cell(row.get(suit + rank, 0.0), most) for rank in GUANDAN_RANKS)
        if number == 0:
            cells += _heat_cell(row.get("SB", 0.0), most) + _heat_cell(row.get("HR", 0.0), most)
        rows.append(f"<tr><th>{sign}</th>{cells}</tr>")
    return f'<table class="mp-heat"><tr><th></th>{head}</tr>{"".join(rows)}</table>'


def _head(rank: str) -> str:
    """The head of a column of cards; a screen reader hears the jokers by name."""
    return f'<th scope="col" aria-label="{html.escape(rank_word(rank, language()))}">{html.escape(rank)}</th>'


def _heat_cell(amount: float, most: float) -> str:
    depth = amount / most
    ink = "; color: #201400" if depth > 0.45 else ""
    return f'<td style="background: rgba(224, 120, 30, {depth:.2f}){ink}">{amount:.1f}</td>'


def show_stages(decision: Decision, game: str, level: str, word: SeatWords) -> None:
    """The four stages as the agent noted them; `word` names the seats."""
    teller = Teller(language(), word)
    with ui.element("div").classes("mp-stages"):
        for stage, note in decision.stages.items():
            with ui.element("div").classes("mp-stage").mark(f"stage-{stage}"):
                body = (
                    note_html(teller.tell(note), game, level)
                    if note is not None
                    else f'<span class="mp-soft">{say("no_stage")}</span>'
                )
                ui.html(f"<h4>{say(f'stage_{stage}')}</h4>{body}", sanitize=False)


def note_html(note: Any, game: str, level: str, depth: int = 0) -> str:
    """Nested names and values as nested tables."""
    if isinstance(note, Mapping) and note and depth < 4:
        shown = list(note.items())[:MOST_ROWS]
        rows = "".join(
            f"<tr><th>{_word_html(str(key), game, level)}</th><td>{note_html(value, game, level, depth + 1)}</td></tr>"
            for key, value in shown
        )
        return f'<table class="mp-note">{rows}</table>' + _more(len(note))
    if isinstance(note, list | tuple) and note and isinstance(note[0], Mapping) and depth < 4:
        names = list(dict.fromkeys(key for item in note[:MOST_ROWS] if isinstance(item, Mapping) for key in item))
        head = "".join(f"<th>{html.escape(str(name))}</th>" for name in names)
        rows = "".join(
            "<tr>"
            + "".join(f"<td>{note_html(item.get(name, ''), game, level, depth + 1)}</td>" for name in names)
            + "</tr>"
            for item in note[:MOST_ROWS]
            if isinstance(item, Mapping)
        )
        return f'<table class="mp-note"><tr>{head}</tr>{rows}</table>' + _more(len(note))
    if isinstance(note, list | tuple):
        return ", ".join(note_html(item, game, level, depth + 1) for item in note[:MOST_ROWS]) + _more(len(note))
    if isinstance(note, float):
        return f"{note:.4g}"
    return _word_html(note, game, level) if isinstance(note, str) else html.escape(str(note))


SHORTEST_CODE = {"doudizhu": 2, "guandan": 2, "holdem": 4}
"""A shorter text may be something else than cards."""


def _word_html(written: str, game: str, level: str) -> str:
    """A word of a note; cards are drawn."""
    if len(written) >= SHORTEST_CODE[game] and is_cards(game, written):
        return move_html(game, written, language(), level)
    return html.escape(written)


def _more(count: int) -> str:
    return f'<span class="mp-soft">… {count}</span>' if count > MOST_ROWS else ""


def show_json(title: str, text: str) -> None:
    """A folded box with JSON."""
    with panel(), ui.expansion(title).classes("w-full"):
        ui.code(text, language="json").classes("w-full")
