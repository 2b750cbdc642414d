"""Style statistics of poker players: VPIP, PFR, AF and WTSD, counted from hand histories."""

from collections.abc import Iterable
from dataclasses import dataclass

from mingpai.records.handhistory import Chips, HandHistory


@dataclass
class StyleStatistics:
    """Counts of one player. The rates are None where nothing was counted."""

    hands: int = 0
    entered: int = 0
    """Hands with a voluntary call or raise before the flop."""
    raised: int = 0
    """Hands with a raise before the flop."""
    bets: int = 0
    """Bets and raises after the flop."""
    calls: int = 0
    """Calls after the flop."""
    flops: int = 0
    """Hands in which the player saw the flop."""
    showdowns: int = 0
    """Hands in which he reached the showdown."""
    won: float = 0.0
    """Chips won, in big blinds, where the end is recorded."""

    @property
    def vpip(self) -> float | None:
        """Share of hands entered voluntarily."""
        return self.entered / self.hands if self.hands else None

    @property
    def pfr(self) -> float | None:
        """Share of hands raised before the flop."""
        return self.raised / self.hands if self.hands else None

    @property
    def af(self) -> float | None:
        """Aggression factor: bets and raises by calls, after the flop."""
        return self.bets / self.calls if self.calls else None

    @property
    def wtsd(self) -> float | None:
        """Share of flops seen that went to showdown."""
        return self.showdowns / self.flops if self.flops else None

    def to_json(self) -> dict[str, float | int | None]:
        return {"hands": self.hands, "vpip": self.vpip, "pfr": self.pfr, "af": self.af, "wtsd": self.wtsd,
                "bb_per_100": 100 * self.won / self.hands if self.hands else None}  # fmt: skip


def count_hand(hand: HandHistory, names: Iterable[str], totals: dict[str, StyleStatistics]) -> None:
    """Add one hand to the statistics of its players, named by seat."""
    players = list(names)
    folded: dict[int, int] = {}
    entered, raised = set(), set()
    bets: list[list[Chips]] = [list(hand.posts), [0] * hand.seats, [0] * hand.seats, [0] * hand.seats]
    highest: list[Chips] = [max(hand.posts), 0, 0, 0]
    for action in hand.actions:
        owed = highest[action.street] - bets[action.street][action.seat]
        own = totals.setdefault(players[action.seat], StyleStatistics())
        if action.kind == "fold":
            folded[action.seat] = action.street
        elif action.kind == "raise":
            highest[action.street] = bets[action.street][action.seat] = action.to
            own.bets += action.street > 0
        elif owed > 0:
            bets[action.street][action.seat] = highest[action.street]
            own.calls += action.street > 0
        if action.street == 0 and (action.kind == "raise" or (action.kind == "call" and owed > 0)):
            entered.add(action.seat)
        if action.street == 0 and action.kind == "raise":
            raised.add(action.seat)
    live = hand.seats - len(folded)
    for seat, name in enumerate(players):
        own = totals.setdefault(name, StyleStatistics())
        own.hands += 1
        own.entered += seat in entered
        own.raised += seat in raised
        saw_flop = bool(hand.board) and folded.get(seat, 1) > 0
        own.flops += saw_flop
        own.showdowns += saw_flop and seat not in folded and live > 1
        if hand.finishing:
            own.won += float(hand.finishing[seat] - hand.stacks[seat]) / float(max(hand.posts))


def style_statistics(hands: Iterable[HandHistory]) -> dict[str, StyleStatistics]:
    """Statistics of every player; players without a name are told apart by seat."""
    totals: dict[str, StyleStatistics] = {}
    for hand in hands:
        count_hand(hand, hand.players or [f"seat {seat}" for seat in range(hand.seats)], totals)
    return totals
