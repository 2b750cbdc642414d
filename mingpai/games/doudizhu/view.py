"""What one seat of a deal of Dou Dizhu may know, and the JSON position of the line protocol."""

from collections.abc import Mapping, Sequence
from typing import Any

from mingpai._native import doudizhu as native
from mingpai._native.doudizhu import Bidding, Phase
from mingpai.core.decision import Belief
from mingpai.core.errors import BadlyWritten
from mingpai.core.event import Event, require
from mingpai.core.game import Legality, Seat, Setup, State, View
from mingpai.core.random import Rng
from mingpai.games.doudizhu import notation
from mingpai.games.doudizhu.moves import Action, Bid, Move
from mingpai.games.doudizhu.rules import Rules, rules_of
from mingpai.games.doudizhu.state import (
    DEALT_CARDS,
    SEATS,
    DoudizhuState,
    Position,
    Step,
    deal,
    start,
    table_events,
    verify,
)

MAX_SEED = 2**63


class DoudizhuView(Position[native.View], Legality, View):
    """One seat's own cards, and everything that lies open."""

    def __init__(self, view: native.View, rules: Rules, setup: Setup, steps: tuple[Step, ...], deck: int) -> None:
        self.native = view
        self.rule_set = rules
        self.setup = setup
        """What the deal started from."""
        self.steps = steps
        """Everything bid and played so far."""
        self.deck = deck
        """All cards of the deal, known to everybody: the whole deck, but in endgames."""

    @property
    def seat(self) -> Seat:
        return self.native.seat

    @property
    def to_move(self) -> Seat | None:
        return None if self.phase == Phase.OVER else self.native.status.turn

    @property
    def hand(self) -> int:
        """The seat's own cards now."""
        return self.native.hand

    @property
    def role(self) -> int | None:
        """0 landlord, 1 down, 2 up; None before there is a landlord."""
        return None if self.landlord is None else (self.seat - self.landlord) % SEATS

    @property
    def last(self) -> Move:
        """The move to beat; a pass when the seat to move leads."""
        return self.native.status.last

    @property
    def counts(self) -> Sequence[int]:
        """Cards that each seat holds."""
        return self.native.counts

    @property
    def may_double(self) -> bool:
        """Whether the stake may still double, as far as this seat can tell: until then points are more than wins."""
        return self.native.may_double(self.deck)

    def legal_moves(self) -> Sequence[Action]:
        if self.to_move != self.seat:
            return []
        if self.phase == Phase.BID:
            return [Bid(value) for value in self._legal_bids()]
        return self.native_moves().to_list()

    def native_moves(self) -> native.Moves:
        """The legal moves of the play as one native list."""
        rules = self.rule_set.native
        if self.last.is_pass:
            return native.lead_moves(self.hand, rules)
        return native.follow_moves(self.hand, self.last, rules)

    def _legal_bids(self) -> list[int]:
        if self.rule_set.bidding == Bidding.CALL_ROB:
            return [0, 1]
        return [0, *range(self.native.status.bid + 1, 4)]

    def verify(self, move: Any) -> None:
        """Raise IllegalHere unless the move is legal for the seat to move, as far as this seat can tell."""
        hand = self._own_hand if self.to_move == self.seat else self._could_hold
        verify(move, self.native.status, self._legal_bids, self.rule_set, hand)

    def _own_hand(self) -> int:
        return self.hand

    def _could_hold(self) -> int:
        known = self.native.known_of_landlord() if self.to_move == self.landlord else 0
        return self.native.unseen(self.deck) + known

    def events(self) -> Sequence[Event]:
        mine = self.hand + self.native.played[self.seat]
        if self.landlord == self.seat:
            mine -= self.native.bottom
        dealt = Event("deal", self.seat, notation.cards_text(mine), True)
        return [dealt, *table_events(self.steps, self.landlord, self.native.bottom)]

    def moves(self) -> Sequence[tuple[Seat, Action]]:
        """The bids and moves made, in order, with their seats."""
        return [(step.seat, step.action) for step in self.steps]

    def sample_worlds(self, rng: Rng, count: int, belief: Belief | None = None) -> Sequence[State]:
        """Full states that agree with this view. Uniform means that each way to place the unseen cards is equally
        likely; bottom cards that the landlord has not played are his."""
        if belief is not None:
            return belief.sample(rng, count)
        worlds = self.native.sample(int(rng.integers(MAX_SEED)), count, self.deck)
        return [DoudizhuState(world, self.rule_set, self.setup, self.steps) for world in worlds]

    def world(self, hands: Sequence[int], bottom: int | None = None) -> DoudizhuState:
        """The state with these hands at the seats. Raises ValueError unless it agrees with the view."""
        cards = self.native.bottom if bottom is None else bottom
        state = self.native.with_hands((hands[0], hands[1], hands[2]), cards, self.deck)
        return DoudizhuState(state, self.rule_set, self.setup, self.steps)

    def to_json(self) -> dict[str, Any]:
        bids = [[step.seat, step.text] for step in self.steps if isinstance(step.action, Bid)]
        rules = {"rules": self.rule_set.name}
        hand = notation.cards_text(self.hand)
        if self.landlord is None:
            first = self.native.status.first
            return {"phase": "bid", "seat": self.seat, "first": first, "hand": hand, "bids": bids, **rules}
        data: dict[str, Any] = {
            "seat": notation.ROLES[(self.seat - self.landlord) % SEATS],
            "hand": hand,
            "bottom": notation.cards_text(self.native.bottom),
            "history": [[notation.ROLES[(step.seat - self.landlord) % SEATS], step.text]
                        for step in self.steps if isinstance(step.action, Move)],
            **rules,
        }  # fmt: skip
        if bids:
            data |= {"first": self.native.status.first, "bids": bids}
        else:
            data |= {"landlord": self.landlord, "bid": self.native.status.bid}
        if self.deck != native.FULL_DECK:
            data |= {"deck": notation.cards_text(self.deck), "counts": list(self.counts)}
        return data

    def key(self) -> str:
        setup = ",".join(f"{key}={value}" for key, value in self.setup.items())
        moves = ",".join(step.text for step in self.steps)
        parts = [self.rule_set.name, setup, str(self.seat), notation.cards_text(self.hand),
                 notation.cards_text(self.native.bottom), moves]  # fmt: skip
        if self.deck != native.FULL_DECK:
            parts += [notation.cards_text(self.deck), ",".join(map(str, self.counts))]
        return ";".join(parts)


