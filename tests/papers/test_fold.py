"""Paper 004 (FOLD): its printed numbers, asked of the functions that the agent calls."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from mingpai.games.holdem.notation import parse_cards
from mingpai.methods.handreading import algorithm2
from mingpai.methods.handreading.algorithm2 import BOOK, Thresholds, by_thresholds, special_action, special_of
from mingpai.methods.handreading.decide import Decider, DecideSettings, equity_against
from mingpai.methods.handreading.hands import COMBOS, HAND_CLASSES, Floats, combo, hand_class, strength
from mingpai.methods.handreading.infer import infer, one_a_street
from mingpai.methods.handreading.model import BANDS, FACING_BET, PLAIN, Board, DefaultModel, UniformModel
from mingpai.methods.handreading.table import OwnTable, chance_to_improve, outs
from mingpai.methods.handreading.understand import Act, Position, Seen, act_of_share, position_of

SEEN = Seen(
    seat=0, street=1, act=Act.CALL, amount=50, share=0.0, is_all_in=False, pot=150, to_call=50, stack=1900,
    big_blind=40, raises=1, live=2, behind=0, callers=0, position=Position.BLIND, seats=2, is_aggressor=False,
    was_aggressor=False,
)  # fmt: skip


def seen(**changes: object) -> Seen:
    return replace(SEEN, **changes)  # type: ignore[arg-type]


@dataclass
class Printed:
    """A player whose likelihoods are those of figure 3: of two hands as printed, of the others the same on a street."""

    hands: tuple[int, int]
    streets: tuple[tuple[float, float], ...]
    others: float

    def likelihood(self, seen: Seen, board: Board, weights: Floats | None = None) -> Floats:
        values = np.full(COMBOS, self.others, np.float32)
        values[list(self.hands)] = self.streets[seen.street]
        return values

    def responses(self, seen: Seen, board: Board, weights: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        raise NotImplementedError


def test_section_4_3_worked_hand_ace_ten_and_king_jack() -> None:
    """Figure 3: raise / check-call / raise / raise. The paper's 2.16% for KJ is a slip of ten.

    The other 988 of the 990 hands are given what makes the printed sum of 2e-5.
    """
    printed = ((0.01, 0.002), (0.006, 0.03), (0.024, 0.024), (0.005, 0.03))
    hands = combo(*parse_cards("AdTc")), combo(*parse_cards("KsJc"))
    others = float(((2e-5 - 7.2e-9 - 4.32e-8) / 988) ** 0.25)
    story = [seen(street=street, act=act) for street, act in enumerate((Act.POT, Act.CALL, Act.POT, Act.POT))]
    board, own = parse_cards("AcTd4dQc5c"), parse_cards("AhJh")
    (weights,) = infer(story, board, {0: Printed(hands, printed, others)}, own).values()
    assert np.count_nonzero(weights) == 990
    assert 100 * weights[hands[0]] == pytest.approx(0.036, rel=1e-3)
    assert 100 * weights[hands[1]] == pytest.approx(0.216, rel=1e-3)


def test_equation_4_raises_by_share_of_the_pot() -> None:
    assert [act_of_share(share) for share in (0.1, 0.6, 0.61, 1.0, 1.01, 5.0)] == [
        Act.HALF_POT, Act.HALF_POT, Act.THREE_QUARTERS, Act.THREE_QUARTERS, Act.POT, Act.POT,
    ]  # fmt: skip
    assert act_of_share(500 / 1000) is Act.HALF_POT
    assert act_of_share(500 / 200) is Act.POT


def relative(equity: float, act: Act) -> float:
    """Figure 2 as the page has it: 50 inside the band, outside it falling with the distance from the baseline."""
    band = BANDS[act]
    if band.low <= equity <= band.high:
        return 50.0
    return min(50.0, 0.6 / max(abs(equity - band.baseline), 1e-9))


def test_figure_2_call_has_fifty_inside_its_band_and_about_ten_at_055() -> None:
    """The model that the agent uses, on a real flop: every hand's chance is the normalised figure."""
    call = BANDS[Act.CALL]
    assert (call.low, call.high, call.baseline) == (0.57, 0.68, 0.61)
    assert BANDS[Act.CHECK].baseline == 0.513
    assert [relative(equity, Act.CALL) for equity in (0.57, 0.61, 0.68)] == [50, 50, 50]
    assert relative(0.55, Act.CALL) == pytest.approx(10)
    board = tuple(sorted(parse_cards("Kc8d3h")))
    chances = DefaultModel(additions=PLAIN).likelihood(SEEN, board)
    equities = strength(board).equity
    known = [hand for hand in range(COMBOS) if strength(board).live[hand]]
    expected = [relative(e, Act.CALL) / sum(relative(e, act) for act in FACING_BET) for e in equities[known]]
    assert chances[known] == pytest.approx(expected, rel=1e-3, abs=1e-5)
    assert chances[known].max() > 5 * np.median(chances[known])


