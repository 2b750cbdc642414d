"""What is learned: the return of a decision, the differences between its moves, a teacher's choice, hands to be read.

Differences matter most: what is common to the moves of a decision, above all the luck of the deal, cancels in them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from mingpai._native import mcm
from mingpai.core.settings import setting
from mingpai.methods.mcm.network import POINTS, WIN, ValueNet
from mingpai.training.learning import above_mean, log_softmax


@dataclass(frozen=True)
class CompareSettings:
    """How moves of one decision are compared."""

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
    others: int = setting(1, "So many moves beside the `compared` ones, drawn anew each time.", (0, 10_000))
    level_weight: float = setting(0.2, "Weight of the values themselves.", (0, 1000))
    difference_weight: float = setting(
        8.0, "Weight of the squared differences between moves of a decision, in win probability.", (0, 1000)
    )
    points_difference_weight: float = setting(0.5, "The same, in points.", (0, 1000))


def return_losses(net: ValueNet, states: Tensor, moves: Tensor, wins: Tensor, points: Tensor) -> tuple[Tensor, Tensor]:
    """Cross-entropy of wins and mean square of points, of decisions with their returns."""
    out = net(states, moves)
    return functional.binary_cross_entropy_with_logits(out[:, WIN], wins), functional.mse_loss(out[:, POINTS], points)


def compared_loss(
    out: Tensor, judged: Tensor, of: Tensor, states: int, settings: CompareSettings, points_weight: float
) -> Tensor:
    """Loss of the values of moves and of their differences within a state, against what a judge says of them."""
    level, difference = win_losses(out[:, WIN], torch.sigmoid(judged[:, WIN]), of, states)
    points_level, points_difference = points_losses(out[:, POINTS], judged[:, POINTS], of, states)
    return (
        settings.level_weight * (level + points_weight * points_level)
        + settings.difference_weight * difference
        + settings.points_difference_weight * points_difference
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
    states: Tensor, of: Tensor, own: Tensor, rng: np.random.Generator, *, best: int, others: int
) -> NDArray[np.int64]:
    """The moves of each state with the `best` highest values by what it is played for, and `others` of the rest; none
    of a state with a single one."""
    index = of.numpy()
    column = is_for_points(states).numpy()[index].astype(np.int64)
    values = own.numpy()[np.arange(len(index)), column]
    rest = rank_in_group(-values, index) >= best
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


def win_losses(logits: Tensor, wanted: Tensor, of: Tensor, states: int) -> tuple[Tensor, Tensor]:
    """Cross-entropy of the chances to win, and the mean square of what their differences within a state are off."""
    level = functional.binary_cross_entropy_with_logits(logits, wanted)
    return level, above_mean(torch.sigmoid(logits) - wanted, of, states).square().mean()


def points_losses(points: Tensor, wanted: Tensor, of: Tensor, states: int) -> tuple[Tensor, Tensor]:
    """Mean square of what points are off, and of what their differences within a state are off."""
    return functional.mse_loss(points, wanted), above_mean(points - wanted, of, states).square().mean()


def choice_entropy(out: Tensor, taught: Tensor, states: Tensor, of: Tensor, sharpness: float) -> Tensor:
    """Mean cross-entropy of the choice among the moves of a state, by the column that the state is played for."""
    column = torch.where(is_for_points(states)[of], POINTS, WIN)[:, None]
    mine, theirs = (sharpness * values.gather(1, column)[:, 0] for values in (out, taught))
    wanted = log_softmax(theirs, of, len(states)).exp()
    return -(wanted * log_softmax(mine, of, len(states))).sum() / len(states)


def reading_loss(said: Tensor, held: Tensor, states: Tensor) -> Tensor:
    """Cross-entropy of what the next seat holds, over the unseen cards."""
    first, places = mcm.state_layout()["unseen"]
    unseen = states[:, first : first + places].float()
    loss = functional.binary_cross_entropy_with_logits(said, held.float(), unseen, reduction="sum")
    return loss / unseen.sum().clamp(min=1)
