"""Botzone's TexasHoldem2p and TexasHoldem6p, played by any agent of ours.

A request has the whole hand: `num_players, dealer_id, my_id, my_chips, my_cards, public_cards, history`. Cards are
(rank - 2) * 4 + suit, suits in the order h, d, s, c. The answer is one number: -1 fold, -2 all-in, 0 check or call,
more for a raise: the chips put in now. Public bots disagree on that last point and some write the total for the street,
so the reader tries both against `my_chips` and answers in the way that fits.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from mingpai.core.agent import Agent
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.reading import read_list, read_mapping, read_whole
from mingpai.games.holdem import HoldemState, HoldemView
from mingpai.games.holdem.moves import FOLD, Action, ActionKind, raise_to
from mingpai.games.holdem.notation import Card, parse_card
from mingpai.games.holdem.rules import MAX_SEATS, rules_of
from mingpai.games.holdem.state import Hole, Position, TableSetup
from mingpai.games.holdem.view import MOST_MOVES, begin_known
from mingpai.protocols.botzone import requests_in, talk
from mingpai.protocols.deadline import LIMIT, PromptAgent
from mingpai.protocols.raises import Convention, street_total, written

log = logging.getLogger(__name__)

RULES = "botzone"
RANKS = "23456789TJQKA"
SUITS = "hdsc"
FOLD_CODE, ALL_IN_CODE, STAY_CODE, BLIND_CODE = -1, -2, 0, -4
BLINDS = (50, 100)
CHIPS = 20000
"""Of each player at the start of every hand."""
CONVENTIONS = (Convention.CHIPS_NOW, Convention.STREET_TOTAL)
"""What the number of a raise may mean, the documented one first."""


def card_of(number: int) -> Card:
    """Our card for an id of Botzone."""
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(RANKS) * len(SUITS):
        raise BadlyWritten(number, "a card id from 0 to 51")
    return parse_card(RANKS[number // len(SUITS)] + SUITS[number % len(SUITS)])


@dataclass(frozen=True)
class Seen:
    """A request, understood."""

    start: HoldemView
    """The hand before anybody had acted."""
    view: HoldemView
    convention: Convention
    """What the numbers of raises mean in it."""
    is_proved: bool
    """Whether only this convention fits the chips."""


def read_request(request: Mapping[str, Any], usual: Convention = CONVENTIONS[0]) -> Seen:
    """The position of a request. Where both conventions fit the chips, `usual` is taken."""
    fitting: dict[Convention, HoldemState] = {}
    problems = []
    for convention in CONVENTIONS:
        try:
            state = _replay(request, convention)
        except MingpaiError as error:
            problems.append(str(error))
            continue
        if state.to_move == _seat(request):
            fitting[convention] = state
    exact = {c: s for c, s in fitting.items() if s.stacks[_seat(request)] == request.get("my_chips")} or fitting
    if not exact:
        raise BadlyWritten(dict(request), "; ".join(problems) or "a request when it is our turn")
    convention = usual if usual in exact else next(iter(exact))
    state, seat = exact[convention], _seat(request)
    return Seen(_beginning(state).view(seat), state.view(seat), convention, len(exact) == 1)


def _beginning(state: HoldemState) -> HoldemState:
    start = state.copy()
    while start.moves():
        start.undo()
    return start


def _seat(request: Mapping[str, Any]) -> int:
    return read_whole(request.get("my_id"), "my_id", most=MAX_SEATS - 1)


def _replay(request: Mapping[str, Any], convention: Convention) -> HoldemState:
    players = read_whole(request.get("num_players"), "num_players", 2, MAX_SEATS)
    dealer = read_whole(request.get("dealer_id"), "dealer_id", most=players - 1)
    hole = read_list(request.get("my_cards"), "my_cards", 2)
    board = [card_of(number) for number in read_list(request.get("public_cards"), "public_cards", 5)]
    if len(hole) != 2 or not 0 <= _seat(request) < players:
        raise BadlyWritten(dict(request), "two cards of a player")
    moves = list(_history(request.get("history") or []))
    posted = sorted(amount for _, action, amount in moves if action == BLIND_CODE)
    blinds = list(posted[:2]) if len(posted) == 2 else list(BLINDS)
    hands: list[Hole] = [None] * players
    hands[_seat(request)] = (card_of(hole[0]), card_of(hole[1]))
    setup = TableSetup({"seats": players, "chips": CHIPS, "button": dealer, "blinds": blinds})
    state = begin_known(setup, rules_of(RULES), hands, board)
    for seat, action, _ in moves:
        if action == BLIND_CODE:
            continue
        if seat != state.to_move:
            raise BadlyWritten([seat, action], f"an action of player {state.to_move}")
        state.play(move_of(action, state, convention))
    return state


def _history(history: Any) -> Iterator[tuple[int, int, int]]:
    """Player, action and amount of each item: objects, or plain pairs."""
    for item in read_list(history, "history", MOST_MOVES):
        match item:
            case {"player_id": int(player), "action": int(action)}:
                yield player, action, read_whole(item.get("amount") or 0, "amount", most=CHIPS)
            case [int(player), int(action), *_]:
                yield player, action, 0
            case _:
                raise BadlyWritten(item, "history items with player_id and action")


def move_of(action: int, position: Position, convention: Convention = CONVENTIONS[0]) -> Action:
    """What a number does. All-in without anything to raise is a call."""
    bounds = position.raise_bounds
    if action == FOLD_CODE:
        return FOLD
    if action == STAY_CODE or bounds is None:
        return position.stay()
    if action == ALL_IN_CODE:
        return raise_to(bounds[1])
    if action < 0:
        raise BadlyWritten(action, "-2, -1, 0 or a number of chips")
    return raise_to(street_total(convention, action, position))


def number_of(move: Action, position: Position, convention: Convention = CONVENTIONS[0]) -> int:
    """The number that stands for a move."""
    bounds = position.raise_bounds
    if move.kind == ActionKind.FOLD:
        return FOLD_CODE
    if move.kind != ActionKind.RAISE:
        return STAY_CODE
    if bounds is not None and move.to == bounds[1]:
        return ALL_IN_CODE
    return int(written(convention, move.to, position))


class Player:
    """Answers requests for an agent, and remembers what the numbers of raises mean here.

    A request has the hand so far and nothing says how a hand ended. So the agent hears each hand up to its own last
    decision, and learns from that when a request of another hand comes.
    """

    def __init__(self, agent: Agent[Any], limit: float = LIMIT) -> None:
        self.prompt = PromptAgent(agent, limit)
        self.convention = CONVENTIONS[0]
        self._seen: Seen | None = None
        self._seats = 0

    def respond(self, request: Mapping[str, Any]) -> int:
        """The answer to a request; a request that cannot be understood is folded."""
        seen = self.take(request)
        if seen is None:
            return FOLD_CODE
        move = asyncio.run(self.prompt.decide(seen.view))
        return number_of(move, seen.view, seen.convention)

    def take(self, request: Mapping[str, Any]) -> Seen | None:
        """Hear a request, without an answer."""
        try:
            seen = read_request(request, self.convention)
        except MingpaiError as error:
            log.error("cannot follow the hand: %s", error)
            return None
        if seen.is_proved:
            self.convention = seen.convention
        self._hear(seen)
        return seen

    def _hear(self, seen: Seen) -> None:
        last, self._seen = self._seen, seen
        if seen.view.seats != self._seats:
            self._seats = seen.view.seats
            self.prompt.start_match(seen.view.seat, self._seats)
        if last is None or not _goes_on(last.view, seen.view):
            if last is not None:
                self.prompt.end_hand([0.0] * last.view.seats)
            self.prompt.start_hand(seen.start)
        self.prompt.hear(seen.view)


def _goes_on(earlier: HoldemView, later: HoldemView) -> bool:
    """Whether two requests are of one hand."""
    if (earlier.seat, earlier.hand, earlier.button) != (later.seat, later.hand, later.button):
        return False
    before, after = earlier.actions(), later.actions()
    return len(before) < len(after) and after[: len(before)] == before


def serve(agent: Agent[Any], source: TextIO, sink: TextIO) -> None:
    """Play until the input ends. The first message with all requests and the bare requests after it are understood."""
    logging.getLogger("mingpai").addHandler(logging.NullHandler())  # Botzone fails programs that write to stderr
    player = Player(agent)

    def answer(message: Mapping[str, Any]) -> object:
        if "requests" not in message:
            return player.respond(read_mapping(message.get("request", message), "request"))
        earlier, last = requests_in(message)
        for request in earlier:
            player.take(request)
        return player.respond(last)

    talk(source, sink, answer)
    player.prompt.close()
