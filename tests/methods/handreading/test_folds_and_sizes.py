"""What is learned of a player's folds and of the sizes of his bets, and what raises are worth by it."""

import numpy as np
import pytest

from mingpai._native import holdem as native
from mingpai.games.holdem.rules import rules_of
from mingpai.methods.handreading.agent import FoldAgent, FoldSettings
from mingpai.methods.handreading.betsizes import PLACES, BetSizes
from mingpai.methods.handreading.family import FamilyModel, place_of
from mingpai.methods.handreading.foldrates import KNOWN_HANDS, MOST_FOLDS, RAISED, RERAISED, FoldRates, size_step
from mingpai.methods.handreading.hands import COMBOS, strength
from mingpai.methods.handreading.plan import fold_limits, fold_offsets
from mingpai.methods.handreading.smallpots import SmallPots
from mingpai.methods.handreading.understand import Act, Position, Seen

FLOP = (0, 17, 30)


def bet_seen(act: Act, to_call: float, share: float = 0.0, street: int = 1, raises: int = 1) -> Seen:
    return Seen(
        seat=0, street=street, act=act, amount=0, share=share, is_all_in=False, pot=400 + to_call, to_call=to_call,
        stack=4000, big_blind=40, raises=raises, live=2, behind=0, callers=0, position=Position.BLIND, seats=2,
        is_aggressor=False, was_aggressor=False,
    )  # fmt: skip


def watched(folds: float, hands: int, predicted: float = 0.5, street: int = 1) -> FoldRates:
    """A player who folds this share of the half-pot bets he faces, once a hand."""
    rates = FoldRates()
    for number in range(hands):
        act = Act.FOLD if (number * 0.618) % 1 < folds else Act.CALL
        rates.see(bet_seen(act, 200, street=street), predicted)
        rates.end_hand()
    return rates


@pytest.mark.parametrize("truth", [0.15, 0.5, 0.85])
def test_a_known_player_folds_as_he_did(truth: float) -> None:
    step = size_step(1, 1, 200, 600, 40)
    assert watched(truth, 150).chance(0.5, 1, step) == pytest.approx(truth, abs=0.07)


def test_an_unknown_player_is_taken_to_fold_less_than_predicted() -> None:
    for street, step in ((0, 1), (0, 2), (1, 0), (2, 1), (3, 2), (1, 3)):
        assert FoldRates().chance(0.6, street, step) < 0.6
    seen = watched(0.5, 10)
    later = FoldRates.from_json({**seen.to_json(), "hands": KNOWN_HANDS})
    assert seen.chance(0.5, 1, 0) < later.chance(0.5, 1, 0) == pytest.approx(0.5, abs=0.1)


def test_folds_on_one_street_tell_something_of_the_next_and_nothing_of_before_the_flop() -> None:
    folder, caller = watched(0.9, 60), watched(0.1, 60)
    assert folder.chance(0.5, 1, 0) > folder.chance(0.5, 3, 2) > caller.chance(0.5, 3, 2) > caller.chance(0.5, 1, 0)
    assert folder.chance(0.5, 0, 1) == caller.chance(0.5, 0, 1)


def test_sizes_of_bets_to_fold_to() -> None:
    assert [size_step(1, 1, cost, 400 + cost, 40) for cost in (100, 300, 800)] == [0, 1, 2]
    assert [size_step(2, raises, 100, 900, 40, True) for raises in (2, 3, 5)] == [RAISED, RERAISED, RERAISED]
    assert size_step(2, 3, 100, 900, 40) == RAISED
    assert [size_step(0, 1, cost, 200, 40) for cost in (80, 240, 1200)] == [0, 1, 2]


def test_what_was_answered_long_ago_counts_less() -> None:
    """The first answers were compared with a model that knew nothing of the player, and it learns from them too."""
    rates = watched(0.9, 40)
    for number in range(150):
        rates.see(bet_seen(Act.FOLD if number % 2 else Act.CALL, 200), 0.5)
    assert rates.chance(0.5, 1, 0) == pytest.approx(0.5, abs=0.07)


def preflop(seats: int = 2) -> native.Table:
    """Seat 0 opens with 100; the next is to act."""
    hands = [(51 - 2 * seat, 50 - 2 * seat) for seat in range(seats)]
    table = native.Table([2000] * seats, 0, 20, 40, 0, rules_of("").native, hands, [4, 9, 14, 19, 24])
    if seats > 2:
        table.act(native.ActionKind.FOLD, 0)
    table.act(native.ActionKind.RAISE, 100)
    return table


def test_offsets_are_those_of_the_street_and_of_what_each_player_has_to_pay() -> None:
    table, known, unknown = preflop(), watched(0.05, 80, street=0), FoldRates()
    assert fold_offsets(table, 300, {0: known})[0] == known.offset(0, 1) < -1
    assert fold_offsets(table, 2000, {0: unknown})[0] == unknown.offset(0, 2)
    assert fold_offsets(table, 0, {0: known}) == [0.0, 0.0]
    several = preflop(3)
    assert several.to_act == 2
    assert fold_offsets(several, 300, {1: known}) == [0.0, known.offset(0, 1), 0.0]


