"""Playing hands out: values that can be worked out by hand, and what must follow from them."""

import numpy as np
import pytest

from mingpai._native import handreading as reading
from mingpai._native import holdem as native
from mingpai.agents.holdem_styles import STYLES, Style
from mingpai.core.random import stream
from mingpai.games.holdem.notation import parse_cards
from mingpai.games.holdem.rules import rules_of
from mingpai.methods.handreading.hands import COMBOS, Floats, combo, normalised, strength
from mingpai.methods.handreading.infer import unblocked
from mingpai.methods.handreading.plan import Planned, PlanSettings, plan, sizes
from tests.scale import count

BOARD = parse_cards("Ah9d4c7s2s")
CHECK, CALL, RAISE = native.ActionKind.CHECK, native.ActionKind.CALL, native.ActionKind.RAISE
NEVER = 2.0
FOLDS = Style(limp=1, open=0, call_raise=0, reraise=0, bet=NEVER, raise_at=NEVER, margin=NEVER)
CALLS = Style(limp=1, open=0, call_raise=1, reraise=0, bet=NEVER, raise_at=NEVER, margin=-NEVER)


def _river(cards: str, bet: int) -> native.Table:
    """A pot of 80 on the river; seat 1 checks or bets, seat 0 holds the cards and is to act."""
    first, second = parse_cards(cards)
    hands = [(first, second), (5, 9)]
    table = native.Table([2000, 2000], 0, 20, 40, 0, rules_of("").native, hands, BOARD)
    for kind in (CALL, CHECK, CHECK, CHECK, CHECK, CHECK):
        table.act(kind, 0)
    table.act(RAISE if bet else CHECK, bet)
    assert table.to_act == 0
    return table


def _plan(table: native.Table, style: Style, risk: float = 0.0, deals: int = 256) -> Planned:
    held = table.hands[0]
    assert held is not None
    weights: Floats = normalised(unblocked([*BOARD, *held]))
    return plan(table, {1: weights}, {1: [style.native]}, table.board, PlanSettings(deals, risk), 3)


def _values(plan: Planned) -> dict[str, float]:
    return {option.name: option.value for option in plan.options}


@pytest.mark.parametrize("cards", ["AsKd", "8h8c", "JcTd", "6h3h"])
def test_a_call_on_the_river_is_worth_its_equity(cards: str) -> None:
    table = _river(cards, 80)
    first, second = parse_cards(cards)
    equity = float(strength(tuple(sorted(BOARD))).equity[combo(first, second)])
    planned = reading.plan(
        table, np.stack([np.zeros(COMBOS, np.float32), unblocked([*BOARD, first, second])]),
        strength(tuple(sorted(BOARD))).equity, [[CALLS.native]] * 2, [FOLDS.native],
        [(native.ActionKind.FOLD, 0), (CALL, 0)], 2048, 0.0, 3,
    )  # fmt: skip
    fold, call = planned.rows
    assert fold.mean == fold.error == 0
    assert call.mean == pytest.approx(equity * 240 - 80, abs=max(4 * call.error, 2))


def test_bets_win_the_pot_from_a_player_who_folds() -> None:
    values = _values(_plan(_river("6h3h", 0), FOLDS))
    assert max(values, key=lambda name: values[name]) != "check"
    assert values["small"] == 80


def test_bluffs_lose_against_a_player_who_calls_and_good_hands_bet_big() -> None:
    weak, strong = (_values(_plan(_river(cards, 0), CALLS)) for cards in ("6h3h", "AsAd"))
    assert weak["check"] > weak["small"] > weak["overbet"]
    assert strong["overbet"] > strong["small"] > strong["check"]


HALF = 4.595
"""Log odds between 0.99 and a half: no prediction of a fold is taken for surer than 0.99."""


