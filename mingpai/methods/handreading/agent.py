"""FOLD, the agent: understand, model, infer, decide, on the table of the contract."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from mingpai._native import holdem as native
from mingpai.core.agent import Agent
from mingpai.core.decision import Belief, Candidate, Decision
from mingpai.core.event import Event
from mingpai.core.game import Seat, State, View
from mingpai.core.random import Rng
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.games.holdem.moves import CALL, CHECK, FOLD, Action, raise_to
from mingpai.games.holdem.notation import parse_cards
from mingpai.games.holdem.ranges import CLASSES
from mingpai.games.holdem.view import OPEN_CARDS, HoldemView
from mingpai.methods.handreading.decide import (
    Decider,
    DecideSettings,
    Policy,
    Verdict,
    without_implied_odds,
)
from mingpai.methods.handreading.family import FamilyModel
from mingpai.methods.handreading.hands import HIGH, LOW, STARTING, STARTING_HANDS, Floats, combo, normalised
from mingpai.methods.handreading.infer import infer, one_a_street
from mingpai.methods.handreading.model import (
    AdaptiveModel,
    Additions,
    DefaultModel,
    Habits,
    PlayerModel,
    UniformModel,
    fitted_model,
)
from mingpai.methods.handreading.plan import PlanSettings, plan
from mingpai.methods.handreading.table import Table
from mingpai.methods.handreading.understand import Act, Seen, Spot, spot_of

Reading = Literal["family", "adaptive", "default", "fitted", "uniform"]


@dataclass(frozen=True)
class FoldSettings:
    """Options of FOLD."""

    reading: Reading = setting(
        "family",
        "How hands are read: by the style learned of a player, his frequencies, DFModel, a fitted model, not at all.",
    )
    policy: Policy = setting(
        "plan",
        "How it decides: by playing the hand out, by the value of each action at once, or by the paper's thresholds.",
    )
    deals: int = setting(256, "Hands played out behind a decision, at most.", (1, 1_000_000), web=4096)
    aversion: float = setting(
        0.6, "Aversion to risk when hands are played out in a tournament, by fifty big blinds.", (0, 100), web=100
    )
    samples: int = setting(500, "Deals behind an estimate of equity.", (1, 10_000_000), web=20_000)
    adapt: bool = setting(True, "Learn the habits of opponents in the course of a match.")
    implied_odds: bool = setting(True, "Let draws of eight outs or more call above the price.")
    tournament: bool = setting(True, "Elimination is final: avoid variance.")
    one_action: bool = setting(False, "Read one action of each player and street, the most aggressive (the paper).")
    tremble: bool = setting(True, "DFModel: some actions say nothing of the hand (ours).")
    shifts: bool = setting(True, "DFModel: its axis moves with the street and the price (ours).")
    frequencies: bool = setting(True, "DFModel: actions are weighed by how often they are made (ours).")
    risk: float = setting(1.5, 'Cost of variance in a tournament, for the policy "value".', (0, 100), web=100)


class RangeBelief(Belief):
    """What each opponent may hold: a weight for each of the 1326 combinations."""

    def __init__(self, view: HoldemView, ranges: Mapping[Seat, Floats]) -> None:
        self.view = view
        self.ranges = dict(ranges)
        """Table seat -> probability of each combination."""

    def marginals(self) -> Mapping[str, Mapping[str, float]]:
        """Seat -> starting hand (AKs, QQ, ...) -> probability, the likely ones first."""
        found: dict[str, Mapping[str, float]] = {}
        for seat, weights in self.ranges.items():
            by_class = np.bincount(STARTING, weights, minlength=STARTING_HANDS)
            order = np.argsort(-by_class, kind="stable")
            found[str(seat)] = {CLASSES[i]: float(by_class[i]) for i in order if by_class[i] > 0}
        return found

    def sample(self, rng: Rng, count: int) -> Sequence[State]:
        """Worlds in which no card lies at two places: drawn player by player and rejected on a clash."""
        worlds: list[State] = []
        while len(worlds) < count:
            drawn = {seat: int(rng.choice(len(weights), p=_exact(weights))) for seat, weights in self.ranges.items()}
            cards = [card for hand in drawn.values() for card in (int(LOW[hand]), int(HIGH[hand]))]
            if len(set(cards)) == len(cards):
                hands = {seat: (int(LOW[hand]), int(HIGH[hand])) for seat, hand in drawn.items()}
                worlds.append(self.view.world(hands, int(rng.integers(2**63))))
        return worlds

    def log_prob(self, world: State) -> float:
        """Sum over the opponents, card removal left out."""
        from mingpai.games.holdem.state import HoldemState

        assert isinstance(world, HoldemState)
        hands = world.native.hands
        total = 0.0
        for seat, weights in self.ranges.items():
            held = hands[seat]
            chance = float(weights[combo(*held)]) if held is not None else 0.0
            if chance <= 0:
                return -math.inf
            total += math.log(chance)
        return total


def _exact(weights: Floats) -> Any:
    exact = weights.astype(np.float64)
    return exact / exact.sum()


class FoldAgent(Agent[FoldSettings]):
    """FOLD: reads the opponents' hands and plays by what they are worth."""

    Settings = FoldSettings
    presets = {
        "paper": {
            "policy": "thresholds",
            "reading": "default",
            "one_action": True,
            "tremble": False,
            "shifts": False,
            "frequencies": False,
        },
        "value": {"policy": "value", "reading": "adaptive"},
        "blind": {"reading": "uniform"},
        "fitted": {"reading": "fitted"},
        "cash": {"tournament": False},
    }
    has_memory = True
    is_random = True

    def __init__(self, settings: FoldSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self.habits: dict[Seat, Habits] = {}
        self.family: dict[Seat, FamilyModel] = {}
        """What has been learned of each player's style."""
        self._seat: Seat = -1
        self._shown: dict[Seat, tuple[int, int]] = {}
        self._models: dict[Seat, PlayerModel] = {}
        self._table: native.Table | None = None
        self._decider = Decider(DecideSettings(
            policy=settings.policy, samples=settings.samples, implied_odds=settings.implied_odds,
            tournament=settings.tournament, risk=settings.risk,
        ))  # fmt: skip

    def start_match(self, seat: Seat, seats: int) -> None:
        self._seat = seat
        self.habits.clear()
        self.family.clear()
        self._models.clear()

    def start_deal(self, view: View) -> None:
        assert isinstance(view, HoldemView)
        self._table = native.Table(view.native)
        self._seat = view.seat
        self._shown = {}
        self._to_units = view.rule_set.to_units
        self._parse = view.game.parse_move
        self._view = view
        self._board: list[int] = []

    def observe(self, event: Event) -> None:
        if self._table is None:
            return
        if event.kind == "act" and not self._table.is_over:
            move = _read_act(event.text)
            if self._table.to_act == event.seat and self._table.why_illegal(move.kind, self._to_units(move.to)) is None:
                self._table.act(move.kind, self._to_units(move.to))
        elif event.kind == "board":
            self._board += parse_cards(event.text)
        elif event.kind == "show" and event.seat is not None and "?" not in event.text:
            first, second = parse_cards(event.text)
            self._shown[event.seat] = (first, second)

    def end_deal(self, points: Sequence[float]) -> None:
        if self._table is not None:
            self._remember(self._table, self._board, self._shown)
        self._table = None

    def remember(self, table: native.Table) -> None:
        """Learn from a finished hand; only what was shown is looked at."""
        hands = table.hands
        shown = {seat: hand for seat in table.shown_seats if (hand := hands[seat]) is not None}
        self._remember(table, table.board, shown)

    def _remember(self, table: native.Table, board: Sequence[int], shown: Mapping[Seat, tuple[int, int]]) -> None:
        if not self.settings.adapt:
            return
        spot = spot_of(table)
        own = table.hands[self._seat] if 0 <= self._seat < table.seats else None
        for place, seat in enumerate(spot.order):
            if seat == self._seat:
                continue
            seen = [item for item in spot.seen if item.seat == place and OPEN_CARDS[item.street] <= len(board)]
            habits = self.habits.setdefault(seat, Habits())
            for item in seen:
                habits.see(item)
            held = combo(*shown[seat]) if seat in shown else None
            self.family_of(seat).learn(seen, board, own or (), held, self.settings.reading != "uniform")
        self._models.clear()

    def family_of(self, seat: Seat) -> FamilyModel:
        """What has been learned of the style of a player."""
        return self.family.setdefault(seat, FamilyModel())

    def memory(self) -> dict[str, Any]:
        return {"habits": {str(seat): habits.to_json() for seat, habits in self.habits.items()},
                "family": {str(seat): model.to_json() for seat, model in self.family.items()}}  # fmt: skip

    def recall(self, memory: Mapping[str, Any]) -> None:
        self.habits = {int(seat): Habits.from_json(data) for seat, data in memory.get("habits", {}).items()}
        self.family = {int(seat): FamilyModel.from_json(data) for seat, data in memory.get("family", {}).items()}
        self._models.clear()

    def model_of(self, seat: Seat) -> PlayerModel:
        """Stage 2: how the player at a table seat acts."""
        if seat not in self._models:
            self._models[seat] = self._make_model(seat)
        return self._models[seat]

    def _make_model(self, seat: Seat) -> PlayerModel:
        match self.settings.reading:
            case "family":
                return self.family_of(seat)
            case "adaptive":
                return AdaptiveModel(self.habits.get(seat))
            case "default":
                how = self.settings
                return DefaultModel(self.habits.get(seat), Additions(how.tremble, how.shifts, how.frequencies))
            case "fitted":
                return fitted_model()
        return UniformModel()

    def read(self, spot: Spot, hero: int, hand: int) -> tuple[dict[int, PlayerModel], dict[int, Floats]]:
        """Stages 2 and 3: models and ranges of the opponents who have not folded, by their place in the order."""
        live = [place for place in range(len(spot.order)) if place != hero and not spot.replay.folded[place]]
        players = {place: self.model_of(spot.order[place]) for place in live}
        known = (int(HIGH[hand]), int(LOW[hand]))
        seen = one_a_street(spot.seen) if self.settings.one_action else spot.seen
        return players, infer(seen, spot.board, players, known)

    def weigh(
        self, table: native.Table, seat: Seat, seed: int, explain: bool = True
    ) -> tuple[Verdict, Spot, dict[int, Floats]]:
        """All four stages for a seat of a native table; only what the seat may know is looked at."""
        spot = spot_of(table)
        hero = spot.index(seat)
        held = table.hands[seat]
        assert held is not None
        hand = combo(*held)
        players, ranges = self.read(spot, hero, hand)
        if self.settings.policy == "plan":
            return self._plan(table, spot, hero, hand, seed, ranges, explain), spot, ranges
        if self.settings.reading == "uniform":
            # Nothing is read from the cards, but opponents are still taken to fold as an unknown player would.
            players = {place: AdaptiveModel(self.habits.get(spot.order[place])) for place in players}
        return self._decider.decide(_table_of(table, spot, hero, hand, seed), ranges, players), spot, ranges

    def _plan(
        self, table: native.Table, spot: Spot, hero: int, hand: int, seed: int, ranges: Mapping[int, Floats],
        explain: bool,
    ) -> Verdict:  # fmt: skip
        settings = self.settings
        by_seat = {spot.order[place]: weights for place, weights in ranges.items()}
        styles = {seat: self.family_of(seat).likely(seed) for seat in by_seat}
        how = PlanSettings(settings.deals, settings.aversion if settings.tournament else 0.0)
        found = plan(table, by_seat, styles, spot.board, how, seed & (2**63 - 1))
        options, facts = found.options, {}
        if explain or not settings.implied_odds:
            seen = _table_of(table, spot, hero, hand, seed)
            facts = self._decider.facts(seen, list(ranges.values()))
            if not settings.implied_odds:
                options = [without_implied_odds(seen, option, facts["equity"]) for option in options]
        options = sorted(options, key=lambda option: -option.value)
        notes = facts | {"policy": "plan", "deals": found.deals, "plans": found.plans}
        return Verdict(options[0].choice, options[0].to, options, facts.get("equity", 0.0), notes)

    def act_on(self, table: native.Table, seat: Seat, seed: int) -> tuple[native.ActionKind, int]:
        """The action for a seat, in units: the same as `decide`, without the explanation."""
        verdict, _, _ = self.weigh(table, seat, seed, explain=False)
        return _KINDS[verdict.choice], int(verdict.to)

    def decide(self, view: View) -> Decision:
        assert isinstance(view, HoldemView)
        start = time.perf_counter()
        verdict, spot, ranges = self.weigh(view.native, view.seat, self.native_seed(view))
        chips = view.rule_set.to_chips
        candidates = [
            Candidate(_action(option.choice, chips(int(option.to))), value=option.value / view.rule_set.unit)
            for option in verdict.options
        ]
        move = _action(verdict.choice, chips(int(verdict.to)))
        return Decision(
            move=move,
            candidates=candidates,
            value_unit=view.game.unit,
            belief=RangeBelief(view, {spot.order[place]: weights for place, weights in ranges.items()}),
            stages={
                "understand": [_seen_note(spot, seen) for seen in spot.seen],
                "model": {str(spot.order[place]): self._model_note(spot.order[place]) for place in ranges},
                "infer": {str(spot.order[place]): _range_note(weights) for place, weights in ranges.items()},
                "decide": verdict.notes | {"options": [_option_note(option) for option in verdict.options]},
            },
            reasons=_reasons(verdict),
            work={"samples": float(self.settings.samples)},
            seconds=time.perf_counter() - start,
            agent=self.spec,
            seed=self.seed,
        )

    def _model_note(self, seat: Seat) -> dict[str, Any]:
        habits = self.habits.get(seat)
        return {"model": self.settings.reading, "habits": habits.to_json() if habits else None,
                "style": dict(self.family_of(seat).note())}  # fmt: skip


_KINDS = {"fold": native.ActionKind.FOLD, "check": native.ActionKind.CHECK, "call": native.ActionKind.CALL,
          "raise": native.ActionKind.RAISE}  # fmt: skip


def _action(choice: str, to: Any) -> Action:
    return {"fold": FOLD, "check": CHECK, "call": CALL}.get(choice) or raise_to(to)


def _read_act(text: str) -> Action:
    word, _, amount = text.partition(" ")
    if word in ("raise", "bet"):
        from fractions import Fraction

        total = Fraction(amount)
        return raise_to(total.numerator if total.denominator == 1 else total)
    return {"fold": FOLD, "check": CHECK, "call": CALL}[word]


def _table_of(table: native.Table, spot: Spot, hero: int, hand: int, seed: int) -> Table:
    legal, replay = table.legal(), spot.replay
    live = tuple(place for place in range(len(spot.order)) if place != hero and not replay.folded[place])
    acted = {seen.seat for seen in spot.seen if seen.street == replay.street}
    waiting = tuple(place for place in live if place not in acted and replay.stacks[place] > 0)
    return Table(
        hero=hero, hand=hand, board=spot.board, street=replay.street, pot=float(replay.pot),
        cost=float(legal.call_cost), stack=float(replay.stacks[hero]),
        bet=float(replay.bet), own_bet=float(replay.bets[hero]),
        min_to=float(legal.min_to if legal.can_raise else 0), max_to=float(legal.max_to if legal.can_raise else 0),
        big_blind=float(replay.big_blind), seats=len(spot.order), raises=replay.raises, callers=replay.callers,
        live=live, waiting=waiting, stacks={place: float(replay.stacks[place]) for place in live},
        bets={place: float(replay.bets[place]) for place in live}, unit=table.rules.unit, seed=seed & (2**63 - 1),
    )  # fmt: skip


def _seen_note(spot: Spot, seen: Seen) -> dict[str, Any]:
    return {"seat": spot.order[seen.seat], "street": seen.street, "act": seen.act.name.lower(),
            "share": round(seen.share, 3), "raises": seen.raises, "pot": float(seen.pot)}  # fmt: skip


def _range_note(weights: Floats) -> dict[str, Any]:
    by_class = np.bincount(STARTING, weights, minlength=STARTING_HANDS)
    top = np.argsort(-by_class)[:8]
    entropy = float(-(weights[weights > 0] * np.log2(weights[weights > 0])).sum())
    likeliest = {CLASSES[i]: round(float(by_class[i]), 4) for i in top}
    return {"likeliest": likeliest, "effective_hands": round(2**entropy, 1)}


def _option_note(option: Any) -> dict[str, Any]:
    return {"name": option.name, "to": option.to, "value": round(option.value, 2),
            "equity": None if option.equity is None else round(option.equity, 4),
            "folds": None if option.folds is None else round(option.folds, 4)}  # fmt: skip


def _reasons(verdict: Verdict) -> list[Reason]:
    notes = verdict.notes
    shares = {"equity": round(100 * verdict.equity, 1), "price": round(100 * notes["price"], 1)}
    reasons = [Reason("holdem.equity", shares)]
    best = verdict.options[0]
    if verdict.choice == "raise" and best.folds is not None:
        reasons.append(Reason("holdem.raise", {"folds": round(100 * best.folds, 1)}))
    if notes.get("special"):
        reasons.append(Reason("holdem.special", {"case": notes["special"]}))
    return reasons


__all__ = ["Act", "FoldAgent", "FoldSettings", "RangeBelief", "normalised"]
