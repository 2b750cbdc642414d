"""Split and LessSplit: the partitions of a hand into legal moves (paper 003), over the native `Splitter`.

`split` lists every partition; `less_split` those of at most L_min + slack parts; `less_split_moves` the moves that
occur in them, found without listing: a move occurs in a partition of at most n parts exactly when what it leaves has
L_min <= n - 1.
"""

import functools
from collections.abc import Sequence

from mingpai._native import doudizhu as native
from mingpai._native.ruleplay import Splitter
from mingpai.games.doudizhu.rules import DEFAULT, rules_of

SLACK = 3
"""LessSplit keeps partitions of at most L_min + 3 parts: 99.33% of the human moves of the paper lie in them."""

UNLIMITED = 2**62
"""As many partitions as there are."""

Partition = tuple[native.Move, ...]
"""A multiset of moves that together are the hand, in the order in which they were found."""


@functools.cache
def splitter(rules: str = DEFAULT) -> Splitter:
    """The splitter of a rule profile."""
    return Splitter(rules_of(rules).native)


def min_turns(hand: int, rules: str = DEFAULT) -> int:
    """L_min: the fewest moves that play the hand out."""
    return splitter(rules).min_turns(hand)


def split(hand: int, rules: str = DEFAULT, limit: int = UNLIMITED) -> list[Partition]:
    """Every partition of the hand, or the first `limit`. Full hands have millions: give a limit."""
    parts = native.card_count(hand)
    return [tuple(partition) for partition in splitter(rules).partitions(hand, parts, limit)]


def less_split(hand: int, rules: str = DEFAULT, slack: int = SLACK, limit: int = UNLIMITED) -> list[Partition]:
    """The partitions of at most L_min + slack parts, or the first `limit`."""
    partitions = splitter(rules).partitions(hand, min_turns(hand, rules) + slack, limit)
    return [tuple(partition) for partition in partitions]


def less_split_moves(
    hand: int, last: native.Move | None = None, rules: str = DEFAULT, slack: int = SLACK
) -> Sequence[native.Move]:
    """The legal moves on `last` (None: leads) that occur in some partition of `less_split`; following, the pass too."""
    return splitter(rules).less_split_moves(hand, last or native.Move(), slack)
