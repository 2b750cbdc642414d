"""PokerStars text, ACPC logs and style statistics: small hands with known answers."""

import itertools
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mingpai.cli.main import app
from mingpai.core.errors import BadlyWritten
from mingpai.records.acpc_log import AcpcGame, parse_acpc_state
from mingpai.records.handhistory import HandHistory, read_phh
from mingpai.records.poker import read_hands
from mingpai.records.styles import style_statistics

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "holdem" / "pluribus-6max.phhs.gz"

HAND = """\
PokerStars Hand #123456789: Hold'em No Limit ($0.50/$1.00 USD) - 2024/01/02 3:04:05 ET
Table 'Halley' 6-max Seat #2 is the button
Seat 1: Ann Lee ($100 in chips)
Seat 2: bob ($80.50 in chips)
Seat 4: cy: x ($120 in chips)
cy: x: posts small blind $0.50
Ann Lee: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann Lee [Ah Kd]
bob: raises $2 to $3
cy: x: folds
Ann Lee: calls $2
*** FLOP *** [2c 7d Kh]
Ann Lee: checks
bob: bets $4
Ann Lee: raises $8 to $12
bob: calls $8
*** TURN *** [2c 7d Kh] [5s]
Ann Lee: bets $20
bob: folds
Uncalled bet ($20) returned to Ann Lee
Ann Lee collected $29 from pot
*** SUMMARY ***
Total pot $30.50 | Rake $1.50
"""


def _hands(tmp_path: Path) -> list[HandHistory]:
    file = tmp_path / "hands.txt"
    file.write_text(HAND)
    return list(read_hands(file))


def test_pokerstars_hand(tmp_path: Path) -> None:
    """Cents become whole numbers; what nobody called comes back."""
    (hand,) = _hands(tmp_path)
    assert hand.players == ("cy: x", "Ann Lee", "bob")
    assert hand.stacks == (12000, 10000, 8050)
    assert hand.posts == (50, 100, 0)
    assert hand.board == "2c7dKh5s"
    assert [(a.street, a.seat, a.kind, a.to) for a in hand.actions] == [
        (0, 2, "raise", 300), (0, 0, "fold", 0), (0, 1, "call", 0), (1, 1, "call", 0), (1, 2, "raise", 400),
        (1, 1, "raise", 1200), (1, 2, "call", 0), (2, 1, "raise", 2000), (2, 2, "fold", 0),
    ]  # fmt: skip
    assert hand.finishing == (11950, 11550, 6550)


def test_other_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text("a shopping list")
    with pytest.raises(BadlyWritten, match="PHH"):
        read_hands(file)


def test_acpc_heads_up() -> None:
    """Reverse blinds: position 0 is the big blind, position 1 acts first before the flop; raises name hand totals."""
    line = "STATE:7:r300c/cr600c/r1500f:AhKd|QsQc/2c7dKh/5s:-600|600:alice|bob"
    hand = parse_acpc_state(line, AcpcGame(blinds=(100, 50), stack=20000), "log")
    assert hand.posts == (100, 50)
    assert [(a.street, a.seat, a.kind, a.to) for a in hand.actions] == [
        (0, 1, "raise", 300), (0, 0, "call", 0), (1, 0, "call", 0), (1, 1, "raise", 300), (1, 0, "call", 0),
        (2, 0, "raise", 900), (2, 1, "fold", 0),
    ]  # fmt: skip
    assert (hand.board, hand.hole, hand.finishing) == ("2c7dKh5s", ("AhKd", "QsQc"), (19400, 20600))


def test_acpc_time_stamp_is_no_part_of_a_name() -> None:
    line = "STATE:19:r200f:9hQc|5dQd:100|-100:first|second # 1479132064.35509"
    assert parse_acpc_state(line, AcpcGame()).players == ("first", "second")


