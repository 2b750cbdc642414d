"""What a coach says of a finished deal: how accurate each phase was, what cost most, and what open cards show."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from mingpai.core.decision import ValueUnit
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.games.guandan.notation import Phase
from mingpai.games.guandan.state import GuandanState
from mingpai.games.holdem.state import HoldemState
from mingpai.records.film import Film, Judgement

STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
PHASES = ("bidding", "exchange", "preflop", "opening", "flop", "middle", "turn", "ending", "river")
"""In the order of play; each game has some of them."""
STEEPNESS = 4.5
"""A move that loses a tenth of what a deal is about counts as exp(-0.45), two thirds of the best one."""
STAKES: dict[ValueUnit, float] = {"win": 1.0, "points": 6.0}
"""What a deal is about, in its unit; in chips it is ten big blinds."""
SEEN = 0.05
"""A move that lost less than this share, by what its player could see, was no visible mistake."""
MOST_SHOWN = 3


@dataclass(frozen=True)
class PhaseScore:
    """How one phase was played."""

    phase: str
    moves: int
    accuracy: float
    """From 0 to 1, the mean of its moves."""


@dataclass(frozen=True)
class GivenAway:
    """A move that gave a won deal away, had all cards been seen."""

    number: int
    seat: int
    was_visible: bool | None
    """Whether its player could have known better; None where nobody judged the move."""


def phase_of(film: Film, frame: int) -> str:
    """The phase of the game in which a move was made."""
    state, (_, move) = film.at(frame), film.moves[frame]
    if isinstance(state, HoldemState):
        return STREETS[len(state.board)]
    if isinstance(move, Bid):
        return "bidding"
    if isinstance(state, GuandanState) and state.phase in (Phase.TRIBUTE, Phase.RETURN):
        return "exchange"
    return ("opening", "middle", "ending")[min(2, 3 * frame // max(1, film.frames))]


def share_lost(film: Film, judged: Judgement) -> float:
    """What a move lost of what a deal is about."""
    if judged.lost is None:
        return 0.0
    state = film.at(judged.number)
    stake = 10.0 * state.blinds[1] if isinstance(state, HoldemState) else STAKES[judged.unit]
    return judged.lost / stake


def accuracy(lost: float) -> float:
    """How much of the best move a move is: 1 for nothing lost."""
    return math.exp(-STEEPNESS * max(0.0, lost))


def scores(film: Film, judgements: Sequence[Judgement]) -> list[PhaseScore]:
    """Accuracy by phase, of the moves that were a choice."""
    by_phase: dict[str, list[float]] = {}
    for judged in judgements:
        if judged.lost is not None:
            by_phase.setdefault(phase_of(film, judged.number), []).append(accuracy(share_lost(film, judged)))
    return [PhaseScore(name, len(all_), sum(all_) / len(all_)) for name in PHASES if (all_ := by_phase.get(name))]


def overall(parts: Sequence[PhaseScore]) -> float | None:
    """Accuracy of all moves; None where nothing could be judged."""
    moves = sum(part.moves for part in parts)
    return sum(part.accuracy * part.moves for part in parts) / moves if moves else None


def costliest(film: Film, judgements: Sequence[Judgement]) -> list[Judgement]:
    """The moves that lost most, at most three; none that lost next to nothing."""
    bad = [judged for judged in judgements if judged.best != judged.played and share_lost(film, judged) >= 0.02]
    return sorted(bad, key=lambda judged: -share_lost(film, judged))[:MOST_SHOWN]


def first_play(film: Film) -> int | None:
    """The frame of the first card of a deal of Dou Dizhu; None where nobody bid."""
    return next((n for n, (_, move) in enumerate(film.moves) if not isinstance(move, Bid)), None)


def given_away(film: Film, truth: Sequence[bool | None], judgements: Sequence[Judgement]) -> list[GivenAway]:
    """Where the side to move was winning with open cards and was not any more after its move.

    `truth` says for each card play, from the first on, whether the landlord wins before it.
    """
    first = first_play(film)
    end = film.at(film.frames)
    if first is None or not isinstance(end, DoudizhuState):
        return []
    verdicts = [*truth, end.landlord in film.winners]
    by_number = {judged.number: judged for judged in judgements if judged.lost is not None}
    thrown_away = []
    for play, (before, after) in enumerate(itertools.pairwise(verdicts)):
        number = first + play
        seat = film.moves[number][0]
        own = seat == end.landlord
        if before is own and after is (not own):
            judged = by_number.get(number)
            thrown_away.append(GivenAway(number, seat, None if judged is None else share_lost(film, judged) >= SEEN))
    return thrown_away
