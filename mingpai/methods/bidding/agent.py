"""The agent `bidder`: bids by what a bid is worth, tracks how the others bid, plays its cards as a rule player.

understand: each bid in its situation. model: what is known of the others' styles. infer: how strong they are after what
they bid. decide: the bid of the greatest expected points.
"""

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
from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Candidate, Decision
from mingpai.core.event import Event
from mingpai.core.game import Seat, View
from mingpai.core.random import seed_of
from mingpai.core.reasons import Argument, Reason
from mingpai.core.settings import setting
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.notation import PASSES, cards_text, parse_cards
from mingpai.games.doudizhu.state import DEALT_CARDS
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.bidding.auction import SEATS, Auction
from mingpai.methods.bidding.bidder import Bidder, Choice, benchmark_bid
from mingpai.methods.bidding.model import CALIBRATED
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


def auction_of(view: DoudizhuView) -> Auction:
    """The auction of a view in the bidding."""
    auction = Auction.start(view.rule_set.bidding, view.native.status.first)
    for step in view.steps:
        if isinstance(step.action, Bid):
            auction = auction.after(step.action.value)
    return auction


class BidderAgent(Agent[BidderSettings]):
    """Remembers from deal to deal how the others bid; a match makes it forget."""

    Settings = BidderSettings
    has_memory = True
    presets = {"blind": {"styles": False}, "model": {"policy": "model"}, "count": {"policy": "count"}}

    def __init__(self, settings: BidderSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._cards = CARD_PLAYERS[settings.play](NoSettings(), game=game, spec=spec, seed=seed)
        self._bidder = Bidder(settings.model)
        self.tracker = StyleTracker(self._bidder)
        self._deals = 0
        self._heard: _Heard | None = None

    # memory

    def start_match(self, seat: Seat, seats: int) -> None:
        self.tracker, self._deals, self._heard = StyleTracker(self._bidder), 0, None

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

    def decide(self, view: View) -> Decision:
        table, start = doudizhu_view(view), time.perf_counter()
        if table.landlord is not None:
            return dataclasses.replace(self._cards.decide(view), agent=self.spec)
        if self.settings.policy == "count":
            return bid_by_strength(table, self.spec)
        auction = auction_of(table)
        made = self._by_model(table, auction) if self.settings.policy == "model" else self._by_value(table, auction)
        return dataclasses.replace(made, agent=self.spec, seconds=time.perf_counter() - start)

    def _by_model(self, view: DoudizhuView, auction: Auction) -> Decision:
        asked = auction.situation
        chance = float(self._bidder.model.probabilities(asked.phase, asked.value, view.hand)[0])
        bid = Bid(benchmark_bid(self._bidder.model, view.hand, auction))
        about = {"percent": f"{100 * chance:.1f}%", "hand": cards_text(view.hand)}
        return Decision(
            move=bid,
            candidates=[Candidate(bid, probability=chance if bid.value else 1 - chance)],
            value_unit="points",
            reasons=[Reason("doudizhu.bid_model", about)],
            stages={"decide": {"probability": round(chance, 4)}},
        )

    def _by_value(self, view: DoudizhuView, auction: Auction) -> Decision:
        beliefs = self.tracker.beliefs() if self.settings.styles else {}
        choice = self._bidder.choose(view.hand, auction, beliefs)
        return Decision(
            move=Bid(choice.bid),
            candidates=[Candidate(Bid(option.bid), value=option.value) for option in choice.options],
            value_unit="points",
            reasons=[*_reasons(choice), *self._style_reasons(view)],
            stages={
                "understand": [[seat, bid] for seat, bid in zip(auction.seats, auction.bids, strict=True)],
                "model": {str(seat): self._style_note(seat) for seat in beliefs if seat != view.seat},
                "infer": {"outbid": round(choice.outbid, 4), "left_alone": round(choice.left_alone, 4)},
                "decide": {str(option.bid): round(option.value, 4) for option in choice.options},
            },
        )

    def _style_note(self, seat: int) -> dict[str, Any]:
        track = self.tracker.tracks[seat]
        style = track.style
        return {"decisions": len(track.did), "mu": round(track.mu, 3), "sigma": round(track.sigma, 3),
                "class": None if style is None else style.code}  # fmt: skip

    def _style_reasons(self, view: DoudizhuView) -> list[Reason]:
        out = []
        for seat, track in self.tracker.tracks.items():
            style = track.style
            if self.settings.styles and seat != view.seat and style is not None:
                out.append(Reason("doudizhu.bid_style", {
                    "seat": str(seat), "style": f"{style.name('en')} ({style.name('zh')})",
                    "decisions": len(track.did), "mu": f"{track.mu:+.2f}", "sigma": f"{track.sigma:.2f}",
                }))  # fmt: skip
        return out


def _reasons(choice: Choice) -> list[Reason]:
    best, other = choice.options[0], choice.options[1]
    worth: dict[str, Argument] = {
        "points": f"{choice.as_landlord:+.2f}",
        "bid": best.bid,
        "value": f"{best.value:+.2f}",
        "other": other.bid,
        "second": f"{other.value:+.2f}",
    }
    left = {"left": f"{100 * choice.left_alone:.0f}%", "outbid": f"{100 * choice.outbid:.0f}%"}
    return [Reason("doudizhu.bid_worth", worth), Reason("doudizhu.bid_left", left)]


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
