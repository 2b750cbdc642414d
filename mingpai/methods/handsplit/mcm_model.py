"""The value network at run time: ONNX, without torch."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mingpai._native import selfplay
from mingpai.models.loader import load

SHIPPED = "doudizhu-value"
FEATURES = f"doudizhu-value-{selfplay.FEATURE_VERSION}"
"""Name of the feature layout (native/selfplay/features.hpp)."""

Rows = NDArray[np.uint8]
Values = NDArray[np.float32]


class Evaluate(Protocol):
    """Values of many moves: move i belongs to state of[i]. Two columns: the logit of winning, and points."""

    def __call__(self, states: Rows, moves: Rows, of: NDArray[np.int64]) -> Values: ...


def open_model(name: str = SHIPPED) -> Evaluate:
    """A shipped model by name, or a model folder of one's own by path."""
    model = load(name, game="doudizhu", features=FEATURES)

    def evaluate(states: Rows, moves: Rows, of: NDArray[np.int64]) -> Values:
        return model.run({"states": states, "moves": moves, "of": of})["values"]

    return evaluate


def state_of_each_move(offsets: NDArray[np.int32]) -> NDArray[np.int64]:
    """The input `of` from where the moves of each state start."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
