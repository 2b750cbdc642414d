"""Stage 4, decide: equity against the ranges read, thresholds, and the value of each action.

Three policies share every step before the last. `thresholds` is the paper's algorithm 2: equity against three
thresholds that depend on the number of players, the stack and the kind of game. `value` estimates what each action is
worth from the same ranges and models, folds of the opponents included, and takes the best. Both know the special cases:
short stacks push or fold, deep ones may call with speculative hands, draws of eight outs or more have implied odds.
`plan` (the default, plan.py) plays the hand out.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from mingpai._native import handreading as reading
from mingpai._native import holdem as native
from mingpai.methods.handreading.hands import HIGH, LOW, Floats, normalised, strength
from mingpai.methods.handreading.model import PlayerModel
from mingpai.methods.handreading.understand import Act, Seen, position_of

Policy = Literal["plan", "value", "thresholds"]
Choice = Literal["fold", "check", "call", "raise"]

SAMPLES = 500
"""Deals behind an estimate of equity, as in the paper."""
EXACT_WORK = 30_000.0
"""Hands ranked up to which equity is enumerated instead."""

SHORT_STACK, DEEP_STACK = 10.0, 80.0
"""Big blinds: below the first push or fold, above the second call with speculative hands."""

CALL_THRESHOLDS: Mapping[int, float] = {1: 0.70, 2: 0.55}
"""Equity to call a raise against one and two opponents (the paper's examples); more opponents scale by a fair share."""
HALF_POT_THRESHOLD, POT_THRESHOLD = 0.74, 0.84
"""Equity to raise half a pot and a pot against one opponent."""
FREE_SHARE = 0.72
"""Before a raise has been made the call threshold is this share of itself."""
TOURNAMENT_FACTOR = 1.04
"""Thresholds to enter and to bet big are higher where elimination is final, and lower by as much in cash games."""

LEAST_RERAISE = 0.05
"""Raises of a raise that are rarer than this, among the hands that go on, are taken as calls."""

OUT_GAIN = 0.6
"""A card is an out if it wins at least this share of the equity still missing (equation 29)."""
OUT_SAMPLES = 200
"""Deals behind the equity after each card of the turn; after the river it is exact."""
LEAST_OUTS = 8
"""Implied odds count from here on."""


@dataclass(frozen=True)
class DecideSettings:
    """Numbers of the decide stage."""

    policy: Policy = "value"
    samples: int = SAMPLES
    implied_odds: bool = True
    """Draws of eight outs or more may call above the price."""
    tournament: bool = True
    """Elimination is final: risk costs."""
    risk: float = 1.5
    """Cost of variance: chips at risk by the stack, in a tournament."""
    realised: tuple[float, float, float, float] = (0.86, 0.90, 0.95, 1.0)
    """Share of the equity that a call or check turns into chips, by street."""
    raise_realised: tuple[float, float, float, float] = (1.15, 1.0, 1.0, 1.0)
    """The same for a raise that is called: the initiative is worth something before the flop."""
    implied: float = 0.35
    """Share of the stack behind that a draw wins when it comes in."""
    bluff_margin: float = 0.04
    """What a raise must gain over the passive action, by the pot."""


@dataclass(frozen=True)
class Table:
    """What the decision depends on, apart from the ranges. Amounts in chips; seats by order of action."""

    hero: int
    hand: int
    """The combination held."""
    board: tuple[int, ...]
    street: int
    pot: float
    cost: float
    """To call; 0 when one may check."""
    stack: float
    """Behind, before the action."""
    bet: float
    """The current bet of the street."""
    own_bet: float
    """Already put in on this street."""
    min_to: float
    """Least total of a raise; 0 when there is none."""
    max_to: float
    big_blind: float
    seats: int
    raises: int
    callers: int
    live: tuple[int, ...]
    """Opponents still in the hand."""
    waiting: tuple[int, ...]
    """Opponents who act after this decision if nobody raises."""
    stacks: Mapping[int, float]
    """Chips behind of the opponents."""
    bets: Mapping[int, float]
    """Bets of the street of the opponents."""
    unit: int = 1
    """Amounts in a whole chip: raises name whole chips, or everything."""
    seed: int = 0

    @property
    def can_raise(self) -> bool:
        return self.max_to > 0

    @property
    def price(self) -> float:
        return self.cost / (self.pot + self.cost) if self.cost > 0 else 0.0

    @property
    def depth(self) -> float:
        """The stack that can be played for, in big blinds."""
        deepest = max((self.stacks[seat] + self.bets[seat] for seat in self.live), default=0.0)
        return min(self.stack + self.own_bet, deepest) / max(self.big_blind, 1e-9)


@dataclass(frozen=True)
class Option:
    """An action considered and what it is worth, in chips from now on."""

    choice: Choice
    to: float = 0.0
    value: float = 0.0
    equity: float | None = None
    folds: float | None = None
    """Chance that every opponent folds to it."""
    name: str = ""


@dataclass
class Verdict:
    """The action chosen and every step to it."""

    choice: Choice
    to: float
    options: list[Option]
    equity: float
    notes: dict[str, Any] = field(default_factory=dict)


def equity_against(table: Table, ranges: Sequence[Floats], samples: int) -> tuple[float, float]:
    """Equity and its standard error of the hand against ranges on the board; cards are never dealt twice."""
    if not ranges:
        return 1.0, 0.0
    own = np.zeros_like(ranges[0])
    own[table.hand] = 1
    settings = native.EquitySettings(native.EquityMethod.AUTO, samples, 0.0, table.seed, 1, EXACT_WORK)
    board = sum(1 << card for card in table.board)
    try:
        found = native.equity(np.stack([own, *ranges]), board, 0, settings, None)
    except ValueError:  # the ranges exclude each other: no deal is possible, so nothing is known
        return float(strength(tuple(sorted(table.board))).equity[table.hand]), 0.5
    return float(found.equities[0]), float(found.standard_errors[0])


def thresholds(table: Table, settings: DecideSettings) -> dict[str, float]:
    """The paper's thresholds: by players in the pot, whether somebody has raised, tournament or cash."""
    opponents = max(len(table.live), 1)
    scale = 1.0 if opponents == 1 else (CALL_THRESHOLDS[2] / CALL_THRESHOLDS[1]) ** (opponents - 1)
    factor = TOURNAMENT_FACTOR if settings.tournament else 1 / TOURNAMENT_FACTOR
    call = CALL_THRESHOLDS[1] * scale * (1.0 if table.raises else FREE_SHARE)
    return {
        "call": min(call * (factor if table.street == 0 else 1.0), 0.97),
        "half pot": min(HALF_POT_THRESHOLD * scale, 0.97),
        "pot": min(POT_THRESHOLD * scale * factor, 0.98),
    }


def outs(table: Table) -> int:
    """Cards that win at least OUT_GAIN of the equity still missing, opponents taken as uniform (equation 29)."""
    if len(table.board) not in (3, 4):
        return 0
    hand = 1 << int(HIGH[table.hand]) | 1 << int(LOW[table.hand])
    return reading.outs(hand, sum(1 << card for card in table.board), OUT_GAIN, OUT_SAMPLES)


def improves(table: Table, drawn: int) -> float:
    """Chance that one of `drawn` outs comes on the next card."""
    return drawn / (52 - 2 - len(table.board))


def without_implied_odds(table: Table, option: Option, equity: float) -> Option:
    """The option with a call of a draw valued at its price alone, as if nothing were won or lost after it."""
    is_draw = option.choice == "call" and table.street in (1, 2) and equity < 0.5 and outs(table) >= LEAST_OUTS
    if not is_draw:
        return option
    cost = min(table.cost, table.stack)
    return replace(option, value=equity * (table.pot + cost) - cost)


def is_speculative(hand: int) -> bool:
    """Small and middle pairs and suited connectors."""
    high, low = int(HIGH[hand]) // 4, int(LOW[hand]) // 4
    if high == low:
        return high <= 8
    return int(HIGH[hand]) % 4 == int(LOW[hand]) % 4 and high - low <= 2 and high <= 10


class Decider:
    """Weighs the actions of one table."""

    def __init__(self, settings: DecideSettings | None = None) -> None:
        self.settings = settings or DecideSettings()

    def decide(self, table: Table, ranges: Mapping[int, Floats], players: Mapping[int, PlayerModel]) -> Verdict:
        """The action to take against ranges read with the players' models."""
        facing = self._in_the_pot(table, ranges, players)
        notes = self.facts(table, facing)
        equity, drawn, limits = notes["equity"], notes["outs"], thresholds(table, self.settings)
        options = self._options(table, ranges, players, equity, drawn)
        if notes.get("special") == "push or fold":
            options = [option for option in options if self._is_push_or_fold(table, option)]
        if self.settings.policy == "thresholds":
            chosen = self._by_thresholds(table, equity, limits, options, drawn)
        else:
            chosen = max(options, key=lambda option: option.value)
        notes["policy"] = self.settings.policy
        ranked = sorted(options, key=lambda option: -option.value)
        return Verdict(chosen.choice, chosen.to, ranked, equity, notes)

    def facts(self, table: Table, facing: Sequence[Floats]) -> dict[str, Any]:
        """What every policy notes: equity against the ranges, price, outs, thresholds, the special case if any."""
        equity, error = equity_against(table, facing, self.settings.samples)
        drawn = self._outs(table, equity)
        notes: dict[str, Any] = {
            "equity": round(equity, 4), "standard_error": round(error, 4), "price": round(table.price, 4),
            "opponents": len(table.live), "counted": len(facing), "depth": round(table.depth, 1), "outs": drawn,
            "thresholds": {name: round(value, 3) for name, value in thresholds(table, self.settings).items()},
        }  # fmt: skip
        special = self._special(table, equity, drawn)
        if special:
            notes["special"] = special
        return notes

    def _in_the_pot(
        self, table: Table, ranges: Mapping[int, Floats], players: Mapping[int, PlayerModel]
    ) -> list[Floats]:
        """The ranges to beat: those who have entered, and before the flop as many of those behind as will enter."""
        entered = [ranges[seat] for seat in table.live if not self._is_unseen(table, seat)]
        waiting = [seat for seat in table.live if self._is_unseen(table, seat)]
        joins = []
        for seat in waiting:
            stay = 1 - self._responses(table, seat, players[seat], table.bet, ranges[seat])[0]
            chance = float((ranges[seat] * stay).sum())
            joins.append((chance, normalised(ranges[seat] * stay) if chance > 0 else ranges[seat]))
        joins.sort(key=lambda join: -join[0])
        expected = round(sum(chance for chance, _ in joins))
        if not entered and expected == 0 and joins:
            expected = 1
        return entered + [weights for _, weights in joins[:expected]]

    @staticmethod
    def _is_unseen(table: Table, seat: int) -> bool:
        return table.street == 0 and seat in table.waiting and table.bets[seat] < table.bet

    def _outs(self, table: Table, equity: float) -> int:
        if not (self.settings.implied_odds and table.street in (1, 2) and table.cost > 0 and equity < 0.5):
            return 0
        return outs(table)

    def _special(self, table: Table, equity: float, drawn: int) -> str:
        if table.street == 0 and table.depth < SHORT_STACK:
            return "push or fold"
        if table.street == 0 and table.depth > DEEP_STACK and is_speculative(table.hand):
            return "deep speculation"
        if drawn >= LEAST_OUTS:
            return "draw"
        if table.cost > 2 * (table.pot - table.cost) and table.street > 0:
            return "very large bet"
        return ""

    @staticmethod
    def _is_push_or_fold(table: Table, option: Option) -> bool:
        if option.choice == "call":
            return table.cost >= table.stack or not table.can_raise
        return option.choice != "raise" or option.to >= table.max_to

    def _responses(
        self, table: Table, seat: int, player: PlayerModel, to: float, weights: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """P(fold | hand), P(call | hand), P(raise | hand) of an opponent who faces a bet of `to` on this street."""
        return player.responses(self._imagined(table, seat, to), tuple(sorted(table.board)), weights)

    def _imagined(self, table: Table, seat: int, to: float) -> Seen:
        is_raise = to > table.bet
        added = max(0.0, to - table.own_bet) if is_raise else 0.0
        pot = table.pot + added
        return Seen(
            seat=seat, street=table.street, act=Act.CALL, amount=0, share=0.0, is_all_in=False, pot=pot,
            to_call=max(min(to - table.bets[seat], table.stacks[seat]), 1e-9), stack=table.stacks[seat],
            big_blind=table.big_blind, raises=table.raises + is_raise, live=len(table.live) + 1, behind=0, callers=0,
            position=position_of(seat, table.seats), seats=table.seats, is_aggressor=False, was_aggressor=False,
        )  # fmt: skip

    def _options(
        self, table: Table, ranges: Mapping[int, Floats], players: Mapping[int, PlayerModel], equity: float, drawn: int
    ) -> list[Option]:
        passive = self._passive(table, equity, drawn)
        found = [passive] if table.cost == 0 else [Option("fold", name="fold"), passive]
        floor = max(option.value for option in found)
        for name, to in self._sizes(table):
            option = self._raise(table, name, to, ranges, players)
            margin = self.settings.bluff_margin * table.pot if option.value > floor else 0.0
            found.append(replace(option, value=option.value - margin))
        return found

    def _passive(self, table: Table, equity: float, drawn: int) -> Option:
        """Check or call: the equity that later streets let one keep, implied odds of draws, the cost of risk."""
        settings = self.settings
        cost = min(table.cost, table.stack)
        pot = table.pot + cost
        ends_betting = cost >= table.stack or all(table.stacks[seat] <= 0 for seat in table.live)
        realised = 1.0 if ends_betting else settings.realised[table.street]
        value = equity * realised * pot - cost
        left = min(table.stack - cost, max((table.stacks[seat] for seat in table.live), default=0.0))
        if drawn >= LEAST_OUTS and not ends_betting:
            value += improves(table, drawn) * settings.implied * min(left, pot)
        if table.street == 0 and table.depth > DEEP_STACK and is_speculative(table.hand):
            value += 0.02 * settings.implied * left
        value -= self._risk(table, equity, cost, pot)
        choice: Choice = "check" if table.cost == 0 else "call"
        return Option(choice, value=value, equity=equity, name=choice)

    def _risk(self, table: Table, equity: float, amount: float, pot: float) -> float:
        """The price of variance in a tournament: none in a cash game."""
        if not self.settings.tournament or amount <= 0:
            return 0.0
        spread = equity * (1 - equity) * pot * amount
        return self.settings.risk * spread / max(table.stack + table.own_bet, table.big_blind)

    def _sizes(self, table: Table) -> list[tuple[str, float]]:
        """Totals to raise to: half a pot and a pot; before the flop three blinds and one for each caller; all-in."""
        if not table.can_raise:
            return []
        after_call = table.pot + table.cost
        wanted = [("half pot", table.bet + 0.5 * after_call), ("pot", table.bet + after_call)]
        if table.street == 0:
            opened = [("open", (3 + table.callers) * table.big_blind)] if table.raises == 0 else []
            wanted = [*opened, ("pot", table.bet + after_call)]
        if table.max_to <= table.bet + 2 * after_call or table.depth < SHORT_STACK:
            wanted.append(("all-in", table.max_to))
        sizes: dict[float, str] = {}
        for name, to in wanted:
            least = min(math.ceil(table.min_to / table.unit) * table.unit, table.max_to)
            bounded = min(max(math.floor(to / table.unit) * table.unit, least), table.max_to)
            if bounded >= 0.75 * table.max_to:
                bounded, name = table.max_to, "all-in"
            sizes.setdefault(bounded, name)
        return [(name, to) for to, name in sizes.items()]

    def _raise(
        self, table: Table, name: str, to: float, ranges: Mapping[int, Floats], players: Mapping[int, PlayerModel]
    ) -> Option:
        """A raise: everyone folds, or those likeliest to call do, with the hands that call."""
        amount = to - table.own_bet
        all_fold, callers, raisers = 1.0, [], []
        for seat in table.live:
            if table.stacks[seat] <= 0:
                callers.append((1.0, seat, ranges[seat]))
                all_fold = 0.0
                continue
            fold, _, again = self._responses(table, seat, players[seat], to, ranges[seat])
            weights = ranges[seat] * (1 - fold)
            chance = float(weights.sum())
            all_fold *= 1 - chance
            callers.append((chance, seat, weights))
            raisers.append((float((ranges[seat] * again).sum()), seat, ranges[seat] * again))
        callers.sort(key=lambda caller: -caller[0])
        called = [caller for number, caller in enumerate(callers) if number == 0 or caller[0] > 0.5]
        against = [normalised(w) if w.sum() > 0 else ranges[s] for _, s, w in called]
        equity, _ = equity_against(table, against, self.settings.samples)
        paid = [min(max(to - table.bets[seat], 0.0), table.stacks[seat]) for _, seat, _ in called]
        at_risk = min(amount, max(paid, default=0.0) + max(0.0, table.bet - table.own_bet))
        pot = table.pot + at_risk + sum(paid)
        realised = 1.0 if to >= table.max_to else self.settings.raise_realised[table.street]
        stay = equity * realised * pot - at_risk - self._risk(table, equity, at_risk, pot)
        if to < table.max_to and raisers:
            stay = self._after_reraise(table, amount, 1 - all_fold, stay, max(raisers, key=lambda raiser: raiser[0]))
        return Option("raise", to, all_fold * table.pot + (1 - all_fold) * stay, equity, all_fold, name)

    def _after_reraise(
        self, table: Table, amount: float, stays: float, called: float, raiser: tuple[float, int, Floats]
    ) -> float:
        """The value of being called, with the share of raises in it: then one gives up, or goes on for the stacks."""
        chance, seat, weights = raiser
        share = min(chance / max(stays, 1e-9), 1.0)
        if share < LEAST_RERAISE or weights.sum() <= 0:
            return called
        equity, _ = equity_against(table, [normalised(weights)], self.settings.samples)
        stack = min(table.stack, table.stacks[seat] + table.bets[seat] - table.own_bet)
        all_in = equity * (table.pot + 2 * stack) - stack - self._risk(table, equity, stack, table.pot + 2 * stack)
        return (1 - share) * called + share * max(-amount, all_in)

    def _by_thresholds(
        self, table: Table, equity: float, limits: Mapping[str, float], options: Sequence[Option], drawn: int
    ) -> Option:
        """Algorithm 2: fold or check, check or call, half a pot, a pot."""
        by_name = {option.name: option for option in options}
        passive = by_name.get("check") or by_name.get("call") or by_name["fold"]
        raises = sorted((option for option in options if option.choice == "raise"), key=lambda option: option.to)
        if raises and equity >= limits["pot"]:
            return raises[-1]
        if raises and equity >= limits["half pot"]:
            return raises[0]
        implied = drawn >= LEAST_OUTS and passive.value > 0
        if equity >= limits["call"] or implied or table.cost == 0:
            return passive
        return by_name["fold"]
