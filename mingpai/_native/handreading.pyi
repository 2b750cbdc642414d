# Written by tools/stubs.py from the build. Do not edit.
"""Strength of every hold'em combination on a board."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import mingpai._native.core
import mingpai._native.holdem


def strengths(board: int, runouts: int, seed: int = 0) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(1326))], Annotated[NDArray[numpy.float32], dict(shape=(1326))], Annotated[NDArray[numpy.float32], dict(shape=(1326))], Annotated[NDArray[numpy.uint8], dict(shape=(1326))], Annotated[NDArray[numpy.uint8], dict(shape=(1326))]]:
    """
    For each of the 1326 combinations against a uniform hand on a board: share now, expected share on the full board, its
    standard deviation, class of hand (0 .. 10), and 1 where no board card blocks it.
    """

def hand_class(hand: int, board: int) -> int:
    """
    Class of hand (0 .. 10) of two cards on a board of none or three to five.
    """

def outs(hand: int, board: int, gain: float, samples: int, seed: int = 0) -> int:
    """
    Cards that win a hand at least the share `gain` of the equity it is missing, against a uniform hand.
    """

def band_likelihood(equities: Annotated[NDArray[numpy.float32], dict(shape=(1326), order='C', device='cpu', writable=False)], power: float, shift: float, bands: Annotated[NDArray[numpy.float32], dict(shape=(6, 3), order='C', device='cpu', writable=False)], often: Annotated[NDArray[numpy.float32], dict(shape=(6), order='C', device='cpu', writable=False)], act: int, theta: float, fall: float, tremble: float) -> Annotated[NDArray[numpy.float32], dict(shape=(1326))]:
    """P(act | hand) of the default model for each combination."""

class Style:
    """A rule player's habits; fields as in mingpai/agents/holdem_styles.py."""

    def __init__(self) -> None: ...

    @property
    def limp(self) -> float: ...

    @limp.setter
    def limp(self, arg: float, /) -> None: ...

    @property
    def open(self) -> float: ...

    @open.setter
    def open(self, arg: float, /) -> None: ...

    @property
    def call_raise(self) -> float: ...

    @call_raise.setter
    def call_raise(self, arg: float, /) -> None: ...

    @property
    def reraise(self) -> float: ...

    @reraise.setter
    def reraise(self, arg: float, /) -> None: ...

    @property
    def late(self) -> float: ...

    @late.setter
    def late(self, arg: float, /) -> None: ...

    @property
    def caution(self) -> float: ...

    @caution.setter
    def caution(self, arg: float, /) -> None: ...

    @property
    def open_size(self) -> float: ...

    @open_size.setter
    def open_size(self, arg: float, /) -> None: ...

    @property
    def bet(self) -> float: ...

    @bet.setter
    def bet(self, arg: float, /) -> None: ...

    @property
    def raise_at(self) -> float: ...

    @raise_at.setter
    def raise_at(self, arg: float, /) -> None: ...

    @property
    def margin(self) -> float: ...

    @margin.setter
    def margin(self, arg: float, /) -> None: ...

    @property
    def fear(self) -> float: ...

    @fear.setter
    def fear(self, arg: float, /) -> None: ...

    @property
    def bluff(self) -> float: ...

    @bluff.setter
    def bluff(self, arg: float, /) -> None: ...

    @property
    def bluff_raise(self) -> float: ...

    @bluff_raise.setter
    def bluff_raise(self, arg: float, /) -> None: ...

    @property
    def follow_up(self) -> float: ...

    @follow_up.setter
    def follow_up(self, arg: float, /) -> None: ...

    @property
    def slow(self) -> float: ...

    @slow.setter
    def slow(self, arg: float, /) -> None: ...

    @property
    def size(self) -> float: ...

    @size.setter
    def size(self, arg: float, /) -> None: ...

    @property
    def samples(self) -> int: ...

    @samples.setter
    def samples(self, arg: int, /) -> None: ...

def style_action(table: mingpai._native.holdem.Table, style: Style, seed: int) -> tuple[mingpai._native.holdem.ActionKind, int]:
    """
    What a style does for the seat to act: kind, and total of a raise in units.
    """

def play_styles(table: mingpai._native.holdem.Table, styles: Sequence[Style | None], seed: int, budget: mingpai._native.core.Budget | None = None) -> None:
    """
    Plays the seats that have a style until one without is to act or the hand is over.
    """
