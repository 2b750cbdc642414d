"""Results of a match, deal by deal: small, exact, the same for any number of processes."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mingpai.arena.plan import Plan
from mingpai.arena.table import Sitting
from mingpai.core.errors import BadlyWritten
from mingpai.core.reading import read_mapping, read_whole

NO_WINNER = "no winner"
"""The part everybody played in a deal that nobody won."""

TIE = 0.5
"""What everybody gets when everybody won, or nobody."""


@dataclass(frozen=True)
class Play:
    """One deal or match in one seating."""

    names: tuple[str, ...]
    """How each seat was called at the end."""
    points: tuple[float, ...]
    """Per seat; empty when void."""
    winners: tuple[int, ...]
    moves: int
    """Decisions made."""
    deals: int = 1
    """Deals played: more than one in a match."""
    void: str | None = None
    """Why it does not count."""
    facts: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Of a match: the place and what else the game tells, per seat."""

    def to_json(self) -> list[Any]:
        facts = {name: list(values) for name, values in self.facts.items()}
        return [list(self.names), list(self.points), list(self.winners), self.moves, self.deals, self.void, facts]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> "Play":
        names, points, winners, moves, deals, void, facts = data
        told = {name: tuple(values) for name, values in read_mapping(facts, "facts").items()}
        return cls(tuple(names), tuple(points), tuple(winners), moves, deals, void, told)

    def won(self, seats: Sequence[int]) -> float:
        """The share of some seats that won."""
        if len(self.winners) in (0, len(self.names)):
            return TIE
        return statistics.fmean(seat in self.winners for seat in seats)


@dataclass(frozen=True)
class DealResult:
    """One deal or match in all its seatings."""

    number: int
    """Number of the deal, from 0."""
    plays: tuple[Play, ...]
    """One per seating of the plan."""
    seconds: tuple[float, ...] = ()
    """Time each side spent deciding: no part of the result."""
    decisions: tuple[int, ...] = ()
    """Decisions of each side."""

    @property
    def is_void(self) -> bool:
        return any(play.void is not None for play in self.plays)

    def to_json(self) -> dict[str, Any]:
        plays = [play.to_json() for play in self.plays]
        return {"deal": self.number, "plays": plays, "seconds": list(self.seconds), "decisions": list(self.decisions)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "DealResult":
        try:
            plays = tuple(map(Play.from_json, data["plays"]))
            return cls(read_whole(data["deal"], "deal"), plays, tuple(data["seconds"]), tuple(data["decisions"]))
        except (KeyError, TypeError, ValueError) as error:
            raise BadlyWritten(data, f"the result of a deal ({error})") from None

    def parts(self, plan: Plan, seating: int, side: int) -> list[tuple[str, float, float]]:
        """The parts a side played in a seating, each with its win and points.

        Seats that won or lost together are one part, named by both: "down+up". Seats of one side that found themselves
        opponents, which bidding may do, are parts of their own.
        """
        play, seats = self.plays[seating], seats_of(plan, seating, side)
        if not play.winners:
            return [(NO_WINNER, TIE, self.points(plan, seating, side))]
        if len({seat in play.winners for seat in seats}) > 1:
            return [(play.names[seat], play.won([seat]), play.points[seat]) for seat in seats]
        name = "+".join(sorted(play.names[seat] for seat in seats))
        return [(name, self.win(plan, seating, side), self.points(plan, seating, side))]

    def win(self, plan: Plan, seating: int, side: int) -> float:
        return self.plays[seating].won(seats_of(plan, seating, side))

    def facts(self, plan: Plan, seating: int, side: int) -> dict[str, float]:
        """Of a match: the mean over the side's seats of each thing told."""
        seats = seats_of(plan, seating, side)
        facts = self.plays[seating].facts
        return {name: statistics.fmean(values[seat] for seat in seats) for name, values in facts.items()}

    def points(self, plan: Plan, seating: int, side: int) -> float:
        """Points of a side: the sum over its seats, per seat of the smallest side (1 in Dou Dizhu, 2 in Guandan)."""
        points = self.plays[seating].points
        return sum(points[seat] for seat in seats_of(plan, seating, side)) / smallest_side(plan)


def seats_of(plan: Plan, seating: int, side: int) -> list[int]:
    return [seat for seat, player in enumerate(plan.seatings[seating]) if player == side]


def smallest_side(plan: Plan) -> int:
    return min(seating.count(side) for seating in plan.seatings for side in set(seating))


def result_of(plan: Plan, number: int, sittings: Iterable[Sitting]) -> DealResult:
    """The result of a deal from its sittings, in the order of the seatings."""
    seconds, decisions = [0.0] * len(plan.sides), [0] * len(plan.sides)
    plays = []
    for sitting in sittings:
        plays.append(_play_of(sitting))
        for seat, side in enumerate(sitting.players):
            seconds[side] += sitting.seconds[seat]
            decisions[side] += sitting.decisions[seat]
    return DealResult(number, tuple(plays), tuple(seconds), tuple(decisions))


def _play_of(sitting: Sitting) -> Play:
    last, deals, moves = sitting.records[-1], len(sitting.records), sum(sitting.decisions)
    if sitting.void is not None:
        return Play(last.seats, (), (), moves, deals, sitting.void)
    if sitting.match is None:
        assert last.points is not None
        return Play(last.seats, last.points, last.winners, moves)
    places = sitting.match.standings()
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    names = tuple(str(seat) for seat in range(len(places)))
    facts = {"place": places, **sitting.match.facts()}
    told = {name: tuple(map(float, values)) for name, values in facts.items()}
    return Play(names, tuple(map(float, sitting.match.scores())), winners, moves, deals, facts=told)
