"""Games, deals, views and matches: the interface that agents, arena, records and windows are written against.

A Deal is one hand or round: chance is fixed by the deck order at its start, so a State is a deal in progress and holds
no randomness. A Match carries scores, levels, stacks, button and tribute from deal to deal.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol, Self

from mingpai.core.decision import Belief, ValueUnit
from mingpai.core.errors import BadlyWritten, IllegalHere, MingpaiError
from mingpai.core.event import Event, require
from mingpai.core.random import Rng
from mingpai.core.reading import read_list, read_mapping

Seat = int
"""0 .. seats - 1, fixed for the deal."""

Setup = Mapping[str, Any]
"""What a deal starts from apart from the cards: landlord, bidding, level, tribute, stacks, button. JSON-ready."""


class Move(Hashable, Protocol):
    """An immutable, hashable move; `str(move)` is its notation and parses back in the same position."""

    def __str__(self) -> str: ...


class Legality(ABC):
    """Legality has one source, `verify`, and a question that asks it."""

    @abstractmethod
    def verify(self, move: Any) -> None:
        """Raise IllegalHere, with the rule that forbids it, unless the move is legal."""

    def can_play(self, move: Any) -> bool:
        """Whether the move is legal here; of a view, as far as its seat can tell."""
        try:
            self.verify(move)
        except IllegalHere:
            return False
        return True


class View(ABC):
    """What one seat may know, and nothing else: equal for any permutation of the cards hidden from the seat."""

    @property
    @abstractmethod
    def game(self) -> "Game": ...

    @property
    @abstractmethod
    def seat(self) -> Seat:
        """Who is looking."""

    @property
    @abstractmethod
    def to_move(self) -> Seat | None:
        """Whose turn it is; None when the deal is over."""

    @abstractmethod
    def legal_moves(self) -> Sequence[Any]:
        """The moves of the seat to move if that is this view's seat, else none. Never empty on one's own turn."""

    @abstractmethod
    def events(self) -> Sequence[Event]:
        """Everything this seat has seen, in order."""

    @abstractmethod
    def sample_worlds(self, rng: Rng, count: int, belief: Belief | None = None) -> "Sequence[State]":
        """Full states that agree with this view: uniform over the hidden cards, or drawn from a belief."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The position object of the line protocol; `Game.view_from_json` reads it back."""

    @abstractmethod
    def key(self) -> str:
        """A text that is equal exactly when two views are."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.game.name == other.game.name and self.key() == other.key()

    def __hash__(self) -> int:
        return hash((self.game.name, self.key()))

    def __reduce__(self) -> tuple[Any, ...]:
        return self.game.view_from_json, (self.to_json(),)


MOST_MOVES = 10_000
"""Of one deal that is restored; no game has more."""


class State(Legality):
    """A deal in progress, all cards included."""

    @property
    @abstractmethod
    def game(self) -> "Game": ...

    @property
    @abstractmethod
    def rules(self) -> str:
        """Name of the rule profile."""

    @property
    @abstractmethod
    def seats(self) -> int: ...

    @property
    @abstractmethod
    def to_move(self) -> Seat | None:
        """None when the deal is over."""

    @property
    def is_over(self) -> bool:
        return self.to_move is None

    @abstractmethod
    def legal_moves(self) -> Sequence[Any]:
        """Legal moves of the seat to move, in a fixed order. A range of bet sizes is given by its representatives."""

    @abstractmethod
    def play(self, move: Any) -> None:
        """Verify and make the move."""

    @abstractmethod
    def undo(self) -> Any:
        """Take the last move back and return it."""

    @abstractmethod
    def copy(self) -> Self: ...

    @abstractmethod
    def view(self, seat: Seat) -> View: ...

    @abstractmethod
    def events(self) -> Sequence[Event]:
        """Everything that happened, private deals included."""

    @abstractmethod
    def moves(self) -> Sequence[tuple[Seat, Any]]:
        """The moves made, in order, with their seats."""

    @abstractmethod
    def points(self) -> Sequence[float]:
        """What each seat won, in the game's unit. Only when over."""

    @abstractmethod
    def winners(self) -> Sequence[Seat]:
        """The seats of the side that won. Only when over."""

    @abstractmethod
    def deck(self) -> str:
        """The deal as text: with rules and setup it restores the start (`Game.start`)."""

    @abstractmethod
    def setup(self) -> Setup: ...

    def seat_name(self, seat: Seat) -> str:
        """How people call the seat now."""
        return str(seat)

    def __reduce__(self) -> tuple[Any, ...]:
        return self.game.restore, (serialise(self),)


