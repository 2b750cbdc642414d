"""The value network: a trunk once for each state, a small head for each legal move, two numbers out.

The inputs are rows of bytes, nearly all zero, so the two input layers add rows of weights (`SparseLinear`) instead of
multiplying. The dense layers run in bfloat16 where `mixed` is set. Needs torch: training only.
"""

from collections.abc import Iterator, Mapping
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

ROLE, ROLES = mcm.state_layout()["role"]
"""Where a state says whose turn it is."""

CHUNK = 2048
"""Moves evaluated at once: what stays in the cache."""
FULL = 64
"""Rows of a product are a multiple of this."""


@dataclass(frozen=True)
class Shape:
    """Sizes of the network."""

    width: int = setting(512, "Width of the trunk.", (1, 65_536))
    depth: int = setting(4, "Layers of the trunk, the input layer included.", (1, 100))
    joint: int = setting(256, "Where state and move meet.", (1, 65_536))
    head: int = setting(128, "Last hidden layer.", (1, 65_536))
    roles: bool = setting(False, "Trunk and head of their own for landlord, down and up; the input layers are shared.")


def row_sizes(is_open: bool) -> tuple[int, int]:
    """Places of the row of a state and of a move; open: with the hands of the others."""
    if is_open:
        return mcm.OPEN_STATE_SIZE, mcm.OPEN_MOVE_SIZE
    return mcm.STATE_SIZE, mcm.MOVE_SIZE


@dataclass(frozen=True)
class Groups:
    """Rows by the role that is to move, so that a layer is one product for each role.

    Each group is filled up to a multiple of FULL rows, whose results nobody reads: a product of a size that was not
    there before costs more than those rows, since it is made ready first.
    """

    order: Tensor | None
    """Which row stands at each place; None where all stay where they are."""
    sizes: list[int]
    places: Tensor
    """Where each row stands."""

    def sort(self, rows: Tensor) -> Tensor:
        """The rows group by group."""
        return rows if self.order is None else rows.index_select(0, self.order)

    def unsort(self, rows: Tensor) -> Tensor:
        """What came of sorted rows, as they came."""
        return rows if self.order is None else rows.index_select(0, self.places)


def grouped(role: Tensor, roles: int) -> Groups:
    """Rows by their roles."""
    if roles == 1 and len(role) % FULL == 0:
        return Groups(None, [len(role)], role)
    counts = torch.bincount(role, minlength=roles)
    sizes = (counts + FULL - 1) // FULL * FULL
    shift = (sizes - counts).cumsum(0) - (sizes - counts)
    sorted_rows = torch.argsort(role, stable=True)
    at = torch.arange(len(role)) + shift[role[sorted_rows]]
    order = torch.zeros(int(sizes.sum()), dtype=torch.long)
    order[at] = sorted_rows
    places = torch.empty_like(role)
    places[sorted_rows] = at
    return Groups(order, sizes.tolist(), places)


