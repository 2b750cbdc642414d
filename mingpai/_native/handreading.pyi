# Written by tools/stubs.py from the build. Do not edit.
"""Strength of every hold'em combination on a board."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

import mingpai._native.core
import mingpai._native.holdem


def strengths(board: int, runouts: int, seed: int = 0) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(1326))], Annotated[NDArray[numpy.float32], dict(shape=(1326))], Annotated[NDArray[numpy.float32], dict(shape=(1326))], Annotated[NDArray[numpy.uint8], dict(shape=(1326))], Annotated[NDArray[numpy.uint8], dict(shape=(1326))]]:
    """
    For each of the 1326 combinations against a uniform hand on a board: share now, expected share on the full board, its
    standard deviation, class of hand (0 .. 10), and 1 where no board card blocks it.
    """

def hand_class(hand: int, board: int) -> int:
    """
    Class of hand (0 .. 10) of two cards on a board of none or three to five.
    """

def outs(hand: int, board: int, gain: float, samples: int, seed: int = 0) -> int:
    """
    Cards that win a hand at least the share `gain` of the equity it is missing, against a uniform hand.
    """

def band_likelihood(equities: Annotated[NDArray[numpy.float32], dict(shape=(1326), order='C', device='cpu', writable=False)], power: float, shift: float, bands: Annotated[NDArray[numpy.float32], dict(shape=(6, 3), order='C', device='cpu', writable=False)], often: Annotated[NDArray[numpy.float32], dict(shape=(6), order='C', device='cpu', writable=False)], act: int, theta: float, fall: float, tremble: float) -> Annotated[NDArray[numpy.float32], dict(shape=(1326))]:
    """P(act | hand) of the default model for each combination."""

class Style:
    """A rule player's habits; fields as in mingpai/agents/holdem_styles.py."""

    def __init__(self) -> None: ...

    @property
    def limp(self) -> float: ...

    @limp.setter
    def limp(self, arg: float, /) -> None: ...

    @property
    def open(self) -> float: ...

    @open.setter
    def open(self, arg: float, /) -> None: ...

    @property
    def call_raise(self) -> float: ...

    @call_raise.setter
    def call_raise(self, arg: float, /) -> None: ...

    @property
    def reraise(self) -> float: ...

    @reraise.setter
    def reraise(self, arg: float, /) -> None: ...

    @property
    def late(self) -> float: ...

    @late.setter
    def late(self, arg: float, /) -> None: ...

    @property
    def caution(self) -> float: ...

    @caution.setter
    def caution(self, arg: float, /) -> None: ...

    @property
    def open_size(self) -> float: ...

    @open_size.setter
    def open_size(self, arg: float, /) -> None: ...

    @property
    def bet(self) -> float: ...

    @bet.setter
    def bet(self, arg: float, /) -> None: ...

    @property
    def raise_at(self) -> float: ...

    @raise_at.setter
    def raise_at(self, arg: float, /) -> None: ...

    @property
    def margin(self) -> float: ...

    @margin.setter
    def margin(self, arg: float, /) -> None: ...

    @property
    def fear(self) -> float: ...

    @fear.setter
    def fear(self, arg: float, /) -> None: ...

    @property
    def bluff(self) -> float: ...

    @bluff.setter
    def bluff(self, arg: float, /) -> None: ...

    @property
    def bluff_raise(self) -> float: ...

    @bluff_raise.setter
    def bluff_raise(self, arg: float, /) -> None: ...

    @property
    def follow_up(self) -> float: ...

    @follow_up.setter
    def follow_up(self, arg: float, /) -> None: ...

    @property
    def slow(self) -> float: ...

    @slow.setter
    def slow(self, arg: float, /) -> None: ...

    @property
    def size(self) -> float: ...

    @size.setter
    def size(self, arg: float, /) -> None: ...

    @property
    def samples(self) -> int: ...

    @samples.setter
    def samples(self, arg: int, /) -> None: ...

