"""The four stages of `bidder`.

understand: each bid in its situation. model: what is known of the others' styles. infer: how strong they are after what
they bid. decide: the bid of the greatest expected points.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mingpai._native.doudizhu import FULL_DECK
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.core.decision import Belief, Candidate, Decision
from mingpai.core.game import Seat, State, View
from mingpai.core.notes import BySeat, Note, Stages
from mingpai.core.random import Rng
from mingpai.core.reasons import Argument, Reason
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.notation import RANKS
from mingpai.games.doudizhu.state import DEALT_CARDS, DoudizhuState
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.bidding.auction import SEATS, Auction
from mingpai.methods.bidding.bidder import AuctionWorlds, Bidder, Choice, Floats, Styles
from mingpai.methods.bidding.features import counts
from mingpai.methods.bidding.tracker import StyleTracker


@dataclass(frozen=True)
class BidsNote(Note):
    """The bids so far: seat and bid."""

    bids: Sequence[tuple[Seat, int]]

    def to_json(self) -> list[list[int]]:
        return [[seat, bid] for seat, bid in self.bids]


@dataclass(frozen=True)
class StyleNote(Note):
    """What is known of a player's style."""

    decisions: int
    mu: float
    sigma: float
    code: str | None
    """Of the class; None before ten decisions. JSON says `class`."""

    def to_json(self) -> dict[str, Any]:
        return {"decisions": self.decisions, "mu": self.mu, "sigma": self.sigma, "class": self.code}


@dataclass(frozen=True)
class OthersNote(Note):
    """Chances that somebody else becomes landlord after the least bid, and that nobody does after a pass."""

    outbid: float
    left_alone: float


@dataclass(frozen=True)
class WorthNote(Note):
    """Bid -> expected points, best first."""

    values: Mapping[int, float]

    def to_json(self) -> dict[str, float]:
        return {str(bid): value for bid, value in self.values.items()}


@dataclass(frozen=True)
class BenchmarkNote(Note):
    """The chance that the benchmark bids."""

    probability: float


def auction_of(view: DoudizhuView) -> Auction:
    """The auction of a view in the bidding."""
    auction = Auction.start(view.rule_set.bidding, view.native.status.first)
    for step in view.steps:
        if isinstance(step.action, Bid):
            auction = auction.after(step.action.value)
    return auction


class HandsBelief(Belief):
    """Pairs of hands of the others, weighted by what they bid; three cards are left over."""

    def __init__(self, view: DoudizhuView, worlds: AuctionWorlds, styles: Styles) -> None:
        self.view, self.worlds, self.styles = view, worlds, styles

    @cached_property
    def choice(self) -> Choice:
        """What each bid is worth in these worlds."""
        return self.worlds.choice()

    @cached_property
    def _weights(self) -> Floats:
        return self.worlds.weights()

    def marginals(self) -> Mapping[str, Mapping[str, float]]:
        unseen = counts(FULL_DECK - self.view.hand)[0]
        held = zip(self.worlds.others, self.worlds.hands, strict=True)
        expected = {seat: self._weights @ counts(hands) for seat, hands in held}
        return {
            str(seat): {RANKS[rank]: float(copies[rank]) for rank in range(len(RANKS)) if unseen[rank]}
            for seat, copies in expected.items()
        }

    def sample(self, rng: Rng, count: int) -> Sequence[State]:
        drawn = rng.choice(len(self._weights), count, p=self._weights)
        return [self._world(*(int(hands[place]) for hands in self.worlds.hands)) for place in drawn]

    def _world(self, first: int, second: int) -> DoudizhuState:
        hands = {self.view.seat: self.view.hand, **dict(zip(self.worlds.others, (first, second), strict=True))}
        return self.view.world([hands[seat] for seat in range(SEATS)], FULL_DECK - sum(hands.values()))

    def log_prob(self, world: State) -> float:
        """Every way to deal the hidden cards is equally likely before the bids; they weigh by their likelihood."""
        assert isinstance(world, DoudizhuState)
        held = np.array([[world.hand(seat)] for seat in self.worlds.others], np.uint64)
        bidder, auction = self.worlds.bidder, self.worlds.auction
        likelihood = AuctionWorlds(bidder, auction, self.view.hand, held, self.styles).likelihoods()[0]
        return self._log_uniform(held) + math.log(likelihood / self.worlds.likelihoods().mean())

    def _log_uniform(self, held: Any) -> float:
        first, second = counts(held.reshape(-1)).tolist()
        unseen = counts(FULL_DECK - self.view.hand)[0].tolist()
        dealt = zip(unseen, first, second, strict=True)
        ways = math.prod(math.comb(n, one) * math.comb(n - one, two) for n, one, two in dealt)
        hidden = sum(unseen)
        return math.log(ways / (math.comb(hidden, DEALT_CARDS) * math.comb(hidden - DEALT_CARDS, DEALT_CARDS)))


class ReadBids:
    """Understand: the auction with the situation of every bid."""

    def understand(self, view: View) -> Auction:
        return auction_of(doudizhu_view(view))

    def note(self, auction: Auction) -> BidsNote:
        return BidsNote(tuple(zip(auction.seats, auction.bids, strict=True)))


class Opponents:
    """Model: the styles of the others, from the deals of the match so far."""

    def __init__(self, bidder: Bidder, is_used: bool) -> None:
        self.tracker = StyleTracker(bidder)
        self._is_used = is_used

    def model(self, view: View, auction: Auction) -> Styles:
        known = self.tracker.beliefs() if self._is_used else {}
        return {seat: belief for seat, belief in known.items() if seat != view.seat}

    def note(self, styles: Styles) -> BySeat[StyleNote]:
        return BySeat({seat: self._style(seat) for seat in styles})

    def _style(self, seat: Seat) -> StyleNote:
        track = self.tracker.tracks[seat]
        style = track.style
        return StyleNote(
            len(track.did), round(track.mu, 3), round(track.sigma, 3), None if style is None else style.code
        )

    def reasons(self, view: View) -> list[Reason]:
        """The styles that are known well enough to have a name."""
        out = []
        for seat, track in self.tracker.tracks.items():
            style = track.style
            if self._is_used and seat != view.seat and style is not None:
                out.append(Reason("doudizhu.bid_style", {
                    "seat": str(seat), "style": f"{style.name('en')} ({style.name('zh')})",
                    "decisions": len(track.did), "mu": f"{track.mu:+.2f}", "sigma": f"{track.sigma:.2f}",
                }))  # fmt: skip
        return out


@dataclass(frozen=True)
class WeighHands:
    """Infer: hands of the others, likelier the better they fit what was bid."""

    bidder: Bidder

    def infer(self, view: View, auction: Auction, styles: Styles) -> HandsBelief:
        table = doudizhu_view(view)
        return HandsBelief(table, self.bidder.read(table.hand, auction, styles), styles)

    def note(self, belief: HandsBelief) -> OthersNote:
        return OthersNote(round(belief.choice.outbid, 4), round(belief.choice.left_alone, 4))


@dataclass(frozen=True)
class BestBid:
    """Decide: the bid of the greatest expected points."""

    opponents: Opponents

    def decide(self, view: View, belief: Belief) -> Decision:
        assert isinstance(belief, HandsBelief)
        choice = belief.choice
        return Decision(
            move=Bid(choice.bid),
            candidates=[Candidate(Bid(option.bid), value=option.value) for option in choice.options],
            value_unit="points",
            reasons=[*_reasons(choice), *self.opponents.reasons(view)],
            stages=Stages(decide=WorthNote({option.bid: round(option.value, 4) for option in choice.options})),
        )


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
