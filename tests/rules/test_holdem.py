"""RULES.md of hold'em, clause by clause: the numbers in the names are its clauses."""

import json
from fractions import Fraction
from typing import Any

import pytest

from mingpai._native.holdem import Street
from mingpai.core.errors import BadSetting, IllegalHere
from mingpai.games.holdem import GAME, HoldemState
from mingpai.games.holdem.notation import parse_move

HANDS = ["AhAd", "KhKd", "QhQd", "JhJd", "ThTd", "9h9d"]
BOARD = "2c3s7c8sKc"


def hand(stacks: list[Any], moves: str = "", *, button: int | None = None, rules: str = "standard", ante: int = 0,
         cards: list[str] | None = None, board: str = BOARD, blinds: str = "10/20") -> HoldemState:  # fmt: skip
    """A hand after some moves, `f c r100 a` and so on. The button is the last seat unless said."""
    dealt = [text if stack else "" for text, stack in zip(cards or HANDS, stacks, strict=False)]
    setup = {"stacks": stacks, "blinds": blinds, "ante": ante}
    setup["button"] = len(stacks) - 1 if button is None else button
    state = GAME.start("/".join((*dealt, board)), rules, setup)
    for text in moves.split():
        state.play(parse_move(text, state))
    return state


def illegal(state: HoldemState, text: str) -> str:
    with pytest.raises(IllegalHere) as error:
        parse_move(text, state)
    return error.value.reason.code


def test_2_1_a_seat_without_chips_is_not_dealt_in() -> None:
    state = hand([100, 0, 100], button=0)
    assert state.dealt_seats == [0, 2]
    assert state.hand(1) is None
    assert state.seat_name(1) == "out"


@pytest.mark.parametrize(
    "setup", [{"seats": 1}, {"seats": 11}, {"stacks": [100, 0]}, {"stacks": [0, 100], "button": 0}]
)
def test_2_1_2_2_impossible_tables_are_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadSetting):
        GAME.deal(1, "", setup)


def test_3_1_antes_are_no_bets() -> None:
    state = hand([100, 100, 100], ante=5)
    assert state.paid == [15, 25, 5]
    assert state.bets == [10, 20, 0]
    assert state.pot == 45
    assert state.to_call == 20


def test_3_2_blinds_after_the_button() -> None:
    state = hand([100, 100, 100, 100], button=1)
    assert state.bets == [0, 0, 10, 20]
    assert state.to_move == 0


def test_3_3_heads_up_the_button_posts_the_small_blind_and_acts_first() -> None:
    state = hand([100, 100], "c c")
    assert hand([100, 100]).bets == [20, 10]
    assert hand([100, 100]).to_move == 1
    assert state.street == Street.FLOP
    assert state.to_move == 0


def test_3_4_huawei_heads_up_has_only_a_small_blind() -> None:
    state = hand([100, 100], rules="huawei2015")
    assert state.bets == [10, 0]
    assert state.to_move == 1
    assert state.to_call == 10
    assert state.raise_bounds == (30, 100)
    state.play(parse_move("call", state))
    assert (state.street, state.to_move) == (Street.PREFLOP, 0)
    assert hand([100, 100], "c c", rules="huawei2015").to_move == 0


def test_3_5_a_short_big_blind_is_called_in_full() -> None:
    assert hand([100, 8, 100]).to_call == 20
    assert hand([100, 8, 100], rules="pokerkit").to_call == 10


def test_3_5_short_blinds_are_all_in() -> None:
    state = hand([4, 100, 100], "c c")
    assert state.paid == [4, 20, 20]
    assert state.pots() == [(12, [0, 1, 2]), (32, [1, 2])]


def test_4_1_the_big_blind_may_raise() -> None:
    state = hand([100, 100, 100], "c c")
    assert state.to_move == 1
    assert state.raise_bounds == (40, 100)


def test_5_2_no_fold_without_a_bet() -> None:
    state = hand([100, 100, 100], "c c")
    assert illegal(state, "fold") == "holdem.fold_unbet"
    assert parse_move("fold", hand([100, 100, 100], "c c", rules="botzone"))


def test_5_3_5_4_check_and_call() -> None:
    assert illegal(hand([100, 100, 100]), "check") == "holdem.check_bet"
    assert illegal(hand([100, 100, 100], "c c"), "call") == "holdem.call_unbet"
    assert hand([100, 100, 15], "c").stacks == [90, 80, 0]


def test_5_5_the_least_raise() -> None:
    state = hand([1000] * 4)
    assert state.raise_bounds == (40, 1000)
    assert illegal(state, "raise 39") == "holdem.raise_small"
    assert illegal(state, "raise 1001") == "holdem.raise_large"
    assert hand([1000] * 4, "r70").raise_bounds == (120, 1000)
    assert hand([1000] * 4, "r70 r120").raise_bounds == (170, 1000)
    assert hand([1000] * 4, "r70 r200").raise_bounds == (330, 1000)
    assert hand([1000] * 4, "r70 c c c").raise_bounds == (20, 930)


