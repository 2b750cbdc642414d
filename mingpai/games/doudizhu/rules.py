"""Rule profiles by name, with modifiers: `standard`, `douzero`, `standard+callrob`, `standard-four_pairs-triple_pair`.

The switches and what they mean are clauses of RULES.md; the values live in the native core, once.
"""

import functools
import re
from dataclasses import dataclass
from typing import Any

from mingpai._native import doudizhu as native
from mingpai._native.doudizhu import Bidding, Type
from mingpai.core.errors import BadSetting

PROFILES: tuple[str, ...] = native.profile_names()
"""The named profiles, the default first."""

DEFAULT = PROFILES[0]

TYPE_NAMES: dict[Type, str] = {Type(i): name for i, name in enumerate(native.type_names())}
"""How types of moves are written."""

TYPES_BY_NAME: dict[str, Type] = {name: type_ for type_, name in TYPE_NAMES.items()}

BIDDINGS: dict[str, Bidding] = {
    "nobid": Bidding.NONE,
    "score": Bidding.SCORE,
    "auction": Bidding.AUCTION,
    "callrob": Bidding.CALL_ROB,
}
"""The modifiers `+NAME` that change how the landlord is found (RULES.md, section 3)."""

GRAMMAR = f"PROFILE[+BIDDING][-TYPE]..., PROFILE one of {', '.join(PROFILES)}, BIDDING one of {', '.join(BIDDINGS)}"


@dataclass(frozen=True)
class Rules:
    """A profile with its modifiers."""

    name: str
    """As written in records: the profile and its modifiers."""
    native: native.Rules

    @property
    def bidding(self) -> Bidding:
        return self.native.bidding

    def to_json(self) -> dict[str, Any]:
        """Every switch, as stored in records."""
        switches = self.native
        return {
            "name": self.name,
            "types": [name for type_, name in TYPE_NAMES.items() if switches.allows(type_)],
            "same_kicker_limit": switches.same_kicker_limit,
            "beside_kicker_limit": switches.beside_kicker_limit,
            "both_jokers_as_kickers": switches.both_jokers_as_kickers,
            "same_pair_kickers": switches.same_pair_kickers,
            "bidding": next(name for name, bidding in BIDDINGS.items() if bidding == switches.bidding),
            "spring_doubles": switches.spring_doubles,
            "bombs_double": switches.bombs_double,
            "unit_score": switches.unit_score,
        }


@functools.lru_cache(maxsize=256)
def rules_of(text: str = "") -> Rules:
    """The rules a name asks for; an empty name means the default profile."""
    text = text.strip().lower() or DEFAULT
    profile, *modifiers = re.split(r"(?=[+-])", text)
    if profile not in PROFILES:
        raise BadSetting("rules", text, GRAMMAR)
    switches = native.profile(profile)
    for modifier in modifiers:
        sign, name = modifier[0], modifier[1:]
        if sign == "+" and name in BIDDINGS:
            switches = switches.with_bidding(BIDDINGS[name])
        elif sign == "-" and name in TYPES_BY_NAME and name not in ("pass", "single"):
            switches = switches.without(TYPES_BY_NAME[name])
        else:
            raise BadSetting("rules", text, GRAMMAR)
    return Rules(text, switches)
