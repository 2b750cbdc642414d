"""Stage 1, understand: every action of a hand in its context.

A bet of 500 is one thing into a pot of 200 and another into 1000. After the flop a raise is named by its share of the
pot: up to 0.6 half a pot, up to 1 three quarters, more is a pot. Before the flop raises are counted: open, 3-bet,
4-bet. The action of a street is its most aggressive one: check-raise is a raise.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from mingpai._native import holdem as native
from mingpai.records.handhistory import Action, ActionKind, Chips, HandHistory

HALF_POT_LIMIT = 0.6
"""A raise of at most this share of the pot counts as half a pot."""
FULL_POT_LIMIT = 1.0
"""A raise of at most this share counts as three quarters of a pot; a larger one as a pot or more."""

LEAST_SHARE = 0.01
"""Of a raise for the last chips, which may be smaller than a call."""


class Act(IntEnum):
    """What an action means, in order of aggression."""

    FOLD = 0
    CHECK = 1
    CALL = 2
    HALF_POT = 3
    THREE_QUARTERS = 4
    POT = 5

    @property
    def is_raise(self) -> bool:
        return self >= Act.HALF_POT


class Position(IntEnum):
    """Where a seat sits before the flop."""

    FRONT = 0
    MIDDLE = 1
    REAR = 2
    BLIND = 3


def act_of_share(share: float) -> Act:
    """The meaning of a raise by its share of the pot."""
    if share <= HALF_POT_LIMIT:
        return Act.HALF_POT
    return Act.THREE_QUARTERS if share <= FULL_POT_LIMIT else Act.POT


def position_of(seat: int, seats: int) -> Position:
    """Blinds, then the remaining seats in thirds; the seats next to and on the button are the rear.

    Seats are numbered in the order of action after the flop: seat 0 and 1 are the blinds, the last has the button.
    """
    if seat < 2:
        return Position.BLIND
    others, order = seats - 2, seat - 2
    from_button = others - 1 - order
    rear = max(1, round(others / 3))
    if from_button < rear:
        return Position.REAR
    return Position.FRONT if order < (others - rear + 1) // 2 else Position.MIDDLE


@dataclass(frozen=True, slots=True)
class StreetLine:
    """What had been done on a street before an action, as the player who acts sees it."""

    raises: int = 0
    checked: bool = False
    """He had checked."""
    called: int = -1
    """The most raises that he had called on the street: 0 is a limp, -1 no call."""
    raised: float = 0.0
    """His largest raise by the pot; 0 is none."""
    faced: float = 0.0
    """The largest raise of another, in the same way."""


@dataclass(frozen=True, slots=True)
class Line:
    """How the hand had gone before an action."""

    streets: tuple[StreetLine, ...]
    """Those until now, the one of the action last."""
    opened: bool
    """He made the last raise before the flop."""
    at_flop: int
    """Players who saw the flop; before it those who have not folded."""
    raiser: Position | None = None
    """Where the last raise of the street came from."""
    size: float = 0.0
    """That raise by the pot."""
    is_all_in: bool = False
    """It was for all the raiser's chips."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An action of a player and what he faced when he made it. Amounts are in chips."""

    seat: int
    street: int
    act: Act
    amount: Chips
    """Put into the pot by this action."""
    share: float
    """A raise's size by the pot it was made into, the call included; 0 for other actions."""
    is_all_in: bool
    pot: Chips
    """Before the action, with all bets of the street."""
    to_call: Chips
    stack: Chips
    """The player's chips behind, before the action."""
    big_blind: Chips
    raises: int
    """Raises on this street before the action; blinds do not count."""
    live: int
    """Players who had not folded, the actor included."""
    behind: int
    """Players who act after this one on the street if he ends the betting where it stands: 0 is last."""
    callers: int
    """Players who called the current bet of this street before."""
    position: Position
    seats: int
    is_aggressor: bool
    """He made the last raise of the hand so far."""
    was_aggressor: bool
    """He made the last raise of the previous street that had one; before the flop never."""
    line: Line | None = None
    """How the hand had gone before; None where an action is only imagined."""


@dataclass(frozen=True, slots=True)
class StreetAction:
    """What a player did on a street: the most aggressive of his actions."""

    seat: int
    street: int
    act: Act
    raises: int
    """Raises on the street before it, and the player's own if it is one: 1 open, 2 a 3-bet, 3 a 4-bet."""


