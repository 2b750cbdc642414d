"""Weights of the soft rules from results.

Two candidates of one pseudo-action are played out in the same worlds; the difference of their scores is explained by
the difference of what they break.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.core.random import seed_of, stream
from mingpai.methods.abduction.knowledge import knowledge

Doubles = NDArray[np.float64]
PLAYER = 4
"""The rule bot that plays candidates out."""


@dataclass(frozen=True)
class Comparison:
    """Two candidates of one pseudo-action."""

    broken: Doubles
    """What the first breaks more than the second, by rule."""
    gained: float
    """Mean score of the first above that of the second."""


def comparisons(seed: int, worlds: int) -> Iterator[Comparison]:
    """Endless comparisons from rounds of rule4, one for each decision with a choice of cards."""
    rng = stream(seed, "fit")
    tables = abduction.Tables([(abduction.NETWORK, abduction.NETWORK)], seed_of(seed, "tables"), knowledge().weights)
    while True:
        choice = int(tables.advise(PLAYER)[0])
        round_ = tables.round(0)
        pseudo = int(tables.observe()[3][choice])
        plays = round_.plays_of(pseudo)
        measures = np.array([abduction.measures(round_.hand(round_.turn), round_.level, play) for play in plays])
        if len(plays) > 1 and len(np.unique(measures, axis=0)) > 1:
            first, second = (int(i) for i in rng.choice(len(plays), 2, replace=False))
            broken = measures[first] - measures[second]
            if np.abs(broken).sum():
                gained = _gain(round_, plays[first], plays[second], worlds, int(rng.integers(2**62)))
                yield Comparison(broken, gained)
        tables.play(np.array([choice], np.int32))


def _gain(round_: native.Round, first: native.Play, second: native.Play, worlds: int, seed: int) -> float:
    seat = round_.turn
    total = 0
    for world in round_.worlds(seat, seed, worlds):
        total += _score(world.copy(), first, seat) - _score(world, second, seat)
    return total / worlds


def _score(round_: native.Round, play: native.Play, seat: int) -> int:
    round_.apply(play)
    while not round_.is_over:
        round_.apply(round_.bot_play(PLAYER))
    return round_.score(seat)


def fitted(comparisons: list[Comparison], strength: float) -> list[float]:
    """Weights that explain the gains best, pulled towards the shipped ones; none below zero.

    `strength` is how many comparisons of unit size the shipped weights count for. Weights are prices, so only their
    ratios matter to the minimiser; the gains set the scale of the pull.
    """
    prior = np.array(knowledge().weights)
    broken = np.stack([one.broken for one in comparisons])
    gained = np.array([one.gained for one in comparisons])
    scale = _scale(broken, gained, prior)
    normal = broken.T @ broken + strength * np.eye(len(prior))
    solved = np.linalg.solve(normal, -broken.T @ gained + strength * scale * prior)
    weights: list[float] = np.maximum(solved / max(scale, 1e-6), 0.0).tolist()
    return weights


def _scale(broken: Doubles, gained: Doubles, prior: Doubles) -> float:
    """Points that one unit of shipped weight is worth."""
    cost = broken @ prior
    return max(1e-3, float(-(cost @ gained) / (cost @ cost)))
