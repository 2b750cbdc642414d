"""A recorded deal to step through, and how good each move was."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from mingpai.core.agent import Agent
from mingpai.core.decision import Decision, ValueUnit
from mingpai.core.game import Game, Seat, State, View
from mingpai.core.reasons import Reason
from mingpai.records.record import Record
from mingpai.records.replay import replay


@runtime_checkable
class Judge(Protocol):
    """An agent that can say what any move is worth, not only its own candidates."""

    def values_of(self, view: View, moves: Sequence[Any]) -> Sequence[float]:
        """What each move is worth to the seat to move, in the game's unit."""

    def open_value(self, state: State) -> float | None:
        """What a position is worth to the seat to move with all hands open; None where that cannot be told."""


CANDIDATES = 4
"""Candidates of a judge that are valued beside the move played."""
PLAYOUT_WORLDS = 8
"""Worlds played out to value a move of an agent that gives no values."""


@dataclass(frozen=True)
class Judgement:
    """What an agent thinks of a move that was played."""

    number: int
    seat: Seat
    played: str
    best: str
    """The agent's own choice."""
    lost: float | None
    """Value of the best candidate less that of the move played; None where it could not be told."""
    value: float | None
    """Value of the best candidate, for the side to move."""
    unit: ValueUnit = "win"
    open_value: float | None = None
    """Value of the position for the side to move with all hands open, from a judge that looks at them."""
    reasons: Sequence[Reason] = ()
    """Why the agent would play its own choice."""


class Film:
    """A record opened at a frame; frame n is the position after n moves."""

    def __init__(self, record: Record, game: Game) -> None:
        self.record = record
        self.game = game
        end = replay(record, self.game)
        self.moves: list[tuple[Seat, Any]] = list(end.moves())
        self.winners: frozenset[Seat] = frozenset(end.winners()) if end.is_over else frozenset()
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
        view = self.at(frame).view(seat)
        decision = agent.decide(view)
        if isinstance(agent, Judge) and len(view.legal_moves()) > 1:
            return self._judge_all(frame, view, decision, agent)
        values = {str(c.move): c.value for c in decision.candidates if c.value is not None}
        unit = decision.value_unit
        if not values and len(view.legal_moves()) > 1:
            values, unit = self._play_out(view, decision, played, agent), self.game.unit
        best = values.get(str(decision.move), max(values.values(), default=None))
        mine = values.get(str(played))
        lost = None if best is None or mine is None else max(0.0, best - mine)
        return Judgement(
            frame, seat, str(played), str(decision.move), lost, best, unit, reasons=tuple(decision.reasons)
        )

    def _judge_all(self, frame: int, view: View, decision: Decision, judge: Judge) -> Judgement:
        """Every move that matters valued in the same way; the best of them is what should have been played."""
        seat, played = self.moves[frame]
        moves = list(dict.fromkeys([decision.move, played, *(c.move for c in decision.candidates[:CANDIDATES])]))
        values = dict(zip(map(str, moves), judge.values_of(view, moves), strict=True))
        best = max(values, key=lambda move: values[move])
        lost = values[best] - values[str(played)]
        seen = judge.open_value(self.at(frame))
        why = tuple(decision.reasons) if best == str(decision.move) else ()
        return Judgement(frame, seat, str(played), best, lost, values[best], self.game.unit, seen, why)

    def result_for(self, seat: Seat, unit: ValueUnit) -> float | None:
        """How the deal ended for a seat, exactly, in a unit; None where it has not ended."""
        if self.record.points is None:
            return None
        return float(seat in self.winners) if unit == "win" else self.record.points[seat]

    def _play_out(self, view: View, decision: Decision, played: Any, agent: Agent[Any]) -> dict[str, float]:
        """Points of the agent's move and of the move played: the mean over worlds that the agent plays to the end."""
        worlds = view.sample_worlds(agent.rng(view), PLAYOUT_WORLDS)
        return {str(move): _mean_points(worlds, move, view.seat, agent) for move in {decision.move, played}}

    def is_with(self, seat: Seat, other: Seat) -> bool:
        """Whether two seats are on one side, as the end of the deal tells; at hold'em each is on his own."""
        if self.game.unit == "chips":
            return seat == other
        return (seat in self.winners) == (other in self.winners)

    def value_for(self, judged: Judgement, seat: Seat) -> float | None:
        """The value of a judged position for a seat's side, with open hands where the judge looks at them: what each
        seat hopes for from its own cards does not add up to one course of the game. None where it cannot be told."""
        value = judged.value if judged.open_value is None else judged.open_value
        if value is None or self.is_with(judged.seat, seat):
            return value
        if judged.unit == "chips":
            return None
        return 1 - value if judged.unit == "win" else -value


def _mean_points(worlds: Sequence[State], move: Any, seat: Seat, agent: Agent[Any]) -> float:
    total = 0.0
    for world in worlds:
        state = world.copy()
        state.play(move)
        while (turn := state.to_move) is not None:
            state.play(agent.decide(state.view(turn)).move)
        total += state.points()[seat]
    return total / len(worlds)


def mistakes(judgements: Sequence[Judgement], most: int = 5) -> list[Judgement]:
    """The moves that lost most, largest first."""
    bad = [j for j in judgements if j.lost is not None and j.lost > 0 and j.best != j.played]
    return sorted(bad, key=lambda j: -(j.lost or 0) / SCALES[j.unit])[:most]


SCALES: dict[ValueUnit, float] = {"win": 1.0, "points": 6.0, "chips": 1.0}
"""What a whole game is about in each unit, to put losses of different units in one order."""