@pytest.mark.parametrize(("style", "offset"), [(FOLDS, -HALF), (CALLS, HALF)])
@pytest.mark.parametrize(("cards", "gain"), [("AsAd", 1), ("6h3h", -1)])
def test_who_folds_half_the_time_calls_with_the_better_half(style: Style, offset: float, cards: str, gain: int) -> None:
    """Of somebody who folds everything the best hands call; of somebody who calls everything the worst ones fold."""
    first, second = parse_cards(cards)
    planned = reading.plan(
        _river(cards, 0), np.stack([np.zeros(COMBOS, np.float32), unblocked([*BOARD, first, second])]),
        strength(tuple(sorted(BOARD))).equity, [[style.native]] * 2, [FOLDS.native], [(CHECK, 0), (RAISE, 60)], 2048,
        0.0, 3, [[0.0, 0.0], [0.0, offset]],
    )  # fmt: skip
    check, bet = planned.rows
    assert bet.folds == pytest.approx(0.5, abs=0.04)
    assert bet.predicted == (offset < 0)
    assert bet.mean == pytest.approx(0.5 * 80 + 0.5 * (gain * 60 + (80 if gain > 0 else 0)), abs=max(4 * bet.error, 6))
    assert check.predicted == 0


def test_nobody_folds_surer_than_the_limit() -> None:
    table = _river("6h3h", 0)
    planned = reading.plan(
        table, np.stack([np.zeros(COMBOS, np.float32), unblocked([*BOARD, *(table.hands[0] or ())])]),
        strength(tuple(sorted(BOARD))).equity, [[FOLDS.native]] * 2, [FOLDS.native], [(CHECK, 0), (RAISE, 60)], 2048,
        0.0, 3, [[0.0, 0.0]] * 2, fold_limits=[[1.0, 0.7]] * 2,
    )  # fmt: skip
    assert planned.rows[1].folds == pytest.approx(0.7, abs=0.04)
    assert planned.rows[1].predicted == 1


def test_offsets_of_another_shape_are_refused() -> None:
    table = _river("8h8c", 0)
    rows, axis = np.ones((2, COMBOS), np.float32), strength(tuple(sorted(BOARD))).equity
    for offsets in ([[0.0, 0.0]], [[0.0], [0.0]]):
        with pytest.raises(ValueError, match="fold_offsets"):
            reading.plan(
                table, rows, axis, [[FOLDS.native]] * 2, [FOLDS.native], [(CHECK, 0), (RAISE, 60)], 32, 0.0, 3, offsets
            )
        with pytest.raises(ValueError, match="fold_limits"):
            reading.plan(
                table, rows, axis, [[FOLDS.native]] * 2, [FOLDS.native], [(CHECK, 0), (RAISE, 60)], 32, 0.0, 3,
                [[0.0, 0.0]] * 2, fold_limits=offsets,
            )  # fmt: skip


def test_aversion_lowers_the_value_of_a_gamble() -> None:
    table = _river("JcTd", 80)
    reckless, bold, careful = (_values(_plan(table, CALLS, risk))["call"] for risk in (-2.0, 0.0, 2.0))
    assert careful < bold < reckless


def test_the_same_seed_gives_the_same_values() -> None:
    table = _river("8h8c", 80)
    assert _values(_plan(table, STYLES["tag"])) == _values(_plan(table, STYLES["tag"]))


def test_sizes_are_legal_whatever_the_stacks() -> None:
    """Every raise that is considered may be made, under each way to split pots; short stacks push or fold."""
    for number in range(count(fast=60, ci=300, verify=1000)):
        rng = stream(5, number)
        rules = rules_of(("standard", "acpc", "huawei2015", "botzone")[number % 4])
        deck = [int(card) for card in rng.permutation(52)]
        seats = int(rng.integers(2, 7))
        stacks = [int(chips) * rules.unit + int(rng.integers(rules.unit)) for chips in rng.integers(60, 3000, seats)]
        hands = [(deck[2 * s], deck[2 * s + 1]) for s in range(seats)]
        table = native.Table(stacks, 0, 20 * rules.unit, 40 * rules.unit, 0, rules.native, hands, deck[20:25])
        while not table.is_over:
            raises = sizes(table)
            illegal = [(name, to, why) for name, to in raises if (why := table.why_illegal(RAISE, to))]
            assert not illegal, (number, illegal, table.legal().min_to, table.legal().max_to, rules.name)
            legal = table.legal()
            if raises and rng.random() < 0.3:
                table.act(RAISE, raises[int(rng.integers(len(raises)))][1])
            elif legal.check:
                table.act(CHECK, 0)
            else:
                table.act(CALL if legal.call else native.ActionKind.FOLD, 0)


def test_ranges_that_leave_nothing_are_refused() -> None:
    table = _river("8h8c", 80)
    with pytest.raises(ValueError, match="no combination"):
        plan(table, {1: np.zeros(COMBOS, np.float32)}, {1: [FOLDS.native]}, table.board, PlanSettings(), 1)
