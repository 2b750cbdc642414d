"""The styles of the others during a match, from what one seat sees.

After a deal the cards that everybody played are known; what the losers still held is spread over them at random. Each
decision then makes some styles likelier: P(what was bid | style), averaged over the possible hands. Beside this belief
the paper's mu and sigma are counted, with the benchmark's action averaged over the same hands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai._native.doudizhu import FULL_DECK
from mingpai.core.random import stream
from mingpai.methods.bidding.auction import SEATS, Auction
from mingpai.methods.bidding.bidder import STYLES, Bidder, Floats
from mingpai.methods.bidding.features import counts
from mingpai.methods.bidding.style import EPSILON, LEAST_DECISIONS, StyleClass, class_of

EVERY = np.arange(len(STYLES))

HANDS = 12
"""Possible hands that a decision is averaged over."""


@dataclass
class Track:
    """What is known of one player."""

    evidence: list[float] = field(default_factory=lambda: [0.0] * len(STYLES))
    """Logarithm of the likelihood of each style."""
    wanted: list[float] = field(default_factory=list)
    """Probability that the benchmark bids, for each decision: over the hands he may have held."""
    did: list[int] = field(default_factory=list)

    def belief(self, prior: Floats) -> Floats:
        """The probability of each style: the prior without decisions."""
        logs = np.array(self.evidence)
        weights: Floats = prior * np.exp(logs - logs.max())
        return np.asarray(weights / weights.sum())

    @property
    def mu(self) -> float:
        did, wanted = np.array(self.did, float), np.array(self.wanted)
        bids, benchmark = float(did.sum()), float(wanted.sum())
        over = float((did * (1 - wanted)).sum()) / (bids - EPSILON) if bids else 0.0
        return over - (float(((1 - did) * wanted).sum()) / benchmark if benchmark > 0 else 0.0)

    @property
    def sigma(self) -> float:
        did, wanted = np.array(self.did, float), np.array(self.wanted)
        return float(np.sqrt(np.abs(did - wanted).sum() / (len(did) - 1))) if len(did) > 1 else 0.0

    @property
    def style(self) -> StyleClass | None:
        """The class, from ten decisions on."""
        return class_of(self.mu, self.sigma) if len(self.did) >= LEAST_DECISIONS else None

    def to_json(self) -> dict[str, Any]:
        return {"evidence": self.evidence, "wanted": self.wanted, "did": self.did}


@dataclass(frozen=True)
class Finished:
    """A deal as one seat has seen it."""

    me: int
    hand: int
    """The seat's own 17 cards."""
    bottom: int
    """0 when nobody became landlord."""
    landlord: int | None
    played: Sequence[int]
    """What each seat has played."""
    auction: Auction


class StyleTracker:
    """Tracks of the players by seat."""

    def __init__(self, bidder: Bidder) -> None:
        self.bidder = bidder
        self.tracks: dict[int, Track] = {seat: Track() for seat in range(SEATS)}

    def beliefs(self) -> dict[int, Floats]:
        """What is known of the style of every seat that has bid."""
        prior = self.bidder.numbers.prior
        return {seat: track.belief(prior) for seat, track in self.tracks.items() if track.did}

    def add(self, deal: Finished, seed: int) -> None:
        """Learns from a deal that is over."""
        hands = possible_hands(deal, seed)
        past = Auction.start(deal.auction.bidding, deal.auction.first)
        for seat, bid in zip(deal.auction.seats, deal.auction.bids, strict=True):
            if seat != deal.me:
                asked, track = past.situation, self.tracks[seat]
                phase, value = [asked.phase] * len(hands[seat]), [asked.value] * len(hands[seat])
                benchmark = self.bidder.model.logits(phase, value, hands[seat])
                chance = self.bidder.chances(self.bidder.neutral(asked, benchmark), EVERY).mean(axis=0)
                seen = np.log(np.clip(chance if bid else 1 - chance, 1e-6, None))
                track.evidence = (np.array(track.evidence) + seen).tolist()
                track.wanted.append(float((benchmark > 0).mean()))
                track.did.append(int(bid > 0))
            past = past.after(bid)

    def to_json(self) -> dict[str, Any]:
        return {str(seat): track.to_json() for seat, track in self.tracks.items() if track.did}

    def recall(self, data: Mapping[str, Any]) -> None:
        self.tracks = {seat: Track() for seat in range(SEATS)}
        for seat, track in data.items():
            self.tracks[int(seat)] = Track(list(track["evidence"]), list(track["wanted"]), list(track["did"]))


def possible_hands(deal: Finished, seed: int) -> dict[int, NDArray[np.uint64]]:
    """Hands of 17 cards that each of the others may have been dealt, given everything played."""
    others = [seat for seat in range(SEATS) if seat != deal.me]
    known = {seat: counts(deal.played[seat])[0].astype(np.int64) for seat in others}
    unseen = counts(FULL_DECK)[0].astype(np.int64) - counts(deal.hand)[0] - sum(known.values())
    bottom = counts(deal.bottom)[0].astype(np.int64)
    if deal.landlord is None or deal.landlord == deal.me:
        loose, aside = unseen, bottom if deal.landlord == deal.me else np.zeros_like(bottom)
        loose = loose - aside
    else:
        # The bottom cards were his: those he has not played he still holds, those he has are no part of the 17.
        still = np.maximum(bottom - known[deal.landlord], 0)
        known[deal.landlord] = known[deal.landlord] + still - bottom
        loose = unseen - still
    needs = {seat: 17 - int(known[seat].sum()) for seat in others}
    cards = np.repeat(np.arange(len(loose)), loose)
    if max(needs.values()) == 0 or needs[others[0]] in (0, len(cards)):
        drawn = [cards]
    else:
        rng = stream(seed, "possible")
        drawn = [rng.permutation(cards) for _ in range(HANDS)]
    out: dict[int, list[int]] = {seat: [] for seat in others}
    for order in drawn:
        at = 0
        for seat in others:
            held = known[seat] + np.bincount(order[at : at + needs[seat]], minlength=len(loose))
            at += needs[seat]
            out[seat].append(sum(int(copies) << (4 * rank) for rank, copies in enumerate(held)))
    return {seat: np.array(hands, np.uint64) for seat, hands in out.items()}
