"""The table in a real browser: every documented key, the pointer, reloads, phones."""

import itertools
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.conftest import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.ci]

PATIENCE = 60_000
"""Milliseconds to wait for an agent on a busy machine."""
PHONES = {"portrait": (390, 844), "landscape": (844, 390)}


def open_page(browser: "Browser", size: tuple[int, int] = (1100, 860), **more: Any) -> "Page":
    width, height = size
    page = browser.new_context(viewport={"width": width, "height": height}, **more).new_page()
    page.set_default_timeout(PATIENCE)
    return page


def sit_down(page: "Page", server: Server, game: str = "doudizhu", seed: str = "11", simple: bool = True) -> None:
    """A new game of a seed; the person is to move."""
    page.goto(f"{server.url}/play?game={game}&new=1")
    if simple and game == "doudizhu":
        page.get_by_role("switch").nth(1).click()
    page.locator(".q-expansion-item").first.click()
    page.locator("input[aria-label^='Seed'], input[aria-label^='种子']").fill(seed)
    page.locator("button:has-text('play_arrow')").press("Enter")  # a click may miss it while the field above unfolds
    page.locator("[data-do=hint]").wait_for()


def take_hint(page: "Page") -> None:
    """Asks for advice and follows it. The words may be there before the table shows what they advise."""
    page.locator("[data-do=hint]").click()
    page.locator(".mp-advice").wait_for()
    page.locator(".mp-do.hinted, [data-do=play][aria-disabled=false]").first.click()


def raised(page: "Page") -> list[str | None]:
    return [card.get_attribute("aria-label") for card in page.locator(".mp-pick[aria-pressed=true]").all()]


def cards(page: "Page") -> int:
    return page.locator(".mp-pick").count()


def wait_for_rest(page: "Page") -> None:
    """Until the dealt cards lie where they belong."""
    page.wait_for_function("document.querySelector('.mp-hand').getAnimations({subtree: true}).length === 0")


def wait_for_turn(page: "Page") -> None:
    page.locator("[data-do=hint]").or_(page.locator(".mp-sheet")).first.wait_for()


def test_every_key_of_a_card_game(browser: "Browser", server: Server) -> None:
    """After a click on a card too: Enter plays, Esc puts back, ranks pick."""
    page = open_page(browser)
    sit_down(page, server)
    first, last = page.locator(".mp-pick").first, page.locator(".mp-pick").last
    last.click()
    assert len(raised(page)) == 1
    page.keyboard.press("Escape")
    assert raised(page) == []
    rank = str(last.get_attribute("aria-label"))
    page.keyboard.press({"10": "0"}.get(rank, rank))
    assert raised(page) == [rank]
    page.keyboard.press("Escape")
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert raised(page) == [page.locator(".mp-pick").nth(1).get_attribute("aria-label")]
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.locator(".mp-advice").wait_for()
    hints = [raised(page)]
    page.keyboard.press("h")
    page.locator(".mp-advice", has_text="2/").wait_for()
    hints.append(raised(page))
    assert hints[0] != hints[1]
    page.keyboard.press("Escape")
    page.locator(".mp-advice").wait_for(state="detached")
    last.click()
    page.keyboard.press("Enter")
    page.locator(".mp-pick").nth(19).wait_for(state="detached")
    wait_for_turn(page)
    page.keyboard.press("u")
    page.locator(".mp-pick").nth(19).wait_for()
    last.click()
    page.keyboard.press("Enter")
    page.locator("[data-move=pass]").wait_for()
    page.keyboard.press("p")
    page.locator(".mp-mine .said", has_text="Pass").wait_for()
    page.get_by_role("button", name="Let the helper play").click()
    page.locator(".mp-sheet").wait_for()
    assert page.locator(".mp-sheet button").first.inner_text().strip().endswith("Review")
    page.keyboard.press("n")
    page.locator(".mp-sheet").wait_for(state="detached")


def test_every_key_of_the_bidding_and_of_holdem(browser: "Browser", server: Server) -> None:
    page = open_page(browser)
    sit_down(page, server, simple=False)
    page.keyboard.press("3")
    page.locator("[data-do=play], .mp-seat.turn").first.wait_for()
    sit_down(page, server, "holdem", "5")
    page.keyboard.press("r")
    page.locator(".mp-mine .said", has_text="Raise").or_(page.locator(".mp-sheet")).first.wait_for()
    wait_for_turn(page)
    if not page.locator(".mp-sheet").count():
        page.keyboard.press("c")
        page.locator(".mp-mine .said", has_text=re.compile("Call|Check")).or_(
            page.locator(".mp-sheet")
        ).first.wait_for()
    sit_down(page, server, "holdem", "6")
    page.keyboard.press("f")
    page.locator(".mp-mine .said", has_text="Fold").or_(page.locator(".mp-why", has_text="check")).first.wait_for()


