"""Records as arrays: each position's features, mask and move through the game's features module, as npz shards."""

import importlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mingpai.core.errors import NotInstalled
from mingpai.core.game import Game, View
from mingpai.records.jsonl import replacing
from mingpai.records.record import Record
from mingpai.records.replay import positions

SHARD = 50_000
"""Positions in one file, and in memory at a time."""


@runtime_checkable
class Features(Protocol):
    """What `mingpai.games.<game>.features` offers to training."""

    VERSION: str
    """Names the layout; models store it and refuse another."""
    ACTIONS: int
    """Length of the mask."""

    def encode(self, view: View) -> NDArray[Any]:
        """The position as a fixed number of values, for the seat to move."""
        ...

    def mask(self, view: View) -> NDArray[np.bool_]:
        """Which of the ACTIONS are legal."""
        ...

    def action(self, view: View, move: Any) -> int:
        """The action that stands for a move."""
        ...


def features_of(game: str) -> Features:
    """The features module of a game. Raises NotInstalled if it has none."""
    try:
        module = importlib.import_module(f"mingpai.games.{game}.features")
    except ModuleNotFoundError:
        module = None
    if not isinstance(module, Features):
        raise NotInstalled(f"a feature layout for {game}", "export jsonl or parquet instead")
    return module


def rows(records: Iterable[Record], game: Game, features: Features) -> Iterator[Mapping[str, Any]]:
    """One row per decision of the records that count: what the mover saw, did and got."""
    for number, record in enumerate(records):
        if record.points is None:
            continue
        for state, seat, move in positions(record, game):
            view = state.view(seat)
            yield {
                "features": features.encode(view),
                "mask": features.mask(view),
                "action": features.action(view, move),
                "seat": seat,
                "points": record.points[seat],
                "won": seat in record.winners,
                "record": number,
            }


def export_npz(records: Iterable[Record], game: Game, features: Features, path: Path, shard: int = SHARD) -> int:
    """Writes PATH-00000.npz, PATH-00001.npz, ...; each whole or not at all. The number of positions written."""
    waiting: list[Mapping[str, Any]] = []
    files = written = 0
    for row in rows(records, game, features):
        waiting.append(row)
        if len(waiting) == shard:
            _write(waiting, features.VERSION, shard_path(path, files))
            files, written, waiting = files + 1, written + shard, []
    if waiting or not files:
        _write(waiting, features.VERSION, shard_path(path, files))
    return written + len(waiting)


def shard_path(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}-{number:05}.npz")


def _write(waiting: list[Mapping[str, Any]], version: str, path: Path) -> None:
    names = ("features", "mask", "action", "seat", "points", "won", "record")
    arrays: dict[str, Any] = {name: np.array([row[name] for row in waiting]) for name in names}
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, version=np.array(version), **arrays)
