"""Hold'em hands in other people's formats, told apart by name and content, as hand histories."""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from mingpai._native.holdem import ActionKind as TableAction
from mingpai.core.errors import BadlyWritten
from mingpai.games.holdem import GAME
from mingpai.games.holdem.notation import format_cards
from mingpai.games.holdem.rules import Chips as TableChips
from mingpai.games.holdem.state import HoldemState
from mingpai.records import pokerstars
from mingpai.records.acpc_log import AcpcGame, parse_acpc_state
from mingpai.records.handhistory import Action, ActionKind, Chips, HandHistory, parse_phh, read_phh
from mingpai.records.phh import unknown_seats
from mingpai.records.record import Record
from mingpai.records.replay import replay

PHH_FIELD = re.compile(r"^variant *=", re.MULTILINE)
PHH_NAMES = (".phh", ".phhs", ".phh.gz", ".phhs.gz")
_KINDS: dict[TableAction, ActionKind] = {TableAction.FOLD: "fold", TableAction.RAISE: "raise"}


def read_hands(path: Path, acpc: AcpcGame | None = None) -> Iterator[HandHistory]:
    """The hands of a PHH file, an ACPC log, a PokerStars text or our records."""
    if path.name.endswith(PHH_NAMES):
        return read_phh(path)
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return hands_in(file.read(), path.stem, acpc)


def hands_in(text: str, session: str = "", acpc: AcpcGame | None = None) -> Iterator[HandHistory]:
    """The hands of a text, told apart by its content: PHH, an ACPC log, PokerStars, or our records of hold'em."""
    if text.startswith(("#", "STATE:")):
        lines = (line for line in text.splitlines() if line.startswith("STATE:"))
        return (parse_acpc_state(line, acpc or AcpcGame(), session) for line in lines)
    if text.lstrip().startswith("{"):
        records = (Record.loads(line) for line in text.splitlines() if line.strip())
        return (history_of_record(record) for record in records if record.game == GAME.name)
    if "PokerStars" in text[:4096]:
        hands = (pokerstars.read(part) for part in pokerstars.split_hands(text))
        return (history_of(hand.state, hand.players, session, hand.unknown) for hand in hands)
    if PHH_FIELD.search(text):
        return _phh_hands(text)
    raise BadlyWritten(session or text[:40], "PHH (.phh, .phhs), an ACPC log, a PokerStars text or records (.jsonl)")


def _phh_hands(text: str) -> Iterator[HandHistory]:
    try:
        yield from parse_phh(text)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise BadlyWritten("PHH", f"hands of no-limit hold'em: {error}") from None


def history_of_record(record: Record) -> HandHistory:
    """The hand of a finished record of hold'em."""
    state = replay(record, GAME)
    if not isinstance(state, HoldemState) or not state.is_over:
        raise BadlyWritten(record.key, "a finished hand of hold'em")
    return history_of(state, record.players, "records", unknown_seats(record.tags))


def history_of(
    state: HoldemState, players: Sequence[str], session: str = "", unknown: Collection[int] = ()
) -> HandHistory:
    """A finished hand of the table as a hand history; `players` are named by table seat, as are `unknown` hands."""
    table = state.native
    hands = table.hands
    order = sorted(table.dealt_seats, key=lambda seat: (seat - table.button - 1) % table.seats)
    place = {seat: number for number, seat in enumerate(order)}
    small, big = state.blinds
    posts = {table.small_blind_seat: small, table.big_blind_seat: big}
    before, won = state.starting_stacks, table.payoffs()
    moves = zip(state.actions(), table.action_streets, strict=True)
    return HandHistory(
        stacks=tuple(_plain(before[seat]) for seat in order),
        posts=tuple(_plain(min(posts.get(seat, 0), before[seat])) for seat in order),
        antes=tuple(_plain(state.rule_set.to_chips(table.ante)) for _ in order),
        actions=tuple(
            Action(street, place[seat], _KINDS.get(move.kind, "call"), _plain(move.to))
            for (seat, move), street in moves
        ),
        board=format_cards(table.board),
        hole=tuple(None if seat in unknown or (hand := hands[seat]) is None else format_cards(hand) for seat in order),
        players=tuple(players[seat] for seat in order),
        finishing=tuple(_plain(before[seat] + state.rule_set.to_chips(won[seat])) for seat in order),
        source=f"{session}/",
    )


def _plain(chips: TableChips) -> Chips:
    return chips if isinstance(chips, int) else float(chips)
