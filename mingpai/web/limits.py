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
MOST = {"seconds": 5.0, "iterations": 200_000, "worlds": 20_000, "samples": 100_000, "nodes": 1_000_000, "threads": 2}
"""Largest value of an agent's setting of that name."""


def offered(game: str) -> list[str]:
    """Names of the agents that may be asked for from the app."""
    return [entry.name for entry in REGISTRY.entries(game) if not entry.is_local]


def hire(game: str, spec: str, seed: int = 0) -> Agent[Any]:
    """The agent of a spec, if it keeps to the limits."""
    parsed = Spec.parse(spec)
    entry = REGISTRY.entry(game, parsed.name)
    if entry.is_local:
        raise BadSetting("agent", parsed.name, f"one of {', '.join(offered(game))} (programs run only from the shell)")
    settings = settings_of(entry.load(), parsed)
    for setting, most in MOST.items():
        value = getattr(settings, setting, None)
        if value is not None and value > most:
            raise BadSetting(f"{parsed.name}:{setting}", value, f"at most {most:g} here")
    model = getattr(settings, "model", None)
    if isinstance(model, str) and any(mark in model for mark in "/\\"):
        raise BadSetting(f"{parsed.name}:model", model, "the name of a model (folders are read only from the shell)")
    return REGISTRY.agent(game, spec, seed)