def test_additions_of_ours_can_be_switched_off_one_by_one() -> None:
    board = tuple(sorted(parse_cards("Kc8d3h")))
    plain = DefaultModel(additions=PLAIN).likelihood(SEEN, board)
    for name in ("tremble", "shifts", "frequencies"):
        changed = DefaultModel(additions=replace(PLAIN, **{name: True})).likelihood(SEEN, board)
        assert not np.allclose(changed, plain)


def test_section_4_1_one_action_per_street_the_most_aggressive() -> None:
    check_raise = [seen(act=Act.CHECK, to_call=0, raises=0), seen(act=Act.POT), seen(seat=1, act=Act.CALL)]
    assert one_a_street([*check_raise, seen(street=2, act=Act.CHECK)]) == [
        check_raise[1], check_raise[2], seen(street=2, act=Act.CHECK),
    ]  # fmt: skip


def test_section_4_2_four_positions_at_eight_seats() -> None:
    places = [position_of(seat, 8) for seat in range(8)]
    assert places == [Position.BLIND] * 2 + [Position.FRONT] * 2 + [Position.MIDDLE] * 2 + [Position.REAR] * 2


@pytest.mark.parametrize(
    ("hand", "expected"),
    [("Ah9d", "big high card"), ("8h4d", "small high card"), ("KhKd", "big pair"), ("5h5d", "small pair")],
)
def test_section_5_2_categories_before_the_flop(hand: str, expected: str) -> None:
    assert HAND_CLASSES[hand_class(combo(*parse_cards(hand)), ())] == expected


def table(**changes: object) -> OwnTable:
    """Heads-up on the flop, facing half a pot."""
    base: dict[str, object] = {
        "hero": 0, "hand": combo(*parse_cards("9h8h")), "board": tuple(parse_cards("Tc7dKs")), "street": 1,
        "pot": 300.0, "cost": 100.0, "stack": 1800.0, "bet": 100.0, "own_bet": 0.0, "min_to": 200.0, "max_to": 1800.0,
        "big_blind": 40.0, "seats": 2, "raises": 1, "callers": 0, "live": (1,), "waiting": (), "stacks": {1: 1700.0},
        "bets": {1: 100.0},
    }  # fmt: skip
    return OwnTable(**(base | changes))  # type: ignore[arg-type]


def test_section_4_5_eight_outs_twice() -> None:
    """The paper counts 50 unseen cards (29.7%); on the flop 47 are unseen (31.5%)."""
    assert outs(table()) == 8
    assert chance_to_improve(table(), 8) == pytest.approx(0.315, abs=5e-4)
    turn = table(board=tuple(parse_cards("Tc7dKs2h")), street=2)
    assert chance_to_improve(turn, 8) == pytest.approx(8 / 46)


def test_section_4_5_seventy_percent_in_a_pot_of_two_and_fifty_five_in_one_of_three() -> None:
    """Read as a raise made again after the flop, at the price of half a pot."""
    again = table(raises=2)
    assert algorithm2.thresholds(again).call == pytest.approx(BOOK[1]["bet again"].call)
    three = algorithm2.thresholds(replace(again, live=(1, 2), stacks={1: 1700.0, 2: 1700.0}))
    assert three.call / algorithm2.thresholds(again).call == pytest.approx(0.55 / 0.70)


