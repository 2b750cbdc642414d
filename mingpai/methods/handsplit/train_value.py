"""Deep Monte Carlo with lambda-returns: the network plays all seats of many deals at once and learns what came of it.

Every deal is played for wins or for points (the network is told which) and the landlord is any seat or the one with the
strongest cards, as after a bidding. Each decision is stored with the return of its seat; one minibatch is learned for
every step of all tables. Needs the `train` extra.
"""

import json
import math
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from mingpai._native import doudizhu, selfplay
from mingpai.core.random import seed_of
from mingpai.methods.handsplit.mcm_network import POINTS, WIN, Shape, ValueNet

CHECKPOINT = "checkpoint.pt"
METRICS = "metrics.jsonl"
SETTINGS = "settings.json"


@dataclass(frozen=True)
class Settings:
    """What a run is made of. The same settings and seed give the same run when it is not interrupted."""

    samples: int = 60_000_000
    """Decisions to learn from: the length of the run and of its schedules."""
    seed: int = 1
    rules: str = "standard"
    """Rule profile."""
    shape: Shape = field(default_factory=Shape)
    mixed: bool = True
    """Dense layers in bfloat16: twice as fast where the processor has it."""
    tables: int = 1024
    """Deals played side by side."""
    minibatch: int = 1024
    """Decisions learned for each step of all tables; equal to `tables`, each is learned about once."""
    memory: int = 250_000
    """Latest decisions to draw from."""
    first: int = 20_000
    """Decisions in memory before learning starts."""
    rate: float = 1e-3
    """Learning rate at the start; cosine down to `last_rate`, after a rise over `rise` steps."""
    last_rate: float = 2e-5
    rise: int = 200
    explore: float = 0.05
    """Chance of any legal move; falls to `last_explore` by the middle of the run."""
    last_explore: float = 0.01
    lam: float = 0.88
    """Weight of what came later against the network's own value at the seat's next decision."""
    average: float = 0.999
    """Weights are averaged over about 1 / (1 - average) steps; the average is what plays in the end."""
    points_weight: float = 0.15
    """Weight of the squared error of points against the cross-entropy of wins."""
    bid_share: float = 0.5
    """Deals whose landlord is chosen by strength."""
    points_share: float = 0.5
    """Deals played for points."""
    checkpoint_seconds: float = 30.0
    """What a kill can lose."""
    threads: int = 1


class Learner:
    """Network, its average, optimiser and progress: everything a checkpoint holds."""

    def __init__(self, settings: Settings) -> None:
        torch.manual_seed(seed_of(settings.seed, "network") % 2**31)
        self.settings = settings
        self.net = ValueNet(settings.shape, mixed=settings.mixed)
        self.mean = ValueNet(settings.shape, mixed=settings.mixed).requires_grad_(False)
        self.mean.load_state_dict(self.net.state_dict())
        self.optimiser = torch.optim.Adam(self.net.parameters(), settings.rate, fused=True)
        self.steps = 0
        """Minibatches learned."""
        self.cpu_seconds = 0.0
        """Processor time of all sittings."""
        self.resumes = 0

    @property
    def learned(self) -> int:
        return self.steps * self.settings.minibatch

    @property
    def progress(self) -> float:
        return min(1.0, self.learned / self.settings.samples)

    def learn(self, states: Tensor, moves: Tensor, wins: Tensor, points: Tensor) -> tuple[float, float]:
        """One step; the losses of wins and points."""
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.settings, self.steps)
        out = self.net(states, moves)
        win_loss = functional.binary_cross_entropy_with_logits(out[:, WIN], wins)
        points_loss = functional.mse_loss(out[:, POINTS], points)
        self.optimiser.zero_grad()
        (win_loss + self.settings.points_weight * points_loss).backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        self.steps += 1
        pull = 1 - min(self.settings.average, self.steps / (self.steps + 9))
        torch._foreach_lerp_(list(self.mean.parameters()), [p.data for p in self.net.parameters()], pull)
        return win_loss.item(), points_loss.item()

    def save(self, path: Path) -> None:
        state = {"shape": self.net.config(), "features": selfplay.FEATURE_VERSION, "net": self.net.state_dict(),
                 "mean": self.mean.state_dict(), "optimiser": self.optimiser.state_dict(), "steps": self.steps,
                 "cpu_seconds": self.cpu_seconds, "resumes": self.resumes}  # fmt: skip
        write_atomically(path, state)

    def load(self, path: Path) -> None:
        state = torch.load(path, weights_only=True)
        if state["features"] != selfplay.FEATURE_VERSION or state["shape"] != self.net.config():
            raise ValueError(f"{path}: made for features {state['features']} and shape {state['shape']}")
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps, self.cpu_seconds, self.resumes = state["steps"], state["cpu_seconds"], state["resumes"] + 1


