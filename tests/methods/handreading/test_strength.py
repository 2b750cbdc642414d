"""Native strengths against eval7 and plain counting."""

import itertools

import eval7
import numpy as np
import pytest

from mingpai._native import handreading as native
from mingpai.games.holdem.notation import CARDS, parse_cards
from mingpai.methods.handreading.hands import COMBOS, HAND_CLASSES, HIGH, LOW, combo, hand_class, strength
from tests.scale import count


def _rank(cards: tuple[int, ...]) -> int:
    return int(eval7.evaluate([eval7.Card(CARDS[card]) for card in cards]))


def _share(hand: tuple[int, int], board: tuple[int, ...]) -> float:
    """Share against every hand that is left, counted one by one."""
    own = _rank((*hand, *board))
    left = [card for card in range(len(CARDS)) if card not in {*hand, *board}]
    ranks = [_rank((*pair, *board)) for pair in itertools.combinations(left, 2)]
    return sum((own > rank) + 0.5 * (own == rank) for rank in ranks) / len(ranks)


@pytest.mark.parametrize("board", ["2c7dJhQsAc", "8h9hThJhQh", "KcKdKhKs2c", "5c5d5h9s", "AcTd4h"])
def test_share_now_equals_counting(board: str) -> None:
    cards = tuple(parse_cards(board))
    shares = strength(tuple(sorted(cards)))
    rng = np.random.default_rng(1)
    live = np.flatnonzero(shares.live)
    for index in rng.choice(live, count(fast=3, ci=10, verify=30), replace=False):
        hand = (int(LOW[index]), int(HIGH[index]))
        assert shares.now[index] == pytest.approx(_share(hand, cards), abs=1e-6)


def test_turn_equity_is_the_mean_over_rivers() -> None:
    board = tuple(parse_cards("AcTd4hQc"))
    held = combo(*parse_cards("KsJc"))
    blocked = {*board, int(HIGH[held]), int(LOW[held])}
    rivers = [card for card in range(len(CARDS)) if card not in blocked]
    shares = [strength(tuple(sorted((*board, card)))).now[held] for card in rivers]
    turn = strength(tuple(sorted(board)))
    assert turn.equity[held] == pytest.approx(np.mean(shares), abs=1e-5)
    assert turn.spread[held] == pytest.approx(np.std(shares), abs=1e-4)


def test_blocked_combinations_are_zero() -> None:
    board = tuple(sorted(parse_cards("AcTd4h")))
    shares = strength(board)
    for index in range(COMBOS):
        blocked = HIGH[index] in board or LOW[index] in board
        assert shares.live[index] == (not blocked)
        if blocked:
            assert shares.now[index] == shares.equity[index] == 0


def test_shares_of_all_hands_average_one_half() -> None:
    shares = strength(tuple(sorted(parse_cards("2c7dJhQsAc"))))
    assert shares.now[shares.live > 0].mean() == pytest.approx(0.5, abs=1e-6)
    assert strength(()).equity.mean() == pytest.approx(0.5, abs=1e-3)
    assert strength(()).equity[combo(*parse_cards("AsAh"))] == pytest.approx(0.852, abs=0.01)
    assert strength(()).equity[combo(*parse_cards("7s2h"))] == pytest.approx(0.346, abs=0.015)


@pytest.mark.parametrize(
    ("hand", "board", "expected"),
    [
        ("AhQd", "Kc7d2s", "big high card"), ("9h8d", "Qc7d2s", "small high card"), ("9h2d", "Qc7d2s", "small pair"),
        ("ThQd", "Tc7d2s", "big pair"), ("9h3d", "QcQd2s", "big pair"), ("9h9d", "QcQd2s", "two pair"),
        ("QhQd", "Qc7d2s", "trips"), ("5h4d", "Ac3d2s", "straight"), ("AhTh", "KhQhJd9h2c", "flush"),
        ("AhTh", "KhQhJh", "straight flush"), ("7h7d", "7c2d2s", "full house"), ("7h7d", "7c7s2s", "quads"),
    ],
)  # fmt: skip
def test_hand_classes(hand: str, board: str, expected: str) -> None:
    assert HAND_CLASSES[hand_class(combo(*parse_cards(hand)), tuple(parse_cards(board)))] == expected


def test_errors_name_the_argument() -> None:
    with pytest.raises(ValueError, match="board"):
        native.strengths(0b11, 10)
    with pytest.raises(ValueError, match="runouts"):
        native.strengths(0, 0)
    with pytest.raises(ValueError, match="hand"):
        native.hand_class(1, 0)
