"""The auction as a tree: who is asked after some bids, which bids are legal, who becomes landlord for what stake."""

from dataclasses import dataclass

from mingpai._native.doudizhu import Bidding
from mingpai.core.errors import BadSetting
from mingpai.methods.bidding.situation import BidSituation, situation_after

SEATS = 3
MOST_BID = 3


@dataclass(frozen=True)
class Auction:
    """Bids made so far, first bid first. The rules are those of native/doudizhu; a test compares them."""

    bidding: Bidding
    first: int
    """Seat that was asked first."""
    bids: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    """Who made them."""
    turn: int | None = None
    """Who is asked now; None when it is over."""
    landlord: int | None = None
    """Of an auction that is over; None if nobody bid."""
    stake: int = 0
    """What the landlord bid; with call and rob 1, doubled by each rob."""

    @classmethod
    def start(cls, bidding: Bidding, first: int) -> "Auction":
        if bidding == Bidding.NONE:
            raise BadSetting("bidding", "nobid", "score, auction or callrob")
        return cls(bidding, first, turn=first)

    @property
    def situation(self) -> BidSituation:
        """What the seat to bid is asked."""
        return situation_after(self.bids, self.bidding)

    def legal(self) -> tuple[int, ...]:
        """The legal bids of the seat to bid."""
        if self.bidding == Bidding.CALL_ROB:
            return (0, 1)
        return (0, *range(max(self.bids, default=0) + 1, MOST_BID + 1))

    def after(self, bid: int) -> "Auction":
        """The auction after one more bid."""
        assert self.turn is not None
        bids, seats = (*self.bids, bid), (*self.seats, self.turn)
        turn, landlord, stake = NEXT[self.bidding](bids, seats)
        return Auction(self.bidding, self.first, bids, seats, turn, landlord, stake)


def _score(bids: tuple[int, ...], seats: tuple[int, ...]) -> tuple[int | None, int | None, int]:
    highest = max(bids)
    if len(bids) < SEATS and highest < MOST_BID:
        return (seats[-1] + 1) % SEATS, None, highest
    return None, seats[bids.index(highest)] if highest else None, highest


def _auction(bids: tuple[int, ...], seats: tuple[int, ...]) -> tuple[int | None, int | None, int]:
    highest = max(bids)
    last = len(bids) - bids[::-1].index(highest) if highest else 0
    if highest < MOST_BID and len(bids) - last < (SEATS - 1 if highest else SEATS):
        return (seats[-1] + 1) % SEATS, None, highest
    return None, seats[last - 1] if highest else None, highest


def _call_rob(bids: tuple[int, ...], seats: tuple[int, ...]) -> tuple[int | None, int | None, int]:
    raisers = [seat for bid, seat in zip(bids, seats, strict=True) if bid]
    if not raisers:
        return ((seats[-1] + 1) % SEATS if len(bids) < SEATS else None), None, 0
    caller, stake = raisers[0], 1 << (len(raisers) - 1)
    called = bids.index(1)
    asked = set(seats[:called]) | set(seats[called + 1 :])
    for seat in ((caller + 1) % SEATS, (caller + 2) % SEATS):
        if seat not in asked:
            return seat, None, stake
    if raisers[-1] != caller and caller not in seats[called + 1 :]:
        return caller, None, stake
    return None, raisers[-1], stake


NEXT = {Bidding.SCORE: _score, Bidding.AUCTION: _auction, Bidding.CALL_ROB: _call_rob}
"""Who is asked next, or who is landlord; and the stake."""
