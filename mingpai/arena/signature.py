"""A behaviour signature: what an agent plays in fixed positions, as one short text. It changes when the play does.

Baselines are frozen by it: a test that compares the signature fails when somebody changes how a baseline plays.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mingpai.core.agent import Agent
from mingpai.core.errors import BadSetting
from mingpai.core.game import Game, Setup, View
from mingpai.core.random import stream

POSITIONS = 200
"""Positions of the standard set."""

KEPT = 0.25
"""Share of the positions of a random deal that enter the set."""

POSITION_SEED = 20_001
"""The set of positions never changes."""


@dataclass(frozen=True)
class Signature:
    """The play of an agent on the standard positions of its game."""

    agent: str
    positions: int
    text: str
    """The hash of positions and moves."""


def positions(game: Game, count: int = POSITIONS, setup: Setup | None = None) -> Iterator[View]:
    """The fixed positions: views of the seat to move, from seeded random deals; `setup` may skip the bidding."""
    rng, asked, deal = stream(POSITION_SEED, "signature", game.name), 0, 0
    while asked < count:
        state = game.deal(POSITION_SEED + deal, "", setup)
        deal += 1
        while state.to_move is not None and asked < count:
            if rng.random() < KEPT:
                asked += 1
                yield state.view(state.to_move)
            moves = state.legal_moves()
            state.play(moves[int(rng.integers(len(moves)))])


def signature(agent: Agent[Any], game: Game, count: int = POSITIONS) -> Signature:
    """The agent's signature. It must not depend on time: give budgets in iterations, not in seconds."""
    settings = getattr(agent.settings, "seconds", None)
    if settings is not None and not _bounded_by_work(agent):
        raise BadSetting("agent", agent.spec, "a budget in work (iterations, worlds), for time is never twice the same")
    digest = hashlib.blake2b(digest_size=8)
    for setup in (None, game.play_only) if game.play_only else (None,):
        for view in positions(game, count, setup):
            if agent.has_memory:
                agent.start_match(view.seat, 0)
                agent.start_deal(view)
            digest.update(f"{view.key()}\n{agent.decide(view).move}\n".encode())
    return Signature(agent.spec, count, digest.hexdigest())


def _bounded_by_work(agent: Agent[Any]) -> bool:
    names = ("iterations", "worlds", "simulations", "samples", "nodes")
    return any(getattr(agent.settings, name, None) for name in names)
