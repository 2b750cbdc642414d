"""CQL-style opponent: Q-learning over combinations, in the spirit of combinational Q-learning.

First the hand is decomposed: only moves that occur in a partition of few parts are considered. Then a small network,
trained by one-step Q-learning in self-play, chooses among them.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
from mingpai.methods.mcm.rows import WIN, Values, open_network, position_of, values_of

SHIPPED = "doudizhu-cql"


@dataclass(frozen=True)
class CqlSettings:
    """Options of `cql`."""

    slack: int = setting(2, "Moves considered occur in a partition of at most L_min + slack parts.", (0, 20), web=4)
    model: str = setting(SHIPPED, "Name of a shipped model, or path of a model folder.", kind="model", web=(SHIPPED,))


class CqlAgent(Agent[CqlSettings]):
    """The Q-network over combinations."""

    Settings = CqlSettings

    def __init__(self, settings: CqlSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._evaluate = open_network(settings.model)
        self._splitters: dict[str, Splitter] = {}

    def decide(self, view: View) -> Decision:
        return self.decide_many([view])[0]

    def decide_many(self, views: Sequence[View]) -> list[Decision]:
        start = time.perf_counter()
        tables = [doudizhu_view(view) for view in views]
        plays = [i for i, table in enumerate(tables) if table.landlord is not None]
        each = values_of(self._evaluate, [position_of(tables[i]) for i in plays], False) if plays else []
        seconds = (time.perf_counter() - start) / max(1, len(plays))
        values = dict(zip(plays, each, strict=True))
        return [
            self._play(table, values[i], seconds) if i in values else bid_by_strength(table, self.spec)
            for i, table in enumerate(tables)
        ]

    def _play(self, view: DoudizhuView, values: Values, seconds: float) -> Decision:
        moves: list[Move] = view.native_moves().to_list()
        combinations = set(self._splitter(view).less_split_moves(view.hand, view.last, self.settings.slack))
        order = [i for i in np.argsort(-values[:, WIN], kind="stable") if moves[i] in combinations or moves[i].is_pass]
        chance = 1 / (1 + np.exp(-values[:, WIN]))
        candidates = [Candidate(moves[i], value=float(chance[i])) for i in order]
        only = len(moves) == 1
        reason = Reason("only_move") if only else Reason("doudizhu.combinations_value", {"count": len(candidates)})
        return Decision(
            move=candidates[0].move, candidates=candidates, value_unit="win", reasons=[reason],
            work={"evaluations": len(moves)}, seconds=seconds, agent=self.spec,
        )  # fmt: skip

    def _splitter(self, view: DoudizhuView) -> Splitter:
        name = view.rule_set.name
        if name not in self._splitters:
            self._splitters[name] = Splitter(view.rule_set.native)
        return self._splitters[name]
