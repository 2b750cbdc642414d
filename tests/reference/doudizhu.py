"""Dou Dizhu written slowly and plainly from RULES.md, to compare the native code with. Clause numbers are its own.

Nothing is shared with the package: cards are letters, hands sorted strings, moves tuples of strings and numbers.
"""

import functools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

RANKS = "3456789TJQKA2XD"  # 1.2
CHAIN_RANKS = "3456789TJQKA"  # 1.4
USUAL_TYPES = (
    "single", "pair", "triple", "triple_single", "triple_pair", "straight", "pair_straight", "airplane",
    "airplane_singles", "airplane_pairs", "four_singles", "four_pairs", "bomb", "rocket",
)  # fmt: skip
FOUR_STRAIGHTS = ("four_straight", "four_straight_singles", "four_straight_pairs")  # 2.16

Move = tuple[str, str, int, str]
"""Type, lowest rank of the main part, ranks in the main part, cards from low to high. The pass is PASS."""

PASS: Move = ("pass", "", 0, "")


@dataclass(frozen=True)
class Switches:
    """The columns of the table in section 7."""

    types: tuple[str, ...] = USUAL_TYPES
    same_kicker_limit: int = 4
    beside_kicker_limit: int = 4
    both_jokers_as_kickers: bool = False
    same_pair_kickers: bool = True
    bidding: str = "score"
    bombs_double: bool = True
    spring_doubles: bool = True
    unit_score: bool = False


PROFILES = {
    "standard": Switches(),
    "douzero": Switches(both_jokers_as_kickers=True, same_pair_kickers=False, bidding="nobid", spring_doubles=False),
    "rlcard": Switches(
        same_kicker_limit=3, beside_kicker_limit=2, same_pair_kickers=False, bidding="nobid", bombs_double=False,
        spring_doubles=False, unit_score=True,
    ),
    "openspiel": Switches(
        types=tuple(t for t in USUAL_TYPES if not t.startswith("four")), same_kicker_limit=3, beside_kicker_limit=3,
        same_pair_kickers=False, bidding="auction",
    ),
    "botzone": Switches(
        types=USUAL_TYPES + FOUR_STRAIGHTS, same_kicker_limit=1, beside_kicker_limit=1, both_jokers_as_kickers=True,
        same_pair_kickers=False,
    ),
}  # fmt: skip

# type: copies of each rank in the main part, shortest and longest main part, kickers for each rank, cards in a kicker
SHAPES = {
    "single": (1, 1, 1, 0, 0),  # 2.1
    "pair": (2, 1, 1, 0, 0),  # 2.2
    "triple": (3, 1, 1, 0, 0),  # 2.3
    "triple_single": (3, 1, 1, 1, 1),  # 2.4
    "triple_pair": (3, 1, 1, 1, 2),  # 2.5
    "straight": (1, 5, 12, 0, 0),  # 2.6
    "pair_straight": (2, 3, 12, 0, 0),  # 2.7
    "airplane": (3, 2, 12, 0, 0),  # 2.8
    "airplane_singles": (3, 2, 12, 1, 1),  # 2.9
    "airplane_pairs": (3, 2, 12, 1, 2),  # 2.10
    "four_singles": (4, 1, 1, 2, 1),  # 2.11
    "four_pairs": (4, 1, 1, 2, 2),  # 2.12
    "bomb": (4, 1, 1, 0, 0),  # 2.13
    "four_straight": (4, 2, 12, 0, 0),  # 2.16
    "four_straight_singles": (4, 2, 12, 2, 1),  # 2.16
    "four_straight_pairs": (4, 2, 12, 2, 2),  # 2.16
}


def sorted_cards(cards: str) -> str:
    return "".join(sorted(cards, key=RANKS.index))


def without(hand: str, cards: str) -> str:
    left = Counter(hand)
    left.subtract(cards)
    return sorted_cards("".join(left.elements()))


def is_held(cards: str, hand: str) -> bool:
    return all(hand.count(rank) >= cards.count(rank) for rank in set(cards))


