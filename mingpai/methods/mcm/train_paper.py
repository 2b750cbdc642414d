"""Training of the paper's network: from lessons of a search, 90/10, until the test part gets no better. Needs torch.

A step is a stretch of minibatches; an epoch is all lessons once, in an order of its own. After each epoch the test part
is asked: the best network so far is kept, and the run learns no more once `patience` epochs have brought nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import cos, pi
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from mingpai.core.errors import MingpaiError
from mingpai.core.random import seed_of
from mingpai.core.settings import setting
from mingpai.methods.mcm.lessons import Batch, Lessons
from mingpai.methods.mcm.paper_agent import FEATURES, SHIPPED
from mingpai.methods.mcm.paper_network import (
    CANDIDATE_ROWS,
    PLANES,
    RANKS,
    PaperNet,
    PaperShape,
    network_of,
)
from mingpai.models.card import Card
from mingpai.models.loader import load
from mingpai.training.export import Graph, about_run, ship_network
from mingpai.training.learning import begin, best, log_softmax, set_rate
from mingpai.training.loop import load_shipped
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun, command_of, commit

STRETCH = 50
"""Minibatches of a step."""
TEST_BATCH = 2048


@dataclass(frozen=True)
class PaperSettings:
    """What a run is made of."""

    lessons: str = setting("runs/mcm-paper/lessons-1", "Folders of lessons, joined by '+'.", kind="path")
    start: str = setting("", "Model to start from, for another generation; empty: from nothing.", kind="model")
    epochs: int = setting(8, "Times that every lesson is learned at most.", (1, 1000))
    patience: int = setting(2, "Epochs without a better test loss that end the learning.", (1, 1000))
    minibatch: int = setting(256, "Lessons of a step of the optimiser.", (1, 65536))
    rate: float = setting(1e-3, "Learning rate at the start; it falls to a hundredth along a cosine.", (0, 1))
    decay: float = setting(1e-4, "Weight decay.", (0, 1))
    value_weight: float = setting(0.3, "Weight of the loss of the earnings against that of the choice.", (0, 100))
    shape: PaperShape = field(default_factory=PaperShape)
    seed: int = setting(1, "Seed of the weights and of the order.", (0, 2**31))
    threads: int = setting(1, "Threads of torch.", (1, 1024))


@dataclass(frozen=True)
class Losses:
    """Of some lessons: mean cross-entropy of choice and earnings, and how often the best score is the choice."""

    choice: Tensor
    earnings: Tensor
    right: int


def losses_of(net: PaperNet, batch: Batch, lessons: int) -> Losses:
    of, shares = torch.from_numpy(batch.of), torch.from_numpy(batch.shares)
    scores = net(torch.from_numpy(batch.planes), torch.from_numpy(batch.candidates), of)
    logs = log_softmax(scores[:, 0], of, lessons)
    choice = -(shares * logs).sum() / lessons
    earnings = functional.binary_cross_entropy_with_logits(
        scores[:, 1], torch.from_numpy(batch.values), weight=shares, reduction="sum"
    )
    firsts = np.flatnonzero(np.diff(batch.of, prepend=-1))
    return Losses(choice, earnings / lessons, int((best(logs.detach(), of, lessons).numpy() == firsts).sum()))


class PaperLearner:
    """Learns lessons."""

    def __init__(self, settings: PaperSettings) -> None:
        begin(settings)
        self.settings = settings
        self.lessons = Lessons([Path(folder) for folder in settings.lessons.split("+")])
        self.train_part, self.test_part = self.lessons.parts()
        self.net = PaperNet(settings.shape)
        if settings.start:
            load_shipped(self.net, load(settings.start, game="doudizhu", features=FEATURES))
        self.optimiser = torch.optim.AdamW(self.net.parameters(), settings.rate, weight_decay=settings.decay)
        self.steps_done = 0
        self.best: dict[str, Tensor] = {}
        self.best_loss, self.best_epoch, self.stopped = float("inf"), 0, False
        self._order: NDArray[np.int64] = np.empty(0, np.int64)

    @property
    def batches(self) -> int:
        """Minibatches of an epoch; the last one may be short."""
        return -(-len(self.train_part) // self.settings.minibatch)

    @property
    def stretches(self) -> int:
        """Steps of an epoch."""
        return -(-self.batches // STRETCH)

    @property
    def steps(self) -> int:
        return self.settings.epochs * self.stretches

    def step(self) -> Mapping[str, float]:
        epoch, stretch = divmod(self.steps_done, self.stretches)
        self.steps_done += 1
        if self.stopped:
            return {"epoch": epoch, "stopped": 1.0}
        values = self._learn(epoch, range(stretch * STRETCH, min((stretch + 1) * STRETCH, self.batches)))
        if stretch + 1 == self.stretches:
            values |= self._test(epoch + 1)
        return values

    def _learn(self, epoch: int, batches: range) -> dict[str, float]:
        if batches.start == 0 or not len(self._order):
            rng = np.random.default_rng(seed_of(self.settings.seed, "order", epoch))
            self._order = rng.permutation(self.train_part)
        size, told, right, count = self.settings.minibatch, 0.0, 0, 0
        self.net.train()
        for number in batches:
            which = self._order[number * size : (number + 1) * size]
            losses = losses_of(self.net, self.lessons.batch(which), len(which))
            self._descend(losses, (epoch * self.batches + number) / (self.settings.epochs * self.batches))
            told, right, count = told + losses.choice.item() * len(which), right + losses.right, count + len(which)
        done = epoch + batches.stop / self.batches
        return {"epoch": done, "train_loss": told / count, "train_accuracy": right / count}

    def _descend(self, losses: Losses, progress: float) -> None:
        set_rate(self.optimiser, self.settings.rate * (0.01 + 0.99 * (1 + cos(pi * progress)) / 2))
        self.optimiser.zero_grad(set_to_none=True)
        (losses.choice + self.settings.value_weight * losses.earnings).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()

    def _test(self, epoch: int) -> dict[str, float]:
        """Asks the test part; keeps the network when it is the best, ends when there was none for long."""
        loss, accuracy = self.judge(self.test_part)
        if loss < self.best_loss:
            self.best_loss, self.best_epoch = loss, epoch
            self.best = {name: value.clone() for name, value in self.net.state_dict().items()}
        self.stopped = epoch - self.best_epoch >= self.settings.patience
        return {"test_loss": loss, "test_accuracy": accuracy, "best_epoch": self.best_epoch}

    @torch.inference_mode()
    def judge(self, part: NDArray[np.int64]) -> tuple[float, float]:
        """Loss and accuracy on some lessons."""
        self.net.eval()
        told, right = 0.0, 0
        for start in range(0, len(part), TEST_BATCH):
            which = part[start : start + TEST_BATCH]
            losses = losses_of(self.net, self.lessons.batch(which), len(which))
            told, right = told + losses.choice.item() * len(which), right + losses.right
        return told / len(part), right / len(part)

    def state_dict(self) -> dict[str, Any]:
        return {
            "net": self.net.state_dict(), "optimiser": self.optimiser.state_dict(), "steps": self.steps_done,
            "best": self.best, "best_loss": self.best_loss, "best_epoch": self.best_epoch, "stopped": self.stopped,
            "lessons": [len(self.train_part), len(self.test_part)],
        }  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        have = [len(self.train_part), len(self.test_part)]
        if state["lessons"] != have:
            raise MingpaiError(f"the run began with {state['lessons']} lessons to learn and to test with, now {have}")
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps_done, self.best = state["steps"], dict(state["best"])
        self.best_loss, self.best_epoch = state["best_loss"], state["best_epoch"]
        self.stopped = state["stopped"]
        self._order = np.empty(0, np.int64)


def graph_of(net: PaperNet, rows: int = 32) -> Graph:
    """The network with random planes as the example, about as full as those of positions."""
    rng = np.random.default_rng(0)
    planes = (rng.random((rows, PLANES, RANKS, RANKS)) < 0.03).astype(np.uint8)
    candidates = (rng.random((4 * rows, CANDIDATE_ROWS, RANKS)) < 0.1).astype(np.uint8)
    of = np.sort(rng.integers(0, rows, 4 * rows))
    inputs = {"planes": planes, "candidates": candidates, "of": of}
    axes = {"planes": "positions", "candidates": "candidates", "of": "candidates", "scores": "candidates"}
    return Graph(net, {name: torch.from_numpy(value) for name, value in inputs.items()}, ["scores"], axes)


def ship_paper(run: TrainingRun, state: Mapping[str, Any], root: Path, name: str = SHIPPED) -> Path:
    """The best network of a run as a model folder."""
    net = network_of(state["best"] or state["net"])
    train_part, test_part = state["lessons"]
    card = Card(
        name=name, title="Dou Dizhu: the network of paper 003's MCM, a score for each LessSplit candidate",
        game="doudizhu", method="mcm", features=FEATURES, seed=run.settings.seed, commit=commit(),
        data=f"{train_part} decisions to learn from, {test_part} to test with, of {run.settings.lessons}",
        command=command_of("mcm-paper", run.settings),
    )  # fmt: skip
    about = about_run(
        run, keeps=lambda line: "test_loss" in line, best_epoch=state["best_epoch"], lessons=[train_part, test_part]
    )
    return ship_network(graph_of(net), net, card, run, about, root)


TRAINING = Training(
    method="mcm/paper",
    what="learns the lessons of {0.lessons}, {0.epochs} times at most",
    settings=PaperSettings,
    learner=PaperLearner,
    steps=lambda learner: learner.steps,
    game="doudizhu",
    features=FEATURES,
    shipped=SHIPPED,
    networks=lambda learner: (learner.net,),
    ship=ship_paper,
    may_change=("threads", "patience"),
    log_every=1,
)
