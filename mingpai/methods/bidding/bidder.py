"""What a bid is worth: the auction played out against models of the others, each leaf valued as landlord or farmer.

The others hold hands drawn from the unseen cards, weighted together by what they bid: P(bid | hand, situation) is the
calibrated benchmark's log-odds, read linearly from ten numbers of a hand, and moved by the player's style, of which
there is a distribution. So a bold player is likelier to outbid, is weaker when he does, and leaves a pass alone less
often. A leaf is worth stake times points per stake: linear in the own hand and in the expected strength of the others,
fitted to games of the population (`fit.py`, `fitted.json`).
"""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai._native import bidding as native
from mingpai._native.doudizhu import Bidding
from mingpai.methods.bidding.auction import MOST_BID, SEATS, Auction
from mingpai.methods.bidding.model import CALIBRATED, BidModel
from mingpai.methods.bidding.situation import CALL, ROB, BidSituation

FITTED = Path(__file__).with_name("fitted.json")

WORLDS, WORLD_SEED = 192, 7_001
"""Pairs of hands of the others that a bid is weighed over."""

LEAST_STYLE = 2e-3
"""Styles less probable than this are not looked at."""

SHIFTS: NDArray[np.float64] = np.linspace(-6.0, 6.0, 25)
"""How bold a player may be: what he adds to the log-odds of a neutral player's bid."""
STEADINESS: NDArray[np.float64] = np.array([0.6, 1.5, 4.0])
"""How steady: what multiplies them. An erratic player bids and passes on nearly the same hands."""
STYLES = [(float(shift), float(steady)) for steady in STEADINESS for shift in SHIFTS]
"""All styles; `STYLE_SHIFTS` and `STYLE_STEADINESS` are their columns."""
STYLE_SHIFTS, STYLE_STEADINESS = (np.array(column) for column in zip(*STYLES, strict=True))

SITUATIONS = (
    BidSituation(CALL, 0),
    BidSituation(CALL, 1),
    BidSituation(CALL, 2),
    BidSituation(ROB, 1),
    BidSituation(ROB, 2),
)

Floats = NDArray[np.float64]

Styles = Mapping[int, Floats]
"""By seat, the probability of each style of `STYLES`."""


