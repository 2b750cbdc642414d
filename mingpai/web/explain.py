"""A Decision on a page: candidates with bars, reasons, the belief as a heat map."""

import html

from nicegui import ui

from mingpai.core.decision import Decision
from mingpai.web.frame import language, say


def show_decision(decision: Decision, most: int = 8) -> None:
    """Candidates, reasons and belief."""
    ui.label(f"{decision.agent}: {decision.move}").classes("text-subtitle1 text-weight-bold").mark("decision")
    for reason in decision.reasons:
        ui.label(reason.render(language()))
    if decision.candidates:
        ui.label(say("candidates")).classes("text-subtitle2")
        values = [c.value for c in decision.candidates if c.value is not None]
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        for candidate in decision.candidates[:most]:
            share = candidate.probability if candidate.value is None else (candidate.value - low) / ((high - low) or 1)
            with ui.row().classes("items-center w-full no-wrap gap-2"):
                ui.label(str(candidate.move)).classes("mp-move")
                ui.html(f'<div class="mp-bar" style="width: {120 * (share or 0):.0f}px"></div>', sanitize=False)
                ui.label(_numbers(candidate.value, candidate.probability, candidate.visits)).classes("text-caption")
    if decision.belief is not None:
        ui.label(say("belief")).classes("text-subtitle2")
        ui.html(heat_html(decision), sanitize=False).classes("w-full")


def heat_html(decision: Decision) -> str:
    """The belief as a table: seats by cards, darker where more copies are expected."""
    assert decision.belief is not None
    marginals = decision.belief.marginals()
    cards = list(dict.fromkeys(card for row in marginals.values() for card in row))[:60]
    head = "".join(f"<th>{html.escape(card)}</th>" for card in cards)
    rows = []
    for seat, row in marginals.items():
        most = max(max(row.values(), default=0.0), 1e-9)
        cells = "".join(_heat_cell(row.get(card, 0.0), most) for card in cards)
        rows.append(f"<tr><th>{html.escape(seat)}</th>{cells}</tr>")
    return f'<div class="mp-scroll"><table class="mp-heat"><tr><th></th>{head}</tr>{"".join(rows)}</table></div>'


def _heat_cell(amount: float, most: float) -> str:
    return f'<td style="background: rgba(255, 152, 0, {amount / most:.2f})">{amount:.2f}</td>'


def _numbers(value: float | None, probability: float | None, visits: int | None) -> str:
    parts = [] if value is None else [f"{value:.3f}"]
    parts += [] if probability is None else [f"p {probability:.2f}"]
    parts += [] if visits is None else [f"n {visits}"]
    return "  ".join(parts)