@dataclass(frozen=True, slots=True)
class Chipstand:
    """Where the chips of a native table are, by table seat: the table's own count, under whatever rules it plays."""

    stacks: Sequence[int]
    bets: Sequence[int]
    pot: int
    bet: int
    live: Sequence[int]

    @classmethod
    def of(cls, table: native.Table) -> "Chipstand":
        return cls(table.stacks, table.bets, table.pot, table.current_bet, table.live_seats)


class Replay:
    """Describes each action of a hand as it comes.

    What an action means (raises, callers, who was the aggressor) is counted here. The chips come from the native table
    where there is one (`take`); of recorded hands, which may have posts that no table knows, they are followed here.
    """

    def __init__(self, stacks: Sequence[Chips], posts: Sequence[Chips], antes: Sequence[Chips]) -> None:
        self.seats = len(stacks)
        self.stacks = [stack - ante - post for stack, ante, post in zip(stacks, antes, posts, strict=True)]
        for seat, left in enumerate(self.stacks):
            if left < 0:
                self.stacks[seat] = 0
        self.bets: list[Chips] = [min(post, stack) for post, stack in zip(posts, stacks, strict=True)]
        self.pot: Chips = sum(before - now for before, now in zip(stacks, self.stacks, strict=True))
        self.big_blind = max(posts)
        self.folded = [False] * self.seats
        self.street = 0
        self.raises = 0
        self.callers = 0
        self.bet = self.big_blind
        self.aggressor: int | None = None
        self.street_aggressor: int | None = None
        self.previous_aggressor: int | None = None
        self._lines = [[StreetLine()] for _ in range(self.seats)]
        self._last_raise: Seen | None = None
        self._opener: int | None = None
        self._at_flop = self.seats

    def start_street(self, street: int) -> None:
        """The betting of the next street begins."""
        self.previous_aggressor = self.aggressor
        if street == 1:
            self._opener, self._at_flop = self.aggressor, self.seats - sum(self.folded)
        self.street = street
        for lines in self._lines:
            lines.append(StreetLine())
        self._last_raise = None
        self.bets = [0] * self.seats
        self.bet = 0
        self.raises = self.callers = 0
        self.street_aggressor = None

    def take(self, stand: Chipstand, order: Sequence[int]) -> None:
        """Take the chips of a native table, for the seats in order of action."""
        self.stacks = [stand.stacks[seat] for seat in order]
        self.bets = [stand.bets[seat] for seat in order]
        self.pot, self.bet = stand.pot, stand.bet
        self.folded = [seat not in stand.live for seat in order]

    def behind(self, seat: int) -> int:
        """Players with chips who act after `seat` on this street."""
        order = self._order(seat)
        able = (other for other in range(self.seats) if not self.folded[other] and self.stacks[other] > 0)
        return sum(self._order(other) > order for other in able)

    def _order(self, seat: int) -> int:
        # Before the flop the blinds act last; heads-up the last seat is the small blind and acts first.
        if self.street > 0:
            return seat
        first = 2 if self.seats > 2 else 1
        return (seat - first) % self.seats

    def see(self, action: Action) -> Seen:
        """Describe an action and make it."""
        while self.street < action.street:
            self.start_street(self.street + 1)
        seat = action.seat
        owed = max(0, self.bet - self.bets[seat])
        call = min(owed, self.stacks[seat])
        amount: Chips = 0
        share = 0.0
        if action.kind == "fold":
            act = Act.FOLD
        elif action.kind == "call":
            amount, act = call, Act.CALL if call > 0 else Act.CHECK
        else:
            amount = min(action.to - self.bets[seat], self.stacks[seat])
            share = float((amount - owed) / max(self.pot + owed, 1e-9))
            act = act_of_share(share)
        seen = Seen(
            seat=seat, street=self.street, act=act, amount=amount, share=share,
            is_all_in=amount > 0 and amount >= self.stacks[seat], pot=self.pot, to_call=call, stack=self.stacks[seat],
            big_blind=self.big_blind, raises=self.raises, live=self.seats - sum(self.folded), behind=self.behind(seat),
            callers=self.callers, position=position_of(seat, self.seats), seats=self.seats,
            is_aggressor=self.aggressor == seat, was_aggressor=self.street > 0 and self.previous_aggressor == seat,
            line=self._line(seat),
        )  # fmt: skip
        self._remember(seen)
        self._make(seat, act, amount)
        return seen

    def _line(self, seat: int) -> Line:
        at_flop = self._at_flop if self.street else self.seats - sum(self.folded)
        opener = self._opener if self.street else self.aggressor
        last = self._last_raise
        raised = (last.position, last.share, last.is_all_in) if last else ()
        return Line(tuple(self._lines[seat]), opener == seat, at_flop, *raised)

    def _remember(self, seen: Seen) -> None:
        """Add an action to the lines of all seats."""
        own = self._lines[seen.seat]
        if seen.act is Act.CHECK:
            own[-1] = replace(own[-1], checked=True)
        elif seen.act is Act.CALL:
            own[-1] = replace(own[-1], called=max(own[-1].called, seen.raises))
        elif seen.act.is_raise:
            self._last_raise = seen
            size = max(seen.share, LEAST_SHARE)
            for seat, lines in enumerate(self._lines):
                mine, theirs = (size, 0.0) if seat == seen.seat else (0.0, size)
                before = lines[-1]
                lines[-1] = replace(before, raises=before.raises + 1, raised=max(before.raised, mine),
                                    faced=max(before.faced, theirs))  # fmt: skip

    def _make(self, seat: int, act: Act, amount: Chips) -> None:
        if act is Act.FOLD:
            self.folded[seat] = True
            return
        self.stacks[seat] -= amount
        self.bets[seat] += amount
        self.pot += amount
        if act.is_raise:
            self.bet = max(self.bet, self.bets[seat])
            self.raises += 1
            self.callers = 0
            self.aggressor = self.street_aggressor = seat
        elif act is Act.CALL:
            self.callers += 1


