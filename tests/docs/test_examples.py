"""The examples of the documents are executed: what they show is what happens."""

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.shell import mingpai

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ("api.md", "bots.md", "contract.md", "environments.md", "extending.md", "formats.md", "measuring.md",
        "positions.md", "start.md", "start.zh-CN.md")  # fmt: skip
PAGES = [ROOT / "README.md", ROOT / "README.zh-CN.md", *(ROOT / "docs" / name for name in DOCS)]
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"^(mingpai [^#\n]*)", re.MULTILINE)
NOT_RUN = ("mingpai play", "mingpai app", "mingpai join", "mingpai host", "mingpai train", "mingpai agent GAME")
"""Commands that wait for a person or a partner: their own tests drive them."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(page: Path) -> None:
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks
    namespace: dict[str, object] = {"__name__": "example"}  # a page is one program
    for block in blocks:
        exec(compile(block, str(page), "exec"), namespace)


COMMANDS = sorted({line.strip() for page in PAGES for line in COMMAND.findall(page.read_text("utf-8"))})


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_of_the_documents_run(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the activated environment, as the README says."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if "exec:node" in line and shutil.which("node") is None:
        pytest.skip("node not found: a command of the documents needs it")
    words = shlex.split(line)[1:]
    if line.startswith(NOT_RUN):
        words = [words[0], "--help"]
    answer = mingpai(*words)
    assert answer.code in (0, 1 if "doctor" in line else 0), answer
    assert answer.out


def test_the_steps_with_records_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Indented commands of the page on measuring use files that the ones before them made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    steps = re.findall(r"^  (mingpai .*)$", (ROOT / "docs" / "measuring.md").read_text("utf-8"), re.MULTILINE)
    assert len(steps) > 5
    for step in steps:
        answer = mingpai(*shlex.split(step)[1:])
        assert answer.code == 0, answer
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".duckdb", ".jsonl", ".npz", ".parquet"]
