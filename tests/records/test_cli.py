"""`mingpai records` from the outside."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mingpai.cli import records as cli
from mingpai.core.errors import MingpaiError
from tests.contract.toy import REGISTRY
from tests.records.test_jsonl import played
from tests.records.test_store import write

RUNNER = CliRunner()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """A file of ten games and a store that holds them."""
    monkeypatch.setattr(cli, "REGISTRY", REGISTRY)
    games, store = str(write(tmp_path / "games.jsonl", range(10))), str(tmp_path / "games.duckdb")
    answer = RUNNER.invoke(cli.app, ["import", games, "--store", store, "--json"])
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)[games]["added"] == 10
    return games, store


def test_list_counts_and_limits(files: tuple[str, str]) -> None:
    answer = json.loads(RUNNER.invoke(cli.app, ["list", "--store", files[1], "--limit", "3", "--json"]).stdout)
    assert answer["total"] == 10
    assert [row["key"] for row in answer["records"]] == [played(seed).key for seed in range(3)]
    assert "0 of 0" in RUNNER.invoke(cli.app, ["list", "--store", files[1], "--game", "kuhn"]).stdout


@pytest.mark.parametrize("which", ["key", "line"])
def test_show_prints_the_game(files: tuple[str, str], which: str) -> None:
    name = played(4).key[:12] if which == "key" else f"{files[0]}:5"
    answer = RUNNER.invoke(cli.app, ["show", name, "--store", files[1]])
    assert answer.exit_code == 0
    assert "landlord (random)" in answer.stdout
    as_json = RUNNER.invoke(cli.app, ["show", name, "--store", files[1], "--json"])
    assert json.loads(as_json.stdout) == played(4).to_json()


def test_verify_names_the_line_and_ends_with_one(files: tuple[str, str]) -> None:
    assert RUNNER.invoke(cli.app, ["verify", files[0]]).exit_code == 0
    assert RUNNER.invoke(cli.app, ["verify", "--store", files[1]]).exit_code == 0
    with Path(files[0]).open("a") as file:
        file.write(json.dumps(played(1).to_json() | {"winners": []}) + "\n")
    answer = RUNNER.invoke(cli.app, ["verify", files[0], "--json"])
    assert answer.exit_code == 1
    assert json.loads(answer.stdout)[files[0]]["errors"][0]["line"] == 11


def test_export_then_import_gives_the_same_store(files: tuple[str, str], tmp_path: Path) -> None:
    out, again = tmp_path / "out.jsonl", tmp_path / "again.duckdb"
    assert RUNNER.invoke(cli.app, ["export", str(out), "--store", files[1]]).exit_code == 0
    assert out.read_text() == Path(files[0]).read_text()
    assert RUNNER.invoke(cli.app, ["import", str(out), "--store", str(again)]).exit_code == 0
    assert RUNNER.invoke(cli.app, ["export", str(tmp_path / "o.parquet"), "--store", str(again)]).exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "out.txt"],
        ["export", "out.npz"],
        ["show", "zz"],
        ["show", "none.jsonl"],
        ["list", "--where", "no sql"],
    ],
)
def test_mistakes_are_clear_errors(files: tuple[str, str], arguments: list[str]) -> None:
    answer = RUNNER.invoke(cli.app, [*arguments, "--store", files[1]])
    assert isinstance(answer.exception, MingpaiError)
    assert str(answer.exception)
