"""PettingZoo's and OpenSpiel's own tests on our games."""

import random
from typing import Any

import numpy as np
import pytest

from mingpai.core.errors import BadSetting, IllegalHere
from mingpai.games.doudizhu import GAME, features, notation
from mingpai.protocols.encoding import encoding_of
from tests.scale import count

pytest.importorskip("pettingzoo")
pyspiel = pytest.importorskip("pyspiel")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from mingpai.protocols import openspiel_doudizhu, pettingzoo_env  # noqa: E402

CASES = [
    ("doudizhu", "", None),
    ("doudizhu", "douzero", None),
    ("doudizhu", "standard+callrob", {"first": 1}),
    ("guandan", "", None),
    ("holdem", "", None),
]


@pytest.mark.parametrize(("game", "rules", "setup"), CASES)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_api(game: str, rules: str, setup: dict[str, int] | None) -> None:
    api_test(pettingzoo_env.env(game, rules=rules, setup=setup), num_cycles=count(fast=100, ci=1000, verify=3000))


@pytest.mark.parametrize(("game", "rules", "setup"), CASES)
def test_pettingzoo_seeds(game: str, rules: str, setup: dict[str, int] | None) -> None:
    seed_test(lambda: pettingzoo_env.env(game, rules=rules, setup=setup), num_cycles=count(fast=30, ci=300, verify=500))


def play_episode(env: pettingzoo_env.DealEnv, rng: random.Random) -> dict[str, float]:
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, done, _, _ = env.last()
        total[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if done else int(rng.choice(legal.tolist())))
    return total


def test_rewards_are_the_points_of_the_deal() -> None:
    env, rng = pettingzoo_env.env("doudizhu", setup={"landlord": 0}), random.Random(1)
    for seed in range(5):
        env.reset(seed=seed)
        total = play_episode(env, rng)
        assert list(total.values()) == list(env.state.points())


def test_episodes_of_one_seed_differ_and_repeat() -> None:
    env, decks = pettingzoo_env.env("doudizhu"), []
    for seed in (4, None, 4, None):
        env.reset(seed=seed)
        decks.append(env.state.deck())
    assert decks[:2] == decks[2:]
    assert decks[0] != decks[1]


def test_illegal_actions_are_refused() -> None:
    env = pettingzoo_env.env("doudizhu", setup={"landlord": 0}, render_mode="ansi")
    env.reset(seed=1)
    for action in (0, features.BIDS, 10**6):
        with pytest.raises(IllegalHere, match="not legal"):
            env.step(action)
    assert "deal 0" in (env.render() or "")


def test_encodings_exist_for_games_only() -> None:
    with pytest.raises(BadSetting):
        encoding_of("bridge")


@pytest.mark.parametrize("rules", ["standard", "rlcard", "standard+callrob", "openspiel"])
def test_openspiel_random_sim(rules: str) -> None:
    game = pyspiel.load_game(openspiel_doudizhu.SHORT_NAME, {"rules": rules})
    pyspiel.random_sim_test(game, num_sims=count(fast=1, ci=5, verify=20), serialize=False, verbose=False)


def deal_to_the_end(game: Any, rng: random.Random) -> Any:
    node = game.new_initial_state()
    while node.is_chance_node():
        ranks, chances = zip(*node.chance_outcomes(), strict=True)
        node.apply_action(rng.choices(ranks, chances)[0])
    return node


def test_openspiel_plays_our_states() -> None:
    rng, game = random.Random(3), pyspiel.load_game(openspiel_doudizhu.SHORT_NAME)
    node = deal_to_the_end(game, rng)
    state = GAME.start(node.state.deck())
    while not node.is_terminal():
        actions = node.legal_actions()
        assert {node.numbers.actions[action] for action in actions} == set(state.legal_moves())
        assert node.information_state_string() == state.view(node.current_player()).key()
        action = rng.choice(actions)
        state.play(node.numbers.actions[action])
        node.apply_action(action)
    assert list(node.returns()) == list(state.points())
    assert str(node) == notation.position_text(state)


def test_openspiel_clones_do_not_share() -> None:
    rng, game = random.Random(4), pyspiel.load_game(openspiel_doudizhu.SHORT_NAME)
    node = deal_to_the_end(game, rng)
    other = node.clone()
    before = str(node)
    other.apply_action(other.legal_actions()[0])
    assert str(node) == before
    assert str(other) != before


def test_openspiel_observations_are_the_features() -> None:
    from open_spiel.python.observation import make_observation

    rng, game = random.Random(5), pyspiel.load_game(openspiel_doudizhu.SHORT_NAME)
    node, observation = deal_to_the_end(game, rng), make_observation(game)
    observation.set_from(node, 1)
    assert np.array_equal(observation.tensor, features.observation(node.state.view(1)))
