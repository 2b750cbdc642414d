"""A recorded deal to step through, and how good each move was. No drawing here."""

from dataclasses import dataclass
from typing import Any

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent
from mingpai.core.game import Seat, State
from mingpai.records.record import Record
from mingpai.records.replay import replay


@dataclass(frozen=True)
class Judgement:
    """What an agent thinks of a move that was played."""

    number: int
    seat: Seat
    played: str
    best: str
    """The agent's own choice."""
    lost: float | None
    """Value of the best candidate less that of the move played; None where the agent gives no values for both."""
    value: float | None
    """Value of the best candidate, for the side to move."""


class Film:
    """A record opened at a frame; frame n is the position after n moves."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = REGISTRY.game(record.game)
        end = replay(record, self.game)
        self.moves: list[tuple[Seat, Any]] = list(end.moves())
        self._state = self.game.start(record.deck, record.rules, record.setup)
        self._frame = 0

    @property
    def frames(self) -> int:
        """The number of the last frame."""
        return len(self.moves)

    def at(self, frame: int) -> State:
        """The state at a frame. Belongs to the film: do not change it."""
        frame = max(0, min(frame, self.frames))
        while self._frame > frame:
            self._state.undo()
            self._frame -= 1
        while self._frame < frame:
            self._state.play(self.moves[self._frame][1])
            self._frame += 1
        return self._state

    def judge(self, frame: int, agent: Agent[Any]) -> Judgement:
        """What an agent thinks of the move played at a frame."""
        seat, played = self.moves[frame]
        decision = agent.decide(self.at(frame).view(seat))
        values = {str(c.move): c.value for c in decision.candidates if c.value is not None}
        best = max(values.values(), default=None)
        mine = values.get(str(played))
        lost = None if best is None or mine is None else best - mine
        return Judgement(frame, seat, str(played), str(decision.move), lost, best)


def mistakes(judgements: list[Judgement], most: int = 5) -> list[Judgement]:
    """The moves that lost most, largest first."""
    bad = [j for j in judgements if j.lost is not None and j.lost > 0 and j.best != j.played]
    return sorted(bad, key=lambda j: -(j.lost or 0))[:most]
