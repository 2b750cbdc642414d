"""The toy game of docs/contract.md is a whole game: it passes the suite that the real ones pass."""

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mingpai.core.game import Game
from mingpai.core.random import stream
from tests.contract import test_games as suite

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


CHECKS = [
    suite.test_random_play_ends_and_every_undo_gives_back_the_position,
    suite.test_views_are_equal_in_every_world_that_agrees_with_them,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_the_contract(check: Callable[[str, str, None], None]) -> None:
    check("lasttrick", "", None)


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
