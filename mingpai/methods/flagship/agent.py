"""The network inside the search: `mcm-search`, and `mingpai`, the flagship, which is the same at its presets.

Both read the hidden hands (`inference.py`), prove endings (`endings.py`), and weigh together what the network thinks,
what its playouts on the inferred worlds give, and what the tree search of MCTSHS finds (`playouts.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from mingpai.agents.doudizhu_bidding import bid_by_strength
from mingpai.core.decision import Decision
from mingpai.core.settings import setting
from mingpai.core.stages import Decide
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.flagship.playouts import NetworkPlayouts, PlayoutOptions
from mingpai.methods.handsplit.agent import MctshsAgent, SearchAgentSettings
from mingpai.methods.handsplit.endings import Endings
from mingpai.methods.handsplit.search import TreeSearch
from mingpai.methods.mcm.agent import JUDGE, NO_MODEL, SHIPPED, STUDENT, McmAgent, McmSettings


@dataclass(frozen=True)
class McmSearchSettings(SearchAgentSettings):
    """The search, the belief and the network. `iterations=0` leaves the tree search out."""

    belief: Literal["uniform", "inferred"] = "inferred"
    particles: int = 500
    endings: bool = True
    iterations: int = 3000
    model: str = setting(
        SHIPPED,
        "Name of a shipped model, or path of a model folder; none for the tree search alone.",
        kind="model",
        web=(SHIPPED, NO_MODEL),
    )
    player: str = setting(
        STUDENT,
        "The network that plays the worlds out, by name or path: the smaller, the more worlds in the same time.",
        kind="model",
        web=(STUDENT, SHIPPED),
    )
    judge: str = setting(
        JUDGE,
        "The network that values candidates in each world with open hands, by name or path; none for no judge.",
        kind="model",
        web=(JUDGE, NO_MODEL),
    )
    judge_trust: float = setting(
        2.0, "The judge's mean over the worlds counts so many times as much as all worlds.", (0, 1000), web=1000
    )
    plays_out: bool = setting(True, "Whether worlds are played out; else the network, the judge and the tree decide.")
    worlds: int = setting(128, "Worlds that each candidate is played out on, at most.", (1, 1_000_000), web=20_000)
    candidates: int = setting(5, "Candidates of the network at most.", (1, 10_000), web=100)
    margin: float = setting(
        1.0,
        "How far below the best a move may be valued to be a candidate, in logits or half stakes.",
        (0, 1000),
        web=1000,
    )
    trust: float = setting(
        0.75, "The network's own value counts so many times as much as all worlds.", (0, 1000), web=1000
    )
    clear: float = setting(2.0, "Standard errors of the paired difference that drop a candidate.", (0, 1000), web=1000)
    reads: int = setting(
        64,
        "Worlds of the belief that the network weighs again by what the others did; 0 for none.",
        (0, 1_000_000),
        web=20_000,
    )
    tree_trust: float = setting(
        1.0, "The result of the tree counts so many times as much as all worlds.", (0, 1000), web=1000
    )


class McmSearchAgent(MctshsAgent):
    """The network, its playouts over inferred worlds, and the tree search together."""

    Settings = McmSearchSettings
    settings: McmSearchSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def _deciding(self, settings: McmSearchSettings, seed: int, endings: Endings | None) -> Decide:
        if settings.model == NO_MODEL:
            return TreeSearch(settings, seed, endings=endings)
        options = PlayoutOptions(
            settings.model, settings.player, settings.judge, settings.objective, settings.worlds, settings.candidates,
            settings.margin, settings.trust, settings.clear, settings.judge_trust, settings.plays_out,
            settings.tree_trust, reads=settings.reads, threads=settings.threads,
            seconds=settings.seconds,
        )  # fmt: skip
        return NetworkPlayouts(options, settings if settings.iterations else None, seed, endings)

    def _bid(self, view: DoudizhuView) -> Decision:
        if self.settings.model == NO_MODEL:
            return super()._bid(view)
        settings = McmSettings(self.settings.objective, self.settings.model)
        return McmAgent(settings, game=self.game, spec=self.spec, seed=self.seed).decide(view)


@dataclass(frozen=True)
class MingpaiSettings(McmSearchSettings):
    """The flagship: the options of `mcm-search`."""


class MingpaiAgent(McmSearchAgent):
    """The strongest player here. The presets are sized for 20 ms, 0.1 s and 1 s a move on two cores; they count
    simulations and worlds and so repeat exactly. Add `seconds=S` to hold a limit anywhere."""

    Settings = MingpaiSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "fast": {"iterations": 1200, "particles": 250, "worlds": 24, "reads": 16, "trust": 2.0},
        "normal": {"iterations": 6000, "particles": 1200, "worlds": 288, "reads": 144, "threads": 2},
        "strong": {"iterations": 100_000, "particles": 8000, "worlds": 3072, "reads": 1536, "threads": 2},
    }

    def _bid(self, view: DoudizhuView) -> Decision:
        return bid_by_strength(view, self.spec)
