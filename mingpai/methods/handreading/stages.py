"""The four stages of FOLD: the betting understood, the opponents modelled, their hands inferred, the action weighed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mingpai._native import holdem as native
from mingpai.core.agent import native_seed
from mingpai.core.decision import Belief, Candidate, Decision
from mingpai.core.game import Seat
from mingpai.core.notes import BySeat, Listed, Note, Stages
from mingpai.core.reasons import Reason
from mingpai.games.holdem.moves import CALL, CHECK, FOLD, Action, raise_to
from mingpai.games.holdem.ranges import CLASSES
from mingpai.games.holdem.view import OPEN_CARDS, HoldemView
from mingpai.methods.handreading.belief import RangeBelief, Seated, own_hand
from mingpai.methods.handreading.decide import Decider, DecideSettings, Verdict, without_implied_odds
from mingpai.methods.handreading.family import FamilyModel
from mingpai.methods.handreading.hands import HIGH, LOW, STARTING, STARTING_HANDS, Floats, combo
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
from mingpai.methods.handreading.placing import SEVERAL, Standing
from mingpai.methods.handreading.plan import PlanSettings, plan
from mingpai.methods.handreading.settings import FoldSettings, Reading
from mingpai.methods.handreading.smallpots import SmallPots
from mingpai.methods.handreading.table import OwnTable
from mingpai.methods.handreading.understand import Seen, Spot, spot_of

SHOWN = 8
"""Starting hands of a range that a note names."""


@dataclass(frozen=True)
class ActNote(Note):
    """An action in its context."""

    seat: Seat
    street: int
    act: str
    share: float
    """Of the pot, for a raise."""
    raises: int
    """On the street before it."""
    pot: float


@dataclass(frozen=True)
class PlayerNote(Note):
    """How a player is taken to act."""

    model: Reading
    habits: Mapping[str, Any] | None
    style: Mapping[str, float]


@dataclass(frozen=True)
class RangeNote(Note):
    """The likeliest starting hands, and as how many equally likely hands the range counts."""

    likeliest: Mapping[str, float]
    effective_hands: float


class ReadBetting:
    """Understand: every action in its context."""

    def understand(self, at: Seated) -> Spot:
        return spot_of(at.native)

    def note(self, spot: Spot) -> Listed[ActNote]:
        return Listed(tuple(_act_note(spot, seen) for seen in spot.seen))


class Opponents:
    """Model: how each opponent acts, and what has been learned of them in the match."""

    def __init__(self, settings: FoldSettings) -> None:
        self.settings = settings
        self.habits: dict[Seat, Habits] = {}
        self.family: dict[Seat, FamilyModel] = {}
        """What has been learned of each player's style."""
        self._models: dict[Seat, PlayerModel] = {}

    def recall(self, habits: dict[Seat, Habits], family: dict[Seat, FamilyModel]) -> None:
        """Know this and nothing else."""
        self.habits, self.family = habits, family
        self._models.clear()

    def learn(
        self, spot: Spot, me: Seat, own: Sequence[int], board: Sequence[int], shown: Mapping[Seat, tuple[int, int]],
        at_large_table: bool,
    ) -> None:  # fmt: skip
        """Learn from a finished hand: what everybody did, and held where it was shown."""
        for place, seat in enumerate(spot.order):
            if seat == me:
                continue
            seen = [item for item in spot.seen if item.seat == place and OPEN_CARDS[item.street] <= len(board)]
            habits = self.habits.setdefault(seat, Habits())
            for item in seen:
                habits.see(item)
            held = combo(*shown[seat]) if seat in shown else None
            self.family_of(seat).learn(seen, board, own, held, self.settings.reading != "uniform", at_large_table)
        self._models.clear()

    def family_of(self, seat: Seat) -> FamilyModel:
        """What has been learned of the style of a player."""
        if seat not in self.family:
            self.family[seat] = FamilyModel()
        return self.family[seat]

    def model(self, at: Seated, spot: Spot) -> dict[Seat, PlayerModel]:
        """Models of the opponents who have not folded."""
        live = (seat for place, seat in enumerate(spot.order) if not spot.replay.folded[place])
        return {seat: self._model_of(seat) for seat in live if seat != at.seat}

    def _model_of(self, seat: Seat) -> PlayerModel:
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

    def answering(self, belief: RangeBelief) -> Mapping[int, PlayerModel]:
        """Models of how opponents answer a bet: where nothing is read from cards, they still fold as unknowns do."""
        if self.settings.reading != "uniform":
            return belief.players
        return {place: AdaptiveModel(self.habits.get(belief.spot.order[place])) for place in belief.players}

    def note(self, players: Mapping[Seat, PlayerModel]) -> BySeat[PlayerNote]:
        return BySeat({seat: self._note_of(seat) for seat in players})

    def _note_of(self, seat: Seat) -> PlayerNote:
        habits = self.habits.get(seat)
        return PlayerNote(
            self.settings.reading, habits.to_json() if habits else None, dict(self.family_of(seat).note())
        )