@pytest.mark.parametrize(
    ("equity", "facing", "free"),
    [(0.1, "fold", "check"), (0.4, "call", "check"), (0.6, "half pot", "half pot"), (0.9, "pot", "pot")],
)
def test_algorithm_2_four_actions(equity: float, facing: str, free: str) -> None:
    limits = Thresholds(0.3, 0.5, 0.8)
    assert by_thresholds(table(), equity, limits) == facing
    assert by_thresholds(table(cost=0.0), equity, limits) == free


def test_algorithm_2_adjusts_to_the_scenario() -> None:
    """The same equity bets an unbet flop and not the turn; a fair hand enters for the blind, a good one raises."""
    flop = table(cost=0.0, raises=0, bet=0.0, bets={1: 0.0})
    turn = replace(flop, street=2, board=tuple(parse_cards("Tc7dKs2h")))
    assert by_thresholds(flop, 0.40, algorithm2.thresholds(flop)) == "half pot"
    assert by_thresholds(turn, 0.40, algorithm2.thresholds(turn)) == "check"
    small_blind = table(street=0, board=(), pot=60.0, cost=20.0, bet=40.0, own_bet=20.0, raises=0, bets={1: 40.0})
    wanted = {0.35: "fold", 0.55: "call", 0.65: "half pot", 0.90: "pot"}
    limits = algorithm2.thresholds(small_blind)
    assert {equity: by_thresholds(small_blind, equity, limits) for equity in wanted} == wanted


def test_algorithm_2_half_a_pot_and_a_pot_name_the_totals() -> None:
    assert algorithm2.total_of("half pot", table()) == 100 + 0.5 * 400
    assert algorithm2.total_of("pot", table()) == 100 + 400
    assert algorithm2.total_of("pot", table(max_to=600.0)) == 600


def test_special_short_stacks_push_or_fold() -> None:
    short = table(street=0, board=(), stack=300.0, max_to=300.0, stacks={1: 300.0})
    assert special_of(short, 0) == "push or fold"
    limits = algorithm2.thresholds(short)
    assert special_action("push or fold", short, 0.6, limits, 0) == "all-in"
    assert special_action("push or fold", short, 0.4, limits, 0) == "fold"


def test_special_deep_stacks_call_with_speculative_hands() -> None:
    deep = table(street=0, board=(), stack=4000.0, max_to=4000.0, stacks={1: 4000.0}, cost=100.0)
    assert special_of(deep, 0) == "deep speculation"
    limits = Thresholds(0.6, 0.7, 0.9)
    assert special_action("deep speculation", deep, 0.3, limits, 0) == "call"
    assert special_action("deep speculation", replace(deep, cost=900.0), 0.3, limits, 0) is None
    assert special_of(replace(deep, hand=combo(*parse_cards("Kh4d"))), 0) == ""


def test_special_a_very_large_bet_needs_the_equity_of_a_raise() -> None:
    large = table(pot=500.0, cost=300.0, hand=combo(*parse_cards("Kh4d")))
    assert special_of(large, 0) == "very large bet"
    limits = algorithm2.thresholds(large)
    assert special_action("very large bet", large, 0.99, limits, 0) == "call"
    assert special_action("very large bet", large, limits.call - 0.01, limits, 0) == "fold"


def test_special_cases_act_in_the_decision() -> None:
    """Implied odds: eight outs call half a pot that the equity alone would fold, and fold when they are off."""
    ranges = {1: np.zeros(COMBOS, np.float32)}
    ranges[1][[combo(*parse_cards(cards)) for cards in ("KhKd", "TsTd", "AcKh")]] = 1 / 3
    facing = table(cost=190.0, pot=390.0)
    for implied, expected in ((True, "call"), (False, "fold")):
        decider = Decider(DecideSettings(policy="thresholds", implied_odds=implied))
        verdict = decider.decide(facing, ranges, {1: UniformModel()})
        assert verdict.choice == expected
        assert verdict.facts is not None
        assert verdict.facts.special == ("draw" if implied else None)


def test_ranges_that_exclude_each_other_are_an_error_and_not_uniform() -> None:
    alone = np.zeros(COMBOS, np.float32)
    alone[combo(*parse_cards("AcAd"))] = 1
    with pytest.raises(ValueError, match=r"."):
        equity_against(table(), [alone, alone], 100)
