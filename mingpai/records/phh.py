"""Poker hand histories (PHH, TOML) to and from records. PokerKit (extra `poker`) reads and writes the format.

In PHH p1 is the first seat after the button (heads-up the big blind), and `cbr N` names the total for the street. Here
p1 becomes seat 0 and the last player has the button.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.extras import optional
from mingpai.core.reading import bounded, read_list, read_whole
from mingpai.games.holdem import HoldemState
from mingpai.games.holdem.moves import FOLD, ActionKind, raise_to
from mingpai.games.holdem.notation import CARDS, Card, format_cards, parse_amount, parse_cards
from mingpai.games.holdem.rules import MAX_SEATS, Chips, rules_of
from mingpai.games.holdem.state import Hole, TableSetup, begin, parse_chips
from mingpai.records.handhistory import MOST_ACTION, MOST_ACTIONS, SHOWN, phh_text
from mingpai.records.record import Record, record_of

UNKNOWN = "??"
HIDDEN = 2 * UNKNOWN
"""Two cards that are not told."""
VARIANT = "NT"
MAX_FILLS = 2000
"""Ways to fill unknown hands that are tried for one that gives the recorded result."""


@dataclass(frozen=True)
class PhhHand:
    """A hand history: the hand played to its end, and what else the file says."""

    state: HoldemState
    players: tuple[str, ...]
    """Names, or p1, p2, ..."""
    tags: dict[str, Any] = field(default_factory=dict)
    """User fields, the number of the hand, and which cards the file does not tell (they are filled in)."""

    @property
    def unknown(self) -> frozenset[int]:
        """Seats whose cards the file does not tell."""
        return unknown_seats(self.tags)

    def record(self) -> Record:
        return record_of(self.state, self.players, tags=self.tags)


def unknown_seats(tags: Mapping[str, Any]) -> frozenset[int]:
    """The seats of a hand whose cards were filled in, by its tags."""
    return frozenset(_index(player) for player in read_list(tags.get("unknown", ()), "unknown", MAX_SEATS))


def read_file(path: Path, rules: str = "") -> Iterator[PhhHand]:
    """The hands of a `.phh` or `.phhs` file, gzipped or not."""
    for history in read_histories(path):
        yield from_history(history, rules)


def read_histories(path: Path) -> Iterator[Any]:
    """The hands of a file as PokerKit reads them, not yet replayed."""
    yield from _loaded(phh_text(path), is_many=path.name.removesuffix(".gz").endswith(".phhs"))


def read_many(text: str, rules: str = "") -> Iterator[PhhHand]:
    """The hands of the text of a `.phhs` file."""
    for number, history in enumerate(_loaded(text, is_many=True)):
        try:
            yield from_history(history, rules)
        except MingpaiError as error:
            raise BadlyWritten(f"hand {number + 1}", f"a hand of no-limit hold'em: {error}") from error


def read(text: str, rules: str = "") -> PhhHand:
    """The hand of the text of a `.phh` file."""
    (history,) = _loaded(text, is_many=False)
    return from_history(history, rules)


def _loaded(text: str, *, is_many: bool) -> list[Any]:
    """The hands as PokerKit reads them, which fails in many ways on a text that is not PHH."""
    codec = _codec()
    try:
        return list(codec.loads_all(text)) if is_many else [codec.loads(text)]
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise BadlyWritten(text[:SHOWN], f"PHH, hands of no-limit hold'em ({error})") from None


def _codec() -> Any:
    return optional("pokerkit").HandHistory


def from_history(history: Any, rules: str = "") -> PhhHand:
    """A PokerKit HandHistory, replayed. Without `rules`, hands with fractions play by `acpc`, others by `pokerkit`."""
    if history.variant != VARIANT:
        raise BadlyWritten(history.variant, f"variant {VARIANT}, no-limit Texas hold'em")
    return HistoryReader(history, rules).read()


class HistoryReader:
    """Replays a history of PHH actions with the cards it tells, the others filled in."""

    def __init__(self, history: Any, rules: str) -> None:
        self.history = history
        self.stacks = _chips(history.starting_stacks, "starting_stacks")
        self.finishing = _chips(history.finishing_stacks or (), "finishing_stacks")
        amounts = [*self.stacks, *self.finishing]
        is_whole = all(isinstance(amount, int) for amount in amounts)
        self.rules = rules_of(rules or ("pokerkit" if is_whole else "acpc"))
        self.holes: dict[int, list[Card]] = {}
        self.board: list[Card] = []
        self.moves: list[tuple[int, str, str]] = []
        for action in read_list(history.actions, "actions", MOST_ACTIONS):
            self._take(bounded(str(action), "an action", MOST_ACTION).partition("#")[0].split())

    def _take(self, words: Sequence[str]) -> None:
        match words:
            case ["d", "dh", player, cards]:
                if UNKNOWN not in cards:
                    self.holes[_index(player)] = _two_cards(cards)
            case ["d", "db", cards]:
                self.board += parse_cards(cards)
            case [player, "sm", *cards]:
                if cards and UNKNOWN not in cards[0] and cards[0] != "-":
                    self.holes[_index(player)] = _two_cards(cards[0])
            case [player, ("f" | "cc" | "cbr") as kind, *amount]:
                self.moves.append((_index(player), kind, amount[0] if amount else ""))
            case []:
                pass
            case _:
                raise BadlyWritten(" ".join(words), "an action of hold'em: d dh, d db, pN f, cc, cbr or sm")

    def read(self) -> PhhHand:
        history = self.history
        blinds = _chips(history.blinds_or_straddles, "blinds_or_straddles")
        antes = set(_chips(history.antes, "antes"))
        if len(antes) > 1 or any(blinds[2:]) or len(blinds) < 2:
            raise BadlyWritten(blinds, "one ante for all, a small and a big blind, no straddles")
        setup = TableSetup(
            {"stacks": self.stacks, "button": len(self.stacks) - 1, "blinds": sorted(blinds[:2]), "ante": antes.pop()}
        )
        names = tuple(history.players or (f"p{seat + 1}" for seat in range(len(self.stacks))))
        unknown = [f"p{seat + 1}" for seat in range(len(self.stacks)) if seat not in self.holes]
        tags: dict[str, Any] = {key.lstrip("_"): value for key, value in (history.user_defined_fields or {}).items()}
        if history.hand is not None:
            tags["hand"] = history.hand
        if unknown:
            tags["unknown"] = unknown
        return PhhHand(self._played(setup, bool(unknown)), names, tags)

    def _played(self, setup: TableSetup, is_filled: bool) -> HoldemState:
        """The hand with unknown cards filled in, so that the recorded stacks come out."""
        for fill in range(MAX_FILLS if is_filled else 1):
            state = self._replay(begin(setup, self.rules, *self._cards(fill)))
            if self.is_right(state):
                return state
        raise BadlyWritten(
            [str(stack) for stack in self.finishing],
            f"the stacks that the rules give: {[str(stack) for stack in state.stacks]}",
        )

    def is_right(self, state: HoldemState) -> bool:
        """Whether the hand ends as the history says."""
        return not self.finishing or state.stacks == self.finishing

    def _cards(self, fill: int) -> tuple[list[Hole], list[Card]]:
        if len(self.board) > 5:
            raise BadlyWritten(format_cards(self.board), "a board of at most five cards")
        known = {card for cards in self.holes.values() for card in cards} | set(self.board)
        spare = [card for card in range(len(CARDS)) if card not in known]
        if fill:
            spare = [spare[i] for i in np.random.default_rng(fill).permutation(len(spare))]
        hands: list[Hole] = []
        for seat in range(len(self.stacks)):
            first, second = self.holes[seat] if seat in self.holes else (spare.pop(), spare.pop())
            hands.append((first, second))
        return hands, self.board + [spare.pop() for _ in range(5 - len(self.board))]

    def _replay(self, state: HoldemState) -> HoldemState:
        for number, (seat, kind, amount) in enumerate(self.moves):
            if state.to_move != seat:
                raise BadlyWritten(
                    f"p{seat + 1} {kind} {amount}", f"an action of the player to act (action {number + 1})"
                )
            if kind == "f":
                state.play(FOLD)
            elif kind == "cc":
                state.play(state.stay())
            else:
                state.play(raise_to(parse_amount(amount, f"cbr {amount}")))
        if not state.is_over:
            raise BadlyWritten(f"{len(self.moves)} actions", "a hand that is played to its end")
        return state


def _chips(values: Sequence[Any], name: str) -> list[Chips]:
    """Amounts as PokerKit reads them: whole numbers or decimals."""
    return [parse_chips(str(value), name) for value in read_list(values, name, MAX_SEATS)]


def _index(player: str) -> int:
    if not isinstance(player, str) or not player.startswith("p"):
        raise BadlyWritten(player, "a player p1, p2, ...")
    return read_whole(player[1:], "a player p1, p2, ...", 1, MAX_SEATS) - 1


def _two_cards(text: str) -> list[Card]:
    cards = parse_cards(text)
    if len(cards) != 2:
        raise BadlyWritten(text, "two cards")
    return cards


def write(state: HoldemState, players: Sequence[str] = (), **fields: Any) -> str:
    """The text of a `.phh` file. Seats that are not dealt in are left out; `fields` are user fields."""
    history = to_history(state, players, **fields)
    text: str = history.dumps()
    return text


def write_many(hands: Sequence[PhhHand]) -> str:
    """The text of a `.phhs` file."""
    histories = [to_history(hand.state, hand.players, hand.unknown) for hand in hands]
    text: str = _codec().dumps_all(histories)
    return text


def to_history(state: HoldemState, players: Sequence[str] = (), unknown: Collection[int] = (), **fields: Any) -> Any:
    """A PokerKit HandHistory of a finished hand; the cards of `unknown` seats are not told."""
    dealt = state.dealt_seats
    turn = dealt.index(state.button) + 1
    order = [*dealt[turn:], *dealt[:turn]]
    number = {seat: place + 1 for place, seat in enumerate(order)}
    small, big = (_plain(blind) for blind in state.blinds)
    return _codec()(
        variant=VARIANT,
        ante_trimming_status=True,
        antes=[_plain(state.rule_set.to_chips(state.native.ante))] * len(order),
        blinds_or_straddles=[small, big] + [0] * (len(order) - 2),
        min_bet=big,
        starting_stacks=[_plain(state.starting_stacks[seat]) for seat in order],
        actions=_actions(state, order, number, unknown),
        players=[players[seat] for seat in order] if players else None,
        finishing_stacks=[_plain(state.stacks[seat]) for seat in order] if state.is_over else None,
        user_defined_fields={f"_{name}": value for name, value in fields.items()},
    )


def _actions(state: HoldemState, order: Sequence[int], number: dict[int, int], unknown: Collection[int]) -> list[str]:
    hands = state.native.hands
    dealt = {seat: HIDDEN if seat in unknown else format_cards(hand)
             for seat in order if (hand := hands[seat]) is not None}  # fmt: skip
    actions = [f"d dh p{number[seat]} {cards}" for seat, cards in dealt.items()]
    moves = iter(state.actions())
    for event in state.events():
        if event.kind == "board":
            actions.append(f"d db {event.text}")
        elif event.kind == "show" and event.seat is not None:
            actions.append(f"p{number[event.seat]} sm {HIDDEN if event.seat in unknown else event.text}")
        elif event.kind == "act":
            seat, move = next(moves)
            words = {ActionKind.FOLD: "f", ActionKind.RAISE: f"cbr {_plain(move.to)}"}
            actions.append(f"p{number[seat]} {words.get(move.kind, 'cc')}")
    return actions


def _plain(chips: Chips) -> int | float:
    """A number as TOML writes it; thirds are rounded there."""
    return chips if isinstance(chips, int) else float(chips)


__all__ = ["PhhHand", "from_history", "read", "read_file", "read_many", "to_history", "write", "write_many"]