class RoleLinear(nn.Linear):
    """A layer, or one for each role: their weights below each other."""

    def __init__(self, inputs: int, outputs: int, roles: int) -> None:
        super().__init__(inputs, roles * outputs)
        self.roles = roles

    def of_groups(self, x: Tensor, sizes: list[int]) -> Tensor:
        """Sorted rows, each through the layer of its role."""
        if self.roles == 1:
            whole: Tensor = self(x)
            return whole
        layers = zip(torch.split(x, sizes), self.weight.chunk(self.roles), self.bias.chunk(self.roles), strict=True)
        return torch.cat([functional.linear(part, weight, bias) for part, weight, bias in layers])

    def of_marked(self, x: Tensor, marks: Tensor) -> Tensor:
        """The same in plain operators: all layers, of which the one that is marked counts."""
        out: Tensor = self(x)
        each = out.view(-1, self.roles, self.out_features // self.roles)
        return out if self.roles == 1 else (each * marks[:, :, None]).sum(1)


def split_roles(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights of a network whose roles share trunk and head as those of one that has them apart, still alike."""
    shared = ("state_weights", "state_bias", "move_weights")
    return {name: value if name in shared else torch.cat([value] * ROLES) for name, value in weights.items()}


class ValueNet(nn.Module):
    """One network for all roles and both objectives. An open one reads rows with the hands of the others."""

    no_bias: Tensor

    def __init__(self, shape: Shape, *, mixed: bool = False, is_open: bool = False) -> None:
        super().__init__()
        self.shape, self.mixed, self.is_open = shape, mixed, is_open
        state_size, move_size = row_sizes(is_open)
        self.state_weights = nn.Parameter(scaled(state_size, shape.width, nonzero=80, gain=1.0))
        self.state_bias = nn.Parameter(torch.zeros(shape.width))
        roles = ROLES if shape.roles else 1
        self.blocks = nn.ModuleList(RoleLinear(shape.width, shape.width, roles) for _ in range(shape.depth - 1))
        self.project = RoleLinear(shape.width, shape.joint, roles)
        self.move_weights = nn.Parameter(scaled(move_size, shape.joint, nonzero=22, gain=0.7))
        self.register_buffer("no_bias", torch.zeros(shape.joint), persistent=False)
        self.hidden = RoleLinear(shape.joint, shape.head, roles)
        self.out = RoleLinear(shape.head, 2, roles)
        with torch.no_grad():
            self.out.weight.mul_(0.1)

    def config(self) -> dict[str, int]:
        return asdict(self.shape)

    def groups(self, states: Tensor, of: Tensor | None = None) -> Groups:
        """The states by their roles, or with `of` the moves by those of their states."""
        if not self.shape.roles:
            return grouped(torch.zeros(len(states if of is None else of), dtype=torch.long), 1)
        role = states[:, ROLE : ROLE + ROLES].argmax(1)
        return grouped(role if of is None else role[of], ROLES)

    def forward(self, states: Tensor, moves: Tensor) -> Tensor:
        """Values of one move for each state: training."""
        groups = self.groups(states)
        with half_precision(self.mixed):
            projected = self.project.of_groups(self._trunk(groups.sort(states), groups.sizes), groups.sizes)
            joint = projected + add_rows(groups.sort(moves), self.move_weights, self.no_bias)
        return groups.unsort(self._head(joint, groups.sizes))

    def forward_all(self, states: Tensor, moves: Tensor, of: Tensor) -> Tensor:
        """Values of many moves, as `values` gives them, with gradients: training by a teacher."""
        return self.meet(self.trunk(states), states, moves, of)

    def trunk(self, states: Tensor) -> Tensor:
        """What the network makes of each state, with gradients."""
        groups = self.groups(states)
        with half_precision(self.mixed):
            return groups.unsort(self._trunk(groups.sort(states), groups.sizes))

    def meet(self, trunk: Tensor, states: Tensor, moves: Tensor, of: Tensor) -> Tensor:
        """Values of moves from what `trunk` made of their states, with gradients."""
        groups, by_state = self.groups(states, of), self.groups(states)
        with half_precision(self.mixed):
            projected = by_state.unsort(self.project.of_groups(by_state.sort(trunk), by_state.sizes))
            joint = projected[groups.sort(of)] + add_rows(groups.sort(moves), self.move_weights, self.no_bias)
        return groups.unsort(self._head(joint, groups.sizes))

    @torch.inference_mode()
    def values(self, states: Tensor, moves: Tensor, of: Tensor) -> Tensor:
        """Values of many moves: move i belongs to state of[i]. Self-play."""
        groups = self.groups(states)
        sorted_states = groups.sort(states)
        first = torch.empty(len(sorted_states), self.shape.width)
        write_rows(sorted_states, self.state_weights, self.state_bias[None], None, True, first)
        with half_precision(self.mixed):
            return self.values_from(groups.unsort(self._layered(first, groups.sizes)), states, moves, of)

    @torch.inference_mode()
    def values_from(self, trunk: Tensor, states: Tensor, moves: Tensor, of: Tensor) -> Tensor:
        """The same from what `trunk` made of the states."""
        by_state = self.groups(states)
        out = torch.empty(len(moves), 2)
        with half_precision(self.mixed):
            projected = by_state.unsort(self.project.of_groups(by_state.sort(trunk), by_state.sizes)).float()
            for start in range(0, len(moves), CHUNK):
                index = of[start : start + CHUNK]
                groups = self.groups(states, index)
                rows = groups.sort(moves[start : start + CHUNK])
                joint = torch.empty(len(rows), self.shape.joint)
                write_rows(rows, self.move_weights, projected, groups.sort(index), True, joint)
                hidden = functional.relu(self.hidden.of_groups(joint, groups.sizes))
                out[start : start + CHUNK] = groups.unsort(self.out.of_groups(hidden.float(), groups.sizes))
        return out

    def dense(self, states: Tensor, moves: Tensor, of: Tensor) -> Tensor:
        """The same as `values` in plain operators: what is exported."""
        marks = states[:, ROLE : ROLE + ROLES].float()
        trunk = functional.relu(states.float() @ self.state_weights + self.state_bias)
        for block in self._layers():
            trunk = trunk + functional.relu(block.of_marked(trunk, marks))
        joint = self.project.of_marked(trunk, marks)[of] + moves.float() @ self.move_weights
        hidden = functional.relu(self.hidden.of_marked(functional.relu(joint), marks[of]))
        return self.out.of_marked(hidden, marks[of])

    def _trunk(self, states: Tensor, sizes: list[int]) -> Tensor:
        """Of sorted states, with gradients."""
        return self._layered(functional.relu(add_rows(states, self.state_weights, self.state_bias)), sizes)

    def _layered(self, x: Tensor, sizes: list[int]) -> Tensor:
        for block in self._layers():
            x = x + functional.relu(block.of_groups(x, sizes))
        return x

    def _layers(self) -> Iterator[RoleLinear]:
        for block in self.blocks:
            assert isinstance(block, RoleLinear)
            yield block

    def _head(self, joint: Tensor, sizes: list[int]) -> Tensor:
        with half_precision(self.mixed):
            hidden = functional.relu(self.hidden.of_groups(functional.relu(joint), sizes))
        return self.out.of_groups(hidden.float(), sizes)
