"""The app in a real browser, as a person uses it."""

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import Server
from tests.web.deals import played
from tests.web.test_table_browser import PATIENCE, open_page, sit_down, take_hint, wait_for_turn

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.ci]


@pytest.fixture
def page(browser: "Browser", server: Server) -> "Page":
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    page.set_default_timeout(PATIENCE)
    return page


def play_to_the_end(page: "Page") -> int:
    """Takes hints until the deal is over; the number of moves made."""
    made = 0
    over, hint = page.locator(".mp-sheet"), page.locator("[data-do=hint]")
    while True:
        over.or_(hint).first.wait_for()
        if over.count():
            return made
        number = page.locator(".mp-hand").get_attribute("data-number")
        take_hint(page)
        page.wait_for_function("n => document.querySelector('.mp-hand').dataset.number !== n", arg=number)
        made += 1


def test_a_whole_game_is_played_and_can_be_reviewed(page: "Page", server: Server) -> None:
    sit_down(page, server)
    page.locator(".mp-hand .mp-card").nth(19).wait_for()
    assert play_to_the_end(page) > 0
    assert re.search(r"You (won|lost)", page.locator(".mp-sheet h2").inner_text())
    assert "Stake" in page.locator(".mp-sheet .details").inner_text()
    page.get_by_role("button", name="Review").press("Enter")  # a click may miss it while the coach writes below
    page.get_by_text(re.compile(r"^0 / \d+$")).wait_for()


def test_an_interrupted_game_goes_on_after_a_crash(browser: "Browser", server: Server) -> None:
    page = open_page(browser)
    context = page.context
    sit_down(page, server)
    page.locator(".mp-pick").last.click()
    page.keyboard.press("Enter")
    page.locator(".mp-pick").nth(19).wait_for(state="detached")
    wait_for_turn(page)
    page.wait_for_timeout(500)
    hand = page.locator(".mp-hand").inner_text()
    page.close()
    server.kill()
    server.start()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/play", wait_until="domcontentloaded")
    wait_for_turn(page)
    assert page.locator(".mp-hand").inner_text() == hand
    context.close()


def test_two_browsers_have_separate_games(browser: "Browser", server: Server) -> None:
    hands = []
    for seed in ("1", "2"):
        page = open_page(browser)
        sit_down(page, server, seed=seed)
        hands.append((page, page.locator(".mp-hand").inner_text()))
    assert hands[0][1] != hands[1][1]
    assert all(page.locator(".mp-hand").inner_text() == hand for page, hand in hands)


def test_the_language_is_switched_and_kept(browser: "Browser", server: Server) -> None:
    page = open_page(browser, (390, 800))
    page.goto(f"{server.url}/play")
    page.get_by_role("button", name="中文").click()
    page.locator(".mp-opponent").first.click()
    page.locator(".mp-hand .mp-card").nth(16).wait_for()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "nothing is wider than the phone"
    page.goto(f"{server.url}/rules")
    page.get_by_text("五分钟学会斗地主").wait_for()


def test_an_illegal_play_is_explained_in_words(page: "Page", server: Server) -> None:
    sit_down(page, server)
    page.locator(".mp-pick").first.click()
    page.locator(".mp-pick").last.click()
    page.locator("[data-do=play]").click()
    page.locator(".mp-why.wrong", has_text="no combination").wait_for()
    assert page.locator(".mp-hand .mp-card").count() == 20


def test_a_puzzle_is_solved(page: "Page", server: Server) -> None:
    page.goto(f"{server.url}/solve?tab=endgame")
    page.get_by_role("button", name="Prove").click()
    page.get_by_text("The landlord wins").wait_for()
    assert [tag.get_attribute("data-move") for tag in page.locator(".mp-tag.win").all()] == ["4"]


def test_equity_shows_a_matrix_for_each_player(page: "Page", server: Server) -> None:
    page.goto(f"{server.url}/solve?tab=equity")
    page.get_by_role("button", name="Compute").click()
    page.get_by_text("38.82%").wait_for()
    assert page.locator("table.mp-heat").count() == 2


