"""The rules of each game for beginners."""

from pathlib import Path

from nicegui import ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.web.frame import language, page, panel, say
from mingpai.web.lessons import built_in

GUIDE = Path(__file__).parent.parent / "guide"


@ui.page("/rules")
def rules_page(game: str = "") -> None:
    with page("rules"):
        games = REGISTRY.games()
        with ui.tabs().props("no-caps dense") as tabs:
            for name in games:
                ui.tab(name, say(name))
        with ui.tab_panels(tabs, value=game if game in games else games[0]).classes("w-full"):
            for name in games:
                with ui.tab_panel(name), panel():
                    ui.markdown((GUIDE / f"{name}.{language()}.md").read_text(encoding="utf-8")).classes("mp-prose")
                    ui.button(
                        say("play_this", game=say(name)),
                        icon="play_arrow",
                        on_click=lambda _, n=name: ui.navigate.to(f"/play?game={n}"),
                    ).props("no-caps")
                    ui.link(say("lesson_to", title=built_in()[name].title[language()]), f"/lessons/{name}")