def test_who_has_raised_is_not_believed_to_fold_to_a_raise() -> None:
    """On the flop: seat 1 bets, seat 2 raises, seat 0 may raise again. Who has only checked folds as his style says."""
    hands = [(51 - 2 * seat, 50 - 2 * seat) for seat in range(4)]
    table = native.Table([4000] * 4, 0, 20, 40, 0, rules_of("").native, hands, [4, 9, 14, 19, 24])
    for kind, to in [(native.ActionKind.CALL, 0)] * 3 + [(native.ActionKind.CHECK, 0)]:
        table.act(kind, to)
    assert fold_limits(table) == [1.0] * 4
    table.act(native.ActionKind.RAISE, 100)
    assert fold_limits(table) == [1.0, MOST_FOLDS[RAISED], 1.0, 1.0]
    table.act(native.ActionKind.RAISE, 400)
    assert fold_limits(table) == [1.0, MOST_FOLDS[RERAISED], MOST_FOLDS[RERAISED], 1.0]


def test_who_folds_his_raises_again_and_again_is_believed_in_the_end() -> None:
    unknown, known = FoldRates(), FoldRates()
    for _ in range(40):
        known.see(bet_seen(Act.FOLD, 200, raises=3), 0.95, has_raised=True, at_large_table=True)
        known.end_hand()
    assert unknown.offset(1, RERAISED) < 0 < known.offset(1, RERAISED)


def test_the_agent_bluffs_less_into_a_caller() -> None:
    """The option notes what the style predicts beside what is believed of the player."""
    agent, table = FoldAgent(FoldSettings(), game="holdem", spec="fold", seed=1), preflop()
    agent.family_of(0).fold_rates = watched(0.05, 80, street=0)
    caller, _ = agent.weigh(table, 1, 5)
    agent.family_of(0).fold_rates = watched(0.95, 80, street=0)
    folder, _ = agent.weigh(table, 1, 5)
    for one, other in zip(*(sorted(verdict.options, key=lambda o: o.to) for verdict in (caller, folder)), strict=True):
        if one.choice != "raise":
            assert one.predicted is None
            continue
        assert one.folds is not None
        assert one.predicted is not None
        assert one.folds < one.predicted < (other.folds or 0)


def test_a_very_large_bet_of_an_unknown_player_is_a_strong_hand() -> None:
    """Bets above 1.5 and 4 pots were called where 38% and 41% of wins were needed, and won 19% and 12%."""
    weights, model = strength(FLOP).live, FamilyModel()
    places = place_of(bet_seen(Act.POT, 0), FLOP)

    def mean_place(share: float) -> float:
        seen = bet_seen(Act.POT, 0, share=share, raises=0)
        held = weights * model.likelihood(seen, FLOP)
        return float((held * places).sum() / held.sum())

    usual, large, huge = (mean_place(share) for share in (0.7, 2.0, 5.0))
    assert usual < large - 0.03 < large < huge


def test_a_player_who_bets_large_with_nothing_is_found_out() -> None:
    sizes, seen = BetSizes(), bet_seen(Act.POT, 0, share=3.0)
    before = sizes.likelihood(seen, PLACES)
    weak = np.zeros(COMBOS, np.float32)
    places = place_of(seen, FLOP)
    weak[int(np.argmin(np.where(strength(FLOP).live > 0, places, 2)))] = 1
    for _ in range(8):
        sizes.see(seen, places, weak)
    after = sizes.likelihood(seen, PLACES)
    assert before[0] < 0.3
    assert before[-1] == 1
    assert after[0] == 1
    assert after[-1] < 0.5


def test_what_was_learned_is_kept() -> None:
    model = FamilyModel()
    model.learn([bet_seen(Act.FOLD, 300), bet_seen(Act.POT, 0, share=2.0, raises=0)], FLOP, (5, 9), None)
    again = FamilyModel.from_json(model.to_json())
    assert again.to_json() == model.to_json() != FamilyModel().to_json()
    assert again.fold_rates.hands == 1


def test_who_wins_small_pots_steadily_avoids_risk_and_who_loses_them_gambles() -> None:
    steady, beaten, lucky = SmallPots(), SmallPots(), SmallPots()
    for _ in range(60):
        steady.see(0.5)
        beaten.see(-1.0)
        lucky.see(50.0)
    aversions = [pots.aversion(0.25, 0.5, 1.5) for pots in (SmallPots(), lucky, steady, beaten)]
    assert aversions == [0.5, 0.5, 1.5, 0.25]
    assert steady.aversion(0.25, 2.0, 1.5) == 2.0
    assert beaten.aversion(0.9, 0.5, 1.5) == 0.5
    assert SmallPots.from_json(steady.to_json()) == steady


def test_the_agent_counts_its_small_pots_and_forgets_them_with_the_match() -> None:
    agent = FoldAgent(FoldSettings(), game="holdem", spec="fold", seed=1)
    agent.start_match(1, 2)
    table = native.Table([2000] * 2, 0, 20, 40, 0, rules_of("").native, [(51, 50), (0, 1)], [4, 9, 14, 19, 24])
    table.act(native.ActionKind.FOLD, 0)
    agent.remember(table)
    assert agent.memory()["small_pots"] == {"hands": 1, "won": 0.5}
    again = FoldAgent(FoldSettings(), game="holdem", spec="fold", seed=1)
    again.recall(agent.memory())
    assert again.memory() == agent.memory()
    agent.start_match(1, 2)
    assert agent.memory()["small_pots"] == {"hands": 0, "won": 0.0}
