"""Batched play and simulation; both variants of the native core."""

import importlib
from types import ModuleType

import numpy as np
import pytest

import mingpai._native._cpu as cpu
from mingpai._native import core as native_core
from mingpai._native import doudizhu as native
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.features import action_numbers
from mingpai.games.doudizhu.moves import Action, Bid
from mingpai.games.doudizhu.rules import PROFILES, rules_of
from tests.scale import count

RANDOM, GREEDY = native.Policy.RANDOM, native.Policy.GREEDY
COLUMNS = ("landlord", "winner", "bombs", "spring", "length")


def test_a_state_is_small() -> None:
    assert native.STATE_BYTES < 256


@pytest.mark.parametrize("with_bidding", [False, True])
def test_stepping_with_actions_from_outside(with_bidding: bool) -> None:
    batch, rng = native.Batch(50, 9, native.profile("standard"), with_bidding), np.random.default_rng(1)
    finished = 0
    for _ in range(200):
        offsets = batch.offsets()
        counts = np.diff(offsets)
        assert np.array_equal(counts == 0, batch.over())
        assert len(batch.choices()) == offsets[-1]
        finished += batch.redeal()
        counts = np.diff(batch.offsets())
        batch.step(rng.integers(0, counts).astype(np.int32))
    assert finished > 50


@pytest.mark.parametrize("rules", ["standard", "standard+callrob", "botzone"])
def test_masks_and_numbered_actions(rules: str) -> None:
    numbers = action_numbers(rules)
    batch, rng = native.Batch(30, 2, rules_of(rules).native, True), np.random.default_rng(5)
    for _ in range(40):
        mask = numbers.batch_mask(batch)
        assert np.array_equal(mask.sum(axis=1), np.diff(batch.offsets()))
        actions = np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])
        for game in range(0, len(batch), 7):
            state = batch.state(game)
            legal: list[Action] = [*(Bid(value) for value in state.legal_bids()), *state.legal_moves()]
            assert {numbers.actions[i] for i in np.flatnonzero(mask[game])} == set(legal)
        batch.step(numbers.batch_choices(batch, actions))
        batch.redeal()
    with pytest.raises(ValueError, match="not legal"):
        numbers.batch_choices(batch, np.full(30, len(numbers) - 1))


def test_choices_are_the_legal_moves_of_the_states() -> None:
    batch = native.Batch(20, 3, native.profile("standard"))
    for _ in range(15):
        offsets, choices = batch.offsets(), batch.choices().to_list()
        for game in range(len(batch)):
            expected = batch.state(game).legal_moves().to_list()
            assert choices[offsets[game] : offsets[game + 1]] == expected
        batch.step_with(RANDOM)


def test_a_bad_action_changes_nothing() -> None:
    batch = native.Batch(3, 3, native.profile("standard"))
    before = [batch.state(game) for game in range(3)]
    with pytest.raises(IndexError, match="action"):
        batch.step(np.array([0, 0, 10_000], np.int32))
    with pytest.raises(ValueError, match="one action per game"):
        batch.step(np.zeros(2, np.int32))
    assert [batch.state(game) for game in range(3)] == before


def test_points_of_finished_games() -> None:
    batch = native.Batch(40, 4, native.profile("standard"))
    while not batch.over().all():
        batch.step_with(GREEDY)
    points = batch.points()
    assert np.array_equal(points.sum(axis=1), np.zeros(40))
    assert np.array_equal(points, np.array([batch.state(game).points() for game in range(40)]))


@pytest.mark.parametrize("profile", PROFILES)
def test_simulation_is_reproducible_and_adds_up(profile: str) -> None:
    rules = native.profile(profile)
    rows = native.simulate(300, 7, rules, (RANDOM, GREEDY, RANDOM), with_bidding=True)
    assert np.array_equal(rows, native.simulate(300, 7, rules, (RANDOM, GREEDY, RANDOM), with_bidding=True))
    assert not np.array_equal(rows, native.simulate(300, 8, rules, (RANDOM, GREEDY, RANDOM), with_bidding=True))
    points = rows[:, len(COLUMNS) :]
    landlord, winner = rows[:, 0], rows[:, 1]
    if rules.unit_score:
        assert set(np.unique(points.sum(axis=1))) <= {1, 2}
    else:
        assert not points.sum(axis=1).any()
        bid = landlord >= 0
        assert np.array_equal(points[bid, landlord[bid]] > 0, (winner == landlord)[bid])


def test_greedy_beats_random() -> None:
    rules, games = native.profile("standard"), count(fast=2000, ci=10_000, verify=40_000)
    alone = native.simulate(games, 1, rules, (GREEDY, RANDOM, RANDOM))
    against = native.simulate(games, 1, rules, (RANDOM, GREEDY, GREEDY))
    assert (alone[:, 1] == 0).mean() > 0.8
    assert (against[:, 1] == 0).mean() < 0.2


def test_a_budget_stops_the_simulation() -> None:
    budget = native_core.Budget(nodes=500)
    rows = native.simulate(1000, 1, native.profile("standard"), (RANDOM, RANDOM, RANDOM), budget=budget)
    assert 0 < len(rows) < 100
    assert budget.is_exhausted


def test_the_greedy_choice_needs_only_public_facts() -> None:
    state = GAME.deal(5, "", {"landlord": 0})
    for _ in range(10):
        if state.is_over or state.to_move is None:
            break
        view = state.view(state.to_move)
        choices = {native.greedy_choice(world) for world in view.native.sample(3, 20)}
        assert choices == {native.greedy_choice(state.native)}
        state.play(choices.pop())


def test_hands_that_cannot_be_are_refused() -> None:
    rules = native.profile("standard")
    for hand in (5, 15 << 52, 1 << 60, native.FULL_DECK):
        with pytest.raises(ValueError, match="not a hand"):
            native.lead_moves(hand, rules)
    with pytest.raises(ValueError, match="pass"):
        native.follow_moves(1, native.Move(), rules)


def variant(name: str) -> ModuleType:
    try:
        module = importlib.import_module(f"mingpai._native._{name}")
    except ModuleNotFoundError:
        pytest.skip(f"native variant {name} is not built: python tools/dev_build.py --all")
    part = module.doudizhu
    assert isinstance(part, ModuleType)
    return part


def test_both_variants_give_the_same() -> None:
    if not cpu.supports_v3():
        pytest.skip("this processor runs the portable variant only")
    base, fast = variant("base"), variant("v3")
    games = count(fast=300, ci=3000, verify=12_000)
    for profile in PROFILES:
        results = []
        for part in (base, fast):
            rules, policy = part.profile(profile), part.Policy.RANDOM
            rows = part.simulate(games, 11, rules, (policy, policy, part.Policy.GREEDY), with_bidding=True)
            batch = part.Batch(40, 2, rules)
            listed = []
            for _ in range(25):
                listed += batch.choices().cards.tolist()
                batch.step_with(policy)
            state = part.State.start_play(part.shuffled_deal(3), rules)
            worlds = state.view(1).sample_hands(5, 40).tolist()
            every = [str(move) for move in part.MoveTable(rules).moves()]
            results.append((rows.tolist(), listed, worlds, every, part.perft(state, 3)))
        assert results[0] == results[1], profile
