"""What every way to learn is made of: a network with its average and its optimiser, and how far the run is."""

import math
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from mingpai._native import mcm
from mingpai.core.errors import MingpaiError
from mingpai.core.settings import setting
from mingpai.methods.mcm.network import Shape, ValueNet
from mingpai.training.learning import draw_closer, set_rate
from mingpai.training.run import with_later
from mingpai.training.together import Alone

METER_STEPS = 200
"""Steps that the metrics are averaged over."""


@dataclass(frozen=True)
class LearnerSettings:
    """The length of a run, the network and its optimiser."""

    samples: int = setting(
        60_000_000, "Decisions to learn from: the length of the run and of its schedules.", (1, 10**12)
    )
    seed: int = setting(1, "Of the weights, the deals and what is drawn from memory.", (0, 2**63 - 1))
    shape: Shape = field(default_factory=Shape)
    mixed: bool = setting(True, "Dense layers in bfloat16 where the processor has it: twice as fast there.")
    minibatch: int = setting(
        1024,
        "Decisions learned for each step of all tables; equal to `tables`, each is learned about once.",
        (1, 10_000_000),
    )
    rate: float = setting(
        1e-3, "Learning rate at the start; cosine down to `last_rate`, after a rise over `rise` steps.", (0, 1)
    )
    last_rate: float = setting(2e-5, "Learning rate at the end.", (0, 1))
    rise: int = setting(200, "Steps over which the learning rate rises at the start.", (1, 10**9))
    average: float = setting(
        0.999,
        "Weights are averaged over about 1 / (1 - average) steps; the average is what plays in the end.",
        (0, 1),
    )
    points_weight: float = setting(
        0.15, "Weight of the squared error of points against the cross-entropy of wins.", (0, 1000)
    )
    threads: int = setting(1, "Threads that learn and play.", (1, 1024))

    @property
    def steps(self) -> int:
        """Steps of all tables, each with one minibatch."""
        return math.ceil(self.samples / self.minibatch)


def learning_rate(settings: LearnerSettings, step: int) -> float:
    """Linear rise, then cosine."""
    progress = min(1.0, step * settings.minibatch / settings.samples)
    cosine = 0.5 * (1 + math.cos(math.pi * progress))
    return (settings.last_rate + (settings.rate - settings.last_rate) * cosine) * min(1.0, (step + 1) / settings.rise)


def replica(net: ValueNet) -> ValueNet:
    """A copy that does not learn: an average begins as one."""
    mean = ValueNet(net.shape, mixed=net.mixed, is_open=net.is_open).requires_grad_(False)
    mean.load_state_dict(net.state_dict())
    return mean


class Trainee:
    """A network, its running average and its optimiser. `beside` are layers that learn with it and are not shipped."""

    def __init__(
        self, net: ValueNet, mean: ValueNet, rate: float, average: float, beside: Sequence[nn.Module] = ()
    ) -> None:
        self.net, self.mean = net, mean
        self.optimiser = torch.optim.Adam(net.parameters(), rate, fused=True)
        for layer in beside:
            self.optimiser.add_param_group({"params": list(layer.parameters())})
        self.peers = Alone()
        """Who else learns this network."""
        self._average = average

    def descend(self, loss: Tensor, rate: float) -> None:
        """The optimiser's step down a loss."""
        set_rate(self.optimiser, rate)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.peers.average(self.parameters())
        self.optimiser.step()

    def parameters(self) -> list[nn.Parameter]:
        """All that learns."""
        return [parameter for group in self.optimiser.param_groups for parameter in group["params"]]

    def follow(self, steps: int) -> None:
        """The average a step closer to the network, after so many steps."""
        draw_closer(self.mean, self.net, self._average, steps)

    def state_dict(self, net: str = "net", prefix: str = "") -> dict[str, Any]:
        """Under the names of a checkpoint: `net` for the network, the others after `prefix`."""
        return {net: self.net.state_dict(), f"{prefix}mean": self.mean.state_dict(),
                f"{prefix}optimiser": self.optimiser.state_dict()}  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any], net: str = "net", prefix: str = "") -> None:
        self.net.load_state_dict(state[net])
        self.mean.load_state_dict(state[f"{prefix}mean"])
        self.optimiser.load_state_dict(state[f"{prefix}optimiser"])


