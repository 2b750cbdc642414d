"""The rating of the person who plays: plain Elo against the measured ratings of the opponents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from mingpai.arena.ratings import expected_score
from mingpai.core.game import Match, State

START = 1300.0
"""The rating of somebody who has not played yet."""
NEW_GAMES, NEW_STEP, STEP = 30, 40.0, 20.0
"""The rating moves faster in the first games."""
MOST_COURSE = 500
"""Ratings that are remembered for the graph."""


@dataclass(frozen=True)
class Standing:
    """How somebody stands in one game."""

    elo: float = START
    games: int = 0
    course: tuple[float, ...] = ()
    """The rating after each game, the newest last."""

    def after(self, scored: float, expected: float) -> "Standing":
        """The standing after a game: Elo moves by what was scored above what was expected."""
        elo = self.elo + (NEW_STEP if self.games < NEW_GAMES else STEP) * (scored - expected)
        return Standing(elo, self.games + 1, (*self.course, round(elo, 1))[-MOST_COURSE:])

    def to_json(self) -> dict[str, Any]:
        return {"elo": self.elo, "games": self.games, "course": list(self.course)}

    @classmethod
    def from_json(cls, data: Any) -> "Standing":
        """What `to_json` wrote; a new one where it cannot be read."""
        try:
            return cls(float(data["elo"]), int(data["games"]), tuple(map(float, data["course"])))
        except (KeyError, TypeError, ValueError):
            return cls()


def deal_score(state: State, seat: int, ratings: Mapping[int, float]) -> tuple[float, float] | None:
    """What a seat's side scored in a finished deal, and what was to be expected: a side is as good as the mean of its
    players. None where nobody won."""
    winners = set(state.winners())
    side = [other for other in range(state.seats) if (other in winners) == (seat in winners)]
    rivals = [other for other in range(state.seats) if other not in side]
    if not winners or not rivals:
        return None
    own, theirs = fmean(ratings[other] for other in side), fmean(ratings[other] for other in rivals)
    return float(seat in winners), expected_score(own, theirs)


def match_score(match: Match, seat: int, ratings: Mapping[int, float]) -> tuple[float, float]:
    """What a seat scored in a tournament: against each other player who came before whom."""
    places: Sequence[int] = match.standings()
    others = [other for other in range(len(places)) if other != seat]
    scored = [
        1.0 if places[seat] < places[other] else 0.5 if places[seat] == places[other] else 0.0 for other in others
    ]
    return fmean(scored), fmean(expected_score(ratings[seat], ratings[other]) for other in others)
