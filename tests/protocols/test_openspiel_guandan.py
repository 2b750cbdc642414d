"""OpenSpiel's own tests on a round of Guandan."""

import random

import pytest

pyspiel = pytest.importorskip("pyspiel")

from mingpai.games.guandan import features  # noqa: E402
from mingpai.protocols import openspiel_guandan  # noqa: E402
from tests.scale import count  # noqa: E402


@pytest.mark.parametrize("params", [{}, {"rules": "openguandan", "level": "9", "previous": "0213"}])
def test_openspiel_random_sim(params: dict[str, str]) -> None:
    game = pyspiel.load_game(openspiel_guandan.SHORT_NAME, params)
    pyspiel.random_sim_test(game, num_sims=count(fast=1, ci=3, verify=12), serialize=False, verbose=False)


def test_a_round_is_zero_sum_and_plays_our_rules() -> None:
    rng, game = random.Random(3), pyspiel.load_game(openspiel_guandan.SHORT_NAME, {"level": "A", "previous": "1302"})
    node = game.new_initial_state()
    while not node.is_terminal():
        if node.is_chance_node():
            outcomes = node.chance_outcomes()
            assert sum(share for _, share in outcomes) == pytest.approx(1)
            node.apply_action(rng.choices([kind for kind, _ in outcomes], [share for _, share in outcomes])[0])
        else:
            node.apply_action(rng.choice(node.legal_actions()))
    assert sum(node.returns()) == 0
    assert node.returns() == list(node.state.points())
    assert node.state.setup() == {"level": "A", "previous": [1, 3, 0, 2]}


def test_every_action_has_its_own_text() -> None:
    texts = [features.action_text(action) for action in range(features.ACTIONS)]
    assert len(set(texts)) == features.ACTIONS
    assert {
        "single A",
        "pair R",
        "bomb 4x7",
        "straight-flush T",
        "joker-bomb",
        "pass",
        "tribute HR",
        "return S3",
    } <= set(texts)