def view_from_json(data: Mapping[str, Any]) -> DoudizhuView:
    """The view of a position object. Raises BadlyWritten or IllegalHere."""
    if not isinstance(data, Mapping):
        raise BadlyWritten(data, "a JSON object")
    rules = rules_of(str(data.get("rules", "")))
    hand = notation.parse_cards(str(require(data, "hand", str, "the cards held now")))
    if data.get("phase", "play") == "bid":
        return _bid_view(data, rules, hand)
    if data.get("phase", "play") != "play":
        raise BadlyWritten(data["phase"], 'phase: "bid" or "play"')
    return _PlayReader(data, rules, hand).view()


def _seat(data: Mapping[str, Any], field: str, default: int | None = None) -> int:
    if field not in data and default is not None:
        return default
    seat = require(data, field, int, "seat 0, 1 or 2")
    if seat not in range(SEATS):
        raise BadlyWritten({field: seat}, "seat 0, 1 or 2")
    assert isinstance(seat, int)
    return seat


def _pairs(data: Mapping[str, Any], field: str, expected: str) -> list[tuple[Any, str]]:
    out = []
    for item in data.get(field, []) if isinstance(data.get(field, []), list) else [None]:
        match item:
            case [int() | str() as who, str() as what]:
                out.append((who, what))
            case _:
                raise BadlyWritten({field: data[field]}, expected)
    return out


def _play_bids(state: DoudizhuState, bids: list[tuple[Any, str]]) -> None:
    for seat, text in bids:
        if seat != state.to_move or state.phase != Phase.BID:
            raise BadlyWritten([seat, text], "a bid of the seat to bid" if state.phase == Phase.BID else "no more bids")
        state.play(notation.parse_move(text, state))


BIDS_EXPECTED = 'bids: a list of [seat, "bid"]'


def _bid_view(data: Mapping[str, Any], rules: Rules, hand: int) -> DoudizhuView:
    if rules.bidding == Bidding.NONE:
        raise BadlyWritten(dict(data), f"no bidding: rules {rules.name} have none")
    if native.card_count(hand) != DEALT_CARDS:
        raise BadlyWritten(data["hand"], f"{DEALT_CARDS} cards, found {native.card_count(hand)}")
    seat = _seat(data, "seat")
    needs = [hand if s == seat else 0 for s in range(SEATS)]
    hands, bottom = _fill(data, needs, [DEALT_CARDS] * SEATS, native.FULL_DECK)
    deck = notation.deck_text(native.Deal((hands[0], hands[1], hands[2]), bottom))
    state = start(deck, rules.name, {"first": _seat(data, "first", 0)})
    _play_bids(state, _pairs(data, "bids", BIDS_EXPECTED))
    if state.landlord is not None:
        raise BadlyWritten(data["bids"], "bids after which the bidding goes on")
    return state.view(seat)


def _fill(data: object, needs: list[int], sizes: list[int], deck: int) -> tuple[list[int], int]:
    """Hands of the given sizes that hold what each must hold, and the cards left over."""
    pool = deck
    for need in needs:
        if not native.holds(pool, need):
            raise BadlyWritten(data, "no more cards of a rank than the deck has")
        pool -= need
    hands = []
    for need, size in zip(needs, sizes, strict=True):
        missing = size - native.card_count(need)
        taken = _lowest(pool, missing)
        if native.card_count(taken) != missing:
            raise BadlyWritten(data, f"{size} cards held and played by each seat, as dealt")
        pool -= taken
        hands.append(need + taken)
    return hands, pool


