"""Projection on what is known, counting, worlds drawn from an estimate, the belief."""

import itertools
import math

import numpy as np
import pytest

from mingpai._native import abduction, core
from mingpai._native import guandan as native
from mingpai.core.random import stream
from mingpai.games.guandan import GAME
from mingpai.games.guandan.features import counts
from mingpai.games.guandan.state import GuandanState
from mingpai.methods.abduction.belief import EstimateBelief
from tests.contract.games import playout
from tests.scale import count


def some_states(rounds: int, share: float = 0.15) -> list[tuple[GuandanState, int]]:
    states = []
    for seed in range(rounds):
        setup = {"level": "29A"[seed % 3], "previous": [[0, 2, 1, 3], [3, 0, 1, 2]][seed % 2]} if seed % 3 else None
        rng = stream(seed, "consistency")
        for state in playout(GAME.deal(seed, "", setup), rng):
            assert isinstance(state, GuandanState)
            if not state.is_over and rng.random() < share:
                states.append((state.copy(), state.native.turn))
    return states


def truth(state: GuandanState, seat: int) -> np.ndarray:
    return np.concatenate([counts(state.hand((seat + i) % 4)) for i in (1, 2, 3)]).astype(np.float64)


def test_the_projection_is_consistent_and_the_mse_cannot_rise() -> None:
    rng = np.random.default_rng(1)
    for state, seat in some_states(count(fast=4, ci=30, verify=100)):
        known = native.Knowledge(state.native, seat)
        true = truth(state, seat)
        assert abduction.violation(known, true) < 1e-9
        for scale in (0.3, 2.0, 20.0):
            estimate = true + scale * rng.normal(size=len(true))
            projected = abduction.project(known, estimate)
            assert abduction.violation(known, projected) < 1e-6
            assert ((projected - true) ** 2).mean() <= ((estimate - true) ** 2).mean() + 1e-9


def test_the_projection_is_the_nearest_point() -> None:
    """No consistent point near it, on the way to another consistent one, is nearer: the condition of a projection."""
    rng = np.random.default_rng(2)
    for state, seat in some_states(count(fast=2, ci=10, verify=50)):
        known = native.Knowledge(state.native, seat)
        estimate = rng.random(abduction.ESTIMATE_SIZE) * 2
        nearest = abduction.project(known, estimate)
        sampler = native.WorldSampler(known)
        native_rng = core.Rng(1)
        for _ in range(20):
            hands = sampler.sample(native_rng)
            other = np.concatenate([counts(hands[(seat + i) % 4]) for i in (1, 2, 3)])
            assert float(np.dot(estimate - nearest, other - nearest)) < 1e-6


def test_a_consistent_estimate_stays() -> None:
    for state, seat in some_states(2):
        known = native.Knowledge(state.native, seat)
        counted = abduction.counted(known)
        assert abduction.violation(known, counted) < 1e-6
        assert abduction.project(known, counted) == pytest.approx(counted, abs=1e-7)


def joker_count(world: object, seat: int) -> int:
    assert isinstance(world, GuandanState)
    return world.hand(seat).count(52)


def test_worlds_of_an_estimate_agree_with_the_view_and_follow_it() -> None:
    state = GAME.deal(5)
    view = state.view(state.to_move or 0)
    raw = np.full(abduction.ESTIMATE_SIZE, 0.5)
    raw[52] = 2.0  # both small jokers, if unseen, at the next seat
    belief = EstimateBelief(view, raw)
    worlds = belief.sample(stream(1), count(fast=60, ci=200, verify=500))
    plain = view.sample_worlds(stream(1), len(worlds))
    other = (view.seat + 1) % 4
    for world in worlds:
        assert world.view(view.seat).key() == view.key()
    held = [np.mean([joker_count(w, other) for w in some]) for some in (worlds, plain)]
    assert held[0] > held[1] + 0.3


def test_log_prob_is_a_distribution_over_worlds() -> None:
    """A small ending where all worlds can be listed."""
    state = GAME.start("S3S3/H4H4/S5C5/SBHA", setup={"leader": 0})
    view = state.view(0)
    belief = EstimateBelief(view, np.random.default_rng(3).random(abduction.ESTIMATE_SIZE) * 2)
    cards = [kind for seat in (1, 2, 3) for kind in state.hand(seat).kinds()]
    worlds = {}
    for order in itertools.permutations(range(6)):
        hands = [tuple(sorted(cards[i] for i in order[j : j + 2])) for j in (0, 2, 4)]
        worlds[tuple(hands)] = hands
    total = sum(
        math.exp(belief.log_prob(view.world([view.hand, *(native.Cards(list(hand)) for hand in hands)])))
        for hands in worlds.values()
    )
    assert total == pytest.approx(1.0)