@functools.cache
def main_parts(type_: str) -> list[tuple[str, str]]:
    """Every main part of a type: its ranks and its cards."""
    parts = []
    copies, shortest, longest, _, _ = SHAPES[type_]
    for length in range(shortest, longest + 1):
        if length == 1:
            runs = [rank for rank in RANKS if copies == 1 or rank not in "XD"]  # 2.25
        else:
            runs = [CHAIN_RANKS[i : i + length] for i in range(len(CHAIN_RANKS) - length + 1)]
        parts += [(run, "".join(rank * copies for rank in run)) for run in runs]
    return parts


def are_kickers(type_: str, run: str, kickers: str, switches: Switches) -> bool:
    """Clauses 2.20 to 2.25 for a main part over the ranks of `run`."""
    _, _, _, per_rank, width = SHAPES[type_]
    counts = Counter(kickers)
    if len(kickers) != per_rank * width * len(run) or any(rank in run for rank in counts):  # 2.20
        return False
    if width == 2:
        allowed = (2, 4) if switches.same_pair_kickers else (2,)  # 2.24
        return all(count in allowed for count in counts.values())
    if not switches.both_jokers_as_kickers and "X" in counts and "D" in counts:  # 2.23
        return False
    beside = set()
    if type_ == "airplane_singles":  # 2.22
        places = (CHAIN_RANKS.index(run[0]) - 1, CHAIN_RANKS.index(run[-1]) + 1)
        beside = {CHAIN_RANKS[place] for place in places if 0 <= place < len(CHAIN_RANKS)}
    limits = {rank: switches.beside_kicker_limit if rank in beside else switches.same_kicker_limit for rank in counts}
    return all(count <= limits[rank] for rank, count in counts.items())  # 2.21


def readings(cards: str, switches: Switches) -> set[Move]:
    """Every way to read the cards as one move (2.30)."""
    cards = sorted_cards(cards)
    moves: set[Move] = set()
    if cards == "XD":
        moves.add(("rocket", "X", 1, cards))  # 2.14
    for type_, (copies, _, _, per_rank, width) in SHAPES.items():
        if len(cards) % (copies + per_rank * width):
            continue
        length = len(cards) // (copies + per_rank * width)
        for run, main in main_parts(type_):
            if len(run) == length and is_held(main, cards) and are_kickers(type_, run, without(cards, main), switches):
                moves.add((type_, run[0], len(run), cards))
    return {move for move in moves if move[0] in switches.types}  # 2.26


def subsets(hand: str) -> Iterator[str]:
    """Every different set of cards of a hand but the empty one."""
    counts = Counter(hand)
    for taken in product(*(range(counts[rank] + 1) for rank in RANKS)):
        cards = "".join(rank * count for rank, count in zip(RANKS, taken, strict=True))
        if cards:
            yield cards


def leads_by_subsets(hand: str, switches: Switches) -> set[Move]:
    """Every move of a hand by the definition: read every subset. For small hands."""
    return {move for cards in subsets(hand) for move in readings(cards, switches)}


def leads(hand: str, switches: Switches) -> set[Move]:
    """Every move of a hand: each main part with every choice of cards as kickers."""
    moves: set[Move] = set()
    for type_ in SHAPES:
        if type_ not in switches.types:
            continue
        _, _, _, per_rank, width = SHAPES[type_]
        for run, main in main_parts(type_):
            if not is_held(main, hand):
                continue
            rest = [card for card in without(hand, main) if card not in run]
            number = per_rank * width * len(run)
            for kickers in set(combinations(rest, number)):
                if are_kickers(type_, run, "".join(kickers), switches):
                    moves.add((type_, run[0], len(run), sorted_cards(main + "".join(kickers))))
    if "rocket" in switches.types and is_held("XD", hand):
        moves.add(("rocket", "X", 1, "XD"))
    return moves


def beats(move: Move, last: Move) -> bool:
    """Clauses 4.4 and 4.5."""
    if last[0] == "rocket":
        return False
    if move[0] == "rocket":
        return True
    if move[0] == "bomb" and last[0] != "bomb":
        return True
    return move[0] == last[0] and move[2] == last[2] and RANKS.index(move[1]) > RANKS.index(last[1])


def legal_moves(hand: str, last: Move, switches: Switches) -> set[Move]:
    moves = leads(hand, switches)
    return moves if last == PASS else {move for move in moves if beats(move, last)} | {PASS}


