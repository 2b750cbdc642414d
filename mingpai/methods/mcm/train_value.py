"""Deep Monte Carlo with lambda-returns: the network plays all seats of many deals at once and learns what came of it.

Every deal is played for wins or for points (the network is told which) and the landlord is any seat or the one with the
strongest cards, as after a bidding. Each decision is stored with the return of its seat; one minibatch is learned for
every step of all tables. Needs the `train` extra.
"""

import math
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from mingpai._native import doudizhu, mcm
from mingpai.core.errors import MingpaiError
from mingpai.core.random import seed_of
from mingpai.core.settings import check, setting
from mingpai.methods.mcm.export import SHIPPED, ship_value
from mingpai.methods.mcm.network import POINTS, WIN, Shape, ValueNet, row_sizes
from mingpai.methods.mcm.rows import FEATURES
from mingpai.methods.mcm.train_ray import RayPlay
from mingpai.training.method import Training

METHOD = "handsplit/value"

MAY_CHANGE = ("samples", "threads", "engine", "workers")
"""Settings that a resumed run may change."""

METER_STEPS = 200
"""Steps that the metrics are averaged over."""


@dataclass(frozen=True)
class Settings:
    """What a run is made of. The same settings and seed give the same run when it is not interrupted."""

    samples: int = setting(
        60_000_000, "Decisions to learn from: the length of the run and of its schedules.", (1, 10**12)
    )
    seed: int = setting(1, "Of the weights, the deals and what is drawn from memory.", (0, 2**63 - 1))
    rules: str = setting("standard", "Rule profile.")
    shape: Shape = field(default_factory=Shape)
    mixed: bool = setting(True, "Dense layers in bfloat16: twice as fast where the processor has it.")
    tables: int = setting(1024, "Deals played side by side.", (1, 1_000_000))
    minibatch: int = setting(
        1024,
        "Decisions learned for each step of all tables; equal to `tables`, each is learned about once.",
        (1, 10_000_000),
    )
    memory: int = setting(250_000, "Latest decisions to draw from.", (1, 10**9))
    first: int = setting(20_000, "Decisions in memory before learning starts.", (0, 10**9))
    rate: float = setting(
        1e-3, "Learning rate at the start; cosine down to `last_rate`, after a rise over `rise` steps.", (0, 1)
    )
    last_rate: float = setting(2e-5, "Learning rate at the end.", (0, 1))
    rise: int = setting(200, "Steps over which the learning rate rises at the start.", (1, 10**9))
    explore: float = setting(
        0.05, "Chance of any legal move; falls to `last_explore` by the middle of the run.", (0, 1)
    )
    last_explore: float = setting(0.01, "Chance of any legal move in the second half of the run.", (0, 1))
    lam: float = setting(
        0.88, "Weight of what came later against the network's own value at the seat's next decision.", (0, 1)
    )
    average: float = setting(
        0.999, "Weights are averaged over about 1 / (1 - average) steps; the average is what plays in the end.", (0, 1)
    )
    points_weight: float = setting(
        0.15, "Weight of the squared error of points against the cross-entropy of wins.", (0, 1000)
    )
    bid_share: float = setting(0.5, "Deals whose landlord is chosen by strength.", (0, 1))
    points_share: float = setting(0.5, "Deals played for points.", (0, 1))
    threads: int = setting(1, "Threads that learn and play.", (1, 1024))
    engine: Literal["local", "ray"] = setting(
        "local", "Where the tables are: local, or ray (the extra `scale`): workers that play beside the learner."
    )
    workers: int = setting(2, "Processes of the engine ray; the tables are shared among them.", (1, 1024))

    @property
    def steps(self) -> int:
        """Steps of all tables, each with one minibatch."""
        return math.ceil(self.samples / self.minibatch)


@dataclass(frozen=True)
class Choices:
    """Decisions of all tables: move i belongs to state of[i]."""

    states: Tensor
    moves: Tensor
    of: Tensor
    values: Tensor


