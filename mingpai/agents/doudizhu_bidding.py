"""Bidding by high cards, for players that have no bidding model of their own."""

import time

from mingpai._native.doudizhu import Bidding
from mingpai.core.decision import Candidate, Decision
from mingpai.core.reasons import Reason
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.notation import RANKS
from mingpai.games.doudizhu.view import DoudizhuView

BOMB_STRENGTH = 2
"""A bomb or the rocket counts two beside its cards; a joker or a 2 counts one."""

WORTH_BIDDING = 4
"""Strength of a bid of 1 (or of a call, a rob); one more for each higher bid."""

HIGHEST_BID = 3


def strength(hand: int) -> int:
    """High cards of a hand: one for each joker and 2, two more for each bomb and for the rocket."""
    count = [hand >> (4 * rank) & 15 for rank in range(len(RANKS))]
    two, small, big = (count[RANKS.index(rank)] for rank in "2XD")
    bombs = sum(copies == 4 for copies in count) + (small == big == 1)
    return two + small + big + BOMB_STRENGTH * bombs


def wanted_bid(hand: int) -> int:
    """The bid that the strength is worth, 0 to 3."""
    return max(0, min(HIGHEST_BID, strength(hand) - WORTH_BIDDING + 1))


def bid_by_strength(view: DoudizhuView, spec: str) -> Decision:
    """The highest bid that the hand is worth and the rules allow; no bid otherwise."""
    start = time.perf_counter()
    worth = wanted_bid(view.hand)
    wanted = min(worth, 1) if view.rule_set.bidding == Bidding.CALL_ROB else worth
    legal = view.legal_moves()
    bid = Bid(wanted) if Bid(wanted) in legal else Bid(0)
    return Decision(
        move=bid,
        candidates=[Candidate(bid, probability=1.0)],
        value_unit=view.game.unit,
        reasons=[Reason("doudizhu.bid_by_strength", {"strength": strength(view.hand), "worth": worth})],
        seconds=time.perf_counter() - start,
        agent=spec,
    )
