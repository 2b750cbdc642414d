"""The value network: a trunk once for each state, a small head for each legal move, two numbers out.

The inputs are rows of bytes, nearly all zero, so the two input layers add rows of weights (`SparseLinear`) instead of
multiplying. The dense layers run in bfloat16 where `mixed` is set. Needs torch: training only.
"""

from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from mingpai._native import mcm
from mingpai.core.settings import setting
from mingpai.training.precision import half_precision
from mingpai.training.sparse import add_rows, scaled, write_rows

WIN, POINTS = 0, 1
"""Columns of the output: the logit of winning, and points in stakes of a farmer at the time of the decision."""

CHUNK = 2048
"""Moves evaluated at once: what stays in the cache."""


@dataclass(frozen=True)
class Shape:
    """Sizes of the network."""

    width: int = setting(512, "Width of the trunk.", (1, 65_536))
    depth: int = setting(4, "Layers of the trunk, the input layer included.", (1, 100))
    joint: int = setting(256, "Where state and move meet.", (1, 65_536))
    head: int = setting(128, "Last hidden layer.", (1, 65_536))


def row_sizes(is_open: bool) -> tuple[int, int]:
    """Places of the row of a state and of a move; open: with the hands of the others."""
    if is_open:
        return mcm.OPEN_STATE_SIZE, mcm.OPEN_MOVE_SIZE
    return mcm.STATE_SIZE, mcm.MOVE_SIZE


class ValueNet(nn.Module):
    """One network for all roles and both objectives. An open one reads rows with the hands of the others."""

    no_bias: Tensor

    def __init__(self, shape: Shape, *, mixed: bool = False, is_open: bool = False) -> None:
        super().__init__()
        self.shape, self.mixed, self.is_open = shape, mixed, is_open
        state_size, move_size = row_sizes(is_open)
        self.state_weights = nn.Parameter(scaled(state_size, shape.width, nonzero=80, gain=1.0))
        self.state_bias = nn.Parameter(torch.zeros(shape.width))
        self.blocks = nn.ModuleList(nn.Linear(shape.width, shape.width) for _ in range(shape.depth - 1))
        self.project = nn.Linear(shape.width, shape.joint)
        self.move_weights = nn.Parameter(scaled(move_size, shape.joint, nonzero=22, gain=0.7))
        self.register_buffer("no_bias", torch.zeros(shape.joint), persistent=False)
        self.hidden = nn.Linear(shape.joint, shape.head)
        self.out = nn.Linear(shape.head, 2)
        with torch.no_grad():
            self.out.weight.mul_(0.1)

    def config(self) -> dict[str, int]:
        return asdict(self.shape)

    def forward(self, states: Tensor, moves: Tensor) -> Tensor:
        """Values of one move for each state: training."""
        with half_precision(self.mixed):
            trunk = self._trunk(functional.relu(add_rows(states, self.state_weights, self.state_bias)))
            joint = self.project(trunk) + add_rows(moves, self.move_weights, self.no_bias)
            hidden = functional.relu(self.hidden(functional.relu(joint)))
        out: Tensor = self.out(hidden.float())
        return out

    def forward_all(self, states: Tensor, moves: Tensor, of: Tensor) -> Tensor:
        """Values of many moves, as `values` gives them, with gradients: training by a teacher."""
        return self.meet(self.trunk(states), moves, of)

    def trunk(self, states: Tensor) -> Tensor:
        """What the network makes of each state, with gradients."""
        with half_precision(self.mixed):
            return self._trunk(functional.relu(add_rows(states, self.state_weights, self.state_bias)))

    def meet(self, trunk: Tensor, moves: Tensor, of: Tensor) -> Tensor:
        """Values of moves from what `trunk` made of their states, with gradients."""
        with half_precision(self.mixed):
            joint = self.project(trunk)[of] + add_rows(moves, self.move_weights, self.no_bias)
            hidden = functional.relu(self.hidden(functional.relu(joint)))
        out: Tensor = self.out(hidden.float())
        return out

    @torch.inference_mode()
    def values(self, states: Tensor, moves: Tensor, of: Tensor) -> Tensor:
        """Values of many moves: move i belongs to state of[i]. Self-play."""
        first = torch.empty(len(states), self.shape.width)
        write_rows(states, self.state_weights, self.state_bias[None], None, True, first)
        out = torch.empty(len(moves), 2)
        joint = torch.empty(min(CHUNK, len(moves)), self.shape.joint)
        with half_precision(self.mixed):
            projected = self.project(self._trunk(first)).float()
            for start in range(0, len(moves), CHUNK):
                rows, index = moves[start : start + CHUNK], of[start : start + CHUNK]
                part = joint[: len(rows)]
                write_rows(rows, self.move_weights, projected, index, True, part)
                hidden = functional.relu(self.hidden(part))
                out[start : start + CHUNK] = functional.linear(hidden.float(), self.out.weight, self.out.bias)
        return out

    def dense(self, states: Tensor, moves: Tensor, of: Tensor) -> Tensor:
        """The same as `values` in plain operators: what is exported."""
        trunk = functional.relu(states.float() @ self.state_weights + self.state_bias)
        joint = self.project(self._trunk(trunk))[of] + moves.float() @ self.move_weights
        out: Tensor = self.out(functional.relu(self.hidden(functional.relu(joint))))
        return out

    def _trunk(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            x = x + functional.relu(block(x))
        return x