class SelfPlay:
    """The tables, and the rows of features they write into."""

    def __init__(self, settings: Settings, sitting: int, *, is_open: bool = False) -> None:
        self.settings = settings
        self.samples = mcm.Samples(settings.memory, is_open)
        self.batch = mcm.Batch(
            settings.tables, seed_of(settings.seed, "tables", sitting), doudizhu.profile(settings.rules),
            settings.bid_share, settings.points_share, True, self.samples, is_open,
        )  # fmt: skip
        state_size, self.move_size = row_sizes(is_open)
        self.states = np.zeros((settings.tables, state_size), np.uint8)
        self.moves = np.zeros((settings.tables, self.move_size), np.uint8)
        self.draw = torch.Generator().manual_seed(seed_of(settings.seed, "draw", sitting))
        self.columns = [torch.from_numpy(column) for column in
                        (self.samples.states, self.samples.moves, self.samples.wins, self.samples.points)]  # fmt: skip

    def counts(self) -> mcm.BatchCounts:
        """What has been played."""
        return self.batch.counts

    def step(self, net: ValueNet, explore: float) -> None:
        """One decision at every table."""
        choices = self.ask(net)
        self.answer(choices, explore)

    def ask(self, net: ValueNet) -> Choices:
        """What every table has to decide, and what the network makes of it. Good until the next call."""
        if len(self.moves) < self.batch.options:
            self.moves = np.zeros((2 * self.batch.options, self.move_size), np.uint8)
        self.batch.observe(self.states, self.moves)
        offsets = self.batch.offsets()
        of = torch.from_numpy(np.repeat(np.arange(len(self.states)), np.diff(offsets)))
        states, moves = torch.from_numpy(self.states), torch.from_numpy(self.moves[: offsets[-1]])
        return Choices(states, moves, of, net.values(states, moves, of))

    def answer(self, choices: Choices, explore: float) -> None:
        """The best move of every table, or now and then any."""
        self.batch.act(
            choices.values.numpy(), choices.states.numpy(), choices.moves.numpy(), explore, self.settings.lam
        )

    def minibatch(self) -> list[Tensor]:
        """Decisions drawn from memory: states, moves, wins, points."""
        index = torch.randint(len(self.samples), (self.settings.minibatch,), generator=self.draw)
        return [column[index] for column in self.columns]


def tables_of(settings: Settings, sitting: int) -> SelfPlay | RayPlay:
    """The tables where the settings want them."""
    return RayPlay(settings, sitting) if settings.engine == "ray" else SelfPlay(settings, sitting)


def learning_rate(settings: Settings, step: int) -> float:
    """Linear rise, then cosine."""
    progress = min(1.0, step * settings.minibatch / settings.samples)
    cosine = 0.5 * (1 + math.cos(math.pi * progress))
    return (settings.last_rate + (settings.rate - settings.last_rate) * cosine) * min(1.0, (step + 1) / settings.rise)


def exploration(settings: Settings, progress: float) -> float:
    return settings.last_explore + (settings.explore - settings.last_explore) * max(0.0, 1 - 2 * progress)


