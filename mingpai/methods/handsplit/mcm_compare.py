"""Learning from several moves of one decision: what is common to them, above all the luck of the deal, cancels."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from mingpai._native import selfplay


def is_for_points(states: Tensor) -> Tensor:
    """Whether each state is played for points."""
    first, _ = selfplay.state_layout()["for_points"]
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
