"""Stage 3, infer: what each opponent holds, as a weight for each of the 1326 combinations.

Start uniform, multiply the likelihood of every action, take out the cards that are known, and respect that two players
cannot hold the same card: each range is weighed by the chance that the others leave its cards free.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from mingpai.methods.handreading.hands import COMBOS, CONTAINS, HIGH, LOW, Floats, normalised
from mingpai.methods.handreading.model import Board, PlayerModel
from mingpai.methods.handreading.understand import Seen

REMOVAL_ROUNDS = 2
"""Passes of card removal between opponents; the second changes little."""


_FREE: Floats = (1 - CONTAINS.T).copy()


def unblocked(known: Sequence[int]) -> Floats:
    """1 for each combination that holds none of the known cards."""
    free = np.ones(COMBOS, np.float32)
    for card in known:
        free *= _FREE[card]
    return free


def board_on(board: Sequence[int], street: int) -> Board:
    """The board of a street as a key: sorted, so that equal boards share their work."""
    return tuple(sorted(board[: (0, 3, 4, 5)[street]]))


LEAST_WEIGHT = np.float32(1e-12)
"""Of the likeliest hand: however unlikely, no hand is excluded, so that several ranges always leave a deal."""


def one_a_street(seen: Sequence[Seen]) -> list[Seen]:
    """Of each player's actions on a street the most aggressive one alone, as the paper reads a hand."""
    chosen: dict[tuple[int, int], Seen] = {}
    for item in seen:
        key = (item.seat, item.street)
        if key not in chosen or (item.act, item.raises) >= (chosen[key].act, chosen[key].raises):
            chosen[key] = item
    return [item for item in seen if chosen[item.seat, item.street] is item]


def likelihoods(seen: Sequence[Seen], board: Sequence[int], players: Mapping[int, PlayerModel]) -> dict[int, Floats]:
    """Seat -> product of the likelihoods of its actions, for the seats that have a model."""
    products = {seat: np.ones(COMBOS, np.float32) for seat in players}
    for item in seen:
        if item.seat in players:
            known = board_on(board, item.street)
            before = products[item.seat] * unblocked(known)
            product_so_far = before * players[item.seat].likelihood(item, known, before)
            products[item.seat] = np.maximum(product_so_far / max(float(product_so_far.max()), 1e-30), LEAST_WEIGHT)
    return products


def remove_cards(ranges: Mapping[int, Floats], rounds: int = REMOVAL_ROUNDS) -> dict[int, Floats]:
    """Each player's range given the others': weighed by the chance that every other player leaves its cards free."""
    current = dict(ranges)
    for _ in range(rounds if len(ranges) > 1 else 0):
        free = {seat: 1 - held[HIGH] - held[LOW] + weights
                for seat, weights in current.items() for held in (weights @ CONTAINS,)}  # fmt: skip
        everyone = np.prod(np.stack(list(free.values())), axis=0)
        current = {seat: _weighed(weights, everyone / np.maximum(free[seat], 1e-9)) for seat, weights in ranges.items()}
    return current


def _weighed(weights: Floats, factor: Floats) -> Floats:
    scaled = weights * np.maximum(factor, 0)
    return normalised(scaled) if scaled.sum() > 0 else weights


def infer(
    seen: Sequence[Seen], board: Sequence[int], players: Mapping[int, PlayerModel], known: Sequence[int] = ()
) -> dict[int, Floats]:
    """Seat -> probability of each combination, for the seats that have a model; `known` are one's own cards."""
    free = unblocked([*board, *known])
    ranges = {seat: normalised(values * free) for seat, values in likelihoods(seen, board, players).items()}
    return remove_cards(ranges)
