# Written by tools/stubs.py from the build. Do not edit.
"""Exact solutions of open positions of Dou Dizhu."""

from collections.abc import Sequence
import enum

import mingpai._native.core
import mingpai._native.doudizhu
import mingpai._native.doudizhu


class Position:
    """
    Open cards: seat 0 is the landlord, 1 the next farmer, 2 the one before him.
    """

    def __init__(self, hands: Sequence[int], turn: int = 0, last: mingpai._native.doudizhu.Move = ..., last_by: int = 0) -> None: ...

    @property
    def hands(self) -> list[int]: ...

    @property
    def players(self) -> int: ...

    @property
    def turn(self) -> int: ...

    @property
    def last(self) -> mingpai._native.doudizhu.Move:
        """The move to beat; a pass when the seat to move leads."""

    @property
    def last_by(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def has_landlord_won(self) -> bool:
        """Only when over."""

    def after(self, move: mingpai._native.doudizhu.Move) -> Position:
        """The position once a legal move has been made."""

    def legal_moves(self, rules: mingpai._native.doudizhu.Rules) -> list[mingpai._native.doudizhu.Move]: ...

    def find_fault(self, rules: mingpai._native.doudizhu.Rules) -> str | None:
        """What a position must be and is not; None if nothing is wrong."""

def random_position(players: int, max_cards: int, seed: int) -> Position:
    """Hands of one to max_cards cards, often of few ranks; any seat leads."""

class Pruning:
    """The pruning rules; each can be switched off."""

    def __init__(self, finish: bool = True, gap: bool = True, kickers: bool = True, canonical: bool = True, ranges: bool = True, control: bool = True, raised: bool = True, raised_cards: int = 12, staged: bool = False) -> None: ...

class JudgeMaker:
    """Makes judges that tell a proof where to look first."""

    def knows(self, players: int) -> bool: ...

class ProofSettings:
    """How a guided proof works; results do not depend on it."""

    def __init__(self, leaf_nodes: int = 500, trust: float = 3.5, least: float = 9.999999747378752e-05, others: float = 0.30000001192092896, card: float = 0.10000000149011612) -> None: ...

class Ask(enum.Enum):
    """What a solution must tell."""

    FIRST = 0
    """The first winning move in root order."""

    ANY = 1
    """The winning move found first."""

    ALL = 2
    """The verdict of every move."""

class Stop(enum.Enum):
    """Why something that was asked is not known."""

    NONE = 0
    """All of it is."""

    MEMORY = 1

    NODES = 2

    TIME = 3

    CANCELLED = 4

class Result:
    """What the solver found out."""

    @property
    def landlord_wins(self) -> bool | None:
        """None: not proved."""

    @property
    def moves(self) -> list[tuple[mingpai._native.doudizhu.Move, bool | None]]:
        """
        Every legal move in the order tried, and whether it wins for the side to move (None: not known).
        """

    @property
    def lines(self) -> list[list[tuple[int, mingpai._native.doudizhu.Move]]]:
        """
        With values: for every move of `moves` itself and the shortest forced win after it; empty where none was found.
        """

    @property
    def line(self) -> list[tuple[int, mingpai._native.doudizhu.Move]]:
        """Seats and moves of one line: the winners play to win."""

    @property
    def is_line_shortest(self) -> bool:
        """No forced win is shorter."""

    @property
    def stopped_by(self) -> Stop:
        """Why the verdict, or with Ask.ALL a move, is not known."""

    @property
    def nodes(self) -> int: ...

    @property
    def leaves(self) -> int:
        """Leaves of the guided proof; 0 when it was not needed."""

    @property
    def seconds(self) -> float: ...

    @property
    def bytes(self) -> int:
        """Size of the table and the tree at the end."""

def solve(position: Position, rules: mingpai._native.doudizhu.Rules, budget: mingpai._native.core.Budget, ask: Ask = Ask.FIRST, threads: int = 1, memory: int = 268435456, line: bool = True, shortest: bool = False, pruning: Pruning = ..., first_round: int = 100000, judges: JudgeMaker | None = None, short_run: int = 200000, proof: ProofSettings = ..., values: bool = False) -> Result:
    """
    first_round: without judges, nodes for each root move before any gets more and before other threads join. short_run: with judges, nodes of the plain search before the guided proof.
    """

class Engine:
    """Answers many questions about positions that follow from one root."""

    def __init__(self, memory: int = 67108864, judges: JudgeMaker | None = None, pruning: Pruning = ...) -> None: ...

    def prove(self, position: Position, budget: mingpai._native.core.Budget) -> bool | None:
        """Does the landlord win? None when the budget did not suffice."""

    def set_root(self, root: Position, rules: mingpai._native.doudizhu.Rules) -> None:
        """Forgets the last root and everything learnt about it."""

    def landlord_wins(self, position: Position, nodes: int, budget: mingpai._native.core.Budget) -> bool | None:
        """None when so many nodes did not suffice."""

    def only_winning_move(self, position: Position, nodes: int, budget: mingpai._native.core.Budget) -> mingpai._native.doudizhu.Move | None:
        """
        The move that alone wins; None if none or several do, or so many nodes for a move did not suffice.
        """

class Strategy:
    """A winning move for every position the winners can be brought to."""

    @staticmethod
    def build(root: Position, rules: mingpai._native.doudizhu.Rules, landlord_wins: bool, budget: mingpai._native.core.Budget, memory: int = 268435456, max_positions: int = 5000000) -> Strategy | None:
        """None when a limit was reached."""

    @staticmethod
    def read(root: Position, rules: mingpai._native.doudizhu.Rules, landlord_wins: bool, data: bytes) -> Strategy | None:
        """
        None unless the bytes are a winning strategy: reading walks all defences.
        """

    def write(self) -> bytes: ...

    def reply(self, position: Position) -> mingpai._native.doudizhu.Move | None:
        """The winners' move; None where the strategy never comes."""

    def __len__(self) -> int:
        """Positions with a reply."""

class CheckReport:
    """Solver against brute force."""

    @property
    def positions(self) -> int:
        """Roots compared."""

    @property
    def states(self) -> int:
        """Inner states compared."""

    @property
    def skipped(self) -> int:
        """Left out: brute force took too long."""

    @property
    def mismatches(self) -> int: ...

    @property
    def example(self) -> Position:
        """The smallest mismatch."""

def cross_check(players: int, count: int, max_cards: int, seed: int, rules: mingpai._native.doudizhu.Rules, pruning: Pruning, budget: mingpai._native.core.Budget, brute_limit: int = 5000000) -> CheckReport:
    """
    Random positions and states inside them, solved by the search and by brute force.
    """

def brute_force(position: Position, rules: mingpai._native.doudizhu.Rules, limit: int = 5000000) -> bool | None:
    """Does the landlord win? No table, no pruning."""
