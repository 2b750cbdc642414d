"""CQL: combinational Q-learning. The hand is split first, then one group of the best split is played.

A network values up to a hundred ways to split the hand; of the split it finds best it values the groups that may be
played now, the pass among them, and the best of those is the move. Both stages learn by Q-learning (`train_cql.py`).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mingpai._native import mcm
from mingpai._native.ruleplay import Splitter
from mingpai.agents.doudizhu_bidding import bid_by_strength
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.core.agent import Agent
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.mcm.lessons import splitter
from mingpai.methods.mcm.rows import known_places, load_value, position_of
from mingpai.models.loader import Model

SHIPPED = "doudizhu-cql"
FEATURES = f"doudizhu-combinations-{mcm.FEATURE_VERSION}"
"""Name of the layout: rows of states and moves as of `rows.py`, splits as of native/mcm/combinations.hpp."""
SLACK, MOST = 2, 100
MOST_GROUPS = 21
"""Of one split: twenty single cards and the pass. The network takes rows of so many."""


@dataclass(frozen=True)
class SplitSettings:
    """Which ways to split a hand are looked at."""

    slack: int = setting(SLACK, "Ways to split the hand have at most L_min + slack groups.", (0, 20), web=4)
    most: int = setting(MOST, "Ways to split the hand that are valued; of more, some are drawn.", (1, 1000), web=100)


@dataclass(frozen=True)
class CqlSettings(SplitSettings):
    """Options of `cql`."""

    model: str = setting(SHIPPED, "Name of a shipped model, or path of a model folder.", kind="model", web=(SHIPPED,))


@dataclass(frozen=True)
class Split:
    """The split that is valued best, and what may be played of it, the best first."""

    moves: list[Move]
    chances: NDArray[np.float64]
    """To win, after each."""
    splits: int
    """Ways to split the hand that were valued."""


class CqlAgent(Agent[CqlSettings]):
    """The two-stage network."""

    Settings = CqlSettings

    def __init__(self, settings: CqlSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._model: Model = load_value(settings.model, FEATURES)

    def decide(self, view: View) -> Decision:
        return self.decide_many([view])[0]

    def decide_many(self, views: Sequence[View]) -> list[Decision]:
        start = time.perf_counter()
        tables = [doudizhu_view(view) for view in views]
        plays = [i for i, table in enumerate(tables) if table.landlord is not None]
        best = dict(zip(plays, self._best_splits([tables[i] for i in plays]), strict=True))
        seconds = (time.perf_counter() - start) / max(1, len(plays))
        return [
            self._told(table, best[i], seconds) if i in best else bid_by_strength(table, self.spec)
            for i, table in enumerate(tables)
        ]

    def _told(self, view: DoudizhuView, best: Split, seconds: float) -> Decision:
        candidates = [
            Candidate(move, value=float(chance)) for move, chance in zip(best.moves, best.chances, strict=True)
        ]
        only = len(view.native_moves()) == 1
        reason = Reason("only_move") if only else Reason("doudizhu.combinations_value", {"count": len(candidates)})
        return Decision(
            move=candidates[0].move, candidates=candidates, value_unit="win", reasons=[reason],
            work={"evaluations": best.splits}, seconds=seconds, agent=self.spec,
        )  # fmt: skip

    def _best_splits(self, views: Sequence[DoudizhuView]) -> list[Split]:
        """One call of the network for all that are played by the same rules."""
        splits: dict[int, Split] = {}
        for rules in {view.rule_set.name for view in views}:
            which = [i for i, view in enumerate(views) if view.rule_set.name == rules]
            best = self._valued([position_of(views[i]) for i in which], splitter(rules))
            splits |= dict(zip(which, best, strict=True))
        return [splits[i] for i in range(len(views))]

    def _valued(self, positions: Sequence[mcm.Position], splits_of: Splitter) -> list[Split]:
        states, _, _ = mcm.observe_positions(positions, False)
        groups, of, choices, splits, split_of = mcm.position_combinations(
            positions, splits_of, self.settings.slack, self.settings.most
        )
        splits = np.pad(splits, ((0, 0), (0, MOST_GROUPS - splits.shape[1])), constant_values=len(groups))
        states = known_places(self._model, states)
        values = self._model.run({"states": states, "groups": groups, "of": of, "splits": splits})
        choice = np.append(choices, -1)[splits]
        starts = np.searchsorted(split_of, np.arange(len(positions) + 1))
        best = [first + int(np.argmax(values["split_values"][first:end])) for first, end in pairwise(starts)]
        return [
            _split(position, choice[i], values["group_values"][i].astype(np.float64), int(count))
            for position, i, count in zip(positions, best, np.diff(starts), strict=True)
        ]


def _split(position: mcm.Position, choice: NDArray[np.int32], logits: NDArray[np.float64], splits: int) -> Split:
    order = [i for i in np.argsort(-logits, kind="stable") if choice[i] >= 0]
    return Split([position.moves[choice[i]] for i in order], 1 / (1 + np.exp(-logits[order])), splits)
