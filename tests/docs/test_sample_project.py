"""A project that uses the API: it runs, and `mypy --strict` finds nothing to complain about in it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "examples" / "sample_project" / "tournament.py"


def checked(path: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """As a stranger checks it: his own folder, no settings of ours, errors of other people's files not shown."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--cache-dir",
        str(cwd / "cache"),
        str(path),
    ]
    environment = os.environ | {"MYPYPATH": str(ROOT)}
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=environment)


def test_the_sample_project_is_strictly_typed(tmp_path: Path) -> None:
    answer = checked(SAMPLE, tmp_path)
    assert answer.returncode == 0, answer.stdout


def test_a_wrong_use_of_the_api_is_found(tmp_path: Path) -> None:
    """So that the test above can fail: the types of the API are known to the checker."""
    wrong = tmp_path / "wrong.py"
    wrong.write_text(SAMPLE.read_text("utf-8").replace('"greedy", seed=1)\n', '"greedy", seed="one")\n', 1))
    answer = checked(wrong, tmp_path)
    assert 'has incompatible type "str"; expected "int' in answer.stdout, answer.stdout


def test_the_sample_project_runs() -> None:
    told = subprocess.run([sys.executable, str(SAMPLE)], capture_output=True, text=True, check=True,
                          env=os.environ | {"PYTHONPATH": str(ROOT)}).stdout  # fmt: skip
    assert "landlords win" in told
    assert "True ['4']" in told
    assert "refused: " in told
