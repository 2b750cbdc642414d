"""What is carried from round to round: the teams' levels, failures at A, and the order of finishing for tribute."""

from collections.abc import Mapping, Sequence
from typing import Any

from mingpai._native import guandan as native
from mingpai.core.errors import BadlyWritten, BadSetting
from mingpai.core.game import Match, Setup, State
from mingpai.core.random import seed_of
from mingpai.games.guandan import notation
from mingpai.games.guandan.rules import SEATS, rules_of
from mingpai.games.guandan.state import GuandanState, deal

OPEN, EVEN, ODD, DRAW = range(4)
"""Results of a match: not over, won by seats 0 and 2, by seats 1 and 3, drawn."""


class GuandanMatch(Match):
    """A match from level 2 to beyond A (RULES.md, clause 8), or a fixed number of rounds, whichever ends first."""

    def __init__(self, seed: int, rules: str, rounds: int | None, levels: Sequence[str]) -> None:
        self._seed = seed
        self._rules = rules_of(rules).name
        self._rounds = rounds
        self._start_levels = tuple(levels)
        self._orders: list[list[int]] = []
        self._points = [0.0] * SEATS
        self.native = native.Match(self._rules, *map(notation.parse_level, levels))
        """Levels, failures, result."""

    @property
    def is_over(self) -> bool:
        return self.native.is_over or (self._rounds is not None and self.native.rounds >= self._rounds)

    @property
    def levels(self) -> tuple[str, str]:
        """Levels of seats 0 and 2, and of seats 1 and 3."""
        return notation.RANKS[self.native.level(0)], notation.RANKS[self.native.level(1)]

    def next_deal(self) -> GuandanState:
        if self.is_over:
            raise BadSetting("rounds", self._rounds, "more rounds: the match is over")
        setup: dict[str, Any] = {"level": notation.RANKS[self.native.round_level]}
        if self._orders:
            setup["previous"] = self._orders[-1]
        return deal(seed_of(self._seed, "match", self.native.rounds), self._rules, setup)

    def finish(self, state: State) -> None:
        assert isinstance(state, GuandanState)
        self._points = [total + won for total, won in zip(self._points, state.points(), strict=True)]
        self._record(state.native.order)

    def _record(self, order: Sequence[int]) -> None:
        self._orders.append(list(order))
        self.native.record(list(order))

    def scores(self) -> Sequence[float]:
        """Per seat: the team's level from 2 to A as 2 to 14, and 15 for the winner of the match."""
        steps = [notation.RANKS.index(level) + 1 for level in self.levels]
        values = [14 if step == 1 else step for step in steps]
        if self.native.result in (EVEN, ODD):
            values[self.native.result - EVEN] = 15
        return [float(values[seat % 2]) for seat in range(SEATS)]

    def points(self) -> Sequence[float]:
        """Per seat: sum of the round scores."""
        return tuple(self._points)

    def standings(self) -> Sequence[int]:
        """The winners of the match are first; before its end the higher level, then the round scores."""
        rank = list(zip(self.scores(), self._points, strict=True))
        if self.native.result == DRAW:
            rank = [(0.0, 0.0)] * SEATS
        return [1 + sum(other > own for other in rank) for own in rank]

    def to_json(self) -> dict[str, Any]:
        return {
            "seed": self._seed,
            "rules": self._rules,
            "rounds": self._rounds,
            "levels": list(self._start_levels),
            "orders": [list(order) for order in self._orders],
            "points": list(self._points),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "GuandanMatch":
        try:
            rounds = None if data["rounds"] is None else int(data["rounds"])
            match = cls(int(data["seed"]), str(data["rules"]), rounds, [str(level) for level in data["levels"]])
            for order in data["orders"]:
                match._record([int(seat) for seat in order])
            match._points = [float(points) for points in data["points"]]
        except (KeyError, TypeError, ValueError) as error:
            raise BadlyWritten(dict(data), f"a match as to_json writes it: {error}") from None
        if len(match._points) != SEATS:
            raise BadlyWritten(data["points"], "points of each seat")
        return match


def new_match(seed: int, rules: str = "", settings: Setup | None = None) -> GuandanMatch:
    """Settings: `rounds` (end after so many; without it a whole match) and `levels` (of both teams, "22")."""
    given = dict(settings or {})
    rounds = given.pop("rounds", given.pop("deals", None))
    levels = given.pop("levels", "22")
    if given:
        raise BadSetting("match settings", given, "rounds and levels only")
    if rounds is not None and (not isinstance(rounds, int) or isinstance(rounds, bool) or rounds < 1):
        raise BadSetting("rounds", rounds, "a number of rounds, 1 or more")
    if len(levels) != 2:
        raise BadSetting("levels", levels, "two levels, of seats 0 and 2 and of seats 1 and 3")
    return GuandanMatch(seed, rules, rounds, [str(level) for level in levels])
