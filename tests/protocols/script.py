"""An agent that plays what a test wrote down."""

from typing import Any

from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Decision
from mingpai.core.game import View


class Script(Agent[NoSettings]):
    """Plays the texts it was given, in order, and keeps the views that it was asked about and what it was told."""

    has_memory = True

    def __init__(self, *moves: str) -> None:
        super().__init__(NoSettings(), game="any", spec="script")
        self.moves = list(moves)
        self.views: list[Any] = []
        self.results: list[list[float]] = []
        self.shown: list[str] = []

    def decide(self, view: View) -> Decision:
        self.views.append(view)
        return Decision(view.game.parse_move(self.moves.pop(0), view), agent=self.spec)

    def observe(self, event: Any) -> None:
        if event.kind == "show":
            self.shown.append(f"{event.seat} {event.text}")

    def end_deal(self, points: Any) -> None:
        self.results.append(list(points))