def test_5_6_all_in_may_be_less_than_the_least_raise() -> None:
    state = hand([1000, 1000, 1000, 90], "r70")
    assert state.raise_bounds == (90, 90)


def test_5_7_a_short_all_in_does_not_reopen() -> None:
    """Seat 2 raises to 100, seat 3 is all-in for 150 (a raise of 50, less than 80): seat 2 may only call."""
    state = hand([1000, 1000, 1000, 150], "r100 a f f")
    assert state.to_move == 2
    assert state.raise_bounds is None
    assert illegal(state, "raise 500") == "holdem.raise_closed"


def test_5_7_but_those_who_have_not_acted_may_raise() -> None:
    state = hand([1000, 1000, 1000, 150], "r100 a")
    assert state.to_move == 0
    assert state.raise_bounds == (230, 1000)


def test_5_7_short_all_ins_that_add_up_to_a_raise_reopen() -> None:
    """100, then all-ins to 150 and 190: seat 2 faces 90, a full raise of 80."""
    state = hand([1000, 1000, 1000, 150, 190], "r100 a a f c")
    assert state.to_move == 2
    assert state.raise_bounds == (270, 1000)


def test_5_7_a_short_opening_bet_does_not_reopen_for_those_who_checked() -> None:
    moves, stacks = "c c c k k a", [1000, 1000, 35]
    assert hand(stacks, moves).raise_bounds is None
    assert hand(stacks, moves, rules="pokerkit").raise_bounds == (35, 980)


def test_5_7_acpc_betting_is_always_open() -> None:
    """100, a raise of 80, then all-in for 150, one of 50: who bet 100 may raise, to 150 + 50 or more."""
    state = hand([1000, 1000, 1000, 150], "r100 a c f", rules="acpc")
    assert state.to_move == 2
    assert state.raise_bounds == (200, 1000)


def test_5_8_no_raise_when_nobody_could_call_more() -> None:
    state = hand([60, 1000, 60], "a a")
    assert state.to_move == 1
    assert state.raise_bounds is None
    assert parse_move("all-in", state) == parse_move("call", state)


def test_5_9_bets_are_whole_chips_but_all_in() -> None:
    state = hand(["100", "101/2", "200"], rules="acpc")
    assert illegal(state, "raise 60.5") == "holdem.raise_fraction"
    state.play(parse_move("r60", state))
    state.play(parse_move("fold", state))
    assert state.to_call == Fraction(61, 2)


def test_6_1_6_2_streets_and_the_first_to_act() -> None:
    state = hand([100] * 4, "c f c k")
    assert (state.street, state.to_move, len(state.board)) == (Street.FLOP, 0, 3)
    state = hand([100] * 4, "c f f k")
    assert (state.street, state.to_move) == (Street.FLOP, 1)


def test_6_3_all_in_runs_out_the_board() -> None:
    state = hand([500, 500, 500], "a f a")
    assert state.is_over
    assert len(state.board) == 5
    assert state.stacks == [490, 1010, 0]


def test_6_3_a_seat_that_cannot_win_more_is_not_asked() -> None:
    state = hand([100, 100, 40], "a c c")
    assert (state.street, state.to_move) == (Street.FLOP, 0)
    state = hand([8, 1000], button=0)
    assert state.is_over


def test_8_1_8_3_side_pots() -> None:
    """Aces 50, kings 200, queens 500, jacks 500, on a board with a king."""
    state = hand([50, 200, 500, 500], "a c a a", board="2c3s7c8sTc")
    assert [(amount, seats) for amount, seats in state.pots()] == [(200, [0, 1, 2, 3]), (450, [1, 2, 3]), (600, [2, 3])]
    assert state.stacks == [200, 450, 600, 0]


def test_8_2_uncalled_chips_return() -> None:
    state = hand([1000, 1000, 1000], "r500 f f")
    assert state.stacks == [990, 980, 1030]
    assert hand([100, 1000, 1000], "f a a").stacks == [0, 1100, 1000]


def test_8_4_the_last_seat_wins_without_showing() -> None:
    state = hand([100, 100, 100], "f f")
    assert state.stacks == [90, 110, 100]
    assert not [event for event in state.events() if event.kind == "show"]
    assert [event.text for event in state.events() if event.kind == "win"] == ["30"]


SPLIT: dict[str, Any] = {"cards": ["AhKd", "AdKh", "AsKs"], "board": "2c3s7c8sTc"}


