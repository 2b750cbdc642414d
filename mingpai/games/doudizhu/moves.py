"""What a seat can do: bid, play cards, pass. Moves are native values: `type`, `rank`, `length`, `cards`, `size`."""

import copyreg
from dataclasses import dataclass

from mingpai._native.doudizhu import Move, Type

__all__ = ["PASS", "Action", "Bid", "Move", "Type"]


@dataclass(frozen=True, order=True)
class Bid:
    """A bid: a score 0 to 3, or with call and rob 1 for yes (call, rob) and 0 for no."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


PASS = Move()
"""Playing nothing."""

Action = Bid | Move
"""A bid in the bidding, a move afterwards."""


def _move(cards: int, type_: int, rank: int, length: int) -> Move:
    return Move(cards, Type(type_), rank, length)


copyreg.pickle(Move, lambda move: (_move, (move.cards, int(move.type), move.rank, move.length)))
