"""What is carried from deal to deal: a match is a number of deals, points are added up."""

from collections.abc import Mapping, Sequence
from typing import Any

from mingpai.core.errors import BadlyWritten, BadSetting
from mingpai.core.game import Match, Setup, State
from mingpai.core.random import seed_of
from mingpai.games.doudizhu.rules import rules_of
from mingpai.games.doudizhu.state import SEATS, DoudizhuState, deal

DEFAULT_DEALS = 10


class DoudizhuMatch(Match):
    """A fixed number of deals. The first bid moves on by one seat each deal; a deal where all pass scores nothing."""

    def __init__(self, seed: int, rules: str, deals: int, setup: Setup | None) -> None:
        if setup is not None and not isinstance(setup, Mapping):
            raise BadSetting("setup", setup, "an object, as a deal takes it")
        self._seed = seed
        self._rules = rules_of(rules).name
        self._deals = deals
        self._setup = setup
        self._played = 0
        self._scores = [0.0] * SEATS

    @property
    def is_over(self) -> bool:
        return self._played >= self._deals

    def next_deal(self) -> DoudizhuState:
        if self.is_over:
            raise BadSetting("deals", self._deals, "more deals: the match is over")
        setup = self._setup
        if setup is None and rules_of(self._rules).native.bidding.value:
            setup = {"first": self._played % SEATS}
        return deal(seed_of(self._seed, "match", self._played), self._rules, setup)

    def finish(self, state: State) -> None:
        self._scores = [total + points for total, points in zip(self._scores, state.points(), strict=True)]
        self._played += 1

    def scores(self) -> Sequence[float]:
        return tuple(self._scores)

    def standings(self) -> Sequence[int]:
        return [1 + sum(other > score for other in self._scores) for score in self._scores]

    def to_json(self) -> dict[str, Any]:
        return {
            "seed": self._seed,
            "rules": self._rules,
            "deals": self._deals,
            "setup": None if self._setup is None else dict(self._setup),
            "played": self._played,
            "scores": list(self._scores),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "DoudizhuMatch":
        try:
            match = cls(int(data["seed"]), str(data["rules"]), int(data["deals"]), data["setup"])
            match._played = int(data["played"])
            match._scores = [float(score) for score in data["scores"]]
        except (KeyError, TypeError, ValueError) as error:
            raise BadlyWritten(dict(data), f"a match as to_json writes it: {error}") from None
        if len(match._scores) != SEATS:
            raise BadlyWritten(data["scores"], "one score per seat")
        return match


def new_match(seed: int, rules: str = "", settings: Setup | None = None) -> DoudizhuMatch:
    """Settings: `deals` (how many, 10 by default) and `setup` of every deal (for play without bidding)."""
    given = dict(settings or {})
    deals = given.pop("deals", DEFAULT_DEALS)
    setup = given.pop("setup", None)
    if given:
        raise BadSetting("match settings", given, "deals and setup only")
    if not isinstance(deals, int) or isinstance(deals, bool) or deals < 1:
        raise BadSetting("deals", deals, "a number of deals, 1 or more")
    return DoudizhuMatch(seed, rules, deals, setup)