@dataclass
class Table:
    """A deal from the first bid to the score."""

    hands: list[str]
    bottom: str
    switches: Switches
    first: int = 0
    bids: list[tuple[int, int]] = field(default_factory=list)
    plays: list[tuple[int, Move]] = field(default_factory=list)

    @property
    def landlord(self) -> int | None:
        """None while bidding goes on or if it found nobody."""
        return self._bidding()[1]

    @property
    def stake(self) -> int:
        return self._bidding()[2]

    def _bidding(self) -> tuple[int | None, int | None, int]:
        """Seat to bid (None when over), landlord, stake."""
        if self.switches.bidding == "nobid":  # 3.5
            return None, self.first, 1
        if self.switches.bidding == "callrob":
            return self._call_rob()
        highest, bidder, passes = 0, None, 0
        for seat, bid in self.bids:
            passes = 0 if bid else passes + 1
            if bid:
                highest, bidder = bid, seat
        over = highest == 3
        if self.switches.bidding == "score":  # 3.1
            over = over or len(self.bids) == 3
        else:  # 3.2
            over = over or passes == (3 if bidder is None else 2)
        return (None, bidder, highest) if over else ((self.first + len(self.bids)) % 3, None, highest)

    def _call_rob(self) -> tuple[int | None, int | None, int]:
        """Clause 3.3."""
        said = dict(self.bids[: next((i + 1 for i, (_, bid) in enumerate(self.bids) if bid), len(self.bids))])
        callers = [seat for seat, bid in said.items() if bid]
        if not callers:
            return (None, None, 0) if len(said) == 3 else ((self.first + len(said)) % 3, None, 0)
        caller = callers[0]
        robbing = self.bids[len(said) :]
        order = [seat for seat in ((caller + 1) % 3, (caller + 2) % 3) if seat not in said]
        robs = [seat for seat, bid in robbing if bid]
        if robs:
            order.append(caller)
        stake = 2 ** len(robs)
        if len(robbing) < len(order):
            return order[len(robbing)], None, stake
        return None, (robs or [caller])[-1], stake

    @property
    def is_over(self) -> bool:
        bidding, landlord, _ = self._bidding()
        return bidding is None and (landlord is None or any(not self.hand(seat) for seat in range(3)))

    def hand(self, seat: int) -> str:
        cards = self.hands[seat] + (self.bottom if seat == self.landlord else "")  # 3.6
        for who, move in self.plays:
            if who == seat:
                cards = without(cards, move[3])
        return sorted_cards(cards)

    @property
    def to_move(self) -> int | None:
        bidding, landlord, _ = self._bidding()
        if bidding is not None:
            return bidding
        if landlord is None or self.is_over:
            return None
        return (landlord + len(self.plays)) % 3  # 4.1: passes count as turns

    @property
    def last(self) -> Move:
        """The move to beat (4.2, 4.3)."""
        recent = [move for _, move in self.plays[-2:] if move != PASS]
        return recent[-1] if recent else PASS

    def legal_bids(self) -> set[int]:
        if self.switches.bidding == "callrob":
            return {0, 1}
        return {0} | set(range(max((bid for _, bid in self.bids), default=0) + 1, 4))

    def legal_moves(self) -> set[Move]:
        seat = self.to_move
        assert seat is not None
        return legal_moves(self.hand(seat), self.last, self.switches)

    def points(self) -> list[int]:
        """Section 5."""
        landlord = self.landlord
        if landlord is None:
            return [0, 0, 0]
        won = not self.hand(landlord)
        if self.switches.unit_score:
            return [int((seat == landlord) == won) for seat in range(3)]
        made = Counter(seat for seat, move in self.plays if move != PASS)
        doublings = 0
        if self.switches.bombs_double:
            doublings += sum(move[0] in ("bomb", "rocket") for _, move in self.plays)
        spring = made.keys() == {landlord} if won else made[landlord] == 1
        if self.switches.spring_doubles and spring:
            doublings += 1
        stake = self.stake * 2**doublings * (1 if won else -1)
        return [2 * stake if seat == landlord else -stake for seat in range(3)]
