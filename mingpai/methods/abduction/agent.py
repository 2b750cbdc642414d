"""The agent `ablgd`: encode, estimate the hidden hands, predict a pseudo-action, reason out the play (stages.py)."""

import functools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import State, View
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.core.stages import StagedAgent
from mingpai.games.guandan.state import GuandanState
from mingpai.games.guandan.view import GuandanView
from mingpai.methods.abduction.belief import EstimateBelief
from mingpai.methods.abduction.hindsight import Reader
from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.abduction.runtime import JUDGE, PAPER_MODEL, SHIPPED, Runtime
from mingpai.methods.abduction.search import SearchPlan, judged
from mingpai.methods.abduction.stages import Abduction, Consistency, Encoding, Network

JUDGED_WORLDS = 60
"""Worlds in which a move is judged."""
PLANNER = 4
"""The rule bot whose plan of the hand decides in the exchange."""


@dataclass(frozen=True)
class AblgdSettings:
    """The network and, for `worlds` above 0, the search on top."""

    model: str = setting(
        SHIPPED, "A shipped model by name, or the path of a model folder.", kind="model", web=(SHIPPED, PAPER_MODEL)
    )
    critic: str = setting(
        JUDGE,
        "The model that values cut play-outs with open hands; none: the network's own value.",
        kind="model",
        web=(JUDGE, "none"),
    )
    worlds: int = setting(
        0, "Worlds drawn from the estimate for each search; 0: the network alone.", (0, 10_000), web=240
    )
    width: int = setting(4, "The most pseudo-actions searched.", (1, 1000), web=8)
    sure: float = setting(0.9, "A pseudo-action this likely is played without search; above 1: none is.", (0, 2), web=2)
    least: float = setting(0.05, "Pseudo-actions below this share of the likeliest are not searched.", (0, 1), web=1)
    depth: int = setting(
        0, "Decisions of each play-out before a value ends it; 0: to the end of the round.", (0, 10_000), web=24
    )
    prior: float = setting(
        0.3, "Points that a factor e in the policy's probability is worth in the search.", (0, 100), web=100
    )
    belief: Literal["abln", "uniform"] = setting("abln", "Worlds by ABLN, or uniform.")
    rounds: int = setting(
        1,
        "Parts in which the worlds are searched; after each, candidates that promise no more are left out.",
        (1, 1000),
        web=12,
    )
    read: int = setting(
        0,
        "Worlds are weighed by how likely the last plays of each other seat were in them, so many plays; 0: not.",
        (0, 20),
        web=3,
    )
    trust: float = setting(
        0.5, "Exponent of those weights: how far the others play as the network does.", (0, 10), web=2
    )
    pool: int = setting(1, "Hands of a seat that are drawn and weighed for each that is chosen.", (1, 100), web=4)
    variants: int = setting(
        1,
        "Concrete plays of the chosen pseudo-action that the network chooses among, those that the knowledge base "
        "likes best; 1: the knowledge base alone.",
        (1, 20),
        web=5,
    )


class AblgdAgent(StagedAgent[AblgdSettings]):
    """ABL-GD. The presets count worlds, so decisions repeat exactly; strong stays within a second on one core, paper is
    the network of the paper's sizes, as far as it is trained."""

    Settings = AblgdSettings
    is_random = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "strong": {
            "worlds": 240, "width": 5, "sure": 0.98, "least": 0.01, "depth": 4, "prior": 0.05, "rounds": 6,
            "read": 2, "trust": 0.3, "pool": 2,
        },
        "paper": {"model": PAPER_MODEL},
    }  # fmt: skip

    def __init__(self, settings: AblgdSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        judge = settings.critic if settings.worlds and settings.critic != "none" else None
        self.runtime = Runtime(settings.model, knowledge(), judge)
        s = settings
        reader = Reader(s.read, s.trust, s.pool)
        self.plan = SearchPlan(s.worlds, s.width, s.sure, s.least, s.depth, s.prior, s.rounds, reader)
        self.understanding = Encoding(self.runtime)
        self.modelling = Network(self.runtime)
        self.inference = Consistency()
        self.deciding = Abduction(self.runtime, self.plan, settings.belief == "uniform", seed, settings.variants)

    @property
    def uses_chance(self) -> bool:
        return self.plan.worlds > 0

    def without_stages(self, view: View) -> Decision | None:
        assert isinstance(view, GuandanView)
        return None if view.native.phase == native.PHASE_PLAY else self._exchange(view)

    @functools.cached_property
    def _judge(self) -> Runtime:
        """The network with its judge, whatever the search is."""
        return self.runtime if self.runtime.judge is not None else Runtime(self.settings.model, knowledge(), JUDGE)

    def values_of(self, view: View, moves: Sequence[Any]) -> Sequence[float]:
        """Points that the judge expects after each move, in the same worlds that agree with what the seat knows."""
        assert isinstance(view, GuandanView)
        estimate = None
        if view.native.phase == native.PHASE_PLAY:
            estimate = EstimateBelief(view, self._judge.read([view.native])[0].estimate).estimate
        seed = self.native_seed(view)
        return [float(v) for v in judged(self._judge, view.native, list(moves), estimate, JUDGED_WORLDS, seed)]

    def open_value(self, state: State) -> float | None:
        """Points that the judge expects for the seat to move, all hands open; None in the exchange."""
        assert isinstance(state, GuandanState)
        if state.native.phase != native.PHASE_PLAY:
            return None
        return float(np.clip(self._judge.open_values(abduction.encode_open(state.native)[None])[0], -3, 3))

    def _exchange(self, view: GuandanView) -> Decision:
        """Tribute and return: the card that the plan of the hand misses least."""
        start = time.perf_counter()
        planned = view.native.bot_play(PLANNER)
        reason = "only_move" if len(view.native.legal_plays()) == 1 else "guandan.exchange"
        return Decision(
            move=planned, candidates=[Candidate(planned)], value_unit="points", reasons=[Reason(reason)],
            work={"worlds": 0}, seconds=time.perf_counter() - start, agent=self.spec, seed=self.seed,
        )  # fmt: skip
