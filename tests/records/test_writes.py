"""Every write fails once: an I/O error, no space, a kill in the middle. What was there before is still there, whole."""

import errno
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mingpai.core.errors import MingpaiError
from mingpai.records.jsonl import RecordWriter, WriteFailed, read_records, writing_text
from mingpai.records.store import Store
from tests.records.test_jsonl import played

ERRORS = [errno.EIO, errno.ENOSPC]


def failing_half_way(code: int) -> Callable[[int, bytes], int]:
    """An `os.write` that writes half of its data at the first call and fails at the second."""
    real, calls = os.write, []

    def write(fd: int, data: bytes) -> int:
        calls.append(len(data))
        if len(calls) == 1:
            return real(fd, data[: len(data) // 2])
        raise OSError(code, os.strerror(code))

    return write


@pytest.mark.parametrize("code", ERRORS)
def test_a_record_that_cannot_be_written_whole_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    path = tmp_path / "games.jsonl"
    with RecordWriter(path) as writer:
        writer.write(played(1))
        before = path.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", failing_half_way(code))
            with pytest.raises(WriteFailed, match="kept"):
                writer.write(played(2))
        assert path.read_bytes() == before
        writer.write(played(3))
    assert list(read_records(path)) == [played(1), played(3)]


KILLED = """
import os, sys
from pathlib import Path
from mingpai.records.jsonl import RecordWriter
from tests.records.test_jsonl import played
writer, real = RecordWriter(Path(sys.argv[1])), os.write
def write(fd, data):
    real(fd, data[: len(data) // 2])
    os.kill(os.getpid(), 9)
writer.write(played(1))
os.write = write
writer.write(played(2))
"""


def test_a_kill_in_the_middle_of_a_line_costs_that_line_alone(tmp_path: Path) -> None:
    """Also when another process has the file open: it cuts the torn line off before it writes its own."""
    path = tmp_path / "games.jsonl"
    with RecordWriter(path) as writer:
        done = subprocess.run([sys.executable, "-c", KILLED, str(path)], timeout=60)
        assert done.returncode == -signal.SIGKILL
        writer.write(played(3))
    assert list(read_records(path)) == [played(1), played(3)]


APPENDING = """
import sys
from pathlib import Path
from mingpai.records.jsonl import RecordWriter
from tests.records.test_jsonl import played
record = played(int(sys.argv[2]))
for _ in range(750):
    with RecordWriter(Path(sys.argv[1])) as writer:
        writer.write(record)
        writer.write(record)
"""


def test_two_processes_that_write_to_one_file_lose_nothing(tmp_path: Path) -> None:
    """Opening a file cut off what looked like a torn line and was another process's record: 22 of 3,000 were lost."""
    path = tmp_path / "games.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", APPENDING, str(path), str(number)]) for number in (1, 2)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    records = list(read_records(path))
    assert len(records) == 3000
    assert records.count(played(1)) == 1500


@pytest.mark.parametrize("code", ERRORS)
@pytest.mark.parametrize("step", ["fsync", "replace", "open"])
def test_a_file_that_cannot_be_replaced_stays_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, code: int
) -> None:
    def fail(*arguments: Any, **options: Any) -> Any:
        raise OSError(code, os.strerror(code))

    path = tmp_path / "run.json"
    with writing_text(path) as file:
        file.write("old")
    with monkeypatch.context() as patch:
        patch.setattr(*{"fsync": (os, "fsync"), "replace": (Path, "replace"), "open": (Path, "open")}[step], fail)
        with pytest.raises(WriteFailed), writing_text(path) as file:
            file.write("new")
    assert [name.name for name in tmp_path.iterdir()] == ["run.json"]
    assert path.read_text() == "old"


def test_a_read_only_folder_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteFailed, match="cannot write"):
        RecordWriter(tmp_path / "file" / "games.jsonl")
    with pytest.raises(WriteFailed, match="cannot write"), writing_text(tmp_path / "file" / "run.json") as file:
        file.write("x")


def limited(size: int) -> Callable[[], None]:
    """No file of this process grows beyond `size` bytes: what a full disk is like."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


IMPORTING = """
import sys
from pathlib import Path
from mingpai.core.errors import MingpaiError
from mingpai.records.store import Store
try:
    with Store(Path(sys.argv[1])) as store:
        print(store.import_file(Path(sys.argv[2]), None).added)
except MingpaiError as error:
    print(error)
    raise SystemExit(2)
"""


def test_an_import_to_a_full_disk_says_so_and_loses_nothing(tmp_path: Path) -> None:
    store, file = tmp_path / "games.duckdb", tmp_path / "games.jsonl"
    with Store(store) as first:
        assert first.add(played(number) for number in range(50)) == 50
    with RecordWriter(file) as writer:
        for number in range(50, 6000):
            writer.write(played(number))
    size = store.stat().st_size + 65536
    done = subprocess.run([sys.executable, "-c", IMPORTING, str(store), str(file)], preexec_fn=limited(size),
                          capture_output=True, text=True, timeout=120)  # fmt: skip
    assert done.returncode == 2, done
    assert "store" in done.stdout
    with Store(store) as again:
        kept = list(again.records())
        assert kept[:50] == [played(number) for number in range(50)]
        assert again.import_file(file, None).bad == 0
        assert again.count() == 6000


def test_a_store_that_cannot_be_written_is_no_bad_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any, **options: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Store(tmp_path / "games.duckdb") as store:
        store.add([played(1)])
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_text", fail)
            with pytest.raises(MingpaiError, match="No space left"):
                store.add([played(2)])
        assert store.count() == 1
