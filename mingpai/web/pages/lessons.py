"""The Lessons pages: those that are built in, one's own, and those of a file; position after position."""

import functools
import secrets

from nicegui import ui

from mingpai.core.errors import MingpaiError
from mingpai.web import tasks
from mingpai.web.controls import file_button
from mingpai.web.frame import complain, language, page, panel, say, who, work
from mingpai.web.lessons import Lesson, built_in, keep_lesson, own_lessons
from mingpai.web.panels.lecture import Lecture


@ui.page("/lessons")
def lessons_page() -> None:
    with page("lessons"):
        ui.label(say("lessons_about")).classes("mp-soft")
        with ui.element("div").classes("mp-doors"):
            for name, lesson in built_in().items():
                _door(name, lesson)
        with panel(say("lessons_own")):
            own = own_lessons(who())
            with ui.element("div").classes("mp-doors"):
                for name, lesson in own.items():
                    _door(name, lesson)
            if not own:
                ui.label(say("lessons_none")).classes("mp-soft")
            with ui.row():
                file_button(say("lesson_open"), _load, ".json")


def _door(name: str, lesson: Lesson) -> None:
    with ui.link(target=f"/lessons/{name}").classes("mp-door").mark(f"lesson-{name}"):
        ui.label(lesson.title[language()]).classes("title")
        ui.label(f"{say(lesson.game)} · {say('lesson_positions', count=len(lesson.steps))}").classes("mp-soft")


async def _load(name: str, content: bytes) -> None:
    try:
        lesson = await work(functools.partial(tasks.read_lesson, content))
    except MingpaiError as error:
        complain(error)
        return
    key = f"file-{secrets.token_hex(4)}"
    keep_lesson(who(), key, lesson)
    ui.navigate.to(f"/lessons/{key}")


@ui.page("/lessons/{name}")
def lesson_page(name: str, at: str = "1") -> None:
    with page("lessons"):
        own = own_lessons(who())
        lesson = built_in().get(name) or own.get(name)
        if lesson is None or not lesson.steps:
            ui.label(say("not_found")).classes("mp-h")
            ui.link(say("lessons"), "/lessons")
            return
        number = int(at) if at.isdigit() and len(at) < 4 else 1
        LessonPanel(name, lesson, max(1, min(number, len(lesson.steps))), is_own=name in own)


class LessonPanel:
    """A lesson at one of its positions."""

    def __init__(self, name: str, lesson: Lesson, number: int, *, is_own: bool) -> None:
        self.name, self.lesson, self.number = name, lesson, number
        with ui.row().classes("items-center w-full gap-2"):
            ui.label(lesson.title[language()]).classes("text-h6").mark("lesson-title")
            ui.space()
            self._step("chevron_left", "step_back", number - 1)
            ui.label(f"{number} / {len(lesson.steps)}").classes("mp-soft").mark("lesson-at")
            self._step("chevron_right", "step_forward", number + 1)
        try:
            lecture = Lecture(lesson.game, lesson.steps[number - 1], number)
        except MingpaiError as error:
            complain(error)
            return
        with ui.row().classes("gap-2"):
            if lesson.steps[number - 1].best:
                ui.button(say("lesson_show"), icon="visibility", on_click=lecture.show_answer).props(
                    "outline no-caps"
                ).mark("show-answer")
            if number < len(lesson.steps):
                ui.button(say("lesson_next"), icon="skip_next", on_click=lambda: self._go(number + 1)).props(
                    "no-caps"
                ).mark("next-position")
            self._keep(is_own)

    def _keep(self, is_own: bool) -> None:
        """The lesson as a file; one's own can be thrown away."""
        file = f"mingpai-lesson-{self.name}.json"
        ui.button(
            say("lesson_save"), icon="download", on_click=lambda: ui.download.content(self.lesson.dumps(), file)
        ).props("flat no-caps").mark("save-lesson")
        if is_own:
            ui.button(say("lesson_drop"), icon="backspace", on_click=self._drop).props("flat no-caps").mark("drop")
            ui.button(say("lesson_forget"), icon="delete", on_click=self._forget).props("flat no-caps").mark("forget")

    def _step(self, icon: str, key: str, number: int) -> None:
        button = ui.button(icon=icon, on_click=lambda: self._go(number))
        button.props(f'flat dense round aria-label="{say(key)}"').set_enabled(1 <= number <= len(self.lesson.steps))

    def _go(self, number: int) -> None:
        ui.navigate.to(f"/lessons/{self.name}?at={number}")

    def _drop(self) -> None:
        keep_lesson(who(), self.name, self.lesson.without(self.number - 1))
        self._go(max(1, self.number - 1))

    def _forget(self) -> None:
        keep_lesson(who(), self.name, None)
        ui.navigate.to("/lessons")
