"""The network inside the search: `mcm-search`, and `mingpai`, the flagship, which is the same at its presets.

Both read the hidden hands (`inference.py`), prove endings (`endings.py`), and weigh together what the network thinks,
what its playouts on the inferred worlds give, and what the tree search of MCTSHS finds (`playouts.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

from mingpai.core.decision import Decision
from mingpai.core.settings import part, setting
from mingpai.core.stages import Decide
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.bidding.agent import BidderAgent, BidderSettings
from mingpai.methods.flagship.bids import BIDS, LearnedBids
from mingpai.methods.flagship.playouts import NetworkPlayouts, NetworkSettings, PlayoutSettings
from mingpai.methods.handsplit.agent import BeliefSettings, MctshsAgent, SearchAgentSettings
from mingpai.methods.handsplit.endings import Endings
from mingpai.methods.handsplit.search import TreeSearch, TreeSettings
from mingpai.methods.mcm.agent import NO_MODEL, McmAgent, McmSettings


@dataclass(frozen=True)
class McmSearchSettings(SearchAgentSettings):
    """The search, the belief, the networks and their playouts. `iterations=0` leaves the tree search out."""

    tree: TreeSettings = part(TreeSettings(iterations=3000))
    reading: BeliefSettings = part(BeliefSettings("inferred", particles=500))
    endings: bool = True
    networks: NetworkSettings = part(NetworkSettings())
    playouts: PlayoutSettings = part(PlayoutSettings())


class McmSearchAgent(MctshsAgent):
    """The network, its playouts over inferred worlds, and the tree search together."""

    Settings = McmSearchSettings
    settings: McmSearchSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def _deciding(self, settings: McmSearchSettings, seed: int, endings: Endings | None) -> Decide:
        if settings.networks.model == NO_MODEL:
            return TreeSearch(settings.tree, seed, endings=endings)
        return NetworkPlayouts(settings.networks, settings.playouts, settings.tree, seed, endings)

    def _bid(self, view: DoudizhuView) -> Decision:
        model = self.settings.networks.model
        if model == NO_MODEL:
            return super()._bid(view)
        settings = McmSettings(self.settings.tree.objective, model)
        return McmAgent(settings, game=self.game, spec=self.spec, seed=self.seed).decide(view)


@dataclass(frozen=True)
class MingpaiSettings(McmSearchSettings):
    """The settings of `mcm-search`, and how it bids."""

    bids: Literal["learned", "value", "model", "count"] = setting(
        "learned",
        "How it bids: by what it learned of its own network's deals; or as `bidder` does, by points, by the benchmark "
        "alone, or by a count of high cards.",
    )
    bid_model: str = setting(BIDS, "The network of learned bids, by name or path.", kind="model", web=(BIDS,))


class MingpaiAgent(McmSearchAgent):
    """The strongest player here. The presets are sized for 20 ms, 0.1 s and 1 s a move on two cores; they count
    simulations and worlds and so repeat exactly. Add `seconds=S` to hold a limit anywhere. It bids by what it
    learned of deals that its own network played."""

    Settings = MingpaiSettings
    settings: MingpaiSettings

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "fast": {"iterations": 1200, "particles": 250, "worlds": 24, "reads": 16, "trust": 2.0},
        "normal": {"iterations": 6000, "particles": 1200, "worlds": 288, "reads": 144, "threads": 2},
        "strong": {"iterations": 100_000, "particles": 8000, "worlds": 3072, "reads": 1536, "threads": 2},
    }

    @cached_property
    def _learned(self) -> LearnedBids:
        return LearnedBids(self.settings.bid_model)

    def _bid(self, view: DoudizhuView) -> Decision:
        if self.settings.bids == "learned":
            return self._learned.decide(view, self.spec)
        settings = BidderSettings(policy=self.settings.bids, styles=False)
        return BidderAgent(settings, game=self.game, spec=self.spec, seed=self.seed).decide(view)
