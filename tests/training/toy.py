"""A toy network with a known answer: a line through noisy points."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

SLOPE, OFFSET = 2.0, -1.0


@dataclass(frozen=True)
class LineSettings:
    """Settings of the toy."""

    steps: int = 100
    rate: float = 0.05
    seed: int = 1


class LineLearner:
    """Learns the line by gradient descent on fresh noise each step."""

    def __init__(self, settings: LineSettings) -> None:
        torch.manual_seed(settings.seed)
        self.net = nn.Linear(1, 1)
        self.optimiser = torch.optim.Adam(self.net.parameters(), settings.rate)
        self.noise = torch.Generator().manual_seed(settings.seed)

    def step(self) -> Mapping[str, float]:
        x = torch.rand(64, 1, generator=self.noise) * 4 - 2
        y = SLOPE * x + OFFSET + 0.01 * torch.randn(64, 1, generator=self.noise)
        loss: Tensor = ((self.net(x) - y) ** 2).mean()
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        return {"loss": loss.item()}

    def state_dict(self) -> dict[str, Any]:
        return {"net": self.net.state_dict(), "optimiser": self.optimiser.state_dict(), "noise": self.noise.get_state()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.noise.set_state(state["noise"])
