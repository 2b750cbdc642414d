"""Positions of the line protocol, worlds, and features."""

import json
import math
import pickle
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from mingpai._native import doudizhu as native
from mingpai.core.errors import MingpaiError
from mingpai.core.random import stream
from mingpai.games.doudizhu import GAME, features, notation
from mingpai.games.doudizhu.state import DoudizhuState
from tests.scale import count

DOWN = {
    "seat": "down",
    "hand": "34456677899TJQK2X",
    "bottom": "55D",
    "history": [["landlord", "33"]],
}


def test_the_position_of_the_line_protocol() -> None:
    view = GAME.view_from_json(DOWN)
    assert view.seat == view.to_move == 1
    assert {str(move) for move in view.legal_moves()} == {"44", "66", "77", "99", "pass"}
    assert list(view.counts) == [18, 17, 17]
    assert notation.cards_text(view.native.known_of_landlord()) == "55D"


def test_the_bidding_position_of_the_line_protocol() -> None:
    view = GAME.view_from_json(
        {"phase": "bid", "seat": 2, "first": 0, "hand": "34456677899TJQK2X", "bids": [[0, "0"], [1, "2"]]}
    )
    assert [str(move) for move in view.legal_moves()] == ["0", "3"]


def test_douzero_names_of_seats_and_cards() -> None:
    position = {**DOWN, "seat": "landlord_down", "history": [["landlord", "[3, 3]"]]}
    assert GAME.view_from_json(position) == GAME.view_from_json(DOWN)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seat": "left"}, "one of landlord, down, up"),
        ({"seat": 1}, "landlord, down or up"),
        ({"hand": None}, "hand"),
        ({"hand": "345"}, "17 cards after this history, found 3"),
        ({"hand": "Z"}, "cards of"),
        ({"bottom": "5"}, "three bottom cards"),
        ({"bottom": "XXX"}, "at most 1 of X"),
        ({"bottom": "44X"}, "no more cards of a rank than the deck has"),
        ({"history": [["up", "33"]]}, "a move of landlord"),
        ({"history": [["landlord", "34"]]}, "no combination"),
        ({"history": [["landlord", "33"], ["down", "22"]]}, "17 cards|15 cards|at most 4"),
        ({"history": [["landlord"]]}, "history"),
        ({"history": "33"}, "history"),
        ({"history": [["landlord", "33"], ["down", "pass"], ["up", "4"]]}, "does not beat"),
        ({"rules": "nope"}, "PROFILE"),
        ({"phase": "think"}, "phase"),
        ({"phase": "bid", "seat": 0}, "17 cards|no bidding|bids"),
        ({"landlord": 3}, "seat 0, 1 or 2"),
        ({"bids": [[0, "1"], [1, "0"], [2, "0"]], "landlord": 1}, "landlord of these bids"),
        ({"bids": [[1, "1"]]}, "a bid of the seat to bid"),
        ({"bids": [[0, "0"], [1, "0"], [2, "0"]]}, "find a landlord"),
    ],
)
def test_bad_positions_are_refused_with_the_reason(change: dict[str, Any], message: str) -> None:
    if change == {"phase": "bid", "seat": 0}:
        change = {**change, "rules": "douzero"}
    with pytest.raises(MingpaiError, match=message):
        GAME.view_from_json({**DOWN, **change})


def played(seed: int, moves: int, rules: str = "", setup: dict[str, int] | None = None) -> DoudizhuState:
    """A deal after some random moves."""
    rng, state = stream(seed, "moves"), GAME.deal(seed, rules, setup or {"landlord": 0})
    for _ in range(moves):
        if state.is_over:
            break
        legal = state.legal_moves()
        state.play(legal[int(rng.integers(len(legal)))])
    return state


@pytest.mark.parametrize("seat", range(3))
def test_views_pickle(seat: int) -> None:
    view = played(3, 9).view(seat)
    assert pickle.loads(pickle.dumps(view)) == view


