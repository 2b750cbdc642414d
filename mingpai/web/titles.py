"""Saved games as a person finds them again: when, which game, how it ended, against whom. No hashes."""

import calendar
from collections.abc import Mapping
from datetime import datetime

from mingpai.records.record import Record
from mingpai.web.board import sitters
from mingpai.web.frame import language, say
from mingpai.web.games import BEST, played_at
from mingpai.web.table import PERSON
from mingpai.web.texts import signed


def titles(records: Mapping[str, Record]) -> dict[str, str]:
    """A line for each game; those without a date are numbered as they come."""
    undated = [key for key, record in records.items() if played_at(record) is None]
    numbers = {key: number for number, key in enumerate(undated, start=1)}
    return {key: _title(record, numbers.get(key, 0)) for key, record in records.items()}


def _title(record: Record, number: int) -> str:
    when = played_at(record)
    first = say("saved_number", number=number) if when is None else date_words(when)
    game = say(record.game) if record.game in BEST else record.game
    daily = say("daily_deal") if "daily" in record.tags else ""
    return " · ".join(part for part in (first, game, daily, _result(record), _company(record)) if part)


def date_words(when: datetime) -> str:
    """A time in the reader's language, as the clock of this machine shows it."""
    month = calendar.month_abbr[when.month] if language() == "en" else when.month
    return say("date_and_time", day=when.day, month=month, year=when.year, clock=f"{when:%H:%M}")


def _result(record: Record) -> str:
    """How it ended for the person; where none played, the points stand beside the players."""
    if record.points is None:
        return say("unfinished")
    if PERSON not in record.players:
        return ""
    points = record.points[record.players.index(PERSON)]
    key = "sheet_won" if points > 0 else "sheet_lost" if points < 0 else "even"
    return say(key) if points == 0 else f"{say(key)} {signed(points)}"


def _company(record: Record) -> str:
    """The opponents; where no person played, everybody with the points."""
    names = [sitter.name for sitter in sitters(record.game, record.players)]
    if PERSON in record.players:
        return ", ".join(dict.fromkeys(n for n, who in zip(names, record.players, strict=True) if who != PERSON))
    if record.points is None:
        return ", ".join(dict.fromkeys(names))
    return ", ".join(f"{name} {signed(points)}" for name, points in zip(names, record.points, strict=True))
