"""Hold'em in plain Python, written from RULES.md without looking at speed: the judge of the native code."""

from collections import Counter
from collections.abc import Sequence
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
