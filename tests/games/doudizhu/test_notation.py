"""Reading and writing: every spelling, every error, and round trips of whatever Hypothesis finds."""

import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mingpai._native import doudizhu as native
from mingpai.core.errors import Ambiguous, BadlyWritten, IllegalHere, MingpaiError
from mingpai.games.doudizhu import GAME, notation
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.rules import PROFILES
from mingpai.games.doudizhu.state import DoudizhuState
from tests.scale import count

EXAMPLES = count(fast=40, ci=300, verify=1500)
DECK = notation.cards_text(native.FULL_DECK)

hands = st.lists(st.sampled_from(range(54)), max_size=20, unique=True).map(
    lambda places: notation.parse_cards("".join(DECK[place] for place in places))
)


@st.composite
def states(draw: st.DrawFn) -> DoudizhuState:
    """A deal under any rules, some way into it."""
    profile = draw(st.sampled_from(PROFILES))
    bidding = draw(st.sampled_from(("+score", "+auction", "+callrob", "+nobid")))
    state = GAME.deal(draw(st.integers(0, 2**32)), profile + bidding)
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=60)):
        if state.is_over:
            break
        moves = state.legal_moves()
        state.play(moves[choice % len(moves)])
    return state


@pytest.mark.parametrize(
    "text",
    [
        "33TJ2XD", "33TJ2BR", "3310J2XD", "33tj2xd", "3 3 T J 2 X D", "3,3,10,J,2,x,d", "３３１０Ｊ２ＸＤ",
        "33TJ2小王大王", "33TJ2王炸", "D2XJT33", "3 3 10 11 17 20 30", "[3, 3, 10, 11, 17, 20, 30]",
        "['3', '3', '10', 'J', '2', 'X', 'D']",
    ],
)  # fmt: skip
def test_spellings_of_cards(text: str) -> None:
    assert notation.cards_text(notation.parse_cards(text)) == "33TJ2XD"


@pytest.mark.parametrize(("jokers", "text"), [("DX", "2DX"), ("LB", "2LB"), ("BR", "2BR"), ("XD", "2XD")])
def test_conventions_for_jokers(jokers: notation.Jokers, text: str) -> None:
    small_alone = notation.cards_text(notation.parse_cards(text[:2], jokers))
    assert small_alone == "2X"
    assert notation.cards_text(notation.parse_cards(text, jokers)) == "2XD"


@pytest.mark.parametrize(
    ("text", "place"), [("33F", 2), ("1", 0), ("3 3 15", 4), ("330", 2), ("三", 0), ("3-4", 1), ("34 王", 3)]
)
def test_unreadable_cards_name_the_place(text: str, place: int) -> None:
    with pytest.raises(BadlyWritten) as caught:
        notation.parse_cards(text)
    assert caught.value.position == place


def test_an_unknown_convention_of_jokers_is_not_mixed() -> None:
    with pytest.raises(BadlyWritten):
        notation.parse_cards("2X", "LB")


@pytest.mark.parametrize("text", ["33333", "XX", "DDX"])
def test_more_cards_than_the_deck_has(text: str) -> None:
    with pytest.raises(BadlyWritten, match="at most"):
        notation.parse_cards(text)


def endgame(hand: str, *moves: str) -> DoudizhuState:
    state = GAME.start(f"{hand}/777888999TTTQ/KA2", "standard", {"landlord": 0})
    for text in moves:
        state.play(GAME.parse_move(text, state))
    return state


def read(text: str, state: DoudizhuState) -> Move:
    move = GAME.parse_move(text, state)
    assert isinstance(move, Move)
    return move


@pytest.mark.parametrize("text", ["pass", "PASS", " p ", "过", "不出", "不要", "要不起", "[]"])
def test_spellings_of_the_pass(text: str) -> None:
    state = endgame("44", "4")
    assert read(text, state).is_pass


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("pass", 0), ("不叫", 0), ("3", 3), ("３", 3), ("2分", 2), ("call", 1), ("叫地主", 1), ("抢", 1)],
)
def test_spellings_of_bids(text: str, value: int) -> None:
    assert str(notation.parse_bid(text)) == str(value)


def test_ambiguous_cards_need_their_type() -> None:
    state = endgame("333444555666J")
    with pytest.raises(Ambiguous) as caught:
        GAME.parse_move("333444555666", state)
    assert set(caught.value.readings) == {
        "333444555666@airplane", "333444555666@airplane_singles/3", "333444555666@airplane_singles/4",
    }  # fmt: skip
    assert read("333444555666@airplane", state).length == 4
    with pytest.raises(Ambiguous):
        GAME.parse_move("333444555666@airplane_singles", state)
    assert read("666555444333@AIRPLANE_SINGLES/4", state).rank == 1
    assert [read(f"33334444@four_pairs/{rank}", endgame("333344445")).rank for rank in "34"] == [0, 1]


