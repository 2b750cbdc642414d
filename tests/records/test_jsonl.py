"""Records as JSON Lines: round trips, bad lines, torn files, a killed writer."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mingpai.arena.table import play_deal
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.records.jsonl import BadLine, GoodLine, RecordWriter, read_lines, read_records, replacing
from mingpai.records.record import SCHEMA, Record
from tests.contract.toy import LITTLE, REGISTRY


def played(seed: int) -> Record:
    return play_deal(LITTLE.deal(seed), [REGISTRY.agent("little", "random", seat) for seat in range(3)], seed=seed)


def test_a_record_survives_its_line() -> None:
    record = played(1)
    assert Record.loads(record.dumps()) == record
    assert record.events[0].private
    assert record.points is not None
    assert sum(record.points) == 0


def test_a_key_depends_on_the_play_and_not_on_the_tags() -> None:
    record = played(1)
    tagged = Record.from_json(record.to_json() | {"tags": {"open": True}})
    assert tagged.key == record.key != played(2).key


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": SCHEMA + 1}, "schema"),
        ({"schema": "1"}, "schema"),
        ({"game": 3}, "game: a text"),
        ({"setup": []}, "setup: an object"),
        ({"players": ["a", 1]}, "players: a list of texts"),
        ({"points": ["1"]}, "points: a list of numbers"),
        ({"winners": [True]}, "winners: a list of whole numbers"),
        ({"events": [["play", 0]]}, "an event"),
        ({"seed": "x"}, "seed"),
        ({"void": 1}, "void"),
    ],
)
def test_a_bad_field_is_named(change: dict[str, object], words: str) -> None:
    with pytest.raises(BadlyWritten, match=words):
        Record.from_json(played(1).to_json() | change)


@given(st.text() | st.binary().map(repr))
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_record_or_badly_written(line: str) -> None:
    with pytest.raises(BadlyWritten):
        Record.loads(line)


def test_bad_lines_are_counted_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good = played(1).dumps().encode()
    deep = b"[" * 100_000
    path.write_bytes(b"\n".join([good, b"", b"nonsense", b"[1]", b"\xff\xfe", deep, good, good[:50]]))
    lines = list(read_lines(path))
    assert [line.number for line in lines if isinstance(line, GoodLine)] == [1, 7]
    assert [line.number for line in lines if isinstance(line, BadLine)] == [3, 4, 5, 6, 8]
    with pytest.raises(MingpaiError, match="line 3"):
        list(read_records(path))


def test_a_missing_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(MingpaiError, match="no such file"):
        list(read_lines(tmp_path / "none.jsonl"))


@pytest.mark.parametrize("tail", [b"", b'{"schema":1,"ga', b"x" * 200_000])
def test_a_torn_last_line_is_cut_off_when_writing_goes_on(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "games.jsonl"
    with RecordWriter(path) as writer:
        writer.write(played(1))
    with path.open("ab") as file:
        file.write(tail)
    with RecordWriter(path) as writer:
        writer.write(played(2))
    assert list(read_records(path)) == [played(1), played(2)]


def test_a_file_replaced_in_a_block_that_fails_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with contextlib.suppress(RuntimeError), replacing(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


KILLED = """
import sys
from pathlib import Path
from mingpai.records.jsonl import RecordWriter
from tests.records.test_jsonl import played
record = played(1)
with RecordWriter(Path(sys.argv[1])) as writer:
    for number in range(10**9):
        writer.write(record)
        print(number + 1, flush=True)
"""


def test_a_killed_writer_loses_at_most_the_game_in_hand(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
        reported = [int(line) for line in process.stdout if line.strip().isdigit()]
    promised = max(reported, default=1)
    lines = list(read_lines(path))
    whole = sum(isinstance(line, GoodLine) for line in lines)
    assert whole >= promised
    assert len(lines) - whole <= 1
    with RecordWriter(path) as writer:
        writer.write(played(2))
    assert sum(1 for _ in read_records(path)) == whole + 1


def test_lines_are_plain_json(tmp_path: Path) -> None:
    data = json.loads(played(3).dumps())
    assert data["schema"] == SCHEMA
    assert data["events"][0][0] == "deal"
    assert set(data) == {"schema", "game", "rules", "switches", "setup", "deck", "players", "seats", "seed", "events",
                         "points", "winners", "void", "tags"}  # fmt: skip
