"""The scripts that play for points, against the yardsticks, and part by part: a few deals of each."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

EXPERIMENTS = Path(__file__).parents[3] / "experiments"
SCRIPTS = ("points", "doudizhu_shown", "flagship_parts")


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """The modules, working in a folder of their own."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    modules = {name: importlib.import_module(name) for name in SCRIPTS}
    for name, module in modules.items():
        monkeypatch.setattr(module, "RUNS", tmp_path / name)
    for name in ("REPORT", "STORED"):
        monkeypatch.setattr(modules["points"], name, tmp_path / f"points.{name}")
    monkeypatch.setattr(modules["doudizhu_shown"], "REPORT", tmp_path / "shown.md")
    yield modules
    for name in (*SCRIPTS, "frozen_agents", "script"):
        sys.modules.pop(name, None)


def test_points_against_wins(scripts: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Under rlcard, where nothing doubles, both play the same and nobody gains."""
    points = scripts["points"]
    points.run(points.chosen("mcm", "rlcard"), 4, 1.0)
    row = "| mcm | rlcard | 4 | +0.000 [+0.000, +0.000] | 50.0 "
    assert capsys.readouterr().out.startswith(row)
    points.report()
    points.report()
    assert row in points.REPORT.read_text()


def test_the_shipped_network_is_its_frozen_copy_or_meets_it(scripts: dict[str, Any]) -> None:
    shown = scripts["doudizhu_shown"]
    shown.run("mcm", None, 0.0)
    shown.report()
    assert "| mcm | mcm of 0.1 | 40 | " in shown.REPORT.read_text()
    frozen = shown.AGENTS["mcm"].partition("model=")[2]
    plan = shown.MATCHES["fast-points"].plan(Path(frozen).parent)
    assert all(side.endswith(",objective=points") for side in plan.sides)
    assert f"model={frozen}," in plan.sides[0]


def test_every_variant_of_the_flagship_is_another_agent(scripts: dict[str, Any]) -> None:
    parts = scripts["flagship_parts"]
    for match in parts.MATCHES.values():
        plain, changed = (parts.REGISTRY.agent("doudizhu", side).settings for side in match.plan().sides)
        assert plain != changed