def test_replay_keys_work_wherever_the_focus_is_and_the_address_names_the_game(
    browser: "Browser", server: Server
) -> None:
    page = open_page(browser)
    sit_down(page, server)
    page.get_by_role("button", name="Let the helper play").click()
    page.get_by_role("button", name="Review").press("Enter")
    frame = page.get_by_text(re.compile(r"^\d+ / \d+$"))
    page.get_by_text(re.compile(r"^0 / \d+$")).wait_for()
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        page.get_by_text(re.compile(rf"^{at} / \d+$")).wait_for()
    page.locator(".mp-movelist button").nth(2).click()
    page.keyboard.press("ArrowRight")
    page.get_by_text(re.compile(r"^4 / \d+$")).wait_for()
    page.wait_for_url(re.compile(r"key=\w+&at=4"))
    page.reload()
    page.get_by_text(re.compile(r"^4 / \d+$")).wait_for()
    page.keyboard.press("Space")
    page.get_by_text(re.compile(r"^5 / \d+$")).wait_for()
    page.keyboard.press("End")
    total = frame.inner_text().partition(" / ")[2]
    page.get_by_text(f"{total} / {total}", exact=True).wait_for()
    assert not re.search(r"\b[3-9TJQKA2XD]{5,}\b", page.locator(".mp-page").inner_text()), "no codes"


def test_reload_and_language_return_to_the_game(browser: "Browser", server: Server) -> None:
    page = open_page(browser)
    sit_down(page, server)
    page.locator(".mp-pick").last.click()
    page.keyboard.press("Enter")
    page.locator(".mp-pick").nth(19).wait_for(state="detached")
    wait_for_turn(page)
    hand = page.locator(".mp-hand").inner_text()
    page.reload()
    wait_for_turn(page)
    assert page.locator(".mp-hand").inner_text() == hand
    page.get_by_role("button", name="Menu").click()
    page.get_by_text("中文").click()
    page.get_by_role("button", name="提示").wait_for()
    assert page.locator(".mp-hand").inner_text() == hand
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    page.keyboard.press("u")
    page.locator(".mp-pick").nth(19).wait_for()
    page.reload()
    page.locator(".mp-pick").nth(19).wait_for()
    assert cards(page) == 20, "what was taken back stays taken back"


@pytest.mark.parametrize("shape", sorted(PHONES))
def test_a_hand_of_twenty_is_one_row_on_every_phone(browser: "Browser", server: Server, shape: str) -> None:
    width, height = PHONES[shape]
    page = open_page(browser, (width, height), has_touch=True, locale="en-US")
    sit_down(page, server)
    wait_for_rest(page)
    boxes = [card.bounding_box() for card in page.locator(".mp-pick").all()]
    assert len(boxes) == 20
    assert len({round(box["y"]) for box in boxes if box}) == 1, "one row"
    assert all(box and box["y"] + box["height"] <= height and box["x"] + box["width"] <= width for box in boxes)
    assert all(b and a and b["x"] - a["x"] >= 14 for a, b in itertools.pairwise(boxes)), "every rank is seen"
    assert page.locator(".mp-counter th").all_inner_texts()[:3] == ["大", "小", "2"]
    counter = page.locator(".mp-counter").bounding_box()
    assert counter is not None
    assert counter["x"] >= 0
    assert counter["x"] + counter["width"] <= width
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert page.locator("header.q-header, .q-tabs").count() == 0, "no tabs during play"


@pytest.mark.parametrize("shape", sorted(PHONES))
def test_the_hand_of_a_level_is_on_the_screen_of_a_phone(browser: "Browser", server: Server, shape: str) -> None:
    page = open_page(browser, PHONES[shape], has_touch=True, locale="en-US")
    page.goto(f"{server.url}/solve/level/3")
    page.locator(".mp-pick").nth(5).wait_for()
    wait_for_rest(page)
    boxes = [card.bounding_box() for card in page.locator(".mp-pick").all()]
    assert len(boxes) == 6
    assert all(box and box["y"] + box["height"] <= PHONES[shape][1] for box in boxes), boxes


