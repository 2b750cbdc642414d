"""Intervals cover what they promise, and the sequential test is fooled no more often than it says."""

import math

import numpy as np
import pytest

from mingpai.arena.statistics import (
    ALPHA,
    Verdict,
    anytime_mean,
    anytime_rate,
    fixed_mean,
    fixed_rate,
    t_quantile,
)
from tests.scale import count

RUNS = count(fast=400, ci=2000, verify=8000)
SLACK = 4 * math.sqrt(ALPHA * (1 - ALPHA) / RUNS)
"""Four standard errors of a coverage counted in so many runs."""


@pytest.mark.parametrize(("degrees", "exact"), [(1, 12.7062), (2, 4.30265), (5, 2.57058), (10, 2.22814), (60, 2.00030)])
def test_t_quantiles_are_those_of_the_tables(degrees: int, exact: float) -> None:
    assert t_quantile(0.975, degrees) == pytest.approx(exact, rel=2e-3)


def pairs(rng: np.random.Generator, rate: float, deals: int) -> list[float]:
    """Two replays of each deal that depend on each other: half the deals give the same result twice."""
    first = rng.random(deals) < rate
    second = np.where(rng.random(deals) < 0.5, first, rng.random(deals) < rate)
    return list((first.astype(float) + second) / 2)


@pytest.mark.parametrize("rate", [0.5, 0.9])
def test_fixed_intervals_cover_the_truth_19_times_in_20(rate: float) -> None:
    rng = np.random.default_rng(1)
    samples = [pairs(rng, rate, 100) for _ in range(RUNS)]
    for interval in (fixed_rate, fixed_mean):
        missed = np.mean([interval(sample).is_clear_of(rate) for sample in samples])
        assert abs(missed - ALPHA) < SLACK + 0.015


def test_one_sided_samples_have_an_open_interval() -> None:
    won = fixed_rate([1.0] * 20)
    assert won.mean == won.high == 1
    assert 0.75 < won.low < 0.95
    assert anytime_rate([1.0] * 20).low < won.low
    assert fixed_rate([]).low == 0
    assert math.isinf(fixed_mean([3.0]).high)


def test_pairing_narrows_the_interval() -> None:
    """A deal that each side wins once says more than two deals that were not replayed."""
    assert fixed_rate([0.5] * 90 + [1.0] * 10).low > fixed_rate([0.0, 1.0] * 45 + [1.0] * 10).low


def test_the_sequential_test_is_fooled_in_less_than_5_in_100_however_long_one_looks() -> None:
    rng = np.random.default_rng(2)
    fooled = 0
    for _ in range(RUNS // 4):
        verdict = Verdict()
        fooled += any(verdict.add(value) for value in pairs(rng, 0.5, 400))
    assert fooled / (RUNS // 4) < ALPHA + 2 * SLACK


def test_the_sequential_test_finds_a_difference_and_the_interval_agrees() -> None:
    values = pairs(np.random.default_rng(3), 0.65, 2000)
    verdict = Verdict()
    stopped = next(number for number, value in enumerate(values, start=1) if verdict.add(value))
    assert stopped < 300
    seen = anytime_rate(values[:stopped])
    assert seen.low > 0.49
    assert not anytime_rate(values[: stopped // 2]).is_clear_of(0.5)


def test_the_anytime_interval_covers_the_truth_at_every_deal_of_most_runs() -> None:
    rng = np.random.default_rng(4)
    looks = (10, 30, 100, 300)
    missed = points_missed = 0
    for _ in range(RUNS // 4):
        values = pairs(rng, 0.7, 300)
        missed += any(anytime_rate(values[:look]).is_clear_of(0.7) for look in looks)
        points = list(rng.normal(1.0, 4.0, 300))
        points_missed += any(anytime_mean(points[:look]).is_clear_of(1.0) for look in looks[1:])
    assert missed / (RUNS // 4) < ALPHA + 2 * SLACK
    assert points_missed / (RUNS // 4) < ALPHA + 2 * SLACK


def test_the_anytime_interval_is_wider_but_not_by_much() -> None:
    values = pairs(np.random.default_rng(5), 0.6, 400)
    fixed, anytime = fixed_rate(values), anytime_rate(values)
    assert 1 < (anytime.high - anytime.low) / (fixed.high - fixed.low) < 2.2
