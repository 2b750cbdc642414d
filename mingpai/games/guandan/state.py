"""A round of Guandan in progress, by RULES.md. The native core holds the cards and the rules."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from mingpai._native import core
from mingpai._native import guandan as native
from mingpai.core.errors import BadlyWritten, BadSetting, IllegalHere
from mingpai.core.event import Event
from mingpai.core.game import Seat, Setup, State
from mingpai.core.random import seed_of
from mingpai.core.reasons import Reason
from mingpai.games.guandan import notation
from mingpai.games.guandan.moves import Cards, Play, Type
from mingpai.games.guandan.rules import HAND_CARDS, SEATS, rules_of

if TYPE_CHECKING:
    from mingpai.core.game import Game
    from mingpai.games.guandan.view import GuandanView

_EVENTS = {Type.TRIBUTE: "tribute", Type.RETURN: "return"}


class Position:
    """What a state and the view of a seat tell alike."""

    native: native.Round
    """The native round: hands, table, exchanges, and the fast calls."""

    @property
    def game(self) -> "Game":
        from mingpai.games.guandan import GAME

        return GAME

    @property
    def rules(self) -> str:
        return self.native.profile

    @property
    def level(self) -> int:
        """Rank of the level of the round."""
        return self.native.level

    @property
    def phase(self) -> int:
        """One of `notation.Phase`."""
        return self.native.phase

    @property
    def to_move(self) -> Seat | None:
        return None if self.native.is_over else self.native.turn

    def moves(self) -> Sequence[tuple[Seat, Play]]:
        """The moves made, in order, with their seats."""
        return self.native.steps


class GuandanState(Position, State):
    """All hands, and everything done so far."""

    def __init__(self, native_round: native.Round) -> None:
        self.native = native_round

    @property
    def seats(self) -> int:
        return SEATS

    def hand(self, seat: Seat) -> Cards:
        """What the seat holds now."""
        return self.native.hand(seat)

    def legal_moves(self) -> Sequence[Play]:
        return self.native.legal_plays()

    def verify(self, move: Any) -> None:
        verify(move, self.native)

    def play(self, move: Any) -> None:
        self.verify(move)
        self.native.apply(move)

    def undo(self) -> Play:
        steps = self.native.steps
        if not steps:
            raise IndexError("nothing to take back")
        self.native.undo()
        return steps[-1][1]

    def copy(self) -> Self:
        return type(self)(self.native.copy())

    def view(self, seat: Seat) -> "GuandanView":
        from mingpai.games.guandan.view import GuandanView

        return GuandanView(self.native.blinded(seat), seat)

    def events(self) -> Sequence[Event]:
        dealt = [Event("deal", seat, notation.cards_text(hand), True) for seat, hand in enumerate(self.native.dealt())]
        return dealt + table_events(self.native)

    def points(self) -> Sequence[float]:
        self._need_end("points")
        return [float(self.native.score(seat)) for seat in range(SEATS)]

    def winners(self) -> Sequence[Seat]:
        """Both seats of the team of the first."""
        self._need_end("winners")
        return tuple(seat for seat in range(SEATS) if self.native.score(seat) > 0)

    def _need_end(self, what: str) -> None:
        if not self.is_over:
            raise IllegalHere(what, Reason("guandan.not_over"))

    def deck(self) -> str:
        return notation.deck_text(self.native.dealt())

    def setup(self) -> Setup:
        return setup_of(self.native)


def setup_of(round_: native.Round) -> dict[str, Any]:
    """Level, and who leads or how the round before ended."""
    level = {"level": notation.RANKS[round_.level]}
    previous = round_.previous
    return level | ({"leader": round_.first_leader} if previous is None else {"previous": list(previous)})


def verify(move: Any, round_: native.Round) -> None:
    """Raise IllegalHere, with the rule that forbids it, unless the move is legal for the seat to move."""
    if not isinstance(move, Play):
        raise IllegalHere(move, Reason("guandan.no_combination", {"cards": str(move)}))
    why = round_.why_illegal(move)
    if why is None:
        return
    if why == "finished":
        raise IllegalHere(move, Reason(why))
    args = {
        "not_held": {"cards": str(move)},
        "no_combination": {"cards": str(move)},
        "does_not_beat": {"last": str(round_.best)},
    }
    raise IllegalHere(move, Reason(f"guandan.{why}", args.get(why, {})))


def table_events(round_: native.Round) -> list[Event]:
    """What all seats see: the exchange, the plays."""
    resisted = [Event("resist", None, "")] if round_.resisted else []
    return resisted + [Event(_EVENTS.get(Type(play.type), "play"), seat, str(play)) for seat, play in round_.steps]


def deal(seed: int, rules: str = "", setup: Setup | None = None) -> GuandanState:
    """A shuffled deal of 27 cards each. Without a setup: level 2, led by a drawn seat."""
    rng = core.Rng(seed_of(seed, "guandan", "deal"))
    hands = native.deal(rng)
    return _begin(
        hands, rules, {"leader": rng.below(SEATS), **(setup or {})} if "previous" not in (setup or {}) else setup
    )


def start(deck: str, rules: str = "", setup: Setup | None = None) -> GuandanState:
    """The deal of `HAND/HAND/HAND/HAND`. Without tribute the hands may have any size: an endgame."""
    hands = notation.parse_deck(deck)
    if not all(len(hand) for hand in hands):
        raise BadlyWritten(deck, "at least one card for each seat")
    if "previous" in (setup or {}) and any(len(hand) != HAND_CARDS for hand in hands):
        raise BadlyWritten(deck, f"{HAND_CARDS} cards for each seat, to exchange tribute")
    return _begin(hands, rules, setup)


def _begin(hands: Sequence[Cards], rules: str, setup: Setup | None) -> GuandanState:
    level, leader, previous = read_setup(setup)
    try:
        return GuandanState(native.Round(rules_of(rules).name, list(hands), level, leader, previous))
    except ValueError as error:
        raise BadlyWritten(notation.deck_text(list(hands)), f"cards of two decks: {error}") from None


def read_setup(setup: Setup | None) -> tuple[int, int, list[int] | None]:
    """Level (its rank), the leader, and the order of the round before, if there was one."""
    given = dict(setup or {})
    level = notation.parse_level(given.pop("level", "2"))
    previous = given.pop("previous", None)
    leader = given.pop("leader", 0)
    if given:
        raise BadSetting("setup", given, "of level, leader and previous only")
    if previous is not None:
        if not isinstance(previous, list | tuple) or sorted(map(str, previous)) != ["0", "1", "2", "3"]:
            raise BadSetting("setup previous", previous, "the four seats in the order they finished")
        return level, 0, [int(seat) for seat in previous]
    if not isinstance(leader, int) or isinstance(leader, bool) or leader not in range(SEATS):
        raise BadSetting("setup leader", leader, "a seat 0 to 3")
    return level, leader, None
