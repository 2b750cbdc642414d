"""Bidding by high cards, for players that have no bidding model of their own."""

import time

from mingpai._native.doudizhu import Bidding, bid_strength, wanted_bid
from mingpai.core.decision import Candidate, Decision
from mingpai.core.reasons import Reason
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.view import DoudizhuView


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
        reasons=[Reason("doudizhu.bid_by_strength", {"strength": bid_strength(view.hand), "worth": worth})],
        seconds=time.perf_counter() - start,
        agent=spec,
    )