class SelfPlay:
    """The tables, and the rows of features they write into."""

    def __init__(self, settings: Settings, sitting: int) -> None:
        self.settings = settings
        self.samples = selfplay.Samples(settings.memory)
        self.batch = selfplay.Batch(
            settings.tables, seed_of(settings.seed, "tables", sitting), doudizhu.profile(settings.rules),
            settings.bid_share, settings.points_share, True, self.samples,
        )  # fmt: skip
        self.states = np.zeros((settings.tables, selfplay.STATE_SIZE), np.uint8)
        self.moves = np.zeros((settings.tables, selfplay.MOVE_SIZE), np.uint8)
        self.draw = torch.Generator().manual_seed(seed_of(settings.seed, "draw", sitting))
        self.columns = [torch.from_numpy(column) for column in
                        (self.samples.states, self.samples.moves, self.samples.wins, self.samples.points)]  # fmt: skip

    def step(self, net: ValueNet, explore: float) -> None:
        """One decision at every table."""
        if len(self.moves) < self.batch.options:
            self.moves = np.zeros((2 * self.batch.options, selfplay.MOVE_SIZE), np.uint8)
        self.batch.observe(self.states, self.moves)
        offsets = self.batch.offsets()
        of = torch.from_numpy(np.repeat(np.arange(len(self.states)), np.diff(offsets)))
        moves = self.moves[: offsets[-1]]
        values = net.values(torch.from_numpy(self.states), torch.from_numpy(moves), of)
        self.batch.act(values.numpy(), self.states, moves, explore, self.settings.lam)

    def minibatch(self) -> list[Tensor]:
        """Decisions drawn from memory: states, moves, wins, points."""
        index = torch.randint(len(self.samples), (self.settings.minibatch,), generator=self.draw)
        return [column[index] for column in self.columns]


def learning_rate(settings: Settings, step: int) -> float:
    """Linear rise, then cosine."""
    progress = min(1.0, step * settings.minibatch / settings.samples)
    cosine = 0.5 * (1 + math.cos(math.pi * progress))
    return (settings.last_rate + (settings.rate - settings.last_rate) * cosine) * min(1.0, (step + 1) / settings.rise)


def exploration(settings: Settings, progress: float) -> float:
    return settings.last_explore + (settings.explore - settings.last_explore) * max(0.0, 1 - 2 * progress)


def train(settings: Settings, folder: Path) -> Iterator[dict[str, float]]:
    """Runs, or goes on where the folder's checkpoint stopped. Yields the metrics of each checkpoint."""
    torch.set_num_threads(settings.threads)
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / SETTINGS, json.dumps(asdict(settings), indent=2) + "\n")
    learner = Learner(settings)
    if (folder / CHECKPOINT).exists():
        learner.load(folder / CHECKPOINT)
    play = SelfPlay(settings, learner.resumes)
    meter = Meter(learner, play)
    while learner.progress < 1:
        play.step(learner.net, exploration(settings, learner.progress))
        if len(play.samples) >= settings.first:
            meter.add(*learner.learn(*play.minibatch()))
        if meter.seconds >= settings.checkpoint_seconds or learner.progress >= 1:
            metrics = meter.read()
            learner.save(folder / CHECKPOINT)
            with (folder / METRICS).open("a") as file:
                file.write(json.dumps(metrics) + "\n")
            yield metrics


class Meter:
    """Losses and counts between two checkpoints."""

    def __init__(self, learner: Learner, play: SelfPlay) -> None:
        self._learner, self._play = learner, play
        self._restart()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._clock

    def add(self, win_loss: float, points_loss: float) -> None:
        self._losses.append((win_loss, points_loss))

    def read(self) -> dict[str, float]:
        """samples: learned so far; cpu_seconds: of all sittings; per_second: decisions played and learned."""
        counts, wall = self._play.batch.counts, self.seconds
        deals, decisions = counts.deals - self._deals, counts.decisions - self._decisions
        landlord_wins = counts.landlord_wins - self._landlord_wins
        self._learner.cpu_seconds += time.process_time() - self._cpu
        win_loss, points_loss = np.mean(self._losses, axis=0) if self._losses else (math.nan, math.nan)
        metrics = {
            "samples": self._learner.learned,
            "cpu_seconds": round(self._learner.cpu_seconds, 1),
            "per_second": round(decisions / wall),
            "per_cpu_second": round(decisions / max(1e-9, time.process_time() - self._cpu)),
            "win_loss": round(float(win_loss), 5),
            "points_loss": round(float(points_loss), 5),
            "landlord_rate": round(landlord_wins / max(1, deals), 4),
            "decisions_per_deal": round(decisions / max(1, deals), 2),
            "rate": learning_rate(self._learner.settings, self._learner.steps),
        }
        self._restart()
        return metrics

    def _restart(self) -> None:
        counts = self._play.batch.counts
        self._deals, self._decisions, self._landlord_wins = counts.deals, counts.decisions, counts.landlord_wins
        self._clock, self._cpu = time.monotonic(), time.process_time()
        self._losses: list[tuple[float, float]] = []


def read_settings(folder: Path) -> Settings:
    """The settings a run was started with."""
    data: dict[str, Any] = json.loads((folder / SETTINGS).read_text())
    return replace(Settings(**{**data, "shape": Shape(**data["shape"])}))


def write_atomically(path: Path, state: dict[str, Any]) -> None:
    """A checkpoint that is either the old one or the new one, whenever the process dies."""
    part = path.with_suffix(".part")
    torch.save(state, part)
    os.replace(part, path)


def write_text(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text)
    os.replace(part, path)
