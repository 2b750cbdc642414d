"""What one seat of a hand may know, and the JSON position of the line protocol."""

from collections.abc import Mapping, Sequence
from typing import Any

from mingpai._native import holdem as native
from mingpai.core.decision import Belief
from mingpai.core.errors import BadlyWritten, BadSetting
from mingpai.core.event import Event, require
from mingpai.core.game import Legality, Seat, State, View
from mingpai.core.random import Rng
from mingpai.core.reading import read_list
from mingpai.games.holdem import notation
from mingpai.games.holdem.moves import Action
from mingpai.games.holdem.notation import format_cards, format_hand
from mingpai.games.holdem.rules import Rules, rules_of
from mingpai.games.holdem.state import (
    HoldemState,
    Hole,
    Position,
    TableSetup,
    opening_events,
    parse_setup,
    setup_json,
    street_cuts,
)

MAX_SEED = 2**63
MOST_MOVES = 1000
"""Of one hand: ten seats that raise by the least amount again and again make fewer."""
OPEN_CARDS = (0, 3, 4, 5)
"""How many board cards may lie open."""


class HoldemView(Position, Legality, View):
    """One seat's own cards, the open cards, the chips and everything done so far."""

    def __init__(
        self, table: native.Table, rules: Rules, seat: Seat, events: Sequence[Event], marks: Sequence[int]
    ) -> None:
        self.native = table
        self.rule_set = rules
        self._seat = seat
        dealt, public = events[: len(table.dealt_seats)], events[len(table.dealt_seats) :]
        self._events = (*(event for event in dealt if event.seat == seat), *public)
        self._all_events = (*(event if event.seat == seat else _hidden(event) for event in dealt), *public)
        self._marks = tuple(marks)

    @property
    def seat(self) -> Seat:
        return self._seat

    @property
    def hand(self) -> Hole:
        """The seat's own cards; None if it is not dealt in."""
        return self.native.hands[self._seat]

    @property
    def shown(self) -> dict[Seat, tuple[int, int]]:
        """Hands of other seats that were shown."""
        hands = self.native.hands
        return {s: hand for s in self.native.shown_seats if s != self._seat and (hand := hands[s]) is not None}

    def legal_moves(self) -> Sequence[Action]:
        return self.legal_actions() if self.to_move == self._seat else []

    def events(self) -> Sequence[Event]:
        return self._events

    def _street_cuts(self) -> list[int]:
        return street_cuts(self._events)

    def sample_worlds(self, rng: Rng, count: int, belief: Belief | None = None) -> Sequence[State]:
        if belief is not None:
            return belief.sample(rng, count)
        return [self._world(self.native.filled(int(seed))) for seed in rng.integers(MAX_SEED, size=count)]

    def world(self, hands: Mapping[Seat, tuple[int, int]], seed: int) -> HoldemState:
        """A full state in which some other seats hold given cards; all else unknown is drawn uniformly.

        Raises ValueError when a card would lie at two places.
        """
        given = [hands.get(seat) for seat in range(self.seats)]
        return self._world(self.native.with_hands(given, seed))

    def _world(self, table: native.Table) -> HoldemState:
        hands = table.hands
        events = [
            Event("deal", event.seat, _hand_text(hands[event.seat]), True)
            if event.kind == "deal" and event.seat is not None
            else event
            for event in self._all_events
        ]
        return HoldemState(table, self.rule_set, events, self._marks)

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "seat": self._seat,
            "hand": _hand_text(self.hand),
            "board": format_cards(self.board),
            **setup_json(self),
            "rules": self.rule_set.name,
            "history": [[seat, str(move)] for seat, move in self.actions()],
        }
        if self.shown:
            data["shown"] = [[seat, format_hand(hand)] for seat, hand in self.shown.items()]
        return data

    def key(self) -> str:
        setup = ",".join(f"{name}={value}" for name, value in setup_json(self).items())
        moves = ",".join(f"{seat} {move}" for seat, move in self.actions())
        shown = ",".join(f"{seat} {format_hand(hand)}" for seat, hand in self.shown.items())
        cards = (_hand_text(self.hand), format_cards(self.board))
        return ";".join((self.rule_set.name, setup, str(self._seat), *cards, moves, shown))


def _hidden(event: Event) -> Event:
    return Event(event.kind, event.seat, "", event.private)


def _hand_text(hand: Hole) -> str:
    return "" if hand is None else format_hand(hand)


def view_from_json(data: Mapping[str, Any]) -> HoldemView:
    """The view of a position object. Raises BadlyWritten, BadSetting or IllegalHere."""
    if not isinstance(data, Mapping):
        raise BadlyWritten(data, "a JSON object")
    hand = notation.parse_cards(str(require(data, "hand", str, "the two cards held")))
    board = notation.parse_cards(str(data.get("board", "")))
    setup, rules = parse_setup(data), rules_of(str(data.get("rules", "")))
    seat = require(data, "seat", int, "the seat that looks")
    assert isinstance(seat, int)
    if not 0 <= seat < len(setup.stacks):
        raise BadlyWritten({"seat": seat}, f"seat: 0 to {len(setup.stacks) - 1}")
    hands: list[Hole] = [None] * len(setup.stacks)
    for owner, cards in [(seat, hand), *_shown(data, len(setup.stacks))]:
        if len(cards) != (2 if setup.stacks[owner] else 0):
            raise BadlyWritten(notation.format_cards(cards), "two cards of a seat with chips, none of another")
        hands[owner] = (cards[0], cards[1]) if cards else None
    if len(board) not in OPEN_CARDS:
        raise BadlyWritten(data.get("board"), "a board of 0, 3, 4 or 5 cards")
    state = begin_known(setup, rules, hands, board)
    _replay(state, data, len(board))
    return state.view(seat)


def begin_known(setup: TableSetup, rules: Rules, hands: Sequence[Hole], board: Sequence[int]) -> HoldemState:
    """A hand of which only some cards are known: what other programs tell us. Unknown hands are None."""
    table = setup.table(rules, hands, board)
    dealt = [Event("deal", seat, _hand_text(table.hands[seat]), True) for seat in table.dealt_seats]
    events = [event for event in opening_events(table, rules) if event.kind != "deal"]
    return HoldemState(table, rules, dealt + events, ())


def _shown(data: Mapping[str, Any], seats: int) -> list[tuple[Seat, list[int]]]:
    shown = []
    for item in read_list(data.get("shown", []), "shown", seats):
        match item:
            case [int(seat), str(cards)] if 0 <= seat < seats:
                shown.append((seat, notation.parse_cards(cards)))
            case _:
                raise BadlyWritten(item, 'shown: a list of [seat, "cards"]')
    return shown


def _replay(state: HoldemState, data: Mapping[str, Any], board: int) -> None:
    history = read_list(data.get("history", []), 'history of [seat, "action"]', MOST_MOVES)
    for number, item in enumerate(history):
        match item:
            case [int(seat), str(text)]:
                if seat != state.to_move:
                    turn = "nobody" if state.to_move is None else f"seat {state.to_move}"
                    raise BadlyWritten(item, f"an action of {turn}, which is to move (history item {number})")
                state.play(notation.parse_move(text, state))
            case _:
                raise BadlyWritten(item, 'history: a list of [seat, "action"]')
        if len(state.native.board) > board or any(card == UNKNOWN for card in state.native.board):
            raise BadSetting("board", data.get("board", ""), f"the cards open after history item {number}")
    if not state.is_over and len(state.native.board) != board:
        raise BadSetting("board", data.get("board", ""), f"{len(state.native.board)} cards after this history")


UNKNOWN = 255
"""How the native core marks a card that is not known."""
