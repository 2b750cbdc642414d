# Written by tools/stubs.py from the build. Do not edit.
"""Hold'em made small, and counterfactual regret minimisation on it."""

import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

import mingpai._native.core
import mingpai._native.holdem


ROWS: int = 36864

CHOICES: int = 5

class Classes(enum.Enum):
    """The small games, by their classes of hands."""

    TWELVE = 0
    """twelve classes, raises of half a pot and a pot"""

    EIGHT = 1
    """eight classes with other ends, raises of 0.35 and 0.75 pots"""

class CfrTrainer:
    """Counterfactual regret minimisation on a small game of hold'em."""

    def __init__(self, seats: int, seed: int, classes: Classes = Classes.TWELVE) -> None: ...

    def run(self, deals: int, budget: mingpai._native.core.Budget | None = None) -> int:
        """Walk some deals; returns how many were walked in all."""

    def strategy(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(36864, 5))]:
        """
        The average strategy: for each row the chance of each choice, in 255ths.
        """

def strategy_action(table: mingpai._native.holdem.Table, strategy: Annotated[NDArray[numpy.uint8], dict(shape=(36864, 5), order='C', device='cpu', writable=False)], seed: int, classes: Classes = Classes.TWELVE) -> tuple[mingpai._native.holdem.ActionKind, int]:
    """
    What a player of a strategy does for the seat to act: kind, and total of a raise in units.
    """
