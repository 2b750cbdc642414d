"""From a raw log to cleaned samples, the paper's steps one for one, as SQL over the imported games.

1. Players with enough games whose win rate is above the mean are strong.
2. Games that were not played to their end are dropped.
3. The last bidder is the landlord; the game is kept only if the first play is his.
4. Decisions of winning strong players are kept: a winning landlord's are labelled 1, a winning farmer's with what he
   did.
5. Among equal situations and hands the label is the majority's: 1 above one half.

DuckDB spills to disk beyond its memory limit, and the log is read in blocks: millions of games need no more memory.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.core.extras import optional
from mingpai.core.random import stream
from mingpai.core.reading import read_text
from mingpai.core.writing import Closing
from mingpai.games.doudizhu.notation import cards_text, parse_cards
from mingpai.methods.bidding.raw import Convention, Ending, LogFile, ReadReport
from mingpai.records.jsonl import writing_text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY = "500MB"
"""What DuckDB may take."""

ENOUGH_GAMES = 100
"""Games without which nothing is said about a player's level."""

GAME_COLUMNS = {
    "log": "USMALLINT", "line": "BIGINT", "player0": "INTEGER", "player1": "INTEGER", "player2": "INTEGER",
    "call_rob": "UTINYINT", "ending": "UTINYINT", "landlord": "TINYINT", "first_play": "TINYINT",
    "landlord_won": "UTINYINT", "plays": "USMALLINT",
}  # fmt: skip
BID_COLUMNS = {
    "log": "USMALLINT", "line": "BIGINT", "number": "UTINYINT", "seat": "UTINYINT", "player": "INTEGER",
    "phase": "UTINYINT", "value": "UTINYINT", "bid": "UTINYINT", "hand": "UBIGINT",
}  # fmt: skip

VALID = f"ending = {Ending.OVER.value} AND landlord >= 0 AND first_play = landlord"
"""Steps 2 and 3."""

STEPS = f"""
CREATE OR REPLACE TEMP TABLE levels AS
    SELECT player, count(*) AS games, avg(won) AS rate FROM (
        SELECT unnest([player0, player1, player2]) AS player,
               unnest([CAST((landlord = seat) = (landlord_won = 1) AS INTEGER) FOR seat IN [0, 1, 2]]) AS won
        FROM games WHERE {VALID})
    GROUP BY player;
CREATE OR REPLACE TEMP TABLE strong AS
    SELECT player FROM levels WHERE games >= $enough
        AND rate > (SELECT avg(rate) FROM levels WHERE games >= $enough);
CREATE OR REPLACE TEMP TABLE judged AS
    SELECT phase, value, hand, seat = landlord AS is_landlord, bid > 0 AS did,
           (seat = landlord) = (landlord_won = 1) AS won, player IN (SELECT player FROM strong) AS is_strong
    FROM bids JOIN games USING (log, line) WHERE {VALID};
CREATE OR REPLACE TEMP TABLE labelled AS
    SELECT phase, value, hand, CAST(is_landlord OR did AS INTEGER) AS label FROM judged WHERE won AND is_strong;
CREATE OR REPLACE TEMP TABLE samples AS
    SELECT phase, value, hand, CAST(avg(label) > 0.5 AS UTINYINT) AS label FROM labelled GROUP BY phase, value, hand;
"""


@dataclass(frozen=True)
class Samples:
    """Cleaned decisions, one per row."""

    phase: NDArray[np.uint8]
    """0 call, 1 rob."""
    value: NDArray[np.uint8]
    """The highest score, or the number of calls and robs, so far: 0, 1, 2."""
    hand: NDArray[np.uint64]
    """The 17 cards."""
    label: NDArray[np.uint8]
    """1 bid, 0 not."""

    def __len__(self) -> int:
        return len(self.label)

    def take(self, which: NDArray[Any]) -> "Samples":
        return Samples(self.phase[which], self.value[which], self.hand[which], self.label[which])

    def some(self, most: int, seed: int) -> "Samples":
        """At most so many, drawn at random."""
        if len(self) <= most:
            return self
        return self.take(np.sort(stream(seed, "samples").permutation(len(self))[:most]))


@dataclass(frozen=True)
class CleanReport:
    """What each step left, and why the rest went."""

    steps: tuple[tuple[str, str, int], ...]
    """Unit, what, how many; the dropped ones begin with "dropped: "."""

    def to_json(self) -> dict[str, dict[str, int]]:
        out: dict[str, dict[str, int]] = {}
        for unit, what, count in self.steps:
            out.setdefault(unit, {})[what] = count
        return out


