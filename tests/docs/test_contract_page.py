"""The toy game of docs/contract.md is a whole game: it passes the suite that the real ones pass."""

import functools
import re
from collections import Counter
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from mingpai.core.game import Game
from mingpai.core.random import stream
from tests.contract import test_games as suite
from tests.contract import worlds

PAGE = Path(__file__).parent.parent.parent / "docs" / "contract.md"


@functools.cache
def toy() -> Game:
    namespace: dict[str, Any] = {"__name__": "last_trick"}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        exec(compile(block, str(PAGE), "exec"), namespace)
    game = namespace["GAME"]
    assert isinstance(game, Game)
    return game


@pytest.fixture(autouse=True)
def the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "game_of", lambda name: toy())


GIVEN: dict[str, Any] = {"name": "lasttrick", "rules": "", "setup": None, "data": {"seat": 99, "hand": "?"}}
CHECKS = [check for name, check in vars(suite).items() if name.startswith("test_") and signature(check).parameters]
"""All of the suite that is about a game."""


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_the_contract(check: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "undealt", lambda state: Counter(state.deck()[-1]))
    check(**{name: GIVEN[name] for name in signature(check).parameters})


def test_positions_are_read_as_they_are_written() -> None:
    for seed in range(50):
        state, rng = toy().deal(seed), stream(seed, "page")
        while not state.is_over:
            for seat in (0, 1):
                view = state.view(seat)
                assert toy().view_from_json(view.to_json()) == view
                assert all(world.view(seat) == view for world in view.sample_worlds(rng, 5))
            moves = state.legal_moves()
            state.play(moves[int(rng.integers(len(moves)))])


def test_every_world_is_found() -> None:
    view = toy().start("12345").view(0)
    worlds = {world.deck() for world in view.sample_worlds(stream(1, "worlds"), 200)}
    assert worlds == {"12345", "12354", "12453"}
