"""What is carried from hand to hand: stacks, rebuys, the button; who is out, and the places (RULES.md section 9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from mingpai.core.errors import BadlyWritten, BadSetting
from mingpai.core.game import Match, Setup, State
from mingpai.core.random import seed_of
from mingpai.core.reading import bounded
from mingpai.games.holdem.rules import MAX_SEATS, SCHEDULES, Chips, rules_of, times_of
from mingpai.games.holdem.state import (
    DEFAULT_BLINDS,
    DEFAULT_CHIPS,
    DEFAULT_SEATS,
    HoldemState,
    chips_json,
    deal,
    parse_blinds,
    parse_chips,
)

Format = Literal["tournament", "cash", "reset"]
"""Tournament: places by survival. Cash: buy in again without limit. Reset: every hand from the same stacks."""

DEFAULT_HANDS = 600


@dataclass(frozen=True)
class MatchSettings:
    """How a match is played."""

    seats: int = DEFAULT_SEATS
    format: Format = "tournament"
    hands: int = DEFAULT_HANDS
    """At most so many."""
    chips: Chips = DEFAULT_CHIPS
    """Of each seat at the start, and of each buy-in of a cash game."""
    rebuy: Chips = 0
    """Chips of one rebuy in a tournament; 0 for none."""
    rebuys: int = 1
    """How many, if `rebuy` is not 0."""
    blinds: tuple[Chips, Chips] = DEFAULT_BLINDS
    ante: Chips = 0
    schedule: str = ""
    """Name of the schedule by which blinds and ante rise (9.6); empty: they stay."""

    def rise(self, played: int) -> int:
        """How many times the blinds of the start are paid after so many hands."""
        return times_of(self.schedule, played) if self.schedule else 1

    @classmethod
    def parse(cls, settings: Setup | None) -> "MatchSettings":
        given = dict(settings or {})
        known = "seats, format, hands, chips, rebuy, rebuys, blinds, ante, schedule"
        unknown = set(given) - set(known.split(", "))
        if unknown:
            raise BadSetting("match settings", ", ".join(sorted(map(str, unknown))), known)
        made = cls(
            seats=_number(given, "seats", DEFAULT_SEATS, 2, MAX_SEATS),
            format=given.get("format", "tournament"),
            hands=_number(given, "hands", DEFAULT_HANDS, 1, 10**9),
            chips=parse_chips(given.get("chips", DEFAULT_CHIPS), "chips"),
            rebuy=parse_chips(given.get("rebuy", 0), "rebuy"),
            rebuys=_number(given, "rebuys", 1, 0, 10**6),
            blinds=parse_blinds(given.get("blinds", DEFAULT_BLINDS)),
            ante=parse_chips(given.get("ante", 0), "ante"),
            schedule=given.get("schedule", ""),
        )
        if made.schedule != "" and made.schedule not in SCHEDULES:
            raise BadSetting("schedule", made.schedule, f"one of {', '.join(SCHEDULES)}, or empty")
        if made.format not in get_args(Format):
            raise BadSetting("format", made.format, f"one of {', '.join(get_args(Format))}")
        if made.chips <= 0:
            raise BadSetting("chips", str(made.chips), "a positive number of chips")
        return made

    def to_json(self) -> dict[str, Any]:
        return {
            "seats": self.seats,
            "format": self.format,
            "hands": self.hands,
            "chips": chips_json(self.chips),
            "rebuy": chips_json(self.rebuy),
            "rebuys": self.rebuys,
            "blinds": [chips_json(blind) for blind in self.blinds],
            "ante": chips_json(self.ante),
        } | ({"schedule": self.schedule} if self.schedule else {})


def _number(given: Mapping[str, Any], name: str, default: int, least: int, most: int) -> int:
    value = given.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadSetting(name, value, f"a whole number from {least} to {most}")
    return value


@dataclass
class Seatholder:
    """One seat in the course of a match."""

    stack: Chips
    rebuys: int = 0
    """Rebuys left."""
    bought: Chips = 0
    """Chips bought in, the first stack included."""
    hands: int = 0
    """Hands it was dealt in."""
    swings: Chips = 0
    """Volatility F: sum of squared stack changes from hand to hand."""
    curve: list[Chips] = field(default_factory=list)
    """Chips won or lost since the start, after each hand."""


class HoldemMatch(Match):
    """A number of hands at one table."""

    def __init__(self, seed: int, rules: str, settings: MatchSettings) -> None:
        self._seed = seed
        self._rules = rules_of(rules)
        self.settings = settings
        rebuys = settings.rebuys if settings.rebuy > 0 and settings.format == "tournament" else 0
        chips = settings.chips
        self.holders = [Seatholder(chips, rebuys, chips) for _ in range(settings.seats)]
        self._button = 0
        self._played = 0

    @property
    def played(self) -> int:
        """Hands finished."""
        return self._played

    @property
    def is_over(self) -> bool:
        alive = sum(self._is_alive(holder) for holder in self.holders)
        return self._played >= self.settings.hands or alive < 2

    @property
    def _rise(self) -> int:
        return self.settings.rise(self._played)

    def _is_alive(self, holder: Seatholder) -> bool:
        return self.settings.format != "tournament" or holder.stack > 0 or holder.rebuys > 0

    def next_deal(self) -> HoldemState:
        if self.is_over:
            raise BadSetting("hands", self.settings.hands, "more hands: the match is over")
        stacks = self._stacks_before_deal()
        setup = {
            "stacks": [chips_json(stack) for stack in stacks],
            "button": self._next_with_chips(self._button, stacks),
            "blinds": [chips_json(blind * self._rise) for blind in self.settings.blinds],
            "ante": chips_json(self.settings.ante * self._rise),
        }
        return deal(seed_of(self._seed, "hand", self._played), self._rules.name, setup)

    def _stacks_before_deal(self) -> list[Chips]:
        """9.2, 9.5: stacks after rebuys. Does not change the match."""
        big = self.settings.blinds[1] * self._rise
        stacks = []
        for holder in self.holders:
            stack = holder.stack
            if self.settings.format == "reset":
                stack = self.settings.chips
            elif self.settings.format == "cash":
                stack = stack if stack > 0 else self.settings.chips
            else:
                left = holder.rebuys
                while stack < big and left > 0:
                    stack, left = stack + self.settings.rebuy, left - 1
            stacks.append(stack)
        return stacks

    @staticmethod
    def _next_with_chips(button: int, stacks: Sequence[Chips]) -> int:
        return next(
            seat % len(stacks) for seat in range(button, button + len(stacks)) if stacks[seat % len(stacks)] > 0
        )

    def finish(self, state: State) -> None:
        assert isinstance(state, HoldemState)
        before, payoffs = state.starting_stacks, state.payoffs()
        for holder, stack, payoff in zip(self.holders, before, payoffs, strict=True):
            if self.settings.format == "tournament" and stack > holder.stack:
                holder.rebuys -= int((stack - holder.stack) // self.settings.rebuy)
            holder.bought += max(0, stack - holder.stack) if self.settings.format != "reset" else 0
            holder.stack = stack + payoff if self.settings.format != "reset" else holder.stack + payoff
            holder.hands += stack > 0
            holder.swings += payoff * payoff
            holder.curve.append(holder.stack - holder.bought)
        after = [stack + payoff for stack, payoff in zip(before, payoffs, strict=True)]
        self._played += 1
        alive = after if self.settings.format == "tournament" else [1] * len(after)
        reserve = [stack or holder.rebuys for stack, holder in zip(alive, self.holders, strict=True)]
        if any(reserve):
            self._button = self._next_with_chips(state.button + 1, reserve)

    def scores(self) -> Sequence[float]:
        """Chips won since the start: the stack minus what was bought."""
        return [float(holder.stack - holder.bought) for holder in self.holders]

    def standings(self) -> Sequence[int]:
        keys = [self._key(holder) for holder in self.holders]
        return [1 + sum(other > key for other in keys) for key in keys]

    def facts(self) -> Mapping[str, Sequence[float]]:
        """Hands dealt in, and the volatility F."""
        hands = [float(holder.hands) for holder in self.holders]
        return {"hands": hands, "volatility": [float(holder.swings) for holder in self.holders]}

    def _key(self, holder: Seatholder) -> tuple[float, float]:
        if self.settings.format == "tournament":
            return float(holder.hands), float(holder.stack + holder.rebuys * self.settings.rebuy)
        return 0.0, float(holder.stack - holder.bought)

    def to_json(self) -> dict[str, Any]:
        return {
            "seed": self._seed,
            "rules": self._rules.name,
            "settings": self.settings.to_json(),
            "played": self._played,
            "button": self._button,
            "seats": [
                {
                    "stack": chips_json(holder.stack),
                    "rebuys": holder.rebuys,
                    "bought": chips_json(holder.bought),
                    "hands": holder.hands,
                    "swings": chips_json(holder.swings),
                    "curve": [str(chips) for chips in holder.curve],
                }
                for holder in self.holders
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "HoldemMatch":
        try:
            match = cls(int(data["seed"]), str(data["rules"]), MatchSettings.parse(data["settings"]))
            match._played, match._button = int(data["played"]), int(data["button"])
            for holder, seat in zip(match.holders, data["seats"], strict=True):
                holder.stack = parse_chips(seat["stack"], "stack")
                holder.rebuys, holder.hands = int(seat["rebuys"]), int(seat["hands"])
                holder.bought = parse_chips(seat["bought"], "bought")
                holder.swings = parse_chips(seat["swings"], "swings")
                holder.curve = [_signed(chips) for chips in seat["curve"]]
        except (KeyError, TypeError, ValueError) as error:
            raise BadlyWritten(dict(data), f"a match as to_json writes it: {error}") from None
        return match


def _signed(value: object) -> Chips:
    text = bounded(value, "curve")
    return -parse_chips(text[1:], "curve") if text.startswith("-") else parse_chips(text, "curve")


def new_match(seed: int, rules: str = "", settings: Setup | None = None) -> HoldemMatch:
    """Settings: seats, format, hands, chips, rebuy, rebuys, blinds, ante, schedule."""
    return HoldemMatch(seed, rules, MatchSettings.parse(settings))
