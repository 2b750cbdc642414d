"""Exact solutions of open positions: who wins, with which moves, by which line.

The search is native (`native/endgame`); this is its face: positions from notation, limits, Ctrl-C, results as data.
"""

import functools
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from mingpai._native import doudizhu as rules_native
from mingpai._native import endgame as native
from mingpai._native.core import Budget
from mingpai._native.doudizhu import Type
from mingpai._native.endgame import Ask, JudgeMaker, Position, Pruning, Stop
from mingpai.core.errors import Ambiguous, BadlyWritten, BadSetting
from mingpai.games.doudizhu.moves import PASS, Move
from mingpai.games.doudizhu.notation import PASSES, ROLES, parse_cards, parse_readings
from mingpai.games.doudizhu.rules import TYPE_NAMES, Rules, rules_of

DEFAULT_RULES = "douzero"
"""Permissive kickers, as in the public puzzles."""

MEBIBYTE = 1 << 20
DEFAULT_MEMORY = 256
"""Mebibytes."""
LEAST_MEMORY = 16

MOST_THREADS = 2
"""Threads that are used unless more are asked for, where the machine has them. They join after the short first run."""

THREAD_LIMIT = 64

JUDGE = "doudizhu-judge"
"""The network that guides proofs of large positions. What is proved does not depend on it."""
JUDGE_FEATURES = ("doudizhu-open-3", "doudizhu-open-2")
"""Layouts that it may have: they differ in what doubles, which does not matter here."""
JUDGED_CARDS = 27
"""Cards of a three-handed position from which the judge is loaded: smaller ones are solved before it could help."""

TWO_SEATS = ("landlord", "farmer")
"""Seats of a two-handed position. A three-handed one has landlord, down, up."""

_TRIPLE_SINGLES = (Type.TRIPLE_SINGLE, Type.AIRPLANE_SINGLES)
_TRIPLE_PAIRS = (Type.TRIPLE_PAIR, Type.AIRPLANE_PAIRS)
_FOUR_SINGLES = (Type.FOUR_SINGLES, Type.FOUR_STRAIGHT_SINGLES)
_FOUR_PAIRS = (Type.FOUR_PAIRS, Type.FOUR_STRAIGHT_PAIRS)
BANS: dict[str, tuple[Type, ...]] = {
    "31": _TRIPLE_SINGLES,
    "3+1": _TRIPLE_SINGLES,
    "32": _TRIPLE_PAIRS,
    "3+2": _TRIPLE_PAIRS,
    "421": _FOUR_SINGLES,
    "4+2": _FOUR_SINGLES,
    "422": _FOUR_PAIRS,
    "4+2+2": _FOUR_PAIRS,
}
"""What a puzzle may forbid, with the types of moves that go."""

T = TypeVar("T")


@dataclass(frozen=True)
class Solution:
    """What was proved of a position."""

    position: Position
    rules: Rules
    landlord_wins: bool | None
    """None: not proved within the limits."""
    moves: Sequence[tuple[Move, bool | None]]
    """Every legal first move in the order tried; whether it wins for the side to move, None if not known."""
    line: Sequence[tuple[int, Move]]
    """Seats and moves of one line of play: the winners play to win, the losers as the solver would try first."""
    is_line_shortest: bool
    """The line is a shortest forced win, passes counted, against the longest defence."""
    nodes: int
    seconds: float
    stopped_by: Stop = Stop.NONE
    """Why the verdict, or one of the moves where all were asked for, is not known."""
    lines: Sequence[Sequence[tuple[int, Move]]] = ()
    """With values: for each of `moves` itself and the shortest forced win after it; empty where none was found."""

    @property
    def values(self) -> list[int | None]:
        """For each of `moves` 100 if it wins for the side to move, 0 if it loses, None if not known."""
        return [None if wins is None else 100 * wins for _, wins in self.moves]

    @property
    def turns(self) -> list[int | None]:
        """For each of `moves` how many moves, passes counted, the winners' shortest win takes; None if not known."""
        return [len(line) or None for line in self.lines]

    @property
    def is_proved(self) -> bool:
        return self.landlord_wins is not None

    @property
    def winning_moves(self) -> list[Move]:
        """The first moves known to win for the side to move."""
        return [move for move, wins in self.moves if wins]

    @property
    def losing_moves(self) -> list[Move]:
        """The first moves known to lose."""
        return [move for move, wins in self.moves if wins is False]

    @property
    def open_moves(self) -> list[Move]:
        """The first moves of which nothing is known."""
        return [move for move, wins in self.moves if wins is None]

    def to_json(self) -> dict[str, Any]:
        names = seat_names(self.position)
        return {
            "proved": self.is_proved,
            "landlord_wins": self.landlord_wins,
            "turn": names[self.position.turn],
            "winning_moves": [str(move) for move in self.winning_moves],
            "losing_moves": [str(move) for move in self.losing_moves],
            "open_moves": [str(move) for move in self.open_moves],
            "line": [[names[seat], str(move)] for seat, move in self.line],
            "shortest": self.is_line_shortest,
            "stopped_by": None if self.stopped_by == Stop.NONE else self.stopped_by.name.lower(),
            **({"values": self._values_json(names)} if self.lines else {}),
            "rules": self.rules.name,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }

    def _values_json(self, names: Sequence[str]) -> list[dict[str, Any]]:
        rows = zip(self.moves, self.values, self.turns, self.lines, strict=True)
        return [
            {"move": str(move), "value": value, "turns": turns, "line": [[names[seat], str(m)] for seat, m in line]}
            for (move, _), value, turns, line in rows
        ]


