"""The first layer of a network whose inputs are bytes, nearly all zero: rows of weights are added, not multiplied."""

from typing import Any

import torch
from torch import Tensor

from mingpai._native import core


class SparseLinear(torch.autograd.Function):
    """`start + rows @ weights` for rows of bytes; the gradient goes to weights and start."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, weights: Tensor, start: Tensor) -> Tensor:
        out = torch.empty(len(rows), weights.shape[1])
        write_rows(rows, weights, start[None], None, False, out)
        ctx.rows, ctx.shape = rows, weights.shape
        return out

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor, Tensor]:
        out_gradient = gradients[0].float().contiguous()
        gradient = torch.zeros(ctx.shape)
        core.sparse_backward(ctx.rows.numpy(), out_gradient.numpy(), gradient.numpy())
        return None, gradient, out_gradient.sum(0)


def add_rows(rows: Tensor, weights: Tensor, start: Tensor) -> Tensor:
    """`SparseLinear` as a function. The width of the weights is a multiple of 64."""
    out: Tensor = SparseLinear.apply(rows, weights, start)  # type: ignore[no-untyped-call]
    return out


def write_rows(rows: Tensor, weights: Tensor, start: Tensor, of: Tensor | None, relu: bool, out: Tensor) -> None:
    """`out[i] = start[of[i]] + rows[i] @ weights`, without gradient."""
    index = None if of is None else of.numpy()
    core.sparse_forward(rows.numpy(), weights.detach().numpy(), start.detach().numpy(), index, relu, out.numpy())


def scaled(rows: int, columns: int, *, nonzero: int, gain: float) -> Tensor:
    """Uniform weights for inputs of which about `nonzero` are set."""
    bound = gain / nonzero**0.5
    return torch.empty(rows, columns).uniform_(-bound, bound)
