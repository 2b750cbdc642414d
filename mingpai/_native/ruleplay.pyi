# Written by tools/stubs.py from the build. Do not edit.
"""
The fast rule players of Dou Dizhu: hands split into moves, their worth, duels.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import mingpai._native.core
import mingpai._native.doudizhu


class Splitter:
    """Partitions of a hand into legal moves under given rules."""

    def __init__(self, rules: mingpai._native.doudizhu.Rules) -> None: ...

    def min_turns(self, hand: int) -> int:
        """L_min: the size of the smallest partition."""

    def min_turns_sum(self, hands: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """The sum of L_min over many hands: for measuring speed."""

    def less_split_moves(self, hand: int, last: mingpai._native.doudizhu.Move, slack: int) -> list[mingpai._native.doudizhu.Move]:
        """
        Legal moves on `last` (a pass: leads) that occur in some partition of at most L_min + slack parts.
        """

    def partitions(self, hand: int, max_parts: int, limit: int) -> list[list[mingpai._native.doudizhu.Move]]:
        """All partitions of at most `max_parts` moves, the first `limit`."""

class Weights:
    """Weights of the fast rule player. Without arguments those of RHCP."""

    def __init__(self, values: dict = {}) -> None: ...

class Situation:
    """
    What one seat knows of the play, seats by role: 0 landlord, 1 down, 2 up.
    """

    def __init__(self, rules: mingpai._native.doudizhu.Rules, role: int, hand: int, counts: Sequence[int], bottom: int, deck: int, moves: Sequence[tuple[int, mingpai._native.doudizhu.Move]]) -> None: ...

    @property
    def role(self) -> int: ...

    @property
    def first(self) -> int:
        """The role that plays next."""

    @property
    def second(self) -> int: ...

    @property
    def unseen(self) -> int:
        """Cards of the two others together."""

    @property
    def known_of_landlord(self) -> int: ...

    @property
    def turn(self) -> int: ...

    @property
    def owner(self) -> int: ...

    @property
    def last(self) -> mingpai._native.doudizhu.Move: ...

class Player:
    """A fast player without search."""

    def move(self, situation: Situation) -> mingpai._native.doudizhu.Move: ...

def heuristic_player(rules: mingpai._native.doudizhu.Rules, weights: Weights) -> Player:
    """The fast rule player that looks at its hand only."""

def rule_based_player(rules: mingpai._native.doudizhu.Rules) -> Player:
    """RB: active and passive strategy."""

def remaining_value_player(rules: mingpai._native.doudizhu.Rules) -> Player:
    """RHCP: the move that leaves the hand of greatest value."""

def duel(first: Player, second: Player, deals: int, seed: int, budget: mingpai._native.core.Budget) -> list[tuple[int, int]]:
    """
    Duplicate deals, card play only: for each deal the wins of `first` as landlord and as both farmers.
    """