def understand(hand: HandHistory) -> list[Seen]:
    """Every action of a recorded hand in its context."""
    replay = Replay(hand.stacks, hand.posts, hand.antes)
    return [replay.see(action) for action in hand.actions]


def street_actions(seen: Iterable[Seen]) -> dict[tuple[int, int], StreetAction]:
    """(seat, street) -> the most aggressive action of the street, as the paper reads a hand."""
    most: dict[tuple[int, int], StreetAction] = {}
    for item in seen:
        key = (item.seat, item.street)
        raises = item.raises + item.act.is_raise
        if key not in most or (item.act, raises) > (most[key].act, most[key].raises):
            most[key] = StreetAction(item.seat, item.street, item.act, raises)
    return most


@dataclass(frozen=True)
class Spot:
    """A table in progress as a reader of hands sees it: seats in order of action, actions in their context."""

    order: tuple[int, ...]
    """Table seats dealt in, in the order of action after the flop: the button is last. `Seen.seat` is an index here."""
    seen: tuple[Seen, ...]
    replay: Replay
    """The betting as it stands."""
    board: tuple[int, ...]
    button: int

    def index(self, seat: int) -> int:
        """Where a table seat stands in the order."""
        return self.order.index(seat)


_KINDS: dict[object, ActionKind] = {
    native.ActionKind.FOLD: "fold", native.ActionKind.CHECK: "call", native.ActionKind.CALL: "call",
    native.ActionKind.RAISE: "raise",
}  # fmt: skip


def spot_of(table: native.Table) -> Spot:
    """Understand a native table: everything public, nothing else. Amounts are in its units."""
    button, seats = table.button, table.seats
    order = tuple(sorted(table.dealt_seats, key=lambda seat: (seat - button - 1) % seats))
    place = {seat: number for number, seat in enumerate(order)}
    replay = Replay([0] * len(order), [0] * len(order), [0] * len(order))
    replay.big_blind = max(table.big_blind, 1)
    seen = []
    moves = zip(table.actions, table.action_streets, _course(table), strict=True)
    for (seat, kind, to), street, before in moves:
        while replay.street < street:
            replay.start_street(replay.street + 1)
        replay.take(before, order)
        seen.append(replay.see(Action(street, place[seat], _KINDS[kind], to)))
    board = table.board
    while replay.street < (0, 0, 0, 1, 2, 3)[len(board)]:
        replay.start_street(replay.street + 1)
    if not table.is_over:
        replay.take(Chipstand.of(table), order)
    return Spot(order, tuple(seen), replay, tuple(board), button)


def _course(table: native.Table) -> list[Chipstand]:
    """The chips before each action, as the table itself had them."""
    walk, stands = native.Table(table), []
    for _ in table.actions:
        walk.undo()
        stands.append(Chipstand.of(walk))
    return stands[::-1]
