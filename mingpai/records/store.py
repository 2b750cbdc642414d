"""The embedded store: records in a DuckDB file, for SQL over more games than fit in memory."""

import contextlib
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.extras import optional
from mingpai.core.game import Game
from mingpai.core.writing import Closing
from mingpai.records.jsonl import BadLine, GoodLine, read_lines, replacing, writing_text
from mingpai.records.record import Record
from mingpai.records.replay import replay

if TYPE_CHECKING:
    import duckdb
else:
    duckdb = optional("duckdb")

BATCH = 2000
"""Records in memory at a time, and in one transaction."""

MEMORY = "1GB"
"""What DuckDB may take; larger sorts go to disk."""

KEPT_ERRORS = 20
"""Bad lines that are reported in full; the rest are counted."""

COLUMNS = {
    "number": "BIGINT",
    "key": "VARCHAR",
    "game": "VARCHAR",
    "rules": "VARCHAR",
    "players": "VARCHAR[]",
    "seats": "VARCHAR[]",
    "seed": "HUGEINT",
    "points": "DOUBLE[]",
    "winners": "INTEGER[]",
    "void": "VARCHAR",
    "events": "INTEGER",
    "setup": "VARCHAR",
    "tags": "VARCHAR",
    "line": "VARCHAR",
}
"""Columns of the table: `number` is the order of import, `events` the number of events, `line` the record as JSON."""

GameOf = Callable[[str], Game]
"""The game of a name; raises MingpaiError if there is none."""


@dataclass
class Report:
    """What became of the lines of a file."""

    read: int = 0
    """Lines that were not empty."""
    good: int = 0
    """Lines that are records and, where asked for, follow the rules."""
    added: int = 0
    """Records that the store did not hold before."""
    bad: int = 0
    errors: list[BadLine] = field(default_factory=list)
    """The first bad lines."""

    def note(self, line: BadLine) -> None:
        self.bad += 1
        if len(self.errors) < KEPT_ERRORS:
            self.errors.append(line)

    def to_json(self) -> dict[str, Any]:
        errors = [{"line": line.number, "error": str(line.error)} for line in self.errors]
        return {"read": self.read, "good": self.good, "added": self.added, "bad": self.bad, "errors": errors}


def checked(lines: Iterable[GoodLine | BadLine], report: Report, game_of: GameOf | None) -> Iterator[GoodLine]:
    """The good lines; the others are noted in the report. With `game_of` each record is replayed."""
    for line in lines:
        report.read += 1
        if isinstance(line, BadLine):
            report.note(line)
            continue
        try:
            if game_of is not None:
                replay(line.record, game_of(line.record.game))
        except MingpaiError as error:
            report.note(BadLine(line.number, error))
            continue
        report.good += 1
        yield line


