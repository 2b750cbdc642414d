"""What the rules alone allow of the hidden hands: for agents that tell no belief of their own."""

import re
from collections import Counter
from collections.abc import Mapping

import numpy as np

from mingpai.core.game import State, View
from mingpai.core.random import stream
from mingpai.games.holdem.notation import to_set
from mingpai.games.holdem.ranges import CLASS_OF_COMBO, CLASSES, Range
from mingpai.games.holdem.view import HoldemView

WORLDS = 300
"""Worlds that are drawn."""

Marginals = Mapping[str, Mapping[str, float]]


def allowed_hands(view: View) -> Marginals:
    """Seat -> card -> expected copies (hold'em: class of hands -> probability), every allowed deal equally likely."""
    if isinstance(view, HoldemView):
        return _holdem(view)
    worlds = view.sample_worlds(stream(0, "allowed", view.key()), WORLDS)
    counts: dict[int, Counter[str]] = {}
    for world in worlds:
        for seat in range(world.seats):
            if seat != view.seat:
                counts.setdefault(seat, Counter()).update(_cards(world, seat))
    names = {seat: worlds[0].seat_name(seat) for seat in counts}
    order = sorted({card for counter in counts.values() for card in counter}, key=_strength)
    return {names[seat]: {card: counter[card] / WORLDS for card in order} for seat, counter in counts.items()}


def _cards(world: State, seat: int) -> list[str]:
    hand = str(world.view(seat).to_json()["hand"])
    return re.findall(r"SB|HR|[SHDC][A23456789TJQK]", hand) if world.game.name == "guandan" else list(hand)


def _strength(card: str) -> tuple[int, str]:
    return "3456789TJQKA2XD".find(card[-1]), card


def _holdem(view: HoldemView) -> Marginals:
    known = [*view.board, *(view.hand or ())]
    weights = Range.everything().without(to_set(known)).probabilities()
    by_class = np.bincount(CLASS_OF_COMBO, weights, minlength=len(CLASSES))
    row = {name: float(chance) for name, chance in zip(CLASSES, by_class, strict=True)}
    return {str(seat): row for seat in view.live_seats if seat != view.seat}
