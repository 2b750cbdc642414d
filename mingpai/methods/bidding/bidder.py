"""What a bid is worth: the auction played out against models of the others, each leaf valued as landlord or farmer.

The others hold hands of a fixed pool, weighted by what they bid: P(bid | hand, situation) is the calibrated benchmark's
log-odds, moved by the player's style, of which there is a distribution. So a bold player is likelier to outbid, is
weaker when he does, and leaves a pass alone less often. A leaf is worth stake times points per stake: linear in one's
own hand and in the expected strength of the others, fitted to games of the population (`fit.py`, `fitted.json`).
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
from mingpai.methods.bidding.auction import SEATS, Auction
from mingpai.methods.bidding.model import CALIBRATED, BidModel
from mingpai.methods.bidding.situation import CALL, ROB, Situation

FITTED = Path(__file__).with_name("fitted.json")

POOL, POOL_SEED = 192, 7_001
"""Hands that stand for those of the others."""

LEAST_STYLE = 1e-3
"""Styles less probable than this are not looked at."""

STYLES: NDArray[np.float64] = np.linspace(-6.0, 6.0, 25)
"""Styles that a player may have: what he adds to the log-odds of a neutral player's bid."""

SITUATIONS = (Situation(CALL, 0), Situation(CALL, 1), Situation(CALL, 2), Situation(ROB, 1), Situation(ROB, 2))

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
    offsets: Mapping[Situation, float]
    """Log-odds of a bid of a neutral player: this plus `slope` times the benchmark's; a style is added to it."""
    slope: float
    prior: Floats
    """How common each style of `STYLES` is in the population."""
    removal: float
    """How much stronger the others are for each point that the own hand is stronger than the mean."""
    mean_strength: float
    removal_logit: float
    """The same for the benchmark's log-odds of their hands."""

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
            removal=data["removal"],
            mean_strength=data["mean_strength"],
            removal_logit=data["removal_logit"],
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
        pool = np.ascontiguousarray(native.deals(POOL_SEED, 0, POOL)[:, 0])
        self._strength = strengths(pool, self.numbers)
        self._logits = {
            s: self.neutral(s, self.model.logits([s.phase] * POOL, [s.value] * POOL, pool)) for s in SITUATIONS
        }

    def neutral(self, situation: Situation, benchmark: NDArray[np.float32]) -> Floats:
        """Log-odds that a neutral player bids, from those of the benchmark; a style is added to them."""
        return self.numbers.offsets[situation] + self.numbers.slope * benchmark.astype(np.float64)

    def choose(self, hand: int, auction: Auction, styles: Styles | None = None) -> Choice:
        """The best bid of the seat to bid. `styles` is what is known of the others by seat, else the prior holds."""
        me = auction.turn
        assert me is not None
        table = _Table(self, hand, me, styles or {})
        weights = table.history(auction)
        valued, leaves = [], {}
        for bid in auction.legal():
            value, outbid, void = table.value(auction.after(bid), weights)
            valued.append(Valued(bid, value))
            leaves[bid] = (outbid, void)
        options = sorted(valued, key=lambda option: (-option.value, option.bid))
        least = next((bid for bid in auction.legal() if bid), 0)
        return Choice(tuple(options), table.own, leaves[least][0], leaves[0][1])


Weights = dict[int, Floats]
"""Of the pool, for each of the others; not normalised: the sum is the chance of what they did."""


class _Table:
    """One seat's view of an auction."""

    def __init__(self, bidder: Bidder, hand: int, me: int, styles: Styles) -> None:
        numbers = bidder.numbers
        self.me, self.numbers = me, numbers
        self.own = float(strengths(np.array([hand], np.uint64), numbers)[0])
        above = self.own - numbers.mean_strength
        self.pool = bidder._strength + numbers.removal * above
        self.others = [seat for seat in range(SEATS) if seat != me]
        self._chances: dict[tuple[int, Situation], Floats] = {}
        self._logits, self._removed = bidder._logits, numbers.slope * numbers.removal_logit * above
        self._styles = {seat: styles.get(seat, numbers.prior) for seat in self.others}

    def chance(self, seat: int, situation: Situation) -> Floats:
        """P(bid) for every hand of the pool."""
        key = (seat, situation)
        if key not in self._chances:
            known = self._styles[seat]
            likely = known > LEAST_STYLE
            odds = np.exp(-(self._logits[situation][:, None] + (STYLES[likely] + self._removed)))
            self._chances[key] = (1 / (1 + odds)) @ (known[likely] / known[likely].sum())
        return self._chances[key]

    def did(self, seat: int, auction: Auction, bid: int) -> Floats:
        """P(this bid) for every hand of the pool: with scores, the height that the hand is worth."""
        situation = auction.situation
        yes = self.chance(seat, situation)
        if not bid:
            return 1 - yes
        if auction.bidding == Bidding.CALL_ROB or bid == 3:
            return yes if auction.bidding == Bidding.CALL_ROB else self.at_least(seat, situation.value, 3)
        return self.at_least(seat, situation.value, bid) - self.at_least(seat, situation.value, bid + 1)

    def at_least(self, seat: int, value: int, height: int) -> Floats:
        """P(a bid of at least so much): what would be bid over one less, and never more likely than a bid at all."""
        out = self.chance(seat, Situation(CALL, value))
        for below in range(value + 1, height):
            out = np.minimum(out, self.chance(seat, Situation(CALL, below)))
        return out

    def history(self, auction: Auction) -> Weights:
        """Weights of the others' hands after what they bid."""
        weights = {seat: np.full(POOL, 1 / POOL) for seat in self.others}
        past = Auction.start(auction.bidding, auction.first)
        for seat, bid in zip(auction.seats, auction.bids, strict=True):
            if seat != self.me:
                weights[seat] = weights[seat] * np.maximum(self.did(seat, past, bid), 1e-9)
            past = past.after(bid)
        return {seat: row / row.sum() for seat, row in weights.items()}

    def value(self, auction: Auction, weights: Weights) -> tuple[float, float, float]:
        """Expected points, chance that another seat is landlord, chance that nobody is."""
        if auction.turn is None:
            return self.leaf(auction, weights)
        if auction.turn == self.me:
            return max((self.value(auction.after(bid), weights) for bid in auction.legal()), key=lambda found: found[0])
        total = [0.0, 0.0, 0.0]
        seat, before = auction.turn, weights[auction.turn]
        for bid in auction.legal():
            after = before * self.did(seat, auction, bid)
            chance = float(after.sum())
            if chance < 1e-4:
                continue
            found = self.value(auction.after(bid), {**weights, seat: after / chance})
            total = [sum_ + chance * part for sum_, part in zip(total, found, strict=True)]
        return total[0], total[1], total[2]

    def leaf(self, auction: Auction, weights: Weights) -> tuple[float, float, float]:
        if auction.landlord is None:
            return 0.0, 0.0, 1.0
        strength = {seat: float(row @ self.pool) for seat, row in weights.items()}
        if auction.landlord == self.me:
            row = (1.0, self.own, sum(strength.values()))
            return auction.stake * float(np.dot(self.numbers.landlord, row)), 0.0, 0.0
        mate = next(seat for seat in self.others if seat != auction.landlord)
        row4 = (1.0, self.own, strength[auction.landlord], strength[mate])
        return auction.stake * float(np.dot(self.numbers.farmer, row4)), 1.0, 0.0


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
