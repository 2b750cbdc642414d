# Written by tools/stubs.py from the build. Do not edit.
"""Budgets and random streams."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


class Budget:
    """What a long call may spend; cancel() from another thread stops it."""

    def __init__(self, seconds: float = 0.0, nodes: int = 18446744073709551615) -> None:
        """seconds <= 0: no time limit. nodes: no limit by default."""

    def cancel(self) -> None: ...

    @property
    def is_exhausted(self) -> bool: ...

    @property
    def used(self) -> int:
        """Nodes spent so far."""

    @property
    def seconds(self) -> float:
        """Seconds since the start."""

class Rng:
    """xoshiro256** seeded by splitmix64."""

    def __init__(self, seed: int) -> None: ...

    def next(self) -> int: ...

    def below(self, n: int) -> int: ...

    def uniform(self) -> float: ...

def stream_seed(seed: int, index: int) -> int:
    """The seed of stream `index` of `seed`."""

def sparse_forward(x: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], of: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, relu: bool, out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """
    out[i] = start[of[i]] + x[i] @ weights, cut at zero if relu. Without `of` every row starts from start[0].
    """

def sparse_backward(x: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], out_gradient: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], gradient: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """gradient += x.T @ out_gradient."""
