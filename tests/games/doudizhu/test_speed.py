"""The benchmark runs, and the hot loop does not allocate."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

PATH = Path(__file__).parents[3] / "benchmarks" / "rules.py"


def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmarks.rules", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.ci
def test_the_hot_loop_does_not_allocate() -> None:
    assert shutil.which("c++"), "the counting allocator needs a C++ compiler"
    counted = benchmark().allocations()
    assert counted["counter_works"]
    assert counted["moves"] > 100_000
    assert counted["allocations"] == 0


@pytest.mark.ci
def test_the_benchmark_measures_every_target() -> None:
    module = benchmark()
    rows = module.measure(0.02)
    assert set(module.TARGETS) <= {(work, peer) for work, peer, _, _ in rows}
    assert all(ours > 0 and theirs > 0 for _, _, ours, theirs in rows)
