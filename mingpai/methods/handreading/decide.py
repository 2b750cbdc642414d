"""Stage 4, decide: equity against the ranges read, and the value of each action.

Three policies share every step before the last. `thresholds` is the paper's algorithm 2 (algorithm2.py). `value`
estimates what each action is worth from the same ranges and models, folds of the opponents included, and takes the
best; short stacks push or fold, deep ones may call with speculative hands, draws of eight outs or more have implied
odds. `plan` (the default, plan.py) plays the hand out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from mingpai._native import holdem as native
from mingpai.core.notes import Note
from mingpai.methods.handreading import algorithm2
from mingpai.methods.handreading.algorithm2 import DEEP_STACK, SHORT_STACK
from mingpai.methods.handreading.hands import Floats, normalised
from mingpai.methods.handreading.model import PlayerModel
from mingpai.methods.handreading.table import LEAST_OUTS, OwnTable, improves, is_speculative, outs
from mingpai.methods.handreading.understand import Act, Seen, position_of

Policy = Literal["plan", "value", "blend", "thresholds"]
Choice = Literal["fold", "check", "call", "raise"]

SAMPLES = 500
"""Deals behind an estimate of equity, as in the paper."""
EXACT_WORK = 30_000.0
"""Hands ranked up to which equity is enumerated instead."""

LEAST_RERAISE = 0.05
"""Raises of a raise that are rarer than this, among the hands that go on, are taken as calls."""


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
    book: algorithm2.Book = algorithm2.BOOK
    """The thresholds of algorithm 2."""


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
    predicted: float | None = None
    """The chance of folds by the model alone, where how often the players really fold has changed it."""


@dataclass(frozen=True)
class Facts(Note):
    """What the decision rests on."""

    equity: float
    """Against the ranges counted."""
    standard_error: float
    price: float
    opponents: int
    counted: int
    """Opponents whose ranges count: before the flop not everybody who is still to act will enter."""
    depth: float
    """The stack that can be played for, in big blinds."""
    outs: int
    situation: algorithm2.Facing | None = None
    thresholds: Mapping[str, float] | None = None
    special: algorithm2.Special | None = None


@dataclass(frozen=True)
class OptionNote(Note):
    """An action considered, rounded for reading."""

    name: str
    to: float
    value: float
    equity: float | None
    folds: float | None


@dataclass(frozen=True)
class VerdictNote(Note):
    """How the action was chosen. JSON has the facts beside the rest."""

    facts: Facts | None
    policy: Policy
    deals: int | None = None
    """Hands played out."""
    plans: Mapping[str, str] | None = None
    """Option -> the plan it is best followed by."""
    options: tuple[OptionNote, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        rest = super().to_json()
        return {**(rest.pop("facts") or {}), **rest}


@dataclass(frozen=True)
class Verdict:
    """The action chosen and every step to it."""

    choice: Choice
    to: float
    options: list[Option]
    """Best first."""
    policy: Policy
    facts: Facts | None = None
    """None where nobody asked for them: plans need none."""
    deals: int | None = None
    plans: Mapping[str, str] | None = None

    def note(self, with_options: bool = True) -> VerdictNote:
        options = tuple(_rounded(option) for option in self.options) if with_options else None
        return VerdictNote(self.facts, self.policy, self.deals, self.plans, options)


def _rounded(option: Option) -> OptionNote:
    equity = None if option.equity is None else round(option.equity, 4)
    folds = None if option.folds is None else round(option.folds, 4)
    return OptionNote(option.name, option.to, round(option.value, 2), equity, folds)


def equity_against(table: OwnTable, ranges: Sequence[Floats], samples: int) -> tuple[float, float]:
    """Equity and its standard error of the hand against ranges on the board; cards are never dealt twice."""
    if not ranges:
        return 1.0, 0.0
    own = np.zeros_like(ranges[0])
    own[table.hand] = 1
    settings = native.EquitySettings(native.EquityMethod.AUTO, samples, 0.0, table.seed, 1, EXACT_WORK)
    board = sum(1 << card for card in table.board)
    equity = native.equity(np.stack([own, *ranges]), board, 0, settings, None)
    return float(equity.equities[0]), float(equity.standard_errors[0])


def without_implied_odds(table: OwnTable, option: Option, equity: float) -> Option:
    """The option with a call of a draw valued at its price alone, as if nothing were won or lost after it."""
    is_draw = option.choice == "call" and table.street in (1, 2) and equity < 0.5 and outs(table) >= LEAST_OUTS
    if not is_draw:
        return option
    cost = min(table.cost, table.stack)
    return replace(option, value=equity * (table.pot + cost) - cost)


class Decider:
    """Weighs the actions of one table."""

    def __init__(self, settings: DecideSettings | None = None) -> None:
        self.settings = settings or DecideSettings()

    def decide(self, table: OwnTable, ranges: Mapping[int, Floats], players: Mapping[int, PlayerModel]) -> Verdict:
        """The action to take against ranges read with the players' models."""
        facing = self._in_the_pot(table, ranges, players)
        facts = self.facts(table, facing)
        if self.settings.policy == "thresholds":
            return self._by_thresholds(table, facts)
        options = self._options(table, ranges, players, facts.equity, facts.outs)
        if facts.special == "push or fold":
            options = [option for option in options if self._is_push_or_fold(table, option)]
        ranked = sorted(options, key=lambda option: -option.value)
        return Verdict(ranked[0].choice, ranked[0].to, ranked, self.settings.policy, facts)

    def facts(self, table: OwnTable, facing: Sequence[Floats]) -> Facts:
        """What every policy notes: equity against the ranges, price, outs, thresholds, the special case if any."""
        equity, error = equity_against(table, facing, self.settings.samples)
        drawn = self._outs(table, equity)
        situation = thresholds = None
        if self.settings.policy == "thresholds":
            limits = algorithm2.thresholds(table, self.settings.tournament, self.settings.book)
            situation = algorithm2.facing_of(table)
            thresholds = {"call": round(limits.call, 3), "half": round(limits.half, 3), "pot": round(limits.pot, 3)}
        return Facts(
            round(equity, 4), round(error, 4), round(table.price, 4), len(table.live), len(facing),
            round(table.depth, 1), drawn, situation, thresholds, algorithm2.special_of(table, drawn) or None,
        )  # fmt: skip

    def _in_the_pot(
        self, table: OwnTable, ranges: Mapping[int, Floats], players: Mapping[int, PlayerModel]
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
    def _is_unseen(table: OwnTable, seat: int) -> bool:
        return table.street == 0 and seat in table.waiting and table.bets[seat] < table.bet

    def _outs(self, table: OwnTable, equity: float) -> int:
        if not (self.settings.implied_odds and table.street in (1, 2) and table.cost > 0 and equity < 0.5):
            return 0
        return outs(table)

    @staticmethod
    def _is_push_or_fold(table: OwnTable, option: Option) -> bool:
        if option.choice == "call":
            return table.cost >= table.stack or not table.can_raise
        return option.choice != "raise" or option.to >= table.max_to

    def _responses(
        self, table: OwnTable, seat: int, player: PlayerModel, to: float, weights: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """P(fold | hand), P(call | hand), P(raise | hand) of an opponent who faces a bet of `to` on this street."""
        return player.responses(self._imagined(table, seat, to), tuple(sorted(table.board)), weights)

    def _imagined(self, table: OwnTable, seat: int, to: float) -> Seen:
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
        self,
        table: OwnTable,
        ranges: Mapping[int, Floats],
        players: Mapping[int, PlayerModel],
        equity: float,
        drawn: int,
    ) -> list[Option]:
        passive = self._passive(table, equity, drawn)
        options = [passive] if table.cost == 0 else [Option("fold", name="fold"), passive]
        floor = max(option.value for option in options)
        for name, to in self._sizes(table):
            option = self._raise(table, name, to, ranges, players)
            margin = self.settings.bluff_margin * table.pot if option.value > floor else 0.0
            options.append(replace(option, value=option.value - margin))
        return options

    def blended(
        self, table: OwnTable, option: Option, ranges: Mapping[int, Floats], players: Mapping[int, PlayerModel]
    ) -> Option:
        """An option valued by playing the hand out, with the mean of that and its value at once."""
        if option.choice == "fold":
            return option
        if option.choice == "raise":
            at_once = self._raise(table, option.name, option.to, ranges, players)
        else:
            equity, _ = equity_against(table, self._in_the_pot(table, ranges, players), self.settings.samples)
            at_once = self._passive(table, equity, self._outs(table, equity))
        return replace(option, value=(option.value + at_once.value) / 2)

    def _passive(self, table: OwnTable, equity: float, drawn: int) -> Option:
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

    def _risk(self, table: OwnTable, equity: float, amount: float, pot: float) -> float:
        """The price of variance in a tournament: none in a cash game."""
        if not self.settings.tournament or amount <= 0:
            return 0.0
        spread = equity * (1 - equity) * pot * amount
        return self.settings.risk * spread / max(table.stack + table.own_bet, table.big_blind)

    def _sizes(self, table: OwnTable) -> list[tuple[str, float]]:
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
            bounded = table.in_chips(to)
            if bounded >= 0.75 * table.max_to:
                bounded, name = table.max_to, "all-in"
            sizes.setdefault(bounded, name)
        return [(name, to) for to, name in sizes.items()]

    def _raise(
        self,
        table: OwnTable,
        name: str,
        to: float,
        ranges: Mapping[int, Floats],
        players: Mapping[int, PlayerModel],
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
        self, table: OwnTable, amount: float, stays: float, called: float, raiser: tuple[float, int, Floats]
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

    def _by_thresholds(self, table: OwnTable, facts: Facts) -> Verdict:
        """Algorithm 2 of the paper (algorithm2.py)."""
        equity, limits = facts.equity, algorithm2.thresholds(table, self.settings.tournament, self.settings.book)
        special = facts.special
        action = algorithm2.special_action(special, table, equity, limits, facts.outs) if special else None
        if action is None:
            facts = replace(facts, special=None) if special else facts
            action = algorithm2.by_thresholds(table, equity, limits)
        choice: Choice = action if action in ("fold", "check", "call") else "raise"
        to = algorithm2.total_of(action, table) if choice == "raise" else 0.0
        value = 0.0 if choice == "fold" else equity * (table.pot + table.cost) - table.cost
        option = Option(choice, to, value, equity, name=action)
        return Verdict(choice, to, [option], self.settings.policy, facts)