@pytest.mark.parametrize(
    ("rules", "stacks"),
    [
        ("standard", [100, 101, 100, 99]),
        ("pokerkit", [100, 101, 100, 99]),
        ("huawei2015", [100, 100, 100, 99]),
        ("acpc", [Fraction(301, 3), Fraction(301, 3), Fraction(301, 3), 99]),
    ],
)
def test_8_5_odd_chips(rules: str, stacks: list[Any]) -> None:
    """Three equal hands share 301 chips; the fourth seat paid one as ante and folded."""
    state = hand([100, 100, 100, 100], "f a a a", button=0, ante=1, rules=rules, cards=[*SPLIT["cards"], "2d2h"],
                 board=SPLIT["board"])  # fmt: skip
    assert state.is_over
    assert state.stacks == stacks
    assert sum(state.stacks) + state.native.discarded / state.rule_set.unit == 400


def test_8_5_by_seat_gives_one_chip_each_from_the_button_on() -> None:
    """302 chips for three: seats 1 and 2, the first winners after the button, get the odd ones."""
    for rules, stacks in (("standard", [100, 101, 101, 98]), ("pokerkit", [100, 102, 100, 98])):
        cards = [*SPLIT["cards"], "2d2h"]
        state = hand([100] * 4, "f a a a", button=0, ante=2, cards=cards, board=SPLIT["board"], rules=rules)
        assert state.stacks == stacks


def test_9_1_the_button_moves_to_the_next_seat_with_chips() -> None:
    match = GAME.match(1, "", {"seats": 4, "hands": 6, "chips": 100, "blinds": "1/2"})
    buttons = []
    for _ in range(6):
        state = match.next_deal()
        buttons.append(state.button)
        while not state.is_over:
            state.play(parse_move("f" if state.native.legal().fold else "c", state))
        match.finish(state)
    assert buttons == [0, 1, 2, 3, 0, 1]
    assert match.is_over


def test_9_2_rebuy_and_9_3_out_and_9_4_places() -> None:
    """Everybody is all-in every hand: one rebuy each, then out; places by hands survived."""
    match = GAME.match(7, "", {"seats": 4, "hands": 600, "chips": 2000, "rebuy": 2000, "blinds": "20/40"})
    while not match.is_over:
        state = match.next_deal()
        while not state.is_over:
            state.play(parse_move("a", state))
        match.finish(state)
    stacks = [holder.stack for holder in match.holders]
    bought = sum(holder.bought for holder in match.holders)
    assert sum(stacks) == bought
    assert sum(stack > 0 for stack in stacks) == 1
    places = match.standings()
    assert places[max(range(4), key=stacks.__getitem__)] == 1
    hands = [holder.hands for holder in match.holders]
    for a in range(4):
        for b in range(4):
            assert hands[a] <= hands[b] or places[a] < places[b]
    assert all(holder.bought in (2000, 4000) for holder in match.holders)


@pytest.mark.parametrize("form", ["cash", "reset"])
def test_9_5_cash_and_reset_games_have_no_end_but_the_hands(form: str) -> None:
    match = GAME.match(3, "", {"seats": 3, "hands": 25, "chips": 200, "format": form})
    while not match.is_over:
        state = match.next_deal()
        assert state.stacks != [0, 0, 0]
        if form == "reset":
            assert state.starting_stacks == [200, 200, 200]
        while not state.is_over:
            state.play(parse_move("a", state))
        match.finish(state)
    assert match.played == 25
    assert sum(match.scores()) == 0


def test_9_6_blinds_and_ante_rise_by_the_schedule() -> None:
    settings = {"seats": 2, "hands": 20, "chips": 100_000, "blinds": [10, 20], "ante": 2, "schedule": "fast"}
    match, paid = GAME.match(3, "", settings), list[tuple[object, object]]()
    while not match.is_over:
        match = GAME.match_from_json(json.loads(json.dumps(match.to_json())))
        state = match.next_deal()
        paid.append((state.blinds, state.setup()["ante"]))
        state.play(parse_move("f", state))
        match.finish(state)
    assert paid == [((10, 20), 2)] * 8 + [((20, 40), 4)] * 8 + [((30, 60), 6)] * 4
    with pytest.raises(BadSetting, match="schedule"):
        GAME.match(3, "", {"schedule": "sudden"})


def test_matches_with_the_same_seed_deal_the_same_cards_whatever_is_played() -> None:
    one, other = GAME.match(5, "", {"seats": 3}), GAME.match(5, "", {"seats": 3})
    for text in ("f", "c", "a"):
        first, second = one.next_deal(), other.next_deal()
        assert first.deck() == second.deck()
        for state, word in ((first, text), (second, "c")):
            while not state.is_over:
                state.play(parse_move(word if word != "f" or state.native.legal().fold else "c", state))
        one.finish(first)
        other.finish(second)
        if one.is_over or other.is_over or any(h.stack == 0 for h in (*one.holders, *other.holders)):
            break
