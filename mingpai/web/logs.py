"""Bidding styles from the stored games, from a log that somebody hands in, or from simulated players."""

import tempfile
from pathlib import Path

from mingpai.core.errors import MingpaiError
from mingpai.methods.bidding.population import draw_players, simulate
from mingpai.methods.bidding.raw import PAPER
from mingpai.methods.bidding.style import StyleTable, styles_of_log

SIMULATED_GAMES, SIMULATED_PLAYERS, SIMULATED_SEED = 4000, 60, 1


def styles_of_file(path: Path) -> StyleTable:
    """The styles of the players of stored games."""
    return styles_of_log(path, PAPER)


def simulated_styles() -> StyleTable:
    """The styles of a small population, to see what a map looks like."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "population.log"
        simulate(path, SIMULATED_GAMES, draw_players(SIMULATED_PLAYERS, SIMULATED_SEED), SIMULATED_SEED)
        return styles_of_log(path, PAPER)


def styles_in(content: bytes) -> StyleTable:
    """The styles of the players of a log: records or the raw format, told apart by content."""
    suffix = ".jsonl" if content.lstrip()[:1] == b"{" else ".log"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"uploaded{suffix}"
        path.write_bytes(content)
        styles = styles_of_log(path, PAPER)
    if styles.records == 0:
        raise MingpaiError("no game of Dou Dizhu in that file: neither records (.jsonl) nor the raw format")
    return styles
