"""Algorithm 2 of the paper, to the letter: equity against three thresholds, after the special cases.

    adjust the thresholds to the scenario
    if the case is special: return its action
    below `call`: check or fold; below `half`: check or call; below `pot`: bet half a pot; else a pot

The paper prints two thresholds only: 70% to call a raise in a two-player pot and 55% in a three-player pot. We read the
70% as a raise made again after the flop, and take the ratio of the two for each player more. The rest of the table was
found by matches against the seven styles on decks of their own (`experiments/fold_thresholds.py`, and by the hands:
NOTES.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mingpai.methods.handreading.table import LEAST_OUTS, OwnTable, chance_to_improve, is_speculative

Facing = Literal["limped", "open", "raised", "reraised", "unbet", "bet", "overbet", "bet again"]
"""What is faced. Before the flop: nothing after limps, the blind, one raise, more; after it: nothing, a bet of up to a
pot, a larger one, a raise after a bet."""
Action = Literal["fold", "check", "call", "half pot", "pot", "all-in"]
Special = Literal["", "push or fold", "deep speculation", "draw", "very large bet"]

NEVER = 9.0
"""A threshold that no equity reaches."""


@dataclass(frozen=True)
class Thresholds:
    """Equity that each action needs, in a pot of two players."""

    call: float
    half: float
    pot: float

    def scaled(self, by: float) -> "Thresholds":
        return Thresholds(self.call * by, self.half * by, self.pot * by)


Book = tuple[Mapping[Facing, Thresholds], ...]
"""Thresholds for tournaments by street and what is faced."""
PREFLOP: Mapping[Facing, Thresholds] = {
    "limped": Thresholds(0.0, 0.60, 0.874),
    "open": Thresholds(0.40, 0.60, 0.874),
    "raised": Thresholds(0.40, 0.74, 0.874),
    "reraised": Thresholds(0.42, 0.74, 0.874),
}
POSTFLOP: Mapping[Facing, Thresholds] = {
    "unbet": Thresholds(0.0, 0.42, 0.90),
    "bet": Thresholds(0.30, 0.75, 0.90),
    "overbet": Thresholds(0.70, 0.85, 0.95),
    "bet again": Thresholds(0.70, 0.85, 0.95),
}
FLOP: Mapping[Facing, Thresholds] = {**POSTFLOP, "unbet": Thresholds(0.0, 0.36, 0.90)}
BOOK: Book = (PREFLOP, FLOP, POSTFLOP, POSTFLOP)

FAIR_PRICE = 0.25
"""Price of a bet of half a pot, for which the calls after the flop are written; dearer bets need as much more."""
MORE_PLAYERS = 0.55 / 0.70
"""What a further player makes of every threshold: the paper's 70% in a pot of two, 55% in a pot of three."""
CASH = 1 / 1.04**2
"""Thresholds to enter and to bet a pot are lower in a cash game than in a tournament."""
PUSH = 0.50
"""Equity to push with a short stack."""
SHORT_STACK, DEEP_STACK = 10.0, 80.0
"""Big blinds: below the first push or fold, above the second speculative hands call."""
SPECULATION = 0.10
"""A deep stack risks at most this share of itself on a speculative call."""
OVERBET = 1.0
"""A bet of more than this many pots is very large: only a raise's equity calls it."""
IMPLIED = 0.35
"""Share of the chips behind, a pot of them at most, that a draw wins when it comes in."""


def facing_of(table: OwnTable) -> Facing:
    """What the decision faces."""
    if table.street == 0:
        if table.raises == 0:
            return "open" if table.cost > 0 else "limped"
        return "raised" if table.raises == 1 else "reraised"
    if table.cost <= 0:
        return "unbet"
    if table.cost > OVERBET * (table.pot - table.cost):
        return "overbet"
    return "bet" if table.raises <= 1 else "bet again"


def thresholds(table: OwnTable, tournament: bool = True, book: Book = BOOK) -> Thresholds:
    """The paper's AdjustThrAccordingToScenario: by street, what is faced, price, players and kind of game."""
    facing = facing_of(table)
    limits = book[table.street][facing]
    if facing in ("bet", "bet again"):
        limits = Thresholds(limits.call + table.price - FAIR_PRICE, limits.half, limits.pot)
    limits = limits.scaled(MORE_PLAYERS ** max(len(table.live) - 1, 0))
    if tournament:
        return limits
    call = limits.call * (CASH if table.street == 0 else 1.0)
    return Thresholds(call, limits.half, limits.pot * CASH)


def special_of(table: OwnTable, drawn: int) -> Special:
    """The paper's isSpecial."""
    if table.street == 0 and table.depth < SHORT_STACK:
        return "push or fold"
    if table.street == 0 and table.depth > DEEP_STACK and is_speculative(table.hand):
        return "deep speculation"
    if drawn >= LEAST_OUTS:
        return "draw"
    if table.street > 0 and table.cost > OVERBET * (table.pot - table.cost):
        return "very large bet"
    return ""


def special_action(special: Special, table: OwnTable, equity: float, limits: Thresholds, drawn: int) -> Action | None:
    """The paper's getSpecialAction; None where the thresholds decide after all."""
    free: Action = "check" if table.cost <= 0 else "fold"
    if special == "push or fold":
        push: Action = "all-in" if table.can_raise else "call"
        return push if equity >= PUSH * MORE_PLAYERS ** max(len(table.live) - 1, 0) else free
    if special == "deep speculation" and equity < limits.half and table.cost <= SPECULATION * table.stack:
        return "check" if table.cost <= 0 else "call"
    if special == "draw" and equity < limits.call and draw_value(table, drawn) > 0:
        return "call"
    if special == "very large bet" and table.cost > 0:
        return "call" if equity >= limits.call else "fold"
    return None


def draw_value(table: OwnTable, drawn: int) -> float:
    """What calling with a draw wins, in chips: the pot and some of what is behind when it comes, else the call is lost.

    As in the paper the hands of the others no longer matter: the draw wins when one of its outs comes.
    """
    cost = min(table.cost, table.stack)
    left = min(table.stack - cost, max((table.stacks[seat] for seat in table.live), default=0.0))
    chance = chance_to_improve(table, drawn)
    return chance * (table.pot + IMPLIED * min(left, table.pot + cost)) - (1 - chance) * cost


def by_thresholds(table: OwnTable, equity: float, limits: Thresholds) -> Action:
    """The last steps of algorithm 2."""
    if equity < limits.call:
        return "check" if table.cost <= 0 else "fold"
    if equity < limits.half or not table.can_raise:
        return "check" if table.cost <= 0 else "call"
    return "half pot" if equity < limits.pot else "pot"


def total_of(action: Action, table: OwnTable) -> float:
    """The total for the street that a raise names: half a pot or a pot after calling; nearly everything is all-in."""
    share = {"half pot": 0.5, "pot": 1.0}.get(action)
    if share is None:
        return table.max_to
    to = table.in_chips(table.bet + share * (table.pot + table.cost))
    return table.max_to if to >= 0.75 * table.max_to else to
