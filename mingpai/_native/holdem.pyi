# Written by tools/stubs.py from the build. Do not edit.
"""Hold'em: hand ranks, equity, the table."""

import enum
from typing import Annotated

import numpy
import numpy.typing
from numpy.typing import NDArray

import mingpai._native.core
import mingpai._native.core


COMBOS: int = 1326

CATEGORY_SHIFT: int = 12

def evaluate(cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]:
    """
    Ranks of hands of five to seven cards, one hand a row. Larger is stronger; rank >> CATEGORY_SHIFT is the category.
    """

def evaluate_sets(sets: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], size: int) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]:
    """The same for sets of cards (bit c is card c) of `size` cards each."""

def evaluate_set(cards: int) -> int:
    """The rank of one set of five to seven cards."""

def count_categories(size: int) -> list[int]:
    """How many hands of `size` cards each category has, by enumeration."""

def checksum(cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], rounds: int) -> int:
    """Ranks seven-card hands in a native loop; for benchmarks."""

def category_sizes() -> list[int]:
    """How many ranks each category has."""

def combo_index(a: int, b: int) -> int:
    """The number of the combination of two cards, 0..1325."""

def combo_cards(combo: int) -> tuple[int, int]:
    """The two cards of a combination, the lower one first."""

class EquityMethod(enum.Enum):
    """How equity() finds its answer."""

    AUTO = 0
    """Exact within the work limit, else independent samples."""

    EXACT = 1
    """All hands and boards."""

    WALK = 2
    """A Markov walk over the hands with a fresh board at each step."""

    INDEPENDENT = 3
    """Independent samples with importance weights."""

class EquitySettings:
    def __init__(self, method: EquityMethod = EquityMethod.AUTO, samples: int = 100000, target_error: float = 0.0, seed: int = 0, threads: int = 1, exact_work: float = 100000000.0) -> None: ...

    @property
    def method(self) -> EquityMethod: ...

    @property
    def samples(self) -> int:
        """At most that many samples; with a target error, the limit."""

    @property
    def target_error(self) -> float:
        """Stop when every standard error is at or below it; 0 takes all samples."""

    @property
    def seed(self) -> int: ...

    @property
    def threads(self) -> int:
        """Does not change the answer."""

    @property
    def exact_work(self) -> float:
        """Hands ranked above which AUTO samples."""

class EquityResult:
    @property
    def method(self) -> EquityMethod:
        """How the answer was found; never AUTO."""

    @property
    def equities(self) -> list[float]:
        """Share of the pot of each player; sums to 1."""

    @property
    def wins(self) -> list[float]:
        """Probability of winning alone."""

    @property
    def ties(self) -> list[float]:
        """Probability of sharing the pot."""

    @property
    def standard_errors(self) -> list[float]:
        """Of the equities; 0 when exact."""

    @property
    def samples(self) -> int:
        """Samples drawn, or hands and boards enumerated."""

    @property
    def effective_samples(self) -> float:
        """Independent samples of equal weight that would err as much."""

    @property
    def reached_target(self) -> bool:
        """False when samples or budget ran out before the target error."""

def equity(weights: Annotated[NDArray[numpy.float32], dict(shape=(None, 1326), order='C', device='cpu', writable=False)], board: int, dead: int, settings: EquitySettings, budget: mingpai._native.core.Budget | None = None) -> EquityResult:
    """
    Each player's share of the pot; weights has a row of 1326 for each player, board and dead are card sets.
    """

def equity_by_combo(opponent: numpy.typing.NDArray[numpy.float32], board: int, dead: int, runouts: int, seed: int, budget: mingpai._native.core.Budget | None = None) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
    """
    For each combination, its equity against the opponent's range, and the share of that range that it leaves.
    """
