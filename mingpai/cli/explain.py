"""A Decision in words and bars."""

from mingpai.cli.output import console, show
from mingpai.core.decision import Decision
from mingpai.core.reasons import Language

WORDS: dict[Language, dict[str, str]] = {
    "en": {"plays": "plays", "move": "move", "value": "value", "probability": "probability", "visits": "visits",
           "candidates": "Candidates", "belief": "What it believes of the hidden cards", "work": "work", "why": "why"},
    "zh": {"plays": "出", "move": "出牌", "value": "估值", "probability": "概率", "visits": "访问次数",
           "candidates": "候选", "belief": "对暗牌的判断", "work": "计算量", "why": "理由"},
}  # fmt: skip


MOST_CARDS = 20
"""Cards of a belief that are shown; where there are more, the likeliest."""


def show_decision(decision: Decision, language: Language = "en", most: int = 8) -> None:
    """Print the choice, the candidates, the belief and the reasons."""
    words = WORDS[language]
    console.print(f"[bold]{decision.agent}[/bold] {words['plays']} [bold green]{decision.move}[/bold green]"
                  f"  ({decision.seconds * 1000:.1f} ms)")  # fmt: skip
    for reason in decision.reasons:
        console.print(f"  {words['why']}: {reason.render(language)}")
    if decision.candidates:
        columns = (words["move"], f"{words['value']} ({decision.value_unit})", words["probability"], words["visits"])
        show(words["candidates"], columns, [
            (c.move, _cell(c.value), _cell(c.probability), "" if c.visits is None else c.visits)
            for c in decision.candidates[:most]
        ])  # fmt: skip
    if decision.belief is not None:
        console.print(words["belief"] + ":")
        for seat, row in decision.belief.marginals().items():
            likely = sorted(row.items(), key=lambda item: -item[1])[:MOST_CARDS]
            likely = likely if len(row) > MOST_CARDS else list(row.items())
            console.print(f"  {seat}: " + "  ".join(f"{card} {amount:.2f}" for card, amount in likely))
    if decision.work:
        work = ", ".join(f"{name} {amount:g}" for name, amount in decision.work.items())
        console.print(f"  {words['work']}: {work}")


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