def default_threads() -> int:
    """Two where the machine has them."""
    return min(MOST_THREADS, os.cpu_count() or 1)


@functools.lru_cache(maxsize=1)
def shipped_judges() -> JudgeMaker:
    """The judges that come with the package."""
    from mingpai._native.mcm import Network, OpenJudges
    from mingpai.models.loader import load

    features, *older = JUDGE_FEATURES
    return OpenJudges(Network(load(JUDGE, game="doudizhu", features=features, older=older).weights()))


def judges_for(position: Position) -> JudgeMaker | None:
    """The judges that guide proofs of the position; None where they would not help."""
    cards = sum(rules_native.card_count(hand) for hand in position.hands)
    return shipped_judges() if position.players > len(TWO_SEATS) and cards >= JUDGED_CARDS else None


def solve(
    landlord: str,
    farmer: str | None = None,
    *,
    down: str | None = None,
    up: str | None = None,
    turn: str = "landlord",
    last: str = "",
    by: str = "",
    all_moves: bool = False,
    any_move: bool = False,
    ban: Iterable[str] = (),
    rules: str = DEFAULT_RULES,
    shortest: bool = False,
    seconds: float = 0.0,
    memory: int = DEFAULT_MEMORY,
    threads: int | None = None,
    values: bool = False,
    judge: bool = True,
    budget: Budget | None = None,
) -> Solution:
    """Solve a position given in notation: `solve("4667788QK2", "334455QK2")`, or with `down` and `up` three-handed.

    `last` and `by` give the move to beat and who made it. `values` also finds the shortest win after every first move.
    `threads` are two by default, where the machine has them; `judge=False` proves without the network, which only says
    where to look first. Limits: `seconds` (0: none) and `memory` in mebibytes; or a
    `budget`, which another thread can cancel.
    """
    rule_set = rules_with_bans(rules, ban)
    position = read_position(landlord, farmer, down, up, turn, last, by, rule_set)
    ask = Ask.ALL if all_moves else Ask.ANY if any_move else Ask.FIRST
    return solve_position(
        position, rule_set, ask=ask, shortest=shortest, seconds=seconds, memory=memory, threads=threads, values=values,
        judge=judge, budget=budget,
    )  # fmt: skip