def test_the_only_legal_reading_is_meant() -> None:
    assert str(read("777888999TTT", endgame("333444555666J", "333444555666@airplane"))) == "777888999TTT@airplane"
    with pytest.raises(Ambiguous, match="airplane_singles/7, 777888999TTT@airplane_singles/8"):
        read("777888999TTT", endgame("333444555666J", "333444555666@airplane_singles/3"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("99", "does not beat"), ("K", "not held"), ("4556", "no combination"), ("455", "no combination"),
        ("44@triple", "no combination"),
    ],
)  # fmt: skip
def test_illegal_moves_say_why(text: str, reason: str) -> None:
    state = GAME.start("3TTT/445599/6", "standard", {"landlord": 0})
    state.play(GAME.parse_move("T", state))
    with pytest.raises(IllegalHere, match=reason):
        GAME.parse_move(text, state)


@pytest.mark.parametrize("text", ["", "hello", "44@nonsense", "44@pair/", "44@pair/33", "@pair", "44@"])
def test_badly_written_moves(text: str) -> None:
    with pytest.raises(BadlyWritten):
        GAME.parse_move(text, endgame("44"))


@given(hands)
@settings(max_examples=EXAMPLES, deadline=None)
def test_cards_round_trip(hand: int) -> None:
    assert notation.parse_cards(notation.cards_text(hand)) == hand
    assert notation.parse_cards(notation.to_rlcard(hand)) == hand
    assert notation.parse_cards(str(notation.to_douzero(hand))) == hand
    assert notation.parse_cards(" ".join(map(str, notation.to_douzero(hand)))) == hand


@given(st.text(max_size=30))
@settings(max_examples=EXAMPLES * 3, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        hand = notation.parse_cards(text)
    except BadlyWritten:
        return
    assert notation.parse_cards(notation.cards_text(hand)) == hand


@given(states(), st.text(max_size=12))
@settings(max_examples=EXAMPLES, deadline=None)
def test_any_move_text_is_read_or_refused(state: DoudizhuState, text: str) -> None:
    try:
        move = GAME.parse_move(text, state)
    except MingpaiError:
        return
    assert state.can_play(move)


@given(states())
@settings(max_examples=EXAMPLES, deadline=None)
def test_moves_round_trip_in_states_and_views(state: DoudizhuState) -> None:
    if state.to_move is None:
        return
    view = state.view(state.to_move)
    assert list(view.legal_moves()) == list(state.legal_moves())
    for move in state.legal_moves():
        assert GAME.parse_move(str(move), state) == move
        assert GAME.parse_move(str(move), view) == move
        assert pickle.loads(pickle.dumps(move)) == move


@given(states())
@settings(max_examples=EXAMPLES, deadline=None)
def test_positions_and_games_round_trip(state: DoudizhuState) -> None:
    for again in (
        notation.parse_position(notation.position_text(state)),
        notation.parse_game(notation.game_text(state)),
        pickle.loads(pickle.dumps(state)),
    ):
        assert again.native == state.native
        assert again.moves() == state.moves()
        assert again.setup() == state.setup()


@given(states(), st.integers(0, 2))
@settings(max_examples=EXAMPLES, deadline=None)
def test_json_positions_round_trip(state: DoudizhuState, seat: int) -> None:
    view = state.view(seat)
    again = GAME.view_from_json(json.loads(json.dumps(view.to_json())))
    assert again == view
    assert list(again.events()) == list(view.events())
    assert again.native == view.native


def test_a_changed_result_is_noticed() -> None:
    text = notation.game_text(endgame("3", "3"))
    assert notation.parse_game(text).is_over
    with pytest.raises(BadlyWritten, match="result"):
        notation.parse_game(text.replace("+4", "+2"))


@pytest.mark.parametrize(
    "text", ["", "3/4", "3/4/5;standard;landlord=x", "3/4/5;standard;landlord=0;3;4", "3/4/5;nope"]
)
def test_badly_written_positions(text: str) -> None:
    with pytest.raises(MingpaiError):
        notation.parse_position(text)


@pytest.mark.parametrize("fields", [
    (3, native.Type.SINGLE, 15, 1), (3, native.Type.SINGLE, 255, 1), (3, native.Type.SINGLE, -1, 1),
    (3, native.Type.SINGLE, 0, 99), (0xF, native.Type.SINGLE, 0, 1), (1 << 60, native.Type.SINGLE, 0, 1),
])  # fmt: skip
def test_a_move_out_of_range_is_refused(fields: tuple[int, native.Type, int, int]) -> None:
    """Its text was read from beyond the letters of the ranks."""
    with pytest.raises(ValueError, match=r"expected|not a hand"):
        native.Move(*fields)
