"""A decision of the bidding as the benchmark sees it: what is asked, what has been bid."""

from collections.abc import Sequence
from dataclasses import dataclass

from mingpai._native.doudizhu import Bidding

CALL, ROB = 0, 1
"""Phases: a score is bid or the landlord is called; or somebody has called and may be robbed."""

MOST_VALUE = 2


@dataclass(frozen=True)
class BidSituation:
    """Phase and bid value, as the paper's samples have them."""

    phase: int
    """0 call, 1 rob."""
    value: int
    """The highest score so far; with call and rob the number of calls and robs so far, at most 2."""


def situation_after(bids: Sequence[int], bidding: Bidding) -> BidSituation:
    """The situation after some bids of a deal, in order, passes included."""
    if bidding != Bidding.CALL_ROB:
        return BidSituation(CALL, max(bids, default=0))
    raises = sum(bid > 0 for bid in bids)
    return BidSituation(ROB if raises else CALL, min(raises, MOST_VALUE))
