"""The example bots play whole matches: in Python with our library, in JavaScript without it."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.shell import mingpai

BOTS = Path(__file__).parent.parent.parent / "examples" / "bots"


def played(command: str, *options: str) -> dict[str, object]:
    words = ["match", "doudizhu", "--a", f"exec:{command}", "--b", "random", "--deals", "10", "--seed", "1", "--json"]
    answer = mingpai(*words, *options)
    assert answer.code == 0, answer
    summary: dict[str, object] = json.loads(answer.out)
    assert summary["voids"] == {}
    return summary


def test_the_bot_in_python_beats_chance() -> None:
    summary = played(f"{sys.executable} {BOTS / 'shortest.py'}")
    assert summary["sides"][0]["win_rate"]["mean"] > 0.5  # type: ignore[index]


@pytest.mark.parametrize("options", [(), ("--bidding",)], ids=["play", "bidding"])
def test_the_bot_in_javascript_makes_legal_moves_only(options: tuple[str, ...]) -> None:
    if shutil.which("node") is None:
        pytest.skip("node not found: the bot in JavaScript needs it")
    played(f"node {BOTS / 'singles.js'}", *options)
