"""The sheet at the end of a deal: what it did to the rating, what the coach says; Review first, then on."""

from collections.abc import Awaitable, Callable

from nicegui import background_tasks, ui

from mingpai.web.frame import say, who
from mingpai.web.panels.coaching import Coach
from mingpai.web.panels.dailies import show_par
from mingpai.web.player import Player
from mingpai.web.table import Table


def draw_sheet(table: Table, go_on: Callable[[], Awaitable[None]]) -> None:
    """What the deal did to the rating, what the coach says, and the buttons."""
    _draw_rating(table)
    if "daily" in table.tags:
        background_tasks.create(show_par(table, ui.element("div").classes("w-full")))
    with ui.row().classes("justify-center w-full gap-2"):
        review = f"/replay?key={table.saved_key}" if table.saved_key else "/replay"
        ui.button(say("review"), icon="movie", on_click=lambda: ui.navigate.to(review)).props("no-caps").mark("review")
        if table.can_go_on:
            ui.button(say("next_deal"), icon="skip_next", on_click=go_on).props("outline no-caps").mark("next")
        new = f"/play?game={table.order.game}&new=1"
        ui.button(say("new_game"), on_click=lambda: ui.navigate.to(new)).props("flat no-caps").mark("new")
    _draw_coach(table)


def _draw_coach(table: Table) -> None:
    """The coach in brief, without being asked; Review has all of it."""
    if table.saved_key and any(seat == table.seat for seat, _ in table.state.moves()):
        with ui.element("div").classes("mp-brief w-full"):
            Coach(table.record(), table.seat)


def _draw_rating(table: Table) -> None:
    """The rating before and after, or why the deal did not count."""
    last = Player.of(who()).last
    if not table.saved_key or last.get("key") != table.saved_key:
        return
    before, after = float(last.get("before", 0)), float(last.get("after", 0))
    if last.get("why"):
        words = say(str(last["why"]))
    elif before == after:
        words = say("unrated_even")
    else:
        words = say("rating_moved", before=f"{before:.0f}", after=f"{after:.0f}", change=f"{after - before:+.0f}")
    ui.label(words).classes("mp-soft text-center w-full").mark("rating")
