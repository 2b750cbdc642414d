"""From a checkpoint to what is shipped: an ONNX graph, trainable weights, the run and the checksums. Needs torch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mingpai._native import abduction, guandan
from mingpai.methods.abduction.actor import OpenJudge
from mingpai.methods.abduction.network import AblNet, Shape
from mingpai.methods.abduction.runtime import FEATURES, INPUTS, JUDGE, JUDGE_FEATURES, OUTPUTS, PAPER_MODEL, SHIPPED
from mingpai.models.card import Card
from mingpai.training.export import Graph, about_run, ship_network
from mingpai.training.run import TrainingRun, command_of, commit

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


def graph_of(net: AblNet) -> Graph:
    """The network in plain operators, with random rows as the example."""
    outputs = OUTPUTS if net.shape.abln else OUTPUTS[:-1]
    axes = {"rows": "positions", "logits": "options", **dict.fromkeys(INPUTS[1:], "options"),
            **dict.fromkeys(outputs[1:], "positions")}  # fmt: skip
    return Graph(_Dense(net), dict(zip(INPUTS, _example(64, 512), strict=True)), outputs, axes)


def judge_graph(judge: OpenJudge) -> Graph:
    """The judge in plain operators, with random rows as the example."""
    rows = torch.from_numpy((np.random.default_rng(0).random((64, abduction.OPEN_SIZE)) < 0.1).astype(np.uint8))
    return Graph(_DenseJudge(judge), {"rows": rows}, ["value"], {"rows": "positions", "value": "positions"})


def _example(positions: int, options: int, seed: int = 0) -> tuple[Tensor, ...]:
    rng = np.random.default_rng(seed)
    rows = (rng.random((positions, abduction.ROW_SIZE)) < 0.1).astype(np.uint8)
    pseudo = rng.integers(0, guandan.PSEUDO_ACTIONS, options)
    facts = rng.random((options, abduction.FACTS)).astype(np.float32)
    marks = (rng.random((options, abduction.MARKS)) < 0.1).astype(np.uint8)
    of = np.sort(rng.integers(0, positions, options))
    return tuple(map(torch.from_numpy, (rows, pseudo, facts, marks, of)))


def ship_agent(run: TrainingRun, state: Mapping[str, Any], root: Path, name: str | None = None) -> Path:
    """The averaged network of a checkpoint as a model folder. Its strength is measured and written down afterwards."""
    name = name or shipped_name(run.settings)
    net = network_of(state)
    card = _card(run, state, name, TITLE, FEATURES)
    small = name == PAPER_MODEL
    folder = ship_network(graph_of(net), net, card, run, _about(run, state), root, small=small)
    if run.settings.critic == "open" and not run.settings.winning:
        ship_judge(run, state, root, f"{name}-critic")
    return folder


def shipped_name(settings: Any) -> str:
    """The shipped model that runs of these settings make and go on from."""
    return PAPER_MODEL if settings.config == "paper" else SHIPPED


def ship_judge(run: TrainingRun, state: Mapping[str, Any], root: Path, name: str = JUDGE) -> Path:
    """The judge of a checkpoint as a model folder."""
    judge = OpenJudge()
    judge.load_state_dict(state["critic"])
    title = "Guandan: the value of a round with open hands, for the search of ABL-GD"
    card = _card(run, state, name, title, JUDGE_FEATURES)
    return ship_network(judge_graph(judge), judge, card, run, _about(run, state), root)


def _card(run: TrainingRun, state: Mapping[str, Any], name: str, title: str, features: str) -> Card:
    return Card(
        name=name, title=title, game="guandan", method="abduction", features=features, seed=run.settings.seed,
        commit=commit(), command=command_of("ablgd", run.settings), data=_data(run, state),
    )  # fmt: skip


def _data(run: TrainingRun, state: Mapping[str, Any]) -> str:
    progress = state["progress"]
    s = run.settings
    supervised = progress["decisions"] < s.pretrain + s.imitate
    of = (
        "random play and rule4's games; its own are still to come"
        if supervised
        else "random play, rule4's games, its own"
    )
    minutes = progress["cpu_seconds"] / 60
    return f"{progress['decisions'] / 1e6:.2f} million decisions: {of}; {minutes:.0f} processor minutes"


def _about(run: TrainingRun, state: Mapping[str, Any]) -> dict[str, Any]:
    """Settings, length and metrics of the run, every measurement against rule4 among them."""
    progress = state["progress"]
    facts = {"decisions": progress["decisions"], "cpu_seconds": round(progress["cpu_seconds"])}
    return about_run(run, metrics=SHIPPED_METRICS, keeps=lambda line: "won_rule4" in line, **facts)
