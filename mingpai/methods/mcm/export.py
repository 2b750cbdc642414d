"""From a checkpoint to what is shipped: an ONNX graph, trainable weights, the run and the checksums. Needs torch."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mingpai._native import mcm
from mingpai.core.errors import MingpaiError
from mingpai.methods.mcm.network import Shape, ValueNet
from mingpai.methods.mcm.rows import FEATURES, OPEN_FEATURES
from mingpai.models.card import NETWORK, RUN, WEIGHTS, Card
from mingpai.models.loader import load, ship
from mingpai.training.export import TOLERANCE
from mingpai.training.run import TrainingRun, as_json, commit

INPUTS = ("states", "moves", "of")
"""Rows of states (uint8), rows of moves (uint8), and the state of each move (int64)."""
OUTPUT = "values"
"""Two columns for each move: the logit of winning, and points."""
OPSET = 17

SHIPPED = "doudizhu-value"
"""Name of the shipped model."""

SHIPPED_METRICS = 100
"""Lines of metrics, about, that are shipped with the model: enough for a curve."""


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
    weights = load(name, game="doudizhu", features=features).weights()
    return _from_weights({key: torch.from_numpy(value.copy()) for key, value in weights.items()}, mixed=mixed)


def _from_weights(weights: Mapping[str, Tensor], *, mixed: bool = False) -> ValueNet:
    """The network that has these weights; they say its sizes."""
    width, joint = (weights[key].shape[1] for key in ("state_weights", "move_weights"))
    depth = 1 + len({key for key in weights if key.startswith("blocks.") and key.endswith(".weight")})
    is_open = len(weights["state_weights"]) == mcm.OPEN_STATE_SIZE
    net = ValueNet(Shape(width, depth, joint, len(weights["hidden.bias"])), mixed=mixed, is_open=is_open)
    net.load_state_dict(weights)
    return net.eval().requires_grad_(False)


def write_onnx(net: ValueNet, path: Path) -> None:
    """Writes the network as one ONNX file."""
    states = torch.zeros(2, len(net.state_weights), dtype=torch.uint8)
    moves = torch.zeros(3, len(net.move_weights), dtype=torch.uint8)
    of = torch.tensor([0, 0, 1])
    torch.onnx.export(
        _Dense(net), (states, moves, of), str(path), input_names=list(INPUTS), output_names=[OUTPUT],
        opset_version=OPSET, dynamo=False,
        dynamic_axes={"states": {0: "states"}, "moves": {0: "moves"}, "of": {0: "moves"}, OUTPUT: {0: "moves"}},
    )  # fmt: skip


def largest_difference(net: ValueNet, path: Path, rows: int = 64, seed: int = 0) -> float:
    """How far the ONNX file is from the network on random rows: must be rounding alone."""
    import onnxruntime

    rng = np.random.default_rng(seed)
    states = (rng.random((rows, len(net.state_weights))) < 0.1).astype(np.uint8)
    moves = (rng.random((4 * rows, len(net.move_weights))) < 0.1).astype(np.uint8)
    of = np.sort(rng.integers(0, rows, 4 * rows))
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (have,) = session.run([OUTPUT], {"states": states, "moves": moves, "of": of})
    with torch.inference_mode():
        wanted = net.dense(*(torch.from_numpy(array) for array in (states, moves, of))).numpy()
    return float(np.abs(have - wanted).max())


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
    from safetensors.torch import save_file

    net = network_of(state)
    work = run.path / "shipped" / name
    work.mkdir(parents=True, exist_ok=True)
    write_onnx(net, work / NETWORK)
    difference = largest_difference(net, work / NETWORK)
    if difference > TOLERANCE:
        raise MingpaiError(f"the ONNX file differs from the network by {difference:.2g}")
    save_file({key: value.contiguous() for key, value in net.state_dict().items()}, str(work / WEIGHTS))
    card = Card(
        name=name, title=title, game="doudizhu",
        method="handsplit", features=OPEN_FEATURES if net.is_open else FEATURES, seed=run.settings.seed,
        commit=commit(), data=data or own_games(run, state), command=command or own_command(run, "mcm"),
    )  # fmt: skip
    (work / RUN).write_text(json.dumps(_about(run, state), indent=1) + "\n", encoding="utf-8")
    return ship(card, {file: work / file for file in (NETWORK, WEIGHTS, RUN)}, root)


def own_games(run: TrainingRun, state: Mapping[str, Any]) -> str:
    """What a run of self-play learned from."""
    learned, minutes = state["steps"] * run.settings.minibatch / 1e6, state["cpu_seconds"] / 60
    return f"{learned:.1f} million decisions of its own games, {minutes:.0f} processor minutes"


def own_command(run: TrainingRun, command: str) -> str:
    """The command of a run of self-play."""
    return f"mingpai train {command} --set samples={run.settings.samples} --set seed={run.settings.seed}"


def _about(run: TrainingRun, state: Mapping[str, Any]) -> dict[str, Any]:
    """Settings, length and metrics of the run; not where and when it ran."""
    lines = list(run.metrics()) if (run.path / "metrics.jsonl").exists() else []
    thinned = lines[:: max(1, len(lines) // SHIPPED_METRICS)]
    return {
        "method": run.method,
        "settings": as_json(run.settings),
        "samples": state.get("learned", state["steps"] * run.settings.minibatch),
        "cpu_seconds": round(state["cpu_seconds"]),
        "metrics": thinned,
    }
