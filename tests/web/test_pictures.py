"""Every page in both languages and both sizes: nothing is clipped or wider than the screen.

`MINGPAI_PICTURES=docs/pictures pytest tests/web/test_pictures.py` keeps the screenshots, as the README shows them.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import Server
from tests.web.test_browser import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.ci]

SIZES = {"desktop": (1100, 860), "phone": (390, 844)}
WORDS = {"en": {"deal": "Deal", "hint": "Hint", "prove": "Prove", "analyse": "Analyse"},
         "zh": {"deal": "发牌", "hint": "提示", "prove": "求解", "analyse": "分析"}}  # fmt: skip
HAND_SIZES = {"doudizhu": 17, "guandan": 27, "holdem": 2}


@pytest.fixture(params=sorted(SIZES))
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=sorted(WORDS))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(browser: "Browser", server: Server, size: str, language: str) -> "Page":
    width, height = SIZES[size]
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/")
    if language == "zh":
        page.get_by_role("button", name="中文").click()
        page.get_by_role("button", name="English").wait_for()
    if size == "phone":
        page.locator("button.mp-dark").click()
    return page


def keep(page: "Page", name: str, size: str, language: str) -> None:
    """Check that the page fits, and keep the picture if it is asked for."""
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    for card in page.locator(".mp-hand .mp-card").all():
        box = card.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= SIZES[size][0]
    if folder := os.environ.get("MINGPAI_PICTURES"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}-{language}-{size}.png")


@pytest.mark.parametrize("game", sorted(HAND_SIZES))
def test_the_table_in_mid_game(page: "Page", server: Server, game: str, size: str, language: str) -> None:
    words = WORDS[language]
    page.goto(f"{server.url}/play?game={game}")
    page.locator("input[type=text], input:not([type])").last.wait_for()
    page.get_by_role("button", name=words["deal"], exact=True).click()
    page.get_by_role("button", name=words["hint"]).wait_for()
    assert page.locator(".mp-hand .mp-card").count() == HAND_SIZES[game]
    keep(page, f"play-{game}", size, language)


def test_the_endgame_solver(page: "Page", server: Server, size: str, language: str) -> None:
    page.goto(f"{server.url}/solve")
    page.get_by_role("button", name=WORDS[language]["prove"]).click()
    page.locator(".mp-felt .mp-card").nth(18).wait_for()
    keep(page, "solve", size, language)


def test_an_analysis(page: "Page", server: Server, size: str, language: str) -> None:
    page.goto(f"{server.url}/analyse")
    page.get_by_role("button", name=WORDS[language]["analyse"], exact=True).click()
    page.locator(".mp-bar").first.wait_for()
    keep(page, "analyse", size, language)


@pytest.mark.parametrize("name", ["", "replay", "arena", "rules"])
def test_the_other_pages(page: "Page", server: Server, name: str, size: str, language: str) -> None:
    page.goto(f"{server.url}/{name}")
    page.locator(".mp-page").wait_for()
    page.wait_for_timeout(300)
    keep(page, name or "start", size, language)
