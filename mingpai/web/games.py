"""What the app does with finished games, and which agent it offers first."""

import dataclasses
import time
from datetime import datetime
from pathlib import Path

from mingpai.agents import catalogue
from mingpai.agents.catalogue import REGISTRY
from mingpai.records.film import Film
from mingpai.records.jsonl import GoodLine, RecordWriter, last_lines
from mingpai.records.record import Record
from mingpai.web.home import home
from mingpai.web.limits import offered

BEST = {game: best.quick for game, best in catalogue.BEST.items()}
"""The agent offered first in each game."""


def choices(game: str) -> list[str]:
    """The specs that the app offers: the best first, then every agent, and each of its presets."""
    specs = [BEST[game]]
    for name in offered(game):
        presets = REGISTRY.entry(game, name).load().presets
        specs += [f"{name}:preset={preset}" for preset in presets] or [name]
    return list(dict.fromkeys(specs))


def keep(record: Record, who: str) -> None:
    """Save a finished game of a browser, with the time."""
    with RecordWriter(home() / "games" / who / f"{record.game}.jsonl") as writer:
        writer.write(dataclasses.replace(record, tags={**record.tags, "when": int(time.time())}))


def played_at(record: Record) -> datetime | None:
    """When a game was finished, by the clock of this machine; None where nobody noted it."""
    when = record.tags.get("when")
    return datetime.fromtimestamp(when) if type(when) is int and 0 < when < LAST_TIME else None


LAST_TIME = 1 << 33
"""Seconds since 1970: a later time was not noted here."""
MOST_ARENA_BYTES = 20 << 20
"""Games of arena matches that are kept; a full file is begun anew."""


def arena_file(game: str, who: str) -> Path:
    """Where the games of a browser's arena matches are kept."""
    path = home() / "games" / who / f"arena-{game}.jsonl"
    if path.is_file() and path.stat().st_size > MOST_ARENA_BYTES:
        path.unlink()
    return path


def kept(most: int = 200, game: str = "", who: str | None = None, folder: Path | None = None) -> list[Record]:
    """The finished games of a browser, or of all (None), newest first; those without a time, as of matches, last."""
    games = (folder or home()) / "games"
    records: list[Record] = []
    for path in sorted(games.glob(f"{who or '**'}/*{game}.jsonl"), key=lambda path: path.stat().st_mtime):
        records += [line.record for line in last_lines(path, most) if isinstance(line, GoodLine)]
    records.reverse()
    records.sort(key=lambda record: played_at(record) or datetime.min, reverse=True)
    return records[:most]


def keep_opened(records: list[Record], who: str) -> None:
    """Keep the games of the file that a browser opened last, so that a reload finds them."""
    path = home() / "opened" / f"{who}.jsonl"
    path.unlink(missing_ok=True)
    with RecordWriter(path) as writer:
        for record in records:
            writer.write(record)


def opened(who: str, most: int = 200) -> list[Record]:
    """The games of the file that a browser opened last."""
    path = home() / "opened" / f"{who}.jsonl"
    lines = last_lines(path, most) if path.is_file() else []
    return [line.record for line in lines if isinstance(line, GoodLine)]


def film_of(record: Record) -> Film:
    """A record opened to be stepped through."""
    return Film(record, REGISTRY.game(record.game))
