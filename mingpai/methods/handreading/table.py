"""A table as the decide stage sees it: chips and seats from one player's chair, and what his cards can become."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from mingpai._native import handreading as reading
from mingpai.methods.handreading.hands import HIGH, LOW

OUT_GAIN = 0.6
"""A card is an out if it wins at least this share of the equity still missing (equation 29)."""
OUT_SAMPLES = 200
"""Deals behind the equity after each card of the turn; after the river it is exact."""
LEAST_OUTS = 8
"""Implied odds count from here on."""


@dataclass(frozen=True)
class OwnTable:
    """What the decision depends on, apart from the ranges. Amounts in chips; seats by order of action."""

    hero: int
    hand: int
    """The combination held."""
    board: tuple[int, ...]
    street: int
    pot: float
    cost: float
    """To call; 0 when one may check."""
    stack: float
    """Behind, before the action."""
    bet: float
    """The current bet of the street."""
    own_bet: float
    """Already put in on this street."""
    min_to: float
    """Least total of a raise; 0 when there is none."""
    max_to: float
    big_blind: float
    seats: int
    raises: int
    callers: int
    live: tuple[int, ...]
    """Opponents still in the hand."""
    waiting: tuple[int, ...]
    """Opponents who act after this decision if nobody raises."""
    stacks: Mapping[int, float]
    """Chips behind of the opponents."""
    bets: Mapping[int, float]
    """Bets of the street of the opponents."""
    unit: int = 1
    """Amounts in a whole chip: raises name whole chips, or everything."""
    seed: int = 0

    def in_chips(self, to: float) -> float:
        """A total for a raise, in whole chips and within bounds."""
        least = min(math.ceil(self.min_to / self.unit) * self.unit, self.max_to)
        return min(max(math.floor(to / self.unit) * self.unit, least), self.max_to)

    @property
    def can_raise(self) -> bool:
        return self.max_to > 0

    @property
    def price(self) -> float:
        return self.cost / (self.pot + self.cost) if self.cost > 0 else 0.0

    @property
    def depth(self) -> float:
        """The stack that can be played for, in big blinds."""
        deepest = max((self.stacks[seat] + self.bets[seat] for seat in self.live), default=0.0)
        return min(self.stack + self.own_bet, deepest) / max(self.big_blind, 1e-9)


def outs(table: OwnTable) -> int:
    """Cards that win at least OUT_GAIN of the equity still missing, opponents taken as uniform (equation 29)."""
    if len(table.board) not in (3, 4):
        return 0
    hand = 1 << int(HIGH[table.hand]) | 1 << int(LOW[table.hand])
    return reading.outs(hand, sum(1 << card for card in table.board), OUT_GAIN, OUT_SAMPLES)


def improves(table: OwnTable, drawn: int) -> float:
    """Chance that one of `drawn` outs comes on the next card."""
    return drawn / (52 - 2 - len(table.board))


def chance_to_improve(table: OwnTable, drawn: int) -> float:
    """Chance that one of `drawn` outs comes by the river.

    The paper counts 50 unseen cards on the flop (29.7% for eight outs); 47 are (31.5%).
    """
    unseen, missed = 52 - 2 - len(table.board), 1.0
    for card in range(5 - len(table.board)):
        missed *= 1 - drawn / (unseen - card)
    return 1 - missed


def is_speculative(hand: int) -> bool:
    """Small and middle pairs and suited connectors."""
    high, low = int(HIGH[hand]) // 4, int(LOW[hand]) // 4
    if high == low:
        return high <= 8
    return int(HIGH[hand]) % 4 == int(LOW[hand]) % 4 and high - low <= 2 and high <= 10
