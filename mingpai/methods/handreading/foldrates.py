"""How often a player really folds to a bet, beside what a model of him predicts: learned by Bayes, street by street.

The prediction of a model is moved by an offset on the scale of log odds. Each player has an offset for each street and
size of bet, with a distribution over a grid; every bet that he answers narrows it, and those of the other streets and
sizes less. Until some sixty hands are known a player is taken to fold less than the mean of what is known of him.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from mingpai.methods.handreading.understand import Act, Seen

Doubles = npt.NDArray[np.float64]

STREETS = 4
BLINDS = (4.0, 10.0)
"""Sizes before the flop: what a call costs, in big blinds."""
POTS = (0.6, 1.2)
"""Sizes after it: the bet to call by the pot before it."""
RAISED, RERAISED = 3, 4
"""After the flop, a bet that is raised, and a raise that is: who has bet answers otherwise than who has not."""
MOST_FOLDS = {RAISED: 0.85, RERAISED: 0.5}
"""Chances of a fold above which the style of a player who has bet or raised himself is not believed: it was learned
from bets, few of them raised."""
PRIOR_MEANS = ((0.0, -0.15, -0.3, -0.3, -0.3), *((0.0, 0.0, 0.0, 0.0, 0.0),) * 3)
"""Offsets of an unknown player by street and size. Who has put in much before the flop folds less than his range says;
the numbers are those of matches with the players that may be tuned on."""
PRIOR_SPREAD = 0.8
GRID: Doubles = np.linspace(-3.0, 3.0, 25)
SHARED = 0.35
"""What an answer counts for the other streets and sizes on its side of the flop."""
KEPT = 0.98
"""What is left of an answer with every later one: it was compared with a model that knew less of the player."""
KNOWN_HANDS = 60
"""Hands after which a player is taken as he is."""
PESSIMISM = 0.35
"""Standard deviations that an unknown player is taken to fold less than the mean."""
LEAST = 0.01
"""No prediction is surer than this."""


def log_odds(chance: float) -> float:
    """The logarithm of the odds; predictions near 0 and 1 are not believed."""
    bounded = min(max(chance, LEAST), 1 - LEAST)
    return math.log(bounded / (1 - bounded))


def size_step(street: int, raises: int, cost: float, pot: float, big_blind: float, at_large_table: bool = False) -> int:
    """How large a bet is, from 0 on: `cost` to call, `pot` with the bet in it; a raise of a bet is the last.

    At tables of three seats and more a raise of a raise is told from it.
    """
    if street == 0:
        return sum(cost > limit * big_blind for limit in BLINDS)
    if raises > 1:
        return RERAISED if raises > 2 and at_large_table else RAISED
    return sum(cost > limit * max(pot - cost, 1e-9) for limit in POTS)


def most_folds(step: int, has_raised: bool) -> float:
    """The chance of a fold above which a style is not believed; `has_raised`: on this street, a bet counts.

    For tables of three seats and more; heads-up it was worth nothing.
    """
    return MOST_FOLDS.get(step, 1.0) if has_raised else 1.0


class FoldRates:
    """What is known of how one player answers bets."""

    def __init__(self) -> None:
        distance = (GRID[None, None, :] - np.array(PRIOR_MEANS)[:, :, None]) / PRIOR_SPREAD
        self._prior: Doubles = -0.5 * distance**2
        self._logs: Doubles = self._prior.copy()
        self.hands = 0

    def end_hand(self) -> None:
        """One more hand of the player is known."""
        self.hands += 1

    def see(self, seen: Seen, predicted: float, has_raised: bool = False, at_large_table: bool = False) -> None:
        """An answer to a bet, of which the model said that it would be a fold with this chance."""
        cost, pot, blind = float(seen.to_call), float(seen.pot), float(seen.big_blind)
        step = size_step(seen.street, seen.raises, cost, pot, blind, at_large_table)
        limit = most_folds(step, has_raised and at_large_table)
        fold = 1 / (1 + np.exp(-(log_odds(min(predicted, limit)) + GRID)))
        gained = np.log(fold if seen.act is Act.FOLD else 1 - fold)
        side = slice(0, 1) if seen.street == 0 else slice(1, STREETS)
        self._logs[side] = self._prior[side] + KEPT * (self._logs[side] - self._prior[side]) + SHARED * gained
        self._logs[seen.street, step] += (1 - SHARED) * gained

    def offset(self, street: int, step: int) -> float:
        """The offset to reckon with: the mean, less while the player is little known."""
        chances = np.exp(self._logs[street, step] - self._logs[street, step].max())
        chances /= chances.sum()
        mean = float(chances @ GRID)
        spread = math.sqrt(max(float(chances @ GRID**2) - mean**2, 0.0))
        return mean - PESSIMISM * max(0.0, 1 - self.hands / KNOWN_HANDS) * spread

    def chance(self, predicted: float, street: int, step: int) -> float:
        """The chance of a fold of which a model predicts this much."""
        return 1 / (1 + math.exp(-(log_odds(predicted) + self.offset(street, step))))

    def to_json(self) -> dict[str, Any]:
        return {"hands": self.hands, "logs": self._logs.round(6).tolist()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "FoldRates":
        made = cls()
        made.hands = int(data["hands"])
        made._logs = np.array(data["logs"], np.float64).reshape(made._logs.shape)
        return made
