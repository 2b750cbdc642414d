# Written by tools/stubs.py from the build. Do not edit.
"""Rules, states and batched play of Dou Dizhu."""

from collections.abc import Iterator, Sequence
import enum
from typing import Annotated

import numpy
import numpy.typing
from numpy.typing import NDArray

import mingpai._native.core


class Type(enum.IntEnum):
    """The types of moves."""

    PASS = 0

    SINGLE = 1

    PAIR = 2

    TRIPLE = 3

    TRIPLE_SINGLE = 4

    TRIPLE_PAIR = 5

    STRAIGHT = 6

    PAIR_STRAIGHT = 7

    AIRPLANE = 8

    AIRPLANE_SINGLES = 9

    AIRPLANE_PAIRS = 10

    FOUR_SINGLES = 11

    FOUR_PAIRS = 12

    BOMB = 13

    ROCKET = 14

    FOUR_STRAIGHT = 15

    FOUR_STRAIGHT_SINGLES = 16

    FOUR_STRAIGHT_PAIRS = 17

class Move:
    """Cards and how they are read. Immutable."""

    def __init__(self, cards: int = 0, type: Type = Type.PASS, rank: int = 0, length: int = 0) -> None:
        """Without arguments the pass."""

    @property
    def cards(self) -> int:
        """15 counts of four bits."""

    @property
    def type(self) -> Type: ...

    @property
    def rank(self) -> int:
        """Lowest rank of the main part."""

    @property
    def length(self) -> int:
        """Ranks in the main part: 1 unless a chain; 0 for a pass."""

    @property
    def size(self) -> int:
        """Number of cards."""

    @property
    def is_pass(self) -> bool: ...

    @property
    def is_bomb(self) -> bool:
        """Bomb or rocket."""

    def beats(self, last: Move) -> bool: ...

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __copy__(self) -> Move: ...

    def __deepcopy__(self, memo: object) -> Move: ...

