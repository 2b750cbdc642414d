"""Rule profiles by name: the switches of RULES.md section 10."""

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mingpai._native import holdem as native
from mingpai.core.errors import BadlyWritten, BadSetting

Chips = int | Fraction
"""An amount: whole chips, or a fraction where the rules divide chips."""

FINE_UNIT = 2520
"""Units in a chip where chips are divided: divisible by every number of winners up to ten."""

MAX_SEATS = 10

MOST_CHIPS = 10**12
"""Of a stack, a blind or a bet: the native core counts a table's chips in 64 bits, divided into units."""


@dataclass(frozen=True)
class Rules:
    """A rule profile: its name and its switches. Numbers in brackets are clauses of RULES.md."""

    name: str
    """As written in records."""
    split: native.Split
    """What happens to odd chips (8.5)."""
    unit: int = 1
    """Units in a chip: more than one where chips are divided."""
    short_opening_reopens: bool = False
    """Whether an all-in opening below the least bet lets those who have acted raise again (5.7)."""
    posted_blind_counts: bool = False
    """Whether a short big blind is called for what was posted, not for the full blind (3.5)."""
    small_blind_only_heads_up: bool = False
    """Whether heads-up the seat without the button posts the only blind, a small one (3.4)."""
    may_fold_unbet: bool = False
    """Whether a seat may fold where it could check (5.2)."""
    is_always_open: bool = False
    """Whether everybody may always raise again, whatever was raised before (5.7)."""

    @functools.cached_property
    def native(self) -> native.TableRules:
        return native.TableRules(
            self.split,
            self.unit,
            self.short_opening_reopens,
            self.posted_blind_counts,
            self.small_blind_only_heads_up,
            self.may_fold_unbet,
            self.is_always_open,
        )

    def to_json(self) -> dict[str, Any]:
        """Every switch, as stored in records."""
        return {
            "name": self.name,
            "split": self.split.name.lower(),
            "unit": self.unit,
            "short_opening_reopens": self.short_opening_reopens,
            "posted_blind_counts": self.posted_blind_counts,
            "small_blind_only_heads_up": self.small_blind_only_heads_up,
            "may_fold_unbet": self.may_fold_unbet,
            "is_always_open": self.is_always_open,
        }

    def to_chips(self, units: int) -> Chips:
        """An amount of the native core in chips."""
        if self.unit == 1:
            return units
        chips = Fraction(units, self.unit)
        return chips.numerator if chips.denominator == 1 else chips

    def to_units(self, chips: Chips) -> int:
        """An amount for the native core. Raises BadlyWritten where the rules do not divide chips that far."""
        if chips > MOST_CHIPS:
            raise BadlyWritten(chips, f"at most {MOST_CHIPS} chips")
        units = chips * self.unit
        if units != int(units):
            raise BadlyWritten(str(chips), f"whole chips (rules {self.name})")
        return int(units)


_PROFILES = (
    Rules("standard", native.Split.BY_SEAT),
    Rules("acpc", native.Split.BY_SEAT, unit=FINE_UNIT, is_always_open=True),
    Rules(
        "huawei2015", native.Split.DISCARDED, small_blind_only_heads_up=True, may_fold_unbet=True, is_always_open=True
    ),
    Rules("botzone", native.Split.BY_SEAT, may_fold_unbet=True),
    Rules("pokerkit", native.Split.FIRST, short_opening_reopens=True, posted_blind_counts=True),
)

PROFILES: tuple[str, ...] = tuple(rules.name for rules in _PROFILES)
"""The named profiles, the default first."""

_BY_NAME = {rules.name: rules for rules in _PROFILES}


def rules_of(name: str = "") -> Rules:
    """The profile of a name; an empty name means the default."""
    rules = _BY_NAME.get(name.strip().lower() or PROFILES[0])
    if rules is None:
        raise BadSetting("rules", name, f"one of {', '.join(PROFILES)}")
    return rules


@dataclass(frozen=True)
class Schedule:
    """Rising blinds of a tournament (9.6)."""

    hands: int
    """Hands of each level."""
    times: tuple[int, ...]
    """How many times the first blinds are paid, level by level; the last level stays."""


_TIMES = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 80, 100)

SCHEDULES = {"slow": Schedule(20, _TIMES), "fast": Schedule(8, _TIMES)}
"""The declared schedules by name."""


def times_of(schedule: str, played: int) -> int:
    """How many times the first blinds are paid after so many hands."""
    declared = SCHEDULES[schedule]
    return declared.times[min(played // declared.hands, len(declared.times) - 1)]
