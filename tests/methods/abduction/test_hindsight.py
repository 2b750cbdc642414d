"""Worlds weighed by what the others played: old positions as they were, absurd worlds lighter, no trust no change."""

from dataclasses import replace

import numpy as np
import pytest

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.agents.catalogue import REGISTRY
from mingpai.games.guandan import GAME
from mingpai.games.guandan.notation import parse_cards
from mingpai.methods.abduction.agent import AblgdAgent
from mingpai.methods.abduction.hindsight import Reader, chances_of, log_chances, log_mean, shares_of
from mingpai.methods.abduction.rounds import MIRRORED, deals
from mingpai.methods.abduction.search import Question, SearchPlan, mean_and_error, search_all
from tests.scale import count

PLAN = SearchPlan(worlds=8, width=3, sure=1.1, least=0.0, depth=2, prior=0.1, rounds=2)


@pytest.fixture(scope="module")
def agent() -> AblgdAgent:
    made = REGISTRY.agent("guandan", "ablgd:worlds=1")
    assert isinstance(made, AblgdAgent)
    return made


def single(hand: native.Cards, text: str, level: int) -> native.Play:
    return next(play for play in native.lead_plays(hand, level) if play.cards == parse_cards(text))


@pytest.fixture(scope="module")
def passed() -> native.Round:
    """Seat 0 led a five; seat 1, who has one card left, passed; it is seat 0's turn again."""
    hands = [parse_cards("S5S9D9SK"), parse_cards("S3"), parse_cards("H4C4S6"), parse_cards("S8D8HR")]
    round_ = native.Round("huaian2017", hands, 1, 0)
    round_.apply(single(hands[0], "S5", 1))
    for _ in range(2):
        round_.apply(next(play for play in round_.legal_plays() if play.is_pass))
    round_.apply(single(hands[3], "S8", 1))
    return round_


def test_a_world_in_which_a_pass_would_be_absurd_weighs_less(agent: AblgdAgent, passed: native.Round) -> None:
    view = passed.blinded(0)
    weighed = Reader(plays=1, trust=1.0, pool=1).read(agent.runtime, view, None, 200, 3)
    could = np.array([any(beats_five(kind) for kind in weighed.worlds[w][1].kinds()) for w in range(200)])
    assert 0 < could.sum() < 200
    weights = shares_of(weighed.logs)
    assert weights[could].mean() < 0.3 * weights[~could].mean()
    assert weights.mean() == pytest.approx(1)


def beats_five(kind: int) -> bool:
    five = single(parse_cards("S5"), "S5", 1)
    return any(native.beats(play, five, 1) for play in native.lead_plays(native.Cards([kind]), 1))


def test_old_decisions_are_seen_as_they_were(agent: AblgdAgent) -> None:
    state = GAME.deal(4, "", {"level": "5", "previous": [0, 2, 1, 3]})
    bot = REGISTRY.agent("guandan", "rule4")
    past: list[native.Round] = []
    while len(past) < 30:
        assert state.to_move is not None
        past.append(state.native.copy())
        state.play(bot.decide(state.view(state.to_move)).move)
    now = state.native
    drawn = abduction.Worlds(now, None, 1, 1)
    others = [seat for seat in range(4) if seat != now.turn]
    tables, _, _, places = abduction.Tables.look_back(now, drawn, 2, agent.runtime.weights, others)
    assert tables.waiting == len(places)
    for i in range(tables.waiting):
        then = tables.round(i)
        before = next(one for one in past if len(one.steps) == len(then.steps))
        assert (then.turn, then.best, then.steps) == (before.turn, before.best, before.steps)
        assert then.inconsistency() is None
        played = now.steps[len(then.steps)][1]
        assert tables.plays(i)[places[i]].pseudo == played.pseudo
        assert then.hand(then.turn).contains(played.cards)


@pytest.mark.parametrize("situation", list(MIRRORED))
def test_every_situation_of_tribute_can_be_looked_back_at(agent: AblgdAgent, situation: str) -> None:
    for state in deals(situation, count(fast=1, ci=4, verify=40), 5):
        while state.to_move is not None:
            now = state.view(state.to_move).native
            if now.phase == native.PHASE_PLAY:
                worlds = abduction.Worlds(now, None, 2, 1)
                tables, *_ = abduction.Tables.look_back(now, worlds, 2, agent.runtime.weights, [0, 1, 2, 3])
                assert all(tables.round(i).inconsistency() is None for i in range(tables.waiting))
                assert all(len(tables.round(i).steps) < len(now.steps) for i in range(tables.waiting))
            state.play(state.native.bot_play(4))


