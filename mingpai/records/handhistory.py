"""A hand of hold'em as other people's formats tell it: one form that every reader makes and every statistic reads.

Seats are numbered as PHH does: in the order of action after the flop, so the last seat has the button (also heads-up).
"""

import gzip
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from mingpai.core.errors import BadlyWritten

Chips = int | float

ActionKind = Literal["fold", "call", "raise"]
"""A check is a call of nothing; a bet is a raise."""

STREETS = ("preflop", "flop", "turn", "river")
BOARD_SIZES = (0, 3, 4, 5)
SHOWN = 40
"""Characters of a text that cannot be read that its error shows."""
"""Board cards on each street."""


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


_PLAYER_ACTION = re.compile(r"p(\d+) (f|cc|cbr|sm)(?: (\S+))?")
_DEAL = re.compile(r"d (dh p(\d+)|db) (\S+)")


def from_phh(hand: Mapping[str, Any]) -> HandHistory:
    """A hand from the fields of a PHH file (no-limit hold'em only)."""
    if hand.get("variant") != "NT":
        raise BadlyWritten(hand.get("variant"), "variant = 'NT', no-limit hold'em")
    stacks = tuple(hand["starting_stacks"])
    posts = tuple(hand["blinds_or_straddles"])
    hole: list[str | None] = [None] * len(stacks)
    board, actions = "", []
    for text in hand["actions"]:
        text = text.partition("#")[0].strip()
        if deal := _DEAL.fullmatch(text):
            if deal[2] is None:
                board += deal[3]
            elif "?" not in deal[3]:
                hole[int(deal[2]) - 1] = deal[3]
            continue
        acted = _PLAYER_ACTION.fullmatch(text)
        if acted is None:
            raise BadlyWritten(text, "a PHH action: d dh, d db, f, cc, cbr, sm")
        seat = int(acted[1]) - 1
        if acted[2] == "sm":
            if acted[3] and "?" not in acted[3]:
                hole[seat] = acted[3]
            continue
        street = BOARD_SIZES.index(len(board) // 2)
        kind: ActionKind = {"f": "fold", "cc": "call", "cbr": "raise"}[acted[2]]  # type: ignore[assignment]
        actions.append(Action(street, seat, kind, _chips(acted[3]) if kind == "raise" else 0))
    if len(stacks) == 2 and posts[0] < posts[1]:
        posts = posts[::-1]  # PHH lists the small blind first; heads-up it is the last seat, the button, that posts it
    return HandHistory(
        stacks=stacks, posts=posts, antes=tuple(hand["antes"]), actions=tuple(actions), board=board, hole=tuple(hole),
        players=tuple(hand.get("players", ())), finishing=tuple(hand.get("finishing_stacks", ())),
        source=str(hand.get("_source", hand.get("hand", ""))),
    )  # fmt: skip


def read_phh(path: Path) -> Iterator[HandHistory]:
    """The hands of a .phh or .phhs file, gzipped or not."""
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = raw.decode()
    except (gzip.BadGzipFile, EOFError, UnicodeDecodeError) as error:
        raise BadlyWritten(path.name, f"a PHH file: {error}") from None
    yield from parse_phh(text)


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
    except (IndexError, TypeError, ValueError) as error:
        raise BadlyWritten(text[:SHOWN], f"a hand that PHH can tell: {error}") from None


def to_phh(hand: HandHistory) -> str:
    """The hand as the text of a .phh file."""
    lines = [
        "variant = 'NT'",
        "ante_trimming_status = true",
        f"antes = {_numbers(hand.antes)}",
        f"blinds_or_straddles = {_numbers(hand.posts[::-1] if hand.seats == 2 else hand.posts)}",
        f"min_bet = {_number(max(hand.posts))}",
        f"starting_stacks = {_numbers(hand.stacks)}",
        f"actions = [{', '.join(repr(text) for text in _phh_actions(hand))}]",
    ]
    if hand.players:
        lines.append(f"players = [{', '.join(repr(name) for name in hand.players)}]")
    if hand.finishing:
        lines.append(f"finishing_stacks = {_numbers(hand.finishing)}")
    if hand.source:
        lines.append(f"_source = {hand.source!r}")
    return "\n".join(lines) + "\n"


def _phh_actions(hand: HandHistory) -> Iterator[str]:
    hole = hand.hole or (None,) * hand.seats
    for seat, cards in enumerate(hole):
        yield f"d dh p{seat + 1} {cards or '????'}"
    street = 0
    for action in hand.actions:
        for reached in range(street + 1, action.street + 1):
            yield f"d db {hand.board[2 * BOARD_SIZES[reached - 1] : 2 * BOARD_SIZES[reached]]}"
        street = action.street
        code = {"fold": "f", "call": "cc", "raise": f"cbr {_number(action.to)}"}[action.kind]
        yield f"p{action.seat + 1} {code}"
    for reached in range(street + 1, BOARD_SIZES.index(len(hand.board) // 2) + 1):
        yield f"d db {hand.board[2 * BOARD_SIZES[reached - 1] : 2 * BOARD_SIZES[reached]]}"


def _chips(text: str) -> Chips:
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError:
        raise BadlyWritten(text, "a number of chips") from None


def _number(chips: Chips) -> str:
    return str(int(chips)) if chips == int(chips) else str(chips)


def _numbers(chips: Sequence[Chips]) -> str:
    return f"[{', '.join(_number(value) for value in chips)}]"
