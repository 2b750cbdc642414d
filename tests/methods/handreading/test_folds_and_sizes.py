"""What is learned of a player's folds and of the sizes of his bets, and what raises are worth by it."""

import math

import numpy as np
import pytest

from mingpai._native import holdem as native
from mingpai.games.holdem.rules import rules_of
from mingpai.methods.handreading.agent import FoldAgent, FoldSettings
from mingpai.methods.handreading.betsizes import PLACES, BetSizes
from mingpai.methods.handreading.decide import Option
from mingpai.methods.handreading.family import FamilyModel, place_of
from mingpai.methods.handreading.foldrates import KNOWN_HANDS, FoldRates, all_fold, revalued, size_step
from mingpai.methods.handreading.hands import COMBOS, strength
from mingpai.methods.handreading.plan import believed
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
    assert size_step(2, 2, 100, 900, 40) == 3
    assert [size_step(0, 1, cost, 200, 40) for cost in (80, 240, 1200)] == [0, 1, 2]


def test_several_players_fold_less_often_than_one() -> None:
    one, two = FoldRates(), FoldRates()
    assert all_fold(0.36, [(one, 0), (two, 0)], 1) == pytest.approx(one.chance(0.6, 1, 0) ** 2)
    assert all_fold(0.36, [], 1) == 0.36


@pytest.mark.parametrize("risk", [0.0, 0.0005])
def test_a_raise_is_worth_the_pot_or_what_it_is_worth_when_called(risk: float) -> None:
    pot, called = 300.0, -500.0

    def worth(folds: float) -> float:
        if risk == 0:
            return folds * pot + (1 - folds) * called
        return -math.log(folds * math.exp(-risk * pot) + (1 - folds) * math.exp(-risk * called)) / risk

    assert revalued(worth(0.8), 0.8, 0.4, pot, risk) == pytest.approx(worth(0.4))
    assert revalued(worth(0.3), 0.3, 0.3, pot, risk) == pytest.approx(worth(0.3))


def test_a_bluff_into_a_caller_is_worth_less() -> None:
    table = native.Table([2000] * 2, 0, 20, 40, 0, rules_of("").native, [(51, 50), (0, 1)], [4, 9, 14, 19, 24])
    table.act(native.ActionKind.RAISE, 100)
    option = Option("raise", 300.0, 50.0, folds=0.7, name="pot")
    bluff = believed(table, option, {0: watched(0.05, 80, street=0)}, 0.0)
    assert bluff.folds is not None
    assert bluff.folds < 0.3
    assert bluff.predicted == 0.7
    assert bluff.value < 0 < option.value
    call = Option("call", 0.0, 10.0, name="call")
    assert believed(table, call, {0: FoldRates()}, 0.0) is call


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


def test_who_wins_small_pots_steadily_avoids_risk() -> None:
    steady, beaten, lucky = SmallPots(), SmallPots(), SmallPots()
    for _ in range(60):
        steady.see(0.5)
        beaten.see(-0.5)
        lucky.see(50.0)
    assert SmallPots().aversion(0.6, 1.5) == beaten.aversion(0.6, 1.5) == lucky.aversion(0.6, 1.5) == 0.6
    assert steady.aversion(0.6, 1.5) == 1.5
    assert steady.aversion(2.0, 1.5) == 2.0
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
