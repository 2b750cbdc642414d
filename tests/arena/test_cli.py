"""`mingpai match` and `mingpai league` from the outside."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mingpai.agents.catalogue import REGISTRY as CATALOGUE_REGISTRY
from mingpai.arena.plan import CATALOGUE
from mingpai.cli import league as league_cli
from mingpai.cli import match as cli
from mingpai.cli.main import app
from mingpai.core.errors import MingpaiError
from mingpai.records.jsonl import read_records
from tests.contract.toy import REGISTRY

RUNNER = CliRunner()


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (cli, league_cli):
        monkeypatch.setattr(module, "REGISTRY", REGISTRY)
        monkeypatch.setattr(module, "REGISTRY_TARGET", "tests.contract.toy:REGISTRY")


def run(*arguments: str) -> Result:
    return RUNNER.invoke(app, list(arguments))


def answer(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert isinstance(data, dict)
    return data


def test_two_sides_both_ways(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    data = answer(
        "match", "little", "--a", "first", "--b", "random", "--deals", "30", "--seed", "3", "--records", str(path)
    )
    assert data["deals"] == 30
    assert [side["agent"] for side in data["sides"]] == ["first", "random"]
    assert data["sides"][0]["roles"].keys() == {"landlord", "down+up"}
    assert data["sides"][0]["win_rate"]["mean"] == pytest.approx(1 - data["sides"][1]["win_rate"]["mean"])
    assert sum(1 for _ in read_records(path)) == 60


def test_jobs_give_the_same_answer() -> None:
    arguments = ("match", "little", "--a", "first", "--b", "random", "--deals", "20")
    one, two = answer(*arguments), answer(*arguments, "--jobs", "2", "--chunk", "3")
    for data in (one, two):
        for side in data["sides"]:
            del side["seconds_per_decision"]
    assert one == two


def test_three_agents_keep_their_seats() -> None:
    data = answer("match", "little", "--landlord", "first", "--down", "last", "--up", "random", "--deals", "10")
    assert [(side["agent"], list(side["roles"])) for side in data["sides"]] == [
        ("first", ["landlord"]), ("last", ["down"]), ("random", ["up"]),
    ]  # fmt: skip


def test_one_agent_per_seat_rotated() -> None:
    data = answer("match", "little", "--seat", "first", "--seat", "last", "--seat", "random", "--deals", "4")
    assert len(data["seatings"]) == 6


def test_whole_matches_with_settings() -> None:
    data = answer("match", "kuhn", "--a", "first", "--b", "last", "--matches", "--set", "deals=3", "--deals", "4")
    assert data["unit"] == "match"
    assert data["setup"] == {"deals": 3}


def test_early_stop_is_told() -> None:
    data = answer("match", "little", "--a", "first", "--b", "random", "--deals", "3000", "--stop", "--seed", "2")
    assert data["stopped"] == "decided"
    assert data["intervals"] == "anytime"
    assert data["evidence"] >= 20


def test_a_run_folder_resumes_and_merges(tmp_path: Path) -> None:
    arguments = ["match", "little", "--a", "first", "--b", "random", "--run"]
    answer(*arguments, str(tmp_path / "x"), "--deals", "6")
    assert answer(*arguments, str(tmp_path / "x"), "--deals", "9", "--resume")["deals"] == 9
    answer(*arguments, str(tmp_path / "y"), "--deals", "5", "--first", "9")
    merged = answer("match", "little", "--merge", str(tmp_path / "x"), "--merge", str(tmp_path / "y"))
    assert merged["deals"] == 14


def test_people_get_a_table() -> None:
    result = run("match", "little", "--a", "first", "--b", "random", "--deals", "10")
    assert result.exit_code == 0
    for word in ("landlord", "down+up", "paired", "Brackets"):
        assert word in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "little"],
        ["match", "little", "--a", "first"],
        ["match", "little", "--a", "first", "--b", "nobody"],
        ["match", "little", "--a", "first", "--b", "first", "--seat", "first"],
        ["match", "kuhn", "--landlord", "first", "--down", "first", "--up", "first"],
        ["match", "whist", "--a", "first", "--b", "first"],
        ["match", "little", "--a", "first", "--b", "last", "--set", "x"],
        ["match", "little", "--a", "first", "--b", "last", "--engine", "steam"],
    ],
)
def test_mistakes_are_clear_errors(arguments: list[str]) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, MingpaiError), result.output


def test_a_league_is_ordered_and_shown() -> None:
    data = answer("league", "little", "first", "last", "random", "--deals", "20")
    elos = [row["elo"] for row in data["ratings"]]
    assert elos == sorted(elos, reverse=True)
    assert len(data["pairs"]) == 3
    assert "vs 3" in run("league", "little", "first", "last", "random", "--deals", "5").stdout


def test_a_signature_can_be_checked() -> None:
    made = answer("signature", "little", "first", "--count", "20")["signature"]
    assert run("signature", "little", "first", "--count", "20", "--check", made).exit_code == 0
    assert run("signature", "little", "last", "--count", "20", "--check", made).exit_code == 1


@pytest.fixture
def catalogue(monkeypatch: pytest.MonkeyPatch, toys: None) -> None:
    """The real games again."""
    monkeypatch.setattr(cli, "REGISTRY", CATALOGUE_REGISTRY)
    monkeypatch.setattr(cli, "REGISTRY_TARGET", CATALOGUE)


@pytest.mark.usefixtures("catalogue")
def test_dou_dizhu_both_ways_with_bidding_and_three_agents() -> None:
    played = answer("match", "doudizhu", "--a", "random", "--b", "greedy", "--deals", "6")
    assert played["setup"] == {"landlord": 0}
    assert played["sides"][1]["roles"].keys() == {"landlord", "down+up"}
    bid = answer("match", "doudizhu", "--a", "random", "--b", "greedy", "--deals", "2", "--bidding")
    assert len(bid["seatings"]) == 6
    three = answer("match", "doudizhu", "--landlord", "rb", "--down", "greedy", "--up", "random", "--deals", "3")
    assert [list(side["roles"]) for side in three["sides"]] == [["landlord"], ["down"], ["up"]]


@pytest.mark.usefixtures("catalogue")
def test_guandan_rounds_and_matches() -> None:
    played = answer("match", "guandan", "--a", "rule4", "--b", "rule1", "--deals", "10")
    assert played["sides"][0]["win_rate"]["mean"] > 0.5
    whole = answer("match", "guandan", "--a", "rule4", "--b", "rule1", "--deals", "1", "--matches")
    assert whole["sides"][0]["facts"]["place"]["mean"] == 1


@pytest.mark.usefixtures("catalogue")
def test_holdem_tournaments_tell_places_hands_and_volatility() -> None:
    options = ["--format", "tournament", "--hands", "20", "--chips", "500", "--rebuy", "500", "--blinds", "20/40"]
    played = answer("match", "holdem", *["--seat", "random"] * 3, *options, "--deals", "2")
    assert played["unit"] == "match"
    assert played["setup"]["seats"] == 3
    assert played["setup"]["blinds"] == "20/40"
    for side in played["sides"]:
        assert side["facts"].keys() == {"place", "hands", "volatility"}
        assert 1 <= side["facts"]["place"]["mean"] <= 3
    assert "volatility" in run("match", "holdem", *["--seat", "random"] * 2, *options, "--deals", "1").stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_shows_what_was_played_and_the_run_goes_on(tmp_path: Path, jobs: str) -> None:
    words = ["match", "doudizhu", "--a", "random", "--b", "random", "--run", str(tmp_path / "run"), "--chunk", "2"]
    command = [sys.executable, "-m", "mingpai", *words]
    with subprocess.Popen(
        [*command, "--deals", "1000000", "--jobs", jobs, "--json"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            while len(list(tmp_path.glob("run/chunks/*.jsonl"))) < 3:
                assert process.poll() is None
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            shown, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    data = json.loads(shown)
    assert data["stopped"] == "interrupted"
    again = subprocess.run(
        [*command, "--deals", str(data["deals"]), "--resume", "--json"], capture_output=True, check=True
    )
    assert json.loads(again.stdout)["sides"][0]["win_rate"] == data["sides"][0]["win_rate"]