def test_worlds_are_uniform_over_different_cards_6_3() -> None:
    # up holds 3 of the 7 cards that down cannot place; one 5 of the landlord's is known to be his
    state = GAME.start("3344/67/5588/59", "standard", {"landlord": 0})
    for text in ("44", "pass", "55", "pass", "pass"):
        state.play(GAME.parse_move(text, state))
    view = state.view(1)
    assert notation.cards_text(view.native.known_of_landlord()) == "59"
    unseen = "3388"
    assert notation.cards_text(view.native.unseen(view.deck)) == unseen
    expected = Counter("".join(sorted(chosen)) for chosen in combinations(unseen, 2))
    draws = count(fast=6000, ci=20_000, verify=80_000)
    drawn = Counter(notation.cards_text(world.hand(2)) for world in view.sample_worlds(stream(5), draws)
                    if isinstance(world, DoudizhuState))  # fmt: skip
    assert set(drawn) == set(expected)
    for cards, ways in expected.items():
        share = ways / expected.total()
        error = math.sqrt(share * (1 - share) / draws)
        assert abs(drawn[cards] / draws - share) < 5 * error, cards


@pytest.mark.parametrize("moves", [0, 5, 20, 40])
def test_worlds_agree_with_the_view(moves: int) -> None:
    for rules, setup in (("", {"landlord": 1}), ("standard+callrob", {"first": 2}), ("rlcard", {"landlord": 0})):
        state = played(moves, moves, rules, setup)
        for seat in range(3):
            view = state.view(seat)
            for world in view.sample_worlds(stream(moves, seat), 10):
                assert world.view(seat) == view
                assert list(world.moves()) == list(state.moves())


def test_sampled_hands_equal_sampled_states() -> None:
    view = played(4, 12).view(1)
    rows = view.native.sample_hands(77, 50)
    states = view.native.sample(77, 50)
    assert [[*state.hands, state.bottom] for state in states] == rows.tolist()


def test_a_world_with_given_hands() -> None:
    state = played(4, 12)
    view = state.view(1)
    world = view.world(state.native.hands)
    assert world.native == state.native
    wrong = (state.hand(2), state.hand(1), state.hand(0))
    with pytest.raises(ValueError, match="agree"):
        view.world(wrong)


def test_a_world_can_be_played_on_and_taken_back() -> None:
    state = played(8, 14)
    assert state.to_move is not None
    (world,) = state.view(state.to_move).sample_worlds(stream(1), 1)
    world.play(world.legal_moves()[0])
    while world.moves():
        world.undo()
    assert world.to_move == 0
    assert isinstance(world, DoudizhuState)
    assert native.card_count(world.hand(0)) == 20


def test_features_of_one_view_and_of_a_batch_are_the_same() -> None:
    rules = native.profile("standard")
    batch = native.Batch(32, 5, rules, True)
    for _ in range(30):
        planes, facts = batch.observe()
        for game in range(len(batch)):
            state = batch.state(game)
            one_planes, one_facts = state.view(state.status.turn).observe()
            assert np.array_equal(planes[game], one_planes)
            assert np.array_equal(facts[game], one_facts)
        batch.step_with(native.Policy.RANDOM)


def test_features_say_what_they_should() -> None:
    state = played(11, 7)
    assert state.to_move is not None
    view = state.view(state.to_move)
    planes, facts = features.observe(view)
    named = dict(zip(features.FACTS, facts.tolist(), strict=True))
    assert named["role"] == view.role
    assert named["cards"] == view.counts[view.seat]
    assert named["to_beat_rank"] == view.last.rank
    counts = {name: int(plane.sum()) for name, plane in zip(features.PLANES, planes, strict=True)}
    assert counts["hand"] == view.counts[view.seat]
    others = sum(view.counts) - view.counts[view.seat]
    assert counts["unseen"] + counts["known_of_landlord"] == others
    assert features.observation(view).shape == (features.OBSERVATION_SIZE,)


@pytest.mark.parametrize("rules", ["standard", "botzone", "openspiel"])
def test_action_numbers_are_fixed_and_complete(rules: str) -> None:
    numbers = features.action_numbers(rules)
    assert len(numbers) == len(set(numbers.actions))
    state = played(2, 6, rules)
    assert state.to_move is not None
    view = state.view(state.to_move)
    mask = numbers.mask(view)
    assert {numbers.actions[i] for i in np.flatnonzero(mask)} == set(view.legal_moves())


def test_json_of_an_endgame_view() -> None:
    state = GAME.start("3344/67/5588/59", "standard", {"landlord": 0})
    state.play(GAME.parse_move("33", state))
    for seat in range(3):
        view = state.view(seat)
        assert GAME.view_from_json(json.loads(json.dumps(view.to_json()))) == view
