"""Error bars that respect the pairing: deals are the independent units, the replays of one deal are averaged first.

Two kinds, both 95% by default:

- fixed: for a number of deals chosen in advance. Student's t on the per-deal values; for win rates Wilson's score
  interval with the effective number of games that the spread between deals implies, which stays inside [0, 1].
- anytime: valid at every number of deals at once, so one may look after each deal and stop. For values in [0, 1] a
  mixture of betting martingales (Waudby-Smith and Ramdas 2023; Orabona and Jun 2021): a mean m is ruled out when a
  gambler who bets that m is wrong would have multiplied his money by 1/alpha. Exact for any number of deals. For
  points, which have no bounds, Robbins' normal mixture with the variance estimated, which is asymptotic.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

ALPHA = 0.05

STAKES = np.geomspace(0.004, 0.96, 24)
"""Fractions of his money that the gambler risks, mixed with equal weights: small effects need small stakes."""

MEANS = np.linspace(0.0, 1.0, 1001)[1:-1]
"""Means that the anytime interval considers."""

NORMAL_MIXTURE_DEALS = 200
"""The number of deals at which the anytime interval for points is tightest."""

LEAST_DEALS = 30
"""Fewer deals than this never stop a match: the variance of points is not known yet."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval."""

    mean: float
    low: float
    high: float
    count: int
    """Independent units (deals) behind it."""

    def to_json(self) -> dict[str, float | int]:
        return {"mean": self.mean, "low": self.low, "high": self.high, "deals": self.count}

    def is_clear_of(self, value: float) -> bool:
        return not self.low <= value <= self.high


def fixed_mean(values: Sequence[float], alpha: float = ALPHA) -> Estimate:
    """Student's t interval for the mean of independent values."""
    count = len(values)
    mean = float(np.mean(values)) if count else math.nan
    if count < 2:
        return Estimate(mean, -math.inf, math.inf, count)
    half = t_quantile(1 - alpha / 2, count - 1) * float(np.std(values, ddof=1)) / math.sqrt(count)
    return Estimate(mean, mean - half, mean + half, count)


def fixed_rate(values: Sequence[float], alpha: float = ALPHA) -> Estimate:
    """Wilson's interval for a rate from per-deal rates in [0, 1]."""
    count = len(values)
    if not count:
        return Estimate(math.nan, 0.0, 1.0, 0)
    rate = float(np.mean(values))
    variance = float(np.var(values, ddof=1)) / count if count > 1 else 0.0
    games = rate * (1 - rate) / variance if variance > 0 else float(count)
    z = t_quantile(1 - alpha / 2, count - 1) if count > 1 else NormalDist().inv_cdf(1 - alpha / 2)
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    return Estimate(rate, max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half)), count)


def anytime_rate(values: Sequence[float], alpha: float = ALPHA) -> Estimate:
    """The anytime interval for the mean of independent values in [0, 1]."""
    if not len(values):
        return Estimate(math.nan, 0.0, 1.0, 0)
    distinct, counts = np.unique(np.asarray(values, float), return_counts=True)
    kept = MEANS[_log_wealth(distinct, counts, MEANS) < math.log(1 / alpha)]
    step, mean = float(MEANS[1] - MEANS[0]), float(np.mean(values))
    low = max(0.0, float(kept.min()) - step) if kept.size else mean
    high = min(1.0, float(kept.max()) + step) if kept.size else mean
    return Estimate(mean, min(low, mean), max(high, mean), len(values))


def anytime_mean(values: Sequence[float], alpha: float = ALPHA) -> Estimate:
    """The asymptotic anytime interval for the mean of independent values without bounds."""
    count = len(values)
    mean = float(np.mean(values)) if count else math.nan
    if count < 2:
        return Estimate(mean, -math.inf, math.inf, count)
    tuned = 2 * math.log(1 / alpha) + math.log1p(2 * math.log(1 / alpha))
    rho = tuned / NORMAL_MIXTURE_DEALS
    inside = (count * rho + 1) / (count * count * rho) * math.log((count * rho + 1) / (alpha * alpha))
    half = float(np.std(values, ddof=1)) * math.sqrt(inside)
    return Estimate(mean, mean - half, mean + half, count)


class Verdict:
    """The sequential test of "the mean is one half" for values in [0, 1], deal by deal."""

    def __init__(self, alpha: float = ALPHA) -> None:
        self.alpha = alpha
        self.count = 0
        """Values seen."""
        self._bets = _bets(np.array([0.5]))[:, 0]
        self._log_wealth = np.zeros_like(self._bets)

    def add(self, value: float) -> bool:
        """Takes the next value. Whether the hypothesis is now ruled out."""
        self.count += 1
        self._log_wealth += np.log1p(self._bets * (value - 0.5))
        return self.is_decided

    @property
    def evidence(self) -> float:
        """What the gambler's one unit of money has become: 1 / alpha rules the hypothesis out."""
        return math.exp(min(700.0, _log_mean_exp(self._log_wealth)))

    @property
    def is_decided(self) -> bool:
        return self.count >= LEAST_DEALS and self.evidence >= 1 / self.alpha


def _bets(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bets on "more than m" and on "less than m" for each mean, none of which can lose more than everything."""
    return np.concatenate([STAKES[:, None] / means, -STAKES[:, None] / (1 - means)])


def _log_wealth(
    distinct: NDArray[np.float64], counts: NDArray[np.int64], means: NDArray[np.float64]
) -> NDArray[np.float64]:
    bets = _bets(means)
    total = np.zeros_like(bets)
    for value, count in zip(distinct, counts, strict=True):
        total += count * np.log1p(bets * (value - means))
    top = total.max(axis=0)
    wealth: NDArray[np.float64] = top + np.log(np.exp(total - top).mean(axis=0))
    return wealth


def _log_mean_exp(logs: Iterable[float]) -> float:
    values = np.asarray(list(logs))
    top = float(values.max())
    return top + math.log(float(np.exp(values - top).mean()))


def t_quantile(probability: float, degrees: int) -> float:
    """Quantile of Student's t: exact for 1 and 2 degrees of freedom, else a series, within 0.2% from 3 on."""
    if degrees == 1:
        return math.tan(math.pi * (probability - 0.5))
    if degrees == 2:
        return (2 * probability - 1) * math.sqrt(2 / (4 * probability * (1 - probability)))
    z, v = NormalDist().inv_cdf(probability), float(degrees)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum((term / v**power for power, term in enumerate(terms, start=1)), start=0.0)
