"""What the stages of an agent tell: a frozen dataclass for each stage, whose fields are its JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar


@dataclass(frozen=True)
class Note:
    """What one stage found. Agents derive their own kinds; numbers are rounded for reading when a note is made."""

    def to_json(self) -> Any:
        """The fields by name; one that is None by default is written only when it tells something."""
        values = ((field, getattr(self, field.name)) for field in fields(self))
        return {field.name: _json(value) for field, value in values if value is not None or field.default is not None}


N = TypeVar("N", bound=Note)


@dataclass(frozen=True)
class Listed(Note, Generic[N]):
    """One note after another: JSON has a list."""

    items: tuple[N, ...]

    def to_json(self) -> list[Any]:
        return [item.to_json() for item in self.items]


@dataclass(frozen=True)
class BySeat(Note, Generic[N]):
    """A note for each of some seats: JSON has the seats as names."""

    seats: Mapping[int, N]

    def to_json(self) -> dict[str, Any]:
        return {str(seat): note.to_json() for seat, note in self.seats.items()}


@dataclass(frozen=True)
class Stages:
    """The notes of the four stages of an agent, in order; None where a stage told nothing."""

    understand: Note | None = None
    model: Note | None = None
    infer: Note | None = None
    decide: Note | None = None

    def items(self) -> list[tuple[str, Note | None]]:
        """The stages by name, in order."""
        return [(field.name, getattr(self, field.name)) for field in fields(self)]

    def to_json(self) -> dict[str, Any]:
        return {name: None if note is None else note.to_json() for name, note in self.items()}


def _json(value: Any) -> Any:
    if isinstance(value, Note):
        return value.to_json()
    if isinstance(value, Mapping):
        return {str(key): _json(item) for key, item in value.items()}
    return [_json(item) for item in value] if isinstance(value, list | tuple) else value
