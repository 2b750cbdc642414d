"""Equity: exact answers against plain enumeration, samples against exact answers."""

import numpy as np
import pytest

from mingpai._native.core import Budget
from mingpai.core.errors import BadSetting
from mingpai.games.holdem.equity import Method, equity
from mingpai.games.holdem.notation import parse_cards
from mingpai.games.holdem.ranges import COMBOS, Range
from tests.reference.holdem import exact_equity
from tests.scale import count

# Ranges that share many cards, where drawing one player after another without weights is far off.
OVERLAPPING = [
    (["AA", "AA, AKs"], "Kc8d2h", ""),
    (["AhAs, AdAc", "AhAs, AdAc"], "Kc8d2h", ""),
    (["AhAs, AdAc, KhKs", "AhAd, KhKd, 0.3(QhQd)", "AsAc, 0.5(KsKd)"], "Tc9d2h5s", ""),
    (["AKs, 0.2(AA)", "AKo, KK", "AQs, 0.7(AA)"], "Ad7c2s", "Kh"),
    (["77+", "A2s+", "0.1(KQs), KJs"], "9c8c3d", ""),
]


def weights_of(text: str) -> dict[tuple[int, int], float]:
    weights = Range.parse(text).weights
    return {COMBOS[i]: float(weights[i]) for i in np.flatnonzero(weights)}


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (["AA", "AA, AKs"], "Kc8d2hTs", ""),
        (["AhAs, AdAc", "AhAs, AdAc"], "Kc8d2h7s", ""),
        (["AhKd", "0.5(QQ), 0.25(JTs), A2s"], "Jc8d2h4s3c", ""),
        (["AKs, 0.2(AA)", "0.3(AKo), KK"], "Ad7c2s9d", "Kh"),
        (["AhAd, AsAc, KhKs", "AhAs, 0.5(KdKc)", "AcAd, 0.3(KhKc), QhQd"], "2c3d9h", ""),
        (["AhAd, AsKs", "KhQh, 9c8c", "9c9d, TsTc", "2c2d, QsJs"], "Jc8d2h7s", "Ah"),
    ],
)
def test_exact_answers_are_those_of_plain_enumeration(players: list[str], board: str, dead: str) -> None:
    exact = equity(players, board, dead, method="exact")
    wanted = exact_equity([weights_of(p) for p in players], parse_cards(board), parse_cards(dead))
    assert exact.equities == pytest.approx(wanted, abs=1e-6)
    assert exact.method == "exact"
    assert exact.standard_errors == (0.0,) * len(players)


def test_public_figures() -> None:
    """Numbers that every poker calculator shows."""
    assert equity(["AhAd", "KK"]).equities[0] == pytest.approx(0.8195, abs=5e-5)
    assert equity(["AsKs", "QQ"]).equities[0] == pytest.approx(0.4605, abs=5e-4)
    assert equity(["AhAd", "any"], method="walk", samples=400_000).equities[0] == pytest.approx(0.852, abs=4e-3)


def test_both_exact_ways_agree() -> None:
    """Two ranges on a flop: deal by deal, and board by board (the wider range forces the latter)."""
    narrow = ["AhKh, QcQd, 7s7c, 0.4(JsTs)", "AhAd, KhQh, 0.6(7s6s), 9c8c"]
    wide = equity([narrow[0], Range.parse(f"0.000000001(any), {narrow[1]}")], "8h7d2c", method="exact")
    deal_by_deal = equity(narrow, "8h7d2c", method="exact")
    assert deal_by_deal.equities == pytest.approx(wide.equities, abs=1e-4)


@pytest.mark.parametrize("method", ["walk", "independent"])
@pytest.mark.parametrize(("players", "board", "dead"), OVERLAPPING)
def test_samples_have_the_joint_distribution(players: list[str], board: str, dead: str, method: Method) -> None:
    exact = equity(players, board, dead, method="exact")
    samples = count(fast=200_000, ci=1_000_000, verify=5_000_000)
    sampled = equity(players, board, dead, method=method, samples=samples, seed=3)
    for value, wanted, error in zip(sampled.equities, exact.equities, sampled.standard_errors, strict=True):
        assert abs(value - wanted) <= 4.5 * error + 1e-6
        assert error < (1.0 if method == "independent" else 4.0) / samples**0.5