@dataclass(frozen=True)
class ReadHands:
    """Infer: what each opponent may hold."""

    one_action: bool
    """Whether only the most aggressive action of a player and street is read, as in the paper."""

    def infer(self, at: Seated, spot: Spot, players: Mapping[Seat, PlayerModel]) -> RangeBelief:
        hand = own_hand(at)
        seen = one_a_street(spot.seen) if self.one_action else spot.seen
        by_place = {spot.index(seat): model for seat, model in players.items()}
        return RangeBelief(at, spot, by_place, infer(seen, spot.board, by_place, (int(HIGH[hand]), int(LOW[hand]))))

    def note(self, belief: RangeBelief) -> BySeat[RangeNote]:
        return BySeat({seat: _range_note(weights) for seat, weights in belief.ranges.items()})


class Weigh:
    """Decide: the action of the greatest value, or the one that the thresholds name."""

    def __init__(self, settings: FoldSettings, opponents: Opponents, seed: int) -> None:
        self.settings, self.opponents, self.seed = settings, opponents, seed
        self.small_pots = SmallPots()
        self.played = 0
        """Hands of the match that are over."""
        self.decider = Decider(DecideSettings(
            policy=settings.policy, samples=settings.samples, implied_odds=settings.implied_odds,
            tournament=settings.tournament, risk=settings.risk,
        ))  # fmt: skip

    def reseed(self, seed: int) -> None:
        """Chance comes from another seed from now on."""
        self.seed = seed

    def decide(self, view: HoldemView, belief: Belief) -> Decision:
        assert isinstance(belief, RangeBelief)
        verdict = self.weigh(belief, native_seed(self.seed, view))
        chips = view.rule_set.to_chips
        return Decision(
            move=_action(verdict.choice, chips(int(verdict.to))),
            candidates=[
                Candidate(_action(option.choice, chips(int(option.to))), value=option.value / view.rule_set.unit)
                for option in verdict.options
            ],
            value_unit=view.game.unit,
            stages=Stages(decide=verdict.note()),
            reasons=_reasons(verdict),
            work={"samples": float(self.settings.samples)},
        )

    def weigh(self, belief: RangeBelief, seed: int, explain: bool = True) -> Verdict:
        """The action and what led to it; without `explain` plans go without what they do not need."""
        if self.settings.policy in ("plan", "blend"):
            return self._plan(belief, seed, explain)
        players = self.opponents.answering(belief)
        return self.decider.decide(_table_of(belief, seed), belief.by_place, players)

    def _aversion(self, table: native.Table) -> float:
        """Aversion to risk, by fifty big blinds: by how small pots have gone, and by the place that is played for."""
        how = self.settings
        ruin = self.small_pots.aversion(how.least_aversion, how.aversion, how.most_aversion)
        if table.to_act is None or table.seats < SEVERAL:
            return ruin
        return 50 * Standing.at(table, table.to_act, how.hands - self.played).aversion(ruin / 50)

    def _plan(self, belief: RangeBelief, seed: int, explain: bool) -> Verdict:
        settings = self.settings
        styles = {seat: self.opponents.family_of(seat).likely(seed) for seat in belief.ranges}
        how = PlanSettings(settings.deals, self._aversion(belief.at.native) if settings.tournament else 0.0)
        rates = {seat: self.opponents.family_of(seat).fold_rates for seat in belief.ranges}
        planned = plan(
            belief.at.native, belief.ranges, styles, belief.spot.board, how, seed & (2**63 - 1),
            rates=rates if settings.fold_rates else None,
        )  # fmt: skip
        options, facts = planned.options, None
        if explain or not settings.implied_odds:
            table = _table_of(belief, seed)
            facts = self.decider.facts(table, list(belief.by_place.values()))
            if not settings.implied_odds:
                options = [without_implied_odds(table, option, facts.equity) for option in options]
        if settings.policy == "blend":
            at_once, players = _table_of(belief, seed), self.opponents.answering(belief)
            options = [self.decider.blended(at_once, option, belief.by_place, players) for option in options]
        options = sorted(options, key=lambda option: -option.value)
        return Verdict(options[0].choice, options[0].to, options, settings.policy, facts, planned.deals, planned.plans)


