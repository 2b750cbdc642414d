"""Ratings from pairwise results: the Bradley-Terry model on the Elo scale, intervals by resampling deals."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mingpai.arena.statistics import ALPHA
from mingpai.core.random import Rng

ELO_PER_LOGIT = 400 / math.log(10)
"""400 points are odds of ten to one."""

AVERAGE = 1500.0
"""The mean rating of a league."""

PRIOR_GAMES = 1.0
"""An even result of so many deals is added to each pair, so that a side that won everything has a finite rating."""

ROUNDS = 400
"""Steps of the fit; far more than it needs."""


@dataclass(frozen=True)
class Rating:
    """How strong an agent is, relative to the others of its league."""

    elo: float
    low: float
    high: float


def bradley_terry(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Elo ratings from wins[..., i, j], what i scored against j. Leading axes are fitted independently.

    Minorisation-maximisation (Hunter 2004): the strength of i becomes its wins divided by the sum over its opponents of
    games / (strength of i + strength of j).
    """
    sides = wins.shape[-1]
    padded = wins + PRIOR_GAMES / 2 * (1 - np.eye(sides))
    games = padded + np.swapaxes(padded, -1, -2)
    won = padded.sum(axis=-1)
    strength = np.ones(wins.shape[:-1])
    for _ in range(ROUNDS):
        strength = won / (games / (strength[..., :, None] + strength[..., None, :])).sum(axis=-1)
        strength /= np.exp(np.log(strength).mean(axis=-1, keepdims=True))
    ratings: NDArray[np.float64] = AVERAGE + ELO_PER_LOGIT * np.log(strength)
    return ratings


def rate(scores: NDArray[np.float64], rng: Rng, resamples: int = 500, alpha: float = ALPHA) -> list[Rating]:
    """Ratings from scores[deal, i, j] in [0, 1], what i scored against j on a deal (nan where it does not count).

    All pairs play the same deals, so deals are resampled for all of them at once.
    """
    counted = np.nan_to_num(scores)
    centre = bradley_terry(counted.sum(axis=0))
    deals = len(scores)
    weights = rng.multinomial(deals, np.full(deals, 1 / deals), size=resamples).astype(float)
    samples = bradley_terry(np.einsum("rd,dij->rij", weights, counted))
    low, high = np.quantile(samples, [alpha / 2, 1 - alpha / 2], axis=0)
    return [Rating(float(c), float(lo), float(hi)) for c, lo, hi in zip(centre, low, high, strict=True)]


def expected_score(rating: float, other: float) -> float:
    """What the model expects the first to score against the second."""
    return 1 / (1 + math.exp((other - rating) / ELO_PER_LOGIT))


def transitive_error(scores: NDArray[np.float64], ratings: Sequence[Rating]) -> float:
    """The largest distance between a pair's mean score and what the ratings expect: large when who beats whom is not
    a matter of strength alone."""
    errors = [0.0]
    for i, one in enumerate(ratings):
        for j, other in enumerate(ratings):
            counted = scores[:, i, j][~np.isnan(scores[:, i, j])]
            if counted.size:
                errors.append(abs(float(counted.mean()) - expected_score(one.elo, other.elo)))
    return max(errors)