class Store(Closing):
    """Records in a DuckDB file. The same deal imported twice is kept once."""

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        """Opens the file, or a store in memory for None."""
        if path is not None and read_only and not path.is_file():
            raise MingpaiError(f"no record store at {path}: make one with 'mingpai records import'")
        try:
            name = ":memory:" if path is None else str(path)
            self.db = duckdb.connect(name, read_only=read_only, config={"memory_limit": MEMORY})
            if not read_only:
                columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
                self.db.execute(f"CREATE TABLE IF NOT EXISTS records ({columns}, PRIMARY KEY (key))")
        except duckdb.Error as error:
            raise MingpaiError(f"cannot open the record store {path}: {_first_line(error)}") from None

    def add(self, records: Iterable[Record]) -> int:
        """Adds records; how many are new. Each batch is one transaction."""
        waiting, added = iter(records), 0
        while batch := list(islice(waiting, BATCH)):
            added += self._insert(batch)
        return added

    def import_file(self, path: Path, game_of: GameOf | None) -> Report:
        """Adds a JSON Lines file; with `game_of` only records that replay are added."""
        report = Report()
        lines = checked(read_lines(path), report, game_of)
        while batch := list(islice(lines, BATCH)):
            try:
                report.added += self._insert([line.record for line in batch])
            except duckdb.DataError:
                self._insert_one_by_one(batch, report)
        return report

    def count(self, where: str = "TRUE", values: Sequence[object] = ()) -> int:
        (row,) = self.query(f"SELECT count(*) FROM records WHERE {where}", values)
        return int(row[0])

    def records(self, where: str = "TRUE", values: Sequence[object] = ()) -> Iterator[Record]:
        """The records that a SQL condition selects, in the order of their import, a batch at a time."""
        for (line,) in self.query(f"SELECT line FROM records WHERE {where} ORDER BY number", values):
            yield Record.loads(line)

    def find(self, key: str) -> Record:
        """The record whose key begins with `key`."""
        records = list(islice(self.records("starts_with(key, ?)", [key]), 2))
        if len(records) != 1:
            many = "several records begin" if records else "no record begins"
            raise MingpaiError(f"{many} with {key!r}")
        return records[0]

    def query(self, sql: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, a batch at a time."""
        try:
            cursor = self.db.cursor().execute(sql, list(values))
            while rows := cursor.fetchmany(BATCH):
                yield from rows
        except duckdb.Error as error:
            raise MingpaiError(f"the store refuses the query: {_first_line(error)}") from None

    def export_jsonl(self, path: Path, where: str = "TRUE", values: Sequence[object] = ()) -> int:
        written = 0
        with writing_text(path) as file:
            for (line,) in self.query(f"SELECT line FROM records WHERE {where} ORDER BY number", values):
                file.write(line + "\n")
                written += 1
        return written

    def export_parquet(self, path: Path, where: str = "TRUE", values: Sequence[object] = ()) -> int:
        with replacing(path) as temporary:
            target = str(temporary).replace("'", "''")
            query = f"COPY (SELECT * FROM records WHERE {where} ORDER BY number) TO '{target}' (FORMAT parquet)"
            ((written,),) = self.query(query, values)
        return int(written)

    def close(self) -> None:
        self.db.close()

    def _insert(self, batch: Sequence[Record]) -> int:
        """One transaction: all of them are in or none. Raises MingpaiError for a full disk, DataError for bad data."""
        try:
            return self._insert_file(batch)
        except duckdb.DataError:
            raise
        except (duckdb.Error, OSError) as error:
            why = _first_line(error)
            raise MingpaiError(f"cannot write to the record store: {why}; what was in it before is kept") from None

    def _insert_file(self, batch: Sequence[Record]) -> int:
        """DuckDB reads a temporary file much faster than it takes rows one by one."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "batch.jsonl"
            ((start,),) = self.db.execute("SELECT coalesce(max(number) + 1, 0) FROM records").fetchall()
            unique = {record.key: record for record in batch}
            rows = [json.dumps(_row(start + number, record)) for number, record in enumerate(unique.values())]
            path.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
            columns = ", ".join(f"{name}: '{kind}'" for name, kind in COLUMNS.items())
            source = f"read_json(?, format = 'newline_delimited', columns = {{{columns}}})"
            ((added,),) = self.db.execute(
                f"INSERT OR IGNORE INTO records SELECT * FROM {source}", [str(path)]
            ).fetchall()
        return int(added)

    def _insert_one_by_one(self, batch: Sequence[GoodLine], report: Report) -> None:
        for line in batch:
            try:
                report.added += self._insert([line.record])
            except duckdb.DataError as error:
                report.good -= 1
                report.note(BadLine(line.number, BadlyWritten(line.record.key, f"what DuckDB holds ({error})")))


def _row(number: int, record: Record) -> dict[str, object]:
    data = record.to_json()
    row = {name: data.get(name) for name in COLUMNS}
    texts = {name: json.dumps(data[name], ensure_ascii=False) for name in ("setup", "tags")}
    return row | texts | {"number": number, "key": record.key, "events": len(record.events), "line": record.dumps()}


def _first_line(error: Exception) -> str:
    with contextlib.suppress(IndexError):
        return str(error).splitlines()[0]
    return type(error).__name__
