"""The agent `bidder`: bids by what a bid is worth (stages.py), tracks how the others bid, plays cards by rules."""

import dataclasses
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mingpai._native.doudizhu import Bidding, Phase, card_count
from mingpai.agents.doudizhu_bidding import bid_by_strength
from mingpai.agents.doudizhu_greedy import GreedyAgent
from mingpai.agents.doudizhu_rb import RuleBasedAgent
from mingpai.agents.doudizhu_rhcp import RemainingValueAgent
from mingpai.agents.doudizhu_rule import DoudizhuRuleAgent
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.core.agent import NoSettings
from mingpai.core.decision import Candidate, Decision
from mingpai.core.event import Event
from mingpai.core.game import Seat, View
from mingpai.core.notes import Stages
from mingpai.core.random import seed_of
from mingpai.core.reasons import Reason
from mingpai.core.settings import setting
from mingpai.core.stages import StagedAgent
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.notation import PASSES, cards_text, parse_cards
from mingpai.games.doudizhu.state import DEALT_CARDS
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.bidding.auction import SEATS, Auction
from mingpai.methods.bidding.bidder import Bidder, benchmark_bid
from mingpai.methods.bidding.model import CALIBRATED
from mingpai.methods.bidding.stages import BenchmarkNote, BestBid, Opponents, ReadBids, WeighHands, auction_of
from mingpai.methods.bidding.tracker import Finished, StyleTracker

CARD_PLAYERS: dict[str, type[DoudizhuRuleAgent]] = {
    "greedy": GreedyAgent,
    "rb": RuleBasedAgent,
    "rhcp": RemainingValueAgent,
}


@dataclass(frozen=True)
class BidderSettings:
    """Options of `bidder`."""

    policy: Literal["value", "model", "count"] = setting(
        "value", "What a bid is worth in points; the benchmark alone; or a count of high cards."
    )
    styles: bool = setting(True, "Use the styles of the others (policy value).")
    play: Literal["greedy", "rb", "rhcp"] = setting("greedy", "The rule player behind the cards.")
    model: str = setting(
        CALIBRATED, "The benchmark: a shipped model or a model folder.", kind="model", web=(CALIBRATED,)
    )


class BidderAgent(StagedAgent[BidderSettings]):
    """Remembers from deal to deal how the others bid; a match makes it forget."""

    Settings = BidderSettings
    has_memory = True
    modelling: Opponents
    presets = {"blind": {"styles": False}, "model": {"policy": "model"}, "count": {"policy": "count"}}

    def __init__(self, settings: BidderSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._cards = CARD_PLAYERS[settings.play](NoSettings(), game=game, spec=spec, seed=seed)
        self._bidder = Bidder(settings.model)
        self._deals = 0
        self._heard: _Heard | None = None
        self.understanding = ReadBids()
        self.modelling = Opponents(self._bidder, settings.styles)
        self.inference = WeighHands(self._bidder)
        self.deciding = BestBid(self.modelling)

    @property
    def tracker(self) -> StyleTracker:
        """What is known of the styles of the others."""
        return self.modelling.tracker

    # memory

    def start_match(self, seat: Seat, seats: int) -> None:
        self.modelling.tracker, self._deals, self._heard = StyleTracker(self._bidder), 0, None

    def start_deal(self, view: View) -> None:
        table = doudizhu_view(view)
        fresh = table.phase == Phase.BID and not table.steps and card_count(table.hand) == DEALT_CARDS
        bidding = table.rule_set.bidding
        self._heard = None
        if fresh and bidding != Bidding.NONE:
            self._heard = _Heard(view.seat, table.hand, Auction.start(bidding, table.native.status.first))

    def observe(self, event: Event) -> None:
        if self._heard is not None:
            self._heard.note(event)

    def end_deal(self, points: Sequence[float]) -> None:
        if self._heard is not None and self._heard.auction.turn is None:
            self.tracker.add(self._heard.finished(), seed_of(self.seed, "deal", self._deals))
        self._deals += 1
        self._heard = None

    def memory(self) -> dict[str, Any]:
        return {"deals": self._deals, "tracks": self.tracker.to_json()}

    def recall(self, memory: Mapping[str, Any]) -> None:
        self._deals = int(memory["deals"])
        self.tracker.recall(memory["tracks"])

    # decisions

    def without_stages(self, view: View) -> Decision | None:
        """Cards, and the bids of policies that look at the own hand alone."""
        table = doudizhu_view(view)
        if table.landlord is not None:
            return dataclasses.replace(self._cards.decide(view), agent=self.spec)
        if self.settings.policy == "count":
            return bid_by_strength(table, self.spec)
        return self._by_model(table) if self.settings.policy == "model" else None

    def _by_model(self, view: DoudizhuView) -> Decision:
        start, auction = time.perf_counter(), auction_of(view)
        asked = auction.situation
        chance = float(self._bidder.model.probabilities(asked.phase, asked.value, view.hand)[0])
        bid = Bid(benchmark_bid(self._bidder.model, view.hand, auction))
        about = {"percent": f"{100 * chance:.1f}%", "hand": cards_text(view.hand)}
        return Decision(
            move=bid,
            candidates=[Candidate(bid, probability=chance if bid.value else 1 - chance)],
            value_unit="points",
            reasons=[Reason("doudizhu.bid_model", about)],
            stages=Stages(decide=BenchmarkNote(round(chance, 4))),
            seconds=time.perf_counter() - start,
            agent=self.spec,
        )


@dataclass
class _Heard:
    """A deal as it is heard."""

    me: int
    hand: int
    auction: Auction
    bottom: int = 0
    landlord: int | None = None
    played: list[int] = dataclasses.field(default_factory=lambda: [0] * SEATS)

    def note(self, event: Event) -> None:
        if event.seat is None:
            return
        if event.kind == "bid":
            self.auction = self.auction.after(int(event.text))
        elif event.kind == "bottom":
            self.bottom, self.landlord = parse_cards(event.text), event.seat
        elif event.kind == "play":
            cards = event.text.partition("@")[0]
            if cards not in PASSES:
                self.played[event.seat] += parse_cards(cards)

    def finished(self) -> Finished:
        return Finished(self.me, self.hand, self.bottom, self.landlord, tuple(self.played), self.auction)
