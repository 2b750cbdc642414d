"""A referee of v1006 that takes five suited cards, a wild one among them, as a plain straight too."""

import itertools

import pytest

from mingpai.games.guandan import GAME, notation
from mingpai.games.guandan.state import GuandanState
from tests.protocols.referee import OldReferee

RULES = "njupt-v1006"


def dealt(**wanted: str) -> GuandanState:
    """A deal in which the seats hold what is wanted, level 2, led by seat 1; the rest is dealt in turn."""
    hands = [notation.parse_cards(wanted.get(f"seat{seat}", "")).kinds() for seat in range(4)]
    left = [kind for kind in range(len(notation.CARD_TEXTS)) for _ in range(2)]
    for kind in itertools.chain(*hands):
        left.remove(kind)
    for number, kind in enumerate(left[::-1]):
        seats = sorted(range(4), key=lambda seat: (len(hands[seat]), (seat + number) % 4))
        hands[seats[0]].append(kind)
    deck = "/".join("".join(notation.card_text(kind) for kind in hand) for hand in hands)
    return GAME.start(deck, RULES, {"level": "2", "leader": 1})


def test_a_wild_straight_flush_led_as_a_straight_is_answered_and_the_round_goes_on() -> None:
    """All views said that the cards form nothing, and PASS was played to the end of the round."""
    deal = dealt(seat1="S6S7H2S9ST", seat2="D7C8D9CTDJ", seat0="H8C9DTHJCQ")
    referee = OldReferee(opening="S6S7H2=H8S9ST")
    referee.play_round(deal)
    assert referee.seen["answers off suit"] > 0
    assert all(client.falls.total() == 0 for client in referee.clients.values())


def round_after(previous: list[int] | None, seed: int) -> OldReferee:
    before = {"leader": 1} if previous is None else {"previous": previous}
    referee = OldReferee()
    referee.play_round(GAME.deal(seed, RULES, {"level": "7", **before}))
    return referee


@pytest.mark.parametrize(
    ("previous", "seed"),
    [
        pytest.param(None, 3, id="no exchange"),
        pytest.param([0, 1, 2, 3], 1, id="a client is paid"),
        pytest.param([1, 2, 3, 0], 1, id="a client pays"),
        pytest.param([0, 2, 1, 3], 2, id="both clients are paid"),
        pytest.param([1, 3, 2, 0], 4, id="both clients pay equal cards"),
        pytest.param([0, 2, 1, 3], 10, id="resisted"),
        pytest.param([0, 2, 1, 3], 11, id="tributes cross"),
    ],
)
def test_whole_rounds_with_straights_off_suit_without_falling_back(previous: list[int] | None, seed: int) -> None:
    referee = round_after(previous, seed)
    assert referee.seen["answers off suit"] > 0
    assert referee.seen["exchange lost"] == referee.seen["untold"] == 0
    assert all(client.falls.total() == 0 for client in referee.clients.values())


def test_straights_off_suit_that_are_only_offered_leave_crossed_tributes_whole() -> None:
    referee = round_after([1, 3, 0, 2], 0)
    assert referee.seen["off suit"] == 0
    assert referee.seen["exchange lost"] == referee.seen["untold"] == 0
    assert all(client.falls.total() == 0 for client in referee.clients.values())