class Moves:
    """Legal moves in a fixed order."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> Move: ...

    def __iter__(self) -> Iterator[Move]: ...

    def index(self, move: Move) -> int: ...

    def to_list(self) -> list[Move]: ...

    @property
    def cards(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), writable=False)]:
        """Cards of every move."""

    @property
    def types(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...

    @property
    def ranks(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...

    @property
    def lengths(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...

    @property
    def sizes(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...

class Bidding(enum.Enum):
    """How the landlord is found."""

    NONE = 0

    SCORE = 1

    AUCTION = 2

    CALL_ROB = 3

class Rules:
    """The switches of a rule profile. Immutable: `replace` makes another."""

    @property
    def types(self) -> int:
        """Bit per Type: moves of other types do not exist."""

    @property
    def same_kicker_limit(self) -> int: ...

    @property
    def beside_kicker_limit(self) -> int: ...

    @property
    def both_jokers_as_kickers(self) -> bool: ...

    @property
    def same_pair_kickers(self) -> bool: ...

    @property
    def bidding(self) -> Bidding: ...

    @property
    def spring_doubles(self) -> bool: ...

    @property
    def bombs_double(self) -> bool: ...

    @property
    def unit_score(self) -> bool: ...

    def allows(self, type: Type) -> bool: ...

    def without(self, type: Type) -> Rules:
        """The same rules without a type of moves."""

    def with_bidding(self, bidding: Bidding) -> Rules: ...

    def __eq__(self, arg: object | None, /) -> bool: ...

def profile(name: str) -> Rules:
    """The rules of a named profile."""

def profile_names() -> tuple[str, ...]:
    """The named profiles, the default first."""

def type_names() -> tuple[str, ...]:
    """How the types of moves are written, in the order of Type."""

RANKS: str = '3456789TJQKA2XD'

FULL_DECK: int = 77762153565930564

MAX_HAND_CARDS: int = 20

STATE_BYTES: int = 104

def lead_moves(hand: int, rules: Rules) -> Moves:
    """The moves of a seat that leads."""

def follow_moves(hand: int, last: Move, rules: Rules) -> Moves:
    """The moves that beat `last`, then the pass."""

def legal_cards(hand: int, last: Move, rules: Rules) -> list[int]:
    """
    The cards of every legal move on `last` (a pass: leads), 0 for the pass: the quickest form.
    """

def count_moves(hands: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Move, rules: Rules, repeats: int = 1) -> int:
    """Lists the moves of many hands and adds up their numbers."""

def can_beat(hand: int, last: Move, rules: Rules) -> bool:
    """Whether some move of the hand beats `last`."""

def is_legal(hand: int, move: Move, last: Move, rules: Rules) -> bool: ...

def classify(cards: int, rules: Rules) -> Moves:
    """All readings of a set of cards as one move; empty if it is none."""

def all_moves(rules: Rules) -> Moves:
    """Every move that exists, the pass first."""

class MoveTable:
    """Every move that exists under some rules, with a fixed number."""

    def __init__(self, rules: Rules) -> None: ...

    def __len__(self) -> int: ...

    def moves(self) -> Moves:
        """Number -> move, the pass first."""

    def number(self, move: Move) -> int:
        """The number of a move, -1 if it does not exist."""

    def numbers(self, moves: Moves) -> NDArray[numpy.int32]:
        """The numbers of many moves, -1 where one does not exist."""

def cards_text(cards: int) -> str:
    """Cards from low to high."""

def card_count(cards: int) -> int: ...

def is_hand(cards: int) -> bool: ...

def holds(hand: int, cards: int) -> bool:
    """Whether the hand has all the cards."""

class Phase(enum.Enum):
    BID = 0

    PLAY = 1

    OVER = 2

class Deal:
    """The cards of a deal before the bidding."""

    def __init__(self, hands: Sequence[int], bottom: int = 0) -> None: ...

    @property
    def hands(self) -> list[int]: ...

    @property
    def bottom(self) -> int: ...

def shuffled_deal(seed: int) -> Deal:
    """17 cards each and three at the bottom."""

class Status:
    """Everything about a deal but the cards."""

    @property
    def last(self) -> Move:
        """The move to beat; a pass when the seat to move leads."""

    @property
    def phase(self) -> Phase: ...

    @property
    def turn(self) -> int:
        """Seat to move; the winner when over."""

    @property
    def first(self) -> int:
        """Seat that bids first."""

    @property
    def landlord(self) -> int | None: ...

    @property
    def owner(self) -> int | None:
        """Seat that played `last`."""

    @property
    def caller(self) -> int | None:
        """Call and rob: who called."""

    @property
    def bidder(self) -> int | None: ...

    @property
    def bombs(self) -> int:
        """Bombs and rockets played."""

    @property
    def bid(self) -> int:
        """Highest bid; with call and rob 1, doubled by each rob."""

    def doublings(self, rules: Rules) -> int:
        """
        How often the stake has doubled by the end, as far as the rules count it.
        """

    def bomb_doublings(self, rules: Rules) -> int:
        """The same before the end: of the bombs alone."""

class State:
    """A deal in progress."""

    def __init__(self, other: State) -> None: ...

    @staticmethod
    def start(deal: Deal, rules: Rules, first: int = 0) -> State:
        """At the first bid."""

    @staticmethod
    def start_play(deal: Deal, rules: Rules, landlord: int = 0, bid: int = 1) -> State:
        """Without bidding."""

    @property
    def hands(self) -> list[int]:
        """What each seat holds now."""

    @property
    def played(self) -> list[int]:
        """What each seat has played."""

    @property
    def bottom(self) -> int: ...

    @property
    def rules(self) -> Rules: ...

    @property
    def status(self) -> Status: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def to_move(self) -> int | None: ...

    @property
    def is_void(self) -> bool:
        """All passed."""

    def deal(self) -> Deal: ...

    def legal_bids(self) -> list[int]: ...

    def legal_moves(self) -> Moves: ...

    def is_legal(self, move: Move) -> bool: ...

    def bid(self, value: int) -> Status:
        """Makes a bid; returns what `undo_bid` needs."""

    def undo_bid(self, before: Status) -> None: ...

    def play(self, move: Move) -> Status:
        """Makes a move; returns what `undo_play` needs."""

    def undo_play(self, move: Move, before: Status) -> None: ...

    @property
    def is_spring(self) -> bool:
        """Spring or anti-spring; only when over."""

    def points(self) -> list[int]:
        """Points of each seat; only when over."""

    def view(self, seat: int) -> View: ...

    def __eq__(self, arg: object | None, /) -> bool: ...

class View:
    """What one seat may know of a state."""

    @property
    def hand(self) -> int: ...

    @property
    def played(self) -> list[int]: ...

    @property
    def bottom(self) -> int:
        """0 while face down."""

    @property
    def counts(self) -> list[int]:
        """Cards that each seat holds."""

    @property
    def seat(self) -> int: ...

    @property
    def rules(self) -> Rules: ...

    @property
    def status(self) -> Status: ...

    def known_of_landlord(self) -> int:
        """Bottom cards that the landlord must still hold."""

    def unseen(self, deck: int = 77762153565930564) -> int:
        """Cards whose place the seat does not know."""

    def may_double(self, deck: int = 77762153565930564) -> bool:
        """
        Whether the stake may still double, as far as the seat can tell: a spring, or a bomb in its hand or in another.
        """

    def agrees(self, hands: Sequence[int], bottom: int, deck: int = 77762153565930564) -> bool:
        """Whether a state with these cards looks like this to the seat."""

    def with_hands(self, hands: Sequence[int], bottom: int, deck: int = 77762153565930564) -> State:
        """The state with these hands at the seats."""

    def sample(self, seed: int, count: int, deck: int = ...) -> list[State]:
        """States that agree with the view, uniformly."""

    def sample_hands(self, seed: int, count: int, deck: int = 77762153565930564) -> NDArray[numpy.uint64]:
        """The same as an array: three hands and the bottom cards in each row."""

    def observe(self) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint8]]:
        """The view as counts (planes, 15) and facts."""

    def __eq__(self, arg: object | None, /) -> bool: ...

class Policy(enum.Enum):
    """Built-in policies."""

    RANDOM = 0

    GREEDY = 1

class Batch:
    """Many deals stepped together."""

    def __init__(self, games: int, seed: int, rules: Rules, with_bidding: bool = False) -> None: ...

    def __len__(self) -> int: ...

    def reset(self) -> None:
        """New deals in all games."""

    def redeal(self) -> int:
        """New deals in the games that are over; returns their number."""

    def state(self, game: int) -> State: ...

    def choices(self) -> Moves:
        """
        The legal moves of all games in one list; during the bidding, bids as moves whose rank is the bid.
        """

    def offsets(self) -> NDArray[numpy.int64]:
        """The choices of game g are entries offsets[g] to offsets[g + 1]."""

    def observe(self) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint8]]:
        """
        What the seats to move see: counts (games, planes, 15) and facts (games, facts).
        """

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Makes choice actions[g] in every game that is not over."""

    def step_with(self, policy: Policy) -> None:
        """Lets a built-in policy choose in every game that is not over."""

    def over(self) -> NDArray[numpy.bool_]: ...

    def turns(self) -> NDArray[numpy.uint8]:
        """Seat to move in each game."""

    def points(self) -> NDArray[numpy.int32]:
        """Points of each seat, zero in games that go on."""

def plane_names() -> tuple[str, ...]:
    """The planes of an observation."""

def fact_names() -> tuple[str, ...]:
    """The facts of an observation; 255 stands for nobody."""

FEATURE_VERSION: int = 1

def greedy_choice(state: State) -> Move:
    """
    What the greedy policy plays. It looks at its own cards and at public facts only.
    """

def bid_strength(hand: int) -> int:
    """
    High cards of a hand: one for each joker and 2, two more for each bomb and for the rocket.
    """

def wanted_bid(hand: int) -> int:
    """
    The bid that the strength is worth: 3 from 6, 2 from 5, 1 from 4, and 0 below.
    """

def perft(state: State, depth: int) -> int:
    """
    Number of sequences of `depth` bids and moves; finished deals count once.
    """

def simulate(games: int, seed: int, rules: Rules, policies: Sequence[Policy], with_bidding: bool = False, budget: mingpai._native.core.Budget | None = None) -> NDArray[numpy.int32]:
    """
    Plays deals with built-in policies by seat. Rows: landlord, winner (-1: all passed), bombs, spring, length, points of seats 0, 1, 2.
    """
