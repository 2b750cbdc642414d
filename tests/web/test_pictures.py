"""Every page in both languages and both sizes, in the middle of a game: the cards are there, nothing is clipped or
wider than the screen.

`MINGPAI_PICTURES=docs/pictures pytest tests/web/test_pictures.py` keeps the screenshots, as the README shows them.
"""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mingpai.records.jsonl import RecordWriter
from tests.web.conftest import Server
from tests.web.deals import played
from tests.web.test_table_browser import PATIENCE, sit_down, take_hint, wait_for_turn

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.ci]

SIZES = {"desktop": (1100, 860), "phone": (390, 844), "landscape": (844, 390)}
WORDS = {
    "en": {"deal": "Deal", "pilot": "Let the helper play", "prove": "Prove", "analyse": "Analyse",
           "bids": "No bidding", "judge": "Judge every move", "start": "Start", "compute": "Compute",
           "wins": "Show what wins", "coach": "Coach", "answer": "Show the answer"},
    "zh": {"deal": "发牌", "pilot": "托管", "prove": "求解", "analyse": "分析", "bids": "不叫牌",
           "judge": "逐步评判", "start": "开始", "compute": "计算", "wins": "显示必胜手",
           "coach": "教练", "answer": "看答案"},
}  # fmt: skip
HANDS = {"doudizhu": range(8, 20), "guandan": range(18, 28), "holdem": range(2, 3)}
"""Cards of the person after a move or two."""
SEEDS = {"doudizhu": "37", "guandan": "20", "holdem": "20"}
"""Deals in which there is something to see then."""


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a game of Dou Dizhu: a browser sees no other games than its own and those it opens."""
    file = tmp_path_factory.mktemp("games") / "duel.jsonl"
    with RecordWriter(file) as writer:
        writer.write(next(played("doudizhu", ("mingpai:preset=fast", "greedy", "greedy"), 1)))
    return file


class Camera:
    """A browser at one size in one language, and what it has to check."""

    def __init__(self, browser: "Browser", url: str, size: str, language: str) -> None:
        self.size, self.language, self.url = size, language, url
        width, height = SIZES[size]
        self.page: Page = browser.new_context(
            viewport={"width": width, "height": height},
            locale={"en": "en-US", "zh": "zh-CN"}[language],
            color_scheme="dark" if size == "phone" else "light",
        ).new_page()
        self.page.set_default_timeout(PATIENCE)

    def word(self, key: str) -> str:
        return WORDS[self.language][key]

    def click(self, key: str) -> None:
        self.page.get_by_role("button", name=self.word(key), exact=True).click()

    def open(self, path: str) -> None:
        self.page.goto(self.url + path)
        self.page.locator(".mp-page, .mp-table").first.wait_for()

    def keep(self, name: str, *, scroll: bool = True) -> None:
        """Check that the page fits, and keep the picture if it is asked for."""
        width = SIZES[self.size][0]
        if scroll:
            self.page.evaluate(TO_FELT if name.startswith("analyse") else "window.scrollTo(0, 0)")
        self.page.mouse.move(1, SIZES[self.size][1] // 2)  # away from what has a tooltip
        self.page.wait_for_timeout(400)
        self.page.wait_for_function(AT_REST)
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width, name
        for box in self.page.evaluate(BOXES):
            assert box["left"] >= 0, (name, box)
            assert box["right"] <= width, (name, box)
            assert box["width"] >= 17, (name, box)
            assert not box["covered"], (name, box)
        if folder := os.environ.get("MINGPAI_PICTURES"):
            shot(self.page, Path(folder) / f"{name}-{self.language}-{self.size}.png")


AT_REST = """() => [...document.querySelectorAll('.mp-table .last, .mp-table .mp-pick, .mp-sheet')].every(
  part => part.getAnimations().length === 0)"""
"""Whether no card flies any more: a busy machine may take its time."""
TO_FELT = """() => {
  const top = document.querySelector('.mp-table').getBoundingClientRect().top + window.scrollY;
  window.scrollTo(0, top - document.querySelector('header').offsetHeight - 6);
}"""
"""Brings the table under the header."""
BOXES = """() => [...document.querySelectorAll('.mp-table .mp-card')].map(card => {
  const box = card.getBoundingClientRect();
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  const seen = y > 80 && y < innerHeight && x > 0 && x < innerWidth;
  const top = seen ? document.elementFromPoint(x, y) : card;
  return {left: box.left, right: box.right, width: box.width, card: card.dataset.card,
          covered: seen && !top.closest('.mp-table')};
})"""
"""Where each card is, and whether something lies over it."""


RARE = ((200, 36, 43), (255, 224, 138), (28, 32, 36), (224, 120, 30), (60, 110, 145))
"""Colours of few pixels that must not change: the cards' red and black, words in gold, heat maps, the farmers' blue."""
PAPER = (255, 253, 247)
STRIP = 16


def shot(page: "Page", path: Path) -> None:
    """A small picture: 255 colours are enough, if strips of the rare ones make sure that they are among them."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path)
    with Image.open(path) as image:
        plain = image.convert("RGB")
    taller = Image.new("RGB", (plain.width, plain.height + STRIP * len(RARE)))
    taller.paste(plain)
    fade = Image.linear_gradient("L").rotate(90).resize((plain.width, STRIP // 2))
    for row, colour in enumerate(RARE):
        top = plain.height + STRIP * row
        taller.paste(colour, (0, top, plain.width, top + STRIP))
        taller.paste(Image.new("RGB", fade.size, PAPER), (0, top), fade)
    palette = taller.quantize(255, Image.Quantize.MEDIANCUT)
    plain.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


def _camera(request: pytest.FixtureRequest, browser: "Browser", server: Server) -> Iterator[Camera]:
    size, language = request.param
    made = Camera(browser, server.url, size, language)
    yield made
    made.page.context.close()


WAYS = list(itertools.product(sorted(SIZES), sorted(WORDS)))
at_the_table = pytest.fixture(params=WAYS, ids="-".join, name="at_the_table")(_camera)
camera = pytest.fixture(params=[way for way in WAYS if way[0] != "landscape"], ids="-".join, name="camera")(_camera)


@pytest.mark.parametrize("game", sorted(HANDS))
def test_the_table_in_mid_game(at_the_table: Camera, server: Server, game: str) -> None:
    camera = at_the_table
    page = camera.page
    sit_down(page, server, game, SEEDS[game])
    take_hint(page)
    page.locator(".mp-advice").wait_for(state="detached")
    wait_for_turn(page)
    assert page.locator(".mp-hand .mp-card").count() in HANDS[game]
    if game == "doudizhu":
        page.locator("[data-do=hint]").click()
        page.locator(".mp-advice").wait_for()
    camera.keep(f"play-{game}")
    if game == "doudizhu":
        page.get_by_role("button", name=camera.word("pilot")).click()
        page.locator(".mp-sheet .mp-accuracy").wait_for()
        camera.keep("play-end")
        camera.open("/play?new=1")
        camera.keep("play-setup")


def test_the_solver(camera: Camera) -> None:
    page = camera.page
    camera.open("/solve")
    assert page.locator(".mp-level").count() == 140
    camera.keep("solve-levels")
    camera.open("/solve/level/60")
    camera.click("wins")
    page.locator(".mp-tag.win").click()
    page.locator(".mp-crumbs button").nth(1).wait_for()
    page.locator(".mp-tag.win").first.wait_for()
    assert page.locator(".mp-hand .mp-card").count() >= 5
    camera.keep("solve-walk")
    camera.open("/solve?tab=endgame&landlord=3456789TJQ2&down=33446677KK&up=5588999AA")
    camera.click("prove")
    page.locator(".mp-tag").first.wait_for()
    assert page.locator(".mp-openhand .mp-card").count() == 30
    camera.keep("solve-endgame")
    camera.open("/solve?tab=equity")
    camera.click("compute")
    page.get_by_text("38.82%").wait_for()
    camera.keep("solve-equity")


@pytest.mark.parametrize("game", sorted(HANDS))
def test_an_analysis(camera: Camera, game: str) -> None:
    page = camera.page
    camera.open(f"/analyse?game={game}")
    camera.click("analyse")
    page.locator(".mp-bar-of").first.wait_for()
    assert page.locator(".mp-hand .mp-card").count() >= 2
    assert page.locator(".mp-heat").count() >= 1
    camera.keep(f"analyse-{game}")


def test_a_replay(camera: Camera, duel: Path) -> None:
    page = camera.page
    camera.open("/replay")
    page.locator("input[type=file]").set_input_files(duel)
    page.locator(".mp-movelist").wait_for()
    camera.click("judge")
    page.locator(".mp-movelist .lose").first.wait_for()
    page.locator(".mp-movelist .mp-tag").nth(7).click()
    assert page.locator(".mp-table .mp-card").count() >= 30
    camera.keep("replay")
    page.locator(".mp-panel", has_text=camera.word("coach")).get_by_role("button").nth(1).click()
    page.locator(".mp-strip").wait_for()
    page.locator(".mp-accuracy").scroll_into_view_if_needed()
    camera.keep("coach", scroll=False)


def test_the_other_pages(camera: Camera) -> None:
    page = camera.page
    camera.open("/")
    assert page.locator(".mp-door").count() == 12
    camera.keep("start")
    camera.open("/lessons/guandan?at=2")
    page.get_by_role("button", name=camera.word("answer")).click()
    page.locator(".mp-lesson").wait_for()
    camera.keep("lesson")
    camera.open("/styles")
    page.locator("canvas").first.wait_for()
    camera.keep("styles")
    camera.open("/arena?game=guandan")
    camera.click("start")
    page.get_by_text("20 / 20").wait_for()
    camera.keep("arena")
    camera.open("/rules")
    page.locator(".mp-prose").first.wait_for()
    camera.keep("rules")
