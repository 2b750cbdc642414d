"""What each combination has made of a board, and what it may still make: pairs by their place, draws, blockers."""

import numpy as np
import numpy.typing as npt

from mingpai.methods.handreading.hands import COMBOS, HIGH, LOW, Floats

Ints = npt.NDArray[np.int64]

RANKS, SUITS = 13, 4
_HIGH_RANK: Ints = (HIGH // SUITS).astype(np.int64)
_LOW_RANK: Ints = (LOW // SUITS).astype(np.int64)
_POCKET = np.equal(_HIGH_RANK, _LOW_RANK)
_OWN_RANKS: Ints = (1 << _HIGH_RANK) | (1 << _LOW_RANK)
"""A bit for each rank held."""


def _straights() -> npt.NDArray[np.bool_]:
    """Which sets of ranks, as bits, hold a straight."""
    sets = np.arange(1 << RANKS)
    runs = [0b11111 << low for low in range(RANKS - 4)] + [1 << RANKS - 1 | 0b1111]
    holding: npt.NDArray[np.bool_] = np.any([np.equal(sets & run, run) for run in runs], axis=0)
    return holding


_STRAIGHT = _straights()
_COMPLETING: Ints = np.sum(
    [_STRAIGHT[np.arange(1 << RANKS) | 1 << rank] & ~_STRAIGHT for rank in range(RANKS)], axis=0, dtype=np.int64
)
"""Ranks that would complete a straight in each set of ranks that holds none."""


def made_features(board: tuple[int, ...]) -> Floats:
    """One row for each combination: its pair by place, overcards, straight and flush draws, blockers."""
    columns = [*_pairs(board), *_straight_draws(board), *_flush_cards(board)]
    return np.stack([np.asarray(column, np.float32) for column in columns], axis=1)


def _pairs(board: tuple[int, ...]) -> list[npt.NDArray[np.generic]]:
    """Pocket pairs and cards paired with the board, by where they stand on it; the kicker; overcards."""
    high_rank, low_rank = _HIGH_RANK, _LOW_RANK
    copies = np.bincount([card // SUITS for card in board], minlength=RANKS)
    ranks = np.flatnonzero(copies)[::-1]
    top, second = int(ranks[0]), int(ranks[1]) if len(ranks) > 1 else -1
    high, low = (copies[high_rank] > 0) & ~_POCKET, (copies[low_rank] > 0) & ~_POCKET
    paired = np.where(high, high_rank, np.where(low, low_rank, -1))
    kicker = np.where(high & ~low, low_rank, np.where(low & ~high, high_rank, 0)) / (RANKS - 1)
    over = np.where(_POCKET, 0, (high_rank > top).astype(int) + (low_rank > top))
    return [
        _POCKET & (high_rank > top), _POCKET & (high_rank < top) & (high_rank > second),
        _POCKET & (high_rank < second), _POCKET & (copies[high_rank] > 0),
        np.equal(paired, top), np.equal(paired, second), (paired >= 0) & (paired < second), high & low, kicker,
        (high & (copies[high_rank] > 1)) | (low & (copies[low_rank] > 1)), np.equal(over, 1), np.equal(over, 2),
    ]  # fmt: skip


def _straight_draws(board: tuple[int, ...]) -> list[npt.NDArray[np.generic]]:
    """One rank, or more, that would make a straight, beyond those that would for everybody."""
    if len(board) == 5:
        return [np.zeros(COMBOS, np.bool_)] * 2
    shared = int(np.bitwise_or.reduce([1 << card // SUITS for card in board]))
    own = _COMPLETING[_OWN_RANKS | shared] - _COMPLETING[shared]
    return [np.equal(own, 1), own > 1]


def _flush_cards(board: tuple[int, ...]) -> list[npt.NDArray[np.generic]]:
    """Draws to the best flush, with two own cards, over two more cards; where three of a suit lie, a card of it and
    the best card of it."""
    drawn = len(board) < 5
    best_draw, two_cards, backdoor, blocker, best = (np.zeros(COMBOS, np.bool_) for _ in range(5))
    for suit in range(SUITS):
        on_board = {card // SUITS for card in board if card % SUITS == suit}
        high, low = np.equal(HIGH % SUITS, suit), np.equal(LOW % SUITS, suit)
        own, count = high.astype(int) + low, len(on_board)
        top = max(rank for rank in range(RANKS) if rank not in on_board)
        has_top = (high & np.equal(_HIGH_RANK, top)) | (low & np.equal(_LOW_RANK, top))
        draw = np.equal(count + own, 4) & (own > 0) & drawn
        best_draw |= draw & has_top
        two_cards |= draw & np.equal(own, 2)
        backdoor |= np.equal(count + own, 3) & np.equal(own, 2) & (len(board) == 3)
        blocker |= np.equal(own, 1) & (count >= 3)
        best |= has_top & (count >= 3)
    return [best_draw, two_cards, backdoor, blocker, best]
