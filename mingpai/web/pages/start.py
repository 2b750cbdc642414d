"""The first page: what there is."""

from nicegui import ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.web.frame import PAGES, page, say


@ui.page("/")
def start_page() -> None:
    with page("app"):
        ui.label(say("app")).classes("text-h4")
        ui.label(say("tagline")).classes("text-subtitle1")
        with ui.row().classes("gap-3"):
            for game in REGISTRY.games():
                with ui.card(), ui.link(target=f"/play?game={game}").style("text-decoration: none; color: inherit"):
                    ui.label(say(game)).classes("text-h6")
                    ui.label(say("play"))
        with ui.row().classes("gap-3"):
            for name in PAGES:
                ui.link(say(name), f"/{name}")
