"""MCTSHS: determinism, budgets, what it must find, and what it tells about its decisions."""

import time

import pytest

from mingpai._native.core import Budget
from mingpai._native.handsplit import Searcher, SearchSettings
from mingpai._native.ruleplay import Splitter
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_situation import situation_of
from mingpai.core.decision import Decision
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.handsplit.agent import make_searcher
from mingpai.methods.handsplit.search import DEFAULT_ITERATIONS, TreeNote


def opening(seed: int) -> DoudizhuView:
    return GAME.deal(seed, "standard", {"landlord": 0}).view(0)


def middle(seed: int, moves: int = 12) -> DoudizhuView:
    """A position after some moves of the rule player."""
    state, player = GAME.deal(seed, "standard", {"landlord": 0}), REGISTRY.agent("doudizhu", "rb")
    for _ in range(moves):
        state.play(player.decide(state.view(state.to_move or 0)).move)
    return state.view(state.to_move or 0)


def decide(spec: str, view: DoudizhuView, seed: int = 0) -> Decision:
    return REGISTRY.agent("doudizhu", spec, seed).decide(view)


def table(decision: Decision) -> list[tuple[str, float | None, int | None]]:
    return [(str(candidate.move), candidate.value, candidate.visits) for candidate in decision.candidates]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_fixed_iterations_repeat_exactly_with_any_number_of_threads(threads: int) -> None:
    spec = f"mingpai:iterations=600,particles=200,threads={threads}"
    for view in (opening(1), middle(2)):
        assert table(decide(spec, view, seed=7)) == table(decide(spec, view, seed=7))


def test_the_seed_matters() -> None:
    assert table(decide("mctshs:iterations=300", opening(1), 1)) != table(
        decide("mctshs:iterations=300", opening(1), 2)
    )


def test_decisions_do_not_depend_on_what_was_decided_before() -> None:
    """Particles are kept from move to move, yet an agent that has not seen the deal decides the same."""
    state = GAME.deal(3, "standard", {"landlord": 0})
    veteran = REGISTRY.agent("doudizhu", "mingpai:iterations=200,particles=100", 5)
    for _ in range(18):
        view = state.view(state.to_move or 0)
        decision = veteran.decide(view)
        newcomer = REGISTRY.agent("doudizhu", "mingpai:iterations=200,particles=100", 5)
        assert table(decision) == table(newcomer.decide(view))
        state.play(decision.move)


def test_visits_add_up_to_the_iterations() -> None:
    decision = decide("mctshs:iterations=500,early_stop=false", opening(4))
    assert sum(candidate.visits or 0 for candidate in decision.candidates) == decision.work["iterations"] == 500
    assert [c.visits for c in decision.candidates] == sorted((c.visits or 0 for c in decision.candidates), reverse=True)


def test_seconds_end_a_search_without_iterations() -> None:
    start = time.perf_counter()
    decision = decide("mctshs:seconds=0.05,early_stop=false,particles=100", opening(5))
    assert decision.work["iterations"] > 0
    assert time.perf_counter() - start < 2
    assert decide("mctshs:early_stop=false,particles=100", opening(5)).work["iterations"] == DEFAULT_ITERATIONS


def test_a_cancelled_budget_stops_the_search() -> None:
    view, settings = opening(6), SearchSettings()
    settings.iterations, settings.early_stop = 10**9, False
    budget = Budget()
    budget.cancel()
    result = make_searcher(view.rule_set.native).search(situation_of(view), None, settings, 1, budget)
    assert result.iterations < 1000


def test_a_clear_choice_stops_early() -> None:
    """Only one lead does not let the farmer out: the search sees it long before its iterations end."""
    state = GAME.start("344X/2/2/", "standard", {"landlord": 0})
    decision = decide("mctshs:iterations=50000", state.view(0))
    assert decision.work["iterations"] < 50000
    assert isinstance(decision.stages.decide, TreeNote)
    assert decision.stages.decide.stopped_early


def test_candidates_are_the_less_split_moves() -> None:
    view, settings = opening(8), SearchSettings()
    settings.width = 96
    searcher: Searcher = make_searcher(view.rule_set.native)
    for slack, every in ((0, False), (1, False), (-1, True)):
        settings.slack = slack
        searched = {root.move for root in searcher.candidates(situation_of(view), settings)}
        legal = view.native_moves().to_list()
        turns = Splitter(view.rule_set.native).min_turns
        expected = {m for m in legal if every or 1 + turns(view.hand - m.cards) <= turns(view.hand) + slack}
        assert searched == expected or len(searched) == settings.width


def test_the_pass_is_always_a_candidate() -> None:
    for seed in range(10):
        view = middle(seed, 13)
        if view.last.is_pass or len(view.native_moves()) == 1:
            continue
        decision = decide("mctshs:iterations=100,width=2", view)
        assert any(str(candidate.move) == "pass" for candidate in decision.candidates)


def test_a_win_in_hand_is_found() -> None:
    """The landlord must lead his unbeatable 2 and then go out; any other lead loses to a farmer's last card."""
    state = GAME.start("3344442/3KK/355K/", "standard", {"landlord": 0})
    assert str(decide("mctshs:iterations=800", state.view(0)).move) in {"2", "4444", "33"}


def test_farmers_play_as_one_side() -> None:
    """The farmer after the landlord can win himself only by luck; feeding his mate's last card wins at once."""
    state = GAME.start("39K/2468TQ/5/", "standard", {"landlord": 0})
    for text in ("3", "2", "pass", "pass"):
        state.play(GAME.parse_move(text, state))
    decision = decide("mctshs:iterations=500", state.view(1))
    assert str(decision.move) == "4"
    assert decision.candidates[0].value == pytest.approx(1.0)


def test_points_prefer_the_bomb_that_wins_anyway() -> None:
    """The hand goes out at once as a four with two singles, or in three unbeatable moves with a bomb that doubles."""
    view = GAME.start("444456/3/3/", "standard", {"landlord": 0}).view(0)
    assert str(decide("mctshs:iterations=500,objective=win", view).move) == "444456"
    decision = decide("mctshs:iterations=500,objective=points", view)
    assert decision.value_unit == "points"
    assert str(decision.move) != "444456"
    assert decision.candidates[0].value == pytest.approx(4)  # bomb and spring


def test_a_decision_explains_itself() -> None:
    decision = decide("mingpai:iterations=300,particles=200", middle(9))
    assert all(note is not None for _, note in decision.stages.items())
    assert decision.belief is not None
    assert decision.reasons
    for reason in decision.reasons:
        assert reason.render("en")
        assert reason.render("zh")


@pytest.mark.parametrize("rules", ["douzero", "rlcard", "openspiel+nobid", "botzone+nobid"])
def test_plays_legally_under_every_profile(rules: str) -> None:
    agents = [REGISTRY.agent("doudizhu", spec) for spec in ("mingpai:iterations=40,particles=20", "rb", "rhcp")]
    for seed in range(3):
        state = GAME.deal(seed, rules, {"landlord": 0})
        while (seat := state.to_move) is not None:
            state.play(agents[seat].decide(state.view(seat)).move)
        assert state.winners()