def test_a_range_is_chosen_with_the_keyboard_alone(page: "Page", server: Server) -> None:
    page.goto(f"{server.url}/solve?tab=equity&players=AhKd|QQ")
    grid = page.get_by_role("grid", name="Starting hands of player 2")
    chosen = grid.locator("[aria-selected=true]")
    assert chosen.all_inner_texts() == ["QQ"]
    assert grid.locator("[tabindex='0']").all_inner_texts() == ["AA"], "one stop for the tab key"
    grid.locator("[tabindex='0']").focus()
    walk = {"ArrowRight": "AKs", "ArrowDown": "KK", "End": "K2s", "ArrowUp": "A2s", "Home": "AA", "ArrowLeft": "AA",
            "Control+End": "22", "Control+Home": "AA"}  # fmt: skip
    for key, here in [*walk.items(), ("ArrowRight", "AKs")]:
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.hand") == here
    page.keyboard.press("Space")
    grid.locator("[aria-selected=true][data-hand=AKs]").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    grid.locator("[aria-selected=true][data-hand=KK]").wait_for()
    assert page.evaluate("document.activeElement.dataset.hand") == "KK", "the focus stays"
    written = "document.querySelectorAll('input[aria-label^=\"A hand or a range\"]')[1].value === 'AKs, KK, QQ'"
    page.wait_for_function(written)
    page.keyboard.press("Enter")
    grid.locator("[aria-selected=false][data-hand=KK]").wait_for()
    assert grid.locator("[data-hand=AKs]").get_attribute("aria-label") == "A K suited"
    page.get_by_role("button", name="Compute").press("Enter")
    page.locator(".text-h6.mp-good", has_text="%").first.wait_for()


@pytest.mark.parametrize("game", ["guandan", "holdem"])
def test_a_deal_of_the_other_games_is_played(page: "Page", server: Server, game: str) -> None:
    sit_down(page, server, game, "3")
    assert play_to_the_end(page) > 0


def test_a_level_says_whether_a_move_kept_the_win_and_stays_solved(page: "Page", server: Server) -> None:
    page.goto(f"{server.url}/solve/level/2")
    page.get_by_role("button", name="Show what wins").click()
    won, moves = page.get_by_text("Won with the answer shown"), list[str]()
    while True:
        win = page.locator(".mp-tag.win").first
        win.or_(won).first.wait_for()
        if won.count():
            break
        before = page.locator(".mp-crumbs button").count()
        moves.append(str(win.get_attribute("data-move")))
        win.click()
        page.locator(".mp-crumbs button").nth(before).wait_for()
    page.goto(f"{server.url}/solve/level/2")
    for number, move in enumerate(moves):
        page.locator("[data-do=play]").wait_for()
        for key in ["p"] if move == "pass" else [*move.partition("@")[0].replace("T", "0"), "Enter"]:
            page.keyboard.press(key)
        page.locator(".mp-crumbs button.win").nth(number).wait_for()
    page.get_by_text("Level 2 is solved").wait_for()
    page.goto(f"{server.url}/solve")
    page.get_by_text("1 / 140").wait_for()
    assert page.locator(".mp-level.done").all_inner_texts() == ["2"]


def test_cards_are_picked_for_positions_boards_and_hands(page: "Page", server: Server) -> None:
    page.goto(f"{server.url}/analyse?game=guandan")
    page.get_by_role("button", name="Pick cards: Hand now").click()
    picker = page.locator(".mp-picker")
    picker.locator(".mp-openhand .mp-card").first.wait_for()
    before = picker.locator(".mp-openhand .mp-card").count()
    picker.locator(".mp-openhand .mp-pick").first.click()
    picker.locator(".mp-openhand .mp-card").nth(before - 1).wait_for(state="detached")
    picker.locator(".mp-keys .mp-pick:not(.none)").first.click()
    picker.locator(".mp-openhand .mp-card").nth(before - 1).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.goto(f"{server.url}/solve?tab=equity")
    page.get_by_role("button", name="Pick cards: Board").click()
    for card in ("A♠", "K♠", "2♠"):
        page.locator(".mp-picker .mp-keys").get_by_role("button", name=card).click()
    page.locator(".mp-picker .mp-openhand .mp-card").nth(2).wait_for()
    assert page.locator(".mp-picker .mp-keys").get_by_role("button", name="A♥").is_disabled(), "a player holds it"
    page.get_by_role("button", name="Done").click()
    assert page.get_by_label("Board", exact=True).input_value() == "AsKs2s"
    page.get_by_role("button", name="Compute").click()
    page.locator(".text-h6.mp-good", has_text="%").first.wait_for()


