"""Learning from several moves of one decision: what is common to them, above all the luck of the deal, cancels."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from mingpai._native import mcm
from mingpai.core.settings import setting
from mingpai.methods.mcm.train_value import Settings, ValueLearner


@dataclass(frozen=True)
class ComparingSettings(Settings):
    """The settings of `train_value`, and how moves of one decision are compared."""

    heat: float = setting(
        0.1,
        "Moves are played by a softmax of values over this (logits, or points), so that close ones are all tried.",
        (0, 1000),
    )
    compared: int = setting(
        3,
        "Moves of a decision that are compared: at most so many of those that the network values highest.",
        (1, 10_000),
    )
    level_weight: float = setting(0.2, "Weight of the values themselves.", (0, 1000))
    difference_weight: float = setting(
        8.0, "Weight of the squared differences between moves of a decision, in win probability.", (0, 1000)
    )
    points_difference_weight: float = setting(0.5, "The same, in points.", (0, 1000))


class ComparingLearner(ValueLearner):
    """A network that learns from what is said of several moves of each decision."""

    settings: ComparingSettings

    def take_both(
        self, wins: tuple[Tensor, Tensor], points: tuple[Tensor, Tensor], beside: Tensor | float = 0.0
    ) -> None:
        """The optimiser's step down the losses of `win_losses` and `points_losses`, and of what is learned beside."""
        settings = self.settings
        (level, difference), (points_level, points_difference) = wins, points
        self.take_step(
            settings.level_weight * (level + settings.points_weight * points_level)
            + settings.difference_weight * difference
            + settings.points_difference_weight * points_difference
            + beside
        )


def warmed(values: Tensor, heat: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Values of which the highest is a draw by their softmax over `heat`."""
    drawn: NDArray[np.float32] = values.numpy() + heat * rng.gumbel(size=values.shape).astype(np.float32)
    return drawn


def is_for_points(states: Tensor) -> Tensor:
    """Whether each state is played for points."""
    first, _ = mcm.state_layout()["for_points"]
    return states[:, first].bool()


def worth_comparing(
    states: Tensor, of: Tensor, own: Tensor, rng: np.random.Generator, *, best: int, others: int = 0,
    margin: float = np.inf,
) -> NDArray[np.int64]:  # fmt: skip
    """The moves of each state with the `best` highest values by what it is played for, at most `margin` below the
    first, and `others` of the rest; none of a state with a single one."""
    index = of.numpy()
    column = is_for_points(states).numpy()[index].astype(np.int64)
    values = own.numpy()[np.arange(len(index)), column]
    highest = np.full(len(states), -np.inf, np.float32)
    np.maximum.at(highest, index, values)
    ranks = rank_in_group(-values, index)
    rest = (ranks >= best) | (values < highest[index] - margin)
    chance = rank_in_group(np.where(rest, rng.random(len(index)), 2.0), index)
    kept = ~rest | (chance < np.minimum(others, np.bincount(index, rest, len(states))[index]))
    counts = np.bincount(index, kept, len(states))
    return np.flatnonzero(kept & (counts[index] > 1))


def rank_in_group(values: NDArray[Any], of: NDArray[Any]) -> NDArray[np.int64]:
    """The place of each value among those of its group, the lowest first; groups are numbered upwards."""
    order = np.lexsort((values, of))
    ranks = np.empty(len(of), np.int64)
    ranks[order] = np.arange(len(of)) - np.searchsorted(of, of)
    return ranks


def above_mean(values: Tensor, of: Tensor, states: int) -> Tensor:
    """Each value less the mean of its state."""
    total = torch.zeros(states).index_add(0, of, values)
    count = torch.bincount(of, minlength=states).clamp(min=1)
    return values - (total / count)[of]


def win_losses(logits: Tensor, wanted: Tensor, of: Tensor, states: int) -> tuple[Tensor, Tensor]:
    """Cross-entropy of the chances to win, and the mean square of what their differences within a state are off."""
    level = functional.binary_cross_entropy_with_logits(logits, wanted)
    return level, above_mean(torch.sigmoid(logits) - wanted, of, states).square().mean()


def points_losses(points: Tensor, wanted: Tensor, of: Tensor, states: int) -> tuple[Tensor, Tensor]:
    """Mean square of what points are off, and of what their differences within a state are off."""
    return functional.mse_loss(points, wanted), above_mean(points - wanted, of, states).square().mean()