def _lowest(cards: int, count: int) -> int:
    out = 0
    for rank in range(len(notation.RANKS)):
        take = min(cards >> (4 * rank) & 15, count)
        out += take << (4 * rank)
        count -= take
    return out


class _PlayReader:
    """Builds some world that agrees with a position of the play, replays the history in it, and looks at it."""

    def __init__(self, data: Mapping[str, Any], rules: Rules, hand: int) -> None:
        self.data = data
        self.rules = rules
        self.hand = hand
        self.bids = _pairs(data, "bids", BIDS_EXPECTED)
        self.landlord = self._find_landlord()
        seat = require(data, "seat", str, "landlord, down or up")
        self.seat = self._seat_of(seat)
        self.bottom = notation.parse_cards(str(require(data, "bottom", str, "the three bottom cards")))
        self.history = [(self._seat_of(role), text) for role, text in
                        _pairs(data, "history", 'history: a list of [role, "cards"]')]  # fmt: skip
        self.deck = native.FULL_DECK
        if "deck" in data:
            self.deck = notation.parse_cards(str(data["deck"]))

    def _seat_of(self, role: object) -> int:
        if not isinstance(role, str):
            raise BadlyWritten(role, "landlord, down or up")
        return (self.landlord + notation.parse_role(role)) % SEATS

    def _find_landlord(self) -> int:
        if not self.bids:
            return _seat(self.data, "landlord", 0)
        table = deal(0, self.rules.name, {"first": _seat(self.data, "first", 0)})
        _play_bids(table, self.bids)
        if table.landlord is None:
            raise BadlyWritten(self.data["bids"], "bids that find a landlord")
        if _seat(self.data, "landlord", table.landlord) != table.landlord:
            raise BadlyWritten(self.data["landlord"], f"the landlord of these bids: {table.landlord}")
        return table.landlord

    def view(self) -> DoudizhuView:
        full = self._full_hands()
        full[self.landlord] -= self.bottom
        deck = notation.deck_text(native.Deal((full[0], full[1], full[2]), self.bottom))
        if self.bids:
            state = start(deck, self.rules.name, {"first": _seat(self.data, "first", 0)})
            _play_bids(state, self.bids)
        else:
            state = start(deck, self.rules.name, {"landlord": self.landlord, "bid": self.data.get("bid", 1)})
        for seat, text in self.history:
            if state.to_move is None or seat != state.to_move:
                raise BadlyWritten([state.seat_name(seat), text], f"a move of {self._name_to_move(state)}")
            state.play(notation.parse_move(text, state))
        return state.view(self.seat)

    def _name_to_move(self, state: DoudizhuState) -> str:
        return "nobody: the deal is over" if state.to_move is None else state.seat_name(state.to_move)

    def _full_hands(self) -> list[int]:
        """What each seat held with the bottom cards and before its first move, unknown cards filled in."""
        needs = self._played()
        needs[self.seat] += self.hand
        sizes = self._sizes()
        if native.card_count(needs[self.seat]) != sizes[self.seat]:
            held = native.card_count(self.hand)
            expected = sizes[self.seat] - native.card_count(needs[self.seat]) + held
            raise BadlyWritten(self.data["hand"], f"{expected} cards after this history, found {held}")
        if self.seat == self.landlord:
            if not native.holds(needs[self.seat], self.bottom):
                raise BadlyWritten(self.data["bottom"], "bottom cards among those the landlord holds or has played")
        else:
            needs[self.landlord] = _union(needs[self.landlord], self.bottom)
        hands, left = _fill(dict(self.data), needs, sizes, self.deck)
        if left:
            raise BadlyWritten(dict(self.data), "every card of the deck at some seat")
        return hands

    def _played(self) -> list[int]:
        played = [0] * SEATS
        for seat, text in self.history:
            cards = text.partition("@")[0]
            if cards.strip().lower() not in notation.PASSES:
                played[seat] += notation.parse_cards(cards)
            if not native.is_hand(played[seat]):
                raise BadlyWritten(self.data["history"], "no more cards of a rank than the deck has")
        return played

    def _sizes(self) -> list[int]:
        if "deck" not in self.data:
            if native.card_count(self.bottom) != native.MAX_HAND_CARDS - DEALT_CARDS:
                raise BadlyWritten(self.data["bottom"], "three bottom cards")
            return [native.MAX_HAND_CARDS if seat == self.landlord else DEALT_CARDS for seat in range(SEATS)]
        counts = self.data.get("counts")
        if not isinstance(counts, list) or len(counts) != SEATS or not all(isinstance(n, int) for n in counts):
            raise BadlyWritten(counts, "counts: the cards each seat holds, beside deck")
        played = self._played()
        return [count + native.card_count(cards) for count, cards in zip(counts, played, strict=True)]


def _union(a: int, b: int) -> int:
    """For each rank the larger count."""
    out = 0
    for rank in range(len(notation.RANKS)):
        out += max(a >> (4 * rank) & 15, b >> (4 * rank) & 15) << (4 * rank)
    return out
