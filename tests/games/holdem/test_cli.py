"""`mingpai equity` for people and for machines."""

import json

import pytest
from typer.testing import CliRunner

from mingpai.cli.main import app

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
