"""Large networks shipped small: matrices as bytes with one scale each, a quarter of the size. Needs torch and onnx.

The network itself is rounded first, so that the ONNX file, the weights to go on training from and the torch network
that both are compared with are the same network.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mingpai.models.loader import SCALE

if TYPE_CHECKING:
    import torch

LEAST = 4096
"""Matrices with fewer numbers stay as they are."""
MOST = 127


def round_weights(net: "torch.nn.Module") -> dict[str, "torch.Tensor"]:
    """Rounds the large matrices of a network to multiples of their scale, in place; its weights with these as bytes."""
    import torch

    small: dict[str, torch.Tensor] = {}
    for name, value in net.state_dict().items():
        if value.ndim != 2 or value.numel() < LEAST:
            small[name] = value.contiguous()
            continue
        scale = value.abs().max().clamp(min=1e-12) / MOST
        steps = (value / scale).round().to(torch.int8)
        value.copy_(steps * scale)
        small |= {name: steps.contiguous(), name + SCALE: scale.reshape(1)}
    return small


def shrink_onnx(path: Path) -> None:
    """Replaces the large matrices of a file, all multiples of their scale, by bytes that are scaled on load."""
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(str(path))
    kept, nodes = [], []
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype != np.float32 or array.ndim != 2 or array.size < LEAST:
            kept.append(tensor)
            continue
        scale, steps = _steps(array)
        names = tensor.name + ".steps", tensor.name + ".scale"
        kept += [numpy_helper.from_array(steps, names[0]), numpy_helper.from_array(np.array(scale), names[1])]
        nodes.append(helper.make_node("DequantizeLinear", list(names), [tensor.name]))
    inner: Any = model.graph
    del inner.initializer[:]
    inner.initializer.extend(kept)
    given = list(inner.node)
    del inner.node[:]
    inner.node.extend([*nodes, *given])
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _steps(array: NDArray[np.float32]) -> tuple[np.float32, NDArray[np.int8]]:
    scale = np.float32(max(float(np.abs(array).max()), 1e-12) / MOST)
    return scale, np.round(array / scale).astype(np.int8)
