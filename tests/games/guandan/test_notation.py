"""Guandan notation: cards, plays, positions; fuzzed round trips."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mingpai.core.errors import Ambiguous, BadlyWritten, IllegalHere
from mingpai.games.guandan import GAME, notation
from mingpai.games.guandan.moves import TYPE_NAMES
from tests.scale import count

ENDGAME = "S6H7H2H2CT/S3/S4/S5"


def test_cards_in_many_ways() -> None:
    wanted = notation.parse_cards("S6HTSBHR")
    for text in ("s6 ht sb hr", "♠6, ♥10, 小王, 大王", "['S6','HT','SB','HR']", "Ｓ６ＨＴＳＢＨＲ"):
        assert notation.parse_cards(text) == wanted
    assert notation.cards_text(wanted) == "S6HTSBHR"


@pytest.mark.parametrize("text", ["S1", "X6", "S6H", "S6S6S6", "S6=7"])
def test_badly_written_cards(text: str) -> None:
    with pytest.raises(BadlyWritten):
        notation.parse_cards(text)


def test_a_wild_card_says_what_it_stands_for() -> None:
    state = GAME.start(ENDGAME, setup={"level": "2", "leader": 0})
    texts = {str(move) for move in state.legal_moves() if TYPE_NAMES[move.type] == "straight"}
    assert texts == {"S6H7H2=8H2=9CT"}
    play = GAME.parse_move("S6H7H2H2CT", state)
    assert str(play) == "S6H7H2=8H2=9CT"


def test_ambiguous_cards_are_refused_with_their_readings() -> None:
    state = GAME.start("S3H3S4H4H9H9/S3/S4/S5", setup={"level": "9"})
    with pytest.raises(Ambiguous) as error:
        GAME.parse_move("S3H3S4H4H9H9", state)
    assert set(error.value.readings) == {"S3H3H9=3S4H4H9=4", "H9=2H9=2S3H3S4H4", "S3H3S4H4H9=5H9=5"}
    for text in error.value.readings:
        assert str(GAME.parse_move(text, state)) == text


def test_illegal_moves_name_the_rule() -> None:
    state = GAME.start("S3S9/S4/S5/S6", setup={"level": "2"})
    for text, reason in (("pass", "must_lead"), ("SK", "not_held"), ("S3S9", "no_combination")):
        with pytest.raises(IllegalHere) as error:
            GAME.parse_move(text, state)
        assert error.value.reason.code == f"guandan.{reason}"
    state.play(GAME.parse_move("S9", state))
    with pytest.raises(IllegalHere) as error:
        GAME.parse_move("S4", state)
    assert error.value.reason.code == "guandan.does_not_beat"
    assert error.value.reason.render("zh") == "大不过 S9"


@given(st.text(alphabet="SHDCAKQJT98765432BR=10 ,♠♥小大王passpx", max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused_clearly(text: str) -> None:
    """Whatever is written: cards that print and parse back, or BadlyWritten; a move, or an error of ours."""
    try:
        cards = notation.parse_cards(text)
    except BadlyWritten:
        pass
    else:
        assert notation.parse_cards(notation.cards_text(cards)) == cards
    state = GAME.start(ENDGAME, setup={"level": "2", "leader": 0})
    try:
        move = GAME.parse_move(text, state)
    except (BadlyWritten, IllegalHere, Ambiguous):
        return
    assert GAME.parse_move(str(move), state) == move


def test_every_legal_move_parses_back_to_itself() -> None:
    """Print, parse, print in random positions of random rounds, tribute included."""
    for seed in range(count(fast=6, ci=40, verify=160)):
        rng = random.Random(seed)
        setup = {"level": notation.RANKS[seed % 13], "previous": rng.sample(range(4), 4)}
        state = GAME.deal(seed, GAME.profiles()[seed % 4], setup)
        while not state.is_over:
            legal = list(state.legal_moves())
            for move in rng.sample(legal, min(len(legal), 12)):
                assert GAME.parse_move(str(move), state) == move
            if rng.random() < 0.1:
                again = notation.parse_position(notation.position_text(state))
                assert notation.position_text(again) == notation.position_text(state)
            state.play(rng.choice(legal))
        assert notation.parse_position(notation.position_text(state)).points() == state.points()
