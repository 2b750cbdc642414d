# Written by tools/stubs.py from the build. Do not edit.
"""
The value network of Dou Dizhu: features, self-play, playouts, reading.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
import numpy.typing
from numpy.typing import NDArray

import mingpai._native.core
import mingpai._native.doudizhu
import mingpai._native.endgame
import mingpai._native.handsplit
import mingpai._native.ruleplay
import mingpai._native.ruleplay


FEATURE_VERSION: int = 3

STATE_SIZE: int = 1188

UNTOLD_STATE_SIZE: int = 1186

MOVE_SIZE: int = 218

OPEN_STATE_SIZE: int = 1330

OPEN_MOVE_SIZE: int = 226

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

    @property
    def proved(self) -> int:
        """Decisions whose return the solver gave."""

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
    def hand(self) -> int: ...

    @property
    def role(self) -> int: ...

    @property
    def bombs(self) -> int:
        """Bombs and rockets so far."""

def position_combinations(positions: Sequence[Position], splitter: mingpai._native.ruleplay.Splitter, slack: int, most: int) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
    """
    For combinational Q-learning: rows of groups, the position of each, its index among the legal moves (-1: not now), the splits as rows of groups (filled up by the number of groups), and the position of each split.
    """

def planes(positions: Sequence[Position]) -> NDArray[numpy.uint8]:
    """The paper's tensors: (positions, 29 planes, 15 rows, 15 ranks)."""

def lesson_planes(hands: numpy.typing.NDArray[numpy.uint64], cards: numpy.typing.NDArray[numpy.uint64], kinds: numpy.typing.NDArray[numpy.uint8], starts: numpy.typing.NDArray[numpy.int32], lessons: numpy.typing.NDArray[numpy.int32]) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint64]]:
    """
    The paper's tensors for decisions (deal, ply) of played deals, and the hand of each decision.
    """

def candidate_planes(roles: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], hands: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], cards: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], kinds: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint8]:
    """
    Candidates as planes: (moves, 19 rows, 15 ranks), the last four rows what is left of the hand.
    """

def observe_positions(positions: Sequence[Position], for_points: bool) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int32]]:
    """
    Rows of states, rows of moves, and where the moves of each position start.
    """

