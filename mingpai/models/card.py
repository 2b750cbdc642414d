"""The card of a model: what it is, how it was made, how strong it is, and the checksums of its files."""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mingpai.core.errors import BadlyWritten, MingpaiError

CARD = "card.toml"
NETWORK = "model.onnx"
WEIGHTS = "weights.safetensors"
RUN = "run.json"

REQUIRED = ("title", "game", "method", "features", "data", "command", "seed", "commit")


class BadModel(MingpaiError):
    """A model that must not be used: damaged, incomplete, or made for another feature layout."""


@dataclass(frozen=True)
class Card:
    """What a model says of itself."""

    name: str
    """Name of its folder."""
    title: str
    """One line."""
    game: str
    method: str
    """Which room of mingpai/methods made it."""
    features: str
    """Version of the feature layout that it reads."""
    data: str
    """What it learned from."""
    command: str
    """The command that made it."""
    seed: int
    commit: str
    """The commit it was made on."""
    strength: Mapping[str, str] = field(default_factory=dict)
    """Measured strength: what was measured -> result with interval, deals and command."""
    files: Mapping[str, str] = field(default_factory=dict)
    """File -> SHA-256."""

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, **{key: getattr(self, key) for key in REQUIRED},
                "strength": dict(self.strength), "files": dict(self.files)}  # fmt: skip

    def to_toml(self) -> str:
        lines = [f"{key} = {_toml(getattr(self, key))}" for key in REQUIRED]
        for table in ("strength", "files"):
            lines += ["", f"[{table}]"]
            lines += [f"{_toml(key)} = {_toml(value)}" for key, value in getattr(self, table).items()]
        return "\n".join(lines) + "\n"


def read_card(folder: Path) -> Card:
    """The card of a model folder. Raises BadModel."""
    try:
        data = tomllib.loads((folder / CARD).read_bytes().decode("utf-8"))
        for key in REQUIRED:
            if not isinstance(data.get(key), int if key == "seed" else str):
                raise BadlyWritten({key: data.get(key)}, "a whole number" if key == "seed" else "a text")
        return Card(folder.name, **{key: data[key] for key in REQUIRED},
                    strength=data.get("strength", {}), files=data.get("files", {}))  # fmt: skip
    except FileNotFoundError:
        raise BadModel(f"no model in {folder}: it has no {CARD}") from None
    except (ValueError, RecursionError) as error:
        raise BadModel(f"{folder / CARD}: {error}") from None


def checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_files(folder: Path, card: Card) -> None:
    """Raises BadModel unless every file of the card is there and unchanged."""
    if NETWORK not in card.files:
        raise BadModel(f"model {card.name}: its card does not list {NETWORK}")
    for name, expected in card.files.items():
        path = folder / name
        if not path.is_file():
            raise BadModel(f"model {card.name}: {name} is missing")
        if checksum(path) != expected:
            raise BadModel(f"model {card.name}: {name} is damaged or was replaced (checksum {checksum(path)[:12]}...)")


def _toml(value: str | int) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
