"""`mingpai solve` and `mingpai puzzle` as a user types them."""

import json
import signal
import threading
from pathlib import Path

from typer.testing import CliRunner

from mingpai.cli.main import app

RUNNER = CliRunner()
PAPER = ["4667788QK2", "334455QK2"]
HARD = ["34577888999TTJQKKA2D", "333455677TTQQKKAA22X"]


def run(*arguments: str, text: str = "") -> str:
    result = RUNNER.invoke(app, list(arguments), input=text, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_json_has_the_documented_fields() -> None:
    data = json.loads(run("solve", *PAPER, "--all", "--json"))
    assert data["proved"] is True
    assert data["landlord_wins"] is True
    assert data["winning_moves"] == ["4"]
    assert data["line"][0] == ["landlord", "4"]
    assert data["nodes"] > 0
    assert data["seconds"] >= 0


def test_three_handed_with_a_move_to_beat() -> None:
    hands = ["--landlord", "4Q", "--down", "6", "--up", "5K"]
    data = json.loads(run("solve", *hands, "--turn", "up", "--last", "3", "--by", "landlord", "--json"))
    assert data["landlord_wins"] is False
    assert data["turn"] == "up"


def test_bans_as_on_the_puzzle_sheet() -> None:
    banned = json.loads(run("solve", "2KKKQQQTT9988", "AAJJ", "--ban", "31", "--ban", "3+2", "--all", "--json"))
    assert set(banned["winning_moves"]) == {"8899TT", "QQQKKK", "QQQ", "KKK", "Q", "K", "2"}


def test_text_output_names_the_move_and_the_line() -> None:
    out = run("solve", *PAPER)
    assert "the landlord wins" in out
    assert "winning move: 4" in out


def test_a_limit_says_not_proved() -> None:
    assert "not proved" in run("solve", *HARD, "--seconds", "0.05")


def test_save_load_and_walk(tmp_path: Path) -> None:
    path = tmp_path / "paper.strategy"
    assert "every defence answered" in run("solve", *PAPER, "--save", str(path))
    assert json.loads(run("solve", "--load", str(path), "--json"))["verified"] is True
    out = run("solve", "--load", str(path), "--walk", text="nonsense\nQ\n2\n334455\npass\npass\n")
    assert "not a legal move here: nonsense" in out
    assert out.rstrip().endswith("the landlord wins")


def test_ctrl_c_keeps_what_is_known() -> None:
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(0.5, signal.pthread_kill, [main, signal.SIGINT]).start()
    data = json.loads(run("solve", *HARD, "--seconds", "60", "--all", "--json"))
    assert data["seconds"] < 30
    assert data["proved"] is False
    assert data["landlord_wins"] is None
    assert data["open_moves"]


def test_puzzle_new_and_play() -> None:
    (line,) = run("puzzle", "new", "--difficulty", "1", "--seed", "5", "--json").splitlines()
    puzzle = json.loads(line)
    assert puzzle["difficulty"] == 1
    assert "level 1" in run("puzzle", "play", "1", text="\n")
    assert len(run("puzzle", "list", "--json").splitlines()) == 140
