"""The raw format: what is written is read again, what is broken is counted by reason, nothing crashes."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mingpai._native import doudizhu
from mingpai._native.bidding import Ending, RawBid, RawGame, RawPlay, Word
from mingpai._native.bidding import deals as shuffled
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.methods.bidding.population import draw_players, simulate, table_of
from mingpai.methods.bidding.raw import FAULTS, PAPER, Convention, LogFile, format_line, parse_line
from tests.scale import count

CONVENTIONS = [Convention(jokers=jokers, seats=seats) for jokers in ("paper", "usual") for seats in ("first", "second")]
GAMES = count(fast=300, ci=3000, verify=10_000)

ids = st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters=","), min_size=1,
                       max_size=64), min_size=3, max_size=3, unique=True)  # fmt: skip


@st.composite
def games(draw: st.DrawFn) -> RawGame:
    """Games with a legal auction and plays of held cards, in every ending."""
    game = RawGame()
    a, b, c, bottom = (int(cards) for cards in shuffled(draw(st.integers(0, 2**32)), 0, 1)[0])
    game.users, game.hands, game.bottom = draw(ids), [a, b, c], bottom
    scores = draw(st.booleans())
    rules = doudizhu.profile("standard").with_bidding(doudizhu.Bidding.SCORE if scores else doudizhu.Bidding.CALL_ROB)
    state = doudizhu.State.start(doudizhu.Deal((a, b, c), bottom), rules, draw(st.integers(0, 2)))
    bids = []
    while state.status.phase == doudizhu.Phase.BID and draw(st.integers(0, 9)):
        called = state.status.caller is not None
        value = draw(st.sampled_from([0, *range(state.status.bid + 1, 4)] if scores else [0, 1]))
        bids.append(RawBid(state.status.turn, Word.BID if scores else Word.ROB if called else Word.CALL, value))
        state.bid(value)
    game.bids = bids
    left, plays = [a, b, c], []
    for _ in range(draw(st.integers(0, 8))):
        seat, rank = draw(st.integers(0, 2)), draw(st.integers(0, 14))
        held = left[seat] >> (4 * rank) & 15
        cards = draw(st.integers(0, held)) << (4 * rank)
        left[seat] -= cards
        plays.append(RawPlay(seat, cards))
    game.plays = plays
    game.ending = draw(st.sampled_from(list(Ending)))
    if game.ending == Ending.LEFT:
        game.leaver = draw(st.integers(0, 2))
    if game.ending == Ending.OVER:
        game.landlord_won = draw(st.booleans())
        game.points = draw(st.lists(st.integers(-(2**20), 2**20), min_size=3, max_size=3))
    return game


@pytest.mark.parametrize("convention", CONVENTIONS, ids=str)
@settings(max_examples=count(fast=60, ci=500, verify=2000), deadline=None)
@given(game=games())
def test_a_game_written_is_read_again(game: RawGame, convention: Convention) -> None:
    line = format_line(game, convention)
    assert b"\n" not in line
    assert parse_line(line, convention) == game
    assert format_line(parse_line(line, convention), convention) == line


@settings(max_examples=count(fast=400, ci=4000, verify=20_000), deadline=None)
@given(game=games(), data=st.data())
def test_a_damaged_line_is_a_game_or_has_a_reason(game: RawGame, data: st.DataObject) -> None:
    line = bytearray(format_line(game, PAPER))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(line) - 1))
        match data.draw(st.integers(0, 2)):
            case 0:
                line[at] = data.draw(st.sampled_from([0, 1, 2, 32, 44, 45, 48, 51, 88, 255]))
            case 1:
                del line[at:]
            case _:
                line.insert(at, data.draw(st.integers(0, 255)))
        if not line:
            break
    try:
        read = parse_line(bytes(line), PAPER)
    except BadlyWritten:
        return
    assert parse_line(format_line(read, PAPER), PAPER) == read


@settings(max_examples=count(fast=100, ci=1000, verify=10_000), deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused_with_a_reason(line: bytes) -> None:
    with pytest.raises(BadlyWritten, match="raw format"):
        parse_line(line, PAPER)


def a_game() -> RawGame:
    game = RawGame()
    game.users = ["g-t610144107920", "b", "c"]
    hands = shuffled(7, 0, 1)[0]
    game.hands, game.bottom = [int(cards) for cards in hands[:3]], int(hands[3])
    game.bids = [RawBid(0, Word.BID, 0), RawBid(1, Word.BID, 2), RawBid(2, Word.BID, 0)]
    game.ending = Ending.CUT
    return game


def test_items_look_as_in_the_paper() -> None:
    """Table 2: ids, `0,bid,1,0` is seat 0 bidding 0, `1,1,QQ` a play of seat 1; stages by SOH, items by STX."""
    game = a_game()
    queen = parse_cards("Q")
    game.plays = [RawPlay(1, (game.hands[1] >> 36 & 15) * queen)]
    stages = format_line(game, PAPER).split(b"\x01")
    assert len(stages) == 6
    assert stages[0].split(b"\x02") == [b"g-t610144107920", b"b", b"c"]
    assert stages[3].split(b"\x02") == [b"0,bid,1,0", b"1,bid,2,2", b"2,bid,3,0"]
    assert stages[4].startswith(b"1,1,")
    other = format_line(game, Convention(jokers="paper", seats="second")).split(b"\x01")
    assert other[3].split(b"\x02")[1] == b"2,bid,1,2"


def test_the_jokers_follow_the_convention() -> None:
    game = a_game()
    red = next(seat for seat in range(3) if game.hands[seat] >> 56 & 1) if not game.bottom >> 56 & 1 else 3
    for convention, letter in ((PAPER, b"X"), (Convention(jokers="usual", seats="first"), b"D")):
        stages = format_line(game, convention).split(b"\x01")
        texts = [*stages[1].split(b"\x02"), stages[2]]
        assert letter in texts[red]


def broken() -> dict[str, bytes]:
    """A line for every reason."""
    users, hands, bottom, bids, plays, result = format_line(a_game(), PAPER).split(b"\x01")

    def line(**changed: bytes) -> bytes:
        stages = {"users": users, "hands": hands, "bottom": bottom, "bids": bids, "plays": plays, "result": result}
        return b"\x01".join((stages | changed).values())

    swapped = hands.replace(b"3", b"4", 1) if hands.count(b"4") < 8 else hands.replace(b"3", b"5", 1)
    return {
        "stages": users + b"\x01" + hands,
        "users": line(users=b"a\x02b"),
        "hands": line(hands=hands[1:]),
        "bottom": line(bottom=bottom + b"3"),
        "deck": line(hands=swapped),
        "bids": line(bids=b"0,bid,1,4"),
        "bid_order": line(bids=b"0,bid,1,2\x021,bid,2,1"),
        "plays": line(plays=b"1,1,QQ,"),
        "not_held": line(plays=b"1,1,33334444"),
        "result": line(result=b"over\x02nobody\x020,0,0"),
    }


def test_every_reason_is_known_and_reached(tmp_path: Path) -> None:
    lines = broken()
    assert set(lines) == set(FAULTS)
    good = format_line(a_game(), PAPER)
    log = tmp_path / "games.log"
    log.write_bytes(b"\n".join([good, *lines.values(), b"", good]))
    reader = LogFile(log, PAPER)
    rows = sum(len(block.games["line"]) for block in reader.blocks())
    report = reader.report()
    assert rows == report.records == 2
    assert report.lines == len(lines) + 3
    assert report.faults == {name: (1, [number]) for number, name in enumerate(lines, start=2)}


def test_the_reader_does_not_care_where_blocks_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "games.log"
    simulate(log, 200, draw_players(10, 1), 1)

    def columns() -> list[tuple[object, ...]]:
        reader = LogFile(log, PAPER)
        return [
            row for block in reader.blocks() for row in zip(*(c.tolist() for c in block.bids.values()), strict=True)
        ]

    whole = columns()
    monkeypatch.setattr("mingpai.methods.bidding.raw.BLOCK", 97)
    assert columns() == whole


def test_lines_of_the_simulator_are_records_but_for_the_torn_ones(tmp_path: Path) -> None:
    log = tmp_path / "games.log"
    simulate(log, GAMES, draw_players(20, 3), 3)
    bad = 0
    for line in log.read_bytes().splitlines():
        try:
            game = parse_line(line, PAPER)
        except BadlyWritten:
            bad += 1
            continue
        assert format_line(game, PAPER) == line
    assert bad <= 10 + GAMES / 200


def test_bad_conventions_and_missing_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="paper or usual"):
        Convention(jokers="red", seats="first")  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="first or second"):
        Convention(jokers="paper", seats="third")  # type: ignore[arg-type]
    with pytest.raises(MingpaiError, match="no such file"):
        LogFile(tmp_path / "none.log", PAPER)


def test_a_population_refuses_what_makes_no_sense() -> None:
    with pytest.raises(BadSetting, match="at least 3"):
        draw_players(2, 1)
    with pytest.raises(ValueError, match="three players"):
        table_of(draw_players(3, 1)[:2])
