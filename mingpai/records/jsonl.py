"""JSON Lines: one record per line, written so that a killed process loses at most the game in hand."""

import contextlib
import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.writing import Closing
from mingpai.records.record import Record

READ_BLOCK = 1 << 16
"""Bytes read at a time when looking for the last line end."""


@dataclass(frozen=True)
class BadLine:
    """A line that is not a record."""

    number: int
    """Counted from 1."""
    error: MingpaiError

    def __str__(self) -> str:
        return f"line {self.number}: {self.error}"


@dataclass(frozen=True)
class GoodLine:
    """A line that is a record."""

    number: int
    """Counted from 1."""
    record: Record


def read_lines(path: Path) -> Iterator[GoodLine | BadLine]:
    """Every line that is not empty, one at a time: its record, or what is wrong with it. Bad lines never stop it."""
    if not path.is_file():
        raise MingpaiError(f"no such file: {path}")
    with path.open("rb") as file:
        yield from _parsed(enumerate(file, start=1))


def last_lines(path: Path, most: int) -> Iterator[GoodLine | BadLine]:
    """The last lines of a file, without reading the records before them."""
    if not path.is_file():
        raise MingpaiError(f"no such file: {path}")
    with path.open("rb") as file:
        lines = deque(enumerate(file, start=1), most)
    return _parsed(lines)


def _parsed(lines: Iterable[tuple[int, bytes]]) -> Iterator[GoodLine | BadLine]:
    for number, raw in lines:
        if not raw.strip():
            continue
        try:
            yield GoodLine(number, Record.loads(raw.decode("utf-8")))
        except UnicodeDecodeError as error:
            yield BadLine(number, BadlyWritten(raw[:80], f"UTF-8 text ({error.reason})", error.start))
        except MingpaiError as error:
            yield BadLine(number, error)


def read_records(path: Path) -> Iterator[Record]:
    """The records of a file; a bad line raises, with its number."""
    for line in read_lines(path):
        if isinstance(line, BadLine):
            raise MingpaiError(f"{path}, {line}")
        yield line.record


class WriteFailed(MingpaiError):
    """A full disk, a read-only folder, a broken device: what was written before is still there."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(f"cannot write to {path}: {error.strerror or error}; what was written before is kept")
        self.errno = error.errno


class RecordWriter(Closing):
    """Appends records to a file. Each record reaches the file as one whole line before `write` returns.

    Several processes may write to one file: each line is written under a lock (`flock`, so not on Windows). A line
    torn by a crash is cut off before the next one is written, and when the file is opened again. A line that cannot be
    written whole is taken back, and WriteFailed says why.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            with _locked(self._fd):
                os.ftruncate(self._fd, end_of_last_line(self._fd))
        except OSError as error:
            raise WriteFailed(path, error) from None

    def write(self, record: Record) -> None:
        self.write_line(record.dumps())

    def write_line(self, line: str) -> None:
        """Writes a record that is a line of JSON already."""
        try:
            with _locked(self._fd):
                self._append((line + "\n").encode())
        except OSError as error:
            raise WriteFailed(self.path, error) from None

    def _append(self, data: bytes) -> None:
        start = os.fstat(self._fd).st_size
        if start and os.pread(self._fd, 1, start - 1) != b"\n":
            start = end_of_last_line(self._fd)
            os.ftruncate(self._fd, start)
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError:
            os.ftruncate(self._fd, start)
            raise

    def close(self) -> None:
        if self._fd < 0:
            return
        fd, self._fd = self._fd, -1
        try:
            os.fsync(fd)
        except OSError as error:
            raise WriteFailed(self.path, error) from None
        finally:
            os.close(fd)


@contextlib.contextmanager
def _locked(fd: int) -> Iterator[None]:
    """Alone with the file while the block runs. A process that is killed gives its lock back."""
    import fcntl

    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)


def end_of_last_line(fd: int) -> int:
    """Offset just after the last line end of a file; 0 if it has none."""
    end = os.fstat(fd).st_size
    while end > 0:
        start = max(0, end - READ_BLOCK)
        newline = os.pread(fd, end - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends well and vanishes when it does not."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise WriteFailed(path, error) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def writing_text(path: Path) -> Iterator[IO[str]]:
    """A text file that appears whole or not at all."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        yield file