class ValueLearner:
    """Network, its average, optimiser and tables: plays one decision at every table, then learns one minibatch."""

    def __init__(self, settings: Settings) -> None:
        check(settings)
        torch.set_num_threads(settings.threads)
        torch.manual_seed(seed_of(settings.seed, "network") % 2**31)
        self.settings = settings
        self.net = ValueNet(settings.shape, mixed=settings.mixed)
        self.mean = ValueNet(settings.shape, mixed=settings.mixed).requires_grad_(False)
        self.mean.load_state_dict(self.net.state_dict())
        self.optimiser = torch.optim.Adam(self.net.parameters(), settings.rate, fused=True)
        self.steps = 0
        """Minibatches learned."""
        self.cpu_seconds = 0.0
        """Processor time of the sittings before this one."""
        self.sitting = 0
        """How often the run was taken up again. The tables then start anew: they are worth seconds."""
        self.play = tables_of(settings, self.sitting)
        self.meter = Meter(self)

    def step(self) -> Mapping[str, float]:
        progress = min(1.0, self.steps / self.settings.steps)
        self.play.step(self.net, exploration(self.settings, progress))
        while len(self.play.samples) < self.settings.first:
            self.play.step(self.net, exploration(self.settings, progress))
        losses = self.learn(*self.play.minibatch())
        return self.meter.read(losses)

    def learn(self, states: Tensor, moves: Tensor, wins: Tensor, points: Tensor) -> tuple[float, float]:
        """One step of the optimiser; the losses of wins and points."""
        out = self.net(states, moves)
        win_loss = functional.binary_cross_entropy_with_logits(out[:, WIN], wins)
        points_loss = functional.mse_loss(out[:, POINTS], points)
        self.take_step(win_loss + self.settings.points_weight * points_loss)
        return win_loss.item(), points_loss.item()

    def take_step(self, loss: Tensor) -> None:
        """The optimiser's step down the loss, and the average's after it."""
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.settings, self.steps)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        self.steps += 1
        self.follow(self.mean, self.net)

    def follow(self, mean: ValueNet, net: ValueNet) -> None:
        """An average a step closer to its network."""
        pull = 1 - min(self.settings.average, self.steps / (self.steps + 9))
        torch._foreach_lerp_(list(mean.parameters()), [p.data for p in net.parameters()], pull)

    def state_dict(self) -> dict[str, Any]:
        return {"shape": self.net.config(), "features": mcm.FEATURE_VERSION, "net": self.net.state_dict(),
                "mean": self.mean.state_dict(), "optimiser": self.optimiser.state_dict(), "steps": self.steps,
                "cpu_seconds": self.cpu_seconds + time.process_time() - self.meter.first_cpu,
                "resumes": self.sitting}  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        if state["features"] != mcm.FEATURE_VERSION or state["shape"] != self.net.config():
            raise MingpaiError(f"the checkpoint is of features {state['features']} and shape {state['shape']}")
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps, self.cpu_seconds, self.sitting = state["steps"], state["cpu_seconds"], state["resumes"] + 1
        if isinstance(self.play, RayPlay):
            self.play.close()
        self.play = tables_of(self.settings, self.sitting)
        self.meter = Meter(self)


class Meter:
    """Metrics over the last steps."""

    def __init__(self, learner: ValueLearner) -> None:
        self._learner = learner
        self.first_cpu = time.process_time()
        self._marks: deque[tuple[float, float, int, int, int]] = deque(maxlen=METER_STEPS)
        self._losses: deque[tuple[float, float]] = deque(maxlen=METER_STEPS)

    def read(self, losses: tuple[float, float]) -> dict[str, float]:
        """samples: learned so far; cpu_seconds: of all sittings; per_second, per_cpu_second: decisions played and
        learned; win_loss, points_loss: means; landlord_rate: of the finished deals."""
        counts = self._learner.play.counts()
        now = (time.monotonic(), time.process_time(), counts.deals, counts.decisions, counts.landlord_wins)
        self._losses.append(losses)
        self._marks.append(now)
        wall, cpu, deals, decisions, landlord_wins = (b - a for a, b in zip(self._marks[0], now, strict=True))
        win_loss, points_loss = np.mean(self._losses, axis=0)
        return {
            "samples": self._learner.steps * self._learner.settings.minibatch,
            "cpu_seconds": round(self._learner.cpu_seconds + now[1] - self.first_cpu, 1),
            "per_second": round(decisions / max(1e-9, wall)),
            "per_cpu_second": round(decisions / max(1e-9, cpu)),
            "win_loss": round(float(win_loss), 5),
            "points_loss": round(float(points_loss), 5),
            "landlord_rate": round(landlord_wins / max(1, deals), 4),
            "decisions_per_deal": round(decisions / max(1, deals), 2),
            "rate": learning_rate(self._learner.settings, self._learner.steps),
        }


TRAINING = Training(
    method=METHOD,
    settings=Settings,
    learner=ValueLearner,
    steps=lambda learner: learner.settings.steps,
    game="doudizhu",
    features=FEATURES,
    shipped=SHIPPED,
    networks=lambda learner: (learner.net, learner.mean),
    ship=ship_value,
    may_change=MAY_CHANGE,
)
