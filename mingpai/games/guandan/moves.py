"""What a seat can do: pay tribute, give a card back, play cards, pass. Plays are native values.

A play has `type` (a `Type`), `rank`, `cards` (physical), `wilds`, `level` and `arranged()`: its cards slot by slot with
the card each stands for.
"""

import copyreg
from enum import IntEnum

from mingpai._native import guandan as native
from mingpai._native.guandan import Cards, Play

__all__ = ["PASS", "PSEUDO_ACTIONS", "TYPE_NAMES", "Cards", "Play", "Type"]


class Type(IntEnum):
    """Types of plays, in the order of the pseudo-actions; then the exchange before a round."""

    SINGLE = 0
    PAIR = 1
    TRIPLE = 2
    PLATE = 3
    TUBE = 4
    FULL_HOUSE = 5
    STRAIGHT = 6
    BOMB = 7
    STRAIGHT_FLUSH = 8
    JOKER_BOMB = 9
    PASS = 10
    TRIBUTE = 11
    RETURN = 12


TYPE_NAMES: tuple[str, ...] = tuple(native.type_names())
"""How types are written, by number."""

PSEUDO_ACTIONS: int = native.PSEUDO_ACTIONS
"""Number of abstract plays (RULES.md, clause 10)."""

PASS = Play(Type.PASS, 0, Cards(), 0)
"""Playing nothing."""


def _cards(once: int, twice: int) -> Cards:
    return Cards.of_planes(once, twice)


copyreg.pickle(Cards, lambda cards: (_cards, (cards.once, cards.twice)))
copyreg.pickle(Play, lambda play: (Play, (play.type, play.rank, play.cards, play.level)))
