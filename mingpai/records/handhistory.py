"""A hand of hold'em as other people's formats tell it: one form that every reader makes and every statistic reads.

Seats are numbered as PHH does: in the order of action after the flop, so the last seat has the button (also heads-up).
"""

import gzip
import re
import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.reading import bounded, read_list, read_number, read_whole
from mingpai.games.holdem.notation import parse_cards
from mingpai.games.holdem.rules import MAX_SEATS, MOST_CHIPS

Chips = int | float

ActionKind = Literal["fold", "call", "raise"]
"""A check is a call of nothing; a bet is a raise."""

STREETS = ("preflop", "flop", "turn", "river")
BOARD_SIZES = (0, 3, 4, 5)
"""Board cards on each street."""
SHOWN = 40
"""Characters of a text that cannot be read that its error shows."""
MOST_ACTIONS = 1000
"""Of one hand: ten seats that raise by the least amount again and again make fewer."""
MOST_ACTION = 1000
"""Characters of one action, with its comment."""
MOST_TEXT = 64 << 20
"""Bytes of a PHH file, unpacked."""


@dataclass(frozen=True, slots=True)
class Action:
    """One decision of a player."""

    street: int
    """Index into STREETS."""
    seat: int
    kind: ActionKind
    to: Chips = 0
    """The player's total on this street after a raise; 0 for other kinds."""


@dataclass(frozen=True)
class HandHistory:
    """One hand, from the first chip to the last action."""

    stacks: tuple[Chips, ...]
    """Chips of each seat before antes and blinds."""
    posts: tuple[Chips, ...]
    """Blind or straddle of each seat."""
    antes: tuple[Chips, ...]
    actions: tuple[Action, ...]
    board: str = ""
    """Board cards as dealt, for example "JcQh3s7d2c"."""
    hole: tuple[str | None, ...] = ()
    """Hole cards of each seat, for example "AhKd"; None where unknown."""
    players: tuple[str, ...] = ()
    """Names, or empty."""
    finishing: tuple[Chips, ...] = ()
    """Chips after the hand, where recorded."""
    source: str = ""
    """Where the hand comes from: file, session, number."""

    def __post_init__(self) -> None:
        """Raises BadlyWritten unless every seat has its chips and every action its seat, street and amount."""
        per_seat: dict[str, Sequence[object]] = {"posts": self.posts, "antes": self.antes}
        told = (("hole", self.hole), ("players", self.players), ("finishing_stacks", self.finishing))
        per_seat |= {name: values for name, values in told if values}
        if not 2 <= self.seats <= MAX_SEATS:
            raise BadlyWritten(self.stacks, f"the stacks of 2 to {MAX_SEATS} seats")
        for name, values in per_seat.items():
            if len(values) != self.seats:
                raise BadlyWritten(values, f"{name} of {self.seats} seats")
        amounts = (*self.stacks, *self.posts, *self.antes, *self.finishing, *(action.to for action in self.actions))
        if not all(_is_amount(chips) for chips in amounts) or not max(self.posts) > 0:
            raise BadlyWritten(amounts, f"blinds, and amounts from 0 to {MOST_CHIPS}")
        if len(self.board) % 2 or len(self.board) // 2 not in BOARD_SIZES or len(self.actions) > MOST_ACTIONS:
            raise BadlyWritten(self.board, f"a board of 0, 3, 4 or 5 cards and at most {MOST_ACTIONS} actions")
        parse_cards("".join((*filter(None, self.hole), self.board)))
        for action in self.actions:
            if not 0 <= action.seat < self.seats or action.street >= len(STREETS):
                raise BadlyWritten(action, f"an action of one of {self.seats} seats")

    @property
    def seats(self) -> int:
        return len(self.stacks)

    @property
    def session(self) -> str:
        """The directory part of the source: hands of one session share players and time."""
        return self.source.rpartition("/")[0]

    def board_on(self, street: int) -> str:
        """The board cards seen on a street."""
        return self.board[: 2 * BOARD_SIZES[street]]


def _is_amount(chips: object) -> bool:
    return isinstance(chips, int | float) and not isinstance(chips, bool) and 0 <= chips <= MOST_CHIPS


_PLAYER_ACTION = re.compile(r"p(\d+) (f|cc|cbr|sm)(?: (\S+))?")
_DEAL = re.compile(r"d (dh p(\d+)|db) (\S+)")


