"""Stage 4 by playing the hand out: each action against the ranges read and the styles learned.

Opponents hold hands from their ranges and act by their styles; oneself goes on by one of several plans, and an action
is worth what it is worth with the best of them (native/handreading/planner). Implied odds are in it: later bets are
played. Values are certainty equivalents, for who has an edge needs no risk.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mingpai._native import handreading as reading
from mingpai._native import holdem as native
from mingpai.agents.holdem_styles import Style
from mingpai.methods.handreading.algorithm2 import SHORT_STACK
from mingpai.methods.handreading.decide import Choice, Option
from mingpai.methods.handreading.family import axis
from mingpai.methods.handreading.foldrates import FoldRates, most_folds, size_step
from mingpai.methods.handreading.hands import COMBOS, Floats
from mingpai.methods.handreading.placing import SEVERAL

NEVER = 2.0
"""A standing that no hand reaches."""

PLANS: Mapping[str, Style] = {
    "give up": Style(limp=0, open=0, call_raise=0, reraise=0, bet=NEVER, raise_at=NEVER, margin=NEVER),
    "check, call": Style(
        limp=1, open=0, call_raise=0.14, reraise=0, caution=0.4, bet=NEVER, raise_at=NEVER, margin=0.03, fear=0.3
    ),
    "call down": Style(limp=1, open=0, call_raise=1, reraise=0, caution=0, bet=NEVER, raise_at=NEVER, margin=-NEVER),
    "value": Style(
        limp=1, open=0, call_raise=0.10, reraise=0.02, caution=0.5, bet=0.62, raise_at=0.82, margin=0.04, fear=0.35,
        size=0.7,
    ),
    "thin value": Style(
        limp=1, open=0, call_raise=0.14, reraise=0.03, caution=0.4, bet=0.54, raise_at=0.75, margin=0, fear=0.3, size=1,
    ),
    "barrel": Style(
        limp=1, open=0, call_raise=0.03, reraise=0.015, bet=0, raise_at=0.85, margin=0.08, fear=0.4, size=0.7
    ),
    "all the chips": Style(
        limp=1, open=1, call_raise=1, reraise=1, caution=0, bet=0.5, raise_at=0.6, margin=-0.05, fear=0.1, size=1.2
    ),
}  # fmt: skip
"""Ways to go on after the action, by name."""

MOST_SHARED = 4
"""Opponents that the hands played out are shared by, at most."""


@dataclass(frozen=True)
class PlanSettings:
    """Numbers of the planner."""

    deals: int = 1024
    """Hands played out against one opponent, at most."""
    risk: float = 0.6
    """Aversion to risk, by fifty big blinds."""

    def deals_against(self, opponents: int) -> int:
        """Hands played out, at most: fewer against several opponents, but a quarter at least."""
        return max(self.deals // min(max(opponents, 1), MOST_SHARED), 1)

    def aversion(self, table: native.Table) -> float:
        """Aversion to risk by chip."""
        return self.risk / (50.0 * max(table.big_blind, 1))


@dataclass(frozen=True)
class Planned:
    """The options of a decision with their values, and how they were found."""

    options: list[Option]
    plans: dict[str, str]
    """Option -> the plan it is best followed by."""
    deals: int


def sizes(table: native.Table) -> list[tuple[str, int]]:
    """Raises to consider, by name and total, none above what anybody can call; short stacks only push."""
    legal = table.legal()
    if not legal.can_raise:
        return []
    seat = table.to_act
    bets, stacks, unit = table.bets, table.stacks, table.rules.unit
    most = max(bets[s] + stacks[s] for s in table.live_seats if s != seat)
    least = min(legal.max_to, -(-legal.min_to // unit) * unit)
    top = min(legal.max_to, max(-(-most // unit) * unit, least))
    bet, pot = table.current_bet, table.pot + legal.call_cost
    if table.street == native.Street.PREFLOP and top < SHORT_STACK * max(table.big_blind, 1):
        return [("push", top)]
    if table.street == native.Street.PREFLOP:
        wanted = _preflop_sizes(table, bet, pot)
    else:
        wanted = [("small", bet + 0.4 * pot), ("three quarters", bet + 0.75 * pot), ("overbet", bet + 1.3 * pot)]
    if top <= bet + ALL_IN_POTS * pot:
        wanted.append(("all-in", top))
    totals: dict[int, str] = {}
    for name, to in wanted:
        bounded = min(max(int(to) // unit * unit, least), top)
        if bounded >= COMMITTED * top:
            bounded, name = top, "all-in"
        totals.setdefault(bounded, name)
    return [(name, to) for to, name in totals.items()]


ALL_IN_POTS = 3.0
"""All-in is considered up to this many pots."""
COMMITTED = 0.7
"""A raise of this share of the chips goes all-in."""


def _preflop_sizes(table: native.Table, bet: int, pot: int) -> list[tuple[str, float]]:
    raises = sum(kind == native.ActionKind.RAISE for _, kind, _ in table.actions)
    callers = sum(kind == native.ActionKind.CALL for _, kind, _ in table.actions)
    if raises == 0:
        blind = max(table.big_blind, 1)
        return [("open", (2.5 + callers) * blind), ("big open", (4 + 1.5 * callers) * blind)]
    return [("small raise", bet + 0.65 * pot), ("pot", bet + 1.1 * pot)]


def plan(
    table: native.Table, ranges: Mapping[int, Floats], styles: Mapping[int, Sequence[reading.Style]],
    board: Sequence[int], settings: PlanSettings, seed: int, plans: Mapping[str, Style] = PLANS,
    rates: Mapping[int, FoldRates] | None = None,
) -> Planned:  # fmt: skip
    """Weigh the actions of the seat to act; ranges, styles and how often players really fold by table seat."""
    legal = table.legal()
    actions: list[tuple[str, Choice, native.ActionKind, int]] = []
    if legal.check:
        actions.append(("check", "check", native.ActionKind.CHECK, 0))
    else:
        actions.append(("fold", "fold", native.ActionKind.FOLD, 0))
    raises = sizes(table)
    pushes = [to for name, to in raises if name == "push"]
    if legal.call and not pushes:
        actions.append(("call", "call", native.ActionKind.CALL, 0))
    actions += [(name, "raise", native.ActionKind.RAISE, to) for name, to in raises]
    rows = np.zeros((table.seats, COMBOS), np.float32)
    for seat, weights in ranges.items():
        rows[seat] = weights
    planned = reading.plan(
        table, rows, axis(tuple(sorted(board)), len(ranges)), [list(styles.get(s, ())) for s in range(table.seats)],
        [style.native for style in plans.values()], [(kind, to) for _, _, kind, to in actions],
        settings.deals_against(len(ranges)), settings.aversion(table), seed,
        [fold_offsets(table, to if choice == "raise" else 0, rates) for _, choice, _, to in actions] if rates else [],
        fold_limits=[fold_limits(table)] * len(actions) if rates else [],
    )  # fmt: skip
    names = list(plans)
    options = [
        Option(choice, float(to), row.value, name=name) if choice != "raise" else
        Option(choice, float(to), row.value, folds=row.folds, name=name, predicted=row.predicted if rates else None)
        for (name, choice, _, to), row in zip(actions, planned.rows, strict=True)
    ]  # fmt: skip
    followed = {name: names[row.plan] for (name, *_), row in zip(actions, planned.rows, strict=True)}
    return Planned(options, followed, planned.deals)


def fold_offsets(table: native.Table, to: int, rates: Mapping[int, FoldRates]) -> list[float]:
    """For each seat, how much more its player folds to a raise to this total than his style says, in log odds."""
    offsets, seat = [0.0] * table.seats, table.to_act
    if to == 0 or seat is None:
        return offsets
    street, raises = _street_and_raises(table)
    pot, is_large = table.pot + to - table.bets[seat], table.seats >= SEVERAL
    for other, known in rates.items():
        cost = min(to - table.bets[other], table.stacks[other])
        if cost > 0:
            step = size_step(street, raises + 1, cost, pot, max(table.big_blind, 1), is_large)
            offsets[other] = known.offset(street, step)
    return offsets


def fold_limits(table: native.Table) -> list[float]:
    """For each seat, the chance of a fold to a raise now above which the style of its player is not believed."""
    street, raises = _street_and_raises(table)
    if street == 0 or raises == 0 or table.seats < SEVERAL:
        return [1.0] * table.seats
    made = zip(table.actions, table.action_streets, strict=True)
    raisers = {who for (who, kind, _), when in made if kind == native.ActionKind.RAISE and when == street}
    return [most_folds(size_step(street, raises + 1, 0, 0, 1, True), seat in raisers) for seat in range(table.seats)]


def _street_and_raises(table: native.Table) -> tuple[int, int]:
    street = (0, 0, 0, 1, 2, 3)[len(table.board)]
    made = zip(table.actions, table.action_streets, strict=True)
    return street, sum(kind == native.ActionKind.RAISE and when == street for (_, kind, _), when in made)
