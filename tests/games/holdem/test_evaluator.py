"""Hand ranks: all five-card hands, all category counts, and random hands against two other evaluators."""

from itertools import combinations, combinations_with_replacement

import eval7
import numpy as np
import numpy.typing as npt
import pytest
from pokerkit import StandardHighHand

from mingpai._native import holdem as native
from mingpai.games.holdem.equity import Category, category_of, evaluate, rank_of
from mingpai.games.holdem.notation import format_cards, parse_cards
from tests.reference.holdem import rank_best, rank_five
from tests.scale import count

# Public combinatorial facts: hands of each size by category, weakest first.
FIVE = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
SIX = [6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1844]
SEVEN = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584]
CLASSES = [1277, 2860, 858, 858, 10, 1277, 156, 156, 10]


def random_hands(hands: int, size: int, seed: int) -> npt.NDArray[np.uint8]:
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (hands, 1)), axis=1)[:, :size].copy()


def test_number_of_ranks_in_each_category() -> None:
    assert native.category_sizes() == CLASSES
    assert sum(CLASSES) == 7462


@pytest.mark.parametrize(("size", "expected"), [(5, FIVE), (6, SIX)])
def test_category_counts(size: int, expected: list[int]) -> None:
    assert native.count_categories(size) == expected


@pytest.mark.ci
def test_category_counts_of_all_seven_card_hands() -> None:
    assert sum(SEVEN) == 133_784_560
    assert native.count_categories(7) == SEVEN


def test_rank_keys_have_distinct_sums() -> None:
    """The evaluator's keys, as its header says: no two multisets of a size share a sum."""
    keys = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
    for size in (5, 6, 7):
        hands = [h for h in combinations_with_replacement(range(13), size) if max(map(h.count, h)) <= 4]
        assert len({sum(keys[rank] for rank in hand) for hand in hands}) == len(hands)


def test_order_of_five_card_hands_is_the_reference_order() -> None:
    """All 2,598,960 in verify; a spread of them otherwise. Equal order of ranks means equal order of hands."""
    step = count(fast=97, ci=23, verify=1)
    hands = np.array([h for i, h in enumerate(combinations(range(52), 5)) if i % step == 0], dtype=np.uint8)
    pairs = {(int(rank), rank_five(hand)) for rank, hand in zip(evaluate(hands), hands.tolist(), strict=True)}
    ordered = sorted(pairs)
    assert len({rank for rank, _ in pairs}) == len({hand for _, hand in pairs}) == len(pairs)
    assert [hand for _, hand in ordered] == sorted(hand for _, hand in ordered)


@pytest.mark.parametrize("size", [6, 7])
def test_larger_hands_rank_as_their_best_five(size: int) -> None:
    hands = random_hands(count(fast=2000, ci=10_000, verify=100_000), size, seed=size)
    best = [max(range(len(fives)), key=lambda i: rank_five(fives[i])) for fives in
            (list(combinations(hand, 5)) for hand in hands.tolist())]  # fmt: skip
    fives = np.array([list(combinations(hand, 5))[i] for hand, i in zip(hands.tolist(), best, strict=True)], np.uint8)
    assert np.array_equal(evaluate(hands), evaluate(fives))


def test_seven_cards_order_as_eval7_and_pokerkit() -> None:
    hands = random_hands(count(fast=3000, ci=30_000, verify=300_000), 7, seed=1)
    ours = evaluate(hands).tolist()
    theirs = [eval7.evaluate([eval7.Card(format_cards([c])) for c in hand]) for hand in hands.tolist()]
    assert_same_order(ours, theirs)
    few = count(fast=300, ci=1000, verify=5000)
    kit = [StandardHighHand.from_game(format_cards(hand[:2]), format_cards(hand[2:])) for hand in hands[:few].tolist()]
    for i in range(few - 1):
        assert (ours[i] < ours[i + 1], ours[i] == ours[i + 1]) == (kit[i] < kit[i + 1], kit[i] == kit[i + 1])


def assert_same_order(ours: list[int], theirs: list[int]) -> None:
    pairs = sorted(set(zip(ours, theirs, strict=True)))
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
    assert [b for _, b in pairs] == sorted(b for _, b in pairs)


def test_sets_and_rows_agree() -> None:
    for size in (5, 6, 7):
        hands = random_hands(5000, size, seed=10 + size)
        ranks = evaluate(hands)
        assert [rank_of(hand) for hand in hands[:200].tolist()] == ranks[:200].tolist()


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("AhKhQhJhTh2c3d", Category.STRAIGHT_FLUSH),
        ("5d4d3d2dAd Ks Kc", Category.STRAIGHT_FLUSH),
        ("9c9d9h9s2c", Category.QUADS),
        ("9c9d9h2s2c2d", Category.FULL_HOUSE),
        ("AcQc9c5c2c2d2h", Category.FLUSH),
        ("Ah2c3d4s5h9h", Category.STRAIGHT),
        ("QhKcAd2s3h", Category.HIGH_CARD),
        ("7c7d7h2s4cKd", Category.TRIPS),
        ("7c7d4h4s2c2d", Category.TWO_PAIR),
        ("7c7d4h3s2cKdQd", Category.PAIR),
    ],
)
def test_categories(text: str, category: Category) -> None:
    assert category_of(rank_of(parse_cards(text))) is category
    assert rank_best(parse_cards(text))[0] == category


@pytest.mark.parametrize("rows", [[[0, 1, 2, 3, 4, 5, 5]], [[0, 1, 2, 3, 4, 5, 52]], [[0, 1, 2, 3, 4, 5, 255]]])
def test_bad_cards_are_refused(rows: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="hand 0 holds a card twice"):
        evaluate(np.array(rows, dtype=np.uint8))


def test_hands_of_four_or_eight_cards_are_refused() -> None:
    for size in (4, 8):
        with pytest.raises(ValueError, match="5 to 7 cards"):
            evaluate(np.zeros((1, size), dtype=np.uint8))