class GameStore(Closing):
    """The games and bids of raw logs in a DuckDB file."""

    def __init__(self, path: Path | None) -> None:
        """Opens the file, or a store in memory for None."""
        duckdb = optional("duckdb")
        try:
            name = ":memory:" if path is None else str(path)
            self.db: DuckDBPyConnection = duckdb.connect(name, config={"memory_limit": MEMORY})
            self.db.execute("SET preserve_insertion_order = false")
            self.db.execute("SET threads = 2")
            for name, columns in (("games", GAME_COLUMNS), ("bids", BID_COLUMNS)):
                listed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
                self.db.execute(f"CREATE TABLE IF NOT EXISTS {name} ({listed})")
            self.db.execute("CREATE TABLE IF NOT EXISTS players (player INTEGER PRIMARY KEY, id VARCHAR UNIQUE)")
            self.db.execute("CREATE TABLE IF NOT EXISTS logs (log USMALLINT PRIMARY KEY, file VARCHAR)")
        except duckdb.Error as error:
            raise MingpaiError(f"{path} cannot be opened as a store of raw games: {error}") from None

    def close(self) -> None:
        self.db.close()

    def count(self, sql: str, values: dict[str, Any] | None = None) -> int:
        row = self.db.execute(sql, values or {}).fetchone()
        assert row is not None
        return int(row[0])

    def import_log(
        self, path: Path, convention: Convention, progress: Callable[[int], None] | None = None
    ) -> ReadReport:
        """Adds the records of a log, all or none of them; `progress` hears of the records read so far."""
        log = LogFile(path, convention)
        number = self.count("SELECT count(*) FROM logs")
        self.db.execute("BEGIN")
        try:
            for block in log.blocks():
                ids = self._numbers(log.players)
                games = block.games | {f"player{seat}": ids[block.games[f"player{seat}"]] for seat in range(3)}
                bids = block.bids | {"player": ids[block.bids["player"]]}
                for name, rows, columns in (("games", games, GAME_COLUMNS), ("bids", bids, BID_COLUMNS)):
                    self.db.register("block", rows)
                    listed = ", ".join(column for column in columns if column != "log")
                    self.db.execute(f"INSERT INTO {name} SELECT {number}, {listed} FROM block")
                    self.db.unregister("block")
                if progress is not None:
                    progress(log.report().records)
            self.db.execute("INSERT INTO logs VALUES (?, ?)", [number, path.name])
            self.db.execute("COMMIT")
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        return log.report()

    def _numbers(self, ids: list[str]) -> NDArray[np.int32]:
        """The store's numbers of the players of a log, new ones added."""
        known = dict(self.db.execute("SELECT id, player FROM players").fetchall())
        new = [(len(known) + place, name) for place, name in enumerate(n for n in ids if n not in known)]
        if new:
            self.db.executemany("INSERT INTO players VALUES (?, ?)", new)
            known |= {name: number for number, name in new}
        return np.array([known[name] for name in ids], np.int32)

    def clean(self, enough: int = ENOUGH_GAMES) -> tuple[Samples, CleanReport]:
        """The samples, ordered by situation and hand, and what each step dropped."""
        for statement in STEPS.split(";"):
            if statement.strip():
                self.db.execute(statement, {"enough": enough} if "$enough" in statement else {})
        rows = self.db.execute("SELECT * FROM samples ORDER BY phase, value, hand").fetchnumpy()
        return Samples(*(np.asarray(rows[name]) for name in ("phase", "value", "hand", "label"))), self._report(enough)

    def strong_players(self) -> list[str]:
        """The ids of the strong players of the last cleaning."""
        rows = self.db.execute("SELECT id FROM strong JOIN players USING (player) ORDER BY id").fetchall()
        return [name for (name,) in rows]

    def _report(self, enough: int) -> CleanReport:
        def games(condition: str) -> int:
            return self.count(f"SELECT count(*) FROM games WHERE {condition}")

        def decisions(condition: str) -> int:
            return self.count(f"SELECT count(*) FROM judged WHERE {condition}")

        over, left, cut = (Ending.OVER.value, Ending.LEFT.value, Ending.CUT.value)
        seen, strong = (self.count(f"SELECT count(*) FROM {table}") for table in ("players", "strong"))
        known = self.count("SELECT count(*) FROM levels WHERE games >= $enough", {"enough": enough})
        labelled, samples = (self.count(f"SELECT count(*) FROM {table}") for table in ("labelled", "samples"))
        finished = f"ending NOT IN ({left}, {cut})"
        wrong = f"ending = {over} AND landlord >= 0 AND first_play <> landlord"
        return CleanReport((
            ("players", "seen", seen),
            ("players", "dropped: too few games", seen - known),
            ("players", "dropped: win rate not above the mean", known - strong),
            ("players", "strong", strong),
            ("games", "read", games("TRUE")),
            ("games", "dropped: a player left", games(f"ending = {left}")),
            ("games", "dropped: unfinished", games(f"ending = {cut}")),
            ("games", "dropped: nobody bid", games(f"{finished} AND (ending <> {over} OR landlord < 0)")),
            ("games", "dropped: first play not the landlord's", games(wrong)),
            ("games", "valid", games(VALID)),
            ("decisions", "in valid games", decisions("TRUE")),
            ("decisions", "dropped: of the losers", decisions("NOT won")),
            ("decisions", "dropped: of winners who are not strong", decisions("won AND NOT is_strong")),
            ("decisions", "labelled", labelled),
            ("decisions", "dropped: merged by the majority", labelled - samples),
            ("decisions", "samples", samples),
        ))  # fmt: skip


def write_samples(path: Path, samples: Samples) -> None:
    """Lines `phase,bid value,hand,label`; X is the small joker and D the big one."""
    rows = zip(
        samples.phase.tolist(), samples.value.tolist(), samples.hand.tolist(), samples.label.tolist(), strict=True
    )
    with writing_text(path) as file:
        file.writelines(f"{phase},{value},{cards_text(hand)},{label}\n" for phase, value, hand, label in rows)


def read_samples(path: Path) -> Samples:
    """What `write_samples` wrote. Raises BadlyWritten with the line."""
    rows: list[tuple[int, int, int, int]] = []
    for number, line in enumerate(read_text(path, "samples").splitlines(), start=1):
        match line.strip().split(","):
            case [("0" | "1") as phase, ("0" | "1" | "2") as value, hand, ("0" | "1") as label] if len(hand) == 17:
                rows.append((int(phase), int(value), parse_cards(hand), int(label)))
            case _:
                raise BadlyWritten(line.strip(), f"line {number} of {path}: phase,bid value,hand,label")
    if not rows:
        raise BadSetting("samples", str(path), "a file with at least one sample")
    columns = list(zip(*rows, strict=True))
    phases, values, labels = (np.array(columns[place], np.uint8) for place in (0, 1, 3))
    return Samples(phases, values, np.array(columns[2], np.uint64), labels)
