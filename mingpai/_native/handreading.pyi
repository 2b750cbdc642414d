# Written by tools/stubs.py from the build. Do not edit.
"""Strength of every hold'em combination on a board."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


def strengths(board: int, runouts: int, seed: int = 0) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(1326))], Annotated[NDArray[numpy.float32], dict(shape=(1326))], Annotated[NDArray[numpy.float32], dict(shape=(1326))], Annotated[NDArray[numpy.uint8], dict(shape=(1326))], Annotated[NDArray[numpy.uint8], dict(shape=(1326))]]:
    """
    For each of the 1326 combinations against a uniform hand on a board: share now, expected share on the full board, its
    standard deviation, class of hand (0 .. 10), and 1 where no board card blocks it.
    """

def hand_class(hand: int, board: int) -> int:
    """
    Class of hand (0 .. 10) of two cards on a board of none or three to five.
    """
