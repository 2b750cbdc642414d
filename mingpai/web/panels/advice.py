"""Hints: the candidates of an agent one after another, each raised in the hand, with its worth on a fixed scale."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nicegui import ui

from mingpai.core.decision import Candidate, Decision
from mingpai.web.frame import dialog, language, say
from mingpai.web.moves import move_faces, move_html
from mingpai.web.panels.explain import bar_html, numbers_html, show_decision, valued
from mingpai.web.seats import seat_words
from mingpai.web.table import Table

MOST_HINTS = 6
"""Candidates that repeated presses go through."""


@dataclass
class Advice:
    """What an agent advises, and which of its candidates is shown."""

    decision: Decision
    game: str
    level: str
    at: int = 0

    def options(self) -> Sequence[Candidate]:
        """The move chosen first, then the others as good as they are."""
        candidates = list(valued(self.decision))
        best = [c for c in candidates if c.move == self.decision.move] or [Candidate(self.decision.move)]
        return [*best[:1], *(c for c in candidates if c.move != self.decision.move)][:MOST_HINTS]

    def next(self) -> None:
        self.at = (self.at + 1) % len(self.options())

    @property
    def shown(self) -> Candidate:
        return self.options()[self.at]

    def raised(self, number: int) -> dict[str, Any]:
        """The cards to raise in the hand, or the amount to set."""
        move = self.shown.move
        word, _, amount = str(move).partition(" ")
        cards = [face.code for face in move_faces(self.game, move, self.level)]
        return {"cards": cards, "number": number, "amount": float(amount) if word == "raise" and amount else 0}

    @property
    def hinted(self) -> str:
        """The button that the hint means, if no cards."""
        move = self.shown.move
        if move_faces(self.game, move, self.level):
            return ""
        return "raise" if str(move).startswith("raise") else str(move)


def draw_advice(advice: Advice, table: Table, dialogs: ui.element) -> None:
    """One line: which hint of how many, the move, its worth; and why, on request, as one of the dialogs."""
    options, shown = advice.options(), advice.shown
    count = f"{say('hint')} {advice.at + 1}/{len(options)}"
    drawn = move_html(advice.game, shown.move, language(), advice.level)
    worth = bar_html(shown, advice.decision.value_unit, options) + numbers_html(shown, advice.decision.value_unit)
    with ui.element("div").classes("mp-advice").mark("advice"):
        ui.html(f"<span>{html.escape(count)}</span>{drawn}{worth}", sanitize=False).classes("line")
        why = ui.button(icon="help_outline", on_click=lambda: _explain(advice, table, dialogs))
        why.props(f'flat dense round color=white aria-label="{say("reasons")}"').mark("why")


def _explain(advice: Advice, table: Table, dialogs: ui.element) -> None:
    words = seat_words(table.state, table.seat, language())
    with dialogs, dialog(say("reasons")), ui.card().classes("mp-why-card"):
        ui.label(say("reasons")).classes("mp-h")
        show_decision(advice.decision, table.view, words, with_belief=False)
