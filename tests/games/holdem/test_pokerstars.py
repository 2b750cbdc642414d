"""PokerStars text, written by hand in its manner."""

import pytest

from mingpai.core.errors import MingpaiError
from mingpai.games.holdem import GAME
from mingpai.records import pokerstars
from mingpai.records.replay import replay

HAND = """PokerStars Hand #2345: Hold'em No Limit ($0.50/$1.00 USD) - 2015/06/01 20:00:00 ET
Table 'Halley' 6-max Seat #4 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($57.50 in chips)
Seat 4: Cid Campeador ($200 in chips)
Seat 5: Dan ($80 in chips) is sitting out
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [Ah Kd]
Cid Campeador: raises $2 to $3
Ann: calls $2.50
Bob: folds
*** FLOP *** [Kc 7s 2d]
Ann: checks
Cid Campeador: bets $4
Ann: calls $4
*** TURN *** [Kc 7s 2d] [3h]
Ann: checks
Cid Campeador: checks
*** RIVER *** [Kc 7s 2d 3h] [9c]
Ann: bets $10
Cid Campeador: calls $10
*** SHOW DOWN ***
Ann: shows [Ah Kd] (a pair of Kings)
Cid Campeador: mucks hand
Ann collected $33.50 from pot
*** SUMMARY ***
Total pot $35 | Rake $1.50
Board [Kc 7s 2d 3h 9c]
Seat 1: Ann (small blind) showed [Ah Kd] and won ($33.50) with a pair of Kings
Seat 2: Bob (big blind) folded before Flop
Seat 4: Cid Campeador (button) mucked [Qh Qs]
"""


def test_a_hand_in_cents() -> None:
    hand = pokerstars.read(HAND)
    assert hand.players == ("Ann", "Bob", "Cid Campeador")
    assert hand.tags == {"hand": 2345, "source": "PokerStars", "unknown": ["p2"]}
    assert hand.state.payoffs() == [1800, -100, -1700]
    assert [str(move) for _, move in hand.state.moves()] == [
        "raise 300", "call", "fold", "check", "raise 400", "call", "check", "check", "raise 1000", "call",
    ]  # fmt: skip
    assert replay(hand.record(), GAME).points() == [1800.0, -100.0, -1700.0]


def test_a_hand_that_is_not_shown_is_one_that_loses() -> None:
    hidden = HAND.replace("mucked [Qh Qs]", "mucked").replace("Ann: shows [Ah Kd] (a pair of Kings)", "")
    hand = pokerstars.read(hidden)
    assert hand.tags["unknown"] == ["p2", "p3"]
    assert hand.state.payoffs() == [1800, -100, -1700]


def test_heads_up_the_button_posts_the_small_blind() -> None:
    text = """PokerStars Hand #7: Hold'em No Limit (10/20) - 2015
Table 'X' 2-max Seat #1 is the button
Seat 1: Ann (1500 in chips)
Seat 2: Bob (1500 in chips)
Ann: posts the ante 5
Bob: posts the ante 5
Ann: posts small blind 10
Bob: posts big blind 20
*** HOLE CARDS ***
Ann: raises 1475 to 1495 and is all-in
Bob: folds
Uncalled bet (1475) returned to Ann
Ann collected 50 from pot
"""
    hand = pokerstars.read(text)
    assert hand.players == ("Bob", "Ann")
    assert hand.state.payoffs() == [-25, 25]


def test_several_hands_and_those_refused() -> None:
    text = f"{HAND}\n\n\n{HAND.replace('#2345', '#2346')}"
    assert [hand.tags["hand"] for hand in map(pokerstars.read, pokerstars.split_hands(text))] == [2345, 2346]
    changes = (
        ("Hold'em No Limit", "Omaha Pot Limit"),
        ("posts small blind", "posts small & big blinds"),
        ("Cid Campeador: raises $2 to $3", "Ann: raises $2 to $3"),
        ("Seat #4 is the button", ""),
    )
    for change, by in changes:
        with pytest.raises(MingpaiError):
            pokerstars.read(HAND.replace(change, by))