def test_moves_of_a_position_are_clicked_and_drawn_never_written(page: "Page", server: Server) -> None:
    page.goto(f"{server.url}/analyse?game=guandan")
    moves = page.locator(".mp-movelist .mp-tag")
    moves.nth(15).wait_for()
    assert moves.nth(4).inner_text().startswith("5. You"), "seats are told by direction"
    assert not re.search(r"([SHDC][2-9TJQKA]){2}", page.locator(".mp-page").inner_text()), "no codes"
    assert (
        page.locator("input:visible").evaluate_all("all => all.filter(one => /[SHDC][2-9TJQKA]/.test(one.value))") == []
    )
    page.get_by_role("button", name="Take back").click()
    moves.nth(15).wait_for(state="detached")
    page.get_by_role("button", name="Pick cards: Next move of").click()
    keys = page.locator(".mp-picker .mp-keys")
    for card in ("9♥", "9♣", "2♥", "J♠", "J♣"):
        keys.get_by_role("button", name=card).click()
    page.locator(".mp-picker .mp-openhand .mp-card").nth(4).wait_for()
    page.get_by_role("button", name="Done").click()
    readings = page.locator(".q-dialog button .mp-row")
    readings.nth(1).wait_for()
    readings.first.click()
    moves.nth(15).locator(".mp-card").nth(4).wait_for()
    page.get_by_role("button", name="Take back").click()
    moves.nth(15).wait_for(state="detached")
    page.get_by_role("button", name="Pass", exact=True).click()
    moves.nth(15).get_by_text("Pass").wait_for()


def test_hands_are_clicked_together_and_shared_by_link(page: "Page", server: Server) -> None:
    page.goto(f"{server.url}/solve?tab=endgame&landlord=34&down=3")
    page.locator(".mp-keys .mp-pick").nth(14).click()
    page.locator(".mp-openhand .mp-card").nth(3).wait_for()
    assert page.get_by_label("Landlord's cards").input_value() == "34D"
    page.get_by_role("button", name="Share by link").click()
    link = page.locator(".q-dialog input").input_value()
    assert link.startswith(server.url)
    page.goto(link)
    assert page.get_by_label("Landlord's cards").input_value() == "34D"
    page.get_by_role("button", name="Prove").click()
    page.get_by_text("The landlord wins").wait_for()


def test_a_file_is_loaded_judged_and_tried_again(page: "Page", server: Server, tmp_path: Path) -> None:
    record = next(played("doudizhu", ("greedy", "greedy", "greedy"), 1))
    file = tmp_path / "games.jsonl"
    file.write_text(record.dumps() + "\n")
    page.goto(f"{server.url}/replay")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text("Games loaded: 1").wait_for()
    page.get_by_role("button", name="Judge every move").click()
    page.locator(".mp-movelist .lose").first.press("Enter")
    page.get_by_text(re.compile(r"lost \d+%; better")).wait_for()
    page.get_by_role("button", name="Try again from here").press("Enter")
    wait_for_turn(page)
    assert page.locator(".mp-hand .mp-card").count() >= 1


def test_a_file_that_is_no_record_is_refused(page: "Page", server: Server, tmp_path: Path) -> None:
    page.goto(f"{server.url}/replay")
    for name, content in (("games.jsonl", b"\x89PNG\r\n\x1a\n\0\0"), ("games.jsonl", b'{"schema": 99}')):
        file = tmp_path / name
        file.write_bytes(content)
        page.locator("input[type=file]").set_input_files(file)
        page.locator(".q-notification", has_text="cannot be read").first.wait_for()
        page.wait_for_timeout(300)


def test_the_first_page_is_there_in_two_seconds(browser: "Browser", server: Server) -> None:
    """In a browser that has loaded nothing yet; the best of ten, for tests beside this one take time too."""
    took: list[float] = []
    while len(took) < 10 and min(took, default=2.0) >= 2.0:
        context = browser.new_context()
        page = context.new_page()
        start = time.perf_counter()
        page.goto(f"{server.url}/")
        page.locator(".mp-door").nth(8).wait_for()
        took.append(time.perf_counter() - start)
        context.close()
    assert min(took) < 2.0, took


def test_the_api_page_needs_no_network(page: "Page", server: Server) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.url}/docs")
    page.locator("summary").nth(10).wait_for()
    assert all(url.startswith(server.url) for url in asked), asked


def test_a_click_on_a_player_shows_his_decisions_as_cards(page: "Page", server: Server) -> None:
    page.goto(f"{server.url}/styles")
    rows = page.get_by_role("region", name=re.compile("Benchmark")).locator("tbody tr")
    rows.first.locator(".mp-card").nth(16).wait_for()
    shown = rows.first.inner_html()
    players = page.get_by_role("region", name=re.compile("sigma")).locator("tbody tr")
    players.nth(3).click()
    page.wait_for_function("old => !document.body.innerHTML.includes(old)", arg=shown)
    rows.first.locator(".mp-card").nth(16).wait_for()
    assert page.get_by_role("combobox", name="Player").input_value() == players.nth(3).locator("td").first.inner_text()
    assert re.search(r"bids|passes|rob", rows.first.inner_text())
