"""The frame of every page: header, navigation, language, dark mode; who is looking, and work done for them."""

import asyncio
import logging
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from nicegui import app, ui

from mingpai.core.errors import IllegalHere, MingpaiError
from mingpai.core.reasons import Language
from mingpai.web.limits import MAX_SECONDS
from mingpai.web.texts import text
from mingpai.web.work import WORKSHOP
from mingpai.web.worker import WorkFailed

T = TypeVar("T")
LOG = logging.getLogger("mingpai.web")

PAGES = ("play", "solve", "analyse", "replay", "styles", "arena", "rules")
STYLE = Path(__file__).with_name("style.css").read_text()
MARK = Path(__file__).with_name("favicon.svg").read_text()


def language() -> Language:
    """The reader's language."""
    return "zh" if app.storage.user.get("language") == "zh" else "en"


def who() -> str:
    """A name for this browser, kept in its cookie."""
    name = app.storage.user.get("who")
    if not isinstance(name, str):
        name = app.storage.user["who"] = uuid.uuid4().hex
    return name


def say(key: str, **args: object) -> str:
    """A text in the reader's language."""
    return text(key, language(), **args)


def words_of(error: MingpaiError) -> str:
    """A mistake in the reader's language, as far as the rules name it; else as the command line says it."""
    return error.reason.render(language()) if isinstance(error, IllegalHere) else str(error)


def complain(error: MingpaiError) -> None:
    """Show a mistake to the person."""
    ui.notify(words_of(error), type="warning", close_button=True, timeout=6000)


_JOBS: dict[str, set[asyncio.Future[Any]]] = {}
"""Work under way for each open page."""


async def work(task: Callable[[], T], kind: str = "") -> T:
    """Do bounded work for this page in a worker process, which is killed when the page is left."""
    page_id, name = ui.context.client.id, who()
    known = getattr(task, "func", task)
    job = asyncio.ensure_future(WORKSHOP.run(name, MAX_SECONDS, task, f"{known.__name__} {kind}"))
    jobs = _JOBS.setdefault(page_id, set())
    jobs.add(job)
    try:
        return await job
    except WorkFailed:
        raise MingpaiError(say("work_failed")) from None
    finally:
        jobs.discard(job)


def _drop_jobs(page_id: str) -> None:
    for job in _JOBS.pop(page_id, set()):
        job.cancel()


@contextmanager
def page(title: str) -> Iterator[None]:
    """The frame around a page."""
    client = ui.context.client
    client.on_delete(lambda: _drop_jobs(client.id))
    ui.add_css(STYLE)
    ui.colors(primary="#1f7a54", secondary="#3c6e91", accent="#e0a526", positive="#2e8b57", negative="#c2452d")
    ui.page_title(f"{say(title)} · {say('app')}" if title != "app" else say("app"))
    dark = ui.dark_mode(bool(app.storage.user.get("dark", False)))
    with ui.header().classes("mp-header items-center"):
        with ui.link(target="/").classes("mp-brand"):
            ui.html(MARK, sanitize=False)
            ui.label(say("app"))
        with ui.element("nav").classes("mp-nav"):
            for name in PAGES:
                ui.link(say(name), f"/{name}").classes("here" if name == title else "")
        ui.space()
        contrast = ui.button(icon="contrast", on_click=lambda: _toggle_dark(dark)).classes("mp-dark")
        contrast.props(f'flat round dense color=white aria-label="{say("dark")}"').tooltip(say("dark"))
        ui.button(say("language"), on_click=_toggle_language).props("flat dense color=white no-caps").mark("language")
    with ui.column().classes("mp-page gap-4"):
        yield


def show_failure(error: Exception) -> None:
    """The page of a page that failed: no words of the error, which may name files; the log has them."""
    LOG.exception("a page failed", exc_info=error)
    with page("app"), panel(say("page_failed")):
        ui.label(say("page_failed_about")).classes("mp-soft")
        ui.link(say("to_start"), "/")


@contextmanager
def panel(title: str = "") -> Iterator[None]:
    """A box with a title."""
    with ui.element("div").classes("mp-panel"):
        if title:
            ui.label(title).classes("mp-h")
        yield


def _toggle_dark(dark: ui.dark_mode) -> None:
    app.storage.user["dark"] = not app.storage.user.get("dark", False)
    dark.set_value(app.storage.user["dark"])


def _toggle_language() -> None:
    app.storage.user["language"] = "en" if language() == "zh" else "zh"
    ui.navigate.reload()