class Counts(Protocol):
    """What has been played in a sitting."""

    @property
    def deals(self) -> int: ...
    @property
    def decisions(self) -> int: ...
    @property
    def landlord_wins(self) -> int: ...


class Course:
    """How far a run is, and what it tells of its last steps."""

    def __init__(self, settings: LearnerSettings) -> None:
        self._settings = settings
        self.steps = 0
        """Minibatches learned."""
        self.cpu_seconds = 0.0
        """Processor time of the sittings before this one."""
        self.sitting = 0
        """How often the run was taken up again. The tables then start anew: they are worth seconds."""
        self.peers = Alone()
        """Who else learns in this run: its processor time counts too."""
        self._sit_down()

    def _sit_down(self) -> None:
        self._first_cpu = time.process_time()
        self._marks: deque[tuple[float, float, int, int, int]] = deque(maxlen=METER_STEPS)
        self._losses: deque[tuple[float, float]] = deque(maxlen=METER_STEPS)

    @property
    def progress(self) -> float:
        return min(1.0, self.steps / self._settings.steps)

    def rate(self) -> float:
        """The learning rate of the next step."""
        return learning_rate(self._settings, self.steps)

    def all_cpu_seconds(self) -> float:
        return self.cpu_seconds + time.process_time() - self._first_cpu + self.peers.cpu_seconds()

    def metrics(self, losses: tuple[float, float], counts: Counts) -> dict[str, float]:
        """samples: learned so far; cpu_seconds: of all sittings; per_second, per_cpu_second: decisions played and
        learned; win_loss, points_loss: means; landlord_rate: of the finished deals."""
        cpu = time.process_time() + self.peers.cpu_seconds()
        now = (time.monotonic(), cpu, counts.deals, counts.decisions, counts.landlord_wins)
        self._losses.append(losses)
        self._marks.append(now)
        wall, cpu, deals, decisions, landlord_wins = (b - a for a, b in zip(self._marks[0], now, strict=True))
        win_loss, points_loss = np.mean(self._losses, axis=0)
        return {
            "samples": self.steps * self._settings.minibatch,
            "cpu_seconds": round(self.all_cpu_seconds(), 1),
            "per_second": round(self.peers.count * decisions / max(1e-9, wall)),
            "per_cpu_second": round(self.peers.count * decisions / max(1e-9, cpu)),
            "win_loss": round(float(win_loss), 5),
            "points_loss": round(float(points_loss), 5),
            "landlord_rate": round(landlord_wins / max(1, deals), 4),
            "decisions_per_deal": round(decisions / max(1, deals), 2),
            "rate": self.rate(),
        }

    def state_dict(self) -> dict[str, Any]:
        return {"steps": self.steps, "cpu_seconds": self.all_cpu_seconds(), "resumes": self.sitting}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self.steps, self.cpu_seconds, self.sitting = state["steps"], state["cpu_seconds"], state["resumes"] + 1
        self._sit_down()


def layout_of(net: ValueNet) -> dict[str, Any]:
    """What a checkpoint must agree with."""
    return {"shape": net.config(), "features": mcm.FEATURE_VERSION}


def check_layout(state: Mapping[str, Any], net: ValueNet) -> None:
    """Raises MingpaiError where a checkpoint is of other features or of another shape."""
    shape = with_later(state["shape"], asdict(Shape()))
    if {"shape": shape, "features": state["features"]} != layout_of(net):
        raise MingpaiError(f"the checkpoint is of features {state['features']} and shape {state['shape']}")
