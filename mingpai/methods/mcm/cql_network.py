"""The two-stage network of combinational Q-learning: a value for every way to split the hand, then one for each of its
groups. Needs torch: training only.

Every group is read together with the state; a split is the maximum over its groups, so their order does not matter. The
first stage values splits, the second the groups of a split. The fill of short splits is a row of zeros: no number of a
group is below zero.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from mingpai._native import mcm
from mingpai.core.settings import setting
from mingpai.training.sparse import add_rows, scaled, write_rows


@dataclass(frozen=True)
class CombinationShape:
    """Sizes of the network."""

    width: int = setting(128, "Width of what is read of the state.", (64, 65_536))
    joint: int = setting(64, "Width of a group, and of a split.", (64, 65_536))
    head: int = setting(64, "Last hidden layer of either stage.", (1, 65_536))


class CombinationNet(nn.Module):
    """Logits of winning: of splits, and of the groups in them."""

    no_bias: Tensor

    def __init__(self, shape: CombinationShape) -> None:
        super().__init__()
        self.state_weights = nn.Parameter(scaled(mcm.STATE_SIZE, shape.width, nonzero=80, gain=1.0))
        self.state_bias = nn.Parameter(torch.zeros(shape.width))
        self.deeper = nn.Linear(shape.width, shape.width)
        self.project = nn.Linear(shape.width, shape.joint)
        self.group_weights = nn.Parameter(scaled(mcm.MOVE_SIZE, shape.joint, nonzero=22, gain=0.7))
        self.register_buffer("no_bias", torch.zeros(shape.joint), persistent=False)
        self.group_deeper = nn.Linear(shape.joint, shape.joint)
        self.split_hidden = nn.Linear(shape.joint, shape.head)
        self.split_out = nn.Linear(shape.head, 1)
        self.of_split = nn.Linear(shape.joint, shape.head)
        self.of_group = nn.Linear(shape.joint, shape.head)
        self.group_out = nn.Linear(shape.head, 1)

    def take_over(self, weights: Mapping[str, Tensor]) -> None:
        """Starts from a network that values single moves (`network.py`, two layers): a group is worth what the move is,
        whatever the split."""
        own = {"state_weights": "state_weights", "state_bias": "state_bias", "group_weights": "move_weights"}
        layers = {"deeper": "blocks.0", "project": "project", "split_hidden": "hidden", "of_group": "hidden"}
        parts = {f"{mine}.{part}": f"{name}.{part}" for mine, name in layers.items() for part in ("weight", "bias")}
        state = {mine: weights[name] for mine, name in (own | parts).items()}
        for mine in ("split_out", "group_out"):
            state |= {f"{mine}.weight": weights["out.weight"][:1], f"{mine}.bias": weights["out.bias"][:1]}
        for mine in ("group_deeper", "of_split"):
            state |= {
                f"{mine}.{part}": torch.zeros_like(getattr(getattr(self, mine), part)) for part in ("weight", "bias")
            }
        self.load_state_dict(state)

    def learn(
        self, states: Tensor, groups: Tensor, of: Tensor, splits: Tensor, chosen: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The logits of one split for each state and of the group chosen from it, with gradients."""
        state = self._state(functional.relu(add_rows(states, self.state_weights, self.state_bias)))
        joint = self._group(state[of] + add_rows(groups, self.group_weights, self.no_bias))
        pooled = _filled(joint)[splits].amax(1)
        hidden = self.of_split(pooled) + self.of_group(joint[chosen])
        return self._split_value(pooled), self.group_out(functional.relu(hidden))[:, 0]

    @torch.inference_mode()
    def split_values(self, states: Tensor, groups: Tensor, of: Tensor, splits: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The first stage, quicker: what is made of each group and of each split, and the logit of the split."""
        first = torch.empty(len(states), len(self.state_bias))
        write_rows(states, self.state_weights, self.state_bias[None], None, True, first)
        joint = torch.empty(len(groups), self.group_weights.shape[1])
        write_rows(groups, self.group_weights, self._state(first), of, False, joint)
        joint = _filled(self._group(joint))
        pooled = functional.embedding_bag(splits, joint, mode="max")
        return joint, pooled, self._split_value(pooled)

    @torch.inference_mode()
    def group_values(self, joint: Tensor, pooled: Tensor, splits: Tensor) -> Tensor:
        """The second stage: a row of logits for the groups of each split."""
        return self._group_values(joint, pooled, splits)

    def forward(self, states: Tensor, groups: Tensor, of: Tensor, splits: Tensor) -> tuple[Tensor, Tensor]:
        """The logit of every split, and a row of logits for its groups; group i belongs to state of[i]. What is
        exported."""
        state = self._state(functional.relu(states.float() @ self.state_weights + self.state_bias))
        joint = _filled(self._group(state[of] + groups.float() @ self.group_weights))
        pooled = joint[splits].amax(1)
        return self._split_value(pooled), self._group_values(joint, pooled, splits)

    def _state(self, first: Tensor) -> Tensor:
        projected: Tensor = self.project(first + functional.relu(self.deeper(first)))
        return projected

    def _group(self, met: Tensor) -> Tensor:
        met = functional.relu(met)
        return met + functional.relu(self.group_deeper(met))

    def _split_value(self, pooled: Tensor) -> Tensor:
        value: Tensor = self.split_out(functional.relu(self.split_hidden(pooled)))
        return value[:, 0]

    def _group_values(self, joint: Tensor, pooled: Tensor, splits: Tensor) -> Tensor:
        hidden = functional.relu(self.of_group(joint)[splits] + self.of_split(pooled)[:, None])
        value: Tensor = self.group_out(hidden)
        return value[:, :, 0]


def _filled(joint: Tensor) -> Tensor:
    """With the row that short splits are filled up with."""
    return functional.pad(joint, (0, 0, 0, 1))


def network_of(weights: Mapping[str, Tensor]) -> CombinationNet:
    """The network that has these weights; they say its sizes."""
    width, joint = (weights[key].shape[1] for key in ("state_weights", "group_weights"))
    net = CombinationNet(CombinationShape(width, joint, len(weights["split_hidden.bias"])))
    net.load_state_dict(dict(weights))
    return net.eval().requires_grad_(False)
