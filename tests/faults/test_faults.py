"""Every write of records, tables, checkpoints and the store fails once: with an I/O error, without space, by a kill.

A library in front of the C library strikes the first, the second, ... call that changes a file (write, fsync, truncate,
rename), whoever makes it: Python, torch or DuckDB. Whatever is struck, a mistake is told as one, what was there before
is there afterwards, and the work can be gone on with.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.scenarios import SCENARIOS

pytestmark = pytest.mark.ci

LEAST = {"records": 12, "file": 9, "table": 15, "checkpoints": 50, "store": 30, "match": 15}
"""Faults that each scenario is struck by, at least: fewer would mean that the library misses calls."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that strikes."""
    out = tmp_path_factory.mktemp("faults") / "faults.so"
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    assert compiler is not None, "a C compiler is needed, as for the native core"
    source = Path(__file__).with_name("preload.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", out, source, "-ldl"], check=True)
    return out


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_write_fails_once(name: str, library: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.runner", name, str(tmp_path)], capture_output=True, text=True, timeout=600,
        env=os.environ | {"LD_PRELOAD": str(library), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    print(f"{name}: {told['struck']} faults")
    assert not told["wrong"], "\n".join(told["wrong"][:10])
    assert told["struck"] >= LEAST[name]
