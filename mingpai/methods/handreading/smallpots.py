"""How the small pots without a showdown have gone in a match, and how much risk that makes reasonable.

Who wins small pots steadily has time: with a drift m and a variance v a hand, the chance to be ruined falls with the
chips as exp(-2 m chips / v), so every large gamble costs. Who loses them must gamble. Small pots tell soon: their
results spread by one or two big blinds, those of all hands by ten.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mingpai._native import holdem as native

SMALL = 6.0
"""Big blinds won or lost up to which a pot is small."""
LOSING, USUAL, STEADY = -0.30, 0.10, 0.25
"""Big blinds a hand: up to where risk is avoided least, what an unknown match is taken to bring, and from where on risk
is avoided most."""
PRIOR_HANDS = 40
"""Hands that this is worth before any is seen."""


@dataclass
class SmallPots:
    """Small pots seen: hands, and big blinds won in them."""

    hands: int = 0
    won: float = 0.0

    def see(self, blinds: float) -> None:
        """A hand has won or lost so many big blinds."""
        if abs(blinds) <= SMALL:
            self.hands += 1
            self.won += blinds

    @property
    def drift(self) -> float:
        """Big blinds that a small pot wins on average, as far as known."""
        return (PRIOR_HANDS * USUAL + self.won) / (PRIOR_HANDS + self.hands)

    def aversion(self, least: float, usual: float, most: float) -> float:
        """The aversion to risk: `most` where small pots are won, `usual` at first, `least` where they are lost."""
        bounds = (min(least, usual), usual, max(most, usual))
        return float(np.interp(self.drift, (LOSING, USUAL, STEADY), bounds))

    def to_json(self) -> dict[str, float]:
        return {"hands": self.hands, "won": round(self.won, 6)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "SmallPots":
        return cls(int(data.get("hands", 0)), float(data.get("won", 0.0)))


def won_without_showdown(table: native.Table, seat: int) -> float | None:
    """Big blinds that a seat won or lost in a hand that it folded or that everybody else did; None for other hands.

    On some servers nobody tells the result of a showdown, so these are the hands whose result is always known.
    """
    if seat not in table.dealt_seats:
        return None
    blind = max(table.big_blind, 1)
    if seat not in table.live_seats:
        return (table.stacks[seat] - table.starting_stacks[seat]) / blind
    return table.payoffs()[seat] / blind if table.is_over and len(table.live_seats) == 1 else None
