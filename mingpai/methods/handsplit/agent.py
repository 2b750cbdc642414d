"""The agent `mctshs`: the search of the paper, with inference and exact endings as options. No network."""

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
from mingpai.core.settings import part, setting
from mingpai.core.stages import Decide, StagedAgent
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.handsplit.endings import MAX_WORLDS, Endings, endings_of
from mingpai.methods.handsplit.inference import OneModel, ParticleInference, ReadMoves, Searchers
from mingpai.methods.handsplit.printed import PrintedSearch
from mingpai.methods.handsplit.search import TreeSearch, TreeSettings

INFERENCE_SHARE = 0.35
"""Share of a time limit that the inference may take."""


@dataclass(frozen=True)
class BeliefSettings:
    """How the hidden hands are read."""

    belief: Literal["uniform", "inferred"] = setting(
        "uniform", "Worlds all equally likely, or weighted by what was played and not played."
    )
    particles: int = setting(4000, "Worlds of the belief.", (1, 1_000_000), web=20_000)
    temperature: float = setting(3.5, "Player model: temperature of the softmax over scores.", (0.01, 1000), web=1000)
    noise: float = setting(0.02, "Player model: share of moves that follow no plan.", (0, 1), web=1)
    tempering: float = setting(
        0.7, "Player model: exponent of the likelihood; below 1 evidence counts less.", (0, 100), web=100
    )


@dataclass(frozen=True)
class SearchAgentSettings:
    """The tree search, the belief it draws worlds from, and the endings."""

    tree: TreeSettings = part(TreeSettings())
    reading: BeliefSettings = part(BeliefSettings())
    endings: bool = setting(False, "Prove endings with the endgame solver when few worlds are left.")
    ending_worlds: int = setting(
        MAX_WORLDS, "Possible worlds at most in an ending that is proved; the solver's nodes grow with it.", (1, 10**6),
        web=1000,
    )  # fmt: skip


@dataclass(frozen=True)
class MctshsSettings(SearchAgentSettings):
    """Options of `mctshs`."""

    search: Literal["ours", "paper"] = setting(
        "ours", "Whose tree search: ours, with priors and roll-outs by a rule player, or the paper's as printed."
    )


class MctshsAgent(StagedAgent[SearchAgentSettings]):
    """MCTSHS: LessSplit candidates, uniform worlds, farmers as one side. The preset `paper` is it as printed."""

    Settings: ClassVar[type[SearchAgentSettings]] = MctshsSettings
    is_random = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {"search": "paper", "iterations": 50_000, "exploration": 2.828, "particles": 1},
    }

    def __init__(self, settings: SearchAgentSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        reading, seconds = settings.reading, INFERENCE_SHARE * settings.tree.seconds
        self.understanding = ReadMoves()
        self.modelling = OneModel(reading.temperature, reading.noise, reading.tempering)
        self.inference = ParticleInference(
            Searchers(make_searcher), reading.particles, seed, reading.belief == "uniform", seconds
        )
        endings = endings_of(settings.ending_worlds) if settings.endings else None
        self.deciding: Decide = self._deciding(settings, seed, endings)

    def _deciding(self, settings: Any, seed: int, endings: Endings | None) -> Decide:
        if isinstance(settings, MctshsSettings) and settings.search == "paper":
            return PrintedSearch(settings.tree, seed)
        return TreeSearch(settings.tree, seed, endings=endings)

    def without_stages(self, view: View) -> Decision | None:
        table = doudizhu_view(view)
        return self._bid(table) if table.landlord is None else None

    def _bid(self, view: DoudizhuView) -> Decision:
        return bid_by_strength(view, self.spec)


def make_searcher(rules: native.Rules) -> Searcher:
    """A searcher with the tuned weights."""
    return Searcher(rules, tuned_weights())
