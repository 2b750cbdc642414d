"""The examples of the documents are executed: what they show is what happens.

Every fenced block of the READMEs, of docs/ and of the methods' pages is run, or stands below with the reason why not.
"""

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.shell import mingpai

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "README.zh-CN.md", *sorted((ROOT / "docs").rglob("*.md")),
         *sorted((ROOT / "mingpai" / "methods").glob("*/README.md"))]  # fmt: skip
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
HELP_ONLY = ("mingpai play", "mingpai app", "mingpai join", "mingpai host", "mingpai puzzle play", "mingpai agent GAME")
"""They wait for a person or a partner, and their own tests drive them: here they only say how they are used."""
ELSEWHERE = {
    "make ": "what CI itself calls",
    "mingpai train": "tests/training/test_from_nothing.py runs the page of training, at a small size",
    "python experiments/abduction_train.py": "the same",
    "python experiments/mcm_paper_lessons.py": "the same",
    "python experiments/paper003_deals.py": "tests/papers/test_reproduce.py, as mcm-logs",
    "mingpai records paper003": "tests/records/test_paper003.py, where the public file is present",
    "mingpai decide holdem fold '{...}'": "a place holder for any position; docs/positions.md has whole ones",
}
"""How a command begins -> which test runs it, or why none can."""
FILES = {"hand.phh": ROOT / "tests" / "corpus" / "phh" / "2"}
"""What a page takes for granted in the folder of its reader."""


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind == language]


def commands(page: Path) -> Iterator[str]:
    """The lines of its shell blocks, comments left out, lines that go on put together."""
    for block in blocks(page, ""):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip() and not line.startswith((" ", "#")):
                yield re.sub(r"\s+#\s.*", "", line).strip()


def is_elsewhere(line: str) -> bool:
    return line.startswith(tuple(ELSEWHERE))


def to_run(page: Path) -> list[str]:
    english = page.with_name(page.name.replace(".zh-CN", ""))
    known = set(commands(english)) if english != page else set()
    return [line for line in commands(page) if line.startswith("mingpai ") and not is_elsewhere(line) | (line in known)]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_python_examples_run(page: Path) -> None:
    namespace: dict[str, object] = {"__name__": "example"}  # a page is one program
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), namespace)


@pytest.mark.ci
@pytest.mark.parametrize("page", [page for page in PAGES if to_run(page)],
                         ids=lambda page: "-".join(page.relative_to(ROOT).parts[-2:]))  # fmt: skip
def test_commands_run_one_after_the_other(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the activated environment, as the README says, in a folder of the reader."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for name, file in FILES.items():
        shutil.copy(file, tmp_path / name)
    for line in to_run(page):
        run(line)


def run(line: str) -> None:
    if "exec:node" in line and shutil.which("node") is None:
        pytest.skip("node not found: a command of the documents needs it")
    words = shlex.split(line)[1:]
    if line.startswith(HELP_ONLY):
        words = [*words[: 2 if words[0] == "puzzle" else 1], "--help"]
    elif words[0] == "match":
        words += ["--deals", "2"]  # what is said last counts: a page shows a size worth looking at
    answer = mingpai(*words)
    assert answer.code in ((0, 1) if "doctor" in line else (0,)), f"{line}\n{answer}"
    assert answer.out or "botzone" in line, line


def test_no_command_of_a_page_is_forgotten() -> None:
    lines = [(page.name, line) for page in PAGES for line in commands(page)]
    kinds = ("mingpai ", "curl ", *ELSEWHERE)
    assert [(name, line) for name, line in lines if not line.startswith(kinds)] == []
    for beginning in ELSEWHERE:
        assert any(line.startswith(beginning) for _, line in lines), f"{beginning} is on no page any more"
    assert {kind for page in PAGES for kind, _ in BLOCK.findall(page.read_text("utf-8"))} <= {
        "",
        "python",
        "json",
        "abnf",
    }


def requests() -> list[tuple[str, dict[str, object]]]:
    """The curl lines of the documents: route and body."""
    texts = [block for page in PAGES for block in blocks(page, "") if block.startswith("curl ")]
    found = [re.search(r"localhost:8080(/\S+) .*?'(\{.*\})'", text, re.DOTALL) for text in texts]
    return [(match[1], json.loads(match[2])) for match in found if match]


def test_the_requests_of_the_documents_are_answered() -> None:
    from fastapi import FastAPI
    from fastapi.testclient import TestClient

    from mingpai.web import api

    app = FastAPI()
    api.install(app)
    client = TestClient(app, client=("127.0.0.1", 50000))
    assert len(requests()) == 2
    for route, body in requests():
        answer = client.post(route, json=body)
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "json")], ids=lambda page: page.name)
def test_positions_in_json_are_read(page: Path) -> None:
    import mingpai as library

    for block in blocks(page, "json"):
        assert library.legal_moves("doudizhu", json.loads(block))


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
