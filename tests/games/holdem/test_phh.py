"""Poker hand histories: the recorded hands replay to their stacks, and what is written reads back."""

import gzip
from pathlib import Path

import pytest

from mingpai.core.errors import BadlyWritten
from mingpai.games.holdem import GAME
from mingpai.games.holdem.notation import parse_move
from mingpai.records import phh
from mingpai.records.record import Record
from mingpai.records.replay import replay
from tests.scale import count

DATA = Path(__file__).parents[4] / "shared" / "data" / "holdem" / "pluribus-6max.phhs.gz"

HAND = """
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = ['d dh p1 AhKd', 'd dh p2 ????', 'd dh p3 2c2d', 'p3 cbr 300', 'p1 cc', 'p2 f', 'd db JcQh3s', 'p1 cc',
  'p3 cbr 400', 'p1 cbr 1200', 'p3 f']
hand = 7
players = ['Ann', 'Bob', 'Cid']
finishing_stacks = [10800, 9900, 9300]
"""


@pytest.mark.skipif(not DATA.exists(), reason="public data not present: shared/data/holdem")
def test_ten_thousand_recorded_hands_replay_to_their_stacks() -> None:
    """All of them in ci; eight end in half chips. Reading compares the stacks, and fails if they differ."""
    wanted = count(fast=1000, ci=10_000, verify=10_000)
    read = fractional = 0
    text = gzip.decompress(DATA.read_bytes()).decode().partition(f"[{wanted + 1}]")[0]
    for number, hand in enumerate(phh.read_many(text)):
        read += 1
        fractional += any(not isinstance(stack, int) for stack in hand.state.stacks)
        assert hand.state.is_over
        if number % 500 == 0:
            again = phh.read(phh.write(hand.state, hand.players), hand.state.rules)
            assert again.state.moves() == hand.state.moves()
            assert again.state.stacks == hand.state.stacks
            record = Record.loads(hand.record().dumps())
            assert replay(record, GAME).points() == hand.state.points()
    assert read == wanted
    if wanted == 10_000:
        assert fractional == 8


def test_a_hand_with_an_unknown_hand() -> None:
    hand = phh.read(HAND)
    assert hand.players == ("Ann", "Bob", "Cid")
    assert hand.tags == {"hand": 7, "unknown": ["p2"]}
    assert hand.state.payoffs() == [800, -100, -700]
    assert [str(move) for _, move in hand.state.moves()] == [
        "raise 300", "call", "fold", "check", "raise 400", "raise 1200", "fold",
    ]  # fmt: skip
    assert hand.record().players == ("Ann", "Bob", "Cid")


def test_an_unknown_hand_at_showdown_is_one_that_gives_the_result() -> None:
    text = """
variant = 'NT'
ante_trimming_status = true
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ['d dh p1 ????', 'd dh p2 KcKd', 'p2 cbr 200', 'p1 cc', 'd db 2c3d7h', 'd db 8s', 'd db Td']
finishing_stacks = [400, 0]
"""
    assert phh.read(text).state.stacks == [400, 0]


@pytest.mark.parametrize(
    ("change", "by"),
    [
        ("finishing_stacks = [10800, 9900, 9300]", "finishing_stacks = [10700, 9900, 9400]"),
        ("'p3 cbr 300'", "'p1 cbr 300'"),
        ("'p3 cbr 300'", "'p3 cbr 101'"),
        (", 'p3 f']", "]"),
        ("'p1 cbr 1200'", "'p1 xx 1200'"),
        ("[50, 100, 0]", "[50, 100, 200]"),
    ],
)
def test_hands_that_break_the_rules_are_refused(change: str, by: str) -> None:
    with pytest.raises(ValueError, match=r"expected|illegal"):
        phh.read(HAND.replace(change, by))
    with pytest.raises(BadlyWritten):
        list(phh.read_many(f"[1]{HAND.replace(change, by)}"))


def test_files(tmp_path: Path) -> None:
    one, many = tmp_path / "hand.phh", tmp_path / "hands.phhs.gz"
    one.write_text(HAND)
    many.write_bytes(gzip.compress(f"[1]{HAND}\n[2]{HAND}".encode()))
    assert [hand.players for hand in phh.read_file(one)] == [("Ann", "Bob", "Cid")]
    assert len(list(phh.read_file(many))) == 2


def test_written_hands_read_back_and_play_at_pokerkit() -> None:
    setup = {"stacks": [400, 0, 900, 3000], "button": 2, "ante": 5, "blinds": [20, 40]}
    state = GAME.deal(4, "pokerkit", setup)
    for text in ("c", "r120", "c", "c"):
        state.play(parse_move(text, state))
    while not state.is_over:
        state.play(parse_move("a", state))
    again = phh.read(phh.write(state, ["a", "out", "b", "c"], source="test"))
    assert again.players == ("c", "a", "b")
    assert again.tags == {"source": "test"}
    order = (3, 0, 2)
    assert again.state.stacks == [state.stacks[seat] for seat in order]
    *_, last = phh.to_history(state)
    assert list(last.stacks) == again.state.stacks
    assert phh.write_many([again, again]).count("variant") == 2
