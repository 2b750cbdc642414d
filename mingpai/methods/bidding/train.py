"""The paper's Algorithm 1, and ours: `mingpai train bidding`, `mingpai train bidding-calibrated`. Needs the `train`
extra.

80% of the cleaned samples train, 20% test. Adam, cross-entropy, minibatches in a new order each epoch; after every
epoch the accuracy on the test set is taken and the best snapshot kept. Ours weighs the two labels equally, keeps a
tenth of the training set apart and fits scale and shift of the log-odds to it, so that the probabilities mean what
they say; its snapshot is the one with the least loss there, and the test set is only looked at.
"""

import math
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from mingpai.core.errors import MingpaiError
from mingpai.core.random import seed_of, stream
from mingpai.core.settings import setting
from mingpai.methods.bidding import features
from mingpai.methods.bidding.clean import GameStore, Samples, read_samples
from mingpai.methods.bidding.features import FEATURES
from mingpai.methods.bidding.model import CALIBRATED, PAPER_MODEL
from mingpai.methods.bidding.network import BiddingNet, LogitNet, Variant
from mingpai.methods.bidding.population import draw_players, simulate
from mingpai.methods.bidding.raw import PAPER
from mingpai.models.card import Card
from mingpai.training.export import Graph, about_run, ship_network
from mingpai.training.learning import begin
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun, commit

TEST_SHARE = 0.2
CALIBRATION_SHARE = 0.1
"""Of the training set; ours only."""


@dataclass(frozen=True)
class Settings:
    """What a run is made of: the paper's values."""

    data: str = setting("", "A file of cleaned samples; empty: simulate a log and clean it.", kind="path")
    games: int = setting(250_000, "Games to simulate.", (1, 10**9))
    players: int = setting(1000, "Players to simulate.", (3, 10**7))
    data_seed: int = setting(1, "Seed of the simulated log.", (0, 2**63 - 1))
    samples: int = setting(100_000, "Samples kept, drawn at random.", (1, 10**9))
    variant: Variant = setting("paper", "paper; its ablations no_strong and no_situation; ours.")
    seed: int = setting(1, "Of the split, the weights and the order of the minibatches.", (0, 2**63 - 1))
    epochs: int = setting(100, "Passes over the training set.", (0, 100_000))
    minibatch: int = setting(512, "Samples of a step.", (1, 10**6))
    rate: float = setting(1e-4, "Learning rate of Adam.", (1e-9, 1))
    dropout: float = setting(0.5, "Share of a layer that is left out of each step.", (0, 0.99))
    wide: int = setting(160, "Width of the first dense layer: more than goes in.", (1, 65_536))
    narrow: int = setting(48, "Width of the layer after it.", (1, 65_536))
    threads: int = setting(1, "Threads that learn and simulate.", (1, 1024))


@dataclass(frozen=True)
class OurSettings(Settings):
    """Ours: a higher rate for fewer epochs, less dropout."""

    variant: Variant = "ours"
    epochs: int = 20
    rate: float = 5e-4
    dropout: float = 0.3


def samples_of(settings: Settings) -> Samples:
    """The samples that settings name."""
    if settings.data:
        samples = read_samples(Path(settings.data))
    else:
        with tempfile.TemporaryDirectory() as folder, GameStore(None) as store:
            log = Path(folder) / "games.log"
            simulate(log, settings.games, draw_players(settings.players, settings.data_seed), settings.data_seed,
                     threads=settings.threads)  # fmt: skip
            store.import_log(log, PAPER)
            samples, _ = store.clean()
    return samples.some(settings.samples, settings.data_seed)


@dataclass(frozen=True)
class Split:
    """Rows and labels of one part of the samples."""

    rows: Tensor
    labels: Tensor

    @classmethod
    def of(cls, samples: Samples) -> "Split":
        rows = features.rows(samples.phase, samples.value, samples.hand)
        return cls(torch.from_numpy(rows), torch.from_numpy(samples.label.astype(np.int64)))

    def __len__(self) -> int:
        return len(self.labels)


def divided(samples: Samples, seed: int) -> tuple[Samples, Samples]:
    """80% to train with and 20% to test with, at random."""
    order = stream(seed, "split").permutation(len(samples))
    tested = round(TEST_SHARE * len(samples))
    return samples.take(order[tested:]), samples.take(order[:tested])