class Match(ABC):
    """A sequence of deals with what is carried between them."""

    @property
    @abstractmethod
    def is_over(self) -> bool: ...

    @abstractmethod
    def next_deal(self) -> State:
        """Deal the next hand or round. Its cards depend only on the match's seed and the number of the deal."""

    @abstractmethod
    def finish(self, state: State) -> None:
        """Score a finished deal."""

    @abstractmethod
    def scores(self) -> Sequence[float]:
        """Per seat: points, levels or chips."""

    @abstractmethod
    def standings(self) -> Sequence[int]:
        """Place of each seat, 1 is best; ties share the better place."""

    def facts(self) -> Mapping[str, Sequence[float]]:
        """What else the game tells of each seat, by name: hands lasted, volatility."""
        return {}

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Everything needed to go on: `Game.match_from_json` reads it back."""


class Game(ABC):
    """The rules of a game: makes deals and matches, reads positions and moves."""

    name: str
    """As written on the command line and in records."""
    unit: ValueUnit
    """Unit of `State.points`."""
    titles: Mapping[str, str]
    """Title by language."""
    play_only: Setup = {}
    """Setup of a deal that starts with the play itself, without bidding or the like; empty if the game has none."""

    @abstractmethod
    def profiles(self) -> Sequence[str]:
        """Names of the rule profiles, the default first."""

    @abstractmethod
    def profile_json(self, rules: str) -> dict[str, Any]:
        """The switches of a profile, as stored in records."""

    @abstractmethod
    def deal(self, seed: int, rules: str = "", setup: Setup | None = None) -> State:
        """A shuffled deal; an empty `rules` means the default profile."""

    @abstractmethod
    def start(self, deck: str, rules: str = "", setup: Setup | None = None) -> State:
        """The deal of a given deck text."""

    @abstractmethod
    def parse_move(self, text: str, position: State | View) -> Any:
        """The move written in `text` in this position. Raises BadlyWritten, IllegalHere or Ambiguous."""

    @abstractmethod
    def view_from_json(self, data: Mapping[str, Any]) -> View:
        """A position object of the line protocol. Raises BadlyWritten or IllegalHere."""

    @abstractmethod
    def match(self, seed: int, rules: str = "", settings: Setup | None = None) -> Match: ...

    @abstractmethod
    def match_from_json(self, data: Mapping[str, Any]) -> Match: ...

    @abstractmethod
    def seatings(self, sides: int) -> Sequence[Sequence[int]]:
        """How `sides` agents are seated on one deck so that each has had every part: for each replay of the deal, the
        index of the agent at each seat."""

    def restore(self, data: Mapping[str, Any]) -> State:
        """A state from `serialise`: the deal started again and its moves replayed."""
        deck, rules = (str(require(data, name, str, "a text")) for name in ("deck", "rules"))
        state = self.start(deck, rules, read_mapping(data.get("setup"), "setup"))
        for move in read_list(data.get("moves"), "moves", MOST_MOVES):
            match move:
                case [int(seat), str(text)]:
                    pass
                case _:
                    raise BadlyWritten(move, "a move as [seat, text]")
            if state.to_move != seat:
                raise MingpaiError(f"move {text!r} of seat {seat}: seat {state.to_move} is to move")
            state.play(self.parse_move(text, state))
        return state


def serialise(state: State) -> dict[str, Any]:
    """A JSON-ready form of a state; `Game.restore` reads it back."""
    return {
        "deck": state.deck(),
        "rules": state.rules,
        "setup": dict(state.setup()),
        "moves": [[seat, str(move)] for seat, move in state.moves()],
    }