class Batch:
    """
    Many deals played side by side. Roles: 0 the landlord, 1 the seat after him, 2 before him.
    """

    def __init__(self, tables: int, seed: int, rules: mingpai._native.doudizhu.Rules | Sequence[mingpai._native.doudizhu.Rules], bid_share: float = 0.0, points_share: float = 0.0, deals_again: bool = True, samples: Samples | None = None, open: bool = False, exact_cards: int = 0, most_doublings: int = 3) -> None:
        """
        rules: of several each deal draws one; bid_share: deals whose landlord is chosen by strength; points_share: deals played for points; open: rows with the hands of the others; exact_cards: from so many cards in all hands on the return is what the solver proves, in points once nothing can double; most_doublings: returns in points are cut at 2 to this power, in stakes at the time of the decision.
        """

    def __len__(self) -> int: ...

    @property
    def options(self) -> int:
        """Legal moves of all tables that wait for a decision."""

    def offsets(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Moves of table i: rows offsets[i] to offsets[i + 1]."""

    def turns(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """Role to move at each table; -1 when over."""

    def moves(self, table: int) -> list[mingpai._native.doudizhu.Move]: ...

    def hands(self, table: int) -> list[int]:
        """Cards each role holds now."""

    def bottom(self, table: int) -> int:
        """Bottom cards that the landlord has not played yet."""

    @property
    def counts(self) -> BatchCounts: ...

    def winners(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Role that went out; -1 while the deal goes on."""

    def doublings(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        Doublings of the stake, as far as the rules count them; -1 while the deal goes on.
        """

    def observe(self, states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], moves: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> None:
        """Writes the features of every table and of every legal move."""

    def act(self, values: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], explore: float, lambda_: float, judged: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Makes the best moves by values (logit of winning, points), or any move with chance explore. judged: values of the same moves that later returns are mixed with, where another network gives them.
        """

    def combinations(self, splitter: mingpai._native.ruleplay.Splitter, slack: int, most: int) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
        """
        As position_combinations, of every table; a table that is over has no groups.
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

class OpenJudges(mingpai._native.endgame.JudgeMaker):
    """A network that sees all hands, as the judge of the endgame solver."""

    def __init__(self, network: Network) -> None: ...

def estimated_turns(hand: int) -> int:
    """Turns a hand needs when nobody interferes, bombs kept whole."""

class ReadingSettings:
    """How the network reads the belief again."""

    def __init__(self) -> None: ...

    @property
    def worlds(self) -> int:
        """Worlds that are read again; 0 leaves the belief as it is."""

    @worlds.setter
    def worlds(self, arg: int, /) -> None: ...

    @property
    def temperature(self) -> float:
        """
        Of the softmax over the network's values, in logits; 0: each player's own.
        """

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

    @property
    def noise(self) -> float:
        """Share of moves that follow no value."""

    @noise.setter
    def noise(self, arg: float, /) -> None: ...

    @property
    def tempering(self) -> float:
        """Exponent of the network's likelihood."""

    @tempering.setter
    def tempering(self, arg: float, /) -> None: ...

    @property
    def kept(self) -> float:
        """Exponent of the weight that the belief had given."""

    @kept.setter
    def kept(self, arg: float, /) -> None: ...

class Reader:
    """
    The others' moves as the network would have chosen them. Not for several threads at once.
    """

    def __init__(self, network: Network) -> None: ...

    def log_likelihoods(self, situation: mingpai._native.ruleplay.Situation, settings: ReadingSettings, hands: Sequence[int], budget: mingpai._native.core.Budget) -> list[float]:
        """
        log of the likelihood of everything the others were seen to do, for each hand of the next role.
        """

class PlayoutSettings:
    def __init__(self) -> None: ...

    @property
    def worlds(self) -> int:
        """Worlds that each candidate is played out on, at most."""

    @worlds.setter
    def worlds(self, arg: int, /) -> None: ...

    @property
    def round(self) -> int:
        """Worlds between two looks at the standings."""

    @round.setter
    def round(self, arg: int, /) -> None: ...

    @property
    def width(self) -> int:
        """Candidates at most."""

    @width.setter
    def width(self, arg: int, /) -> None: ...

    @property
    def margin(self) -> float:
        """
        How far below the best a candidate may be valued: logits, or half stakes.
        """

    @margin.setter
    def margin(self, arg: float, /) -> None: ...

    @property
    def trust(self) -> float:
        """The network's own value counts as so many worlds."""

    @trust.setter
    def trust(self, arg: float, /) -> None: ...

    @property
    def judge_trust(self) -> float:
        """The judge's mean over the worlds counts as so many worlds."""

    @judge_trust.setter
    def judge_trust(self, arg: float, /) -> None: ...

    @property
    def judges_read(self) -> bool:
        """
        The judge values all worlds that were read, by weight; else those drawn of them.
        """

    @judges_read.setter
    def judges_read(self, arg: bool, /) -> None: ...

    @property
    def plays_out(self) -> bool:
        """False: the network, the hints and the judge decide."""

    @plays_out.setter
    def plays_out(self, arg: bool, /) -> None: ...

    @property
    def depth(self) -> int:
        """
        Decisions of a playout after which the judge values it; 0: to the end of the deal.
        """

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    @property
    def clear(self) -> float:
        """Standard errors of the paired difference that drop a candidate."""

    @clear.setter
    def clear(self, arg: float, /) -> None: ...

    @property
    def points(self) -> bool:
        """Maximise points instead of the probability to win."""

    @points.setter
    def points(self, arg: bool, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def reading(self) -> ReadingSettings:
        """How the belief is read again before."""

    @reading.setter
    def reading(self, arg: ReadingSettings, /) -> None: ...

class LookAhead:
    """
    Moves of a batch played on with the hands as dealt, until a judge values what is left.
    """

    def __init__(self, network: Network, judge: Network, weights: mingpai._native.ruleplay.Weights) -> None:
        """network plays for all seats; judge, an open network, values the end."""

    def values(self, batch: Batch, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], depth: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        What moves (rows of observe) are worth to the seat to move after so many decisions more: the chance to win, or points, by what the deal is played for.
        """

def landlord_stakes(network: Network, rules: mingpai._native.doudizhu.Rules, weights: mingpai._native.ruleplay.Weights, hands: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], bottoms: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """
    Of each deal three numbers: stakes that the landlord wins when the first, second, third seat is landlord, the network playing all seats for points.
    """

class Hint:
    """What something else makes of a move: a tree search."""

    def __init__(self, move: mingpai._native.doudizhu.Move, value: float, weight: float, is_candidate: bool) -> None:
        """
        value: in the unit of the results; weight: counts as so many worlds; is_candidate: played out in any case.
        """

class PlayedMove:
    @property
    def move(self) -> mingpai._native.doudizhu.Move: ...

    @property
    def network(self) -> float:
        """The network's value: probability to win, or stakes of a farmer now."""

    @property
    def value(self) -> float:
        """
        Mean result of the worlds played, the network's value and the hint counted in.
        """

    @property
    def worlds(self) -> int:
        """Worlds played; 0 for a move that was no candidate."""

class PlayoutResult:
    @property
    def moves(self) -> list[PlayedMove]:
        """All legal moves, best first."""

    @property
    def playouts(self) -> int: ...

    @property
    def decisions(self) -> int:
        """Decisions of the network in all playouts."""

class PlayoutSearcher:
    """
    Playouts by the network on worlds of a belief. Not for several threads at once.
    """

    def __init__(self, network: Network, player: Network, judge: Network | None, rules: mingpai._native.doudizhu.Rules, weights: mingpai._native.ruleplay.Weights) -> None:
        """
        network values the legal moves; player, which may be smaller, plays the worlds out; judge, an open network, values the candidates in each world.
        """

    def search(self, situation: mingpai._native.ruleplay.Situation, worlds: mingpai._native.handsplit.Worlds, hints: Sequence[Hint], settings: PlayoutSettings, seed: int, budget: mingpai._native.core.Budget) -> PlayoutResult:
        """
        hints add to what the network and the worlds say of a move, and may make it a candidate.
        """