def style_action(table: mingpai._native.holdem.Table, style: Style, seed: int) -> tuple[mingpai._native.holdem.ActionKind, int]:
    """
    What a style does for the seat to act: kind, and total of a raise in units.
    """

def play_styles(table: mingpai._native.holdem.Table, styles: Sequence[Style | None], seed: int, budget: mingpai._native.core.Budget | None = None) -> None:
    """
    Plays the seats that have a style until one without is to act or the hand is over.
    """

class BettingSpot:
    """What a player faces when he acts."""

    def __init__(self, is_preflop: bool, is_free: bool, has_led: bool, others: int, raises: int, price: float, cost: float, lateness: float) -> None: ...

class Answer(enum.Enum):
    """What a player does; checks are calls."""

    FOLD = 0

    CALL = 1

    RAISE = 2

class Learner:
    """The style of a player, learned from what he does."""

    def __init__(self) -> None: ...

    def observe(self, situation: BettingSpot, answer: Answer, axis: Annotated[NDArray[numpy.float32], dict(shape=(1326), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(1326), order='C', device='cpu', writable=False)]) -> None:
        """Learn from an action of a player who held these combinations."""

    def observe_size(self, is_preflop: bool, size: float) -> None:
        """
        Learn from a raise's share of the pot, or an opening raise in big blinds.
        """

    @property
    def style(self) -> Style:
        """The mean of every number."""

    def draw(self, count: int, seed: int) -> list[Style]:
        """Players that may be the one."""

    def state(self) -> list[list[float]]:
        """Everything learned."""

    def restore(self, state: Sequence[Sequence[float]]) -> None:
        """Take back what `state` gave."""

def respond(styles: Sequence[Style], situation: BettingSpot, axis: Annotated[NDArray[numpy.float32], dict(shape=(1326), order='C', device='cpu', writable=False)]) -> tuple:
    """
    Chances of folding, calling (or checking) and raising of every combination, on average over some styles.
    """

def multiway(equity: Annotated[NDArray[numpy.float32], dict(shape=(1326), order='C', device='cpu', writable=False)], spread: Annotated[NDArray[numpy.float32], dict(shape=(1326), order='C', device='cpu', writable=False)], others: int) -> Annotated[NDArray[numpy.float32], dict(shape=(1326))]:
    """
    Equity against some uniform hands from mean and spread of the share against one.
    """

def starting_places() -> Annotated[NDArray[numpy.float32], dict(shape=(1326))]:
    """For each combination the share of all that start better."""

class PlanRow:
    """What an action is worth, in units won from now on."""

    @property
    def value(self) -> float:
        """Certainty equivalent with the best plan."""

    @property
    def mean(self) -> float:
        """Mean, without aversion to risk."""

    @property
    def error(self) -> float:
        """Standard error of the mean."""

    @property
    def folds(self) -> float:
        """Share of the deals in which everybody folded to the action."""

    @property
    def predicted(self) -> float:
        """The same by the styles alone, where fold_offsets changed it."""

    @property
    def plan(self) -> int:
        """The best plan to go on with."""

class PlanResult:
    """The actions of a plan, each with what it is worth."""

    @property
    def rows(self) -> list[PlanRow]: ...

    @property
    def deals(self) -> int:
        """Deals played out."""

def plan(table: mingpai._native.holdem.Table, ranges: Annotated[NDArray[numpy.float32], dict(shape=(None, 1326), order='C', device='cpu', writable=False)], axis: Annotated[NDArray[numpy.float32], dict(shape=(1326), order='C', device='cpu', writable=False)], styles: Sequence[Sequence[Style]], plans: Sequence[Style], actions: Sequence[tuple[mingpai._native.holdem.ActionKind, int]], deals: int, risk: float, seed: int, fold_offsets: Sequence[Sequence[float]] = [], budget: mingpai._native.core.Budget | None = None, fold_limits: Sequence[Sequence[float]] = []) -> PlanResult:
    """
    The value of each action: the hand played out against ranges and styles, oneself going on by the best of some plans.
    """
