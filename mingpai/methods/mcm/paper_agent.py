"""The paper's MCM: a network scores the LessSplit candidates; where it is unsure, a tree search decides among the best.

As the authors' logs show it: the landlord plays the best score at once; a farmer does where it leads the second by 0.2
or more, and otherwise searches the candidates that are less than 0.2 behind, five at most. The score is added to what
every simulation of a candidate earns, and the one that earned most is played. That is the improvement module; its
decisions are better lessons for the next network (`lessons.py`).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mingpai._native import mcm
from mingpai._native.core import Budget
from mingpai._native.handsplit import SearchResult, UctSettings, uct_search
from mingpai._native.ruleplay import Situation, Splitter
from mingpai.agents.doudizhu_bidding import bid_by_strength
from mingpai.agents.doudizhu_rule import reason_of
from mingpai.agents.doudizhu_situation import doudizhu_view, situation_of
from mingpai.core.agent import Agent
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.mcm.lessons import SLACK, kinds_of, splitter
from mingpai.methods.mcm.rows import position_of
from mingpai.models.loader import Model, load

SHIPPED = "doudizhu-mcm-paper"
FEATURES = "doudizhu-planes-2"
"""Name of the tensor layout (native/mcm/planes.hpp)."""


@dataclass(frozen=True)
class ImprovementSettings:
    """When and how far the improvement module searches; the defaults are what the authors' logs show."""

    at_once: Literal["landlord", "never", "always"] = setting(
        "landlord", "Who plays the best score at once, whatever its lead: the landlord, nobody or everybody."
    )
    lead: float = setting(0.2, "A best score that leads the second by so much is played at once.", (0, 1))
    few: int = setting(
        5, "Candidates that are searched at most: the best by score, less than `lead` behind.", (2, 96), web=20
    )
    simulations: int = setting(
        10_000, "Simulations of a search (in the logs 10,000 to 300,000).", (1, 2_000_000), web=100_000
    )
    weight: float = setting(
        0.5, "So much of a score is added to what a simulation earns: 1 for a win, 0 for a loss.", (0, 100), web=10
    )
    exploration: float = setting(2.828, "UCB1: the weight of rare visits.", (0, 100), web=100)


@dataclass(frozen=True)
class PaperMcmSettings(ImprovementSettings):
    """Options of `mcm-paper`."""

    model: str = setting(SHIPPED, "Name of a shipped model, or path of a model folder.", kind="model", web=(SHIPPED,))


@dataclass(frozen=True)
class Scored:
    """The candidates of a decision, the best score first."""

    moves: list[Move]
    scores: NDArray[np.float64]
    """They add up to 1: the part of a search that the network expects to go into each."""
    earnings: NDArray[np.float64]
    """Chance to win that the network expects after each."""

    @property
    def lead(self) -> float:
        return float(self.scores[0] - self.scores[1]) if len(self.moves) > 1 else 1.0


class Scorer:
    """The network with its input."""

    def __init__(self, model: str) -> None:
        self._model: Model = load(model, game="doudizhu", features=FEATURES)

    def scored(self, positions: Sequence[mcm.Position], moves: Sequence[list[Move]]) -> list[Scored]:
        """The candidates of each position with their scores, from one call of the network."""
        of = np.repeat(np.arange(len(moves)), [len(each) for each in moves])
        flat = [move for each in moves for move in each]
        candidates = mcm.candidate_planes(
            np.array([position.role for position in positions], np.uint8)[of],
            np.array([position.hand for position in positions], np.uint64)[of],
            np.array([move.cards for move in flat], np.uint64),
            kinds_of(flat),
        )
        out = self._model.run({"planes": mcm.planes(positions), "candidates": candidates, "of": of})["scores"]
        rows = np.split(out.astype(np.float64), np.flatnonzero(np.diff(of)) + 1)
        return [_scored(each, row) for each, row in zip(moves, rows, strict=True)]


def _scored(moves: list[Move], logits: NDArray[np.float64]) -> Scored:
    raised = np.exp(logits[:, 0] - logits[:, 0].max())
    order = np.argsort(-raised, kind="stable")
    return Scored([moves[i] for i in order], raised[order] / raised.sum(), 1 / (1 + np.exp(-logits[order, 1])))


