"""The rules of each game for beginners."""

from pathlib import Path

from nicegui import ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.web.frame import language, page, say

GUIDE = Path(__file__).parent.parent / "guide"


@ui.page("/rules")
def rules_page() -> None:
    with page("rules"):
        games = REGISTRY.games()
        with ui.tabs() as tabs:
            for game in games:
                ui.tab(game, say(game))
        with ui.tab_panels(tabs, value=games[0]).classes("w-full"):
            for game in games:
                with ui.tab_panel(game):
                    ui.markdown((GUIDE / f"{game}.{language()}.md").read_text(encoding="utf-8"))
