"""The Python face of Guandan: states, views, matches, JSON positions."""

import json
import pickle
import random

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadlyWritten, BadSetting, IllegalHere
from mingpai.core.game import serialise
from mingpai.core.random import stream
from mingpai.games.guandan import GAME, GuandanState, features, notation
from mingpai.games.guandan.moves import PASS
from tests.scale import count


def _played(seed: int, steps: int, previous: bool = True) -> GuandanState:
    rng = random.Random(seed)
    setup = {"level": notation.RANKS[seed % 13]}
    if previous:
        setup["previous"] = rng.sample(range(4), 4)  # type: ignore[assignment]
    state = GAME.deal(seed, GAME.profiles()[seed % 4], setup)
    for _ in range(steps):
        if state.is_over:
            break
        state.play(rng.choice(state.legal_moves()))
    return state


def test_json_positions_round_trip() -> None:
    for seed in range(count(fast=25, ci=150, verify=800)):
        state = _played(seed, seed * 3 % 90)
        for seat in range(4):
            view = state.view(seat)
            again = GAME.view_from_json(json.loads(json.dumps(view.to_json())))
            assert again == view
            assert again.to_json() == view.to_json()
            assert [str(move) for move in again.legal_moves()] == [str(move) for move in view.legal_moves()]
            assert pickle.loads(pickle.dumps(view)) == view


def test_views_hide_the_other_hands() -> None:
    """Hidden cards dealt anew in every way the seat holds possible: the view stays the same."""
    for seed in range(count(fast=15, ci=80, verify=250)):
        state = _played(seed, 5 + seed % 40)
        if state.is_over:
            continue
        for seat in range(4):
            view = state.view(seat)
            for world in view.sample_worlds(stream(seed, "worlds", seat), 3):
                assert isinstance(world, GuandanState)
                assert world.view(seat) == view
                assert world.view(seat).native.hand((seat + 1) % 4) == view.native.hand((seat + 1) % 4)
                assert world.hand(seat) == state.hand(seat)


def test_worlds_can_be_undone_and_serialised() -> None:
    state = _played(3, 40)
    seat = state.to_move
    assert seat is not None
    (world,) = state.view(seat).sample_worlds(stream(1, "w"), 1)
    assert GAME.restore(json.loads(json.dumps(serialise(world)))).view(seat) == state.view(seat)
    moves = len(world.moves())
    for _ in range(moves):
        world.undo()
    assert not world.moves()
    with pytest.raises(IndexError):
        world.undo()


def test_endgames_of_any_size_have_views() -> None:
    state = GAME.start("S3S9/S4/S5S6/S7SK", setup={"level": "2"})
    view = state.view(1)
    assert notation.cards_text(view.unseen) == "S3S5S6S7S9SK"
    assert GAME.view_from_json(view.to_json()) == view
    for world in view.sample_worlds(stream(0, "x"), 20):
        assert isinstance(world, GuandanState)
        assert [len(world.hand(seat)) for seat in range(4)] == [2, 1, 2, 2]


def test_bad_positions_are_refused() -> None:
    good = _played(5, 20).view(0).to_json()
    for change in ({"seat": 7}, {"hand": "S3"}, {"level": "X"}, {"history": [[0, "SK"]] * 9}, {"previous": [0, 1]}):
        with pytest.raises((BadlyWritten, BadSetting, IllegalHere)):
            GAME.view_from_json({**good, **change})


def test_state_verifies_moves() -> None:
    state = GAME.deal(1)
    with pytest.raises(IllegalHere):
        state.play(PASS)
    with pytest.raises(IllegalHere):
        state.verify("S3")
    assert not state.can_play(PASS)


def test_a_match_goes_from_two_to_beyond_a() -> None:
    agent = REGISTRY.agent("guandan", "rule2")
    for seed, rules in enumerate(GAME.profiles()):
        match = GAME.match(seed, rules)
        for _ in range(400):
            if match.is_over:
                break
            state = match.next_deal()
            while (seat := state.to_move) is not None:
                state.play(agent.decide(state.view(seat)).move)
            match.finish(state)
            assert GAME.match_from_json(json.loads(json.dumps(match.to_json()))).to_json() == match.to_json()
        assert match.is_over
        assert sorted(match.standings()) == [1, 1, 3, 3]
        assert max(match.scores()) == 15


def test_the_cards_of_a_round_depend_on_seed_and_number_only() -> None:
    first, second = GAME.match(9), GAME.match(9)
    assert first.next_deal().deck() == second.next_deal().deck()
    assert GAME.match(10).next_deal().deck() != first.next_deal().deck()


@pytest.mark.parametrize("spec", ["rule1", "rule2", "rule3", "rule4"])
def test_rule_bots_play_legally_and_see_only_their_view(spec: str) -> None:
    agent = REGISTRY.agent("guandan", spec)
    for seed in range(count(fast=3, ci=20, verify=100)):
        state = _played(seed, 0)
        while (seat := state.to_move) is not None:
            decision = agent.decide(state.view(seat))
            assert decision.move == state.native.bot_play(agent.number), "the hidden cards made a difference"  # type: ignore[attr-defined]
            state.play(decision.move)


def test_features_have_the_stated_sizes_and_hide_nothing() -> None:
    for seed in range(5):
        state = _played(seed, seed * 7)
        if state.is_over:
            continue
        for seat in range(4):
            view = state.view(seat)
            row = features.observation(view)
            assert row.shape == (features.OBSERVATION_SIZE,)
            mask = features.action_mask(view)
            assert mask.any() == (seat == state.to_move)
            for action in mask.nonzero()[0][:20]:
                play = features.concrete(view, int(action))
                assert features.action_number(play) == action
                assert state.can_play(play)
