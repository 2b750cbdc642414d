"""What the command line says of settings, and what it refuses."""

import json

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.settings import options_of
from tests.cli.shell import mingpai


def test_the_agents_of_a_game_are_listed_with_the_help_of_every_option() -> None:
    listed = json.loads(mingpai("agents", "guandan", "--json").out)
    ablgd = next(agent for agent in listed if agent["name"] == "ablgd")
    options = options_of(REGISTRY.entry("guandan", "ablgd").load().Settings)
    assert [one["key"] for one in ablgd["settings"]] == list(options) == list(ablgd["options"])
    assert all(one["help"] for one in ablgd["settings"])
    assert "Options of ablgd" in mingpai("agents", "guandan").out


def test_the_help_of_a_training_lists_its_settings() -> None:
    pytest.importorskip("torch")
    answer = mingpai("train", "ablgd", "--help")
    assert answer.code == 0
    assert "blind" in answer.out
    assert "true or false" in answer.out


@pytest.mark.parametrize(("words", "told"), [
    (("decide", "guandan", "ablgd:rounds=0", "{}"), "ablgd:rounds = '0': expected a whole number from 1 to 1000"),
    (("decide", "doudizhu", "mingpai:worlds=1e9", "{}"), "mingpai:worlds = '1e9'"),
    (("train", "ablgd", "--set", "blind=perhaps"), "--set blind = 'perhaps': expected true or false"),
    (("train", "ablgd", "--set", "tables=0"), "--set tables = '0': expected a whole number from 1 to"),
])  # fmt: skip
def test_a_value_out_of_range_is_refused_with_its_range(words: tuple[str, ...], told: str) -> None:
    if words[0] == "train":
        pytest.importorskip("torch")
    answer = mingpai(*words)
    assert answer.code == 2
    assert told in answer.err