def test_acpc_log_passes_over_comments_and_score(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    log.write_text("# name\nSTATE:0:f:AhKd|QsQc:50|-50:a|b\nSCORE:50|-50:a|b\n")
    (hand,) = read_hands(log)
    assert (hand.source, hand.actions[0].seat, hand.actions[0].kind) == ("match/0", 1, "fold")


@pytest.mark.parametrize("line", ["STATE:1:x:|:0|0:a|b", "STATE:1:f", "STATE:1:c/c/c/c/c:|:0|0:a|b"])
def test_acpc_bad_lines_are_named(line: str) -> None:
    with pytest.raises(BadlyWritten):
        parse_acpc_state(line, AcpcGame())


def test_style_statistics_of_one_hand(tmp_path: Path) -> None:
    statistics = style_statistics(_hands(tmp_path))
    ann, bob, cy = statistics["Ann Lee"], statistics["bob"], statistics["cy: x"]
    assert (ann.vpip, ann.pfr, ann.af) == (1, 0, None)
    assert ann.bets == 2
    assert (bob.vpip, bob.pfr, bob.bets, bob.calls) == (1, 1, 1, 1)
    assert (cy.vpip, cy.flops, cy.won) == (0, 0, -0.5)
    assert ann.showdowns == 0


def test_styles_command(tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text(HAND)
    answer = CliRunner().invoke(app, ["records", "styles", str(file)])
    assert answer.exit_code == 0, answer.output
    assert "bob" in answer.output


@pytest.mark.skipif(not DATA.exists(), reason=f"public data not present: {DATA.name}")
def test_chips_won_sum_to_nothing_on_public_hands() -> None:
    statistics = style_statistics(itertools.islice(read_phh(DATA), 300))
    assert sum(item.won for item in statistics.values()) == pytest.approx(0, abs=1e-6)
    assert all(0.1 < (item.vpip or 0) < 0.5 for item in statistics.values() if item.hands > 100)


def test_cards_that_were_not_told_stay_untold(tmp_path: Path) -> None:
    """Hidden hands are filled in to replay a hand by the rules; no file that is written claims to know them."""
    text, records, phhs = tmp_path / "a.txt", tmp_path / "a.jsonl", tmp_path / "a.phhs"
    text.write_text(HAND)
    for source, out in ((text, records), (records, phhs)):
        assert CliRunner().invoke(app, ["records", "convert", str(source), str(out), "--json"]).exit_code == 0
    told = next(iter(read_hands(text)))
    assert None in told.hole
    assert any(told.hole)
    for file in (records, phhs):
        assert next(iter(read_hands(file))).hole == told.hole


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    broken, short, packed = tmp_path / "a.phh", tmp_path / "b.phh", tmp_path / "c.phhs.gz"
    broken.write_text("junk")
    short.write_text("variant = 'NT'\n")
    packed.write_bytes(b"not gzip")
    for file in (broken, short, packed):
        with pytest.raises(BadlyWritten, match="PHH"):
            list(read_hands(file))


@pytest.mark.parametrize(
    "line",
    [
        "STATE:0:ffc:AhKd|QsQc:100|-100:a|b",
        "STATE:0:r20000cc:AhKd|QsQc:100|-100:a|b",
        "STATE:0:fc:AhKd|QsQc|2c2d:1|1|1:a|b",
        "STATE:0:c:AhKd|QsQc:nan|-100:a|b",
        "STATE:0:c:AhKd|QsQc:1|2|3:a|b",
        f"STATE:0:r{'9' * 5000}:AhKd|QsQc:1|2:a|b",
        "STATE:0:c:AhKd|QsQc:1:a",
        "STATE:0:c:AhAh|QsQc:1|1:a|b",
        "STATE:0:c/c/c:AhKd|QsQc/2c:1|1:a|b",
    ],
)
def test_an_acpc_line_that_cannot_be_is_refused(line: str) -> None:
    """The first two looped for ever: an action after everybody had folded or was all-in."""
    with pytest.raises(BadlyWritten):
        parse_acpc_state(line, AcpcGame())


def test_actions_at_the_end_of_acpc_betting() -> None:
    """All-in and called: nothing more is said. One more fold is the last player's, and there is nobody to beat."""
    hand = parse_acpc_state("STATE:0:r20000c:AhKd|QsQc:100|-100:a|b", AcpcGame())
    assert [action.kind for action in hand.actions] == ["raise", "call"]
