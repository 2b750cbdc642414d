"""Names to things, imported only when asked for: `name[:key=value[,key=value...]]` -> agent."""

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mingpai.core.agent import Agent
from mingpai.core.errors import BadSetting
from mingpai.core.game import Game
from mingpai.core.settings import read_settings


@dataclass(frozen=True)
class Entry:
    """An agent that can be made by name."""

    game: str
    """Name of the game, or "*" for an agent of every game."""
    name: str
    target: str
    """Where its class lives: "package.module:Class"."""
    summary: str
    source: str = "ours"
    """Whose method it is: a paper with its section, another program, or ours."""
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
            first, _, command = rest.partition(" ")
            limited = first.startswith("limit=")
            limit = (("limit", first.removeprefix("limit=")),) if limited else ()
            return cls(name, (*limit, ("command", command if limited else rest)))
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

    def agent(self, game: str, spec: str, seed: int = 0, *, is_stranger: bool = False) -> Agent[Any]:
        """The agent a spec asks for. Raises BadSetting with the options that exist.

        A stranger, somebody at the other end of a connection, gets no agent that runs programs or reads files, and only
        the options and ranges that are declared for him.
        """
        parsed = Spec.parse(spec)
        entry = self.entry(game, parsed.name)
        if is_stranger and entry.is_local:
            offered = ", ".join(one.name for one in self.entries(game) if not one.is_local)
            raise BadSetting("agent", parsed.name, f"one of {offered} (programs run only from the shell)")
        kind = entry.load()
        return kind(settings_of(kind, parsed, is_stranger=is_stranger), game=game, spec=spec, seed=seed)


def settings_of(kind: type[Agent[Any]], spec: Spec, *, is_stranger: bool = False) -> Any:
    """The settings of an agent class: defaults, then its preset, then the options. Raises BadSetting."""
    texts, owner = dict(spec.options), f"{spec.name}:"
    return read_settings(kind.Settings, texts, owner, presets=kind.presets, is_stranger=is_stranger)


def _load(target: str) -> Any:
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)
