"""The agent `ablgd`: encode, estimate the hidden hands, predict a pseudo-action, reason out the play.

understand is the encoding of table 1, model and infer are ABLN made consistent with what is known, decide is the policy
and the inconsistency minimiser; with worlds > 0 a short search over worlds drawn from the estimate corrects the policy.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from mingpai._native import guandan as native
from mingpai.core.agent import Agent
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.games.guandan.moves import PSEUDO_ACTIONS
from mingpai.games.guandan.notation import card_text
from mingpai.games.guandan.view import GuandanView
from mingpai.methods.abduction.belief import EstimateBelief
from mingpai.methods.abduction.knowledge import Abduced, knowledge, minimise, pseudo_text
from mingpai.methods.abduction.runtime import JUDGE, SCORES, SHIPPED, Reading, Runtime
from mingpai.methods.abduction.search import PLANNER, Searched, SearchPlan, gift_values, search

SHOWN = 8
"""Pseudo-actions that a decision keeps."""


@dataclass(frozen=True)
class AblgdSettings:
    """The network and, for `worlds` above 0, the search on top."""

    model: str = setting(
        SHIPPED, "A shipped model by name, or the path of a model folder.", kind="model", web=(SHIPPED,)
    )
    critic: str = setting(
        JUDGE,
        "The model that values cut play-outs with open hands; none: the network's own value.",
        kind="model",
        web=(JUDGE, "none"),
    )
    worlds: int = setting(
        0, "Worlds drawn from the estimate for each search; 0: the network alone.", (0, 10_000), web=240
    )
    width: int = setting(4, "The most pseudo-actions searched.", (1, 1000), web=8)
    sure: float = setting(0.9, "A pseudo-action this likely is played without search; above 1: none is.", (0, 2), web=2)
    least: float = setting(0.05, "Pseudo-actions below this share of the likeliest are not searched.", (0, 1), web=1)
    depth: int = setting(
        0, "Decisions of each play-out before a value ends it; 0: to the end of the round.", (0, 10_000), web=24
    )
    prior: float = setting(
        0.3, "Points that a factor e in the policy's probability is worth in the search.", (0, 100), web=100
    )
    belief: Literal["abln", "uniform"] = setting("abln", "Worlds by ABLN, or uniform.")
    rounds: int = setting(
        1, "Parts in which the worlds are searched; after each, what is clearly behind is left out.", (1, 1000), web=12
    )
    gifts: int = setting(
        0,
        "Worlds in which each card that may be given as tribute or in return is valued; 0: the plan of the hand says.",
        (0, 10_000),
        web=60,
    )


class AblgdAgent(Agent[AblgdSettings]):
    """ABL-GD. The presets count worlds, so decisions repeat exactly; strong stays within a second on one core."""

    Settings = AblgdSettings
    is_random = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "strong": {"worlds": 120, "sure": 0.9, "least": 0.05, "depth": 12, "prior": 0.1, "rounds": 6}
    }

    def __init__(self, settings: AblgdSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        values = settings.worlds or settings.gifts
        judge = settings.critic if values and settings.critic != "none" else None
        self.runtime = Runtime(settings.model, knowledge(), judge)
        s = settings
        self.plan = SearchPlan(s.worlds, s.width, s.sure, s.least, s.depth, s.prior, s.rounds)

    def decide(self, view: View) -> Decision:
        return self.decide_many([view])[0]

    def decide_many(self, views: Sequence[View]) -> list[Decision]:
        decisions: dict[int, Decision] = {}
        plays: list[tuple[int, GuandanView]] = []
        for i, view in enumerate(views):
            assert isinstance(view, GuandanView)
            if view.native.phase == native.PHASE_PLAY:
                plays.append((i, view))
            else:
                decisions[i] = self._exchange(view)
        if plays:
            start = time.perf_counter()
            readings = self.runtime.read([view.native for _, view in plays])
            share = (time.perf_counter() - start) / len(plays)
            for (i, view), reading in zip(plays, readings, strict=True):
                decisions[i] = self.explained(view, reading, share)
        return [decisions[i] for i in range(len(views))]

    def explained(self, view: GuandanView, reading: Reading, seconds: float = 0.0) -> Decision:
        """The decision for what the network read, with everything that led to it."""
        start = time.perf_counter()
        belief = EstimateBelief(view, reading.estimate)
        searched: Searched | None = None
        weights = reading.chances
        if self.plan.worlds and len(reading.pseudo) > 1:
            drawn_by = belief.estimate if self.settings.belief == "abln" else None
            searched = search(self.runtime, view.native, reading, drawn_by, self.plan, self.native_seed(view))
            if searched.worlds:
                weights = np.zeros(len(reading.chances))
                weights[searched.places] = np.exp(searched.total - searched.total.max())
        distribution = np.full(PSEUDO_ACTIONS, -1.0)
        distribution[reading.pseudo] = weights
        abduced = minimise(distribution, view.native)
        return Decision(
            move=abduced.play,
            candidates=_candidates(reading, searched, abduced),
            value_unit="points",
            belief=belief,
            stages=_notes(view, belief, reading, searched, abduced),
            reasons=_reasons(reading, searched, abduced),
            work={"evaluations": 1, "worlds": searched.worlds if searched else 0},
            seconds=seconds + time.perf_counter() - start,
            agent=self.spec,
            seed=self.seed if self.plan.worlds else None,
        )

    def _exchange(self, view: GuandanView) -> Decision:
        """Tribute and return: what the plan of the hand misses least, or after what the round is worth most."""
        start = time.perf_counter()
        plays = view.native.legal_plays()
        if len(plays) == 1:
            candidates, reason, worlds = [Candidate(plays[0])], Reason("only_move"), 0
        elif not self.settings.gifts:
            planned = view.native.bot_play(PLANNER)
            candidates, reason, worlds = [Candidate(planned)], Reason("guandan.exchange"), 0
        else:
            worlds = self.settings.gifts
            values = gift_values(self.runtime, view.native, plays, worlds, self.native_seed(view))
            order = np.argsort(-values, kind="stable")
            candidates = [Candidate(plays[i], value=float(values[i]), visits=worlds) for i in order]
            reason = Reason("guandan.exchange_valued", {"worlds": worlds, "value": f"{values[order[0]]:+.2f}"})
        return Decision(
            move=candidates[0].move, candidates=candidates, value_unit="points", reasons=[reason],
            work={"worlds": worlds}, seconds=time.perf_counter() - start, agent=self.spec, seed=self.seed,
        )  # fmt: skip

    @property
    def is_searching(self) -> bool:
        return self.plan.worlds > 0


def _candidates(reading: Reading, searched: Searched | None, abduced: Abduced) -> list[Candidate]:
    """The concrete play of each likely pseudo-action, the one played first."""
    values = {}
    if searched is not None and searched.worlds:
        values = dict(zip(searched.places, searched.values.tolist(), strict=True))
    order = sorted(range(len(reading.pseudo)), key=lambda i: (reading.pseudo[i] != abduced.pseudo, -reading.chances[i]))
    return [
        Candidate(
            reading.plays[i] if reading.pseudo[i] != abduced.pseudo else abduced.play, value=values.get(i),
            probability=float(reading.chances[i]), visits=searched.worlds if searched and i in values else None,
        )
        for i in order[:SHOWN]
    ]  # fmt: skip


def _reasons(reading: Reading, searched: Searched | None, abduced: Abduced) -> list[Reason]:
    if len(reading.pseudo) == 1:
        return [Reason("only_move")]
    place = int(np.flatnonzero(reading.pseudo == abduced.pseudo)[0])
    name = pseudo_text(abduced.pseudo)
    share = round(100 * float(reading.chances[place]), 1)
    reasons = [Reason("guandan.pseudo_action", {"action": name, "share": share})]
    if searched is not None and searched.worlds:
        value = float(searched.values[searched.places.index(place)])
        reasons.append(Reason("guandan.searched", {"worlds": searched.worlds, "value": f"{value:+.2f}"}))
    deciding = abduced.deciding()
    if deciding:
        reasons += [Reason(f"guandan.rule.{rule}") for rule in deciding]
    return reasons


def _notes(
    view: GuandanView, belief: EstimateBelief, reading: Reading, searched: Searched | None, abduced: Abduced
) -> dict[str, Any]:
    """What each stage found, JSON-ready: the content of the paper's figure 4."""
    order = np.argsort(-reading.chances, kind="stable")[:SHOWN]
    decide: dict[str, Any] = {
        "pseudo_actions": {pseudo_text(int(reading.pseudo[i])): round(float(reading.chances[i]), 4) for i in order},
        "played": pseudo_text(abduced.pseudo),
        "plays": [
            {"play": str(one.play), "inconsistency": round(one.inconsistency, 3),
             "probability": round(one.probability, 4), "broken": dict(one.broken)}
            for one in abduced.candidates[:SHOWN]
        ],
        "deciding_rules": abduced.deciding(),
        "dropped": {pseudo_text(one.pseudo): one.rule.name for one in abduced.dropped},
    }  # fmt: skip
    if searched is not None and searched.worlds:
        decide["searched"] = {
            pseudo_text(int(reading.pseudo[place])): {"value": round(float(value), 3), "error": round(float(error), 3)}
            for place, value, error in zip(searched.places, searched.values, searched.errors, strict=True)
        }
    key_cards = [52, 53, 4 * view.level + 1]
    rows = belief.estimate.reshape(-1, 54)
    infer = {
        str(seat): {card_text(kind): round(float(row[kind]), 2) for kind in key_cards}
        for seat, row in zip(belief.others(), rows, strict=True)
    }
    scores = {f"{score:+d}": round(float(p), 4) for score, p in zip(SCORES, reading.scores, strict=True)}
    return {
        "understand": {"plays_seen": sum(1 for _ in view.moves()), "cards_left": list(view.counts)},
        "model": {"abln": belief.raw is not None},
        "infer": {"key_cards": infer},
        "decide": decide,
        "value": {"expected": round(reading.value, 3), "scores": scores},
    }
