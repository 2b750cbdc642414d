"""Every game and agent there is: the toys always, the real ones as the catalogue names them."""

import dataclasses
import functools
import importlib
import importlib.util
from collections.abc import Iterator
from typing import Any

from mingpai.agents.catalogue import GAMES, REGISTRY
from mingpai.core.agent import Agent
from mingpai.core.game import Game, Seat, Setup, State, View
from mingpai.core.random import Rng, stream
from mingpai.core.registry import Entry, Registry
from tests.contract import toy

SETUPS: dict[str, tuple[Setup | None, ...]] = {
    "doudizhu": (None, {"landlord": 0}, {"landlord": 2, "bid": 3}),
    "holdem": (
        {"seats": 6, "ante": 5},
        {"stacks": [30, 2000, 15, 400, 0, 120], "button": 3, "blinds": [20, 40]},
        {"stacks": [50, 0, 35], "button": 2},
    ),
    "guandan": (None, {"level": "9", "previous": [0, 1, 2, 3]}, {"level": "K", "previous": [3, 1, 0, 2]}),
}
"""Starts to test besides the default one."""


def present() -> list[str]:
    """Names of the games that exist."""
    return ["kuhn", "little", *(name for name, target in GAMES.items() if _exists(*target.split(":")))]


def _exists(module: str, name: str) -> bool:
    return importlib.util.find_spec(module) is not None and hasattr(importlib.import_module(module), name)


def registry_of(name: str) -> Registry:
    return toy.REGISTRY if name in toy.REGISTRY.games() else REGISTRY


def game_of(name: str) -> Game:
    return registry_of(name).game(name)


def starts(name: str) -> list[tuple[str, Setup | None]]:
    """Every profile with the default start, and the default profile with every other start."""
    game = game_of(name)
    profiles: list[tuple[str, Setup | None]] = [(profile, None) for profile in game.profiles()]
    return profiles + [("", setup) for setup in SETUPS.get(name, ()) if setup is not None]


def random_move(state: State, rng: Rng) -> Any:
    moves = state.legal_moves()
    assert moves, "no legal move, but the deal is not over"
    return moves[int(rng.integers(len(moves)))]


def playout(state: State, rng: Rng) -> Iterator[State]:
    """The state before each move of random play, then the last one. The same object all along."""
    while not state.is_over:
        yield state
        state.play(random_move(state, rng))
    yield state


def views(name: str, count: int, seed: int = 0, rules: str = "") -> list[View]:
    """Views of the seat to move, spread over random deals."""
    game, deal = game_of(name), 0
    seen: list[View] = []
    rng = stream(seed, "views", name)
    setups = SETUPS.get(name, (None,))
    while len(seen) < count:
        for state in playout(game.deal(1000 * seed + deal, rules, setups[deal % len(setups)]), rng):
            if state.to_move is not None and rng.random() < 0.3:
                seen.append(state.view(state.to_move))
        deal += 1
    order = rng.permutation(len(seen))[:count]
    return [seen[int(index)] for index in order]


@functools.cache
def entries() -> list[tuple[str, Entry]]:
    """Every agent of every game, other programs apart."""
    return [(name, entry) for name in present() for entry in registry_of(name).entries(name) if not entry.is_local]


CHEAP = {"seconds": "0.02", "iterations": "40", "worlds": "8", "simulations": "40", "samples": "40"}
"""Settings that keep a search short, where an agent has them."""

REPEATABLE = ("iterations", "worlds", "simulations", "samples")
"""Settings that bound the work instead of the time: with them a search is the same every time."""


PLENTY = "60"
"""Seconds that no work in these tests takes."""


def spec_of(entry: Entry, *, by_time: bool) -> str:
    """The entry with a small budget: of time, or of work where it has such a setting."""
    names = {field.name for field in dataclasses.fields(entry.load().Settings)}
    chosen = {name: value for name, value in CHEAP.items() if name in names}
    if "seconds" in chosen and not by_time and names & set(REPEATABLE):
        chosen["seconds"] = PLENTY
    options = ",".join(f"{name}={value}" for name, value in chosen.items())
    return f"{entry.name}:{options}" if options else entry.name


def agent_of(name: str, entry: Entry, seed: int = 0, *, by_time: bool = False) -> Agent[Any]:
    return registry_of(name).agent(name, spec_of(entry, by_time=by_time), seed)


def prepared(agent: Agent[Any], view: View) -> Agent[Any]:
    """The agent after it has heard what the view's seat has seen."""
    if agent.has_memory:
        agent.start_match(view.seat, seats_of(view))
        agent.start_deal(view)
    return agent


def seats_of(view: View) -> Seat:
    return view.sample_worlds(stream(0, "seats"), 1)[0].seats
