"""`mingpai equity` for people and for machines."""

import json

import pytest
from typer.testing import CliRunner

from mingpai.cli.main import app
from mingpai.core.errors import MingpaiError

runner = CliRunner()


def test_json() -> None:
    result = runner.invoke(app, ["equity", "AhKd", "QQ+,AK", "--json"])
    data = json.loads(result.stdout)
    assert data["method"] == "exact"
    assert data["equities"] == pytest.approx([0.38824406, 0.61175594])
    assert data["standard_errors"] == [0, 0]
    assert data["samples"] > 0


def test_sampled_json() -> None:
    result = runner.invoke(app, ["equity", *["any"] * 8, "--samples", "5000", "--json"])
    data = json.loads(result.stdout)
    assert data["method"] == "sampled"
    assert data["samples"] == 5000
    assert len(data["standard_errors"]) == 8


def test_table() -> None:
    result = runner.invoke(app, ["equity", "AhKd", "QQ", "--board", "Kc8d2h"])
    assert result.exit_code == 0
    assert "exact" in result.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["join", "acpc", "127.0.0.1", "1", "--agent", "random"],
        ["equity", "AhKd", "AhQd"],
        ["equity", "AhKd", "QQ", "--method", "guess"],
        ["botzone", "whist"],
    ],
)
def test_mistakes_are_one_clear_message(words: list[str]) -> None:
    result = runner.invoke(app, words)
    assert isinstance(result.exception, MingpaiError)
    assert str(result.exception)


def test_a_hand_in_the_terminal() -> None:
    result = runner.invoke(app, ["play", "holdem", "--seed", "3"], input="?\nall-in\nquit\n")
    assert "raise 2000" in result.stdout
    assert "points" in result.stdout
