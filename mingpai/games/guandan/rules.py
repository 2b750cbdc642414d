"""Rule profiles by name. The switches and what they mean are clause 9 of RULES.md."""

from dataclasses import asdict, dataclass
from typing import Any

from mingpai._native import guandan as native
from mingpai.core.errors import BadSetting

PROFILES: tuple[str, ...] = tuple(native.profile_names())
"""The named profiles, the default first."""

DEFAULT = PROFILES[0]
SEATS = 4
HAND_CARDS = 27


@dataclass(frozen=True)
class Rules:
    """A profile: every point on which public programs disagree."""

    name: str
    round_level: str
    """Level of a round: of the "higher" team, or of the last "winners"."""
    win_at_a: str
    """What wins the match at A: "partner-not-last" or "first-and-second"."""
    fail_at_a: str
    """What counts as a failure at A: any own round "not-won", or only a win with the "partner-last"."""
    failures: int
    """This many failures at A send a team back to 2."""
    demotions: int
    """This many demotions of both teams draw the match; 0 for never."""
    pairing: str
    """Who pays the first in a double tribute: the "higher-card", or the "seat" after him."""
    tie_leads: str
    """Who leads after equal tributes: the "payer-of-first" or the "last-in-order"."""
    no_return: str
    """Without a card that the rule allows, the "lowest" is given back, or "any"."""
    wild_straight: str
    """Suited cards in sequence with a wild one: a straight "flush" only, or "either" that or a plain straight."""

    def to_json(self) -> dict[str, Any]:
        """Every switch, as stored in records."""
        return asdict(self)


def rules_of(name: str = "") -> Rules:
    """The profile of a name; an empty name means the default."""
    name = name.strip().lower() or DEFAULT
    if name not in PROFILES:
        raise BadSetting("rules", name, f"one of {', '.join(PROFILES)}")
    return Rules(name, *native.profile_switches(name))
