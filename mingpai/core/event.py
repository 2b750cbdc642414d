"""What happens at the table, as data: the same type in records, protocols, agents' ears and tests."""

from collections.abc import Mapping
from dataclasses import dataclass

from mingpai.core.errors import BadlyWritten


@dataclass(frozen=True)
class Event:
    """One thing that happened. `text` is written in the game's notation."""

    kind: str
    """What happened: deal, bid, bottom, play, tribute, return, post, act, board, show, ..."""
    seat: int | None
    """Who did it or received it; None for the table itself."""
    text: str
    """Cards, move or amount, in the game's notation."""
    private: bool = False
    """True when only `seat` sees it (his own cards)."""

    def is_visible_to(self, seat: int) -> bool:
        return not self.private or self.seat == seat

    def to_json(self) -> list[object]:
        """Compact: [kind, seat, text], with a fourth item true for a private event."""
        short: list[object] = [self.kind, self.seat, self.text]
        return [*short, True] if self.private else short

    @classmethod
    def from_json(cls, data: object) -> "Event":
        if isinstance(data, list) and len(data) in (3, 4):
            kind, seat, text, private = (*data, False)[:4]
            is_seat = seat is None or (isinstance(seat, int) and not isinstance(seat, bool))
            if isinstance(kind, str) and is_seat and isinstance(text, str) and isinstance(private, bool):
                return cls(kind, seat, text, private)
        raise BadlyWritten(data, 'an event ["kind", seat, "text"]')


def require(data: Mapping[str, object], field: str, kind: type | tuple[type, ...], expected: str) -> object:
    """The field of a JSON object, or a clear error that names it."""
    value = data.get(field)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise BadlyWritten({field: value} if field in data else f"an object without {field!r}", f"{field}: {expected}")
    return value
