"""Reasons as data: a code with arguments, rendered to English and Chinese from one catalogue (`reasons.toml`)."""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

Argument = str | int | float


def wordings(path: Path) -> Mapping[str, Mapping[str, str]]:
    """The texts of a TOML file by name, each with its wording in each language."""
    with path.open("rb") as file:
        return MappingProxyType(tomllib.load(file))


@functools.cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Every reason code with its template in each language."""
    return wordings(Path(__file__).with_name("reasons.toml"))


@dataclass(frozen=True)
class Reason:
    """Why something is so. `code` is a key of the catalogue; `args` fill its template."""

    code: str
    args: Mapping[str, Argument] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.code not in catalogue():
            raise KeyError(f"reason {self.code!r} is not in reasons.toml")

    def render(self, language: Language = "en") -> str:
        """The sentence in a language."""
        return catalogue()[self.code][language].format(**self.args)

    def to_json(self) -> dict[str, object]:
        return {"code": self.code, "args": dict(self.args)}

    def __hash__(self) -> int:
        return hash((self.code, tuple(sorted(self.args.items()))))
