"""The quality of estimates: by sort of card, by turn, and one estimator against another with a deal as the unit."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.agents.catalogue import REGISTRY
from mingpai.games.guandan import GAME
from mingpai.games.guandan.features import KINDS, counts
from mingpai.games.guandan.state import GuandanState
from mingpai.methods.abduction.estimates import ALL, SORTS, TURNS, Position, compare, over_deals, position


def round_of_rule4(seed: int) -> Iterator[Position]:
    """Every fifth position of a round after an exchange, seen by an ABLN that knows the truth."""
    state, bot = GAME.deal(seed, "", {"level": "5", "previous": [1, 0, 3, 2]}), REGISTRY.agent("guandan", "rule4")
    while state.to_move is not None:
        assert isinstance(state, GuandanState)
        if state.native.phase == native.PHASE_PLAY and len(state.native.steps) % 5 == 0:
            others = [(state.to_move + i) % 4 for i in (1, 2, 3)]
            truth = np.concatenate([counts(state.native.hand(seat)) for seat in others]).astype(np.float64)
            yield position(state.native, truth, state.native.level)
        state.play(bot.decide(state.view(state.to_move)).move)


@pytest.fixture(scope="module")
def seen() -> list[Position]:
    return [one for seed in (1, 2, 3) for one in round_of_rule4(seed)]


def test_the_sorts_of_cards_are_all_cards_once(seen: list[Position]) -> None:
    kinds = [kind for part in seen[0].cards().values() for kind in part]
    assert sorted(kinds) == list(range(KINDS))
    assert tuple(len(part) for part in seen[0].cards().values()) == (2, 3, 1, 48)


def test_turns_count_the_plays_of_the_tricks_and_a_round_is_one_deal(seen: list[Position]) -> None:
    assert seen[0].turn < 5
    assert seen[0].turns == TURNS[0]
    assert len({one.deal for one in seen}) == 3
    assert {one.turns for one in seen} <= set(TURNS)


def test_who_knows_the_truth_gains_on_counting_everywhere_and_nothing_on_himself(seen: list[Position]) -> None:
    compared = compare(seen)
    gains = compared.gains("abln", "counting")
    assert all(gains[ALL][sort].mean > 1.96 * gains[ALL][sort].error for sort in (ALL, "others"))
    assert all(one.mean == 0 for one in compared.gains("counting", "counting")[ALL].values())
    assert sum(gain[ALL].positions for part, gain in gains.items() if part.startswith("turn")) == len(seen)
    quality = compared.qualities()[ALL]
    assert set(quality["abln"].losses) == set(SORTS)
    difference = quality["counting"].log_loss - quality["abln"].log_loss
    assert gains[ALL][ALL].mean == pytest.approx(difference)


def test_the_loss_of_counting_is_what_it_was(seen: list[Position]) -> None:
    """Over the unseen kinds, each position counting once; rows of a sort leave out positions that have none of it."""
    one = seen[0]
    truth = one.truth.reshape(3, KINDS)
    unseen = truth.sum(0)
    shares = abduction.counted(one.knowledge).reshape(3, KINDS)[:, unseen > 0] / unseen[unseen > 0]
    chances = np.clip(1 - (1 - np.clip(shares, 0, 1)) ** unseen[unseen > 0], 1e-3, 1 - 1e-3)
    held = truth[:, unseen > 0] > 0
    loss = -np.where(held, np.log(chances), np.log(1 - chances)).mean()
    assert compare([one]).qualities()[ALL]["counting"].log_loss == pytest.approx(float(loss))


def test_an_error_over_deals_does_not_fall_by_repeating_positions() -> None:
    values, deals = np.array([0.0, 1.0, 2.0, 5.0]), [7, 8, 9, 10]
    mean, error = over_deals(values, deals)
    again = over_deals(np.repeat(values, 3), [deal for deal in deals for _ in range(3)])
    assert (mean, error) == pytest.approx((2.0, values.std(ddof=1) / 2))
    assert again == pytest.approx((mean, error))
    assert math.isnan(over_deals(values[:1], deals[:1])[1])
