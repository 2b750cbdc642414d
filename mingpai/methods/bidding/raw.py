"""The platform's raw log: one game a line, stages separated by SOH, items by STX. The grammar is docs/raw-format.md.

The text leaves two things open, so every reader and writer is told: which joker X is, and which number of an item is
the seat. Malformed lines are counted by reason and never stop a reader.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from mingpai._native import bidding as native
from mingpai._native.bidding import Ending, RawBid, RawGame, RawPlay, Word
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.core.reasons import Language

__all__ = ["PAPER", "Convention", "Ending", "RawBid", "RawGame", "RawPlay", "Word"]

Jokers = Literal["paper", "usual"]
Seats = Literal["first", "second"]

BLOCK = 1 << 22
"""Bytes read at a time."""

FAULTS: dict[str, dict[Language, str]] = {
    "stages": {"en": "not six stages", "zh": "阶段数不是六个"},
    "users": {"en": "not three different user ids", "zh": "不是三个不同的用户 ID"},
    "hands": {"en": "not three hands of 17 cards", "zh": "不是三手 17 张的手牌"},
    "bottom": {"en": "not three bottom cards", "zh": "底牌不是三张"},
    "deck": {"en": "hands and bottom cards are not one deck", "zh": "手牌与底牌不构成一副牌"},
    "bids": {"en": "a bid that cannot be read", "zh": "无法识别的叫牌"},
    "bid_order": {"en": "a bid out of turn or not allowed", "zh": "叫牌次序有误或不合规则"},
    "plays": {"en": "a play that cannot be read", "zh": "无法识别的出牌"},
    "not_held": {"en": "cards played that were not held", "zh": "打出了手中没有的牌"},
    "result": {"en": "a result that cannot be read", "zh": "无法识别的结果"},
}
"""What can be wrong with a line."""


@dataclass(frozen=True)
class Convention:
    """What the text leaves open."""

    jokers: Jokers
    """paper: X is the red (big) joker and D the black one; usual: D is the big joker, as most programs write."""
    seats: Seats
    """first: the first number of a bid or play is the seat, the other one counts (the paper's reading); second: the
    other way round."""

    def __post_init__(self) -> None:
        if self.jokers not in ("paper", "usual"):
            raise BadSetting("jokers", self.jokers, "paper or usual")
        if self.seats not in ("first", "second"):
            raise BadSetting("seats", self.seats, "first or second")

    @property
    def native(self) -> native.Convention:
        return native.Convention(red_is_x=self.jokers == "paper", seat_first=self.seats == "first")


PAPER = Convention(jokers="paper", seats="first")
"""As the paper states it."""


def parse_line(line: bytes, convention: Convention) -> RawGame:
    """The game of a line without its line end. Raises BadlyWritten."""
    game = native.parse_line(line, convention.native)
    if isinstance(game, str):
        raise BadlyWritten(line[:80], f"a record of the raw format ({FAULTS[game]['en']})")
    return game


def format_line(game: RawGame, convention: Convention) -> bytes:
    """The line of a game, without a line end."""
    return native.format_line(game, convention.native)


@dataclass(frozen=True)
class Block:
    """The rows of some lines: arrays by name, as native/bidding/log.hpp describes them."""

    games: dict[str, Any]
    bids: dict[str, Any]


@dataclass(frozen=True)
class ReadReport:
    """What became of the lines of a log."""

    lines: int
    records: int
    faults: dict[str, tuple[int, list[int]]]
    """What is wrong -> how many lines, and the numbers of the first ones."""

    def to_json(self) -> dict[str, Any]:
        faults = {name: {"lines": count, "first": first} for name, (count, first) in self.faults.items()}
        return {"lines": self.lines, "records": self.records, "malformed": faults}


class LogFile:
    """A log read block by block, in memory that does not grow with it (but for the ids of the players)."""

    def __init__(self, path: Path, convention: Convention) -> None:
        if not path.is_file():
            raise MingpaiError(f"no such file: {path}")
        self.path = path
        self._reader = native.LogReader(convention.native)

    def blocks(self) -> Iterator[Block]:
        """The rows of the log. Numbers of players are places in `players`."""
        with self.path.open("rb") as file:
            while block := file.read(BLOCK):
                self._reader.feed(block)
                yield Block(*self._reader.take())
        self._reader.finish()
        yield Block(*self._reader.take())

    @property
    def players(self) -> list[str]:
        return self._reader.players

    def report(self) -> ReadReport:
        return ReadReport(self._reader.lines, self._reader.records, self._reader.faults)
