"""An open endgame walked against the solver: the person plays one side, proofs answer for the other."""

from collections.abc import Sequence
from dataclasses import dataclass

from mingpai._native.doudizhu import card_count
from mingpai._native.endgame import Ask, Position
from mingpai.core.errors import Ambiguous, IllegalHere, MingpaiError
from mingpai.core.reasons import Reason
from mingpai.games.doudizhu.moves import PASS, Move
from mingpai.games.doudizhu.notation import PASSES, cards_text, parse_readings
from mingpai.games.doudizhu.rules import Rules
from mingpai.methods.endgame.solver import Solution, check_position, seat_names, solve_position

LANDLORD = 0
SOLVE_SECONDS = 10.0
"""Time for one proof."""
LINE_SECONDS = 2.0
"""Time to look for the longest defence."""
MEMORY = 192
"""Mebibytes for one proof."""


@dataclass(frozen=True)
class Step:
    """A move of the walk."""

    seat: int
    move: Move
    before: Position


class Walk:
    """A line of play from an open position; the person can go back to any point of it."""

    def __init__(self, start: Position, rules: Rules, *, is_landlord: bool) -> None:
        check_position(start, rules)
        self.start = start
        self.rules = rules
        self.is_landlord = is_landlord
        """The side of the person: the landlord, or the farmers."""
        self.steps: list[Step] = []
        self.position = start
        self._known: dict[int, Solution] = {}

    @property
    def names(self) -> Sequence[str]:
        return seat_names(self.start)

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    @property
    def is_mine(self) -> bool:
        """Whether the person is to move."""
        return not self.is_over and (self.position.turn == LANDLORD) is self.is_landlord

    @property
    def is_won(self) -> bool:
        """Whether the person's side has won."""
        return self.is_over and self.position.has_landlord_won is self.is_landlord

    def play(self, text: str) -> None:
        """The move written in `text`. Raises BadlyWritten, IllegalHere or Ambiguous."""
        legal = self.position.legal_moves(self.rules.native)
        if text.strip().lower() in PASSES:
            if self.position.last.is_pass:
                raise IllegalHere(text, Reason("doudizhu.must_lead"))
            self.make(PASS)
            return
        readings = parse_readings(text, self.rules.native)
        moves = [move for move in readings if move in legal]
        if len(moves) > 1:
            raise Ambiguous(text, [str(move) for move in moves])
        if not moves:
            raise IllegalHere(text, self._why_not(text, readings))
        self.make(moves[0])

    def _why_not(self, text: str, readings: Sequence[Move]) -> Reason:
        if not readings:
            return Reason("doudizhu.no_combination", {"cards": text.strip(), "rules": self.rules.name})
        hand, cards = self.position.hands[self.position.turn], readings[0].cards
        if any(cards >> shift & 15 > hand >> shift & 15 for shift in range(0, 60, 4)):
            return Reason("doudizhu.not_held", {"cards": text.strip(), "hand": cards_text(hand)})
        return Reason("doudizhu.does_not_beat", {"last": str(self.position.last)})

    def make(self, move: Move) -> None:
        """A legal move of the seat to move."""
        self.steps.append(Step(self.position.turn, move, self.position))
        self.position = self.position.after(move)

    def back_to(self, number: int) -> None:
        """The position before step `number`, counted from 0."""
        if 0 <= number < len(self.steps):
            self.position = self.steps[number].before
            del self.steps[number:]
            self._known = {depth: solution for depth, solution in self._known.items() if depth <= number}

    def take_back(self) -> None:
        """Back to the person's last decision."""
        mine = [n for n, step in enumerate(self.steps) if (step.seat == LANDLORD) is self.is_landlord]
        if not mine:
            raise MingpaiError("there is nothing to take back")
        self.back_to(mine[-1])

    def solution(self) -> Solution:
        """What is proved of the position now: every move of it."""
        depth = len(self.steps)
        if depth not in self._known:
            self._known[depth] = prove(self.position, self.rules)
        return self._known[depth]

    def reply(self) -> Move:
        """The other side's move."""
        return best_reply(self.position, self.rules)

    def cards_left(self) -> list[int]:
        """Cards in each hand."""
        return [card_count(hand) for hand in self.position.hands]


def prove(position: Position, rules: Rules) -> Solution:
    """What can be proved of a position within the time of one move of a walk: every move of it."""
    return solve_position(position, rules, ask=Ask.ALL, memory=MEMORY, seconds=SOLVE_SECONDS)


def best_reply(position: Position, rules: Rules) -> Move:
    """A move that wins, or the longest defence that was found in time."""
    moves = position.legal_moves(rules.native)
    if len(moves) == 1:
        return moves[0]
    solution = prove(position, rules)
    if solution.winning_moves or not solution.is_proved:
        return solution.line[0][1] if solution.line else moves[0]
    longest = solve_position(position, rules, shortest=True, seconds=LINE_SECONDS, memory=MEMORY)
    line = longest.line or solution.line
    return line[0][1] if line else moves[0]
