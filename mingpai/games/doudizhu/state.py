"""A deal of Dou Dizhu in progress, by RULES.md. The native core holds the cards; this keeps the history."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from mingpai._native import doudizhu as native
from mingpai._native.doudizhu import Bidding, Phase
from mingpai.core.errors import BadlyWritten, BadSetting, IllegalHere
from mingpai.core.event import Event
from mingpai.core.game import Seat, Setup, State
from mingpai.core.random import seed_of
from mingpai.core.reasons import Reason
from mingpai.games.doudizhu import notation
from mingpai.games.doudizhu.moves import Action, Bid, Move
from mingpai.games.doudizhu.rules import Rules, rules_of

if TYPE_CHECKING:
    from mingpai.core.game import Game
    from mingpai.games.doudizhu.view import DoudizhuView

SEATS = 3
DEALT_CARDS = 17
BOTTOM_CARDS = 3


@dataclass(frozen=True)
class Step:
    """A bid or move that was made."""

    seat: Seat
    action: Action
    text: str
    """The action in notation."""
    before: native.Status
    """What undo needs; public knowledge."""


Held = TypeVar("Held", native.State, native.View)


class Position(Generic[Held]):
    """What a state and the view of a seat tell alike."""

    native: Held
    """The native state, or the native view: hands or hand, status, and the fast calls; a view samples hidden hands."""
    rule_set: Rules

    @property
    def game(self) -> "Game":
        from mingpai.games.doudizhu import GAME

        return GAME

    @property
    def rules(self) -> str:
        return self.rule_set.name

    @property
    def phase(self) -> Phase:
        return self.native.status.phase

    @property
    def landlord(self) -> Seat | None:
        """None while bidding, and when all passed."""
        return self.native.status.landlord


class DoudizhuState(Position[native.State], State):
    """Cards of all seats, and everything done so far."""

    def __init__(self, state: native.State, rules: Rules, setup: Setup, steps: Sequence[Step] = ()) -> None:
        self.native = state
        self.rule_set = rules
        self._setup = setup
        self._steps = list(steps)

    @property
    def seats(self) -> int:
        return SEATS

    @property
    def to_move(self) -> Seat | None:
        return self.native.to_move

    def role(self, seat: Seat) -> int | None:
        """0 landlord, 1 down, 2 up; None before there is a landlord."""
        landlord = self.landlord
        return None if landlord is None else (seat - landlord) % SEATS

    def hand(self, seat: Seat) -> int:
        """What the seat holds now."""
        return self.native.hands[seat]

    def legal_moves(self) -> Sequence[Action]:
        if self.phase == Phase.BID:
            return [Bid(value) for value in self.native.legal_bids()]
        return self.native.legal_moves().to_list()

    def verify(self, move: Any) -> None:
        verify(move, self.native.status, self.native.legal_bids, self.rule_set, self._hand_to_move)

    def _hand_to_move(self) -> int:
        return self.native.hands[self.native.status.turn]

    def play(self, move: Any) -> None:
        self.verify(move)
        seat = self.native.status.turn
        before = self.native.bid(move.value) if isinstance(move, Bid) else self.native.play(move)
        self._steps.append(Step(seat, move, str(move), before))

    def undo(self) -> Action:
        if not self._steps:
            raise IndexError("nothing to take back")
        step = self._steps.pop()
        if isinstance(step.action, Bid):
            self.native.undo_bid(step.before)
        else:
            self.native.undo_play(step.action, step.before)
        return step.action

    def copy(self) -> Self:
        return type(self)(native.State(self.native), self.rule_set, self._setup, self._steps)

    def view(self, seat: Seat) -> "DoudizhuView":
        from mingpai.games.doudizhu.view import DoudizhuView

        return DoudizhuView(self.native.view(seat), self.rule_set, self._setup, tuple(self._steps), self.deck_cards())

    def deck_cards(self) -> int:
        """All cards of the deal: the whole deck, but in endgames."""
        state = self.native
        all_cards = sum(state.hands) + sum(state.played)
        return all_cards if state.status.landlord is not None else all_cards + state.bottom

    def events(self) -> Sequence[Event]:
        deal = self.native.deal()
        dealt = [Event("deal", seat, notation.cards_text(hand), True) for seat, hand in enumerate(deal.hands)]
        return dealt + table_events(self._steps, self.landlord, deal.bottom)

    def moves(self) -> Sequence[tuple[Seat, Action]]:
        return [(step.seat, step.action) for step in self._steps]

    def steps(self) -> Sequence[Step]:
        """The bids and moves made, with their text and what undo needs."""
        return tuple(self._steps)

    def points(self) -> Sequence[float]:
        if not self.is_over:
            raise IllegalHere("points", Reason("doudizhu.not_over"))
        return [float(points) for points in self.native.points()]

    def winners(self) -> Sequence[Seat]:
        """The landlord, or both farmers; nobody when all passed."""
        if not self.is_over:
            raise IllegalHere("winners", Reason("doudizhu.not_over"))
        status = self.native.status
        if status.landlord is None:
            return ()
        won = status.turn == status.landlord
        return tuple(seat for seat in range(SEATS) if (seat == status.landlord) == won)

    def deck(self) -> str:
        return notation.deck_text(self.native.deal())

    def setup(self) -> Setup:
        return self._setup

    def seat_name(self, seat: Seat) -> str:
        role = self.role(seat)
        return str(seat) if role is None else notation.ROLES[role]


def verify(
    move: Any, status: native.Status, legal_bids: Callable[[], list[int]], rules: Rules, hand: Callable[[], int]
) -> None:
    """Raise IllegalHere, with the rule that forbids it, unless the move is legal for the seat to move."""
    if status.phase == Phase.OVER:
        raise IllegalHere(move, Reason("finished"))
    if status.phase == Phase.BID:
        if not isinstance(move, Bid):
            raise IllegalHere(move, Reason("doudizhu.bid_first"))
        if move.value not in legal_bids():
            raise IllegalHere(move, Reason("doudizhu.bid_too_low", {"bid": status.bid}))
        return
    if not isinstance(move, Move):
        raise IllegalHere(move, Reason("doudizhu.bidding_over"))
    if not native.is_legal(hand(), move, status.last, rules.native):
        raise IllegalHere(move, _why(move, status, rules, hand()))


def _why(move: Move, status: native.Status, rules: Rules, hand: int) -> Reason:
    if move.is_pass:
        return Reason("doudizhu.must_lead")
    if not native.holds(hand, move.cards):
        cards = notation.cards_text(move.cards)
        return Reason("doudizhu.not_held", {"cards": cards, "hand": notation.cards_text(hand)})
    if move not in native.classify(move.cards, rules.native).to_list():
        return Reason("doudizhu.no_combination", {"cards": str(move), "rules": rules.name})
    return Reason("doudizhu.does_not_beat", {"last": str(status.last)})


def table_events(steps: Sequence[Step], landlord: Seat | None, bottom: int) -> list[Event]:
    """What all seats see: bids, the bottom cards, moves."""
    events = [Event("bid", step.seat, step.text) for step in steps if isinstance(step.action, Bid)]
    if landlord is not None:
        events.append(Event("bottom", landlord, notation.cards_text(bottom)))
    events += [Event("play", step.seat, step.text) for step in steps if isinstance(step.action, Move)]
    return events


def deal(seed: int, rules: str = "", setup: Setup | None = None) -> DoudizhuState:
    """A shuffled deal: 17 cards each, three at the bottom."""
    return _begin(native.shuffled_deal(seed_of(seed, "doudizhu", "deal")), rules_of(rules), setup)


def start(deck: str, rules: str = "", setup: Setup | None = None) -> DoudizhuState:
    """The deal of `HAND/HAND/HAND/BOTTOM`. Without bidding the hands may have any size: an endgame."""
    cards = notation.parse_deck(deck)
    state = _begin(cards, rules_of(rules), setup)
    sizes = [native.card_count(hand) for hand in (*cards.hands, cards.bottom)]
    if state.phase == Phase.BID and sizes != [DEALT_CARDS] * SEATS + [BOTTOM_CARDS]:
        raise BadlyWritten(deck, f"17, 17, 17 and 3 cards to bid on, found {', '.join(map(str, sizes))}")
    if state.phase == Phase.PLAY and not all(state.native.hands):
        raise BadlyWritten(deck, "at least one card for each seat")
    return state


SETUP_RANGES: Mapping[str, range] = {"first": range(SEATS), "landlord": range(SEATS), "bid": range(1, 9)}
"""What a deal may start from: `first` (who bids first), or `landlord` and what he is taken to have `bid`."""


def _begin(cards: native.Deal, rules: Rules, setup: Setup | None) -> DoudizhuState:
    given = _checked_setup(setup or {})
    if rules.bidding == Bidding.NONE and not given:
        given = {"landlord": 0}
    if "landlord" not in given:
        if rules.bidding == Bidding.NONE:
            raise BadSetting("setup", given, f"landlord: rules {rules.name} have no bidding")
        first = given.get("first", 0)
        return DoudizhuState(native.State.start(cards, rules.native, first), rules, {"first": first})
    landlord, bid = given["landlord"], given.get("bid", 1)
    try:
        state = native.State.start_play(cards, rules.native, landlord, bid)
    except ValueError as error:
        raise BadlyWritten(notation.deck_text(cards), f"at most 20 cards for the landlord: {error}") from None
    return DoudizhuState(state, rules, {"landlord": landlord, "bid": bid})


def _checked_setup(setup: Setup) -> dict[str, int]:
    if not set(setup) <= ({"landlord", "bid"} if "landlord" in setup else {"first"}):
        raise BadSetting("setup", dict(setup), "first, or landlord and bid")
    for key, value in setup.items():
        allowed = SETUP_RANGES[key]
        if not isinstance(value, int) or isinstance(value, bool) or value not in allowed:
            raise BadSetting(f"setup {key}", value, f"a number from {allowed.start} to {allowed.stop - 1}")
    return dict(setup)