def test_without_trust_the_search_is_what_it_was(agent: AblgdAgent) -> None:
    state = GAME.deal(6)
    bot = REGISTRY.agent("guandan", "rule4")
    for _ in range(12):
        assert state.to_move is not None
        state.play(bot.decide(state.view(state.to_move)).move)
    view = state.view(state.native.turn)
    question = Question(view.native, agent.runtime.read([view.native])[0], None, 7)
    assert len(question.reading.pseudo) > 1
    plain, distrusting, reading = (
        search_all(agent.runtime, [question], plan)[0]
        for plan in (PLAN, replace(PLAN, reader=Reader(2, 0.0, 3)), replace(PLAN, reader=Reader(2, 0.5, 3)))
    )
    np.testing.assert_array_equal(plain.total, distrusting.total)
    np.testing.assert_array_equal(plain.errors, distrusting.errors)
    assert not np.array_equal(plain.values, reading.values)
    assert reading.worlds <= PLAN.worlds
    np.testing.assert_allclose(log_mean(np.log(np.array([[1.0, 3.0], [2.0, 2.0]]))), np.log([2.0, 2.0]))


def test_hands_of_a_pool_say_what_weighed_worlds_say(agent: AblgdAgent) -> None:
    """Single cards weigh the same on average, however many hands are drawn for each; fewer worlds are wasted. The plays
    are those of a rule bot, so that the position stays the same whatever network is shipped."""
    state = GAME.deal(2)
    bot = REGISTRY.agent("guandan", "rule4")
    for _ in range(20):
        assert state.to_move is not None
        state.play(bot.decide(state.view(state.to_move)).move)
    view = state.view(state.native.turn).native
    means, effective = [], []
    for pool in (1, 6):
        weighed = Reader(plays=1, trust=0.5, pool=pool).read(agent.runtime, view, None, 400, 3)
        weights = shares_of(weighed.logs)
        hands = np.array(
            [np.bincount(weighed.worlds[w][(view.turn + 1) % 4].kinds(), minlength=54) for w in range(400)]
        )
        means.append(np.average(hands, axis=0, weights=weights))
        effective.append(weights.sum() ** 2 / (weights**2).sum())
        assert all(view.with_hands(weighed.worlds[w]).inconsistency() is None for w in range(9))
    np.testing.assert_allclose(means[0], means[1], atol=0.3)
    assert effective[1] > 1.2 * effective[0]


def test_worlds_dealt_anew_keep_what_they_shall(passed: native.Round) -> None:
    worlds = abduction.Worlds(passed, None, 5, 1)
    anew = worlds.redrawn(passed, None, [1], 4, 2)
    assert len(anew) == 20
    for w in range(20):
        assert anew[w][1] == worlds[w // 4][1]
        assert (anew[w] == worlds[w // 4]) or w % 4
        assert passed.with_hands(anew[w]).inconsistency() is None
    assert len({tuple(anew[w][2].kinds()) for w in range(20)}) > 5
    with pytest.raises(ValueError, match="seat"):
        worlds.redrawn(passed, None, [4], 1, 1)


def test_chances_and_weighted_means() -> None:
    logits = np.log(np.array([3, 1, 2, 1, 1], np.float32))
    chances = chances_of(logits, [0, 2, 5], np.array([0, 0], np.int32))
    np.testing.assert_allclose(chances, [0.98 * 0.75 + 0.01, 0.98 * 0.5 + 0.02 / 3], rtol=1e-6)
    values = np.array([1.0, 2.0, 6.0])
    mean, error = mean_and_error(values, np.ones(3))
    assert mean == 3
    assert error == pytest.approx(values.std(ddof=1) / 3**0.5)
    assert mean_and_error(values, np.array([0.0, 1.0, 0.0])) == (2.0, 0.0)
    assert mean_and_error(values, np.array([1.0, 1.0, 0.0]))[0] == 1.5


def test_what_cannot_be_looked_back_at_is_said(agent: AblgdAgent, passed: native.Round) -> None:
    worlds = abduction.Worlds(passed, None, 2, 1)
    with pytest.raises(ValueError, match="one world and one play"):
        abduction.Tables.look_back(passed, worlds, 0, agent.runtime.weights, [1])
    with pytest.raises(IndexError):
        worlds.take(np.array([2], np.int32))
    with pytest.raises(ValueError, match="one world"):
        abduction.Worlds(passed, None, 0, 1)
    beginning = GAME.deal(1).native
    fresh = abduction.Worlds(beginning, None, 3, 1)
    assert log_chances(agent.runtime, beginning, fresh, 3, [1, 2, 3]).shape == (3, 0)
