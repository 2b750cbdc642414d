"""`mingpai train`: settings from texts, the table of methods."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typer.testing import CliRunner

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
    assert CliRunner().invoke(app, [*run, "--set", "samples=320"]).exit_code == 0
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
