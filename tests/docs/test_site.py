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

from tests.web.conftest import CHROMIUM, QUIET

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


def test_every_page_of_results_is_two_clicks_from_the_front_page() -> None:
    """By the pages of the papers, which the front page names."""
    front = (ROOT / "README.md").read_text("utf-8")
    assert all(f"docs/papers/{paper}.md" in front for paper in PAPERS)
    linked = "".join((ROOT / "docs" / "papers" / f"{paper}.md").read_text("utf-8") for paper in PAPERS)
    results = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "experiments" / "results").rglob("*.md"))
    assert [page for page in results if f"](../../{page})" not in linked] == []


def test_links_between_pages_lead_somewhere() -> None:
    site = importlib.import_module("site_pages")
    wrong = []
    for page in site.pages():
        for target in site._LINK.findall((ROOT / page).read_text("utf-8")):
            if "://" not in target and not ((ROOT / page).parent / target).exists():
                wrong.append(f"{page}: {target}")
    assert wrong == []


@pytest.fixture(scope="module", params=["mkdocs.yml", "mkdocs.zh.yml"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site in one language, as `make docs` builds it."""
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("mkdocstrings") is None:
        pytest.skip("mkdocs not installed: pip install 'mingpai[docs]'")
    folder = tmp_path_factory.mktemp("zh" if "zh" in request.param else "en")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", request.param, "-d", str(folder)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=quiet)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.ci
def test_the_site_is_built_without_a_warning(built: Path) -> None:
    assert (built / "index.html").is_file()
    assert 'id="mingpai.api.decide"' in (built / "docs" / "reference.html").read_text("utf-8")
    first = (built / "index.html").read_text("utf-8")
    assert re.findall(r'<(?:script|link)[^>]*(?:src|href)="https?://', first) == [], "nothing is loaded from elsewhere"


@pytest.mark.ci
@pytest.mark.browser
def test_the_search_answers_without_a_server(built: Path) -> None:
    if CHROMIUM is None:
        pytest.skip("chromium not found: apt-get install chromium fonts-noto-cjk")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET).new_page()
        page.goto((built / "index.html").as_uri())
        page.keyboard.press("/")
        word, found = ("残局", "Paper 001") if built.name.startswith("zh") else ("LessSplit", "Paper 003")
        page.keyboard.type(word)
        page.keyboard.press("End")  # the search listens to keys, and one is missing where a word is put in whole
        page.locator(".md-search-result__item", has_text=found).first.wait_for(timeout=30_000)
