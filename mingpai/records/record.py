"""The record of one deal: everything needed to play it again, card for card."""

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mingpai.core.errors import BadlyWritten
from mingpai.core.event import Event, require
from mingpai.core.game import State
from mingpai.core.reading import WHOLE, read_object

SCHEMA = 1
"""Version of the record layout. Readers refuse a newer one."""


@dataclass(frozen=True)
class Record:
    """One deal, finished or void."""

    game: str
    """Name of the game."""
    rules: str
    """Name of the rule profile."""
    switches: Mapping[str, Any]
    """The switches of the profile as they were when the deal was played."""
    setup: Mapping[str, Any]
    """What the deal started from apart from the cards."""
    deck: str
    """The deal as text, in the game's notation."""
    players: tuple[str, ...]
    """Who sat at each seat: agent specs or names."""
    seats: tuple[str, ...]
    """How the seats were called at the end of the deal, for example landlord, down, up."""
    events: tuple[Event, ...]
    """Everything that happened, private deals included."""
    points: tuple[float, ...] | None
    """What each seat won, in the game's unit; None when the deal was not finished."""
    winners: tuple[int, ...] = ()
    """Seats of the side that won; empty when the deal was not finished."""
    void: str | None = None
    """Why the deal does not count; None when it does."""
    seed: int | None = None
    """The seed the deck came from; None for cards from elsewhere."""
    tags: Mapping[str, Any] = field(default_factory=dict)
    """What else is known, JSON-ready: number of the deal in a match, source, cards lying open."""

    @functools.cached_property
    def key(self) -> str:
        """Names the record by its content, whatever its tags: the same deal imported twice is one."""
        data = self.to_json()
        del data["tags"]
        text = json.dumps(data, sort_keys=True, ensure_ascii=False)
        return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "game": self.game,
            "rules": self.rules,
            "switches": dict(self.switches),
            "setup": dict(self.setup),
            "deck": self.deck,
            "players": list(self.players),
            "seats": list(self.seats),
            "seed": self.seed,
            "events": [event.to_json() for event in self.events],
            "points": None if self.points is None else list(self.points),
            "winners": list(self.winners),
            "void": self.void,
            "tags": dict(self.tags),
        }

    def dumps(self) -> str:
        """One line of JSON."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def loads(cls, line: str) -> "Record":
        """The record of one line. Raises BadlyWritten."""
        return cls.from_json(read_object(line, "one JSON object per line"))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Record":
        """The record of a JSON object, checked field by field; `mingpai.records.replay` checks the play."""
        schema = require(data, "schema", int, "the schema version, a whole number")
        if schema != SCHEMA:
            raise BadlyWritten({"schema": schema}, f"schema {SCHEMA}, the version this program reads")
        points, players = data.get("points"), _items(data, "players", str)
        return cls(
            game=_text(data, "game"),
            rules=_text(data, "rules"),
            switches=_object(data, "switches"),
            setup=_object(data, "setup"),
            deck=_text(data, "deck"),
            players=players,
            seats=_items(data, "seats", str),
            events=tuple(map(Event.from_json, _items(data, "events", list))),
            points=None if points is None else tuple(map(float, _items(data, "points", (int, float)))),
            winners=_within(data, "winners", range(len(players))),
            void=None if data.get("void") is None else _text(data, "void"),
            seed=None if data.get("seed") is None else _within({"seed": [data["seed"]]}, "seed", WHOLE)[0],
            tags=_object(data, "tags"),
        )


def record_of(
    state: State, players: Sequence[str], *, seed: int | None = None, void: str | None = None,
    tags: Mapping[str, Any] | None = None,
) -> Record:  # fmt: skip
    """The record of a deal as it stands. A deal that is not over must say why it is void."""
    assert state.is_over or void is not None, "an unfinished deal needs the reason why it is void"
    counts = state.is_over and void is None
    return Record(
        game=state.game.name,
        rules=state.rules,
        switches=state.game.profile_json(state.rules),
        setup=dict(state.setup()),
        deck=state.deck(),
        players=tuple(players),
        seats=tuple(state.seat_name(seat) for seat in range(state.seats)),
        events=tuple(state.events()),
        points=tuple(map(float, state.points())) if counts else None,
        winners=tuple(state.winners()) if counts else (),
        void=void,
        seed=seed,
        tags=dict(tags or {}),
    )


def _text(data: Mapping[str, Any], name: str) -> str:
    value = require(data, name, str, "a text")
    assert isinstance(value, str)
    return value


def _object(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = require(data, name, dict, "an object")
    assert isinstance(value, dict)
    return value


def _items(data: Mapping[str, Any], name: str, kind: type | tuple[type, ...]) -> tuple[Any, ...]:
    value = require(data, name, list, "a list")
    assert isinstance(value, list)
    for item in value:
        if not isinstance(item, kind) or isinstance(item, bool):
            raise BadlyWritten({name: item}, f"{name}: a list of {_names(kind)}")
    return tuple(value)


def _within(data: Mapping[str, Any], name: str, allowed: range) -> tuple[int, ...]:
    values = _items(data, name, int)
    for value in values:
        if value not in allowed:
            raise BadlyWritten({name: value}, f"{name}: from {allowed.start} to {allowed.stop - 1}")
    return values


def _names(kind: type | tuple[type, ...]) -> str:
    words = {str: "texts", int: "whole numbers", float: "numbers", list: "lists"}
    return words[kind] if isinstance(kind, type) else words[kind[-1]]
