"""What FOLD believes: ranges of the opponents, and what they were read from."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from mingpai._native import holdem as native
from mingpai.core.decision import Belief
from mingpai.core.game import Seat, State
from mingpai.core.random import Rng
from mingpai.games.holdem.ranges import CLASSES
from mingpai.games.holdem.state import HoldemState
from mingpai.games.holdem.view import HoldemView
from mingpai.methods.handreading.hands import HIGH, LOW, STARTING, STARTING_HANDS, Floats, combo
from mingpai.methods.handreading.model import PlayerModel
from mingpai.methods.handreading.understand import Spot


class Seated(Protocol):
    """A seat at a native table: a view of the game, or a `Chair`. Only what the seat may know is looked at."""

    @property
    def native(self) -> native.Table: ...

    @property
    def seat(self) -> Seat: ...


@dataclass(frozen=True)
class Chair:
    """A seat at a native table without the game around it, as training and recorded hands have it."""

    native: native.Table
    seat: Seat


def own_hand(at: Seated) -> int:
    """The combination that the seat holds."""
    held = at.native.hands[at.seat]
    assert held is not None
    return combo(*held)


class RangeBelief(Belief):
    """What each opponent may hold: a weight for each of the 1326 combinations."""

    def __init__(
        self, at: Seated, spot: Spot, players: Mapping[int, PlayerModel], by_place: Mapping[int, Floats]
    ) -> None:
        self.at, self.spot = at, spot
        self.players, self.by_place = players, by_place
        """Of those who have not folded, by their place in the order of action: their models and ranges."""
        self.ranges = {spot.order[place]: weights for place, weights in by_place.items()}
        """Table seat -> probability of each combination."""

    def marginals(self) -> Mapping[str, Mapping[str, float]]:
        """Seat -> starting hand (AKs, QQ, ...) -> probability, the likely ones first."""
        return {str(seat): _by_class(weights) for seat, weights in self.ranges.items()}

    def sample(self, rng: Rng, count: int) -> Sequence[State]:
        """Worlds in which no card lies at two places: drawn player by player and rejected on a clash."""
        worlds: list[State] = []
        assert isinstance(self.at, HoldemView)
        while len(worlds) < count:
            drawn = {seat: int(rng.choice(len(weights), p=_exact(weights))) for seat, weights in self.ranges.items()}
            cards = [card for hand in drawn.values() for card in (int(LOW[hand]), int(HIGH[hand]))]
            if len(set(cards)) == len(cards):
                hands = {seat: (int(LOW[hand]), int(HIGH[hand])) for seat, hand in drawn.items()}
                worlds.append(self.at.world(hands, int(rng.integers(2**63))))
        return worlds

    def log_prob(self, world: State) -> float:
        """Sum over the opponents, card removal left out."""
        assert isinstance(world, HoldemState)
        hands = world.native.hands
        total = 0.0
        for seat, weights in self.ranges.items():
            held = hands[seat]
            chance = float(weights[combo(*held)]) if held is not None else 0.0
            if chance <= 0:
                return -math.inf
            total += math.log(chance)
        return total


def _by_class(weights: Floats) -> dict[str, float]:
    by_class = np.bincount(STARTING, weights, minlength=STARTING_HANDS)
    order = np.argsort(-by_class, kind="stable")
    return {CLASSES[i]: float(by_class[i]) for i in order if by_class[i] > 0}


def _exact(weights: Floats) -> Any:
    exact = weights.astype(np.float64)
    return exact / exact.sum()
