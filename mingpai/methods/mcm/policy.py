"""The paper's MCM network: a policy over abstract moves, then over kickers, learned from decisions of MCTSHS.

An abstract move is a type with its rank and length: all moves of the rules without their kickers. The network gives a
score to every abstract move, and to every rank as a kicker given the abstract move chosen; both choices are masked to
what is legal. `mcm-policy` plays the likeliest move.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mingpai._native import doudizhu, mcm
from mingpai.agents.doudizhu_bidding import bid_by_strength
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.core.agent import Agent
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.reasons import Reason
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.mcm.rows import position_of
from mingpai.models.loader import load

SHIPPED = "doudizhu-policy"
FEATURES = "doudizhu-planes-1"
"""Name of the tensor layout (native/mcm/planes.hpp)."""

RANKS = 15

Abstract = tuple[int, int, int]
"""Type, rank and length of a move."""

CARRIED: Mapping[int, tuple[int, int]] = {
    int(doudizhu.Type.TRIPLE_SINGLE): (3, 1),
    int(doudizhu.Type.TRIPLE_PAIR): (3, 2),
    int(doudizhu.Type.AIRPLANE_SINGLES): (3, 1),
    int(doudizhu.Type.AIRPLANE_PAIRS): (3, 2),
    int(doudizhu.Type.FOUR_SINGLES): (4, 1),
    int(doudizhu.Type.FOUR_PAIRS): (4, 2),
}
"""Types with kickers: copies of each rank of the main part, cards of a kicker."""


@cache
def abstract_moves(rules: str = "standard") -> dict[Abstract, int]:
    """Every abstract move of a rule profile with its number, by type, length and rank; the pass is the first."""
    kinds = {abstract_of(move) for move in doudizhu.all_moves(doudizhu.profile(rules))}
    return {kind: i for i, kind in enumerate(sorted(kinds, key=lambda kind: (kind[0], kind[2], kind[1])))}


def abstract_of(move: Move) -> Abstract:
    return int(move.type), move.rank, move.length


def kickers_of(move: Move) -> NDArray[np.float32]:
    """How many kickers of each rank a move carries."""
    out = np.zeros(RANKS, np.float32)
    if int(move.type) in CARRIED:
        copies, width = CARRIED[int(move.type)]
        for rank in range(RANKS):
            count = move.cards >> (4 * rank) & 15
            if move.rank <= rank < move.rank + move.length:
                count -= copies
            out[rank] = count // width
    return out


@dataclass(frozen=True)
class Options:
    """The legal moves of a decision as the network's two choices see them."""

    abstract: NDArray[np.int64]
    """Number of the abstract move of each legal move."""
    kickers: NDArray[np.float32]
    """Kickers of each legal move, by rank."""

    @staticmethod
    def of(moves: Sequence[Move]) -> "Options":
        numbers = abstract_moves()
        return Options(
            np.array([numbers[abstract_of(move)] for move in moves]), np.stack([kickers_of(move) for move in moves])
        )


def probabilities(
    options: Options, scores: NDArray[np.float32], kicker_scores: NDArray[np.float32]
) -> NDArray[np.float64]:
    """P(move) of each legal move: a softmax over the legal abstract moves, then over the legal kickers of each.

    `scores` has one number for each abstract move, `kicker_scores` a row of ranks for each of them.
    """
    kinds, which = np.unique(options.abstract, return_inverse=True)
    first = _softmax(scores[kinds].astype(np.float64))
    carried = (options.kickers * kicker_scores[options.abstract]).sum(axis=1).astype(np.float64)
    out = np.zeros(len(which))
    for number in range(len(kinds)):
        rows = which == number
        out[rows] = first[number] * _softmax(carried[rows])
    return out


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    raised = np.exp(scores - scores.max())
    made: NDArray[np.float64] = raised / raised.sum()
    return made


@dataclass(frozen=True)
class McmPolicySettings:
    """Options of `mcm-policy`."""

    model: str = SHIPPED
    """Name of a shipped model, or path of a model folder."""


class McmPolicyAgent(Agent[McmPolicySettings]):
    """The paper's MCM: the policy network alone."""

    Settings = McmPolicySettings

    def __init__(self, settings: McmPolicySettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._model = load(settings.model, game="doudizhu", features=FEATURES)

    def decide(self, view: View) -> Decision:
        return self.decide_many([view])[0]

    def decide_many(self, views: Sequence[View]) -> list[Decision]:
        start = time.perf_counter()
        tables = [doudizhu_view(view) for view in views]
        plays = [table for table in tables if table.landlord is not None]
        chosen = dict(zip(map(id, plays), self._policies(plays), strict=True)) if plays else {}
        seconds = (time.perf_counter() - start) / max(1, len(plays))
        return [
            self._decision(table, chosen[id(table)], seconds)
            if id(table) in chosen
            else bid_by_strength(table, self.spec)
            for table in tables
        ]

    def _policies(self, views: Sequence[DoudizhuView]) -> list[NDArray[np.float64]]:
        positions = [position_of(view) for view in views]
        out = self._model.run({"planes": mcm.planes(positions)})
        return [
            probabilities(Options.of(position.moves), out["scores"][i], out["kicker_scores"][i])
            for i, position in enumerate(positions)
        ]

    def _decision(self, view: DoudizhuView, policy: NDArray[np.float64], seconds: float) -> Decision:
        moves = view.native_moves().to_list()
        order = np.argsort(-policy, kind="stable")
        candidates = [Candidate(moves[i], probability=float(policy[i])) for i in order]
        reason = Reason("only_move")
        if len(moves) > 1:
            reason = Reason("doudizhu.policy_choice", {"percent": f"{policy[order[0]]:.0%}", "count": len(moves)})
        return Decision(
            move=candidates[0].move, candidates=candidates, value_unit="win", reasons=[reason],
            work={"evaluations": 1}, seconds=seconds, agent=self.spec,
        )  # fmt: skip
