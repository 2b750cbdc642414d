"""The family of players: what is learned of a style, and hands read with it."""

import numpy as np
import pytest

from mingpai._native import handreading as reading
from mingpai._native import holdem as native
from mingpai.agents.holdem_styles import STYLES
from mingpai.games.holdem.rules import rules_of
from mingpai.methods.handreading.agent import FoldAgent, FoldSettings
from mingpai.methods.handreading.family import FamilyModel, axis, lateness
from mingpai.methods.handreading.hands import COMBOS, strength
from mingpai.methods.handreading.tournament import deck_of
from tests.scale import count

BOARD = (0, 17, 30, 41)


def _learned(name: str, hands: int) -> reading.Style:
    """The style of a player as FOLD knows it after some hands that it watched at a table of three."""
    watcher = FoldAgent(FoldSettings(), game="holdem", spec="fold", seed=1)
    watcher.start_match(0, 3)
    players = [STYLES["equity"].native, STYLES[name].native, STYLES["potodds"].native]
    for number in range(hands):
        deck = deck_of(11, number)
        dealt = [(deck[2 * s], deck[2 * s + 1]) for s in range(3)]
        table = native.Table([2000] * 3, number % 3, 20, 40, 0, rules_of("").native, dealt, deck[6:11])
        reading.play_styles(table, players, number)
        watcher.remember(table)
    return watcher.family_of(1).style


def test_styles_are_told_apart_by_what_they_do() -> None:
    hands = count(fast=150, ci=300, verify=600)
    rock, maniac, station = (_learned(name, hands) for name in ("rock", "maniac", "station"))
    assert rock.limp < 0.2 < 0.5 < station.limp
    assert rock.open < 0.05 < 0.25 < maniac.open
    assert maniac.bluff > 0.25 > station.bluff
    assert station.margin + 0.3 * station.fear < rock.margin + 0.3 * rock.fear
    assert maniac.size > 0.75 > station.size


def test_a_shown_hand_says_more_than_an_unknown_one() -> None:
    """A bet with the worst hand on the table raises the share of bluffs more than a bet with any hand."""
    shown, hidden = reading.Learner(), reading.Learner()
    bet = reading.BettingSpot(False, True, False, 1, 0, 0.0, 0.0, 0.0)
    places = axis(BOARD, 1)
    worst = np.zeros(COMBOS, np.float32)
    worst[int(np.argmin(np.where(strength(BOARD).live > 0, places, 2)))] = 1
    shown.observe(bet, reading.Answer.RAISE, places, worst)
    hidden.observe(bet, reading.Answer.RAISE, places, strength(BOARD).live)
    assert shown.style.bluff > hidden.style.bluff > reading.Learner().style.bluff - 0.01


@pytest.mark.parametrize("is_free", [True, False])
def test_chances_sum_to_one_and_better_hands_stay_more(is_free: bool) -> None:
    situation = reading.BettingSpot(False, is_free, False, 1, 0 if is_free else 1, 0.25, 2.0, 0.0)
    fold, call, again = reading.respond([STYLES["tag"].native], situation, axis(BOARD, 1))
    assert np.allclose(fold + call + again, 1, atol=1e-5)
    order = np.argsort(axis(BOARD, 1))
    assert (np.diff(fold[order]) <= 1e-6).all()


def test_equity_against_several_falls_with_their_number() -> None:
    one, three = axis(BOARD, 1), axis(BOARD, 3)
    live = strength(BOARD).live > 0
    assert (three[live] <= one[live] + 1e-6).all()
    assert three[live].mean() == pytest.approx(1 / 4, abs=0.03)


def test_lateness_by_place() -> None:
    assert [lateness(seat, 6) for seat in range(6)] == [0, 0, 0, 0, 0.5, 1]
    assert [lateness(seat, 2) for seat in range(2)] == [0, 1]
    assert [lateness(seat, 3) for seat in range(3)] == [0, 0, 1]


def test_what_was_learned_is_kept() -> None:
    model = FamilyModel()
    situation = reading.BettingSpot(True, False, False, 1, 0, 0.3, 0.5, 1.0)
    model.learner.observe(situation, reading.Answer.RAISE, axis((), 1), np.ones(COMBOS, np.float32))
    model.learner.observe_size(False, 0.9)
    again = FamilyModel.from_json(model.to_json())
    assert again.note() == FamilyModel(model.learner).note() != FamilyModel().note()
    with pytest.raises(ValueError, match="another shape"):
        FamilyModel.from_json({**model.to_json(), "learner": [[1.0]]})