class BiddingLearner:
    """One step is one epoch."""

    def __init__(self, settings: Settings) -> None:
        begin(settings)
        self.settings = settings
        self.is_ours = settings.variant == "ours"
        self.net = BiddingNet(settings.variant, settings.wide, settings.narrow, settings.dropout)
        self.best = {name: value.clone() for name, value in self.net.state_dict().items()}
        self.best_score = -math.inf
        self.optimiser = torch.optim.Adam(self.net.parameters(), settings.rate, fused=True)
        self.epoch = 0
        samples = samples_of(settings)
        if len(samples) < 20:
            raise MingpaiError(f"{len(samples)} samples are too few to learn from")
        train, test = divided(samples, settings.seed)
        kept = round(CALIBRATION_SHARE * len(train)) if self.is_ours else 0
        everything = np.arange(len(train))
        self.calibration, self.train = Split.of(train.take(everything[:kept])), Split.of(train.take(everything[kept:]))
        self.test = Split.of(test)
        share = float(self.train.labels.float().mean())
        weights = torch.tensor([0.5 / (1 - share), 0.5 / share]) if self.is_ours else torch.ones(2)
        self.weights = weights.to(torch.float32)

    def step(self) -> Mapping[str, float]:
        loss, right = self._learn()
        self.epoch += 1
        if self.is_ours:
            self._calibrate()
        test_loss, test_right = self._measure(self.test)
        score = -self._measure(self.calibration)[0] if self.is_ours else test_right
        if score > self.best_score:
            self.best_score = score
            self.best = {name: value.clone() for name, value in self.net.state_dict().items()}
        return {
            "train_loss": round(loss, 5), "train_accuracy": round(right, 5),
            "test_loss": round(test_loss, 5), "test_accuracy": round(test_right, 5),
            "best": round(self.best_score, 5),
        }  # fmt: skip

    def _learn(self) -> tuple[float, float]:
        """One epoch: mean loss and share of right answers while learning."""
        self.net.train()
        torch.manual_seed(seed_of(self.settings.seed, "epoch", self.epoch) % 2**31)
        order = torch.randperm(len(self.train))
        total, right = 0.0, 0
        for at in range(0, len(order), self.settings.minibatch):
            which = order[at : at + self.settings.minibatch]
            labels = self.train.labels[which]
            scores = self.net(self.train.rows[which])
            loss = functional.cross_entropy(scores, labels, weight=self.weights)
            self.optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimiser.step()
            total += loss.item() * len(which)
            right += int((scores.argmax(1) == labels).sum())
        return total / len(order), right / len(order)

    def _measure(self, part: Split) -> tuple[float, float]:
        """Loss and accuracy of the calibrated network."""
        self.net.eval()
        with torch.no_grad():
            logit = self.net.logit(part.rows)
            loss = functional.binary_cross_entropy_with_logits(logit, part.labels.float()).item()
            return loss, float(((logit > 0) == (part.labels > 0)).float().mean())

    def _calibrate(self) -> None:
        """Platt: scale and shift of least loss on the calibration set."""
        self.net.eval()
        with torch.no_grad():
            scores = self.net(self.calibration.rows)
            logit = (scores[:, 1] - scores[:, 0]).double()
        given = torch.stack([logit, torch.ones_like(logit)], 1)
        labels, weights = self.calibration.labels.double(), torch.tensor([1.0, 0.0], dtype=torch.float64)
        for _ in range(20):
            chance = torch.sigmoid(given @ weights)
            bend = (given * (chance * (1 - chance))[:, None]).T @ given + 1e-6 * torch.eye(2, dtype=torch.float64)
            weights = weights + torch.linalg.solve(bend, given.T @ (labels - chance))
        self.net.scale[0], self.net.shift[0] = weights[0].float(), weights[1].float()

    def state_dict(self) -> dict[str, Any]:
        return {"net": self.net.state_dict(), "best": self.best, "best_score": self.best_score,
                "optimiser": self.optimiser.state_dict(), "epoch": self.epoch, "features": FEATURES}  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        if state["features"] != FEATURES:
            raise MingpaiError(f"the checkpoint is of features {state['features']}, not {FEATURES}")
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.best, self.best_score, self.epoch = state["best"], state["best_score"], state["epoch"]


def network_of(settings: Settings, state: Mapping[str, Any]) -> LogitNet:
    """The best network of a checkpoint."""
    net = BiddingNet(settings.variant, settings.wide, settings.narrow, settings.dropout)
    net.load_state_dict(state["best"])
    return LogitNet(net.eval())


def _ship(run: TrainingRun, state: Mapping[str, Any], root: Path, name: str, title: str, command: str) -> Path:
    module, settings = network_of(run.settings, state), run.settings
    metrics = list(run.metrics())
    best = (
        max(line["test_accuracy"] for line in metrics) if settings.variant != "ours" else metrics[-1]["test_accuracy"]
    )
    data = settings.data or f"a log of {settings.games} simulated games, seed {settings.data_seed}"
    card = Card(
        name=name, title=title, game="doudizhu", method="bidding", features=FEATURES, seed=settings.seed,
        data=f"at most {settings.samples} cleaned samples of {data}", commit=commit(),
        command=f"mingpai train {command} --set seed={settings.seed}",
        strength={"accuracy on the test fifth": f"{100 * best:.2f}%"},
    )  # fmt: skip
    rows = torch.from_numpy((np.random.default_rng(0).random((256, features.SIZE)) < 0.3).astype(np.float32))
    about = about_run(run, metrics=max(1, len(metrics)))
    return ship_network(Graph(module, {"rows": rows}, ["logit"]), module.net, card, run, about, root)


def ship_paper(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    return _ship(run, state, root, PAPER_MODEL, "Dou Dizhu: the paper's benchmark bidding model", "bidding")


def ship_calibrated(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    return _ship(run, state, root, CALIBRATED, "Dou Dizhu: calibrated probability of a bid", "bidding-calibrated")


TRAINING = Training(
    method="bidding/paper",
    what="simulates {0.games:,} games and cleans them (or reads your samples), then learns for {0.epochs} epochs",
    settings=Settings,
    learner=BiddingLearner,
    steps=lambda learner: learner.settings.epochs,
    game="doudizhu",
    features=FEATURES,
    shipped=PAPER_MODEL,
    networks=lambda learner: (learner.net,),
    ship=ship_paper,
    may_change=("epochs", "threads"),
    log_every=1,
)

CALIBRATED_TRAINING = replace(
    TRAINING, method="bidding/calibrated", settings=OurSettings, shipped=CALIBRATED, ship=ship_calibrated
)
