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
from mingpai.methods.abduction.hindsight import chances_of, log_chances, read
from mingpai.methods.abduction.search import Question, SearchPlan, mean_and_error, search_all

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
    drawn = abduction.Worlds(view, None, 200, 3)
    weighed = read(agent.runtime, view, drawn, 200, 1, 1.0, 0)
    could = np.array([any(beats_five(kind) for kind in drawn[w][1].kinds()) for w in range(200)])
    assert 0 < could.sum() < 200
    assert weighed.weights[could].mean() < 0.3 * weighed.weights[~could].mean()


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
    tables, _, _, places = abduction.Tables.look_back(now, drawn, 2, agent.runtime.weights)
    assert tables.waiting == len(places)
    for i in range(tables.waiting):
        then = tables.round(i)
        before = next(one for one in past if len(one.steps) == len(then.steps))
        assert (then.turn, then.best, then.steps) == (before.turn, before.best, before.steps)
        assert then.inconsistency() is None
        played = now.steps[len(then.steps)][1]
        assert tables.plays(i)[places[i]].pseudo == played.pseudo
        assert then.hand(then.turn).contains(played.cards)


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
        for plan in (PLAN, replace(PLAN, read=2, trust=0.0, pool=3), replace(PLAN, read=2, trust=0.5, pool=3))
    )
    np.testing.assert_array_equal(plain.total, distrusting.total)
    np.testing.assert_array_equal(plain.errors, distrusting.errors)
    assert not np.array_equal(plain.values, reading.values)
    assert reading.worlds <= PLAN.worlds


def test_worlds_of_a_pool_are_taken_by_their_weights(agent: AblgdAgent, passed: native.Round) -> None:
    view = passed.blinded(0)
    drawn = abduction.Worlds(view, None, 90, 3)
    logs = log_chances(agent.runtime, view, drawn, 1).sum(1)
    weighed = read(agent.runtime, view, drawn, 30, 1, 1.0, 5)
    assert weighed.weights.sum() == 30
    assert (weighed.weights == np.round(weighed.weights)).all()
    expected = 30 * np.exp(logs) / np.exp(logs).sum()
    taken = {tuple(hands[1].kinds()) for hands in (weighed.worlds[w] for w in range(len(weighed.worlds)))}
    certain = {tuple(drawn[int(w)][1].kinds()) for w in np.flatnonzero(expected >= 1)}
    assert certain <= taken


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
        abduction.Tables.look_back(passed, worlds, 0, agent.runtime.weights)
    with pytest.raises(IndexError):
        worlds.take(np.array([2], np.int32))
    with pytest.raises(ValueError, match="one world"):
        abduction.Worlds(passed, None, 0, 1)
    beginning = GAME.deal(1).native
    fresh = abduction.Worlds(beginning, None, 3, 1)
    assert log_chances(agent.runtime, beginning, fresh, 3).shape == (3, 0)
