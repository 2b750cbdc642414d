"""The frame of every page: header, navigation, language, dark mode; and who is looking."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nicegui import app, ui

from mingpai.core.errors import IllegalHere, MingpaiError
from mingpai.core.reasons import Language
from mingpai.web.texts import text

PAGES = ("play", "solve", "analyse", "replay", "arena", "rules")
STYLE = Path(__file__).with_name("style.css").read_text()


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


def complain(error: MingpaiError) -> None:
    """Show a mistake to the person."""
    words = error.reason.render(language()) if isinstance(error, IllegalHere) else str(error)
    ui.notify(words, type="warning", close_button=True, timeout=6000)


@contextmanager
def page(title: str) -> Iterator[None]:
    """The frame around a page."""
    ui.add_css(STYLE)
    ui.page_title(f"{say(title)} · {say('app')}")
    dark = ui.dark_mode(bool(app.storage.user.get("dark", False)))
    with ui.header().classes("items-center q-py-xs").style("background: #17352a"):
        ui.link(say("app"), "/").classes("text-white text-h6 no-underline").style("text-decoration: none")
        with ui.row().classes("gap-1"):
            for name in PAGES:
                style = "font-weight: 700" if name == title else ""
                ui.link(say(name), f"/{name}").classes("text-white q-px-sm").style(f"text-decoration: none; {style}")
        ui.space()
        contrast = ui.button(icon="contrast", on_click=lambda: _toggle_dark(dark)).classes("mp-dark")
        contrast.props(f'flat round dense color=white aria-label="{say("dark")}"').tooltip(say("dark"))
        ui.button(say("language"), on_click=_toggle_language).props("flat dense color=white no-caps").mark("language")
    with ui.column().classes("mp-page gap-3"):
        yield


def _toggle_dark(dark: ui.dark_mode) -> None:
    app.storage.user["dark"] = not app.storage.user.get("dark", False)
    dark.set_value(app.storage.user["dark"])


def _toggle_language() -> None:
    app.storage.user["language"] = "en" if language() == "zh" else "zh"
    ui.navigate.reload()
