"""The speed table of learning: every case is a run that can be made, and a pace is decisions learned by the clock."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

torch = pytest.importorskip("torch")

from mingpai.methods.mcm.network import Shape  # noqa: E402
from mingpai.methods.mcm.train_open import FRESH, OpenSettings  # noqa: E402

ROOT = Path(__file__).parents[3]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    spec = importlib.util.spec_from_file_location("benchmarks.learning", ROOT / "benchmarks" / "learning.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_every_kind_is_compared_with_one_process(bench: ModuleType) -> None:
    for ways in bench.CASES.values():
        one, *others = ways.values()
        assert one.threads == getattr(one, "processes", 1) == 1
        assert all(other.minibatch == one.minibatch and other.tables == one.tables for other in others)


def test_a_pace_is_decisions_by_the_clock(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A learner whose steps take a second of a clock that we turn."""
    now = [0.0]

    class Slow:
        def step(self) -> None:
            now[0] += 1.0

    monkeypatch.setattr(bench.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(bench, "learner_of", lambda settings: Slow())
    assert bench.pace(OpenSettings(minibatch=64), 10.0) == pytest.approx(64.0)


@pytest.mark.ci
def test_two_processes_have_a_pace(bench: ModuleType) -> None:
    small = OpenSettings(
        samples=bench.LONG, tables=64, minibatch=64, memory=500, first=100, start=FRESH, judge=FRESH,
        shape=Shape(64, 2, 64, 64), mixed=False,
    )  # fmt: skip
    assert bench.pace(replace(small, processes=2), 0.2) > 0
