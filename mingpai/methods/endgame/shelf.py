"""Shipped levels: a file of puzzles, one a line, numbered from 1. One shelf holds the two-handed levels, one those from
whole deals."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from mingpai._native.endgame import Pruning
from mingpai.core.errors import BadSetting

YARDSTICK = Pruning(raised=False)
"""The search that measures a level's proof: with the rules it had when the shipped levels were graded, so that a faster
search does not make them easier."""


class Written(Protocol):
    """What can stand on a shelf."""

    def to_json(self) -> dict[str, Any]: ...


P = TypeVar("P", bound=Written)


@dataclass(frozen=True)
class Shelf(Generic[P]):
    """The levels of one file."""

    path: Path
    read: Callable[[Mapping[str, Any]], P]

    @cached_property
    def levels(self) -> Sequence[P]:
        """Level 1 first."""
        return tuple(self.read(json.loads(line)) for line in self.path.read_text().splitlines())

    def level(self, number: int) -> P:
        """A level by its number, from 1."""
        if not 1 <= number <= len(self.levels):
            raise BadSetting("level", number, f"1 to {len(self.levels)}")
        return self.levels[number - 1]


def write_levels(levels: Sequence[Written], path: Path) -> None:
    """A file for a shelf, in this order."""
    lines = [json.dumps({"level": number, **puzzle.to_json()}) for number, puzzle in enumerate(levels, 1)]
    path.write_text("\n".join(lines) + "\n")
