"""The shipped benchmark: the probability of a bid, and which cards move it. Runs on onnxruntime."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mingpai.core.errors import BadSetting
from mingpai.games.doudizhu.notation import RANKS, cards_text
from mingpai.methods.bidding import features
from mingpai.models.loader import Model, load

PAPER_MODEL = "doudizhu-bidding"
"""The paper's network."""
CALIBRATED = "doudizhu-bidding-calibrated"
"""Ours."""

DEALT_CARDS = 17


@dataclass(frozen=True)
class Effect:
    """What some cards of a hand do for the bid."""

    cards: str
    shift: float
    """How much lower the probability would be with these cards replaced by what the deck leaves, on average."""


class BidModel:
    """A benchmark by name of a shipped model, or by the path of a folder."""

    def __init__(self, name: str = PAPER_MODEL) -> None:
        self.name = name
        self._model: Model = load(name, game="doudizhu", features=features.FEATURES)

    def logits(self, phase: ArrayLike, value: ArrayLike, hands: ArrayLike) -> NDArray[np.float32]:
        """Logarithms of the odds of a bid."""
        rows = features.rows(phase, value, hands)
        out: NDArray[np.float32] = self._model.run({"rows": rows})["logit"]
        return out

    def probabilities(self, phase: ArrayLike, value: ArrayLike, hands: ArrayLike) -> NDArray[np.float64]:
        """Probabilities of a bid."""
        return 1 / (1 + np.exp(-self.logits(phase, value, hands).astype(np.float64)))

    def bids(self, phase: ArrayLike, value: ArrayLike, hands: ArrayLike) -> NDArray[np.bool_]:
        """The benchmark's action: whether to bid."""
        return np.asarray(self.logits(phase, value, hands) > 0)

    def effects(self, phase: int, value: int, hand: int) -> list[Effect]:
        """What each rank of the hand is worth to the bid, the largest first.

        The cards of a rank are replaced by as many of each other rank that the deck leaves, weighted by how many of
        them are unseen; both jokers together count as one entry, for they are a bomb.
        """
        held = features.counts(hand)[0].astype(np.int64)
        if held.sum() != DEALT_CARDS:
            raise BadSetting("hand", cards_text(hand), f"{DEALT_CARDS} cards")
        now = float(self.probabilities(phase, value, hand)[0])
        effects = []
        for group in _groups(held):
            hands, weights = _replacements(held, group)
            mean = float(
                np.average(self.probabilities([phase] * len(hands), [value] * len(hands), hands), weights=weights)
            )
            cards = "".join(RANKS[rank] * int(held[rank]) for rank in group)
            effects.append(Effect(cards, now - mean))
        return sorted(effects, key=lambda effect: -abs(effect.shift))


def _groups(held: NDArray[np.int64]) -> list[tuple[int, ...]]:
    ranks = [(rank,) for rank in range(features.SMALL_JOKER) if held[rank]]
    jokers = tuple(rank for rank in (features.SMALL_JOKER, features.BIG_JOKER) if held[rank])
    return [*ranks, jokers] if jokers else list(ranks)


def _replacements(held: NDArray[np.int64], group: tuple[int, ...]) -> tuple[NDArray[np.uint64], list[float]]:
    """Hands with the cards of a group spread over other ranks, with weights."""
    count = sum(int(held[rank]) for rank in group)
    deck = np.array([4] * features.SMALL_JOKER + [1, 1])
    free = deck - held
    free[list(group)] = 0
    hands, weights = [], []
    for start in range(features.SMALL_JOKER):
        changed = held.copy()
        changed[list(group)] = 0
        left = count
        for step in range(features.SMALL_JOKER):
            rank = (start + step * 5) % features.SMALL_JOKER
            if left and free[rank] > 0:
                changed[rank] += 1
                left -= 1
        if left == 0:
            hands.append(sum(int(copies) << (4 * rank) for rank, copies in enumerate(changed)))
            weights.append(float(max(free[start], 0)) or 0.25)
    return np.array(hands, np.uint64), weights
