"""All levels played to the end: the solver leads as landlord, the farmer defends as long as he can, or at random."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mingpai._native.core import Budget
from mingpai._native.endgame import Engine, Position
from mingpai.core.random import Rng, stream
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.rules import Rules, rules_of
from mingpai.methods.endgame.puzzles import Puzzle
from mingpai.methods.endgame.solver import solve_position

LANDLORD = 0
DEFENCE_NODES = 3_000_000
"""Nodes to find the longest defence of a position; beyond them the farmer plays the solver's first choice."""

Defence = Callable[[Position, Rules, Rng], Move]


def longest_defence(position: Position, rules: Rules, rng: Rng) -> Move:
    """A move after which the landlord's shortest win is longest."""
    solution = solve_position(position, rules, shortest=True, threads=1, budget=Budget(0, DEFENCE_NODES))
    return solution.line[0][1] if solution.line else position.legal_moves(rules.native)[0]


def random_defence(position: Position, rules: Rules, rng: Rng) -> Move:
    """Any legal move."""
    moves = position.legal_moves(rules.native)
    return moves[int(rng.integers(len(moves)))]


DEFENCES: dict[str, Defence] = {"best": longest_defence, "random": random_defence}


@dataclass(frozen=True)
class LevelResult:
    """One level played once."""

    level: int
    difficulty: int
    defence: str
    won: bool
    moves: list[str]
    """Landlord first; passes are written too."""


def run_levels(levels: Sequence[Puzzle], seed: int) -> Iterator[LevelResult]:
    """Every level against every defence."""
    engine = Engine()
    for number, puzzle in enumerate(levels, 1):
        for name, defence in DEFENCES.items():
            yield _play(engine, number, puzzle, name, defence, stream(seed, "levels", name, number))


def _play(engine: Engine, number: int, puzzle: Puzzle, name: str, defence: Defence, rng: Rng) -> LevelResult:
    rules = rules_of(puzzle.rules)
    position = puzzle.position()
    engine.set_root(position, rules.native)
    played: list[str] = []
    while not position.is_over:
        is_own = position.turn == LANDLORD
        move = _winning_move(engine, position, rules) if is_own else defence(position, rules, rng)
        played.append(str(move))
        position = position.after(move)
    return LevelResult(number, puzzle.difficulty, name, position.has_landlord_won, played)


def _winning_move(engine: Engine, position: Position, rules: Rules) -> Move:
    """A move that is proved to win; the first legal one where the landlord has lost the level."""
    moves = position.legal_moves(rules.native)
    for move in moves:
        after = position.after(move)
        if after.has_landlord_won if after.is_over else engine.prove(after, Budget()):
            return move
    return moves[0]
