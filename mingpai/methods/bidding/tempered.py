"""The agent `tempered`: a player of the simulated population at the table."""

import dataclasses
import math
import time
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mingpai._native import bidding as native
from mingpai._native.doudizhu import Bidding
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.bidding.agent import CARD_PLAYERS
from mingpai.methods.bidding.auction import Auction
from mingpai.methods.bidding.stages import auction_of


@dataclass(frozen=True)
class TemperedSettings:
    """Options of `tempered`."""

    bias: float = setting(
        0.0, "How much a hand is over-rated, in logarithms of odds; below 0 under-rated.", (-20, 20), web=20
    )
    noise: float = setting(0.1, "Scale of the logistic noise of each decision.", (1e-6, 100), web=100)
    play: Literal["greedy", "rb", "rhcp"] = setting("rb", "The rule player behind the cards.")
    slips: float = setting(0.05, "Chance that a move is any legal one.", (0, 1), web=1)


def tempered_bid(value: float, bias: float, noise: float, auction: Auction, uniform: float) -> int:
    """What a player of the population bids: the rule of native/bidding/population.cpp, for one decision."""
    rated = value + bias + noise * math.log(uniform / (1 - uniform))
    asked = auction.situation
    if auction.bidding == Bidding.CALL_ROB:
        return int(rated > native.threshold(asked.phase, asked.value))
    wanted = sum(rated > native.threshold(0, height) for height in range(3))
    return wanted if wanted > asked.value else 0


class TemperedAgent(Agent[TemperedSettings]):
    """Bids by the worth of its hand, moved by its temper; plays as a rule player that slips."""

    Settings = TemperedSettings
    is_random = True
    presets = {"bold": {"bias": 1.0}, "timid": {"bias": -1.0}, "erratic": {"noise": 2.0}}

    def __init__(self, settings: TemperedSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._cards = CARD_PLAYERS[settings.play](NoSettings(), game=game, spec=spec, seed=seed)

    def decide(self, view: View) -> Decision:
        table, start = doudizhu_view(view), time.perf_counter()
        rng = self.rng(view)
        if table.landlord is None:
            made = self._bid(table, max(float(rng.random()), 1e-12))
        elif rng.random() < self.settings.slips:
            moves = view.legal_moves()
            move = moves[int(rng.integers(len(moves)))]
            made = Decision(move, [Candidate(move)], reasons=[Reason("random_choice", {"count": len(moves)})])
        else:
            made = self._cards.decide(view)
        return dataclasses.replace(made, agent=self.spec, seed=self.seed, seconds=time.perf_counter() - start)

    def _bid(self, view: DoudizhuView, uniform: float) -> Decision:
        value = float(native.values(np.array([view.hand], np.uint64))[0])
        bid = Bid(tempered_bid(value, self.settings.bias, self.settings.noise, auction_of(view), uniform))
        about = {"value": f"{value:+.2f}", "bias": f"{self.settings.bias:+.2f}"}
        return Decision(bid, [Candidate(bid)], reasons=[Reason("doudizhu.bid_temper", about)])