def is_unsure(settings: ImprovementSettings, role: int, scored: Scored) -> bool:
    """Whether the improvement module has to search."""
    if len(scored.moves) < 2 or settings.at_once == "always" or (settings.at_once == "landlord" and role == 0):
        return False
    return scored.lead < settings.lead


def improved(
    settings: ImprovementSettings, scored: Scored, situation: Situation, splits: Splitter, seed: int
) -> SearchResult:
    """The paper's tree search among the few best candidates, their scores added to what they earn."""
    native = UctSettings()
    native.simulations = settings.simulations
    native.slack = SLACK
    native.exploration = settings.exploration
    native.score_weight = settings.weight
    near = int((scored.scores > scored.scores[0] - settings.lead).sum())
    few = list(zip(scored.moves, map(float, scored.scores), strict=True))[: min(near, settings.few)]
    return uct_search(situation, splits, few, native, seed, Budget())


class PaperMcmAgent(Agent[PaperMcmSettings]):
    """MCM as paper 003 and its authors' logs have it."""

    Settings = PaperMcmSettings
    is_random = True

    def __init__(self, settings: PaperMcmSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._scorer = Scorer(settings.model)

    def decide(self, view: View) -> Decision:
        return self.decide_many([view])[0]

    def decide_many(self, views: Sequence[View]) -> list[Decision]:
        start = time.perf_counter()
        tables = [doudizhu_view(view) for view in views]
        plays = [table for table in tables if table.landlord is not None]
        scored = dict(zip(map(id, plays), self._scores(plays), strict=True)) if plays else {}
        each = (time.perf_counter() - start) / max(1, len(plays))
        return [
            self._play(table, scored[id(table)], each) if id(table) in scored else bid_by_strength(table, self.spec)
            for table in tables
        ]

    def _scores(self, views: Sequence[DoudizhuView]) -> list[Scored]:
        positions = [position_of(view) for view in views]
        moves = [splitter(view.rule_set.name).less_split_moves(view.hand, view.last, SLACK) for view in views]
        return self._scorer.scored(positions, moves)

    def _play(self, view: DoudizhuView, scored: Scored, seconds: float) -> Decision:
        start = time.perf_counter()
        assert view.role is not None
        if is_unsure(self.settings, view.role, scored):
            candidates, reasons, work = self._searched(view, scored)
        else:
            candidates, reasons, work = self._at_once(scored)
        return Decision(
            move=candidates[0].move, candidates=candidates, value_unit="win", reasons=reasons, work=work,
            seconds=seconds + time.perf_counter() - start, agent=self.spec, seed=self.seed,
        )  # fmt: skip

    def _at_once(self, scored: Scored) -> tuple[list[Candidate], list[Reason], dict[str, float]]:
        candidates = [
            Candidate(move, value=float(earned), probability=float(score))
            for move, score, earned in zip(scored.moves, scored.scores, scored.earnings, strict=True)
        ]
        count = len(candidates)
        reason = Reason("doudizhu.policy_choice", {"percent": f"{scored.scores[0]:.0%}", "count": count})
        return candidates, [reason if count > 1 else Reason("only_move")], {"evaluations": count}

    def _searched(self, view: DoudizhuView, scored: Scored) -> tuple[list[Candidate], list[Reason], dict[str, float]]:
        tree = splitter(view.rule_set.name)
        search = improved(self.settings, scored, situation_of(view), tree, self.native_seed(view))
        told = dict(zip(map(str, scored.moves), map(float, scored.scores), strict=True))
        candidates = [Candidate(root.move, root.value, told[str(root.move)], root.visits) for root in search.moves]
        reasons = [
            Reason("doudizhu.searched", {"count": len(candidates), "iterations": search.iterations}),
            reason_of(view, search.moves[0].move),
        ]
        work = {"evaluations": float(len(scored.moves)), "iterations": search.iterations, "nodes": search.nodes}
        return candidates, reasons, work
