"""What one seat of a round of Guandan may know, and the JSON position of the line protocol."""

from collections.abc import Mapping, Sequence
from typing import Any

from mingpai._native import guandan as native
from mingpai.core.decision import Belief
from mingpai.core.errors import Ambiguous, BadlyWritten, IllegalHere
from mingpai.core.event import Event, require
from mingpai.core.game import Legality, Seat, State, View
from mingpai.core.random import Rng
from mingpai.core.reasons import Reason
from mingpai.games.guandan import notation
from mingpai.games.guandan.moves import PASS, Cards, Play, Type
from mingpai.games.guandan.rules import HAND_CARDS, SEATS, rules_of
from mingpai.games.guandan.state import GuandanState, Position, read_setup, setup_of, table_events, verify

MAX_SEED = 2**63


class GuandanView(Position, Legality, View):
    """One seat's own cards, and everything that lies open."""

    def __init__(self, blinded: native.Round, seat: Seat) -> None:
        self.native = blinded
        """A native round in which the cards hidden from this seat come from a fixed seed: they say nothing."""
        self._seat = seat

    @property
    def seat(self) -> Seat:
        return self._seat

    @property
    def hand(self) -> Cards:
        """The seat's own cards now."""
        return self.native.hand(self._seat)

    @property
    def counts(self) -> tuple[int, ...]:
        """Cards left at each seat."""
        return tuple(len(self.native.hand(seat)) for seat in range(SEATS))

    @property
    def knowledge(self) -> native.Knowledge:
        """Unseen cards, and what the exchange tells of the other hands."""
        return native.Knowledge(self.native, self._seat)

    def legal_moves(self) -> Sequence[Play]:
        return self.native.legal_plays() if self.to_move == self._seat else []

    def verify(self, move: Any) -> None:
        """Raise IllegalHere unless the move is legal here. Moves of other seats: as far as this seat can tell."""
        if self.to_move is not None and self.to_move != self._seat:
            raise IllegalHere(move, Reason("not_your_turn", {"turn": self.to_move, "seat": self._seat}))
        verify(move, self.native)

    def events(self) -> Sequence[Event]:
        dealt = Event("deal", self._seat, notation.cards_text(self.native.dealt()[self._seat]), True)
        return [dealt, *table_events(self.native)]

    def sample_worlds(self, rng: Rng, count: int, belief: Belief | None = None) -> Sequence[State]:
        """Full states that agree with this view. Uniform: every way to deal the unseen cards that agrees with the plays
        and the exchange is equally likely."""
        if belief is not None:
            return belief.sample(rng, count)
        return [GuandanState(world) for world in self.native.worlds(self._seat, int(rng.integers(MAX_SEED)), count)]

    def world(self, hands: Sequence[Cards]) -> GuandanState:
        """The state with these hands at the seats now; sizes must be those of the view."""
        return GuandanState(self.native.world(list(hands)))

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"rules": self.rules, "seat": self._seat, **setup_of(self.native)}
        if self.native.previous is not None:
            data["resisted"] = self.native.resisted
        data["hand"] = notation.cards_text(self.hand)
        data["history"] = [[seat, str(play)] for seat, play in self.native.steps]
        if any(len(hand) != HAND_CARDS for hand in self.native.dealt()):
            data |= {"deck": notation.cards_text(self.native.deck), "counts": list(self.counts)}
        return data

    @property
    def unseen(self) -> Cards:
        """The cards in the other hands."""
        hands = [self.native.hand(seat) for seat in range(SEATS) if seat != self._seat]
        return hands[0] + hands[1] + hands[2]

    def key(self) -> str:
        setup = notation.setup_text(setup_of(self.native)) + (",resisted" if self.native.resisted else "")
        moves = ",".join(f"{seat}{play}" for seat, play in self.native.steps)
        counts = ",".join(map(str, self.counts))
        hands = (notation.cards_text(self.hand), notation.cards_text(self.unseen))
        return ";".join((self.rules, setup, str(self._seat), counts, *hands, moves))


def view_from_json(data: Mapping[str, Any]) -> GuandanView:
    """The view of a position object. Raises BadlyWritten or IllegalHere."""
    if not isinstance(data, Mapping):
        raise BadlyWritten(data, "a JSON object")
    rules = rules_of(str(data.get("rules", "")))
    seat = require(data, "seat", int, "a seat 0 to 3")
    if seat not in range(SEATS):
        raise BadlyWritten({"seat": seat}, "a seat 0 to 3")
    assert isinstance(seat, int)
    setup = {key: data[key] for key in ("level", "leader", "previous") if data.get(key) is not None}
    level, leader, previous = read_setup(setup)
    resisted = data.get("resisted", False) is True
    hand = notation.parse_cards(str(require(data, "hand", str, "the cards held now")))
    exchanged = 0 if previous is None or resisted else 2 * (1 + (previous[1] == (previous[0] + 2) % SEATS))
    steps = _read_history(data.get("history", []), level, exchanged)
    deck, sizes = _read_deck(data)
    try:
        built = native.rebuild(rules.name, level, leader, previous, resisted, seat, hand, steps, deck, sizes)
    except ValueError as error:
        raise BadlyWritten(dict(data), f"a position that the rules allow ({error})") from None
    return GuandanView(built.blinded(seat), seat)


def _read_deck(data: Mapping[str, Any]) -> tuple[Cards | None, list[int] | None]:
    """All cards of an endgame and the cards left at each seat; nothing for a deal of two decks."""
    if "deck" not in data:
        return None, None
    counts = data.get("counts")
    if not isinstance(counts, list) or len(counts) != SEATS or not all(isinstance(n, int) for n in counts):
        raise BadlyWritten({"counts": counts}, "counts: the cards left at each seat, beside deck")
    return notation.parse_cards(str(data["deck"])), counts


def _read_history(items: object, level: int, exchanged: int) -> list[tuple[Seat, Play]]:
    """Plays in the order made; the first `exchanged` are tributes, then cards given back."""
    if not isinstance(items, list):
        raise BadlyWritten({"history": items}, 'history: a list of [seat, "cards"]')
    out: list[tuple[Seat, Play]] = []
    for number, item in enumerate(items):
        match item:
            case [int(seat), str(text)] if seat in range(SEATS):
                if number < exchanged:
                    kind = Type.TRIBUTE if number < exchanged // 2 else Type.RETURN
                    out.append((seat, notation.exchange_play(kind, text, level)))
                else:
                    out.append((seat, _read_play(text, level)))
            case _:
                raise BadlyWritten(item, 'a move [seat, "cards"]')
    return out


def _read_play(text: str, level: int) -> Play:
    if text.strip().lower() in notation.PASSES:
        return PASS
    plays = notation.readings(text, level)
    if len(plays) > 1:
        raise Ambiguous(text, [str(play) for play in plays])
    if not plays:
        raise IllegalHere(text, Reason("guandan.no_combination", {"cards": text}))
    return plays[0]
