"""Bidding styles and decisions from the stored games, from a log that somebody hands in, or from simulated players."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mingpai.core.errors import MingpaiError
from mingpai.methods.bidding.compared import Compared, compare
from mingpai.methods.bidding.population import draw_players, simulate
from mingpai.methods.bidding.raw import PAPER
from mingpai.methods.bidding.style import StyleTable, styles_of_log

SIMULATED_GAMES, SIMULATED_PLAYERS, SIMULATED_SEED = 4000, 60, 1

Log = Path | bytes | None
"""Stored games, what was handed in (records or the raw format, told apart by content), or a small population."""


@contextmanager
def file_of(log: Log) -> Iterator[Path]:
    """A log as a file."""
    if isinstance(log, Path):
        yield log
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("uploaded.jsonl" if log and log.lstrip()[:1] == b"{" else "uploaded.log")
        if log is None:
            simulate(path, SIMULATED_GAMES, draw_players(SIMULATED_PLAYERS, SIMULATED_SEED), SIMULATED_SEED)
        else:
            path.write_bytes(log)
        yield path


def styles_in(log: Log) -> StyleTable:
    """The styles of the players of a log."""
    with file_of(log) as path:
        styles = styles_of_log(path, PAPER)
    if isinstance(log, bytes) and styles.records == 0:
        raise MingpaiError("no game of Dou Dizhu in that file: neither records (.jsonl) nor the raw format")
    return styles


def decisions_in(log: Log, player: str, most: int) -> list[Compared]:
    """The first decisions of a player of a log, each beside the benchmark's."""
    with file_of(log) as path:
        return compare(path, PAPER, player, most)
