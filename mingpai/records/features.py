"""Records as arrays: each position's features, mask and move through the game's features module, as npz shards.

A shard holds, one row per decision of a deal that counts: `features`; `action`, the number of the move; `seat`;
`points` and `won`, what the mover got in the end; `record`, the number of the deal; and for all rows the `version` of
the layout and `actions`, how many there are. Masks are sparse: the legal actions of row i are
`legal[start[i]:start[i + 1]]` (Dou Dizhu has 27,000 actions and about ten of them legal); see `dense_masks`.
"""

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mingpai.core.errors import NotInstalled
from mingpai.core.game import Game
from mingpai.records.jsonl import replacing
from mingpai.records.record import Record
from mingpai.records.replay import positions

SHARD = 20_000
"""Positions in one file, and in memory at a time."""


@runtime_checkable
class Features(Protocol):
    """What `mingpai.games.<game>.features` offers to training."""

    FEATURE_VERSION: int
    """Models store it and refuse another."""

    def observation(self, view: Any) -> NDArray[Any]:
        """The position as a fixed number of values."""
        ...

    def action_count(self, rules: str) -> int:
        """How many actions have a number under some rules."""
        ...

    def choice(self, view: Any, move: Any) -> tuple[Sequence[int], int]:
        """The numbers of the legal actions of a view, and that of the move chosen."""
        ...


def features_of(game: str) -> Features:
    """The features module of a game. Raises NotInstalled if it has none."""
    try:
        module: object = importlib.import_module(f"mingpai.games.{game}.features")
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
        actions = features.action_count(record.rules)
        for state, seat, move in positions(record, game):
            view = state.view(seat)
            legal, action = features.choice(view, move)
            yield {
                "features": features.observation(view),
                "legal": np.array(sorted(legal), np.int32),
                "action": action,
                "actions": actions,
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
            _write(waiting, features.FEATURE_VERSION, shard_path(path, files))
            files, written, waiting = files + 1, written + shard, []
    if waiting or not files:
        _write(waiting, features.FEATURE_VERSION, shard_path(path, files))
    return written + len(waiting)


def shard_path(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}-{number:05}.npz")


def dense_masks(shard: Mapping[str, NDArray[Any]], which: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The masks of some rows of a shard, one bool per action."""
    masks = np.zeros((len(which), int(shard["actions"])), np.bool_)
    for place, row in enumerate(which):
        masks[place, shard["legal"][shard["start"][row] : shard["start"][row + 1]]] = True
    return masks


def _write(waiting: list[Mapping[str, Any]], version: int, path: Path) -> None:
    names = ("features", "action", "seat", "points", "won", "record")
    arrays: dict[str, Any] = {name: np.array([row[name] for row in waiting]) for name in names}
    arrays["start"] = np.cumsum([0, *(len(row["legal"]) for row in waiting)])
    arrays["legal"] = np.concatenate([row["legal"] for row in waiting]) if waiting else np.zeros(0, np.int32)
    arrays["actions"] = np.array(max((row["actions"] for row in waiting), default=0))
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, version=np.array(version), **arrays)
