"""The 1326 two-card combinations as NumPy columns, and how strong each is on a board.

Cards are numbered rank * 4 + suit (2c is 0, As is 51), combinations by their higher card, then by their lower one.
"""

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mingpai._native import handreading as native
from mingpai.games.holdem.notation import CARDS as CARD_TEXTS
from mingpai.games.holdem.ranges import CLASS_OF_COMBO, CLASSES

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

CARDS = len(CARD_TEXTS)
COMBOS = CARDS * (CARDS - 1) // 2

HAND_CLASSES = (
    "small high card", "big high card", "small pair", "big pair", "two pair", "trips", "straight", "flush",
    "full house", "quads", "straight flush",
)  # fmt: skip
"""The eleven categories of hand prediction. Big: high card K or A, pair of T or better."""

HIGH = np.repeat(np.arange(CARDS), np.arange(CARDS)).astype(np.uint8)
"""The higher card of each combination."""
LOW = np.concatenate([np.arange(high) for high in range(CARDS)]).astype(np.uint8)
"""The lower card of each combination."""
assert len(HIGH) == len(LOW) == COMBOS

FLOP_RUNOUTS = 150
"""Completions of a flop that are tried; turns and rivers are exact."""
PREFLOP_BOARDS = 6000
"""Boards drawn for the table of starting hands."""


def combo(a: int, b: int) -> int:
    """The number of a combination of two cards."""
    high, low = max(a, b), min(a, b)
    return high * (high - 1) // 2 + low


STARTING: Bytes = CLASS_OF_COMBO.astype(np.uint8)
"""The starting hand (AKs, QQ, ...) of each combination, an index into `games.holdem.ranges.CLASSES`."""
STARTING_HANDS = len(CLASSES)
FIRST_OF_STARTING = np.array([int(np.argmax(np.equal(STARTING, i))) for i in range(STARTING_HANDS)])
"""A combination of each starting hand."""

_CONTAINS = np.zeros((COMBOS, CARDS), np.float32)
_CONTAINS[np.arange(COMBOS), HIGH] = 1
_CONTAINS[np.arange(COMBOS), LOW] = 1
CONTAINS: Floats = _CONTAINS
"""1 where a combination (row) holds a card (column)."""


@dataclass(frozen=True)
class Strength:
    """Every combination on one board, against a uniformly random hand. All zero where a board card blocks it."""

    board: tuple[int, ...]
    now: Floats
    """Share of the pot if the hands were shown now."""
    equity: Floats
    """Expected share on the full board."""
    spread: Floats
    """Standard deviation of the share on the full board: large for draws."""
    classes: Bytes
    """Index into HAND_CLASSES."""
    live: Floats
    """1 where no board card blocks the combination."""

    @functools.cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """Combinations by equity, the best first."""
        return np.argsort(-self.equity, kind="stable")


@functools.lru_cache(maxsize=4096)
def strength(board: tuple[int, ...]) -> Strength:
    """Strength of every combination on a board of none or three to five cards."""
    if not board:
        return _preflop_strength()
    now, equity, spread, classes, live = native.strengths(sum(1 << c for c in board), FLOP_RUNOUTS, 0)
    return Strength(board, now, equity, spread, classes, live.astype(np.float32))


def _preflop_strength() -> Strength:
    _, equity, spread, classes, live = native.strengths(0, PREFLOP_BOARDS, 0)
    counts = np.bincount(STARTING, minlength=STARTING_HANDS)
    even = (np.bincount(STARTING, equity) / counts).astype(np.float32)[STARTING]
    wide = (np.bincount(STARTING, spread) / counts).astype(np.float32)[STARTING]
    return Strength((), even, even, wide, classes, live.astype(np.float32))


@functools.cache
def preflop_percentile() -> Floats:
    """Share of all combinations that are better starting hands: 0 for aces."""
    equity = strength(()).equity
    order = np.argsort(-equity, kind="stable")
    place = np.empty(COMBOS, np.float32)
    place[order] = np.arange(COMBOS) / COMBOS
    counts = np.bincount(STARTING)
    means: Floats = (np.bincount(STARTING, place) / counts).astype(np.float32)[STARTING]
    return means


def hand_class(hand: int, board: tuple[int, ...]) -> int:
    """Index into HAND_CLASSES of a combination on a board."""
    return native.hand_class(1 << int(HIGH[hand]) | 1 << int(LOW[hand]), sum(1 << c for c in board))


def normalised(weights: Floats) -> Floats:
    """The weights scaled to sum 1; uniform over nothing is an error."""
    total = float(weights.sum(dtype=np.float64))
    if not total > 0:
        raise ValueError("a range without any combination")
    scaled: Floats = (weights / total).astype(np.float32)
    return scaled
