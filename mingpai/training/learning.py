"""What the learners of several methods do alike: a start by their settings, averages, options of one decision together.

Options of all decisions stand below each other; `of` is the decision of each, `count` the number of decisions. Needs
torch: training only.
"""

from typing import Any

import torch
from torch import Tensor, nn

from mingpai.core.random import seed_of
from mingpai.core.settings import check


def begin(settings: Any) -> None:
    """Checks settings and gives torch their threads and, for the first weights, their seed."""
    check(settings)
    torch.set_num_threads(settings.threads)
    torch.manual_seed(seed_of(settings.seed, "network") % 2**31)


def set_rate(optimiser: torch.optim.Optimizer, rate: float) -> None:
    """The learning rate of all weights."""
    for group in optimiser.param_groups:
        group["lr"] = rate


def draw_closer(mean: nn.Module, net: nn.Module, average: float, steps: int) -> None:
    """The average of a network's weights over about 1 / (1 - average) steps, fewer at the start, after `steps`."""
    pull = 1 - min(average, steps / (steps + 9))
    torch._foreach_lerp_(list(mean.parameters()), [p.data for p in net.parameters()], pull)


def log_softmax(logits: Tensor, of: Tensor, count: int) -> Tensor:
    """Log-probabilities of options among those of their decision."""
    shifted = logits - _highest(logits.detach(), of, count)[of]
    total = torch.zeros(count).index_add(0, of, shifted.exp())
    return shifted - total.log()[of]


def above_mean(values: Tensor, of: Tensor, count: int) -> Tensor:
    """The value of each option less the mean of its decision."""
    total = torch.zeros(count).index_add(0, of, values)
    return values - (total / torch.bincount(of, minlength=count).clamp(min=1))[of]


def best(scores: Tensor, of: Tensor, count: int) -> Tensor:
    """The first option with the highest score of each decision."""
    places = torch.where(scores == _highest(scores, of, count)[of], torch.arange(len(scores)), len(scores))
    return torch.full((count,), len(scores)).scatter_reduce(0, of, places, "amin")


def _highest(values: Tensor, of: Tensor, count: int) -> Tensor:
    return torch.full((count,), -torch.inf).scatter_reduce(0, of, values, "amax")
