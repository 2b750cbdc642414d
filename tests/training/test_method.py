"""`mingpai train`: settings from texts, the table of methods."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mingpai.cli.train import Progress, spoken
from mingpai.core.errors import BadSetting
from mingpai.training.method import METHODS, settings_from, training


@dataclass(frozen=True)
class Inner:
    width: int = 1


@dataclass(frozen=True)
class Outer:
    samples: int = 10
    rate: float = 0.5
    mixed: bool = True
    name: str = "x"
    inner: Inner = field(default_factory=Inner)


def test_settings_take_the_type_of_their_field() -> None:
    made = settings_from(Outer, ["samples=2e3", "rate=0.1", "mixed=false", "name=y", "inner.width=7"])
    assert made == Outer(2000, 0.1, False, "y", Inner(7))


@pytest.mark.parametrize("text", ["nothing=1", "samples=many", "inner.depth=1"])
def test_bad_settings_say_what_exists(text: str) -> None:
    with pytest.raises(BadSetting):
        settings_from(Outer, [text])


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(BadSetting, match="mcm"):
        training("no-such")


def test_every_method_can_be_loaded() -> None:
    pytest.importorskip("torch")
    for name in METHODS:
        assert training(name).settings()


def test_train_resume_and_ship(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from mingpai.cli.main import app
    from mingpai.models.loader import load

    sizes = [
        "tables=32",
        "minibatch=32",
        "memory=2000",
        "first=200",
        "shape.width=64",
        "shape.joint=64",
        "shape.depth=2",
    ]
    options = [word for size in sizes for word in ("--set", size)]
    run = ["train", "mcm", "--run", str(tmp_path / "run"), *options]
    first = CliRunner().invoke(app, [*run, "--set", "samples=320"])
    assert first.exit_code == 0
    told = first.output.splitlines()
    assert told[0] == "mcm: plays 320 decisions against itself and learns from what came of them"
    assert told[1] == f"A run in {tmp_path / 'run'}, from the start"
    assert told[2].startswith(
        f"Ctrl-C saves and stops; go on with: mingpai train mcm --run {tmp_path / 'run'} --resume "
    )
    assert told[3] == "10 steps in all"
    assert re.match(r" +1 of 10, at most \d+ s left  samples ", told[4])
    again = CliRunner().invoke(app, [*run, "--set", "samples=640", "--resume", "--ship", str(tmp_path)])
    assert again.exit_code == 0, again.output
    model = load(str(tmp_path / "doudizhu-value"), game="doudizhu", features=training("mcm").features)
    assert "samples=640" in model.card.command


def test_from_shipped_starts_where_the_model_stands(tmp_path: Path) -> None:
    """One step from the shipped weights: the loss is far below that of a network that knows nothing."""
    pytest.importorskip("torch")
    import json
    import math

    from mingpai.cli.main import app

    sizes = ["samples=256", "tables=128", "minibatch=256", "memory=4000", "first=3000", "explore=0", "last_explore=0"]
    options = [word for size in sizes for word in ("--set", size)]
    done = CliRunner().invoke(app, ["train", "mcm", "--run", str(tmp_path), "--from-shipped", "--json", *options])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output.splitlines()[-1])["win_loss"] < math.log(2) - 0.08


def test_the_time_left_is_that_of_the_pace_after_the_first_step() -> None:
    progress = Progress(100, as_json=False)
    progress.began = 0.0
    assert progress.seconds_left(41, now=5.0) == 5.0 * 59
    assert progress.seconds_left(51, now=7.0) == pytest.approx(0.2 * 49)
    assert progress.seconds_left(100, now=20.0) == 0


@pytest.mark.parametrize(("seconds", "words"), [(0.4, "0 s"), (89, "89 s"), (90, "1.5 min"), (5399, "90.0 min"),
                                                (5400, "1.5 h")])  # fmt: skip
def test_times_are_told_in_a_fitting_unit(seconds: float, words: str) -> None:
    assert spoken(seconds) == words
