"""How much risk the places of a tournament make reasonable, by the opponents, the chips and the hands that are left.

Who is ruined falls behind everybody still in: the more they are, the more ruin is feared. Who lasts to the end is
ranked by chips. The chance to be ahead of the richest opponent then is normal in the lead to come, which means an
aversion of that lead by its variance: below zero for who is behind. The aversion of a place is the mean of both, each
weighed by the places that a chip changes by it.
"""

import math
from dataclasses import dataclass

from mingpai._native import holdem as native

SEVERAL = 3
"""Seats from which on places are more than winning or losing."""
CROWD = 1.0
"""How much more ruin is feared for every opponent after the first."""
LASTING = 100.0
"""Big blinds that make the chance to be ruined e times smaller."""
DRIFT = 0.3
"""Big blinds that a hand is taken to bring."""
SPREAD = 12.0
"""Standard deviation of what a hand brings, in big blinds."""
BOLDEST = -0.04
"""No aversion by big blind is below this: fifty big blinds are then risked where the chance is one in eight."""


@dataclass(frozen=True)
class Standing:
    """Where a seat stands before a hand, chips in big blinds."""

    own: float
    richest: float
    """The most that an opponent has."""
    others: int
    """Opponents still in."""
    left: int
    """Hands to come, this one included; 0 where nobody knows."""

    @classmethod
    def at(cls, table: native.Table, seat: int, left: int) -> "Standing":
        """The standing of a seat dealt in at a table."""
        stacks, blind = table.starting_stacks, max(table.big_blind, 1)
        others = [stacks[other] / blind for other in table.dealt_seats if other != seat]
        return cls(stacks[seat] / blind, max(others), len(others), left)

    def aversion(self, ruin: float) -> float:
        """Aversion to risk by big blind, where `ruin` is what the fear of ruin by one opponent asks for."""
        ruin *= 1 + CROWD * (self.others - 1)
        if self.left <= 0:
            return ruin
        spread = SPREAD * math.sqrt(self.left)
        lead = ((self.own - self.richest) / 2 + DRIFT * self.left) / spread
        by_ruin = self.others * math.exp(-self.own / LASTING) / LASTING
        by_lead = math.exp(-0.5 * lead**2) / math.sqrt(2 * math.pi) / spread
        return max((by_ruin * ruin + by_lead * lead / spread) / (by_ruin + by_lead), BOLDEST)
