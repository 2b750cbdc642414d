"""The decision of MCTSHS as paper 003 prints it: UCB1 over LessSplit candidates, uniform worlds, random roll-outs.

Nothing of ours is in it: no priors, no rule player in the roll-outs, no inference, no early stop. `search.py` is ours.
"""

from dataclasses import dataclass

from mingpai._native.core import Budget
from mingpai._native.handsplit import UctSettings, uct_search
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.core.decision import Belief, Candidate, Decision
from mingpai.core.game import View
from mingpai.core.random import seed_of
from mingpai.methods.handsplit.inference import ParticleBelief
from mingpai.methods.handsplit.search import TreeSettings, forced_decision, search_reasons
from mingpai.methods.handsplit.split import splitter

SIMULATIONS = 50_000
"""Simulations of a decision: as many as the authors' logs have at least in the games against RB."""
MOST_SIMULATIONS = 2_000_000
"""Simulations that memory allows: each adds a node."""


@dataclass
class PrintedSearch:
    """Decide: the move that earned most in the paper's tree, as its authors' logs have it."""

    settings: TreeSettings
    seed: int

    def reseed(self, seed: int) -> None:
        """Chance comes from another seed from now on."""
        self.seed = seed

    def decide(self, view: View, belief: Belief) -> Decision:
        table = doudizhu_view(view)
        assert isinstance(belief, ParticleBelief)
        if (forced := forced_decision(table, "win")) is not None:
            return forced
        seed = seed_of(self.seed, "search", table.key())
        budget = Budget(seconds=self.settings.seconds)
        result = uct_search(belief.situation, splitter(table.rule_set.name), [], self._native(), seed, budget)
        total = max(1, result.iterations)
        return Decision(
            move=result.moves[0].move,
            candidates=[Candidate(root.move, root.value, root.visits / total, root.visits) for root in result.moves],
            value_unit="win",
            reasons=search_reasons(table, belief, result),
            work={"iterations": result.iterations, "nodes": result.nodes},
        )

    def _native(self) -> UctSettings:
        native = UctSettings()
        limit = MOST_SIMULATIONS if self.settings.seconds > 0 else SIMULATIONS
        native.simulations = min(self.settings.iterations or limit, MOST_SIMULATIONS)
        native.slack = self.settings.slack
        native.exploration = self.settings.exploration
        return native
