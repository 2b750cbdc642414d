"""The Styles page: how players bid and bet, from the stored games or from logs."""

import functools
from typing import Any

from nicegui import ui

from mingpai.core.errors import MingpaiError
from mingpai.records.styles import StyleStatistics
from mingpai.web import tasks
from mingpai.web.board import player_names
from mingpai.web.charts import GREEN, GREY, axis, chart
from mingpai.web.controls import NAMED, file_button, listing
from mingpai.web.frame import complain, page, panel, say, who, work
from mingpai.web.home import home
from mingpai.web.panels.biddings import BiddingStyles
from mingpai.web.panels.mine import MyStyle

STATISTICS = ("hands", "vpip", "pfr", "af", "wtsd", "bb_per_100")
SHARES = ("vpip", "pfr", "wtsd")
STORED_HANDS = 2000


@ui.page("/styles")
def styles_page() -> None:
    with page("styles"):
        MyStyle()
        BiddingStyles()
        PokerStyles()


class PokerStyles:
    """VPIP, PFR, AF, WTSD and winnings of every player, as a table and as a map."""

    def __init__(self) -> None:
        with panel(say("poker_styles")):
            ui.label(say("poker_about")).classes("mp-soft")
            with ui.element("div").classes("mp-fields"):
                ui.button(say("use_stored"), icon="inventory_2", on_click=self._use_stored).mark("use-stored")
                file_button(say("load_logs"), self._load)
            self.area = ui.column().classes("w-full gap-3")
        ui.timer(0.05, self._use_stored, once=True)

    async def _use_stored(self) -> None:
        try:
            players = await work(functools.partial(tasks.styles_of_stored, home(), who(), STORED_HANDS))
        except MingpaiError as error:
            complain(error)
            return
        self._draw(players, say("stored_games"))

    async def _load(self, name: str, content: bytes) -> None:
        try:
            players = await work(functools.partial(tasks.styles_of_hands, content))
        except MingpaiError as error:
            complain(error)
            return
        self._draw(players, name)

    def _draw(self, players: dict[str, StyleStatistics], source: str) -> None:
        self.area.clear()
        with self.area:
            if not players:
                ui.label(say("no_hands")).classes("mp-soft").mark("no-hands")
                return
            ui.label(say("from_source", source=source, players=len(players))).classes("mp-soft").mark("source")
            ranked = dict(sorted(players.items(), key=lambda item: -item[1].hands))
            with ui.element("div").classes("mp-columns"):
                _table(ranked)
                _map(ranked)


def _table(players: dict[str, StyleStatistics]) -> None:
    names = {"player": say("player_name")} | {key: say(f"stat_{key}") for key in STATISTICS}
    called = player_names("holdem", players)
    rows = [{"id": name, "player": called[name], **_row(own)} for name, own in players.items()]
    listing(names, rows, "statistics", numbers=True, page=12).add_slot("body-cell-player", NAMED)


def _row(own: StyleStatistics) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for key, value in own.to_json().items():
        if value is None:
            shown[key] = "–"
        elif key in SHARES:
            shown[key] = f"{100 * value:.0f}%"
        else:
            shown[key] = value if key == "hands" else f"{value:.1f}"
    return shown


def _map(players: dict[str, StyleStatistics]) -> None:
    """Looseness against aggression: the four corners are the usual four styles."""
    most, called = max(own.hands for own in players.values()), player_names("holdem", players)
    points = [
        {
            "name": called[name],
            "value": [round(100 * (own.vpip or 0), 1), round(min(own.af or 0.0, 8.0), 2), own.hands],
            "symbolSize": 10 + 26 * (own.hands / most) ** 0.5,
        }
        for name, own in players.items()
    ]
    scatter = {
        "type": "scatter",
        "data": points,
        "itemStyle": {"color": GREEN, "opacity": 0.8},
        "label": {"show": len(points) <= 14, "formatter": "{b}", "position": "top", "color": GREY},
    }
    across = axis(say("axis_vpip"), nameLocation="middle", nameGap=26, min=0, max=100)
    options = chart([scatter], across, axis(say("axis_af"), min=0), tooltip={"formatter": "{b}: {c}"})
    options["grid"] = {"left": 40, "right": 24, "top": 36, "bottom": 46}
    with ui.column().classes("w-full gap-1"):
        ui.echart(options).classes("w-full").style("height: 320px").mark("style-map")
        ui.label(say("map_about")).classes("mp-soft")
