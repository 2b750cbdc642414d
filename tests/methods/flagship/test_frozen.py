"""The yardsticks of Dou Dizhu: they play as on the day they were frozen."""

import pytest

from experiments.frozen_agents import AGENTS, FOLDER, signature_of
from mingpai.core.settings import options_of
from mingpai.methods.flagship.agent import MingpaiSettings
from mingpai.models.loader import Model

BYTES = 8_000_000
"""Of one file of a model, at most."""


@pytest.mark.parametrize(
    ("agent", "text"),
    [
        ("mcm", "ff829e88bbf78a18"),
        ("fast", "0e5d5dee5747ecb1"),
        pytest.param("normal", "c7fd7cd9ddd357b7", marks=pytest.mark.ci),
        pytest.param("strong", "72ec7279b52e9762", marks=pytest.mark.verify),
    ],
)
def test_a_yardstick_plays_as_it_did(agent: str, text: str) -> None:
    assert signature_of(agent) == text


@pytest.mark.parametrize("agent", ["fast", "normal", "strong"])
def test_a_yardstick_leaves_no_setting_to_a_default(agent: str) -> None:
    """But those that are the same for both sides of a match."""
    written = {word.partition("=")[0] for word in AGENTS[agent].partition(":")[2].split(",")}
    assert set(options_of(MingpaiSettings)) - written == {"seconds", "objective"}


@pytest.mark.parametrize("name", ["value", "student", "judge"])
def test_the_copies_are_whole_and_small(name: str) -> None:
    """`Model` compares every file with the card."""
    folder = Model(FOLDER / f"doudizhu-{name}").folder
    assert all(path.stat().st_size < BYTES for path in folder.iterdir())
