"""A training that is stopped says how it goes on: with the settings that it was started with."""

import re
import time
from pathlib import Path

import pytest

from mingpai.cli.train import settings_again
from mingpai.training import loop
from mingpai.training.method import METHODS, training
from tests.training.test_training import run_of
from tests.training.toy import LineLearner, LineSettings


def test_the_command_to_go_on_repeats_the_settings() -> None:
    words = settings_again(["config=paper", "tables=256"], "ray")
    assert words == ["--set", "config=paper", "--set", "tables=256", "--engine", "ray"]
    assert settings_again(None, None) == []


@pytest.mark.parametrize("name", sorted(METHODS))
def test_what_a_run_does_is_said_with_its_settings(name: str) -> None:
    method = training(name)
    told = method.what.format(method.settings())
    assert re.search(r"\d", told)
    assert "{" not in told
    assert "\n" not in told


def test_a_long_wait_between_lines_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten seconds after the first step, then every minute, also where nothing is logged yet."""
    now = iter(float(second) for second in range(10**6))
    monkeypatch.setattr(time, "monotonic", lambda: next(now))
    told: list[int] = []
    learner = LineLearner(LineSettings())
    loop.train(run_of(tmp_path), learner, 200, log_every=1000, progress=lambda step, _: told.append(step))
    assert told[0] == 1
    assert told[-1] == 200
    assert 3 <= len(told) <= 12
