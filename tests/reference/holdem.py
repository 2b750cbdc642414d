"""Hold'em in plain Python, written from RULES.md without looking at speed: the judge of the native code."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

RANKS = "23456789TJQKA"


def rank_five(cards: Sequence[int]) -> tuple[int, ...]:
    """A five-card hand as a tuple that compares as hands do: category first, then ranks by importance (RULES 7)."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape = [count for _, count in groups]
    order = tuple(rank for rank, _ in groups)
    is_flush = len({card % 4 for card in cards}) == 1
    is_wheel = ranks == [12, 3, 2, 1, 0]
    is_straight = is_wheel or (len(groups) == 5 and ranks[0] - ranks[4] == 4)
    top = (3,) if is_wheel else (ranks[0],)
    if is_straight and is_flush:
        return (8, *top)
    if shape == [4, 1]:
        return (7, *order)
    if shape == [3, 2]:
        return (6, *order)
    if is_flush:
        return (5, *order)
    if is_straight:
        return (4, *top)
    categories = {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    return (categories[tuple(shape)], *order)


def rank_best(cards: Sequence[int]) -> tuple[int, ...]:
    """The best five of the cards."""
    return max(rank_five(five) for five in combinations(cards, 5))


def exact_equity(
    ranges: Sequence[dict[tuple[int, int], float]], board: Sequence[int], dead: Sequence[int] = ()
) -> list[float]:
    """Shares of the pot by counting every deal of hands and every board with its weight."""
    shares = [0.0] * len(ranges)
    total = 0.0
    for hands in product(*(weights.items() for weights in ranges)):
        used = [card for hand, _ in hands for card in hand]
        taken = {*used, *board, *dead}
        if len(taken) < len(used) + len(board) + len(dead):
            continue
        weight = 1.0
        for _, factor in hands:
            weight *= factor
        deck = [card for card in range(52) if card not in taken]
        for rest in combinations(deck, 5 - len(board)):
            ranks = [rank_best([*hand, *board, *rest]) for hand, _ in hands]
            best = max(ranks)
            winners = [seat for seat, rank in enumerate(ranks) if rank == best]
            for seat in winners:
                shares[seat] += weight / len(winners)
            total += weight
    return [share / total for share in shares]


@dataclass
class Switches:
    """The profile switches of RULES 10."""

    odd_chips: str = "by seat"
    """by seat, first, discarded or divided."""
    short_opening_reopens: bool = False
    short_blind_counts_as_posted: bool = False
    small_blind_only_heads_up: bool = False
    may_fold_unbet: bool = False
    always_open: bool = False


PROFILES = {
    "standard": Switches(),
    "acpc": Switches(odd_chips="divided", always_open=True),
    "huawei2015": Switches(
        odd_chips="discarded", small_blind_only_heads_up=True, may_fold_unbet=True, always_open=True
    ),
    "botzone": Switches(may_fold_unbet=True),
    "pokerkit": Switches(odd_chips="first", short_opening_reopens=True, short_blind_counts_as_posted=True),
}


class ReferenceTable:
    """A hand by the clauses of RULES.md, one method to a clause. Chips are fractions."""

    def __init__(
        self, stacks: Sequence[Fraction], button: int, blinds: tuple[int, int], ante: int, switches: Switches,
        holes: Sequence[Sequence[int]], board: Sequence[int],
    ) -> None:  # fmt: skip
        self.switches, self.button, self.big = switches, button, blinds[1]
        self.holes, self.board = holes, board
        self.start = list(stacks)
        self.stack = list(stacks)
        self.bet = [Fraction(0) for _ in stacks]
        self.paid = [Fraction(0) for _ in stacks]
        self.live = [stack > 0 for stack in stacks]
        self.street = 0
        self.turn: int | None = None
        dealt = [seat for seat in self.after(button) if self.live[seat]]
        for seat in dealt:
            self.pay(seat, ante)
            self.bet[seat] = Fraction(0)
        # 3.2 to 3.5: who posts what, and what there is to call.
        if len(dealt) == 2 and switches.small_blind_only_heads_up:
            posts = [(dealt[0], blinds[0])]
            self.to_stay = Fraction(blinds[0])
        else:
            order = dealt[-1:] + dealt[:-1] if len(dealt) == 2 else dealt
            posts = [(order[0], blinds[0]), (order[1], blinds[1])]
            self.to_stay = Fraction(blinds[1])
        for seat, blind in posts:
            self.pay(seat, blind)
        if switches.short_blind_counts_as_posted:
            self.to_stay = max(self.bet)
        self.begin_street(first_after=posts[-1][0])

    def after(self, seat: int) -> list[int]:
        """All seats in the direction of play, the one after `seat` first, `seat` last (2.3)."""
        return [(seat + step) % len(self.stack) for step in range(1, len(self.stack) + 1)]

    def pay(self, seat: int, amount: Fraction | int) -> None:
        amount = min(Fraction(amount), self.stack[seat])
        self.stack[seat] -= amount
        self.bet[seat] += amount
        self.paid[seat] += amount

    def can_matter(self, seat: int) -> bool:
        """6.3: it has chips, and somebody else could still match at least one more."""
        others = [self.bet[o] + self.stack[o] for o in range(len(self.stack)) if self.live[o] and o != seat]
        return self.live[seat] and self.stack[seat] > 0 and max(others, default=Fraction(0)) > self.bet[seat]

    def begin_street(self, first_after: int) -> None:
        self.largest_raise = Fraction(0 if self.switches.short_opening_reopens else self.big)
        self.least_raise_to = self.to_stay + self.big
        self.has_acted = [False] * len(self.stack)
        self.waiting = [seat for seat in self.after(first_after) if self.can_matter(seat)]
        if len(self.waiting) == 1 and self.bet[self.waiting[0]] >= max(self.bet):
            self.waiting = []
        self.next_turn()

    def next_turn(self) -> None:
        if sum(self.live) == 1:
            self.turn = None
        elif self.waiting:
            self.turn = self.waiting[0]
        elif self.street == 3:
            self.turn = None
        else:
            self.street += 1
            self.bet = [Fraction(0) for _ in self.bet]
            self.to_stay = Fraction(0)
            self.begin_street(first_after=self.button)

    def facing(self) -> Fraction:
        assert self.turn is not None
        return max(Fraction(0), self.to_stay - self.bet[self.turn])

    def can_fold(self) -> bool:
        return self.facing() > 0 or self.switches.may_fold_unbet

    def raise_bounds(self) -> tuple[Fraction, Fraction] | None:
        """5.5 to 5.8."""
        seat = self.turn
        assert seat is not None
        most = self.bet[seat] + self.stack[seat]
        is_closed = self.has_acted[seat] and self.facing() < self.largest_raise
        others = [o for o in range(len(self.stack)) if o != seat and self.live[o]]
        has_caller = any(self.bet[o] + self.stack[o] > self.to_stay for o in others)
        if self.switches.always_open:
            return None if most <= self.to_stay or not has_caller else (min(most, self.least_raise_to), most)
        if is_closed or most <= self.to_stay or not has_caller:
            return None
        return min(most, self.to_stay + max(self.largest_raise, Fraction(self.big))), most

    def act(self, kind: str, total: Fraction | None = None) -> None:
        seat = self.turn
        assert seat is not None
        self.has_acted[seat] = True
        self.waiting.remove(seat)
        if kind == "fold":
            self.live[seat] = False
        elif kind == "call":
            self.pay(seat, self.facing())
        elif kind == "raise":
            assert total is not None
            self.largest_raise = max(self.largest_raise, total - self.to_stay)
            self.least_raise_to = max(self.least_raise_to, 2 * total - self.to_stay)
            self.pay(seat, total - self.bet[seat])
            self.to_stay = total
            self.waiting = [o for o in self.after(seat)[:-1] if self.live[o] and self.stack[o] > 0]
        self.next_turn()

    def pots(self, can_win: Sequence[bool]) -> list[tuple[Fraction, list[int]]]:
        """8.1 to 8.3. Layers from the bottom; what one seat alone paid is in none of them."""
        pots: list[tuple[Fraction, list[int]]] = []
        floor = Fraction(0)
        for level in sorted({paid for paid in self.paid if paid > 0}):
            payers = [seat for seat, paid in enumerate(self.paid) if paid >= level]
            seats = [seat for seat in payers if can_win[seat]]
            amount = (level - floor) * len(payers)
            floor = level
            if len(payers) == 1:
                break
            if pots and (not seats or pots[-1][1] == seats):
                pots[-1] = (pots[-1][0] + amount, pots[-1][1])
            else:
                pots.append((amount, seats))
        return pots

    def final_stacks(self) -> list[Fraction]:
        """8.2, 8.4 and 8.5."""
        stacks = list(self.stack)
        most, second = sorted(self.paid)[-1], sorted(self.paid)[-2]
        if most > second:
            stacks[self.paid.index(most)] += most - second
        strength = {s: rank_best([*self.holes[s], *self.board]) for s in range(len(stacks)) if self.live[s]}
        if len(strength) == 1:
            strength = dict.fromkeys(strength, (0,))
        pots = self.pots(self.live)
        if self.switches.odd_chips == "first":
            winning = {seat for _, seats in pots for seat in self.best(seats, strength)}
            pots = self.pots([seat in winning for seat in range(len(stacks))])
        for amount, seats in pots:
            winners = [seat for seat in self.after(self.button) if seat in self.best(seats, strength)]
            if self.switches.odd_chips == "divided":
                for seat in winners:
                    stacks[seat] += amount / len(winners)
                continue
            share, odd = divmod(amount, len(winners))
            for place, seat in enumerate(winners):
                stacks[seat] += share
                if self.switches.odd_chips == "by seat" and place < odd:
                    stacks[seat] += 1
                elif self.switches.odd_chips == "first" and place == 0:
                    stacks[seat] += odd
        return stacks

    @staticmethod
    def best(seats: Sequence[int], strength: dict[int, tuple[int, ...]]) -> list[int]:
        top = max(strength[seat] for seat in seats)
        return [seat for seat in seats if strength[seat] == top]