def test_a_swipe_picks_a_run_of_cards(browser: "Browser", server: Server) -> None:
    page = open_page(browser)
    sit_down(page, server)
    wait_for_rest(page)
    first, fourth = (page.locator(".mp-pick").nth(n).bounding_box() for n in (0, 3))
    assert first is not None
    assert fourth is not None
    page.mouse.move(first["x"] + 5, first["y"] + 30)
    page.mouse.down()
    page.mouse.move(fourth["x"] + 5, fourth["y"] + 30, steps=8)
    page.mouse.up()
    assert len(raised(page)) == 4
    page.locator(".mp-pick").nth(1).click(position={"x": 5, "y": 30})
    assert len(raised(page)) == 3


def test_a_wild_card_is_asked_about_flushes_are_found_and_groups_sorted(browser: "Browser", server: Server) -> None:
    page = open_page(browser)
    sit_down(page, server, "guandan", "0")
    found = []
    for _ in range(3):
        page.locator("[data-do=flush]").click()
        found.append(tuple(sorted(map(str, raised(page)))))
    assert len(set(found)) == 3
    page.locator("[data-do=sort]").click()
    assert page.locator(".line.own .mp-pick").count() == 5
    page.locator("[data-do=sort]").click()
    assert page.locator(".line.own").count() == 0
    for key in ("4", "4", "9", "9"):
        page.keyboard.press(key)
    page.locator(".mp-pick[data-id^=H2]").last.focus()
    page.keyboard.press("Space")
    page.locator("[data-do=play]").click()
    readings = page.locator(".q-dialog button")
    readings.nth(1).wait_for()
    readings.first.click()
    page.locator(".mp-mine .last .mp-card").nth(4).wait_for()
    page.get_by_role("button", name="Menu").click()
    page.get_by_text("Keys", exact=True).click()
    page.get_by_text("Ranks pick cards").wait_for()


def test_language_and_darkness_follow_the_browser(browser: "Browser", server: Server) -> None:
    page = open_page(browser, locale="zh-CN", color_scheme="dark")
    page.goto(f"{server.url}/")
    page.get_by_text("残局").first.wait_for()
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    assert page.evaluate("document.body.classList.contains('body--dark')")
    page.goto(f"{server.url}/nowhere")
    page.get_by_text("没有这个页面").wait_for()
    assert "连接丢失" in (page.locator("#popup").text_content() or "")
    page.goto(f"{server.url}/solve?tab=endgame&landlord=33333&down=4")
    page.get_by_role("button", name="求解").click()
    page.locator(".q-notification", has_text="最多 4 张").wait_for()


def test_nothing_moves_where_motion_is_unwanted(browser: "Browser", server: Server) -> None:
    page = open_page(browser, reduced_motion="reduce")
    sit_down(page, server)
    assert page.evaluate("getComputedStyle(document.querySelector('.mp-pick')).animationName") == "none"
    assert page.evaluate("document.querySelector('.mp-table').getAnimations({subtree: true}).length") == 0


def test_the_app_can_be_installed(browser: "Browser", server: Server) -> None:
    page = open_page(browser)
    asked: list[tuple[str, int]] = []
    page.on("response", lambda r: asked.append((r.url, int(r.headers.get("content-length") or 0))))
    page.goto(f"{server.url}/")
    page.locator(".mp-door").first.wait_for()
    assert all(url.startswith((server.url, "data:")) for url, _ in asked), "no outside requests"
    assert sum(size for _, size in asked) < 1_000_000
    manifest = page.request.get(f"{server.url}/manifest.webmanifest").json()
    for icon in manifest["icons"]:
        assert page.request.get(server.url + icon["src"]).ok
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    assert "mingpai app" in page.request.get(f"{server.url}/offline").text()


def test_a_kill_right_after_the_own_move_does_not_lose_it(browser: "Browser", tmp_path: Path) -> None:
    """kill -9 as soon as the page shows the move; the app that starts next goes on behind it."""
    server = Server(tmp_path)
    try:
        page = open_page(browser)
        sit_down(page, server)
        page.locator(".mp-pick").last.click()
        page.keyboard.press("Enter")
        page.locator(".mp-pick").nth(19).wait_for(state="detached")
        server.kill()
        (file,) = (tmp_path / "tables").glob("*.json")
        assert json.loads(file.read_text())["deal"]["moves"][0][0] == 0
        server.start()
        page.goto(f"{server.url}/play?table=1")
        page.locator(".mp-pick").first.wait_for()
        assert cards(page) == 19
    finally:
        server.kill()
