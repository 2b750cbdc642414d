"""What a screen reader and a keyboard need: axe-core finds nothing serious on any page."""

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mingpai.records.jsonl import RecordWriter
from tests.web.conftest import Server
from tests.web.deals import played
from tests.web.test_table_browser import open_page, sit_down

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.ci]

PAGES = ("/", "/play?new=1", "/play?game=holdem&new=1", "/solve", "/solve?tab=endgame", "/solve?tab=equity", "/analyse",
         "/styles", "/arena", "/rules", "/solve/level/3", "/solve/daily", "/lessons",
         "/lessons/guandan?at=2", "/nowhere")  # fmt: skip


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe-core, from the package that brings it."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core not found: pip install -c constraints.txt axe-playwright-python")
    return (Path(found.origin).parent / "axe.min.js").read_text()


def findings(page: "Page", axe: str) -> list[tuple[str, Any]]:
    """What axe-core calls serious or critical."""
    page.wait_for_timeout(1500)  # what fades in is pale while it does
    page.evaluate(axe)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    grave = [one for one in found if one["impact"] in ("serious", "critical")]
    return [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in grave]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 844), ("light", 390)])
def test_no_page_has_a_serious_finding(browser: "Browser", server: Server, axe: str, scheme: str, width: int) -> None:
    """Also where the window is narrow and wide tables have to be scrolled."""
    page = open_page(browser, (width, 860), color_scheme=scheme)
    found = {}
    for path in PAGES:
        page.goto(server.url + path)
        page.locator(".mp-page").wait_for()
        page.wait_for_timeout(800)
        found[path] = findings(page, axe)
    assert not any(found.values()), found


@pytest.mark.parametrize("game", ["doudizhu", "guandan", "holdem"])
def test_no_table_has_a_serious_finding(browser: "Browser", server: Server, axe: str, game: str) -> None:
    page = open_page(browser)
    sit_down(page, server, game)
    page.keyboard.press("h")
    page.locator(".mp-advice").wait_for()
    assert findings(page, axe) == []


@pytest.mark.parametrize("size", [(390, 844), (844, 390)], ids=["portrait", "landscape"])
def test_neither_picker_nor_coach_has_a_serious_finding(
    browser: "Browser", server: Server, axe: str, size: tuple[int, int]
) -> None:
    page = open_page(browser, size, color_scheme="dark")
    page.goto(f"{server.url}/analyse?game=guandan")
    page.get_by_role("button", name="Pick cards: Hand now").press("Enter")
    page.locator(".mp-picker .mp-keys").first.wait_for()
    page.wait_for_timeout(800)
    assert findings(page, axe) == []
    page.goto(f"{server.url}/play?daily=1")
    page.get_by_role("button", name="Let the helper play").click()
    page.locator(".mp-sheet .mp-accuracy").wait_for()
    page.wait_for_timeout(2000)
    assert findings(page, axe) == []
    page.get_by_role("button", name="Review").press("Enter")
    page.wait_for_url("**/replay*")
    page.locator(".mp-accuracy .all b").wait_for()
    assert findings(page, axe) == []


def test_a_replay_has_no_serious_finding(browser: "Browser", server: Server, axe: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    with RecordWriter(file) as writer:
        writer.write(next(played("doudizhu", ("greedy", "greedy", "greedy"), 1)))
    page = open_page(browser)
    page.goto(f"{server.url}/replay")
    page.locator("input[type=file]").set_input_files(file)
    page.locator(".mp-movelist button").nth(3).click()
    assert findings(page, axe) == []
