"""Names to things, imported only when asked for: `name[:key=value[,key=value...]]` -> agent."""

import dataclasses
import importlib
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from mingpai.core.agent import Agent
from mingpai.core.errors import BadSetting
from mingpai.core.game import Game


@dataclass(frozen=True)
class Entry:
    """An agent that can be made by name."""

    game: str
    """Name of the game, or "*" for an agent of every game."""
    name: str
    target: str
    """Where its class lives: "package.module:Class"."""
    summary: str
    is_local: bool = False
    """Runs another program or reads files named by the spec: never offered over a network."""

    def load(self) -> type[Agent[Any]]:
        loaded = _load(self.target)
        assert isinstance(loaded, type)
        assert issubclass(loaded, Agent)
        return loaded


@dataclass(frozen=True)
class Spec:
    """A parsed agent spec."""

    name: str
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Spec":
        name, colon, rest = text.strip().partition(":")
        if not name:
            raise BadSetting("agent", text, "name[:key=value[,key=value...]]")
        if name == "exec":
            return cls(name, (("command", rest),))
        if colon and not rest:
            raise BadSetting("agent", text, "key=value after the colon")
        options = []
        for item in rest.split(",") if rest else ():
            key, equals, value = item.partition("=")
            if not equals or not key:
                raise BadSetting("agent option", item, "key=value")
            options.append((key.strip(), value.strip()))
        return cls(name, tuple(options))


class Registry:
    """Agents and games by name."""

    def __init__(self, games: Mapping[str, str], entries: tuple[Entry, ...]) -> None:
        self._games = dict(games)
        self._entries = entries

    def games(self) -> tuple[str, ...]:
        return tuple(self._games)

    def game(self, name: str) -> Game:
        if name not in self._games:
            raise BadSetting("game", name, f"one of {', '.join(self._games)}")
        loaded = _load(self._games[name])
        assert isinstance(loaded, Game)
        return loaded

    def entries(self, game: str) -> Iterator[Entry]:
        self.game(game)
        yield from (entry for entry in self._entries if entry.game in (game, "*"))

    def entry(self, game: str, name: str) -> Entry:
        known = {entry.name: entry for entry in self.entries(game)}
        if name not in known:
            raise BadSetting(f"{game} agent", name, f"one of {', '.join(sorted(known))}")
        return known[name]

    def agent(self, game: str, spec: str, seed: int = 0) -> Agent[Any]:
        """The agent a spec asks for. Raises BadSetting with the options that exist."""
        parsed = Spec.parse(spec)
        kind = self.entry(game, parsed.name).load()
        return kind(settings_of(kind, parsed), game=game, spec=spec, seed=seed)


def settings_of(kind: type[Agent[Any]], spec: Spec) -> Any:
    """The settings of an agent class: defaults, then its preset, then the options, each checked by its field's type."""
    fields = {field.name: field for field in dataclasses.fields(kind.Settings)}
    hints = typing.get_type_hints(kind.Settings)
    values: dict[str, Any] = {}
    options = dict(spec.options)
    if (preset := options.pop("preset", None)) is not None:
        if preset not in kind.presets:
            known = ", ".join(kind.presets) or "nothing: it has no presets"
            raise BadSetting(f"{spec.name} preset", preset, f"one of {known}")
        values.update(kind.presets[preset])
    for key, text in options.items():
        if key not in fields:
            names = sorted(fields) + (["preset"] if kind.presets else [])
            raise BadSetting(f"{spec.name} option", key, f"one of {', '.join(names) or 'nothing: it has no options'}")
        values[key] = _convert(f"{spec.name}:{key}", text, hints[key])
    return kind.Settings(**values)


def _convert(name: str, text: str, hint: Any) -> Any:
    if get_origin(hint) is Literal:
        if text not in get_args(hint):
            raise BadSetting(name, text, f"one of {', '.join(map(str, get_args(hint)))}")
        return text
    if get_origin(hint) in (typing.Union, types.UnionType):
        inner = [part for part in get_args(hint) if part is not type(None)]
        return None if text == "none" else _convert(name, text, inner[0])
    if hint is bool:
        if text not in ("true", "false", "1", "0", "yes", "no"):
            raise BadSetting(name, text, "true or false")
        return text in ("true", "1", "yes")
    if hint in (int, float):
        try:
            return hint(text)
        except ValueError:
            raise BadSetting(name, text, "a whole number" if hint is int else "a number") from None
    return text


def _load(target: str) -> Any:
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)
