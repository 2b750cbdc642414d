"""Controls that several pages share: choosing a game or an agent, a table, loading a file, sharing a link."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from nicegui import events, ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.web.board import pretty
from mingpai.web.frame import dialog, language, say, show_busy
from mingpai.web.games import choices
from mingpai.web.limits import MAX_UPLOAD
from mingpai.web.moves import move_html
from mingpai.web.opponents import opponent_of


def game_tabs(here: str, game: str) -> None:
    """The three games as tabs; a click opens the page of the other game."""
    names = {name: say(name) for name in REGISTRY.games()}
    toggle = ui.toggle(names, value=game, on_change=lambda e: ui.navigate.to(f"/{here}?game={e.value}"))
    toggle.props("no-caps unelevated rounded toggle-color=primary").mark("game")


def agent_select(game: str, value: str | None, label: str, *, clearable: bool = False) -> ui.select:
    """Any agent at any preset, the opponents by name first; another spec can be typed."""
    specs = sorted(choices(game), key=lambda spec: opponent_of(game, spec) is None)
    options = {spec: _agent_words(game, spec) for spec in ([] if value is None else [value]) + specs}
    return (
        ui.select(
            options,
            value=value,
            label=label,
            with_input=True,
            new_value_mode="add-unique",
            clearable=clearable,
            key_generator=lambda typed: typed,
        )
        .style("min-width: 190px")
        .props("dense options-dense")
    )


def _agent_words(game: str, spec: str) -> str:
    known, name = opponent_of(game, spec), pretty(spec)
    return name if known is None else f"{known.name(language())} ({name})"


def ask_reading(game: str, readings: Sequence[str], level: str, chosen: Callable[[str], None]) -> None:
    """The same cards can be several plays: ask which is meant."""
    with dialog(say("which_play")) as asking, ui.card():
        ui.label(say("which_play"))
        for reading in readings:
            button = ui.button(on_click=lambda _, r=reading: chosen(r)).props("outline no-caps").mark("reading")
            button.on("click", asking.close)
            with button:
                ui.html(move_html(game, reading, language(), level, "small"), sanitize=False)


NAMED = '<q-td :props="props"><span :title="props.row.id">{{ props.value }}</span></q-td>'
"""A cell with the name of a player; the id of the row is its tooltip."""


def listing(
    names: Mapping[str, str],
    rows: Sequence[dict[str, Any]],
    mark: str,
    *,
    numbers: bool = False,
    page: int | None = None,
) -> ui.table:
    """A table whose first column names the row; where it is too wide, the keyboard can scroll it.

    With `page` its rows come in pages of that many and its columns can be sorted; `numbers` are set to the right.
    """
    first, *others = names
    align = dict.fromkeys(others, "right" if numbers else "left") | {first: "left"}
    columns = [
        {"name": key, "label": label, "field": key, "align": align[key], "sortable": page is not None}
        for key, label in names.items()
    ]
    label = ", ".join(names.values())
    with ui.element("div").classes("mp-scroll w-full").props(f'tabindex=0 role=region aria-label="{label}"'):
        table = ui.table(
            rows=list(rows),
            columns=columns,
            row_key=first,
            pagination=page if page is not None and len(rows) > page else None,
        )
    return table.classes("w-full").props(f'dense flat rows-per-page-label="{say("rows_per_page")}"').mark(mark)


def file_button(label: str, load: Callable[[str, bytes], Awaitable[None]], accept: str = "") -> None:
    """A button that opens a file of at most MAX_UPLOAD bytes and hands over its name and content."""

    underway = 0

    def count(step: int) -> None:
        """One more file on its way, or arrived: which of the two is heard of first is not known."""
        nonlocal underway
        underway += step
        show_busy(underway > 0)

    async def take(event: events.UploadEventArguments) -> None:
        count(-1)
        await load(event.file.name, await event.file.read())
        upload.reset()

    upload = ui.upload(
        auto_upload=True,
        max_file_size=MAX_UPLOAD,
        max_files=1,
        on_begin_upload=lambda: count(1),
        on_upload=take,
        on_rejected=lambda: ui.notify(say("too_large"), type="warning"),
    )
    upload.props(f'accept="{accept}"' if accept else "").classes("hidden").mark("upload")
    ui.button(label, icon="upload_file", on_click=lambda: upload.run_method("pickFiles")).props("outline no-caps")


def share_button(path: str, fields: Callable[[], Mapping[str, str]]) -> None:
    """A button that shows a link to what the page holds, and copies it."""

    async def show() -> None:
        query = urlencode({key: value for key, value in fields().items() if value})
        origin = await ui.run_javascript("window.location.origin")
        link = f"{origin}{path}?{query}"
        ui.run_javascript(f"navigator.clipboard && navigator.clipboard.writeText({link!r}).catch(() => 0)")
        with dialog(say("share")), ui.card().style("min-width: min(560px, 90vw)"):
            ui.label(say("link_copied")).classes("mp-h")
            ui.input(value=link).props("readonly outlined dense").classes("w-full").mark("link")
            ui.link(say("open_link"), link)

    ui.button(say("share"), icon="link", on_click=show).props("flat no-caps").mark("share")