@dataclass(frozen=True)
class Fitted:
    """Numbers fitted to games of the population."""

    strength: Floats
    """Weights of the ten numbers of a hand: points per stake as landlord, whoever the others are."""
    landlord: Floats
    """Points per stake as landlord: constant, own strength, sum of the others' strength."""
    farmer: Floats
    """Points per stake as farmer: constant, own strength, the landlord's strength, the mate's."""
    offsets: Mapping[BidSituation, float]
    """Log-odds of a bid of a neutral player: this plus `slope` times the benchmark's; a style moves and scales them."""
    slope: float
    prior: Floats
    """How common each style of `STYLES` is in the population."""
    reading: Mapping[BidSituation, Floats]
    """Weights of the ten numbers of a hand: the benchmark's log-odds, read linearly."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Fitted":
        offsets = dict(zip(SITUATIONS, data["offsets"], strict=True))
        return cls(
            strength=np.array(data["strength"]),
            landlord=np.array(data["landlord"]),
            farmer=np.array(data["farmer"]),
            offsets=offsets,
            slope=data["slope"],
            prior=np.array(data["prior"]),
            reading={s: np.array(row) for s, row in zip(SITUATIONS, data["reading"], strict=True)},
        )


@functools.cache
def fitted() -> Fitted:
    """The shipped numbers."""
    return Fitted.from_json(json.loads(FITTED.read_text(encoding="utf-8"))["fitted"])


def strengths(hands: NDArray[np.uint64], numbers: Fitted) -> Floats:
    """Points per stake of hands as landlord, the others unknown."""
    out: Floats = native.value_features(np.ascontiguousarray(hands)) @ numbers.strength
    return out


@dataclass(frozen=True)
class Valued:
    """A legal bid and what it is worth."""

    bid: int
    value: float
    """Expected points of the deal."""


@dataclass(frozen=True)
class Choice:
    """The bid chosen, and why."""

    options: tuple[Valued, ...]
    """Best first."""
    as_landlord: float
    """Points per stake as landlord against unknown hands."""
    outbid: float
    """If one bids the least: the chance that somebody else becomes landlord."""
    left_alone: float
    """If one passes: the chance that nobody becomes landlord."""

    @property
    def bid(self) -> int:
        return self.options[0].bid


class Bidder:
    """Values bids. Serves any number of tables."""

    def __init__(self, model: str = CALIBRATED, numbers: Fitted | None = None) -> None:
        self.model = BidModel(model)
        self.numbers = numbers or fitted()

    def neutral(self, situation: BidSituation, benchmark: NDArray[Any]) -> Floats:
        """Log-odds that a neutral player bids, from those of the benchmark; a style moves and scales them."""
        return self.numbers.offsets[situation] + self.numbers.slope * benchmark.astype(np.float64)

    @staticmethod
    def chances(neutral: Floats, which: NDArray[Any]) -> Floats:
        """P(bid) for log-odds of a neutral player, a column for each of some styles."""
        out: Floats = 1 / (1 + np.exp(-(neutral[:, None] + STYLE_SHIFTS[which]) * STYLE_STEADINESS[which]))
        return out

    def choose(self, hand: int, auction: Auction, styles: Styles | None = None) -> Choice:
        """The best bid of the seat to bid. `styles` is what is known of the others by seat, else the prior holds."""
        return self.read(hand, auction, styles or {}).choice()

    def read(self, hand: int, auction: Auction, styles: Styles) -> "AuctionWorlds":
        """What the others may hold after what they bid, seen from the seat to bid."""
        return AuctionWorlds(self, auction, hand, native.hands_beside(hand, WORLD_SEED, WORLDS), styles)


class AuctionWorlds:
    """What the seat to bid knows: hands that the others may hold, and chances of what they bid with them."""

    def __init__(self, bidder: Bidder, auction: Auction, hand: int, hands: NDArray[np.uint64], styles: Styles) -> None:
        assert auction.turn is not None
        numbers = bidder.numbers
        self.me, self.bidder, self.auction = auction.turn, bidder, auction
        self.own = float(strengths(np.array([hand], np.uint64), numbers)[0])
        self.others = ((self.me + 1) % SEATS, (self.me + 2) % SEATS)
        self.hands = hands
        """Of the two others, a row for each: (2, worlds)."""
        features = native.value_features(hands.reshape(-1)).reshape(*hands.shape, -1)
        self._features = dict(zip(self.others, features, strict=True))
        self.strength = {seat: rows @ numbers.strength for seat, rows in self._features.items()}
        self._chances: dict[tuple[int, BidSituation], Floats] = {}
        self._styles = {seat: styles.get(seat, numbers.prior) for seat in self.others}

    def choice(self) -> Choice:
        """The bids by their value."""
        auction, weights = self.auction, self.weights()
        valued, leaves = [], {}
        for bid in auction.legal():
            value, outbid, void = self.value(auction.after(bid), weights)
            valued.append(Valued(bid, value))
            leaves[bid] = (outbid, void)
        options = sorted(valued, key=lambda option: (-option.value, option.bid))
        least = next((bid for bid in auction.legal() if bid), 0)
        return Choice(tuple(options), self.own, leaves[least][0], leaves[0][1])

    def chance(self, seat: int, situation: BidSituation) -> Floats:
        """P(bid) in every world."""
        key = (seat, situation)
        if key not in self._chances:
            known = self._styles[seat]
            likely = np.flatnonzero(known > LEAST_STYLE)
            benchmark = self._features[seat] @ self.bidder.numbers.reading[situation]
            chances = Bidder.chances(self.bidder.neutral(situation, benchmark), likely)
            self._chances[key] = chances @ (known[likely] / known[likely].sum())
        return self._chances[key]

    def did(self, seat: int, auction: Auction, bid: int) -> Floats:
        """P(this bid) in every world: with scores, the height that the hand is worth."""
        value = auction.situation.value
        if auction.bidding == Bidding.CALL_ROB or not bid:
            yes = self.chance(seat, auction.situation)
            return yes if bid else 1 - yes
        if bid == MOST_BID:
            return self.at_least(seat, value, bid)
        return self.at_least(seat, value, bid) - self.at_least(seat, value, bid + 1)

    def at_least(self, seat: int, value: int, height: int) -> Floats:
        """P(a bid of at least so much): what would be bid over one less, and never more likely than a bid at all."""
        out = self.chance(seat, BidSituation(CALL, value))
        for below in range(value + 1, height):
            out = np.minimum(out, self.chance(seat, BidSituation(CALL, below)))
        return out

    def weights(self) -> Floats:
        """Weights of the worlds after what the others bid; they sum to 1."""
        likelihoods = self.likelihoods()
        return np.asarray(likelihoods / likelihoods.sum())

    def likelihoods(self) -> Floats:
        """P(what the others bid) in every world."""
        out = np.ones(self.hands.shape[1])
        past = Auction.start(self.auction.bidding, self.auction.first)
        for seat, bid in zip(self.auction.seats, self.auction.bids, strict=True):
            if seat != self.me:
                out = out * np.maximum(self.did(seat, past, bid), 1e-9)
            past = past.after(bid)
        return out

    def value(self, auction: Auction, weights: Floats) -> tuple[float, float, float]:
        """Expected points, chance that another seat is landlord, chance that nobody is."""
        if auction.turn is None:
            return self.leaf(auction, weights)
        if auction.turn == self.me:
            return max((self.value(auction.after(bid), weights) for bid in auction.legal()), key=lambda worth: worth[0])
        total = [0.0, 0.0, 0.0]
        for bid in auction.legal():
            after = weights * self.did(auction.turn, auction, bid)
            chance = float(after.sum())
            if chance < 1e-4:
                continue
            worth = self.value(auction.after(bid), after / chance)
            total = [sum_ + chance * part for sum_, part in zip(total, worth, strict=True)]
        return total[0], total[1], total[2]

    def leaf(self, auction: Auction, weights: Floats) -> tuple[float, float, float]:
        if auction.landlord is None:
            return 0.0, 0.0, 1.0
        numbers = self.bidder.numbers
        strength = {seat: float(weights @ row) for seat, row in self.strength.items()}
        if auction.landlord == self.me:
            constant, own, others = numbers.landlord
            return auction.stake * float(constant + own * self.own + others * sum(strength.values())), 0.0, 0.0
        mate = self.others[0] if auction.landlord == self.others[1] else self.others[1]
        constant, own, his, mates = numbers.farmer
        points = constant + own * self.own + his * strength[auction.landlord] + mates * strength[mate]
        return auction.stake * float(points), 1.0, 0.0


def benchmark_bid(model: BidModel, hand: int, auction: Auction) -> int:
    """What the benchmark alone bids: with scores, the height up to which it would go on bidding."""
    asked = auction.situation
    if auction.bidding == Bidding.CALL_ROB:
        return int(model.bids(asked.phase, asked.value, hand)[0])
    values = range(asked.value, 3)
    yes = model.bids([CALL] * len(values), list(values), [hand] * len(values))
    height = asked.value
    for place, bids in enumerate(yes):
        if not bids:
            break
        height = asked.value + place + 1
    return height if height > asked.value else 0
