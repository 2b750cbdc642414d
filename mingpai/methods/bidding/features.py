"""What the benchmark sees of a decision, as 0/1 numbers: 62 in a row.

48: the ranks 3 to A that may stand in a sequence, four rows of twelve, as many 1s in a column as cards of that rank;
10: strong cards: X, D, number of 2s (four places), number of bombs (four places);
4: the situation: phase (0 call, 1 rob) and the bid value so far (0, 1, 2) as one of three.
A change of the layout needs a new version.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mingpai.games.doudizhu.notation import RANKS

VERSION = 1
FEATURES = f"doudizhu-bidding-{VERSION}"

CHAIN_RANKS, COPIES = 12, 4
MATRIX = CHAIN_RANKS * COPIES
STRONG = slice(MATRIX, MATRIX + 2 + 2 * COPIES)
BID_VALUES = 3
SITUATION = slice(STRONG.stop, STRONG.stop + 1 + BID_VALUES)
SIZE = SITUATION.stop

TWO, SMALL_JOKER, BIG_JOKER = (RANKS.index(rank) for rank in "2XD")
_SHIFTS = np.arange(len(RANKS), dtype=np.uint64) * np.uint64(4)
_STEPS = np.arange(COPIES)


def counts(hands: ArrayLike) -> NDArray[np.uint8]:
    """Cards of each of the 15 ranks, a row for each hand."""
    packed = np.atleast_1d(np.asarray(hands, np.uint64))
    return ((packed[:, None] >> _SHIFTS) & np.uint64(15)).astype(np.uint8)


def rows(phase: ArrayLike, value: ArrayLike, hands: ArrayLike) -> NDArray[np.float32]:
    """The features of decisions, a row for each."""
    held = counts(hands)
    out = np.zeros((len(held), SIZE), np.float32)
    columns = held[:, :CHAIN_RANKS]
    out[:, :MATRIX] = (columns[:, None, :] > _STEPS[None, :, None]).reshape(len(held), MATRIX)
    start = STRONG.start
    out[:, start] = held[:, SMALL_JOKER]
    out[:, start + 1] = held[:, BIG_JOKER]
    out[:, start + 2 : start + 2 + COPIES] = held[:, TWO, None] > _STEPS
    out[:, start + 2 + COPIES : STRONG.stop] = (held == COPIES).sum(axis=1)[:, None] > _STEPS
    out[:, SITUATION.start] = phase
    out[:, SITUATION.start + 1 : SITUATION.stop] = np.asarray(value).reshape(-1, 1) == np.arange(BID_VALUES)
    return out
