"""The networks: the paper's benchmark with its two ablations, and ours. Needs torch."""

from typing import Literal

import torch
from torch import Tensor, nn

from mingpai.methods.bidding.features import CHAIN_RANKS, COPIES, MATRIX, SITUATION, SIZE, STRONG

KERNELS = (2, 3, 5)
CHANNELS = 4
"""Output channels of each convolution: twelve feature vectors in all."""

Variant = Literal["paper", "no_strong", "no_situation", "ours"]


class Dropout(nn.Module):
    """Dropout whose masks come from uniform numbers: several times faster on a processor than torch's own."""

    def __init__(self, chance: float) -> None:
        super().__init__()
        self.chance = chance

    def forward(self, values: Tensor) -> Tensor:
        if not self.training:
            return values
        return values * (torch.rand_like(values) >= self.chance) / (1 - self.chance)


def matrix_places() -> Tensor:
    """Where each entry of the matrix of all convolutions, (48, windows x channels), comes from: a place in the row of
    their weights one after the other, or the place behind it, which is zero."""
    behind = sum(CHANNELS * COPIES * kernel for kernel in KERNELS)
    places, first = [], 0
    for kernel in KERNELS:
        windows = CHAIN_RANKS - kernel + 1
        block = torch.full((COPIES, CHAIN_RANKS, CHANNELS, windows), behind)
        weights = first + torch.arange(CHANNELS * COPIES * kernel).reshape(CHANNELS, COPIES, kernel)
        for window in range(windows):
            block[:, window : window + kernel, :, window] = weights.permute(1, 2, 0)
        places.append(block.reshape(MATRIX, -1))
        first += CHANNELS * COPIES * kernel
    return torch.cat(places, 1)


class BiddingNet(nn.Module):
    """Three convolutions along the ranks 3 to A, no pooling; strong cards and situation beside them; then dense layers
    that first raise the dimension, with dropout between them; two outputs: 0 not, 1 bid.

    `no_strong` and `no_situation` leave those features out. `ours` also hands every card to the dense layers as it is,
    the 2s and the jokers among them: what does not form sequences does not have to pass through a convolution.
    """

    def __init__(self, variant: Variant = "paper", wide: int = 160, narrow: int = 48, dropout: float = 0.5) -> None:
        super().__init__()
        self.variant = variant
        self.convolutions = nn.ModuleList(nn.Conv1d(COPIES, CHANNELS, kernel) for kernel in KERNELS)
        vectors = CHANNELS * sum(CHAIN_RANKS - kernel + 1 for kernel in KERNELS)
        beside = SIZE - MATRIX - {"no_strong": STRONG.stop - STRONG.start,
                                  "no_situation": SITUATION.stop - SITUATION.start}.get(variant, 0)  # fmt: skip
        raw = MATRIX if variant == "ours" else 0
        self.dense = nn.Sequential(
            nn.Linear(vectors + beside + raw, wide), nn.ReLU(), Dropout(dropout),
            nn.Linear(wide, narrow), nn.ReLU(), Dropout(dropout),
            nn.Linear(narrow, 2),
        )  # fmt: skip
        self.places: Tensor
        self.scale: Tensor
        self.shift: Tensor
        self.register_buffer("places", matrix_places(), persistent=False)
        self.register_buffer("scale", torch.ones(1))
        self.register_buffer("shift", torch.zeros(1))

    def forward(self, rows: Tensor) -> Tensor:
        """Two scores for each row."""
        matrix = rows[:, :MATRIX]
        parts = [torch.relu(self._vectors(matrix))]
        if self.variant != "no_strong":
            parts.append(rows[:, STRONG])
        if self.variant != "no_situation":
            parts.append(rows[:, SITUATION])
        if self.variant == "ours":
            parts.append(matrix)
        scores: Tensor = self.dense(torch.cat(parts, 1))
        return scores

    def _vectors(self, matrix: Tensor) -> Tensor:
        """The twelve feature vectors, one after the other. In training the three convolutions are one product with a
        matrix of their weights: several times faster on a processor."""
        layers = [layer for layer in self.convolutions if isinstance(layer, nn.Conv1d)]
        if not self.training:
            columns = matrix.reshape(-1, COPIES, CHAIN_RANKS)
            return torch.cat([layer(columns).flatten(1) for layer in layers], 1)
        weights = torch.cat([*(layer.weight.flatten() for layer in layers), torch.zeros(1)])
        windows = (CHAIN_RANKS - kernel + 1 for kernel in KERNELS)
        biases = [layer.bias.repeat_interleave(count) for layer, count in zip(layers, windows, strict=True)
                  if layer.bias is not None]  # fmt: skip
        return torch.addmm(torch.cat(biases), matrix, weights[self.places])

    def logit(self, rows: Tensor) -> Tensor:
        """The logarithm of the odds of a bid, calibrated by `scale` and `shift`."""
        scores: Tensor = self(rows)
        return (scores[:, 1] - scores[:, 0]) * self.scale + self.shift


class LogitNet(nn.Module):
    """What is shipped: the calibrated logarithm of the odds of a bid."""

    def __init__(self, net: BiddingNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, rows: Tensor) -> Tensor:
        return self.net.logit(rows)