def from_phh(hand: Mapping[str, Any]) -> HandHistory:
    """A hand from the fields of a PHH file (no-limit hold'em only)."""
    if hand.get("variant") != "NT":
        raise BadlyWritten(hand.get("variant"), "variant = 'NT', no-limit hold'em")
    stacks = tuple(read_list(hand["starting_stacks"], "starting_stacks", MAX_SEATS))
    posts = tuple(hand["blinds_or_straddles"])
    hole: list[str | None] = [None] * len(stacks)
    board, actions = "", []
    for said in read_list(hand["actions"], "actions", MOST_ACTIONS):
        text = bounded(str(said), "an action", MOST_ACTION).partition("#")[0].strip()
        if deal := _DEAL.fullmatch(text):
            if deal[2] is None:
                board += deal[3]
            elif "?" not in deal[3]:
                hole[_seat(deal[2], len(stacks))] = deal[3]
            continue
        acted = _PLAYER_ACTION.fullmatch(text)
        if acted is None:
            raise BadlyWritten(text, "a PHH action: d dh, d db, f, cc, cbr, sm")
        seat = _seat(acted[1], len(stacks))
        if acted[2] == "sm":
            if acted[3] and "?" not in acted[3]:
                hole[seat] = acted[3]
            continue
        if len(board) not in (2 * size for size in BOARD_SIZES):
            raise BadlyWritten(board, "a board of 0, 3, 4 or 5 cards")
        street = BOARD_SIZES.index(len(board) // 2)
        kind: ActionKind = {"f": "fold", "cc": "call", "cbr": "raise"}[acted[2]]  # type: ignore[assignment]
        actions.append(Action(street, seat, kind, _chips(acted[3] or "") if kind == "raise" else 0))
    if len(stacks) == 2 and posts[0] < posts[1]:
        posts = posts[::-1]  # PHH lists the small blind first; heads-up it is the last seat, the button, that posts it
    return HandHistory(
        stacks=stacks, posts=posts, antes=tuple(hand["antes"]), actions=tuple(actions), board=board, hole=tuple(hole),
        players=tuple(map(str, read_list(hand.get("players", ()), "players", MAX_SEATS))),
        finishing=tuple(hand.get("finishing_stacks", ())),
        source=str(hand.get("_source", hand.get("hand", ""))),
    )  # fmt: skip


def _seat(number: str, seats: int) -> int:
    return read_whole(number, "a player", 1, seats) - 1


def read_phh(path: Path) -> Iterator[HandHistory]:
    """The hands of a .phh or .phhs file, gzipped or not."""
    yield from parse_phh(phh_text(path))


def phh_text(path: Path) -> str:
    """The text of a file, gzipped or not, of bounded length."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            raw = file.read(MOST_TEXT + 1)
        text = raw.decode()
    except FileNotFoundError:
        raise MingpaiError(f"no such file: {path}. Public hands are not part of Mingpai: see docs/data.md") from None
    except (gzip.BadGzipFile, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise BadlyWritten(path.name, f"a PHH file: {error}") from None
    except OSError as error:
        raise MingpaiError(f"{path}: {error.strerror}") from None
    if len(raw) > MOST_TEXT:
        raise BadlyWritten(path.name, f"at most {MOST_TEXT:,} bytes")
    return text


def parse_phh(text: str) -> Iterator[HandHistory]:
    """The hands of the text of a .phh or .phhs file."""
    if not re.search(r"^\[", text, flags=re.MULTILINE):
        yield _read_table(text)
        return
    for table in re.split(r"^\[[^\]\n]*\]\s*$", text, flags=re.MULTILINE)[1:]:
        yield _read_table(table)


def _read_table(text: str) -> HandHistory:
    try:
        return from_phh(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadlyWritten(text[:SHOWN], f"a PHH file: {error}") from None
    except KeyError as error:
        raise BadlyWritten(text[:SHOWN], f"a PHH file with the field {error}") from None
    except BadlyWritten:
        raise
    except (IndexError, TypeError, ValueError, RecursionError) as error:
        raise BadlyWritten(text[:SHOWN], f"a hand that PHH can tell: {error}") from None


def _chips(text: str) -> Chips:
    chips = read_number(text, "a number of chips")
    return int(chips) if chips == int(chips) else chips
