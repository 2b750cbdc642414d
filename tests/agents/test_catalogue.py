"""The catalogue: the best agents of each game exist, are said once, and may be offered to anybody."""

import dataclasses
import re
from pathlib import Path

import pytest

import mingpai
from mingpai import api
from mingpai.agents.catalogue import BEST, GAMES, REGISTRY
from mingpai.agents.random import RandomAgent
from mingpai.core.agent import Agent


def test_every_game_has_its_best() -> None:
    assert set(BEST) == set(GAMES)


@pytest.mark.parametrize("game", BEST)
def test_the_best_agents_can_be_made_by_a_stranger(game: str) -> None:
    for spec in dataclasses.asdict(BEST[game]).values():
        assert REGISTRY.agent(game, spec, is_stranger=True).spec == spec


def test_the_best_of_guandan_is_named_nowhere_else() -> None:
    """Windows take the default agent from the catalogue: none of them has a table of its own."""
    root = Path(mingpai.__file__).parent
    table = re.compile(r'"(doudizhu|guandan|holdem)": "(mingpai|ablgd|rule4|fold)[":]')
    files = [path for room in ("cli", "web", "protocols") for path in (root / room).rglob("*.py")]
    assert files
    assert [path.name for path in files if table.search(path.read_text(encoding="utf-8"))] == []


def test_an_agent_is_not_made_again_for_each_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0
    before = Agent.__init__

    def counted(self: Agent[object], settings: object, *, game: str, spec: str, seed: int = 0) -> None:
        nonlocal made
        made += 1
        before(self, settings, game=game, spec=spec, seed=seed)

    monkeypatch.setattr(Agent, "__init__", counted)
    agent = REGISTRY.agent("guandan", "random", 5)
    assert isinstance(agent, RandomAgent)
    state = REGISTRY.game("guandan").deal(1)
    assert state.to_move is not None
    view = state.view(state.to_move)
    seeds = [api.decide("guandan", view, agent, seed).seed for seed in range(20)]
    assert seeds == list(range(20))
    assert agent.seed == 5
    assert made == 1
