# Written by tools/stubs.py from the build. Do not edit.
"""Hold'em: hand ranks, equity, the table."""

from collections.abc import Sequence
import enum
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

import mingpai._native.core


class Street(enum.Enum):
    PREFLOP = 0

    FLOP = 1

    TURN = 2

    RIVER = 3

    OVER = 4

class Split(enum.Enum):
    """What happens to chips that do not divide among the winners of a pot."""

    BY_SEAT = 0
    """One unit each, from the first winner after the button on."""

    FIRST = 1
    """All to the first winner after the button."""

    DISCARDED = 2
    """Taken off the table."""

class ActionKind(enum.Enum):
    FOLD = 0

    CHECK = 1

    CALL = 2

    RAISE = 3

class TableRules:
    def __init__(self, split: Split, unit: int, short_opening_reopens: bool, posted_blind_counts: bool, small_blind_only_heads_up: bool, may_fold_unbet: bool, is_always_open: bool) -> None: ...

    @property
    def split(self) -> Split: ...

    @property
    def unit(self) -> int:
        """Units in a chip."""

    @property
    def short_opening_reopens(self) -> bool: ...

    @property
    def posted_blind_counts(self) -> bool: ...

    @property
    def small_blind_only_heads_up(self) -> bool: ...

    @property
    def may_fold_unbet(self) -> bool: ...

    @property
    def is_always_open(self) -> bool: ...

class Legal:
    """What the seat to act may do."""

    @property
    def fold(self) -> bool: ...

    @property
    def check(self) -> bool: ...

    @property
    def call(self) -> bool: ...

    @property
    def can_raise(self) -> bool: ...

    @property
    def call_cost(self) -> int:
        """Units that a call puts in."""

    @property
    def min_to(self) -> int:
        """Least total for the street that a raise may name."""

    @property
    def max_to(self) -> int:
        """The total of going all-in."""

class Pot:
    @property
    def amount(self) -> int: ...

    @property
    def seats(self) -> list[int]:
        """Who can win it."""

    @property
    def winners(self) -> list[int]:
        """Who did; nobody while the hand goes on."""

class Table:
    """One hand of no-limit hold'em; all amounts in units."""

    @overload
    def __init__(self, stacks: Sequence[int], button: int, small_blind: int, big_blind: int, ante: int, rules: TableRules, hands: Sequence[tuple[int, int] | None], board: Sequence[int]) -> None: ...

    @overload
    def __init__(self, other: Table) -> None: ...

    @property
    def seats(self) -> int: ...

    @property
    def button(self) -> int: ...

    @property
    def small_blind(self) -> int: ...

    @property
    def big_blind(self) -> int: ...

    @property
    def ante(self) -> int: ...

    @property
    def starting_stacks(self) -> list[int]: ...

    @property
    def small_blind_seat(self) -> int: ...

    @property
    def big_blind_seat(self) -> int | None:
        """None where nobody posts it."""

    @property
    def rules(self) -> TableRules: ...

    @property
    def street(self) -> Street: ...

    @property
    def to_act(self) -> int | None: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def stacks(self) -> list[int]:
        """Behind the bets."""

    @property
    def bets(self) -> list[int]:
        """Of this street."""

    @property
    def paid(self) -> list[int]:
        """Of the whole hand, antes included."""

    @property
    def current_bet(self) -> int:
        """Total for the street to stay in."""

    @property
    def discarded(self) -> int:
        """Units lost in splits."""

    @property
    def pot(self) -> int:
        """All that was paid."""

    @property
    def dealt_seats(self) -> list[int]: ...

    @property
    def live_seats(self) -> list[int]: ...

    @property
    def shown_seats(self) -> list[int]: ...

    @property
    def hands(self) -> list[tuple[int, int] | None]:
        """Two cards for each seat, None where not known or not dealt."""

    @property
    def board(self) -> list[int]:
        """The cards that lie open."""

    @property
    def full_board(self) -> list[int]:
        """The cards known, also those not open yet."""

    def legal(self) -> Legal: ...

    def why_illegal(self, kind: ActionKind, to: int = 0) -> str | None:
        """The code of the rule that forbids it; None when it is legal."""

    def act(self, kind: ActionKind, to: int = 0) -> None: ...

    def undo(self) -> None: ...

    @property
    def actions(self) -> list[tuple[int, ActionKind, int]]:
        """Seat, kind and, for a raise, the total for the street."""

    @property
    def action_streets(self) -> list[int]:
        """The street of each action, 0 before the flop."""

    def pots(self) -> list[Pot]: ...

    def payoffs(self) -> list[int]: ...

    def masked(self, seat: int) -> Table:
        """Without what the seat may not know."""

    def filled(self, seed: int) -> Table:
        """Unknown cards drawn uniformly."""

    def with_hands(self, hands: Sequence[tuple[int, int] | None], seed: int) -> Table:
        """Unknown hands as given, the rest drawn uniformly."""

    def is_consistent(self) -> bool: ...

