"""Exact endings: when few worlds are left, the endgame solver proves every candidate won or lost in each of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mingpai._native.core import Budget
from mingpai._native.handsplit import Ending, EndingProver, EndingSettings
from mingpai.games.doudizhu.moves import Move
from mingpai.methods.handsplit.inference import ParticleBelief

PROVER_MEMORY = 16 << 20
"""Bytes of the solver's tables: small enough to stay in the cache."""

SAME = 1e-9
"""Probabilities that differ by less are the same."""


MAX_WORLDS = 100
NODES_OF_A_WORLD = 3000
"""Of the solver, for all candidates."""


@dataclass
class Endings:
    """Proves endings for an agent. Deterministic: limited by nodes, not by time."""

    max_worlds: int = MAX_WORLDS
    """Possible worlds at most."""
    max_cards: int = 30
    """Cards of all three hands at most."""
    nodes: int = 20_000
    """Nodes of the solver for one candidate in one world."""
    all_nodes: int = NODES_OF_A_WORLD * MAX_WORLDS
    """Nodes for one decision."""
    _prover: EndingProver = field(default_factory=lambda: EndingProver(PROVER_MEMORY))

    def prove(self, belief: ParticleBelief, candidates: Sequence[Move], seconds: float = 0.0) -> Ending | None:
        """Every candidate in every possible world, or nothing when that takes too much."""
        settings = EndingSettings()
        settings.max_worlds, settings.max_cards = self.max_worlds, self.max_cards
        settings.nodes, settings.all_nodes = self.nodes, self.all_nodes
        budget = Budget(seconds=seconds)
        return self._prover.prove(belief.situation, belief.worlds, list(candidates), settings, belief.searcher, budget)


def endings_of(worlds: int) -> Endings:
    """Proofs of endings with so many possible worlds at most."""
    return Endings(max_worlds=worlds, all_nodes=NODES_OF_A_WORLD * worlds)


def is_certain(ending: Ending) -> bool:
    """Whether the best candidate wins in every world."""
    return ending.moves[0].won > 1 - SAME


def best_moves(ending: Ending) -> list[Move]:
    """The candidates that win in the most probable worlds: all of equal probability."""
    best = ending.moves[0].won
    return [proved.move for proved in ending.moves if proved.won > best - SAME]
