"""What the app does with finished games, and which agent it offers first."""

from mingpai.records.jsonl import RecordWriter
from mingpai.records.record import Record
from mingpai.web.home import home

BEST = {"doudizhu": "random", "guandan": "random", "holdem": "random"}
"""The agent offered first in each game."""


def keep(record: Record) -> None:
    """Save a finished game."""
    with RecordWriter(home() / "games" / f"{record.game}.jsonl") as writer:
        writer.write(record)
