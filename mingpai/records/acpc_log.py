"""Logs of the Annual Computer Poker Competition (no-limit hold'em), read into hand histories.

`STATE:<hand>:<betting>:<cards>:<payoffs>:<names>`: a raise names the total over the whole hand, check and call are both
`c`, position 0 is the first seat after the button (heads-up, reverse blinds: the big blind). Some servers write
`# <time>` after the names.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mingpai.core.errors import BadlyWritten
from mingpai.core.reading import bounded, read_number, read_whole
from mingpai.games.holdem.rules import MAX_SEATS, MOST_CHIPS
from mingpai.records.handhistory import BOARD_SIZES, Action, ActionKind, Chips, HandHistory

_ACT = re.compile(r"f|c|r(\d+)")


@dataclass(frozen=True)
class AcpcGame:
    """What a log does not say: blinds by position and stacks, as a game definition file gives them."""

    blinds: tuple[Chips, ...] = (100, 50)
    stack: Chips = 20_000


def parse_acpc_state(line: str, game: AcpcGame, session: str = "") -> HandHistory:
    """The hand of one STATE line. Raises BadlyWritten."""
    fields = bounded(line, "a STATE line").strip().split(":")
    if len(fields) != 6 or fields[0] != "STATE":
        raise BadlyWritten(line, "STATE:hand:betting:cards:payoffs:names")
    _, number, betting, cards, payoffs, names = fields
    players = log_names(names)
    seats = len(players)
    won = [read_number(chips, "payoffs") for chips in payoffs.split("|")]
    if not 2 <= seats <= MAX_SEATS or len(won) != seats:
        raise BadlyWritten(f"{payoffs}:{names}", f"payoffs and names of 2 to {MAX_SEATS} seats")
    posts = tuple(game.blinds[:seats]) + (0,) * (seats - len(game.blinds))
    hole, board = _cards(cards, seats)
    stacks = (game.stack,) * seats
    finishing = tuple(_whole(stack + chips) for stack, chips in zip(stacks, won, strict=True))
    return HandHistory(
        stacks=stacks, posts=posts, antes=(0,) * seats, actions=tuple(_actions(betting, posts, game.stack)),
        board=board, hole=hole, players=players, finishing=finishing, source=f"{session}/{number}",
    )  # fmt: skip


def log_names(text: str) -> tuple[str, ...]:
    """The players of a STATE line, by position. Some servers write `# <time>` after them."""
    return tuple(text.partition("#")[0].strip().split("|"))


def _cards(text: str, seats: int) -> tuple[tuple[str | None, ...], str]:
    hands, *board = text.split("/")
    hole = tuple(hand or None for hand in hands.split("|"))
    if len(hole) != seats:
        raise BadlyWritten(text, f"hole cards of {seats} seats")
    return hole, "".join(board)


def _actions(betting: str, posts: Sequence[Chips], stack: Chips) -> Iterator[Action]:
    """Follows the betting, for the text does not say who acts."""
    seats = len(posts)
    paid, folded = list(posts), [False] * seats
    for street, text in enumerate(betting.split("/")):
        if street >= len(BOARD_SIZES):
            raise BadlyWritten(betting, "at most four streets")
        before, seat = max(paid) if street else 0, _first(street, seats)
        position = 0
        for act in _ACT.finditer(text):
            if act.start() != position:
                raise BadlyWritten(text, "f, c or r with a total", position)
            position = act.end()
            seat = _next_to_act(seat, folded, [chips >= stack for chips in paid], betting)
            kind: ActionKind = {"f": "fold", "c": "call"}.get(act[0], "raise")  # type: ignore[assignment]
            folded[seat] = kind == "fold"
            to: Chips = 0
            if kind == "call":
                paid[seat] = min(max(paid), stack)
            elif kind == "raise":
                paid[seat] = read_whole(act[1], "a raise", most=MOST_CHIPS)
                to = paid[seat] - before
            yield Action(street, seat, kind, to)
            seat = (seat + 1) % seats
        if position != len(text):
            raise BadlyWritten(text, "f, c or r with a total", position)


def _next_to_act(seat: int, folded: Sequence[bool], all_in: Sequence[bool], betting: str) -> int:
    """The first seat from `seat` on that can act. Raises BadlyWritten when the betting is over."""
    order = [(seat + step) % len(folded) for step in range(len(folded))]
    able = [seat for seat in order if not folded[seat] and not all_in[seat]]
    if not able or len(folded) - sum(folded) < 2:
        raise BadlyWritten(betting, "no action after everybody has folded or is all-in")
    return able[0]


def _first(street: int, seats: int) -> int:
    if street:
        return 0
    return 1 if seats == 2 else 2 % seats


def _whole(chips: float) -> Chips:
    return int(chips) if chips == int(chips) else chips