COMBOS: int = 1326

CATEGORY_SHIFT: int = 12

def evaluate(cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]:
    """
    Ranks of hands of five to seven cards, one hand a row. Larger is stronger; rank >> CATEGORY_SHIFT is the category.
    """

def evaluate_set(cards: int) -> int:
    """The rank of one set of five to seven cards, bit c for card c."""

def count_categories(size: int) -> list[int]:
    """How many hands of `size` cards each category has, by enumeration."""

def checksum(cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], rounds: int) -> int:
    """Ranks seven-card hands in a native loop; for benchmarks."""

def category_sizes() -> list[int]:
    """How many ranks each category has."""

def combo_index(a: int, b: int) -> int:
    """The number of the combination of two cards, 0..1325."""

def combo_cards(combo: int) -> tuple[int, int]:
    """The two cards of a combination, the lower one first."""

class EquityMethod(enum.Enum):
    """How equity() finds its answer."""

    AUTO = 0
    """
    Exact within the work limit, else a walk for four or more wide ranges, else independent samples.
    """

    EXACT = 1
    """All hands and boards."""

    WALK = 2
    """A Markov walk over the hands with a fresh board at each step."""

    INDEPENDENT = 3
    """Independent samples with importance weights."""

class EquitySettings:
    def __init__(self, method: EquityMethod = EquityMethod.AUTO, samples: int = 100000, target_error: float = 0.0, seed: int = 0, threads: int = 1, exact_work: float = 100000000.0) -> None: ...

    @property
    def method(self) -> EquityMethod: ...

    @property
    def samples(self) -> int:
        """At most that many samples; with a target error, the limit."""

    @property
    def target_error(self) -> float:
        """Stop when every standard error is at or below it; 0 takes all samples."""

    @property
    def seed(self) -> int: ...

    @property
    def threads(self) -> int:
        """Does not change the answer."""

    @property
    def exact_work(self) -> float:
        """Hands ranked above which AUTO samples."""

class EquityResult:
    @property
    def method(self) -> EquityMethod:
        """How the answer was found; never AUTO."""

    @property
    def equities(self) -> list[float]:
        """Share of the pot of each player; sums to 1."""

    @property
    def wins(self) -> list[float]:
        """Probability of winning alone."""

    @property
    def ties(self) -> list[float]:
        """Probability of sharing the pot."""

    @property
    def standard_errors(self) -> list[float]:
        """Of the equities; 0 when exact."""

    @property
    def samples(self) -> int:
        """Samples drawn, or hands and boards enumerated."""

    @property
    def effective_samples(self) -> float:
        """Independent samples of equal weight that would err as much."""

    @property
    def reached_target(self) -> bool:
        """False when samples or budget ran out before the target error."""

def equity(weights: Annotated[NDArray[numpy.float32], dict(shape=(None, 1326), order='C', device='cpu', writable=False)], board: int, dead: int, settings: EquitySettings, budget: mingpai._native.core.Budget | None = None) -> EquityResult:
    """
    Each player's share of the pot; weights has a row of 1326 for each player, board and dead are card sets.
    """
