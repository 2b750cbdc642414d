"""MCTSHS as printed: candidates, counts, repeatability, and what it finds where the truth is known."""

import pytest

from mingpai._native.core import Budget
from mingpai._native.handsplit import UctSettings, uct_search
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_situation import situation_of
from mingpai.games.doudizhu import GAME
from mingpai.methods.handsplit.split import less_split_moves, splitter

PAPER = "mctshs:preset=paper,iterations=2000"


@pytest.mark.parametrize("seed", range(5))
def test_every_less_split_candidate_of_the_root_is_tried(seed: int) -> None:
    view = GAME.deal(seed, "standard+nobid").view(0)
    decision = REGISTRY.agent("doudizhu", PAPER).decide(view)
    tried = {str(candidate.move): candidate.visits for candidate in decision.candidates}
    assert set(tried) == {str(move) for move in less_split_moves(view.hand)}
    assert all(tried.values())
    assert sum(visits or 0 for visits in tried.values()) == 2000


def test_the_same_seed_gives_the_same_search() -> None:
    view = GAME.deal(3, "standard+nobid").view(0)
    first, again, other = (REGISTRY.agent("doudizhu", PAPER, seed).decide(view) for seed in (1, 1, 2))
    assert [c.visits for c in first.candidates] == [c.visits for c in again.candidates]
    assert [c.visits for c in first.candidates] != [c.visits for c in other.candidates]


def test_only_the_moves_asked_for_are_searched_and_scores_are_added_to_what_they_earn() -> None:
    view = GAME.deal(3, "standard+nobid").view(0)
    moves = list(less_split_moves(view.hand))[:3]
    settings = UctSettings()
    settings.simulations = 300
    settings.score_weight = 10
    given = list(zip(moves, (0.2, 0.9, 0.4), strict=True))
    result = uct_search(situation_of(view), splitter(), given, settings, 1, Budget())
    assert {str(root.move) for root in result.moves} == {str(move) for move in moves}
    assert result.moves[0].move == moves[1]
    assert 0 <= result.moves[0].value <= 1
    assert result.moves[0].prior == pytest.approx(0.9)


def test_the_move_that_earned_most_comes_first_however_often_it_was_tried() -> None:
    view = GAME.deal(3, "standard+nobid").view(0)
    result = uct_search(situation_of(view), splitter(), [], UctSettings(), 1, Budget())
    values = [root.value for root in result.moves]
    assert values == sorted(values, reverse=True)


def test_a_number_of_simulations_beyond_memory_is_refused() -> None:
    settings = UctSettings()
    settings.simulations = 10**12
    view = GAME.deal(3, "standard+nobid").view(0)
    with pytest.raises(ValueError, match="simulations"):
        uct_search(situation_of(view), splitter(), [], settings, 1, Budget())
