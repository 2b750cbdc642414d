"""What the size of a player's bets tells of his hand: counted by strength, from hands shown and hands read.

An unknown player's sizes up to a pot and a half say little; larger ones are mostly strong hands. What a player shows,
and what is read of him where he shows nothing, moves these shares (an online step of expectation and maximisation).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mingpai.methods.handreading.hands import Floats
from mingpai.methods.handreading.understand import Seen

SIZES = (0.45, 0.8, 1.5, 4.0)
"""Ends of the steps of size, in pots."""
PLACES: Floats = np.array([0.35, 0.60, 0.78, 0.92], np.float32)
"""Centres of the classes of strength: 0.5 is an average hand."""
PRIOR: npt.NDArray[np.float64] = np.array([
    [0.36, 0.40, 0.22, 0.016, 0.004],
    [0.36, 0.40, 0.22, 0.016, 0.004],
    [0.33, 0.38, 0.22, 0.05, 0.02],
    [0.27, 0.33, 0.25, 0.10, 0.05],
])  # fmt: skip
"""Sizes of an unknown player, a row for each class of strength."""
PRIOR_BETS = 6.0
"""Bets of each class that the prior is worth."""


def size_step(share: float) -> int:
    """How large a bet is by the pot, from 0 on."""
    return sum(share > limit for limit in SIZES)


class BetSizes:
    """How large one player bets with what."""

    def __init__(self) -> None:
        self._counts = PRIOR_BETS * PRIOR

    def likelihood(self, seen: Seen, place: Floats) -> Floats:
        """How likely each hand that bets bets so much; `place` is where the hands stand."""
        column = self._counts[:, size_step(seen.share)] / self._counts.sum(axis=1)
        share: Floats = np.interp(place, PLACES, column / column.max()).astype(np.float32)
        return share

    def see(self, seen: Seen, place: Floats, weights: Floats) -> None:
        """A bet of the player, who held the hands with these weights when he had made it."""
        nearest = np.abs(place[:, None] - PLACES[None, :]).argmin(axis=1)
        held = np.bincount(nearest, weights, minlength=len(PLACES))
        self._counts[:, size_step(seen.share)] += held / max(float(held.sum()), 1e-30)

    def to_json(self) -> list[list[float]]:
        return [[float(count) for count in row] for row in self._counts.round(6)]

    @classmethod
    def from_json(cls, data: Sequence[Sequence[float]]) -> "BetSizes":
        made = cls()
        made._counts = np.array(data, np.float64).reshape(PRIOR.shape)
        return made
