"""From a checkpoint to what is shipped: an ONNX graph, trainable weights, the run and the checksums. Needs torch."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from mingpai._native import abduction, guandan
from mingpai.core.errors import MingpaiError
from mingpai.methods.abduction.actor import OpenJudge
from mingpai.methods.abduction.network import AblNet, Shape
from mingpai.methods.abduction.runtime import FEATURES, INPUTS, JUDGE, JUDGE_FEATURES, OUTPUTS, SHIPPED
from mingpai.models.card import NETWORK, RUN, WEIGHTS, Card
from mingpai.models.loader import ship
from mingpai.training.export import TOLERANCE
from mingpai.training.run import TrainingRun, as_json, commit

OPSET = 17
SHIPPED_METRICS = 200
"""Lines of metrics, about, that are shipped with the model."""
TITLE = "Guandan: estimated hands, policy over 168 pseudo-actions, value (ABL-GD)"


class _Dense(nn.Module):
    """The network in plain operators, for the exporter."""

    def __init__(self, net: AblNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, rows: Tensor, pseudo: Tensor, facts: Tensor, marks: Tensor, of: Tensor) -> tuple[Tensor, ...]:
        out = self.net.dense(rows, pseudo, facts, marks, of)
        # The exporter would drop an input that nothing reads.
        if not self.net.shape.option_width:
            out = out._replace(logits=out.logits + 0 * facts[:, 0])
        if not self.net.shape.marks:
            out = out._replace(logits=out.logits + 0 * marks[:, 0].float())
        return tuple(out) if self.net.shape.abln else tuple(out)[:-1]


class _DenseJudge(nn.Module):
    """The judge in plain operators, for the exporter."""

    def __init__(self, judge: OpenJudge) -> None:
        super().__init__()
        self.judge = judge

    def forward(self, rows: Tensor) -> Tensor:
        return self.judge.dense(rows)


def network_of(state: Mapping[str, Any]) -> AblNet:
    """The averaged network of a checkpoint."""
    net = AblNet(Shape(**state["shape"]))
    net.load_state_dict(state["mean"])
    return net.eval()


def write_onnx(net: AblNet, path: Path) -> None:
    """Writes the network as one ONNX file."""
    outputs = OUTPUTS if net.shape.abln else OUTPUTS[:-1]
    axes = {"rows": {0: "positions"}, "logits": {0: "options"}, **{name: {0: "options"} for name in INPUTS[1:]},
            **{name: {0: "positions"} for name in outputs[1:]}}  # fmt: skip
    torch.onnx.export(
        _Dense(net), _example(2, 3), str(path), input_names=list(INPUTS), output_names=list(outputs),
        opset_version=OPSET, dynamo=False, dynamic_axes=axes,
    )  # fmt: skip


def _example(positions: int, options: int, seed: int = 0) -> tuple[Tensor, ...]:
    rng = np.random.default_rng(seed)
    rows = (rng.random((positions, abduction.ROW_SIZE)) < 0.1).astype(np.uint8)
    pseudo = rng.integers(0, guandan.PSEUDO_ACTIONS, options)
    facts = rng.random((options, abduction.FACTS)).astype(np.float32)
    marks = (rng.random((options, abduction.MARKS)) < 0.1).astype(np.uint8)
    of = np.sort(rng.integers(0, positions, options))
    return tuple(map(torch.from_numpy, (rows, pseudo, facts, marks, of)))


def largest_difference(net: AblNet, path: Path) -> float:
    """How far the ONNX file is from the network on random rows: must be rounding alone."""
    import onnxruntime

    example = _example(64, 512, 1)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    have = session.run(None, {name: value.numpy() for name, value in zip(INPUTS, example, strict=True)})
    with torch.inference_mode():
        wanted = net.dense(*example)
    return max(float(np.abs(a - b.numpy()).max()) for a, b in zip(have, wanted, strict=False))


def ship_agent(run: TrainingRun, state: Mapping[str, Any], root: Path, name: str = SHIPPED) -> Path:
    """The averaged network of a checkpoint as a model folder. Its strength is measured and written down afterwards."""
    net = network_of(state)
    work = _work(run, state)
    write_onnx(net, work / NETWORK)
    difference = largest_difference(net, work / NETWORK)
    if difference > TOLERANCE:
        raise MingpaiError(f"the ONNX file differs from the network by {difference:.2g}")
    save_file({key: value.contiguous() for key, value in net.state_dict().items()}, str(work / WEIGHTS))
    card = Card(
        name=name, title=TITLE, game="guandan", method="abduction", features=FEATURES, seed=run.settings.seed,
        commit=commit(), command=_command(run), data=_data(state),
    )  # fmt: skip
    folder = ship(card, {file: work / file for file in (NETWORK, WEIGHTS, RUN)}, root)
    if run.settings.critic == "open":
        ship_judge(run, state, root, f"{name}-critic")
    return folder


def ship_judge(run: TrainingRun, state: Mapping[str, Any], root: Path, name: str = JUDGE) -> Path:
    """The judge of a checkpoint as a model folder."""
    judge = OpenJudge()
    judge.load_state_dict(state["critic"])
    card = Card(
        name=name, title="Guandan: the value of a round with open hands, for the search of ABL-GD", game="guandan",
        method="abduction", features=JUDGE_FEATURES, seed=run.settings.seed, commit=commit(),
        command=_command(run), data=_data(state),
    )  # fmt: skip
    work = _work(run, state)
    example = torch.zeros(2, abduction.OPEN_SIZE, dtype=torch.uint8)
    torch.onnx.export(
        _DenseJudge(judge), (example,), str(work / NETWORK), input_names=["rows"], output_names=["value"],
        opset_version=OPSET, dynamo=False, dynamic_axes={"rows": {0: "positions"}, "value": {0: "positions"}},
    )  # fmt: skip
    save_file({key: value.contiguous() for key, value in judge.state_dict().items()}, str(work / WEIGHTS))
    return ship(card, {file: work / file for file in (NETWORK, WEIGHTS, RUN)}, root)


def _work(run: TrainingRun, state: Mapping[str, Any]) -> Path:
    """The folder where the files of a model are made, with what is told of the run in it."""
    work = run.path / "shipped"
    work.mkdir(exist_ok=True)
    (work / RUN).write_text(json.dumps(_about(run, state), indent=1) + "\n", encoding="utf-8")
    return work


def _command(run: TrainingRun) -> str:
    changed = " ".join(f"--set {key}={value}" for key, value in _changed(run).items())
    return f"mingpai train ablgd {changed}".strip()


def _data(state: Mapping[str, Any]) -> str:
    progress = state["progress"]
    minutes = progress["cpu_seconds"] / 60
    return (
        f"{progress['decisions'] / 1e6:.2f} million decisions: random play, rule4's games, its own; "
        f"{minutes:.0f} processor minutes"
    )


def _changed(run: TrainingRun) -> dict[str, Any]:
    """Settings of a run that are not the defaults."""
    plain = as_json(type(run.settings)())
    return {key: value for key, value in as_json(run.settings).items() if plain[key] != value}


def _about(run: TrainingRun, state: Mapping[str, Any]) -> dict[str, Any]:
    """Settings, length and metrics of the run; not where and when it ran."""
    lines = list(run.metrics()) if (run.path / "metrics.jsonl").exists() else []
    step = max(1, len(lines) // SHIPPED_METRICS)
    thinned = [line for i, line in enumerate(lines) if i % step == 0 or "won_rule4" in line]
    progress = state["progress"]
    return {"method": run.method, "settings": as_json(run.settings), "decisions": progress["decisions"],
            "cpu_seconds": round(progress["cpu_seconds"]), "metrics": thinned}  # fmt: skip