def _action(choice: str, to: Any) -> Action:
    return {"fold": FOLD, "check": CHECK, "call": CALL}.get(choice) or raise_to(to)


def _act_note(spot: Spot, seen: Seen) -> ActNote:
    return ActNote(
        spot.order[seen.seat], seen.street, seen.act.name.lower(), round(seen.share, 3), seen.raises, float(seen.pot)
    )


def _range_note(weights: Floats) -> RangeNote:
    by_class = np.bincount(STARTING, weights, minlength=STARTING_HANDS)
    held = weights[weights > 0]
    entropy = float(-(held * np.log2(held)).sum())
    likeliest = {CLASSES[i]: round(float(by_class[i]), 4) for i in np.argsort(-by_class)[:SHOWN].tolist()}
    return RangeNote(likeliest, round(2**entropy, 1))


def _reasons(verdict: Verdict) -> list[Reason]:
    facts = verdict.facts
    assert facts is not None
    shares = {"equity": round(100 * facts.equity, 1), "price": round(100 * facts.price, 1)}
    reasons = [Reason("holdem.equity", shares)]
    best = verdict.options[0]
    if verdict.choice == "raise" and best.folds is not None:
        reasons.append(Reason("holdem.raise", {"folds": round(100 * best.folds, 1)}))
    if facts.special:
        reasons.append(Reason("holdem.special", {"case": facts.special}))
    return reasons


def _table_of(belief: RangeBelief, seed: int) -> OwnTable:
    table, spot = belief.at.native, belief.spot
    hero, legal, replay = spot.index(belief.at.seat), table.legal(), spot.replay
    live = tuple(place for place in range(len(spot.order)) if place != hero and not replay.folded[place])
    acted = {seen.seat for seen in spot.seen if seen.street == replay.street}
    waiting = tuple(place for place in live if place not in acted and replay.stacks[place] > 0)
    return OwnTable(
        hero=hero, hand=own_hand(belief.at), board=spot.board, street=replay.street, pot=float(replay.pot),
        cost=float(legal.call_cost), stack=float(replay.stacks[hero]),
        bet=float(replay.bet), own_bet=float(replay.bets[hero]),
        min_to=float(legal.min_to if legal.can_raise else 0), max_to=float(legal.max_to if legal.can_raise else 0),
        big_blind=float(replay.big_blind), seats=len(spot.order), raises=replay.raises, callers=replay.callers,
        live=live, waiting=waiting, stacks={place: float(replay.stacks[place]) for place in live},
        bets={place: float(replay.bets[place]) for place in live}, unit=table.rules.unit, seed=seed & (2**63 - 1),
    )  # fmt: skip
