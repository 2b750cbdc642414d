"""Puzzles: two-handed open positions with exactly one winning first move, graded and verified.

The grade is a score of three things: the size of the proof (what a machine must look at), its length (how far a person
must see), and the lure of the losing moves (how many look more natural than the winning one, and whether the greedy
player goes wrong). `Puzzle.score` has the formula, `GRADE_LIMITS` the cuts.
"""

import itertools
import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mingpai._native import doudizhu as rules_native
from mingpai._native.core import Budget
from mingpai._native.endgame import Ask, Engine, Position
from mingpai._native.ruleplay import Situation, heuristic_player
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.core.errors import BadSetting
from mingpai.core.random import Rng, stream
from mingpai.core.reading import read_fields
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.notation import cards_text, parse_cards
from mingpai.games.doudizhu.rules import Rules, rules_of
from mingpai.methods.endgame.shelf import YARDSTICK, Shelf
from mingpai.methods.endgame.solver import DEFAULT_RULES, Solution, solve_position

DIFFICULTIES = range(1, 6)

HAND_SIZES: Mapping[int, tuple[int, int]] = {1: (5, 8), 2: (7, 10), 3: (8, 12), 4: (10, 13), 5: (11, 14)}
"""Fewest and most cards of a hand that are tried for a difficulty."""

GRADE_LIMITS = (14.0, 18.0, 22.0, 26.0)
"""Scores at which difficulty 2, 3, 4 and 5 begin."""

PLY_WEIGHT, LURE_WEIGHT, GREEDY_WEIGHT = 0.4, 0.7, 2.0

LEAST_MOVES = 4
"""First moves that a puzzle must offer."""

MOST_NODES = 2_000_000
"""Deals with a first move that needs more are passed over."""

LEVELS_FILE = Path(__file__).with_name("levels.jsonl")
LEVELS_OF_DIFFICULTY: Mapping[int, int] = {1: 16, 2: 28, 3: 36, 4: 36, 5: 24}
"""How many of the shipped levels have each difficulty."""

LEAST_GREEDY_ERRORS = 0.95
"""Share of the shipped levels from difficulty 2 on in which the greedy player must go wrong; half of the easiest."""


