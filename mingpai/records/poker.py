"""Hold'em hands in other people's formats, told apart by name and content, as hand histories."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from mingpai._native.holdem import ActionKind as TableAction
from mingpai.core.errors import BadlyWritten
from mingpai.games.holdem.notation import format_cards
from mingpai.games.holdem.rules import Chips as TableChips
from mingpai.games.holdem.state import HoldemState
from mingpai.records import pokerstars
from mingpai.records.acpc_log import AcpcGame, read_acpc_log
from mingpai.records.handhistory import Action, ActionKind, Chips, HandHistory, read_phh

PHH_NAMES = (".phh", ".phhs", ".phh.gz", ".phhs.gz")
_KINDS: dict[TableAction, ActionKind] = {TableAction.FOLD: "fold", TableAction.RAISE: "raise"}


def read_hands(path: Path, acpc: AcpcGame | None = None) -> Iterator[HandHistory]:
    """The hands of a PHH file, an ACPC log or a PokerStars text."""
    if path.name.endswith(PHH_NAMES):
        return read_phh(path)
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        text = file.read()
    if "PokerStars" in text[:4096]:
        hands = (pokerstars.read(part) for part in pokerstars.split_hands(text))
        return (history_of(hand.state, hand.players, path.stem) for hand in hands)
    if text.startswith(("#", "STATE:")):
        return read_acpc_log(path, acpc)
    raise BadlyWritten(path.name, "a PHH file (.phh, .phhs), an ACPC log or a PokerStars text")


def history_of(state: HoldemState, players: Sequence[str], session: str = "") -> HandHistory:
    """A finished hand of the table as a hand history, hole cards left out; `players` are named by table seat."""
    table = state.native
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
        players=tuple(players[seat] for seat in order),
        finishing=tuple(_plain(before[seat] + state.rule_set.to_chips(won[seat])) for seat in order),
        source=f"{session}/",
    )


def _plain(chips: TableChips) -> Chips:
    return chips if isinstance(chips, int) else float(chips)
