"""The sheet at the end of a deal: Review first, then on. What a coach has to say of the deal comes into `notes`."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from mingpai.web.frame import say
from mingpai.web.table import Table


def draw_sheet(table: Table, go_on: Callable[[], Awaitable[None]]) -> ui.element:
    """The buttons of the sheet; gives back the place for notes above them."""
    notes = ui.element("div").classes("w-full").mark("notes")
    with ui.row().classes("justify-center w-full gap-2"):
        review = f"/replay?key={table.saved_key}" if table.saved_key else "/replay"
        ui.button(say("review"), icon="movie", on_click=lambda: ui.navigate.to(review)).props("no-caps").mark("review")
        if table.can_go_on:
            ui.button(say("next_deal"), icon="skip_next", on_click=go_on).props("outline no-caps").mark("next")
        new = f"/play?game={table.order.game}&new=1"
        ui.button(say("new_game"), on_click=lambda: ui.navigate.to(new)).props("flat no-caps").mark("new")
    return notes
