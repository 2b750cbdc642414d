"""The frame of every page: header, navigation, language, dark mode; who is looking, and work done for them."""

import asyncio
import copy
import logging
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from fastapi import FastAPI
from fastapi.exception_handlers import http_exception_handler
from nicegui import Client, app, events, ui
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from mingpai.core.errors import MingpaiError
from mingpai.core.reasons import Language
from mingpai.web.complaints import in_words
from mingpai.web.limits import MAX_SECONDS
from mingpai.web.texts import text
from mingpai.web.work import WORKSHOP
from mingpai.web.worker import WorkFailed

T = TypeVar("T")
LOG = logging.getLogger("mingpai.web")

PAGES = ("play", "solve", "analyse", "replay", "styles", "arena", "rules")
HERE = Path(__file__).parent
STYLE = "".join((HERE / name).read_text() for name in ("style.css", "cards.css", "felt.css"))
MARK = (HERE / "favicon.svg").read_text()
HEAD = (HERE / "head.html").read_text()


def language() -> Language:
    """The reader's language: the one chosen here, else the browser's."""
    chosen = app.storage.user.get("language")
    if chosen is None:
        chosen = browser_language(ui.context.client.request)
    return "zh" if chosen == "zh" else "en"


def browser_language(request: Request | None) -> Language:
    """The language that a browser asks for: the first of its list that there is."""
    asked = "" if request is None else request.headers.get("accept-language", "")
    wanted = []
    for place, part in enumerate(asked.split(",")):
        name, _, weight = part.strip().lower().partition(";q=")
        wanted.append((-float(weight) if weight.replace(".", "", 1).isdigit() else -1.0, place, name[:2]))
    known = [name for _, _, name in sorted(wanted) if name in ("zh", "en")]
    return "zh" if known[:1] == ["zh"] else "en"


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
    """A mistake in the reader's language."""
    return in_words(error, language())


def complain(error: MingpaiError) -> None:
    """Show a mistake to the person."""
    ui.notify(words_of(error), type="warning", close_button=True, timeout=6000)


_JOBS: dict[str, set[asyncio.Future[Any]]] = {}
"""Work under way for each open page."""
BUSY_AFTER = 0.2
"""Seconds after which the page shows that it works."""
_SIGNS: dict[str, ui.element] = {}
"""The sign of each open page that something is under way."""


async def work(task: Callable[[], T], kind: str = "") -> T:
    """Do bounded work for this page in a worker process, which is killed when the page is left."""
    page_id, name = ui.context.client.id, who()
    known = getattr(task, "func", task)
    job = asyncio.ensure_future(WORKSHOP.run(name, MAX_SECONDS, task, f"{known.__name__} {kind}"))
    jobs = _JOBS.setdefault(page_id, set())
    jobs.add(job)
    later = asyncio.get_running_loop().call_later(BUSY_AFTER, _show_busy, page_id, True)
    try:
        return await job
    except WorkFailed:
        raise MingpaiError(say("work_failed")) from None
    finally:
        later.cancel()
        jobs.discard(job)
        _show_busy(page_id, bool(jobs))


def show_busy(is_busy: bool) -> None:
    """Show that this page works, as while a file is on its way, or no longer."""
    _show_busy(ui.context.client.id, is_busy)


def _show_busy(page_id: str, is_busy: bool) -> None:
    sign = _SIGNS.get(page_id)
    if sign is not None and not sign.is_deleted:
        sign.set_visibility(is_busy)


def _drop_jobs(page_id: str) -> None:
    for job in _JOBS.pop(page_id, set()):
        job.cancel()
    _SIGNS.pop(page_id, None)


def _prepare(title: str) -> ui.dark_mode:
    """What every page has: language, style, title, the sign that it works."""
    client = ui.context.client
    client.on_delete(lambda: _drop_jobs(client.id))
    client.page = copy.copy(client.page)
    client.page.language = "zh-CN" if language() == "zh" else "en-US"
    chosen = app.storage.user.get("dark")
    client.page.dark = chosen
    ui.add_head_html(HEAD)
    ui.add_css(STYLE)
    ui.colors(primary="#1f7a54", secondary="#3c6e91", accent="#e0a526", positive="#1f7a54", negative="#c2452d")
    ui.page_title(f"{say(title)} · {say('app')}" if title != "app" else say("app"))
    sign = ui.element("div").classes("mp-busy").props(f'role=progressbar aria-label="{say("busy")}"')
    sign.set_visibility(False)
    _SIGNS[client.id] = sign
    return ui.dark_mode(chosen)


@contextmanager
def page(title: str) -> Iterator[None]:
    """The frame around a page."""
    dark = _prepare(title)
    with ui.header().classes("mp-header items-center"):
        with ui.link(target="/").classes("mp-brand"):
            ui.html(MARK, sanitize=False)
            ui.label(say("app"))
        with ui.element("nav").classes("mp-nav"):
            for name in PAGES:
                ui.link(say(name), f"/{name}").classes("here" if name == title else "")
        ui.space()
        contrast = ui.button(icon="contrast").classes("mp-dark")
        contrast.props(f'flat round dense color=white aria-label="{say("dark")}"').tooltip(say("dark"))
        switch_dark(contrast, dark)
        ui.button(say("language"), on_click=toggle_language).props("flat dense color=white no-caps").mark("language")
    with ui.column().classes("mp-page gap-4"):
        yield


@contextmanager
def bare_page(title: str) -> Iterator[ui.dark_mode]:
    """A page without a frame: all of the screen is the table's."""
    dark = _prepare(title)
    with ui.element("div").classes("w-full"):
        yield dark


def show_failure(error: Exception) -> None:
    """The page of a page that failed: no words of the error, which may name files; the log has them."""
    LOG.exception("a page failed", exc_info=error)
    with page("app"), panel(say("page_failed")):
        ui.label(say("page_failed_about")).classes("mp-soft")
        ui.link(say("to_start"), "/")


def answer_missing(application: FastAPI) -> None:
    """An address without a page gets a page that says so, in the reader's language; the API answers as ever."""

    async def missing(request: Request, error: Exception) -> Response:
        if request.scope.get("endpoint") is not None or request.url.path.startswith(("/api/", "/_nicegui")):
            assert isinstance(error, HTTPException)
            return await http_exception_handler(request, error)
        with Client(ui.page(""), request=request) as client, page("app"), panel(say("not_found")):
            ui.label(say("not_found_about")).classes("mp-soft")
            ui.link(say("to_start"), "/")
        return client.build_response(request, 404)

    application.add_exception_handler(404, missing)


@contextmanager
def panel(title: str = "") -> Iterator[None]:
    """A box with a title."""
    with ui.element("div").classes("mp-panel"):
        if title:
            ui.label(title).classes("mp-h")
        yield


def dialog(name: str, props: str = "") -> ui.dialog:
    """An open dialog; a screen reader hears its name."""
    return ui.dialog(value=True).props(f'{props} aria-label="{name}"')


def switch_dark(control: ui.element, dark: ui.dark_mode) -> None:
    """A click on the control changes from dark to light or back, whatever the browser showed so far."""

    def switch(event: events.GenericEventArguments) -> None:
        is_dark = bool(event.args) if not isinstance(event.args, dict) else bool(dark.value)
        app.storage.user["dark"] = not is_dark
        dark.set_value(not is_dark)

    control.on("click", switch, js_handler="() => emit(Quasar.Dark.isActive)")


def toggle_language() -> None:
    app.storage.user["language"] = "en" if language() == "zh" else "zh"
    ui.navigate.reload()
