import os
import subprocess
import sys

import pytest

from mingpai import _native
from mingpai._native.core import Budget, Rng, stream_seed


def test_the_variant_is_one_of_two() -> None:
    assert _native.variant in _native.VARIANTS


def test_a_wrong_variant_is_refused_by_name() -> None:
    done = subprocess.run([sys.executable, "-c", "import mingpai._native"], capture_output=True, text=True,
                          env=os.environ | {"MINGPAI_NATIVE": "v9"})  # fmt: skip
    assert done.returncode == 1
    assert "expected one of base, v3" in done.stderr


def test_the_same_seed_gives_the_same_numbers() -> None:
    first, second = Rng(5), Rng(5)
    assert [first.next() for _ in range(5)] == [second.next() for _ in range(5)]
    assert Rng(5).next() != Rng(6).next()
    assert stream_seed(5, 0) != stream_seed(5, 1)


def test_below_is_uniform() -> None:
    rng, counts = Rng(1), [0] * 6
    for _ in range(60_000):
        counts[rng.below(6)] += 1
    assert sum((c - 10_000) ** 2 / 10_000 for c in counts) < 25  # chi-square, 5 degrees: p about 1e-4
    with pytest.raises(ValueError, match="n > 0"):
        rng.below(0)


def test_a_cancelled_budget_is_exhausted() -> None:
    budget = Budget(seconds=100)
    assert not budget.is_exhausted
    budget.cancel()
    assert budget.is_exhausted
