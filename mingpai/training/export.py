"""From a torch network to the files of a shipped model. Every model passes through here and is checked here."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mingpai.core.errors import MingpaiError
from mingpai.models.card import NETWORK, RUN, WEIGHTS, Card
from mingpai.models.loader import FOLDER, session_of, ship
from mingpai.training.run import TrainingRun, as_json
from mingpai.training.small import round_weights, shrink_onnx

if TYPE_CHECKING:
    import torch

TOLERANCE = 1e-4
"""By how much the ONNX file may differ from the network that it was made from."""
OPSET = 17
SHIPPED_METRICS = 100
"""Lines of metrics, about, that are shipped with a model: enough for a curve."""


@dataclass(frozen=True)
class Graph:
    """A network as it is exported: its forward pass takes the inputs in their order and gives the outputs."""

    module: "torch.nn.Module"
    inputs: Mapping[str, "torch.Tensor"]
    """An example, on which the file is compared with the network too: best of random rows."""
    outputs: Sequence[str]
    axes: Mapping[str, str] = field(default_factory=dict)
    """Name of the first axis of an input or output, which may have any length; batch where it is not named."""


def write_onnx(graph: Graph, path: Path) -> None:
    """Writes the network as one ONNX file."""
    import torch

    names = (*graph.inputs, *graph.outputs)
    torch.onnx.export(
        graph.module.eval(), tuple(graph.inputs.values()), str(path), input_names=list(graph.inputs),
        output_names=list(graph.outputs), opset_version=OPSET, dynamo=False,
        dynamic_axes={name: {0: graph.axes.get(name, "batch")} for name in names},
    )  # fmt: skip


def largest_difference(graph: Graph, path: Path) -> float:
    """How far the ONNX file is from the network on the example: must be rounding alone."""
    import numpy as np
    import torch

    session = session_of(path)
    have = session.run(list(graph.outputs), {name: value.numpy() for name, value in graph.inputs.items()})
    with torch.inference_mode():
        given = graph.module(*graph.inputs.values())
    wanted = given if isinstance(given, tuple) else (given,)
    return max(float(np.abs(a - b.numpy()).max()) for a, b in zip(have, wanted, strict=True))


def about_run(
    run: TrainingRun, *, metrics: int = SHIPPED_METRICS, keeps: Callable[[Mapping[str, float]], bool] | None = None,
    **facts: Any,
) -> dict[str, Any]:  # fmt: skip
    """Settings, length and about so many lines of metrics of a run, those that `keeps` wants in any case; not where and
    when it ran."""
    lines = list(run.metrics()) if (run.path / "metrics.jsonl").exists() else []
    every = max(1, len(lines) // metrics)
    thinned = [line for i, line in enumerate(lines) if i % every == 0 or (keeps is not None and keeps(line))]
    return {"method": run.method, "settings": as_json(run.settings), **facts, "metrics": thinned}


def ship_network(
    graph: Graph, net: "torch.nn.Module", card: Card, run: TrainingRun, about: Mapping[str, Any], root: Path = FOLDER,
    *, small: bool = False,
) -> Path:  # fmt: skip
    """Makes a model folder of a network: the graph as ONNX, compared with torch, the weights of `net` to go on training
    from, what is told of the run, and the card. `small`: large matrices as bytes. Raises MingpaiError where the file
    differs."""
    from safetensors.torch import save_file

    work = run.path / "shipped" / card.name
    work.mkdir(parents=True, exist_ok=True)
    weights = round_weights(net) if small else {name: value.contiguous() for name, value in net.state_dict().items()}
    write_onnx(graph, work / NETWORK)
    if small:
        shrink_onnx(work / NETWORK)
    if (difference := largest_difference(graph, work / NETWORK)) > TOLERANCE:
        raise MingpaiError(f"the ONNX file of {card.name} differs from the network by {difference:.2g}")
    save_file(weights, str(work / WEIGHTS))
    (work / RUN).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return ship(card, {name: work / name for name in (NETWORK, WEIGHTS, RUN)}, root)
