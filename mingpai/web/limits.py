"""What somebody at the other end of a connection may ask for: bounded in time, size and reach."""

from typing import Any

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent
from mingpai.core.errors import BadSetting
from mingpai.core.registry import Spec

MAX_BODY = 1 << 20
"""Bytes of a request body."""
MAX_UPLOAD = 8 << 20
"""Bytes of an uploaded file of records."""
MAX_SECONDS = 20.0
"""Wall time of one piece of work."""
MOST = {"seconds": 5.0, "iterations": 200_000, "worlds": 20_000, "threads": 2}
"""Largest value of an agent's setting of that name."""


def offered(game: str) -> list[str]:
    """Names of the agents that may be asked for from the app."""
    return [entry.name for entry in REGISTRY.entries(game) if not entry.is_local]


def hire(game: str, spec: str, seed: int = 0) -> Agent[Any]:
    """The agent of a spec, if it keeps to the limits."""
    name = Spec.parse(spec).name
    if REGISTRY.entry(game, name).is_local:
        raise BadSetting("agent", name, f"one of {', '.join(offered(game))} (programs run only from the shell)")
    agent = REGISTRY.agent(game, spec, seed)
    for setting, most in MOST.items():
        value = getattr(agent.settings, setting, None)
        if value is not None and value > most:
            raise BadSetting(f"{name}:{setting}", value, f"at most {most:g} here")
    return agent
