"""MCM, the network alone: one look at the position, no search. The legal move of the highest value is played."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mingpai._native import mcm
from mingpai._native.doudizhu import Bidding, Phase
from mingpai.core.agent import Agent
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.games.doudizhu.moves import Bid, Move
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.mcm.rows import POINTS, WIN, Evaluate, Values, open_network, position_of, values_of

SHIPPED = "doudizhu-value"
STUDENT = "doudizhu-student"
"""The smaller network that learned from it: it plays the worlds of a search out."""
JUDGE = "doudizhu-judge"
"""The network that sees all hands: it values the worlds of a search."""
NO_MODEL = "none"
"""No network: of a flagship that plays without one, or a search without a judge."""

BOTTOM_SAMPLES = 8
"""Draws of the bottom cards that a bid is averaged over."""

BID_LIMITS = (-0.1, 0.05, 0.2)
"""Expected points of the landlord, in stakes of a farmer, from which a bid of 1, 2, 3 is made."""


@dataclass(frozen=True)
class McmSettings:
    """Options of `mcm`."""

    objective: Literal["win", "points"] = setting(
        "win", "Play for the probability to win, or for points (bombs and spring double)."
    )
    model: str = setting(SHIPPED, "Name of a shipped model, or path of a model folder.", kind="model", web=(SHIPPED,))


class McmAgent(Agent[McmSettings]):
    """The value network alone; needs a few milliseconds a move."""

    Settings = McmSettings
    presets = {"points": {"objective": "points"}}

    def __init__(self, settings: McmSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._evaluate: Evaluate = open_network(settings.model)

    def decide(self, view: View) -> Decision:
        return self.decide_many([view])[0]

    def decide_many(self, views: Sequence[View]) -> list[Decision]:
        start = time.perf_counter()
        decisions: list[Decision | None] = [None] * len(views)
        plays: dict[int, DoudizhuView] = {}
        for i, view in enumerate(views):
            assert isinstance(view, DoudizhuView)
            if view.phase == Phase.BID:
                decisions[i] = self._bid(view)
            else:
                plays[i] = view
        if plays:
            each = {i: self._play(plays[i], values) for i, values in self._values(plays).items()}
            seconds = (time.perf_counter() - start) / len(plays)
            for i, (candidates, reason) in each.items():
                decisions[i] = self._decision(candidates, reason, seconds, len(candidates))
        return [decision for decision in decisions if decision is not None]

    def _asks_points(self, view: DoudizhuView) -> bool:
        """Once nothing can double any more, points are wins, of which the network knows more."""
        return self.settings.objective == "points" and view.may_double

    def _values(self, plays: Mapping[int, DoudizhuView]) -> dict[int, Values]:
        values: dict[int, Values] = {}
        for for_points in (False, True):
            which = [i for i, view in plays.items() if self._asks_points(view) == for_points]
            if which:
                told = values_of(self._evaluate, [position_of(plays[i]) for i in which], for_points)
                values |= dict(zip(which, told, strict=True))
        return values

    def _play(self, view: DoudizhuView, values: Values) -> tuple[list[Candidate], Reason]:
        moves: list[Move] = view.native_moves().to_list()
        asked = POINTS if self._asks_points(view) else WIN
        scores = values[:, POINTS] if asked == POINTS else 1 / (1 + np.exp(-values[:, WIN]))
        if self.settings.objective == "points":
            scores = stake_of(view) * (scores if asked == POINTS else 2 * scores - 1)
        order = np.argsort(-values[:, asked], kind="stable")
        candidates = [Candidate(moves[i], value=float(scores[i])) for i in order]
        if len(moves) == 1:
            return candidates, Reason("only_move")
        return candidates, Reason("doudizhu.network_value", {"count": len(moves)})

    def _bid(self, view: DoudizhuView) -> Decision:
        start = time.perf_counter()
        points = self._landlord_points(view)
        worth = sum(points >= limit for limit in BID_LIMITS)
        wanted = min(worth, 1) if view.rule_set.bidding == Bidding.CALL_ROB else worth
        bid = Bid(wanted) if Bid(wanted) in view.legal_moves() else Bid(0)
        reason = Reason("doudizhu.network_bid", {"points": round(points, 2), "worth": worth})
        return self._decision([Candidate(bid)], reason, time.perf_counter() - start, BOTTOM_SAMPLES)

    def _landlord_points(self, view: DoudizhuView) -> float:
        """Expected points as the landlord, over draws of the bottom cards."""
        hands = view.native.sample_hands(self.native_seed(view), BOTTOM_SAMPLES, view.deck)
        bottoms = [int(row[-1]) for row in hands]
        positions = [
            mcm.Position(0, view.hand + bottom, bottom, (20, 17, 17), [], view.rule_set.native, view.deck)
            for bottom in bottoms
        ]
        return float(np.mean([values[:, POINTS].max() for values in values_of(self._evaluate, positions, True)]))

    def _decision(self, candidates: list[Candidate], reason: Reason, seconds: float, evaluations: int) -> Decision:
        return Decision(
            move=candidates[0].move, candidates=candidates, value_unit=self.settings.objective, reasons=[reason],
            work={"evaluations": evaluations}, seconds=seconds, agent=self.spec,
        )  # fmt: skip


def stake_of(view: DoudizhuView) -> float:
    """Points of the seat for each stake of the network: the bid, doubled by bombs so far, twice for the landlord.

    Where the rules count every deal as one, nobody gets more.
    """
    status, rules = view.native.status, view.rule_set.native
    if rules.unit_score:
        return 1.0
    return max(1, status.bid) * 2.0 ** status.bomb_doublings(rules) * (2 if view.role == 0 else 1)