def test_drawing_one_after_another_would_be_wrong() -> None:
    """The test above can fail: the order of unweighted draws alone moves this equity by many standard errors."""
    players = ["AA, 22", "AA"]
    exact = equity(players, "Kc8d3h", method="exact").equities[0]
    naive = np.mean([equity([hand, "AA"], "Kc8d3h", method="exact").equities[0] for hand in ["AA", "22"]])
    assert abs(float(naive) - exact) > 0.05


@pytest.mark.parametrize("method", ["walk", "independent"])
def test_standard_errors_are_honest(method: Method) -> None:
    """Over many seeds the deviations divided by the errors have a mean square near 1."""
    players, board, dead = OVERLAPPING[3]
    exact = equity(players, board, dead, method="exact").equities
    seeds = count(fast=200, ci=400, verify=1000)
    scores = []
    for seed in range(seeds):
        sampled = equity(players, board, dead, method=method, samples=8000, seed=seed)
        scores.append([(a - b) / e for a, b, e in zip(sampled.equities, exact, sampled.standard_errors, strict=True)])
    squares = np.square(np.array(scores)).mean(axis=0)
    assert np.all(squares > 0.7)
    assert np.all(squares < 1.5)


def test_a_walk_leaves_deals_that_no_single_change_leaves() -> None:
    """Three players whose hands can only move round all at once: a walk of single redraws would stay for ever."""
    players = ["AhAs, KhKs", "KhKs, QhQs", "QhQs, AhAs"]
    sampled = equity(players, "2c3d7h8s9c", method="walk", samples=40_000)
    assert sampled.equities == pytest.approx((0.5, 0.0, 0.5), abs=4.5 * max(sampled.standard_errors))
    assert 0 < max(sampled.standard_errors) < 0.05


@pytest.mark.parametrize("method", ["exact", "walk", "independent"])
def test_threads_do_not_change_the_answer(method: Method) -> None:
    players = ["77+", "A2s+", "KQs"] if method != "exact" else ["AhKd", "QQ+"]
    one = equity(players, "9c8c3d", method=method, samples=50_000, seed=9, threads=1)
    assert one == equity(players, "9c8c3d", method=method, samples=50_000, seed=9, threads=3)
    if method != "exact":
        assert one != equity(players, "9c8c3d", method=method, samples=50_000, seed=10)


@pytest.mark.parametrize("method", ["walk", "independent"])
def test_sampling_stops_at_the_target_error(method: Method) -> None:
    sampled = equity(["any"] * 5, method=method, samples=10_000_000, target_error=0.002)
    assert sampled.reached_target
    assert max(sampled.standard_errors) <= 0.002
    assert sampled.samples < 400_000
    short = equity(["any"] * 5, method=method, samples=1000, target_error=0.002)
    assert not short.reached_target


def test_auto_is_exact_where_affordable() -> None:
    assert equity(["AhKd", "QQ+,AK"]).method == "exact"
    assert equity(["22+", "any"], "9c8c3d2h").method == "exact"
    many = equity(["any"] * 10)
    assert many.method == "sampled"
    assert sum(many.equities) == pytest.approx(1)
    assert many.equities == pytest.approx([0.1] * 10, abs=5 * max(many.standard_errors))


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (["AhKd", "AhQd"], "", ""),
        (["AA", "AA", "AA"], "", ""),
        (["AhKd", "QQ"], "Ah2c3d", ""),
        (["AhKd", "QhQd"], "", "Qh"),
        (["AhKd", "QQ"], "2c3d", ""),
        (["AhKd", "QQ"], "2c3d4h", "2c"),
        (["AhKd"], "", ""),
        (["any"] * 11, "", ""),
    ],
)
@pytest.mark.parametrize("method", ["auto", "walk", "independent"])
def test_impossible_questions_are_refused(players: list[str], board: str, dead: str, method: Method) -> None:
    with pytest.raises(BadSetting):
        equity(players, board, dead, method=method)


def test_a_budget_stops_the_call() -> None:
    budget = Budget(seconds=0.05)
    sampled = equity(["any"] * 6, samples=10**10, method="independent", budget=budget)
    assert not sampled.reached_target
    assert sampled.samples < 10**8
    with pytest.raises(RuntimeError, match="budget"):
        equity(["any", "any"], method="exact", budget=Budget(seconds=0.05))
