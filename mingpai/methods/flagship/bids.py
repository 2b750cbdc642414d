"""What every bid is worth in points, learned from auctions whose deals the flagship's own network played.

An auction has few places where a seat can be asked: 10 where scores are called, 27 in an open auction, 11 with call and
rob. A small network reads the own 17 cards and gives points for every bid at every place. It has learned them from
itself (`train_bids.py`), so that who bids what, how often the others outbid one and what the bottom cards bring is in
its numbers. It runs on onnxruntime.
"""

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mingpai._native import bidding as native
from mingpai._native.doudizhu import Bidding
from mingpai.core.decision import Candidate, Decision
from mingpai.core.notes import Stages
from mingpai.core.reasons import Reason
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.notation import RANKS
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.bidding.auction import MOST_BID, Auction
from mingpai.methods.bidding.features import counts
from mingpai.methods.bidding.stages import WorthNote, auction_of
from mingpai.models.loader import Model, load

BIDS = "doudizhu-bids"
"""The shipped network."""
FEATURES = "doudizhu-bids-1"

FORMS = (Bidding.SCORE, Bidding.AUCTION, Bidding.CALL_ROB)
COLUMNS = MOST_BID + 1
"""Bids from 0 on, whether legal at a place or not."""
COPIES = 4
SIZE = COPIES * len(RANKS) + len(native.value_feature_names())
"""Of a row that the network reads."""


def walk(auction: Auction) -> Iterator[Auction]:
    """The places of an auction from here on where somebody is asked."""
    if auction.turn is not None:
        yield auction
        for bid in auction.legal():
            yield from walk(auction.after(bid))


PLACES = tuple(place for form in FORMS for place in walk(Auction.start(form, 0)))
"""Every place where a seat can be asked, seat 0 first."""
PLACE_OF = {(place.bidding, place.bids): number for number, place in enumerate(PLACES)}


def rows(hands: NDArray[np.uint64]) -> NDArray[np.float32]:
    """What the network reads of hands: how many of each rank, as a thermometer, and the ten numbers of a hand."""
    held = counts(hands)
    steps = [held > copies for copies in range(COPIES)]
    read = [*steps, native.value_features(np.ascontiguousarray(hands, np.uint64))]
    return np.concatenate(read, axis=1).astype(np.float32)


class LearnedBids:
    """Values bids by a shipped model, or by a model folder."""

    def __init__(self, name: str = BIDS) -> None:
        self._model: Model = load(name, game="doudizhu", features=FEATURES)

    def values(self, hand: int, auction: Auction) -> dict[int, float]:
        """Points of the deal for every legal bid of the seat that is asked, best first."""
        told = self._model.run({"rows": rows(np.array([hand], np.uint64))})["values"]
        points = told.reshape(len(PLACES), COLUMNS)[PLACE_OF[auction.bidding, auction.bids]]
        return {bid: float(points[bid]) for bid in sorted(auction.legal(), key=lambda bid: -points[bid])}

    def decide(self, view: DoudizhuView, spec: str) -> Decision:
        """The bid of most points."""
        start = time.perf_counter()
        worth = self.values(view.hand, auction_of(view))
        (best, value), (other, second), *_ = worth.items()
        return Decision(
            move=Bid(best),
            candidates=[Candidate(Bid(bid), value=points) for bid, points in worth.items()],
            value_unit="points",
            reasons=[Reason("doudizhu.bid_learned", {
                "bid": best, "value": f"{value:+.2f}", "other": other, "second": f"{second:+.2f}"
            })],
            stages=Stages(decide=WorthNote({bid: round(points, 4) for bid, points in worth.items()})),
            seconds=time.perf_counter() - start,
            agent=spec,
        )  # fmt: skip
