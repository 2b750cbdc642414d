"""npz shards as shuffled batches: a few shards in memory at a time, the same order for the same seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai.core.errors import MingpaiError
from mingpai.core.random import stream
from mingpai.records.features import dense_masks

SHARDS_AT_ONCE = 4
"""Shards mixed with each other."""


@dataclass(frozen=True)
class Batch:
    """Some decisions, one per row."""

    features: NDArray[Any]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    points: NDArray[np.float64]
    won: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.actions)


def shards(pattern: Path) -> list[Path]:
    """The shards that `export_npz` wrote for a path."""
    found = sorted(pattern.parent.glob(f"{pattern.stem}-*.npz"))
    if not found:
        raise MingpaiError(f"no shards {pattern.stem}-*.npz in {pattern.parent}")
    return found


def batches(paths: Sequence[Path], size: int, *, features: int, seed: int, epoch: int = 0) -> Iterator[Batch]:
    """One pass over the shards in random order; the last batch may be smaller. Refuses another feature layout."""
    rng = stream(seed, "batches", epoch)
    order = [paths[int(index)] for index in rng.permutation(len(paths))]
    left: list[Batch] = []
    for at in range(0, len(order), SHARDS_AT_ONCE):
        loaded = [_load(path, features) for path in order[at : at + SHARDS_AT_ONCE]]
        places = np.concatenate([np.stack([np.full(len(s["action"]), n), np.arange(len(s["action"]))], 1)
                                 for n, s in enumerate(loaded)])  # fmt: skip
        rng.shuffle(places)
        for start in range(0, len(places), size):
            batch = _take(loaded, places[start : start + size])
            if len(batch) == size:
                yield batch
            elif len(batch):
                left.append(batch)
    yield from left


def _load(path: Path, features: int) -> dict[str, NDArray[Any]]:
    with np.load(path) as data:
        if int(data["version"]) != features:
            raise MingpaiError(f"{path} has feature layout {int(data['version'])}, not {features}: export it again")
        return dict(data)


def _take(loaded: Sequence[dict[str, NDArray[Any]]], places: NDArray[np.int64]) -> Batch:
    parts = [(shard, places[places[:, 0] == number, 1]) for number, shard in enumerate(loaded)]

    def column(name: str) -> NDArray[Any]:
        return np.concatenate([shard[name][which] for shard, which in parts if len(which)])

    masks = np.concatenate([dense_masks(shard, which) for shard, which in parts if len(which)])
    return Batch(column("features"), masks, column("action"), column("points"), column("won"))
