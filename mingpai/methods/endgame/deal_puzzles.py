"""Harder levels from whole deals: the landlord against two farmers, in the middle of a deal, one winning move only.

A random deal is played by the rule player. Where the landlord is to move, many cards are left and the solver proves
that exactly one of his moves wins, which is not the one that the rule player makes, the deal becomes a level: the cards
as dealt and the moves so far, so that players who do not see the cards can be asked too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mingpai._native import doudizhu as rules_native
from mingpai._native.core import Budget
from mingpai._native.doudizhu import Rules as NativeRules
from mingpai._native.endgame import Engine, Position
from mingpai.agents.doudizhu_greedy import GreedyAgent
from mingpai.core.agent import NoSettings
from mingpai.core.reading import read_fields
from mingpai.games.doudizhu.moves import PASS
from mingpai.games.doudizhu.notation import cards_text, parse_move
from mingpai.games.doudizhu.rules import rules_of
from mingpai.games.doudizhu.state import SEATS, DoudizhuState, start
from mingpai.methods.endgame.par import Deal
from mingpai.methods.endgame.puzzles import LEAST_MOVES
from mingpai.methods.endgame.shelf import YARDSTICK, Shelf
from mingpai.methods.endgame.solver import DEFAULT_RULES

LANDLORD = 0
LEAST_CARDS = 22
"""Cards left in all hands: with fewer a level is easy."""
LEAST_NODES = 4_096
"""Of the proof: positions that take less are too easy."""
NODES = 300_000
"""For each move: positions with a move that needs more are passed over."""
SOLVER_MEMORY = 128 << 20

LEVELS_FILE = Path(__file__).with_name("deal_levels.jsonl")


@dataclass(frozen=True)
class DealPuzzle:
    """The landlord is to move in a deal that has begun, and wins with one move only."""

    deck: str
    """The hands as they were dealt, the landlord's 20 cards first."""
    played: str
    """The moves so far, from the landlord's first on, with spaces between."""
    solution: str
    greedy: str
    """What the rule player does, in the shipped levels always something else."""
    moves: int
    """Moves to choose from."""
    cards: int
    """Cards left in all hands."""
    nodes: int
    """Positions that the proof took, counted by the thousand, beside what earlier positions of the deal had shown."""
    rules: str = DEFAULT_RULES

    @property
    def is_greedy_wrong(self) -> bool:
        return self.greedy != self.solution

    def state(self) -> DoudizhuState:
        """The deal at the landlord's move."""
        state = start(self.deck, self.rules, {"landlord": LANDLORD})
        for move in self.played.split():
            state.play(parse_move(move, state))
        return state

    def position(self) -> Position:
        return open_position(self.state())

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "DealPuzzle":
        own = {key: value for key, value in data.items() if key != "level"}
        return read_fields(cls, own, "a level from a deal")


def open_position(state: DoudizhuState) -> Position:
    """What the state is with open cards; seat 0 is the landlord."""
    status = state.native.status
    is_lead = status.last.is_pass or status.owner is None
    hands = [state.hand(seat) for seat in range(SEATS)]
    return Position(hands, status.turn, PASS if is_lead else status.last, 0 if is_lead else int(status.owner or 0))


def new_deal_puzzles(seed: int, rules: str = DEFAULT_RULES) -> Iterator[DealPuzzle]:
    """The deals of a seed, without end, whose first position with one winning move is a trap for the rule player."""
    number = 0
    while True:
        puzzle = puzzle_in(Deal.random(seed, number), rules)
        if puzzle is not None and puzzle.is_greedy_wrong:
            yield puzzle
        number += 1


def puzzle_in(deal: Deal, rules: str = DEFAULT_RULES) -> DealPuzzle | None:
    """The first position with one winning move in the deal as the rule player plays it."""
    hands = deal.position(LANDLORD, LANDLORD).hands
    deck = "/".join(cards_text(hand) for hand in hands) + "/"
    state = start(deck, rules, {"landlord": LANDLORD})
    player = GreedyAgent(NoSettings(), game="doudizhu", spec="greedy", seed=0)
    engine = Engine(SOLVER_MEMORY, pruning=YARDSTICK)
    native_rules = rules_of(rules).native
    engine.set_root(open_position(state), native_rules)
    played: list[str] = []
    while state.to_move is not None:
        move = player.decide(state.view(state.to_move)).move
        puzzle = _puzzle_here(engine, state, native_rules, str(move)) if state.to_move == LANDLORD else None
        if puzzle is not None:
            return DealPuzzle(deck, " ".join(played), rules=rules, **puzzle)
        played.append(str(move))
        state.play(move)
    return None


def _puzzle_here(engine: Engine, state: DoudizhuState, rules: NativeRules, greedy: str) -> dict[str, Any] | None:
    position = open_position(state)
    cards = sum(rules_native.card_count(hand) for hand in position.hands)
    moves = position.legal_moves(rules)
    if cards < LEAST_CARDS or len(moves) < LEAST_MOVES or any(move.cards == position.hands[0] for move in moves):
        return None
    budget = Budget()
    solution = engine.only_winning_move(position, NODES, budget)
    if solution is None or budget.used < LEAST_NODES:
        return None
    return {
        "solution": str(solution), "greedy": greedy, "moves": len(moves), "cards": cards, "nodes": budget.used,
    }  # fmt: skip


def by_proof(levels: Sequence[DealPuzzle]) -> list[DealPuzzle]:
    """Easiest proof first, the order of the shipped levels."""
    return sorted(levels, key=lambda puzzle: puzzle.nodes)


SHELF = Shelf(LEVELS_FILE, DealPuzzle.from_json)


def deal_levels() -> Sequence[DealPuzzle]:
    """The levels from whole deals that come with the package, level 1 first."""
    return SHELF.levels
