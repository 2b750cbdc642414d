"""Leagues, ratings and signatures."""

from pathlib import Path

import numpy as np
import pytest

from mingpai.arena.league import plans, play_league
from mingpai.arena.ratings import AVERAGE, bradley_terry, expected_score, rate
from mingpai.arena.signature import positions, signature
from mingpai.core.agent import NoSettings
from mingpai.core.decision import Decision
from mingpai.core.errors import BadSetting
from mingpai.core.game import View
from tests.arena.test_match import TOYS
from tests.contract.toy import LITTLE, REGISTRY, FirstMove
from tests.scale import count


def test_ratings_give_back_the_strengths_that_made_the_results() -> None:
    true = np.array([1300.0, 1500.0, 1700.0])
    wins = np.array([[0 if i == j else 1e6 * expected_score(true[i], true[j]) for j in range(3)] for i in range(3)])
    assert bradley_terry(wins) == pytest.approx(true, abs=0.1)


def test_an_unbeaten_agent_has_a_finite_rating_and_equal_ones_the_same() -> None:
    unbeaten, beaten = bradley_terry(np.array([[0.0, 50.0], [0.0, 0.0]]))
    assert 1500 < unbeaten < 3000
    assert unbeaten - AVERAGE == pytest.approx(AVERAGE - beaten)
    assert bradley_terry(np.full((4, 4), 10.0)) == pytest.approx(np.full(4, AVERAGE))


def test_intervals_of_ratings_cover_the_truth() -> None:
    true, rng, missed = np.array([1400.0, 1500.0, 1600.0]), np.random.default_rng(1), 0
    runs = count(fast=60, ci=200, verify=500)
    for _ in range(runs):
        scores = np.full((150, 3, 3), np.nan)
        for i in range(3):
            for j in range(i):
                scores[:, i, j] = rng.random(150) < expected_score(true[i], true[j])
                scores[:, j, i] = 1 - scores[:, i, j]
        ratings = rate(scores, rng, resamples=200)
        missed += not ratings[0].low <= true[0] <= ratings[0].high
    assert missed / runs < 0.05 + 4 * np.sqrt(0.05 * 0.95 / runs)


def test_a_league_plays_every_pair_on_the_same_deals_and_goes_on(tmp_path: Path) -> None:
    agents = ["first", "last", "random"]
    matches = plans(LITTLE, agents, seed=4, registry=TOYS)
    league = play_league(agents, matches, 60, folder=tmp_path)
    assert set(league.pairs) == {(0, 1), (0, 2), (1, 2)}
    assert len({plan.deal_seed(3) for plan in matches.values()}) == 1
    assert sum(rating.elo for rating in league.ratings) / 3 == pytest.approx(AVERAGE)
    assert all(rating.low <= rating.elo <= rating.high for rating in league.ratings)
    again = play_league(agents, matches, 60, folder=tmp_path, resume=True)
    assert again.ratings == league.ratings
    assert [row["agent"] for row in league.to_json()["ratings"]] == [agents[n] for n in league.order()]


def test_a_league_needs_two_different_agents() -> None:
    for agents in (["first"], ["first", "first"]):
        with pytest.raises(BadSetting, match="agents"):
            plans(LITTLE, agents, registry=TOYS)


def test_a_signature_is_the_same_twice_and_changes_with_the_play() -> None:
    first = signature(REGISTRY.agent("little", "first"), LITTLE, 50)
    assert first == signature(REGISTRY.agent("little", "first"), LITTLE, 50)

    class Otherwise(FirstMove):
        """Differs from the first move in one position only."""

        def decide(self, view: View) -> Decision:
            legal = view.legal_moves()
            return Decision(legal[-1 if view == odd else 0], agent=self.spec)

    odd = next(view for view in positions(LITTLE, 50) if len(view.legal_moves()) > 1)
    assert signature(Otherwise(NoSettings(), game="little", spec="otherwise"), LITTLE, 50).text != first.text


def test_the_positions_of_a_signature_never_change() -> None:
    keys = [view.key() for view in positions(LITTLE, 30)]
    assert keys == [view.key() for view in positions(LITTLE, 30)]
    assert len(set(keys)) > 15