def solve_position(
    position: Position,
    rules: Rules,
    *,
    ask: Ask = Ask.FIRST,
    line: bool = True,
    shortest: bool = False,
    seconds: float = 0.0,
    memory: int = DEFAULT_MEMORY,
    threads: int | None = None,
    values: bool = False,
    judge: bool = True,
    budget: Budget | None = None,
    pruning: Pruning | None = None,
) -> Solution:
    """Solve a native position. Ctrl-C ends the search and keeps what it has proved."""
    check_position(position, rules)
    size = memory_bytes(memory)
    workers = default_threads() if threads is None else threads
    if not 1 <= workers <= THREAD_LIMIT:
        raise BadSetting("threads", workers, f"1 to {THREAD_LIMIT}")
    spent = Budget(seconds) if budget is None else budget
    judges = judges_for(position) if judge else None
    asked = Ask.ALL if values else ask
    result = interruptible(
        lambda: native.solve(
            position,
            rules.native,
            spent,
            asked,
            workers,
            size,
            line,
            shortest,
            pruning or Pruning(),
            judges=judges,
            values=values,
        ),
        spent,
    )
    return Solution(
        position=position,
        rules=rules,
        landlord_wins=result.landlord_wins,
        moves=result.moves,
        line=result.line,
        is_line_shortest=result.is_line_shortest,
        nodes=result.nodes,
        seconds=result.seconds,
        stopped_by=result.stopped_by,
        lines=result.lines if values else (),
    )


def interruptible(work: Callable[[], T], budget: Budget) -> T:
    """Do native work in a thread, so that Ctrl-C here cancels its budget and still gets its result."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    results: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=run, daemon=True).start()
    while not done.is_set():
        try:
            done.wait()
        except KeyboardInterrupt:
            budget.cancel()
    if errors:
        raise errors[0]
    return results[0]


def seat_names(position: Position) -> Sequence[str]:
    """What the seats of a position are called."""
    return TWO_SEATS if position.players == len(TWO_SEATS) else ROLES


def rules_with_bans(rules: str, bans: Iterable[str]) -> Rules:
    """A rule profile without the banned types of moves."""
    name = rules
    for ban in bans:
        if ban not in BANS:
            raise BadSetting("ban", ban, f"one of {', '.join(BANS)}")
        for type_ in BANS[ban]:
            suffix = f"-{TYPE_NAMES[type_]}"
            if rules_of(name).native.allows(type_):
                name += suffix
    return rules_of(name)


def read_position(
    landlord: str,
    farmer: str | None,
    down: str | None,
    up: str | None,
    turn: str,
    last: str,
    by: str,
    rules: Rules,
) -> Position:
    """A position from notation. Raises BadlyWritten."""
    texts = [landlord, farmer] if farmer is not None else [landlord, down, up]
    if None in texts or (farmer is not None and (down is not None or up is not None)):
        given = " ".join(hand for hand in (landlord, farmer, down, up) if hand is not None)
        raise BadlyWritten(given, "a landlord and one farmer, or landlord, down and up")
    hands = [parse_cards(str(text)) for text in texts]
    names = TWO_SEATS if farmer is not None else ROLES
    move, owner = PASS, 0
    if last.strip() and last.strip().lower() not in PASSES:
        readings = parse_readings(last, rules.native)
        if len(readings) > 1:
            raise Ambiguous(last, [str(reading) for reading in readings])
        if not readings:
            raise BadlyWritten(last, f"a move under the rules {rules.name}")
        move, owner = readings[0], _seat(by, names, "by")
    position = Position(hands, _seat(turn, names, "turn"), move, owner)
    check_position(position, rules)
    return position


def check_position(position: Position, rules: Rules) -> None:
    """Raise BadlyWritten unless the position can occur."""
    fault = position.find_fault(rules.native)
    if fault is not None:
        raise BadlyWritten(position_text(position), fault)


def memory_bytes(memory: int) -> int:
    """Mebibytes as bytes; BadSetting when they are too few to work with."""
    if memory < LEAST_MEMORY:
        raise BadSetting("memory", memory, f"at least {LEAST_MEMORY} (mebibytes)")
    return memory * MEBIBYTE


def position_text(position: Position) -> str:
    """The hands from the landlord on, then the seat to move and what it must beat."""
    from mingpai.games.doudizhu.notation import cards_text

    names = seat_names(position)
    text = " ".join(cards_text(hand) for hand in position.hands)
    if position.turn:
        text += f" turn {names[position.turn]}"
    if not position.last.is_pass:
        text += f" last {position.last} by {names[position.last_by]}"
    return text


def _seat(name: str, names: Sequence[str], what: str) -> int:
    word = name.strip().lower()
    if word not in names:
        raise BadlyWritten(name, f"{what}: one of {', '.join(names)}")
    return names.index(word)
