"""Recorded rounds seen through ABL-GD: one position explained (figure 4), agreement with what was played (table 6)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai._native import guandan as native
from mingpai.core.decision import Decision
from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.games.guandan import GAME
from mingpai.games.guandan.features import KINDS, counts
from mingpai.games.guandan.state import GuandanState
from mingpai.games.guandan.view import GuandanView
from mingpai.methods.abduction.agent import AblgdAgent
from mingpai.methods.abduction.belief import EstimateBelief
from mingpai.methods.abduction.duel import CONFIDENCE
from mingpai.methods.abduction.knowledge import Ruled, ruled_out
from mingpai.methods.abduction.runtime import SCORES
from mingpai.records.record import Record
from mingpai.records.replay import positions

STEPS = (30, 20, 10, 5, 1)
"""Plays before the end that table 6 has a row for, besides the first play of a round."""
TOGETHER = 256
"""Positions that the network reads at once."""


@dataclass(frozen=True)
class Explained:
    """A position of a record: what the agent believes and does, and what was so and was done."""

    number: int
    """Of the move in the record, from 1."""
    moves: int
    """Moves of the record."""
    view: GuandanView
    decision: Decision
    played: str
    truth: Mapping[int, NDArray[np.float32]]
    """Copies of each kind that each other seat really held."""

    def ruled_out(self) -> list[Ruled]:
        """Every hard rule, and how many pseudo-actions, or cards of the exchange, it rules out here."""
        return ruled_out(self.view.native)

    def estimated(self) -> dict[int, NDArray[np.float64]]:
        """Other seat -> estimated copies of each kind; empty outside the tricks."""
        belief = self.decision.belief
        if not isinstance(belief, EstimateBelief):
            return {}
        return dict(zip(belief.others(), belief.estimate.reshape(-1, KINDS), strict=True))

    def to_json(self) -> dict[str, Any]:
        return {"at": self.number, "moves": self.moves, "seat": self.view.seat, "played": self.played,
                "hard_rules": {one.rule.name: one.count for one in self.ruled_out()},
                "decision": self.decision.to_json()}  # fmt: skip


def explain(record: Record, at: int, agent: AblgdAgent) -> Explained:
    """Move number `at` of a record, from 1."""
    moves = [(state.copy(), seat, move) for state, seat, move in positions(record, GAME)]
    if not 1 <= at <= len(moves):
        raise BadSetting("--at", at, f"a move of the record, 1 to {len(moves)}")
    state, seat, move = moves[at - 1]
    assert isinstance(state, GuandanState)
    view = state.view(seat)
    truth = {other: counts(state.hand(other)) for other in range(4) if other != seat}
    return Explained(at, len(moves), view, agent.decide(view), str(move), truth)


@dataclass(frozen=True)
class RecordedChoice:
    """A recorded decision among more than one pseudo-action, as the agent sees it."""

    round: int
    """Number of the round among the records, from 0."""
    left: int
    """Plays to the end of the round, this one included."""
    first: bool
    """Whether it is the first play of the round."""
    agrees: bool
    """The likeliest pseudo-action has the type and rank of the recorded play."""
    score_agrees: bool
    """The likeliest final score is the recorded one."""


@dataclass(frozen=True)
class Agreement:
    """Shares of agreement over some decisions, with standard errors over rounds."""

    decisions: int
    action: float
    score: float
    action_error: float
    score_error: float


@dataclass(frozen=True)
class _Recorded:
    """A recorded play and where it stood."""

    seen: native.Round
    """The round as the mover saw it."""
    move: native.Play
    round: int
    left: int
    first: bool
    points: int
    """What the mover's team won in the round."""


def evaluate(records: Iterable[Record], agent: AblgdAgent) -> Iterator[RecordedChoice]:
    """Every decision of finished rounds, in order."""
    waiting: list[_Recorded] = []
    for number, record in enumerate(records):
        waiting += _choices(record, number)
        while len(waiting) >= TOGETHER:
            yield from _ask(waiting[:TOGETHER], agent)
            waiting = waiting[TOGETHER:]
    if waiting:
        yield from _ask(waiting, agent)


def _choices(record: Record, number: int) -> Iterator[_Recorded]:
    """The plays of a finished round that had more than one pseudo-action."""
    if record.void is not None or record.points is None:
        return
    steps = list(_plays(record))
    for at, (seen, seat, move) in enumerate(steps):
        if int(seen.legal_mask().sum()) > 1:
            yield _Recorded(seen, move, number, len(steps) - at, at == 0, round(record.points[seat]))


def _plays(record: Record) -> Iterator[tuple[native.Round, int, native.Play]]:
    """Plays of the tricks: the round as the mover sees it, the seat, the play."""
    for state, seat, move in positions(record, GAME):
        assert isinstance(state, GuandanState)
        if state.native.phase == native.PHASE_PLAY:
            if not isinstance(move, native.Play):
                raise MingpaiError(f"{move!r} is no play")
            yield state.native.blinded(seat), seat, move


def _ask(items: Sequence[_Recorded], agent: AblgdAgent) -> Iterator[RecordedChoice]:
    readings = agent.runtime.read([item.seen for item in items])
    for item, reading in zip(items, readings, strict=True):
        likeliest = native.shape_of(int(reading.pseudo[int(np.argmax(reading.chances))]))
        agrees = likeliest[:2] == native.shape_of(item.move.pseudo)[:2]
        score = SCORES[int(np.argmax(reading.scores))]
        yield RecordedChoice(item.round, item.left, item.first, agrees, score == item.points)


def by_stage(choices: Sequence[RecordedChoice]) -> dict[str, Agreement]:
    """Table 6: at the first play, so many plays before the end, and over all decisions."""
    parts: dict[str, list[RecordedChoice]] = {"-max": [one for one in choices if one.first]}
    parts |= {f"-{n}": [one for one in choices if one.left == n] for n in STEPS}
    parts["all"] = list(choices)
    return {name: agreement(part) for name, part in parts.items()}


def agreement(choices: Sequence[RecordedChoice]) -> Agreement:
    """Shares over some decisions; a round is the unit of the errors, for its decisions are not independent."""
    rounds = np.array([one.round for one in choices], np.int64)
    action, action_error = _share(np.array([one.agrees for one in choices], np.float64), rounds)
    score, score_error = _share(np.array([one.score_agrees for one in choices], np.float64), rounds)
    return Agreement(len(choices), action, score, action_error, score_error)


def _share(hits: NDArray[np.float64], rounds: NDArray[np.int64]) -> tuple[float, float]:
    """A share and its standard error over rounds; not a number where there is none. All or nothing: rule of three."""
    units = len(np.unique(rounds))
    if units < 2:
        return float(hits.mean()) if units else float("nan"), float("nan")
    if hits.all() or not hits.any():
        return float(hits.mean()), 3 / (CONFIDENCE * units)
    apart = np.bincount(rounds, weights=hits - hits.mean())
    return float(hits.mean()), float(np.sqrt((apart**2).sum() * units / (units - 1)) / len(hits))
