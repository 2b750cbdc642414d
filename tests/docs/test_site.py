"""The site: every page of the two navigations exists, both show the same pages, and the build has no broken link."""

import importlib
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
PAPERS = ("bidding", "endgame", "abduction", "handsplit", "handreading")
COLUMNS = "| | paper | the paper's method here | ours |"


def navigation(name: str) -> list[str]:
    return list(leaves(yaml.safe_load((ROOT / name).read_text("utf-8"))["nav"]))


def leaves(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    else:
        for inner in part.values() if isinstance(part, dict) else part:
            yield from leaves(inner)


@pytest.mark.parametrize("name", ["mkdocs.yml", "mkdocs.zh.yml"])
def test_every_page_of_the_navigation_exists(name: str) -> None:
    pages = navigation(name)
    assert len(pages) > 30
    assert [page for page in pages if not (ROOT / page).is_file()] == []


def test_both_languages_lead_to_the_same_pages() -> None:
    english, chinese = navigation("mkdocs.yml"), navigation("mkdocs.zh.yml")
    translated = {
        "README.zh-CN.md": "README.md",
        "docs/start.zh-CN.md": "docs/start.md",
        "docs/app.zh-CN.md": "docs/app.md",
    }
    assert [translated.get(page, page) for page in chinese] == english


def test_every_page_of_docs_is_in_the_navigation() -> None:
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert pages - set(navigation("mkdocs.yml")) - set(navigation("mkdocs.zh.yml")) == set()


@pytest.mark.parametrize("paper", PAPERS)
def test_the_pages_of_the_papers_have_one_layout(paper: str) -> None:
    text = (ROOT / "docs" / "papers" / f"{paper}.md").read_text("utf-8")
    assert COLUMNS in text
    assert "**Tables and figures**: `python experiments/reproduce.py list 00" in text


def test_links_between_pages_lead_somewhere() -> None:
    site = importlib.import_module("site_pages")
    wrong = []
    for page in site.pages():
        for target in site._LINK.findall((ROOT / page).read_text("utf-8")):
            if "://" not in target and not ((ROOT / page).parent / target).exists():
                wrong.append(f"{page}: {target}")
    assert wrong == []


@pytest.mark.ci
@pytest.mark.parametrize("config", ["mkdocs.yml", "mkdocs.zh.yml"])
def test_the_site_is_built_without_a_warning(config: str, tmp_path: Path) -> None:
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("mkdocstrings") is None:
        pytest.skip("mkdocs not installed: pip install 'mingpai[docs]'")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", config, "-d", str(tmp_path)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=quiet)
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "index.html").is_file()
    assert 'id="mingpai.api.decide"' in (tmp_path / "docs" / "reference.html").read_text("utf-8")
    first = (tmp_path / "index.html").read_text("utf-8")
    assert re.findall(r'<(?:script|link)[^>]*(?:src|href)="https?://', first) == [], "nothing is loaded from elsewhere"
    assert (tmp_path / "search" / "search_index.js").is_file(), "the search works without a server"
    assert (tmp_path / "docs" / "iframe-worker.js").is_file()
