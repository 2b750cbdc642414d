"""The agents of this method: `mctshs`, the search of the paper, and `mingpai`, the flagship."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from mingpai._native import doudizhu as native
from mingpai._native.handsplit import Searcher
from mingpai.agents.doudizhu_bidding import bid_by_strength
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.core.decision import Decision
from mingpai.core.game import View
from mingpai.core.stages import StagedAgent
from mingpai.methods.handsplit.endings import Endings
from mingpai.methods.handsplit.inference import OneModel, ParticleInference, ReadMoves, Searchers
from mingpai.methods.handsplit.search import TreeSearch, TreeSettings

INFERENCE_SHARE = 0.35
"""Share of a time limit that the inference may take."""


@dataclass(frozen=True)
class SearchAgentSettings(TreeSettings):
    """The tree search and the belief it draws worlds from."""

    belief: Literal["uniform", "inferred"] = "uniform"
    """Worlds all equally likely, or weighted by what was played and not played."""
    particles: int = 4000
    """Worlds of the belief."""
    temperature: float = 3.5
    """Player model: temperature of the softmax over scores."""
    noise: float = 0.02
    """Player model: share of moves that follow no plan."""
    tempering: float = 0.7
    """Player model: exponent of the likelihood; below 1 evidence counts less."""
    endings: bool = False
    """Prove endings with the endgame solver when few worlds are left."""


class MctshsAgent(StagedAgent[SearchAgentSettings]):
    """MCTSHS as the paper has it: uniform worlds, LessSplit candidates, farmers as one side."""

    Settings = SearchAgentSettings
    is_random = True

    def __init__(self, settings: SearchAgentSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        searchers = Searchers(make_searcher)
        self.understanding = ReadMoves()
        self.modelling = OneModel(settings.temperature, settings.noise, settings.tempering)
        self.inference = ParticleInference(
            searchers, settings.particles, seed, settings.belief == "uniform", INFERENCE_SHARE * settings.seconds
        )
        self.deciding = TreeSearch(settings, seed, endings=Endings() if settings.endings else None)

    def decide(self, view: View) -> Decision:
        table = doudizhu_view(view)
        if table.landlord is None:
            return bid_by_strength(table, self.spec)
        return super().decide(view)


def make_searcher(rules: native.Rules) -> Searcher:
    """A searcher with the tuned weights."""
    return Searcher(rules, tuned_weights())


@dataclass(frozen=True)
class MingpaiSettings(SearchAgentSettings):
    """The flagship: the belief is inferred."""

    belief: Literal["uniform", "inferred"] = "inferred"
    particles: int = 2000
    endings: bool = True


class MingpaiAgent(MctshsAgent):
    """The strongest player here that needs no network. The presets are sized for 20 ms, 0.1 s and 1 s a move on one or
    (strong) two cores; they count iterations and so repeat exactly. Add `seconds=S` to hold a limit anywhere."""

    Settings = MingpaiSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "fast": {"iterations": 1200, "particles": 500},
        "normal": {"iterations": 8000, "particles": 3000},
        "strong": {"iterations": 60_000, "particles": 6000, "threads": 2},
    }
