"""Guandan by definition: slow plain-Python rules written from RULES.md, to compare the native engine with.

Cards are two-letter strings. Nothing here imports the package.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

RANKS = "A23456789TJQK"
SUITS = "SHDC"
SMALL, BIG = "SB", "HR"
SUITED = [suit + rank for rank in RANKS for suit in SUITS]
DECK = (*SUITED, SMALL, BIG) * 2


@dataclass(frozen=True)
class Play:
    """Type name, rank letter (B and R for jokers, "" for a pass and four jokers) and the physical cards, sorted."""

    type: str
    rank: str
    cards: tuple[str, ...]


PASS = Play("pass", "", ())


def rank_letter(card: str) -> str:
    return {SMALL: "B", BIG: "R"}.get(card, card[1])


def order(rank: str, level: str) -> int:
    """Clause 2.2."""
    line = [r for r in "23456789TJQKA" if r != level] + [level, "B", "R"]
    return line.index(rank)


def windows(length: int) -> list[str]:
    """Consecutive ranks with A low and A high, clause 3.11."""
    line = RANKS + "A"
    return [line[i : i + length] for i in range(len(line) - length + 1)]


def classify(cards: Sequence[str]) -> tuple[str, str] | None:
    """The type and rank of cards without wild ones (clause 3); bombs and straight flushes before straights."""
    counts = Counter(rank_letter(card) for card in cards)
    n, shape = len(cards), sorted(counts.values())
    jokers = "B" in counts or "R" in counts
    if n == 4 and counts == {"B": 2, "R": 2}:
        return "joker-bomb", ""
    if len(counts) == 1:
        rank = next(iter(counts))
        if n <= 2:
            return ("single", "pair")[n - 1], rank
        if jokers or n > 10:
            return None
        return ("triple" if n == 3 else "bomb"), rank
    if n == 5 and shape == [2, 3]:
        rank = next(r for r, c in counts.items() if c == 3)
        return None if rank in "BR" else ("full-house", rank)
    if jokers:
        return None
    for copies, length, name in ((3, 2, "plate"), (2, 3, "tube"), (1, 5, "straight")):
        if n != copies * length or set(shape) != {copies}:
            continue
        for window in windows(length):
            if set(window) == set(counts):
                flush = name == "straight" and len({card[0] for card in cards}) == 1
                return ("straight-flush" if flush else name), window[0]
    return None


def readings_by_definition(cards: Sequence[str], level: str) -> set[Play]:
    """Every reading of exactly these cards, trying all cards for each wild one (clause 4)."""
    wild = "H" + level
    natural = [card for card in cards if card != wild]
    wilds = len(cards) - len(natural)
    physical = tuple(sorted(cards))
    if wilds and not natural:
        return {Play(("single", "pair")[wilds - 1], level, physical)}  # 4.2
    plays: set[Play] = set()
    for claim in product(SUITED, repeat=wilds):
        if list(claim) != sorted(claim):
            continue
        kind = classify([*natural, *claim])
        if kind is None:
            continue
        name, rank = kind
        if name == "full-house" and wilds == 2 and len({rank_letter(card) for card in natural}) == 1:
            lone = Counter(rank_letter(card) for card in natural)
            if lone == {rank: 3} and rank == level:
                continue  # 4.2: the pair of wild cards has the level's rank, as the triple
        plays.add(Play(name, rank, physical))
    if any(play.type == "straight-flush" for play in plays):
        plays = {play for play in plays if play.type != "straight"}  # 4.3
    return plays


def leads_by_definition(hand: Sequence[str], level: str) -> set[Play]:
    """All plays of a small hand: every subset, every reading. Exponential."""
    plays: set[Play] = set()
    for size in range(1, min(len(hand), 10) + 1):
        for cards in set(combinations(sorted(hand), size)):
            plays |= readings_by_definition(cards, level)
    return plays


def _choices(cards: Iterable[str], count: int) -> set[tuple[str, ...]]:
    return set(combinations(sorted(cards), count))


def _slots(
    by_rank: dict[str, list[str]], wild: str, wilds: int, slots: Sequence[tuple[str, int]]
) -> Iterator[tuple[str, ...]]:
    """Physical cards that fill slots of (rank, copies), wild cards in any place."""
    for shares in product(range(wilds + 1), repeat=len(slots)):
        if sum(shares) > wilds:
            continue
        parts = []
        for (rank, copies), share in zip(slots, shares, strict=True):
            if share > copies:
                break
            parts.append(_choices(by_rank.get(rank, []), copies - share))
        else:
            for chosen in product(*parts):
                yield tuple(sorted([*(card for part in chosen for card in part), *[wild] * sum(shares)]))


def leads(hand: Sequence[str], level: str) -> set[Play]:
    """All plays of any hand, pattern by pattern."""
    wild = "H" + level
    wilds = hand.count(wild)
    by_rank: dict[str, list[str]] = {}
    for card in hand:
        if card != wild:
            by_rank.setdefault(rank_letter(card), []).append(card)
    plays: set[Play] = set()

    def fill(name: str, rank: str, slots: Sequence[tuple[str, int]]) -> None:
        for cards in _slots(by_rank, wild, wilds, slots):
            naturals = {card for card in cards if card != wild}
            if not naturals and rank != level:
                continue  # 4.2
            flush = len({card[0] for card in naturals}) == 1
            if name == "straight" and flush:
                plays.add(Play("straight-flush", rank, cards))
            else:
                plays.add(Play(name, rank, cards))

    for rank in RANKS:
        for size in range(1, 11):
            fill(("single", "pair", "triple")[size - 1] if size <= 3 else "bomb", rank, [(rank, size)])
        for pair in RANKS:
            if pair != rank:
                for cards in _slots(by_rank, wild, wilds, [(rank, 3), (pair, 2)]):
                    two_wild_pair = (
                        cards.count(wild) == 2 and sum(rank_letter(c) == rank and c != wild for c in cards) == 3
                    )
                    if not two_wild_pair or pair == level:
                        plays.add(Play("full-house", rank, cards))
        for joker in (SMALL, BIG):
            if by_rank.get(rank_letter(joker), []).count(joker) == 2:
                for cards in _slots(by_rank, wild, wilds, [(rank, 3)]):
                    plays.add(Play("full-house", rank, tuple(sorted((*cards, joker, joker)))))
    for name, copies, length in (("plate", 3, 2), ("tube", 2, 3), ("straight", 1, 5)):
        for window in windows(length):
            fill(name, window[0], [(rank, copies) for rank in window])
    for joker in (SMALL, BIG):
        held = by_rank.get(rank_letter(joker), [])
        for size in range(1, len(held) + 1):
            plays.add(Play(("single", "pair")[size - 1], rank_letter(joker), (joker,) * size))
    if len(by_rank.get("B", [])) == 2 and len(by_rank.get("R", [])) == 2:
        plays.add(Play("joker-bomb", "", tuple(sorted((SMALL, SMALL, BIG, BIG)))))
    return plays


def bomb_class(play: Play) -> float:
    """Clause 5.2: size, a straight flush between 5 and 6, four jokers above all; 0 for others."""
    if play.type == "bomb":
        return len(play.cards)
    return {"straight-flush": 5.5, "joker-bomb": 11.0}.get(play.type, 0)


def beats(play: Play, target: Play, level: str) -> bool:
    """Clause 5."""
    mine, theirs = bomb_class(play), bomb_class(target)
    if mine != theirs:
        return mine > theirs
    if play.type != target.type:
        return False
    if play.type in ("plate", "tube", "straight", "straight-flush"):
        return RANKS.index(play.rank) > RANKS.index(target.rank)
    return play.type != "joker-bomb" and order(play.rank, level) > order(target.rank, level)


def follows(hand: Sequence[str], level: str, target: Play) -> set[Play]:
    return {play for play in leads(hand, level) if beats(play, target, level)} | {PASS}


# --- a whole round, clauses 6 and 7 ---------------------------------------------------------------------------------


def tribute_cards(hand: Sequence[str], level: str) -> set[str]:
    """Clause 7.2."""
    candidates = [card for card in hand if card != "H" + level]
    top = max(order(rank_letter(card), level) for card in candidates)
    return {card for card in candidates if order(rank_letter(card), level) == top}


def return_cards(hand: Sequence[str], level: str) -> set[str]:
    """Clause 7.5."""
    regular = {card for card in hand if rank_letter(card) in "23456789T" and rank_letter(card) != level}
    if regular:
        return regular
    low = min(order(rank_letter(card), level) for card in hand)
    return {card for card in hand if order(rank_letter(card), level) == low}


class Tricks:
    """Clause 6: whose turn, what to beat, who has finished. Hands are lists of cards."""

    def __init__(self, hands: Sequence[Sequence[str]], level: str, leader: int) -> None:
        self.hands = [list(hand) for hand in hands]
        self.level = level
        self.turn = leader
        self.table: tuple[int, Play] | None = None
        self.passed: set[int] = set()
        self.order: list[int] = []

    @property
    def is_over(self) -> bool:
        first_two_are_partners = len(self.order) == 2 and self.order[1] == (self.order[0] + 2) % 4
        return first_two_are_partners or len(self.order) >= 3

    def legal(self) -> set[Play]:
        hand = self.hands[self.turn]
        return leads(hand, self.level) if self.table is None else follows(hand, self.level, self.table[1])

    def play(self, play: Play) -> None:
        seat = self.turn
        if play == PASS:
            self.passed.add(seat)
        else:
            for card in play.cards:
                self.hands[seat].remove(card)
            self.table, self.passed = (seat, play), set()
            if not self.hands[seat]:
                self.order.append(seat)
        if self.is_over:
            self.order += [(seat + i) % 4 for i in (1, 2, 3) if self.hands[(seat + i) % 4]]
            return
        assert self.table is not None
        owner = self.table[0]
        waiting = [(seat + i) % 4 for i in (1, 2, 3)]
        still = [s for s in waiting if self.hands[s] and s != owner and s not in self.passed]
        if still:
            self.turn = still[0]
        else:
            self.turn = owner if self.hands[owner] else (owner + 2) % 4
            self.table, self.passed = None, set()
