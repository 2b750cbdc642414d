"""The Play page: the set-up, or the table itself once there is a game."""

from typing import Any

from nicegui import ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import MingpaiError
from mingpai.web import home
from mingpai.web.controls import game_tabs
from mingpai.web.daily import daily_order, today
from mingpai.web.frame import bare_page, complain, page, who
from mingpai.web.games import BEST
from mingpai.web.panels.lobby import Lobby
from mingpai.web.panels.sitting import Sitting
from mingpai.web.table import Table


@ui.page("/play")
def play_page(game: str = "doudizhu", again: str = "", table: str = "", new: str = "", daily: str = "") -> None:
    """`table` returns to the game whatever became of it, `new` to the set-up; else whatever is not finished goes on."""
    name = game if game in REGISTRY.games() else "doudizhu"
    file = table_file(name, "again-" if again else "daily-" if daily else "")
    saved = todays(name, home.load(file)) if daily else home.load(file)
    if isinstance(saved, dict) and not new and (again or table or daily or _is_open(saved)):
        try:
            restored = Table.from_json(_with_helper(saved, name))
        except MingpaiError as error:
            home.forget(file)
            problem: MingpaiError | None = error
        else:
            with bare_page("play") as dark:
                Sitting(restored, file, dark)
            return
    else:
        problem = None
    with page("play"):
        if problem is not None:
            complain(problem)
        game_tabs("play", name)
        Lobby(name, saved=isinstance(saved, dict) and problem is None)


def table_file(game: str, kind: str = "") -> str:
    """Where a browser's game is kept; one that is tried again and the day's deal stand beside it."""
    return f"tables/{kind}{who()}-{game}.json"


def todays(game: str, saved: Any) -> dict[str, Any]:
    """The deal of the day: as far as it was played, or new."""
    day = today()
    if isinstance(saved, dict) and dict(saved.get("tags") or {}).get("daily") == day:
        return saved
    made = Table(daily_order(game, day, BEST[game]))
    made.tags["daily"] = day
    return made.to_json()


def _with_helper(saved: dict[str, Any], game: str) -> dict[str, Any]:
    """A game saved before there were helpers gets one."""
    if isinstance(saved.get("order"), dict):
        saved["order"].setdefault("helper", BEST[game])
    return saved


def _is_open(saved: dict[str, Any]) -> bool:
    """Whether there is something left to play: this deal, or a match that goes on."""
    return not saved.get("saved") or saved.get("match") is not None
