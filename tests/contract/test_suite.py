"""The suite itself: it must catch the faults it is there for."""

from collections.abc import Mapping
from typing import Any

import pytest

from mingpai.agents.catalogue import GAMES
from mingpai.core.game import Seat, State
from mingpai.core.random import Rng, stream
from tests.contract import test_games as suite
from tests.contract.games import agent_of, present, registry_of
from tests.contract.test_agents import test_decide_many_equals_decide as check_many
from tests.contract.toy import FirstMove, LittleLandlord, ToyGame, ToyState


def test_a_view_that_leaks_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ToyState.position_of

    def leaky(self: ToyState, seat: Seat) -> dict[str, Any]:
        return honest(self, seat) | {"neighbour": "".join(self.hands[(seat + 1) % len(self.hands)])}

    monkeypatch.setattr(ToyState, "position_of", leaky)
    with pytest.raises(AssertionError):
        suite.test_views_are_equal_in_every_world_that_agrees_with_them("little", "", None)


def test_a_sampler_that_always_finds_the_same_world_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ToyGame.world

    def stubborn(self: ToyGame, position: Mapping[str, Any], rng: Rng) -> State:
        return honest(self, position, stream(0, "always"))

    monkeypatch.setattr(ToyGame, "world", stubborn)
    with pytest.raises(AssertionError):
        suite.test_sampled_worlds_are_uniform_over_every_way_to_place_the_hidden_cards("little")
    with pytest.raises(AssertionError):
        suite.test_early_worlds_give_every_seat_its_share_of_every_card("little", "", None)


def test_a_sampler_that_counts_hands_instead_of_cards_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uniform over different hands is not uniform over cards: 12 from 1122 is twice as likely as 11 and 22 together."""
    honest = ToyGame.world

    def hands_first(self: ToyGame, position: Mapping[str, Any], rng: Rng) -> State:
        worlds = {tuple(map(tuple, w.hands)): w for w in (honest(self, position, rng) for _ in range(12))
                  if isinstance(w, ToyState)}  # fmt: skip
        return worlds[sorted(worlds)[int(rng.integers(len(worlds)))]]

    monkeypatch.setattr(ToyGame, "world", hands_first)
    with pytest.raises(AssertionError):
        suite.test_sampled_worlds_are_uniform_over_every_way_to_place_the_hidden_cards("little")


def test_an_undo_that_forgets_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LittleLandlord, "give", lambda self, hand, move: None)
    with pytest.raises(AssertionError):
        suite.test_random_play_ends_and_every_undo_gives_back_the_position("little", "", None)


def test_an_agent_that_decides_otherwise_in_a_batch_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = registry_of("little").entry("little", "first")
    check_many("little", entry)
    monkeypatch.setattr(FirstMove, "decide_many", lambda self, views: [self.decide(view) for view in reversed(views)])
    assert type(agent_of("little", entry)) is FirstMove
    with pytest.raises(AssertionError):
        check_many("little", entry)


def test_no_game_of_the_catalogue_is_left_out() -> None:
    assert set(GAMES) <= set(present())
