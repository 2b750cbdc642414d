"""`mingpai equity` for people and for machines."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mingpai.cli.main import app
from mingpai.core.errors import MingpaiError
from mingpai.games.holdem import GAME
from mingpai.records.record import Record
from mingpai.records.replay import replay

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


def test_hands_convert_there_and_back(tmp_path: Path) -> None:
    """An ACPC log to records, to PHH, and to records again; a line that breaks the rules is left out."""
    lines = [
        "# a comment",
        "STATE:0:r300c/cc/cc/cc:9s8h|AcKd/8c8d5c/6s/2d:300|-300:a|b",
        "STATE:1:f:9s8h|AcKd:50|-50:b|a",
        "STATE:2:f:9s8h|AcKd:70|-70:b|a",
        "SCORE:350|-350:a|b",
    ]
    log, ours, theirs, again = (tmp_path / name for name in ("match.log", "a.jsonl", "a.phhs", "b.jsonl"))
    log.write_text("\n".join(lines))
    first = runner.invoke(app, ["records", "convert", str(log), str(ours)])
    assert "2 hands written" in first.stdout.replace("\n", " ")
    assert "line 4" in first.stdout
    assert runner.invoke(app, ["records", "convert", str(ours), str(theirs)]).exit_code == 0
    assert runner.invoke(app, ["records", "convert", str(theirs), str(again)]).exit_code == 0
    results = [[Record.loads(line).points for line in path.read_text().splitlines()] for path in (ours, again)]
    assert results[0] == results[1] == [(300.0, -300.0), (50.0, -50.0)]
    assert Record.loads(ours.read_text().splitlines()[1]).deck.startswith("9s8h/AcKd/")
    for line in ours.read_text().splitlines():
        replay(Record.loads(line), GAME)
