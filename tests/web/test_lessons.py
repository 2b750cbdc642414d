"""Comments, games shared by link or file, and lessons."""

import json
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mingpai import api
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadlyWritten
from mingpai.core.random import stream
from mingpai.records.record import Record
from mingpai.web import tasks
from mingpai.web.lessons import Lesson, Step, Words, add_step, built_in, keep_lesson, own_lessons
from mingpai.web.sharing import MOST_LETTERS, MOST_RECORD, comment, comments_of, pack, unpack, with_comments
from tests.web.conftest import Server
from tests.web.deals import played

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BOTH: Words = {"en": "why", "zh": "为什么"}


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINGPAI_HOME", str(tmp_path))


@pytest.fixture
def record() -> Record:
    return next(played("doudizhu", ("greedy", "greedy", "greedy"), 1))


def test_a_game_and_its_comments_travel_in_a_link(record: Record) -> None:
    told = with_comments(record, {0: "a close one", 4: "过早"})
    link = pack(told)
    assert len(link) < 2000
    assert unpack(link) == told
    assert unpack(link).key == record.key, "comments do not make it another game"
    assert comments_of(unpack(link), "somebody else") == {0: "a close one", 4: "过早"}


@pytest.mark.parametrize("text", [
    "", "x", "no link", urlsafe_b64encode(b"plain").decode(), urlsafe_b64encode(zlib.compress(b"[1]")).decode(),
    urlsafe_b64encode(zlib.compress(b" " * (MOST_RECORD + 10))).decode(), pack.__name__ * 3,
])  # fmt: skip
def test_a_link_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadlyWritten):
        unpack(text)


def test_comments_are_kept_by_browser_and_can_be_taken_away(record: Record) -> None:
    assert comment(record, "me", 3, " good ") == {3: "good"}
    comment(record, "me", 0, "x" * 2 * MOST_LETTERS)
    assert len(comments_of(record, "me")[0]) == MOST_LETTERS
    assert comments_of(record, "you") == {}
    assert comment(record, "me", 3, "").keys() == {0}
    sent = with_comments(record, {1: "theirs"})
    assert comments_of(sent, "you") == {1: "theirs"}


def test_every_game_has_a_lesson_whose_moves_are_legal() -> None:
    assert set(built_in()) == set(REGISTRY.games())
    for game, lesson in built_in().items():
        assert lesson.game == game
        assert len(lesson.steps) >= 5
        for step in lesson.steps:
            view = api.view(game, dict(step.position))
            state = view.sample_worlds(stream(0, "lesson"), 1)[0]
            view.game.parse_move(step.best, state)
            assert step.comment["en"] != step.comment["zh"]


def test_a_lesson_goes_out_and_comes_back() -> None:
    lesson = built_in()["guandan"]
    assert Lesson.loads(lesson.dumps()) == lesson
    assert tasks.read_lesson(lesson.dumps().encode()) == lesson


@pytest.mark.parametrize("broken", [
    {"schema": 2}, {"lesson": "whist"}, {"positions": {}}, {"title": 3}, {"positions": [{}]},
    {"positions": [{"position": {"hand": "33"}, "comment": ""}]},
])  # fmt: skip
def test_a_file_that_is_no_lesson_is_refused(broken: dict[str, object]) -> None:
    data = built_in()["doudizhu"].to_json() | broken
    with pytest.raises(BadlyWritten):
        Lesson.loads(json.dumps(data))


def test_an_illegal_answer_is_refused() -> None:
    data = built_in()["doudizhu"].to_json()
    data["positions"][0]["best"] = "XD"
    with pytest.raises(BadlyWritten, match="legal move"):
        Lesson.from_json(data)


def test_positions_are_collected_in_ones_own_lesson() -> None:
    step = Step(built_in()["doudizhu"].steps[0].position, BOTH, "34567")
    add_step("me", "doudizhu", BOTH, step)
    assert len(add_step("me", "doudizhu", BOTH, step).steps) == 2
    (name,) = own_lessons("me")
    keep_lesson("me", name, own_lessons("me")[name].without(0))
    assert own_lessons("me")[name].steps == (step,)
    keep_lesson("me", name, None)
    assert own_lessons("me") == {} == own_lessons("you")


@pytest.mark.browser
@pytest.mark.ci
def test_a_coach_comments_shares_and_teaches(
    browser: "Browser", server: Server, record: Record, tmp_path: Path
) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-US").new_page()
    page.set_default_timeout(60_000)
    file = tmp_path / "student.jsonl"
    file.write_text(record.dumps() + "\n")
    page.goto(f"{server.url}/replay")
    page.locator("input[type=file]").first.set_input_files(file)
    page.locator(".mp-movelist button").nth(3).click()
    page.get_by_label("Comment on this position").fill("Too early")
    page.keyboard.press("Enter")
    page.locator(".mp-movelist", has_text="💬").wait_for()
    page.get_by_role("button", name="Add to my lesson").click()
    page.get_by_text("Added: 1 positions").wait_for()
    page.get_by_role("button", name="Share by link").click()
    link = page.locator(".q-dialog input").input_value()
    student = browser.new_context(locale="en-US").new_page()
    student.goto(link)
    student.locator(".mp-movelist", has_text="💬").wait_for()
    assert student.get_by_label("Comment on this position").input_value() == "Too early"
    student.context.close()
    page.goto(f"{server.url}/lessons/own-doudizhu")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the lesson").click()
    saved = download.value.path()
    page.goto(f"{server.url}/lessons")
    page.locator("input[type=file]").set_input_files({"name": "a.json", "mimeType": "application/json",
                                                      "buffer": saved.read_bytes()})  # fmt: skip
    page.wait_for_url("**/lessons/file-*")
    page.goto(f"{server.url}/lessons/doudizhu?at=2")
    page.locator(".mp-hand .mp-card").first.wait_for()
    for key in ("8", "8", "Enter"):
        page.keyboard.press(key)
    page.locator(".mp-lesson", has_text="Right!").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.context.close()
