"""From a checkpoint to what is shipped: an ONNX graph, trainable weights, the run and the checksums. Needs torch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mingpai._native import mcm
from mingpai.methods.mcm.network import Shape, ValueNet
from mingpai.methods.mcm.rows import FEATURES, OPEN_FEATURES, load_value, widened
from mingpai.models.card import Card
from mingpai.training.export import Graph, about_run, ship_network
from mingpai.training.run import TrainingRun, commit

INPUTS = ("states", "moves", "of")
"""Rows of states (uint8), rows of moves (uint8), and the state of each move (int64)."""
OUTPUT = "values"
"""Two columns for each move: the logit of winning, and points."""

SHIPPED = "doudizhu-value"
"""Name of the shipped model."""


LARGE = 8_000_000
"""Bytes of weights from which a network is shipped with its matrices as bytes."""


class _Dense(nn.Module):
    """The network in plain operators, for the exporter."""

    def __init__(self, net: ValueNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, states: Tensor, moves: Tensor, of: Tensor) -> Tensor:
        return self.net.dense(states, moves, of)


def network_of(state: Mapping[str, Any]) -> ValueNet:
    """The averaged network of a checkpoint."""
    return _from_weights(state["mean"])


def shipped_network(name: str, features: str = FEATURES, *, mixed: bool = False) -> ValueNet:
    """A shipped value network by name, or a model folder by path, as it was trained."""
    weights = widened(load_value(name, features).weights())
    return _from_weights({key: torch.from_numpy(value.copy()) for key, value in weights.items()}, mixed=mixed)


def _from_weights(weights: Mapping[str, Tensor], *, mixed: bool = False) -> ValueNet:
    """The network that has these weights; they say its sizes."""
    width, joint = (weights[key].shape[1] for key in ("state_weights", "move_weights"))
    depth = 1 + len({key for key in weights if key.startswith("blocks.") and key.endswith(".weight")})
    is_open = len(weights["state_weights"]) == mcm.OPEN_STATE_SIZE
    roles = len(weights["project.bias"]) // joint
    shape = Shape(width, depth, joint, len(weights["hidden.bias"]) // roles, roles > 1)
    net = ValueNet(shape, mixed=mixed, is_open=is_open)
    net.load_state_dict(weights)
    return net.eval().requires_grad_(False)


def graph_of(net: ValueNet, rows: int = 64) -> Graph:
    """The network in plain operators, with random rows as the example."""
    rng = np.random.default_rng(0)
    states = (rng.random((rows, len(net.state_weights))) < 0.1).astype(np.uint8)
    moves = (rng.random((4 * rows, len(net.move_weights))) < 0.1).astype(np.uint8)
    of = np.sort(rng.integers(0, rows, 4 * rows))
    inputs = {name: torch.from_numpy(value) for name, value in zip(INPUTS, (states, moves, of), strict=True)}
    return Graph(_Dense(net), inputs, [OUTPUT], {"states": "states", "moves": "moves", "of": "moves", OUTPUT: "moves"})


TITLE = "Dou Dizhu: the value of every legal move, for wins and for points"
JUDGE_TITLE = "Dou Dizhu: the value of every legal move when all hands are open, for worlds of a belief"


def ship_value(
    run: TrainingRun,
    state: Mapping[str, Any],
    root: Path,
    name: str = SHIPPED,
    title: str = TITLE,
    *,
    data: str | None = None,
    command: str | None = None,
) -> Path:
    """The averaged network of a checkpoint as a model folder. Its strength is measured and written down afterwards."""
    net = network_of(state)
    card = Card(
        name=name, title=title, game="doudizhu",
        method="handsplit", features=OPEN_FEATURES if net.is_open else FEATURES, seed=run.settings.seed,
        commit=commit(), data=data or own_games(run, state), command=command or own_command(run, "mcm"),
    )  # fmt: skip
    small = sum(weights.nbytes for weights in net.state_dict().values()) > LARGE
    facts = {"samples": state["steps"] * run.settings.minibatch, "cpu_seconds": round(state["cpu_seconds"])}
    return ship_network(graph_of(net), net, card, run, about_run(run, **facts), root, small=small)


def own_games(run: TrainingRun, state: Mapping[str, Any]) -> str:
    """What a run of self-play learned from."""
    learned, minutes = state["steps"] * run.settings.minibatch / 1e6, state["cpu_seconds"] / 60
    return f"{learned:.1f} million decisions of its own games, {minutes:.0f} processor minutes"


def own_command(run: TrainingRun, command: str) -> str:
    """The command of a run of self-play."""
    return f"mingpai train {command} --set samples={run.settings.samples} --set seed={run.settings.seed}"
