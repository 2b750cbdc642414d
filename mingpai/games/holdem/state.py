"""A hand of hold'em in progress, by RULES.md. The native table holds chips and cards; this keeps the events."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from mingpai._native import holdem as native
from mingpai._native.holdem import Street
from mingpai.core.errors import BadlyWritten, BadSetting, IllegalHere
from mingpai.core.event import Event
from mingpai.core.game import Seat, Setup, State
from mingpai.core.random import seed_of, stream
from mingpai.core.reasons import Reason
from mingpai.games.holdem import notation
from mingpai.games.holdem.moves import CALL, CHECK, FOLD, Action, raise_to
from mingpai.games.holdem.notation import Card, format_cards, format_hand
from mingpai.games.holdem.rules import MAX_SEATS, MOST_CHIPS, Chips, Rules, rules_of

if TYPE_CHECKING:
    from mingpai.core.game import Game
    from mingpai.games.holdem.view import HoldemView

DEFAULT_SEATS = 2
DEFAULT_CHIPS = 2000
DEFAULT_BLINDS = (20, 40)

BET_SIZES = (Fraction(1, 2), Fraction(3, 4), Fraction(1))
"""Raises offered by `legal_moves`, as shares of the pot after calling, beside the least and the most."""

Hole = tuple[Card, Card] | None


class Position(ABC):
    """What can be asked of a hand in progress, by somebody who sees all of it or a part. Amounts are in chips."""

    native: native.Table
    """The native table; its amounts are in units."""
    rule_set: Rules

    @property
    def game(self) -> "Game":
        from mingpai.games.holdem import GAME

        return GAME

    @property
    def rules(self) -> str:
        return self.rule_set.name

    @property
    def street(self) -> Street:
        return self.native.street

    @property
    def to_move(self) -> Seat | None:
        return self.native.to_act

    @property
    def seats(self) -> int:
        return self.native.seats

    @property
    def button(self) -> Seat:
        return self.native.button

    @property
    def blinds(self) -> tuple[Chips, Chips]:
        return self._chips(self.native.small_blind), self._chips(self.native.big_blind)

    @property
    def big_blind(self) -> Chips:
        return self._chips(self.native.big_blind)

    @property
    def board(self) -> list[Card]:
        """The common cards that lie open."""
        return self.native.board

    @property
    def stacks(self) -> list[Chips]:
        """Chips behind, of each seat."""
        return self._all(self.native.stacks)

    @property
    def starting_stacks(self) -> list[Chips]:
        return self._all(self.native.starting_stacks)

    @property
    def bets(self) -> list[Chips]:
        """Chips that each seat has bet on this street."""
        return self._all(self.native.bets)

    @property
    def paid(self) -> list[Chips]:
        """Chips that each seat has paid in this hand, antes included."""
        return self._all(self.native.paid)

    @property
    def pot(self) -> Chips:
        """Everything paid so far, the bets of this street included."""
        return self._chips(self.native.pot)

    @property
    def current_bet(self) -> Chips:
        """Total for the street to stay in."""
        return self._chips(self.native.current_bet)

    @property
    def to_call(self) -> Chips:
        """What the seat to move pays to stay in; 0 when it may check."""
        return self._chips(self.native.legal().call_cost)

    @property
    def raise_bounds(self) -> tuple[Chips, Chips] | None:
        """Least and most total for the street that a raise may name; None when there is no raise."""
        legal = self.native.legal()
        return (self._chips(legal.min_to), self._chips(legal.max_to)) if legal.can_raise else None

    def stay(self) -> Action:
        """Check, or call where that is not possible."""
        return CHECK if self.native.legal().check else CALL

    def raise_near(self, total: Chips) -> Action:
        """The legal raise nearest to a total for the street; where there is none, stay."""
        bounds = self.raise_bounds
        return self.stay() if bounds is None else raise_to(min(max(total, bounds[0]), bounds[1]))

    @property
    def dealt_seats(self) -> list[Seat]:
        return self.native.dealt_seats

    @property
    def live_seats(self) -> list[Seat]:
        """Seats that have not folded."""
        return self.native.live_seats

    def position_name(self, seat: Seat) -> str:
        """BTN, SB, BB, UTG, ... ; "out" for a seat that is not dealt in."""
        return notation.position_names(self.native.dealt_seats, self.native.button).get(seat, "out")

    def actions(self) -> list[tuple[Seat, Action]]:
        """The moves made, in order."""
        return [(seat, Action(kind, self._chips(to))) for seat, kind, to in self.native.actions]

    def actions_by_street(self) -> list[list[tuple[Seat, Action]]]:
        """The moves of each street that has begun."""
        streets: list[list[tuple[Seat, Action]]] = [[]]
        cuts = iter(self._street_cuts())
        cut = next(cuts, None)
        for number, move in enumerate(self.actions()):
            while cut == number:
                streets.append([])
                cut = next(cuts, None)
            streets[-1].append(move)
        while cut is not None:
            streets.append([])
            cut = next(cuts, None)
        return streets

    @abstractmethod
    def _street_cuts(self) -> list[int]:
        """How many moves had been made when each later street began."""

    def pots(self) -> list[tuple[Chips, list[Seat]]]:
        """Main pot and side pots with the seats that can win them; bets that nobody called are in none."""
        return [(self._chips(pot.amount), pot.seats) for pot in self.native.pots()]

    def legal_actions(self) -> list[Action]:
        """Fold, check or call, and raises: the least, shares of the pot, and all-in, in rising order."""
        legal = self.native.legal()
        actions = [FOLD] * legal.fold + [CHECK] * legal.check + [CALL] * legal.call
        if legal.can_raise:
            unit = self.rule_set.unit
            base = self.native.current_bet
            pot = self.native.pot + legal.call_cost
            wanted = {base + int(size * pot) // unit * unit for size in BET_SIZES}
            totals = {legal.min_to, legal.max_to} | {to for to in wanted if legal.min_to < to < legal.max_to}
            actions += [raise_to(self._chips(to)) for to in sorted(totals)]
        return actions

    def verify(self, move: Any) -> None:
        """Raise IllegalHere, with the rule that forbids it, unless the move is legal for the seat to move."""
        if not isinstance(move, Action):
            raise BadlyWritten(move, "an Action of hold'em")
        units = min(move.to, MOST_CHIPS) * self.rule_set.unit  # more than anybody has is more, by however much
        whole = int(units)
        code = "holdem.raise_fraction" if units != whole else self.native.why_illegal(move.kind, whole)
        if code is None:
            return
        bounds = self.raise_bounds or (0, 0)
        arguments = {
            "holdem.check_bet": {"facing": str(self.to_call)},
            "holdem.raise_small": {"min": str(bounds[0])},
            "holdem.raise_large": {"max": str(bounds[1])},
        }
        raise IllegalHere(move, Reason(code, arguments.get(code, {})))

    def _chips(self, units: int) -> Chips:
        return self.rule_set.to_chips(units)

    def _all(self, units: list[int]) -> list[Chips]:
        unit = self.rule_set.unit
        return list(units) if unit == 1 else [self._chips(amount) for amount in units]


class HoldemState(Position, State):
    """Cards of all seats, chips, and everything done so far."""

    def __init__(self, table: native.Table, rules: Rules, events: Sequence[Event], marks: Sequence[int]) -> None:
        self.native = table
        self.rule_set = rules
        self._events = list(events)
        self._marks = list(marks)
        """Number of events before each move."""

    def hand(self, seat: Seat) -> Hole:
        """The two cards of a seat; None if it is not dealt in."""
        return self.native.hands[seat]

    def legal_moves(self) -> Sequence[Action]:
        return self.legal_actions()

    def play(self, move: Any) -> None:
        self.verify(move)
        seat = self.native.to_act
        open_before = len(self.native.board)
        self.native.act(move.kind, self.rule_set.to_units(move.to))
        self._marks.append(len(self._events))
        self._events.append(Event("act", seat, str(move)))
        self._events += table_events(self.native, self.rule_set, open_before)

    def undo(self) -> Action:
        if not self._marks:
            raise IndexError("nothing to take back")
        _, kind, to = self.native.actions[-1]
        self.native.undo()
        del self._events[self._marks.pop() :]
        return Action(kind, self.rule_set.to_chips(to))

    def copy(self) -> Self:
        return type(self)(native.Table(self.native), self.rule_set, self._events, self._marks)

    def view(self, seat: Seat) -> "HoldemView":
        from mingpai.games.holdem.view import HoldemView

        return HoldemView(self.native.masked(seat), self.rule_set, seat, self._events, self._marks)

    def events(self) -> Sequence[Event]:
        return tuple(self._events)

    def moves(self) -> Sequence[tuple[Seat, Action]]:
        return self.actions()

    def _street_cuts(self) -> list[int]:
        return street_cuts(self._events)

    def points(self) -> Sequence[float]:
        if not self.is_over:
            raise IllegalHere("points", Reason("holdem.not_over"))
        return [units / self.rule_set.unit for units in self.native.payoffs()]

    def payoffs(self) -> list[Chips]:
        """Chips won, exactly. Only when over."""
        if not self.is_over:
            raise IllegalHere("points", Reason("holdem.not_over"))
        return self._all(self.native.payoffs())

    def winners(self) -> Sequence[Seat]:
        """The seats that come out ahead; if none does, those that shared the pots."""
        ahead = tuple(seat for seat, points in enumerate(self.points()) if points > 0)
        return ahead or tuple(sorted({seat for pot in self.native.pots() for seat in pot.winners}))

    def deck(self) -> str:
        hands = ["" if hand is None else format_cards(hand) for hand in self.native.hands]
        return "/".join((*hands, format_cards(self.native.full_board)))

    def setup(self) -> Setup:
        return setup_json(self)

    def seat_name(self, seat: Seat) -> str:
        return self.position_name(seat)


def street_cuts(events: Sequence[Event]) -> list[int]:
    """For each board event, how many moves came before it."""
    cuts, moves = [], 0
    for event in events:
        moves += event.kind == "act"
        if event.kind == "board":
            cuts.append(moves)
    return cuts


def opening_events(table: native.Table, rules: Rules) -> list[Event]:
    """Cards dealt, antes and blinds posted, and what follows when nobody can act."""
    events = [Event("deal", s, format_hand(h), True) for s, h in enumerate(table.hands) if h is not None]
    stacks = table.starting_stacks
    posts: list[tuple[str, Seat | None, int]] = [("ante", seat, table.ante) for seat in table.dealt_seats]
    posts += [
        ("small blind", table.small_blind_seat, table.small_blind),
        ("big blind", table.big_blind_seat, table.big_blind),
    ]
    for name, seat, amount in posts:
        if seat is None or amount == 0:
            continue
        paid = min(stacks[seat], amount)
        stacks[seat] -= paid
        if paid:
            events.append(Event("post", seat, f"{name} {rules.to_chips(paid)}"))
    return events + table_events(table, rules, 0)


def table_events(table: native.Table, rules: Rules, open_before: int) -> list[Event]:
    """What the table does after a move: board cards, and at the end hands shown and chips won."""
    events, board = [], table.board
    for upto in (3, 4, 5):
        if open_before < upto <= len(board):
            events.append(Event("board", None, format_cards(board[open_before:upto])))
            open_before = upto
    if not table.is_over:
        return events
    hands = table.hands
    for seat in table.shown_seats:
        shown = hands[seat]
        events.append(Event("show", seat, "????" if shown is None else format_hand(shown)))
    for seat, (won, paid) in enumerate(zip(table.payoffs(), table.paid, strict=True)):
        if won + paid > 0:
            events.append(Event("win", seat, str(rules.to_chips(won + paid))))
    return events


def chips_json(chips: Chips) -> int | str:
    """An amount as records write it: a number, or "p/q" for a fraction."""
    return chips if isinstance(chips, int) else str(chips)


def parse_chips(value: object, name: str) -> Chips:
    """An amount: a whole number, or text with a whole number, a decimal or "p/q"."""
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
            raise ValueError
        if isinstance(value, str) and not notation.AMOUNT.fullmatch(value.strip()):
            raise ValueError
        chips = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise BadSetting(name, value, "a number of chips") from None
    if not 0 <= chips <= MOST_CHIPS:
        raise BadSetting(name, value, f"a number of chips, not negative, at most {MOST_CHIPS}")
    return chips.numerator if chips.denominator == 1 else chips


def setup_json(position: Position) -> dict[str, Any]:
    """What the hand started from apart from the cards."""
    small, big = position.blinds
    return {
        "stacks": [chips_json(chips) for chips in position.starting_stacks],
        "button": position.button,
        "blinds": [chips_json(small), chips_json(big)],
        "ante": chips_json(position.rule_set.to_chips(position.native.ante)),
    }


class TableSetup:
    """A checked setup: `seats` and `chips`, or `stacks`; `button`; `blinds`; `ante`. Everything has a default."""

    def __init__(self, setup: Setup | None, seats: int | None = None) -> None:
        given = dict(setup or {})
        self.blinds = parse_blinds(given.pop("blinds", DEFAULT_BLINDS))
        self.ante = parse_chips(given.pop("ante", 0), "ante")
        self.stacks = self._stacks(given, seats)
        self.button = given.pop("button", self._first_with_chips())
        if given:
            raise BadSetting("setup", ", ".join(map(str, given)), "seats, chips, stacks, button, blinds, ante")
        if not isinstance(self.button, int) or isinstance(self.button, bool) or not 0 <= self.button < len(self.stacks):
            raise BadSetting("button", self.button, f"a seat, 0 to {len(self.stacks) - 1}")

    def _stacks(self, given: dict[str, Any], seats: int | None) -> list[Chips]:
        stacks = given.pop("stacks", None)
        number = given.pop("seats", None)
        chips = parse_chips(given.pop("chips", DEFAULT_CHIPS), "chips")
        if number is not None and (not isinstance(number, int) or not 2 <= number <= MAX_SEATS):
            raise BadSetting("seats", number, f"2 to {MAX_SEATS}")
        if stacks is None:
            return [chips] * (number or seats or DEFAULT_SEATS)
        if (
            not isinstance(stacks, list | tuple)
            or not 2 <= len(stacks) <= MAX_SEATS
            or number not in (None, len(stacks))
        ):
            raise BadSetting("stacks", stacks, f"chips of each of 2 to {MAX_SEATS} seats")
        return [parse_chips(stack, "stacks") for stack in stacks]

    def _first_with_chips(self) -> int:
        return next((seat for seat, stack in enumerate(self.stacks) if stack), 0)

    def table(self, rules: Rules, hands: Sequence[Hole], board: Sequence[Card]) -> native.Table:
        small, big, ante = (rules.to_units(chips) for chips in (*self.blinds, self.ante))
        stacks = [rules.to_units(stack) for stack in self.stacks]
        try:
            return native.Table(stacks, self.button, small, big, ante, rules.native, list(hands), list(board))
        except ValueError as error:
            raise BadSetting("setup", [str(stack) for stack in self.stacks], str(error)) from None


def parse_blinds(value: object) -> tuple[Chips, Chips]:
    """Blinds as `[20, 40]` or `"20/40"`."""
    parts = value.split("/") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or len(parts) != 2:
        raise BadSetting("blinds", value, "small and big blind, such as 20/40")
    small, big = (parse_chips(part, "blinds") for part in parts)
    if not 0 <= small <= big or big == 0:
        raise BadSetting("blinds", value, "a small blind that does not exceed the big one")
    return small, big


def begin(setup: TableSetup, rules: Rules, hands: Sequence[Hole], board: Sequence[Card]) -> HoldemState:
    """A hand with these cards."""
    table = setup.table(rules, hands, board)
    return HoldemState(table, rules, opening_events(table, rules), ())


def deal(seed: int, rules: str = "", setup: Setup | None = None) -> HoldemState:
    """A shuffled hand. The cards of a seat depend on the seed and the seat alone, not on who else is dealt in."""
    table = TableSetup(setup)
    cards = stream(seed_of(seed, "holdem", "deal")).permutation(len(notation.CARDS)).tolist()
    board, hole_cards = cards[:5], cards[5:]
    hands = [(hole_cards[2 * s], hole_cards[2 * s + 1]) if stack else None for s, stack in enumerate(table.stacks)]
    return begin(table, rules_of(rules), hands, board)


def start(deck: str, rules: str = "", setup: Setup | None = None) -> HoldemState:
    """The hand of `HAND/.../HAND/BOARD`: two cards of each seat with chips, and the five cards of the board."""
    *parts, board_text = deck.split("/")
    table = TableSetup(setup, len(parts) if len(parts) >= 2 else None)
    if len(parts) != len(table.stacks):
        raise BadlyWritten(deck, f"the cards of {len(table.stacks)} seats and the board, separated by /")
    notation.parse_cards("".join((*parts, board_text)))
    board = notation.parse_cards(board_text)
    hands: list[Hole] = []
    for part, stack in zip(parts, table.stacks, strict=True):
        cards = notation.parse_cards(part)
        if len(cards) != (2 if stack else 0):
            raise BadlyWritten(deck, "two cards for each seat with chips, none for the others")
        hands.append((cards[0], cards[1]) if cards else None)
    if len(board) != 5:
        raise BadlyWritten(deck, "five cards of the board after the last /")
    return begin(table, rules_of(rules), hands, board)


def parse_setup(data: Mapping[str, Any]) -> TableSetup:
    """The setup fields of a position object."""
    known = ("stacks", "seats", "chips", "button", "blinds", "ante")
    return TableSetup({key: data[key] for key in known if key in data})