@dataclass(frozen=True)
class Puzzle:
    """The landlord leads and wins, with one first move only."""

    landlord: str
    farmer: str
    solution: str
    """The only winning first move."""
    greedy: str
    """What the greedy player leads."""
    moves: int
    """First moves to choose from."""
    lures: int
    """Losing first moves that the solver's order of moves, which prefers natural ones, puts before the solution."""
    plies: int
    """Length of the solver's line, passes counted."""
    nodes: int
    """Positions the proof that all other first moves lose took, on one thread."""
    rules: str = DEFAULT_RULES

    @property
    def score(self) -> float:
        """Doublings of the proof, plus length, plus lures."""
        size = math.log2(max(self.nodes, 1))
        lure = LURE_WEIGHT * self.lures + GREEDY_WEIGHT * self.is_greedy_wrong
        return size + PLY_WEIGHT * self.plies + lure

    @property
    def difficulty(self) -> int:
        """1 to 5."""
        return 1 + sum(self.score >= limit for limit in GRADE_LIMITS)

    @property
    def is_greedy_wrong(self) -> bool:
        return self.greedy != self.solution

    def position(self) -> Position:
        return Position([parse_cards(self.landlord), parse_cards(self.farmer)])

    def to_json(self) -> dict[str, Any]:
        return {"difficulty": self.difficulty, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Puzzle":
        own = {key: value for key, value in data.items() if key not in ("difficulty", "level")}
        return read_fields(cls, own, "a puzzle")


def new_puzzles(
    difficulty: int, seed: int, rules: str = DEFAULT_RULES, stop: threading.Event | None = None
) -> Iterator[Puzzle]:
    """Puzzles of a difficulty, no two alike, without end or until another thread says stop. The same seed gives the
    same puzzles."""
    if difficulty not in DIFFICULTIES:
        raise BadSetting("difficulty", difficulty, "1 to 5")
    rng = stream(seed, "puzzle", difficulty)
    rule_set = rules_of(rules)
    seen: set[tuple[str, str]] = set()
    while stop is None or not stop.is_set():
        puzzle = puzzle_of(random_deal(rng, *HAND_SIZES[difficulty]), rule_set)
        if puzzle is None or puzzle.difficulty != difficulty or (puzzle.landlord, puzzle.farmer) in seen:
            continue
        seen.add((puzzle.landlord, puzzle.farmer))
        yield puzzle


def puzzle_of(position: Position, rules: Rules) -> Puzzle | None:
    """The position as a puzzle; None unless exactly one first move of several wins, and not at once."""
    moves = position.legal_moves(rules.native)
    if len(moves) < LEAST_MOVES or any(move.cards == position.hands[0] for move in moves):
        return None
    engine = _engines.engine
    engine.set_root(position, rules.native)
    if engine.only_winning_move(position, MOST_NODES, Budget()) is None:
        return None
    return _graded(position, rules, solve_position(position, rules, ask=Ask.ALL, threads=1, pruning=YARDSTICK))


class _Engines(threading.local):
    """Each thread keeps one: most deals are no puzzles and cost little more than the memory they are solved in."""

    def __init__(self) -> None:
        self.engine = Engine(pruning=YARDSTICK)


_engines = _Engines()


def _graded(position: Position, rules: Rules, solution: Solution) -> Puzzle:
    order = [move for move, _ in solution.moves]
    (winner,) = solution.winning_moves
    landlord, farmer = position.hands
    return Puzzle(
        landlord=cards_text(landlord),
        farmer=cards_text(farmer),
        solution=str(winner),
        greedy=str(greedy_lead(landlord, farmer, rules)),
        moves=len(order),
        lures=order.index(winner),
        plies=len(solution.line),
        nodes=solution.nodes,
        rules=rules.name,
    )


def greedy_lead(landlord: int, farmer: int, rules: Rules) -> Move:
    """What the greedy player leads. He knows three-handed play, so he sits with a second farmer of as many cards."""
    mate = second_farmer(landlord, farmer)
    first, second, third = (rules_native.card_count(hand) for hand in (landlord, farmer, mate))
    counts = (first, second, third)
    situation = Situation(rules.native, 0, landlord, counts, 0, landlord + farmer + mate, [])
    return heuristic_player(rules.native, tuned_weights()).move(situation)


def second_farmer(landlord: int, farmer: int) -> int:
    """The lowest cards that are left, as many as the farmer's: a mate for players who know three-handed play only."""
    return _take(rules_native.FULL_DECK - landlord - farmer, rules_native.card_count(farmer))


def random_deal(rng: Rng, fewest: int, most: int) -> Position:
    """Two hands from a shuffled deck, the sizes drawn alike."""
    sizes = [int(size) for size in rng.integers(fewest, most + 1, 2)]
    deck = [rank for rank in range(15) for _ in range(rules_native.FULL_DECK >> (4 * rank) & 15)]
    order = [deck[int(index)] for index in rng.permutation(len(deck))]
    hands = (order[: sizes[0]], order[sizes[0] : sum(sizes)])
    return Position([sum(1 << (4 * rank) for rank in hand) for hand in hands])


def make_levels(seed: int) -> list[Puzzle]:
    """The shipped levels: easy ones first, mostly traps for the greedy player."""
    levels: list[Puzzle] = []
    for difficulty, wanted in LEVELS_OF_DIFFICULTY.items():
        plain = wanted - math.ceil(wanted * (LEAST_GREEDY_ERRORS if difficulty > 1 else 0.5))
        chosen: list[Puzzle] = []
        for puzzle in new_puzzles(difficulty, seed):
            if puzzle.is_greedy_wrong or sum(not level.is_greedy_wrong for level in chosen) < plain:
                chosen.append(puzzle)
            if len(chosen) == wanted:
                break
        levels += sorted(chosen, key=lambda puzzle: puzzle.score)
    return levels


SHELF = Shelf(LEVELS_FILE, Puzzle.from_json)


def levels() -> Sequence[Puzzle]:
    """The levels shipped with the package, level 1 first."""
    return SHELF.levels


def take(difficulty: int, count: int, seed: int, rules: str = DEFAULT_RULES) -> list[Puzzle]:
    """The first puzzles of a seed."""
    return list(itertools.islice(new_puzzles(difficulty, seed, rules), count))


def _take(cards: int, count: int) -> int:
    """The lowest `count` of the cards."""
    out = 0
    for rank in range(15):
        taken = min(cards >> (4 * rank) & 15, count)
        out += taken << (4 * rank)
        count -= taken
    return out
