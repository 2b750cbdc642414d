# Written by tools/stubs.py from the build. Do not edit.
"""
Dou Dizhu bidding: the raw log, a population of players, the worth of hands.
"""

from collections.abc import Sequence
import enum
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray

import mingpai._native.core
import mingpai._native.ruleplay
import mingpai._native.core


EXAMPLES: int = 5

class Convention:
    """What the text of a log leaves open."""

    def __init__(self, *, red_is_x: bool, seat_first: bool) -> None: ...

    @property
    def red_is_x(self) -> bool:
        """X is the red (big) joker; else D is."""

    @property
    def seat_first(self) -> bool:
        """The seat is the first number of a bid or play; else the second."""

class Word(enum.Enum):
    BID = 0

    CALL = 1

    ROB = 2

class Ending(enum.Enum):
    OVER = 0

    VOID = 1

    LEFT = 2

    CUT = 3

class RawBid:
    """One bid of a log."""

    def __init__(self, seat: int, word: Word, value: int) -> None: ...

    @property
    def seat(self) -> int: ...

    @property
    def word(self) -> Word: ...

    @property
    def value(self) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

class RawPlay:
    """One play of a log."""

    def __init__(self, seat: int, cards: int) -> None: ...

    @property
    def seat(self) -> int: ...

    @property
    def cards(self) -> int:
        """0 for a pass."""

    def __eq__(self, other: object, /) -> bool: ...

class RawGame:
    """One game of a log."""

    def __init__(self) -> None: ...

    @property
    def users(self) -> list[str]: ...

    @users.setter
    def users(self, arg: Sequence[str], /) -> None: ...

    @property
    def hands(self) -> list[int]: ...

    @hands.setter
    def hands(self, arg: Sequence[int], /) -> None: ...

    @property
    def bottom(self) -> int: ...

    @bottom.setter
    def bottom(self, arg: int, /) -> None: ...

    @property
    def bids(self) -> list[RawBid]: ...

    @bids.setter
    def bids(self, arg: Sequence[RawBid], /) -> None: ...

    @property
    def plays(self) -> list[RawPlay]: ...

    @plays.setter
    def plays(self, arg: Sequence[RawPlay], /) -> None: ...

    @property
    def ending(self) -> Ending: ...

    @ending.setter
    def ending(self, arg: Ending, /) -> None: ...

    @property
    def leaver(self) -> int:
        """Seat that left, if one did."""

    @leaver.setter
    def leaver(self, arg: int, /) -> None: ...

    @property
    def landlord_won(self) -> bool: ...

    @landlord_won.setter
    def landlord_won(self, arg: bool, /) -> None: ...

    @property
    def points(self) -> list[int]: ...

    @points.setter
    def points(self, arg: Sequence[int], /) -> None: ...

    @property
    def landlord(self) -> int:
        """The seat of the last bid above nothing; -1 if there is none."""

    def __eq__(self, other: object, /) -> bool: ...

def parse_line(line: bytes, convention: Convention) -> RawGame | str:
    """
    The game of a line without its line end, or the name of what is wrong with it.
    """

def format_line(game: RawGame, convention: Convention) -> bytes:
    """The line of a game, without a line end."""

class LogReader:
    """A log read in blocks into columns."""

    def __init__(self, convention: Convention) -> None: ...

    def feed(self, block: bytes) -> None: ...

    def finish(self) -> None:
        """Reads a last line that has no line end."""

    def take(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """
        The columns of the games and of the bids since the last take, as arrays by name.
        """

    @property
    def players(self) -> list[str]:
        """Ids of all players so far; columns hold their places."""

    @property
    def lines(self) -> int: ...

    @property
    def records(self) -> int: ...

    @property
    def faults(self) -> dict[str, tuple[int, list[int]]]:
        """What is wrong -> how many lines, and the numbers of the first."""

def values(hands: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """What hands of 17 cards are worth as landlord: logarithms of the odds."""

def value_features(hands: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    The numbers that the value of a hand is a weighted sum of, a row for each hand.
    """

def value_feature_names() -> list[str]: ...

def threshold(phase: int, value: int) -> float:
    """The value above which a neutral player bids."""

def deals(seed: int, first: int, count: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None))]:
    """Shuffled deals: three hands and the bottom cards in a row."""

def hands_beside(hand: int, seed: int, count: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None))]:
    """
    Hands that the two others may hold beside a hand of 17 cards: (2, count).
    """

class CardPlayer(enum.Enum):
    """The rule player behind the cards."""

    RB = 0

    RHCP = 1

    GREEDY = 2

class Member:
    """A player of the population."""

    def __init__(self, id: str, *, bias: float, noise: float, card: CardPlayer, slips: float, activity: float) -> None: ...

    @property
    def id(self) -> str: ...

    @property
    def bias(self) -> float:
        """How much a hand is over-rated, in logarithms of odds."""

    @property
    def noise(self) -> float:
        """Scale of the logistic noise of every decision."""

    @property
    def card(self) -> CardPlayer: ...

    @property
    def slips(self) -> float:
        """Chance that a move is any legal one."""

    @property
    def activity(self) -> float: ...

class Shares:
    """Shares of the games of a log."""

    def __init__(self, *, call_rob: float = 0.5, left: float = 0.01, cut: float = 0.01, wrong_first: float = 0.01, torn: float = 0.001) -> None: ...

    @property
    def call_rob(self) -> float: ...

    @property
    def left(self) -> float: ...

    @property
    def cut(self) -> float: ...

    @property
    def wrong_first(self) -> float: ...

    @property
    def torn(self) -> float: ...

class Population:
    """Players with a temper and a skill, and games between them."""

    def __init__(self, members: Sequence[Member], shares: Shares, greedy: mingpai._native.ruleplay.Weights) -> None: ...

    def __len__(self) -> int: ...

    def simulate(self, seed: int, first: int, games: int, threads: int, convention: Convention, budget: mingpai._native.core.Budget) -> bytes:
        """
        Lines of a log. They depend on the seed and the number of a game alone.
        """

    def outcomes(self, deals: numpy.typing.NDArray[numpy.uint64], seats: numpy.typing.NDArray[numpy.int32], seed: int, budget: mingpai._native.core.Budget) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint64]]:
        """
        Card play of each deal, once for each landlord: (deals, 3) landlord won, (deals, 3) doublings, (deals, 3, 3) what each seat holds at the end.
        """

    def relive(self, hands: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], strong: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], games: int, seed: int, budget: mingpai._native.core.Budget) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None, None, None))]:
        """
        Labels that cleaning would give if each hand were dealt many times to strong players: (hands, phase, value, label).
        """
