"""What somebody at the other end of a connection may ask for: bounded in time, size and reach."""

from typing import Any

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent
from mingpai.core.errors import BadSetting
from mingpai.core.registry import Spec, settings_of

MAX_BODY = 1 << 20
"""Bytes of a request body."""
MAX_UPLOAD = 8 << 20
"""Bytes of an uploaded file of records."""
MAX_SECONDS = 20.0
"""Wall time of one piece of work."""


def offered(game: str) -> list[str]:
    """Names of the agents that may be asked for from the app."""
    return [entry.name for entry in REGISTRY.entries(game) if not entry.is_local]


def check(game: str, spec: str) -> None:
    """Raise BadSetting unless an agent may be asked for from the app."""
    parsed = Spec.parse(spec)
    entry = REGISTRY.entry(game, parsed.name)
    if entry.is_local:
        raise BadSetting("agent", parsed.name, f"one of {', '.join(offered(game))} (programs run only from the shell)")
    settings_of(entry.load(), parsed, is_stranger=True)


def hire(game: str, spec: str, seed: int = 0) -> Agent[Any]:
    """The agent of a spec, if it keeps to the limits."""
    return REGISTRY.agent(game, spec, seed, is_stranger=True)
