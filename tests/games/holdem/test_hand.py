"""Golden hands, texts, positions, worlds with given hands, features."""

import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.random import stream
from mingpai.games.holdem import GAME, features, notation
from mingpai.games.holdem.moves import CALL, CHECK, FOLD, raise_to
from mingpai.games.holdem.rules import PROFILES
from mingpai.games.holdem.state import HoldemState
from mingpai.games.holdem.view import HoldemView

GOLDEN = Path(__file__).parents[2] / "golden" / "holdem"
SETUPS: dict[int, dict[str, Any]] = {
    1: {"seats": 6, "ante": 5},
    2: {"stacks": [300, 45, 2000, 0, 130], "button": 4},
    3: {"seats": 2, "chips": 400},
}


def random_hand(rules: str, seed: int) -> HoldemState:
    state, rng = GAME.deal(seed, rules, SETUPS[seed]), stream(seed, "golden")
    while not state.is_over:
        moves = state.legal_moves()
        state.play(moves[int(rng.integers(len(moves)))])
    return state


@pytest.mark.parametrize("rules", PROFILES)
@pytest.mark.parametrize("seed", sorted(SETUPS))
def test_golden_hands(rules: str, seed: int) -> None:
    text = notation.game_text(random_hand(rules, seed))
    assert text == (GOLDEN / f"{rules}-{seed}.txt").read_text()
    assert notation.game_text(notation.parse_game(text)) == text


@pytest.mark.parametrize(
    ("change", "by"),
    [("result", "result +1"), ("rules standard", "rule x"), ("preflop 3", "preflop 2"), ("hand 0", "hand 1")],
)
def test_a_changed_hand_is_refused(change: str, by: str) -> None:
    text = notation.game_text(random_hand("standard", 1))
    assert change in text
    with pytest.raises(MingpaiError):
        notation.parse_game(text.replace(change, by))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("fold", FOLD), ("F", FOLD), ("弃牌", FOLD), ("call", CALL), ("c", CALL), ("cc", CALL),
        ("raise 120", raise_to(120)),
        ("bet 120", raise_to(120)), ("r120", raise_to(120)), ("cbr 120", raise_to(120)), ("加注 120", raise_to(120)),
        ("raise to 120", raise_to(120)), ("raise min", raise_to(80)), ("raise pot", raise_to(120)),
        ("raise half", raise_to(80)),
        ("all-in", raise_to(2000)), ("allin", raise_to(2000)),
    ],
)  # fmt: skip
def test_ways_to_write_a_move(text: str, move: object) -> None:
    state = GAME.deal(1)
    assert notation.parse_move(text, state) == move
    assert notation.parse_move(text, state.view(0)) == move


@given(st.text(max_size=30))
def test_any_text_is_a_move_or_a_clear_error(text: str) -> None:
    state = GAME.deal(1)
    try:
        move = notation.parse_move(text, state)
    except MingpaiError:
        return
    assert notation.parse_move(str(move), state) == move


@pytest.mark.parametrize(
    ("dealt", "button", "names"),
    [
        ([0, 1], 0, "BTN BB"),
        ([0, 1, 2], 2, "SB BB BTN"),
        ([0, 1, 2, 3], 3, "SB BB UTG BTN"),
        ([0, 1, 2, 3, 4, 5], 5, "SB BB UTG HJ CO BTN"),
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 9, "SB BB UTG UTG+1 UTG+2 UTG+3 LJ HJ CO BTN"),
        ([1, 4, 6], 1, "BTN SB BB"),
    ],
)
def test_position_names(dealt: list[int], button: int, names: str) -> None:
    named = notation.position_names(dealt, button)
    assert " ".join(named[seat] for seat in dealt) == names


def positions(seed: int) -> list[HoldemView]:
    state, rng = GAME.deal(seed, "", {"seats": 5}), stream(seed, "positions")
    reached = []
    while state.to_move is not None:
        reached.append(state.view(state.to_move))
        moves = state.legal_moves()
        state.play(moves[int(rng.integers(len(moves)))])
    return reached


def test_worlds_with_given_hands() -> None:
    view = GAME.deal(2, "", {"seats": 4}).view(1)
    assert view.hand is not None
    other = tuple(card for card in range(4) if card not in view.hand)[:2]
    world = view.world({3: (other[0], other[1])}, seed=1)
    assert world.hand(3) == (other[0], other[1])
    assert world.hand(1) == view.hand
    assert world.view(1) == view
    with pytest.raises(ValueError, match="twice"):
        view.world({3: view.hand}, seed=1)


def test_views_and_states_pickle() -> None:
    for view in positions(3):
        assert pickle.loads(pickle.dumps(view)) == view
    state = random_hand("acpc", 2)
    assert notation.game_text(pickle.loads(pickle.dumps(state))) == notation.game_text(state)


def test_actions_by_street_are_all_actions() -> None:
    for seed in range(20):
        for view in positions(seed):
            streets = view.actions_by_street()
            assert [move for street in streets for move in street] == view.actions()
            assert len(streets) == view.street.value + 1


def test_a_view_of_a_finished_hand_shows_the_hands_shown() -> None:
    state = notation.parse_game(notation.game_text(random_hand("standard", 3)))
    view = state.view(0)
    again = GAME.view_from_json(view.to_json())
    assert again == view
    shown = [event for event in state.events() if event.kind == "show"]
    assert len(view.shown) == max(0, len(shown) - 1)


@pytest.mark.parametrize(
    "change",
    [
        {"board": "AhKd"}, {"board": "2c3c4c"}, {"hand": "AhAh"}, {"hand": "Ah"}, {"seat": 2},
        {"history": [[1, "call"]]},
        {"history": [[0, "raise 1"]]}, {"history": 3}, {"blinds": "40/20"}, {"stacks": [1, "x"]}, {"button": 5},
        {"history": [[0, "call"], [1, "check"]]}, {"rules": "none"}, {"shown": [3]}, {"stacks": [0, 50]},
    ],
)  # fmt: skip
def test_positions_that_cannot_be(change: dict[str, Any]) -> None:
    good = {"seat": 0, "hand": "AhKd", "stacks": [2000, 2000], "button": 0, "blinds": [20, 40]}
    assert GAME.view_from_json(good).to_move == 0
    with pytest.raises(MingpaiError):
        GAME.view_from_json({**good, **change})


def test_fractions_of_chips_in_positions() -> None:
    data = {"seat": 0, "hand": "AhKd", "stacks": ["2001/2", 2000], "button": 0, "blinds": [20, 40], "rules": "acpc"}
    view = GAME.view_from_json(data)
    assert view.starting_stacks == [Fraction(2001, 2), 2000]
    assert view.to_json()["stacks"] == ["2001/2", 2000]
    with pytest.raises(BadlyWritten):
        GAME.view_from_json({**data, "rules": "standard"})


def test_features() -> None:
    for seed in range(10):
        for view in positions(seed):
            row = features.observation(view)
            assert row.shape == (features.OBSERVATION_SIZE,)
            assert row[:52].sum() == 2
            assert row[52:104].sum() == len(view.board)
            numbered = features.numbered_actions(view)
            assert np.flatnonzero(features.mask(view)).tolist() == sorted(numbered)
            assert set(numbered.values()) == set(view.legal_moves())
    assert features.numbered_actions(GAME.deal(1).view(1)) == {}
    assert CHECK not in features.numbered_actions(GAME.deal(1).view(0)).values()
