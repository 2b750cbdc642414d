"""The speed table of learning: every case is a run that can be made, and a pace is decisions learned by the clock."""

from dataclasses import replace
from types import ModuleType

import pytest

torch = pytest.importorskip("torch")

from mingpai.methods.mcm.network import Shape  # noqa: E402
from mingpai.methods.mcm.train_open import FRESH, OpenSettings  # noqa: E402
from tests.benches import load_benchmark  # noqa: E402


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load_benchmark("learning", monkeypatch)


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
