"""Without the packages of the extras everything starts; what needs one names it."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
EXTRA = (
    "nicegui",
    "fastapi",
    "uvicorn",
    "duckdb",
    "onnxruntime",
    "torch",
    "matplotlib",
    "pettingzoo",
    "pyspiel",
    "ray",
)
HIDING = f"""
import importlib.abc, sys
class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {EXTRA!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
"""


def without_extras(tmp_path: Path, *words: str) -> tuple[int, str]:
    """`mingpai WORDS` where no package of an extra can be imported."""
    (tmp_path / "sitecustomize.py").write_text(HIDING)
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = subprocess.run([sys.executable, "-m", "mingpai", *words], capture_output=True, text=True, encoding="utf-8",
                          cwd=tmp_path, env=os.environ | {"PYTHONPATH": paths}, timeout=120)  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("words", [
    ("--help",),
    ("solve", "4667788QK2", "334455QK2"),
    ("equity", "AhKd", "QQ+,AK"),
    ("match", "doudizhu", "--a", "rhcp", "--b", "mctshs:iterations=50", "--deals", "1"),
    ("match", "guandan", "--a", "rule4", "--b", "rule1", "--deals", "1"),
    ("agents", "doudizhu"),
], ids=lambda words: words[0] if isinstance(words, tuple) else "")  # fmt: skip
def test_engines_and_agents_need_no_extra(tmp_path: Path, words: tuple[str, ...]) -> None:
    code, told = without_extras(tmp_path, *words)
    assert code == 0, told


@pytest.mark.parametrize(("words", "extra"), [
    (("app",), "app"),
    (("records", "import", "games.jsonl"), "store"),
    (("bid", "3577788TQKKKKA22X"), "networks"),
    (("train", "bidding", "--run", "run"), "train"),
], ids=["app", "store", "networks", "train"])  # fmt: skip
def test_what_needs_an_extra_names_it(tmp_path: Path, words: tuple[str, ...], extra: str) -> None:
    (tmp_path / "games.jsonl").write_text("")
    code, told = without_extras(tmp_path, *words)
    assert code == 2, told
    assert f"mingpai[{extra}]" in " ".join(told.split())
    assert "Traceback" not in told


def test_the_extras_that_are_named_exist() -> None:
    from mingpai.core.extras import EXTRAS

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for module, (_, extra) in EXTRAS.items():
        assert any(item.startswith(module) for item in extras[extra])


def test_a_folder_with_the_name_of_a_package_is_no_package(tmp_path: Path) -> None:
    (tmp_path / "nosuchpackage").mkdir()
    program = "from mingpai.cli.doctor import _package; print(_package('nosuchpackage', False, 'how')['state'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path,
                          env=os.environ | {"PYTHONPATH": str(ROOT)})  # fmt: skip
    assert done.stdout == "missing\n", done.stderr
