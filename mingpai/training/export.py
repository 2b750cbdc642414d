"""From a torch network to the files of a shipped model."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mingpai.core.errors import MingpaiError
from mingpai.models.card import NETWORK, RUN, WEIGHTS, Card
from mingpai.models.loader import FOLDER, Model, ship
from mingpai.records.jsonl import replacing
from mingpai.training.run import TrainingRun

if TYPE_CHECKING:
    import torch

TOLERANCE = 1e-4
"""By how much the ONNX file may differ from the network that it was made from."""


def export_onnx(
    module: "torch.nn.Module", example: Mapping[str, "torch.Tensor"], outputs: Sequence[str], path: Path
) -> None:
    """Writes the network as ONNX; the first axis of every input is the batch and may have any length."""
    import torch

    module.eval()
    with replacing(path) as temporary:
        torch.onnx.export(
            module, tuple(example.values()), str(temporary), input_names=list(example), output_names=list(outputs),
            dynamic_axes={name: {0: "batch"} for name in (*example, *outputs)}, dynamo=False,
        )  # fmt: skip


def ship_module(
    module: "torch.nn.Module", example: Mapping[str, "torch.Tensor"], outputs: Sequence[str], card: Card,
    run: TrainingRun, root: Path = FOLDER,
) -> Path:  # fmt: skip
    """Ships a trained network: ONNX, weights, the run's description and the card. Checked against torch before."""
    from safetensors.torch import save_file

    work = run.path / "shipped"
    work.mkdir(exist_ok=True)
    export_onnx(module, example, outputs, work / NETWORK)
    save_file({name: value.contiguous() for name, value in module.state_dict().items()}, str(work / WEIGHTS))
    files = {NETWORK: work / NETWORK, WEIGHTS: work / WEIGHTS, RUN: run.path / "run.json"}
    folder = ship(card, files, root)
    _check_same(module, example, Model(folder))
    return folder


def _check_same(module: "torch.nn.Module", example: Mapping[str, "torch.Tensor"], model: Model) -> None:
    import torch

    with torch.no_grad():
        given = module(*example.values())
    given = given if isinstance(given, tuple) else (given,)
    run = model.run({name: value.numpy() for name, value in example.items()})
    for name, expected in zip(model.outputs, given, strict=True):
        difference = float((torch.from_numpy(run[name]) - expected).abs().max())
        if difference > TOLERANCE:
            raise MingpaiError(f"the ONNX file of {model.card.name} differs from torch by {difference:.2g} in {name}")
