# Written by tools/stubs.py from the build. Do not edit.
"""
Batched self-play of Dou Dizhu: features, returns, the sparse first layer.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
import numpy.typing
from numpy.typing import NDArray

import mingpai._native.doudizhu


FEATURE_VERSION: int = 2

STATE_SIZE: int = 1186

MOVE_SIZE: int = 218

OPEN_STATE_SIZE: int = 1328

OPEN_MOVE_SIZE: int = 226

LANE: int = 64

def state_layout() -> dict[str, tuple[int, int]]:
    """First place and number of places of each part of a row of a state."""

def move_layout() -> dict[str, tuple[int, int]]:
    """First place and number of places of each part of a row of a move."""

class Samples:
    """The latest decisions with their returns; the oldest are overwritten."""

    def __init__(self, capacity: int, open: bool = False) -> None:
        """open: rows with the hands of the others."""

    @property
    def capacity(self) -> int: ...

    def __len__(self) -> int: ...

    @property
    def added(self) -> int:
        """Decisions added since the start."""

    def extend(self, states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], wins: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], points: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds decisions that were made elsewhere."""

    @property
    def states(self) -> NDArray[numpy.uint8]:
        """One row for each decision."""

    @property
    def moves(self) -> NDArray[numpy.uint8]:
        """One row for each decision: the move made."""

    @property
    def wins(self) -> NDArray[numpy.float32]:
        """Return in [0, 1]."""

    @property
    def points(self) -> NDArray[numpy.float32]:
        """Return in stakes of a farmer at the time of the decision."""

class BatchCounts:
    @property
    def deals(self) -> int:
        """Finished deals."""

    @property
    def decisions(self) -> int:
        """Choices among more than one move."""

    @property
    def options(self) -> int:
        """Legal moves in them."""

    @property
    def moves(self) -> int:
        """All moves, forced ones included."""

    @property
    def landlord_wins(self) -> int: ...

    @property
    def bombs(self) -> int: ...

class Position:
    """A decision of one seat, from what it has seen."""

    def __init__(self, role: int, hand: int, bottom: int, counts: Sequence[int], history: Sequence[mingpai._native.doudizhu.Move], rules: mingpai._native.doudizhu.Rules, deck: int = 77762153565930564) -> None:
        """
        role: 0 the landlord, 1 the seat after him, 2 before him. bottom: as turned up. counts: cards each role holds. history: all moves of the deal.
        """

    @property
    def moves(self) -> list[mingpai._native.doudizhu.Move]:
        """Legal moves."""

    @property
    def bombs(self) -> int:
        """Bombs and rockets so far."""

def planes(positions: Sequence[Position]) -> NDArray[numpy.uint8]:
    """The paper's tensors: (positions, 29 planes, 15 rows, 15 ranks)."""

def observe_positions(positions: Sequence[Position], for_points: bool) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int32]]:
    """
    Rows of states, rows of moves, and where the moves of each position start.
    """

class Batch:
    """
    Many deals played side by side. Roles: 0 the landlord, 1 the seat after him, 2 before him.
    """

    def __init__(self, tables: int, seed: int, rules: mingpai._native.doudizhu.Rules, bid_share: float = 0.0, points_share: float = 0.0, deals_again: bool = True, samples: Samples | None = None, open: bool = False) -> None:
        """
        bid_share: deals whose landlord is chosen by strength; points_share: deals played for points; open: rows with the hands of the others.
        """

    def __len__(self) -> int: ...

    @property
    def options(self) -> int:
        """Legal moves of all tables that wait for a decision."""

    def offsets(self) -> NDArray[numpy.int32]:
        """Moves of table i: rows offsets[i] to offsets[i + 1]."""

    def turns(self) -> NDArray[numpy.int8]:
        """Role to move at each table; -1 when over."""

    def moves(self, table: int) -> list[mingpai._native.doudizhu.Move]: ...

    def hands(self, table: int) -> list[int]:
        """Cards each role holds now."""

    def bottom(self, table: int) -> int:
        """Bottom cards that the landlord has not played yet."""

    @property
    def counts(self) -> BatchCounts: ...

    def winners(self) -> NDArray[numpy.int32]:
        """Role that went out; -1 while the deal goes on."""

    def doublings(self) -> NDArray[numpy.int32]:
        """Doublings of the stake; -1 while the deal goes on."""

    def observe(self, states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], moves: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> None:
        """Writes the features of every table and of every legal move."""

    def act(self, values: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], explore: float, lambda_: float, judged: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Makes the best moves by values (logit of winning, points), or any move with chance explore. judged: values of the same moves that later returns are mixed with, where another network gives them.
        """

    def play(self, choices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Makes the given move of each table."""

class Network:
    """
    The value network in whole numbers: the same result on every processor.
    """

    def __init__(self, weights: dict[str, numpy.typing.NDArray[numpy.float32]]) -> None:
        """weights: arrays by the names of the trained network."""

    def values(self, positions: Sequence[Position], for_points: bool, others: Sequence[Sequence[int]] | None = None) -> NDArray[numpy.float32]:
        """
        For each legal move of each position the logit of winning and points. others: for a network that sees all hands, those of the next and the previous seat.
        """

def estimated_turns(hand: int) -> int:
    """Turns a hand needs when nobody interferes, bombs kept whole."""

def sparse_forward(x: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], of: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, relu: bool, out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """
    out[i] = start[of[i]] + x[i] @ weights, cut at zero if relu. Without `of` every row starts from start[0].
    """

def sparse_backward(x: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], out_gradient: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], gradient: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """gradient += x.T @ out_gradient."""
