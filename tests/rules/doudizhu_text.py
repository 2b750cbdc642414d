"""Native Dou Dizhu values as plain text and tuples, and random positions, for the comparisons."""

import random

from mingpai._native import doudizhu as native
from mingpai.games.doudizhu import notation
from tests.reference import doudizhu as reference

DECK = "".join(rank * (1 if rank in "XD" else 4) for rank in reference.RANKS)
TYPE_NAMES = native.type_names()


def as_reference(move: native.Move) -> reference.Move:
    if move.is_pass:
        return reference.PASS
    cards = notation.cards_text(move.cards)
    return TYPE_NAMES[move.type], reference.RANKS[move.rank], move.length, cards


def as_set(moves: native.Moves) -> set[reference.Move]:
    """The moves; a move listed twice is an error."""
    references = {as_reference(move) for move in moves}
    assert len(references) == len(moves)
    return references


def random_cards(rng: random.Random, size: int) -> str:
    """A hand; two of three come from few ranks or from triples, so that rare moves are not rare."""
    deck = DECK
    if size > 11 and rng.random() < 1 / 6:
        low = rng.randrange(7)
        triples = "".join(rank * 3 for rank in reference.RANKS[low : low + 6])
        rest = reference.without(DECK, triples)
        drawn = rng.sample(triples, min(size, 15)) + rng.sample(rest, max(0, size - 15))
        return reference.sorted_cards("".join(drawn))
    if rng.random() < 2 / 3:
        low = rng.randrange(9)
        kept = set(reference.RANKS[low : low + rng.randint(4, 8)]) | set(rng.sample(reference.RANKS, 3))
        deck = "".join(card for card in DECK if card in kept)
    return reference.sorted_cards("".join(rng.sample(deck, min(size, len(deck)))))


def random_last(rng: random.Random, rules: native.Rules) -> native.Move:
    """A move to follow, each type of a random hand equally likely."""
    moves = native.lead_moves(notation.parse_cards(random_cards(rng, rng.randint(5, 20))), rules)
    types = moves.types.tolist()
    type_ = rng.choice(sorted(set(types)))
    return moves[rng.choice([place for place, kind in enumerate(types) if kind == type_])]
