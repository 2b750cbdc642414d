# Written by tools/stubs.py from the build. Do not edit.
"""
Guandan for the abductive agent: encoding, minimiser, consistency, tables.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import mingpai._native.core
import mingpai._native.guandan


ENCODING_VERSION: int = 2

FLAT_SIZE: int = 506

HISTORY: int = 7

MOVE_SIZE: int = 58

ROW_SIZE: int = 1121

OPEN_SIZE: int = 878

OPEN_VERSION: int = 2

ESTIMATE_SIZE: int = 162

HAND_AT: int = 20

LEFT_AT: int = 74

PLAYED_AT: int = 290

FACTS: int = 18

MARKS: int = 371

SCENE_AT: int = 912

SEEN_SIZE: int = 81

SCENE_SIZE: int = 209

RULES: int = 9

NETWORK: int = 8

VARIANTS: int = 3

OPEN: int = 127

def fact_names() -> list[str]: ...

def rule_names() -> list[str]:
    """Names of the soft rules, in the order of weights and measures."""

def encode(round: mingpai._native.guandan.Round, seat: int) -> NDArray[numpy.uint8]:
    """Table 1 for a seat: the flat part, then the last plays."""

def encode_open(round: mingpai._native.guandan.Round) -> NDArray[numpy.uint8]:
    """
    The open row of the seat to move: what the judge reads, all hands as they are.
    """

def measures(hand: mingpai._native.guandan.Cards, level: int, play: mingpai._native.guandan.Play) -> list[float]:
    """How much a play breaks each soft rule."""

def options(round: mingpai._native.guandan.Round, weights: Sequence[float], facts: bool = True, variants: int = 1) -> tuple:
    """
    (pseudo-actions, facts, marks, concrete plays) of the seat to move; `variants`: plays of each pseudo-action at the most.
    """

def plan_cost(hand: mingpai._native.guandan.Cards, level: int) -> float:
    """What the plan of a hand costs, in leads that must be gained elsewhere."""

def project(knowledge: mingpai._native.guandan.Knowledge, estimate: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """The nearest estimate that agrees with the knowledge."""

def counted(knowledge: mingpai._native.guandan.Knowledge) -> NDArray[numpy.float64]:
    """The estimate of counting alone: unseen copies by room in the hands."""

def violation(knowledge: mingpai._native.guandan.Knowledge, estimate: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """Largest amount by which an estimate contradicts the knowledge."""

class EstimateSampler:
    """Worlds that agree with the knowledge, drawn by an estimate."""

    def __init__(self, knowledge: mingpai._native.guandan.Knowledge, estimate: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def sample(self, rng: mingpai._native.core.Rng) -> list[mingpai._native.guandan.Cards]: ...

class Worlds:
    """Hands that agree with what the seat to move knows."""

    def __init__(self, round: mingpai._native.guandan.Round, estimate: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, count: int, seed: int) -> None:
        """Drawn by an estimate, or uniformly."""

    @staticmethod
    def of(round: mingpai._native.guandan.Round) -> Worlds:
        """The hands of a round as they are: one world."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> list[mingpai._native.guandan.Cards]: ...

    def redrawn(self, round: mingpai._native.guandan.Round, estimate: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, kept: Sequence[int], each: int, seed: int) -> Worlds:
        """
        So many for each, itself first, the others with the hands of some seats kept and the rest dealt anew.
        """

    def take(self, which: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Worlds:
        """Some of them, in this order."""

class Samples:
    """Decisions of finished rounds; options are ragged."""

    def __len__(self) -> int: ...

    def clear(self) -> None: ...

    def take(self) -> tuple:
        """
        All columns as arrays (rows, open, hidden, offsets, pseudo, facts, marks, worth, choice, log_prob, value, advantage, score, left); clears.
        """

class TableCounts:
    @property
    def rounds(self) -> int:
        """Finished rounds."""

    @property
    def decisions(self) -> int:
        """Choices of networks among more than one option."""

    @property
    def moves(self) -> int:
        """All plays."""

    @property
    def points(self) -> int:
        """Sum of the scores of team 0."""

class Finished:
    """A finished match from the first player's side."""

    @property
    def pair(self) -> int: ...

    @property
    def swapped(self) -> bool: ...

    @property
    def score(self) -> mingpai._native.guandan.MatchScore: ...

class Tables:
    """
    Many tables side by side; those that wait for a network are asked for together.
    """

    def __init__(self, players: Sequence[Sequence[int]], seed: int, weights: Sequence[float], profile: str = 'huaian2017', facts: bool = True, gamma: float = 0.9959999918937683, lam: float = 0.9800000190734863, blind: int = 0) -> None:
        """
        `blind`: networks (bits) whose facts are found as if no card had been seen.
        """

    @staticmethod
    def matches(players: Sequence[int], first: int, pairs: int, seed: int, weights: Sequence[float], profile: str = 'huaian2017', facts: bool = True, blind: int = 0) -> Tables:
        """
        Whole matches, two for each pair with the seats swapped and the same cards round by round. In the exchange rule4 gives.
        """

    @staticmethod
    def rounds(rounds: Sequence[mingpai._native.guandan.Round], players: Sequence[int], seed: int, weights: Sequence[float], exchange: bool = False, varied: int = 0) -> Tables:
        """
        Each of these rounds on to its end. `exchange`: networks are asked in the exchange too. `varied`: networks (bits) that choose among VARIANTS concrete plays of each pseudo-action.
        """

    @staticmethod
    def playouts(round: mingpai._native.guandan.Round, plays: Sequence[mingpai._native.guandan.Play], worlds: Worlds, weights: Sequence[float], facts: bool = True, players: Sequence[int] = [8, 8]) -> Tables:
        """
        One table for each world and play (worlds outermost), after the play, be it in the tricks or in the exchange.
        """

    @staticmethod
    def look_back(round: mingpai._native.guandan.Round, worlds: Worlds, plays: int, weights: Sequence[float], seats: Sequence[int]) -> tuple:
        """
        (tables, world, step, place): a table for each of the last `plays` decisions of some seats in each world, as it was then; the world it is of, which of those decisions it is (oldest first), and the place of what was really played among its options. Decisions with one option are left out.
        """

    @staticmethod
    def joined(parts: Sequence[Tables]) -> Tables:
        """All tables of some that play one round each, in order."""

    def scores(self) -> NDArray[numpy.int8]:
        """Scores of team 0 at tables that play one round; OPEN while they go on."""

    def places(self) -> NDArray[numpy.int32]:
        """The table that each waiting one is."""

    def turns(self) -> NDArray[numpy.int32]:
        """The seat to move at each waiting table."""

    def exchanges(self) -> NDArray[numpy.bool_]:
        """
        Whether each waiting table is in the exchange: its options are cards to give.
        """

    def plays(self, waiting: int) -> list[mingpai._native.guandan.Play]:
        """The concrete play of each option of a waiting table."""

    def __len__(self) -> int: ...

    @property
    def waiting(self) -> int:
        """Tables that wait for a network; 0 when all matches are over."""

    def networks(self) -> NDArray[numpy.int32]:
        """The network that each waiting table asks."""

    def offsets(self) -> NDArray[numpy.int32]: ...

    def round(self, waiting: int) -> mingpai._native.guandan.Round:
        """A copy of the round of a waiting table."""

    def observe(self, open: bool = False, hidden: bool = False) -> tuple:
        """(rows, open, hidden, pseudo, facts, marks) of the waiting tables."""

    def inform(self, waiting: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], estimates: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        Finds the facts of some waiting tables anew, by an estimate of the hands for each.
        """

    def advise(self, player: int) -> NDArray[numpy.int32]:
        """
        What a native player would choose at each waiting table; -1: none of the options.
        """

    def branches(self, waiting: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], options: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Tables:
        """
        A table for each of these options, after it and with the same hands; networks play it on.
        """

    def look_ahead(self, options: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """
        (open rows, sign, score) of the positions after some options, places among all of them.
        """

    def play(self, choices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], log_prob: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, worth: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, facts: bool = True) -> None: ...

    @property
    def samples(self) -> Samples: ...

    @property
    def counts(self) -> TableCounts: ...

    @property
    def finished(self) -> list[Finished]: ...
