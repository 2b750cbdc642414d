"""The truth line of a game: who wins with open cards at each of its positions, and which moves gave a win away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mingpai._native.core import Budget
from mingpai._native.endgame import Engine, Position
from mingpai.core.errors import BadlyWritten
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.rules import Rules
from mingpai.games.doudizhu.state import SEATS, DoudizhuState
from mingpai.methods.endgame.solver import (
    DEFAULT_MEMORY,
    check_position,
    interruptible,
    judges_for,
    memory_bytes,
    seat_names,
)

LANDLORD = 0


@dataclass(frozen=True)
class TruthPoint:
    """A position of the game and the move that was played in it."""

    position: Position
    move: Move
    landlord_wins: bool | None
    """Before the move, with best play of all; None: not proved within the limits."""
    is_mistake: bool
    """The mover's side was winning before the move and is not any more."""


def truth_line(
    start: Position,
    moves: Sequence[Move],
    rules: Rules,
    *,
    seconds: float = 0.0,
    memory: int = DEFAULT_MEMORY,
    judge: bool = True,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[TruthPoint]:
    """Every position of a game from `start`, its last position first, with one table for all.

    A move that keeps a win proves the position before it, so only the others are searched. `progress` hears how many
    positions are done, and of how many. Limits are for the whole line: `seconds`, or a `budget` that another thread can
    cancel; what is not proved by then is None.
    """
    check_position(start, rules)
    positions = _positions(start, moves, rules)
    engine = Engine(memory_bytes(memory), judges_for(start) if judge else None)
    engine.set_root(start, rules.native)
    spent = Budget(seconds) if budget is None else budget
    last = positions[-1]
    after = last.has_landlord_won if last.is_over else _prove(engine, last, spent)
    points: list[TruthPoint] = []
    for number in reversed(range(len(moves))):
        position = positions[number]
        own_win = position.turn == LANDLORD
        verdict = own_win if after is own_win else _prove(engine, position, spent)
        points.append(TruthPoint(position, moves[number], verdict, verdict is own_win and after is (not own_win)))
        after = verdict
        if progress is not None:
            progress(len(points), len(moves))
    return points[::-1]


def truth_of_deal(
    state: DoudizhuState, *, seconds: float, memory: int = DEFAULT_MEMORY, budget: Budget | None = None
) -> list[TruthPoint]:
    """The truth line of a deal from its first card on; empty where there is none yet."""
    start, plays = state.copy(), [move for _, move in state.moves() if isinstance(move, Move)]
    if not plays:
        return []
    for _ in plays:
        start.undo()
    landlord = start.landlord
    assert landlord is not None
    hands = [start.hand((landlord + role) % SEATS) for role in range(SEATS)]
    return truth_line(Position(hands), plays, start.rule_set, seconds=seconds, memory=memory, budget=budget)


def _prove(engine: Engine, position: Position, budget: Budget) -> bool | None:
    return interruptible(lambda: engine.prove(position, budget), budget)


def _positions(start: Position, moves: Sequence[Move], rules: Rules) -> list[Position]:
    out = [start]
    for move in moves:
        here = out[-1]
        if here.is_over or move not in here.legal_moves(rules.native):
            raise BadlyWritten(str(move), f"a legal move of {seat_names(here)[here.turn]}")
        out.append(here.after(move))
    return out
