"""Bidding styles on a page: each player of Dou Dizhu as a point, over-rating mu against deviation sigma."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from mingpai.core.errors import MingpaiError
from mingpai.methods.bidding.style import (
    CLASSES,
    LEAST_DECISIONS,
    SPREAD_BORDER,
    TENDENCIES,
    TENDENCY_BORDER,
    Formula,
    PlayerStyle,
    StyleTable,
)
from mingpai.web import tasks
from mingpai.web.board import player_names
from mingpai.web.charts import BLUE, GREEN, GREY, RED, axis, chart
from mingpai.web.controls import NAMED, file_button, listing
from mingpai.web.frame import complain, language, panel, say, who, work
from mingpai.web.home import home
from mingpai.web.logs import SIMULATED_GAMES, SIMULATED_PLAYERS, Log
from mingpai.web.panels.beside import BesideBenchmark

MOST_POINTS = 2000
COLOURS = dict(zip(TENDENCIES, (BLUE, GREEN, RED), strict=True))
LEFT, RIGHT, TOP = -1.05, 1.05, 1.1
BORDERS = (LEFT, -TENDENCY_BORDER, TENDENCY_BORDER, RIGHT)


class BiddingStyles:
    """The styles of the players of the stored games, of a log, or of simulated players."""

    def __init__(self) -> None:
        self.styles: StyleTable | None = None
        self.source = ""
        with panel(say("bidding_styles")):
            ui.label(say("bidding_about")).classes("mp-soft")
            with ui.element("div").classes("mp-fields"):
                ui.button(say("use_stored"), icon="inventory_2", on_click=self._use_stored).mark("use-stored-bids")
                ui.button(say("use_simulated"), icon="groups", on_click=self._use_simulated).mark("use-simulated")
                file_button(say("load_logs"), self._load)
                self.formula = ui.select(
                    {"signed": say("formula_signed"), "printed": say("formula_printed")},
                    value="signed",
                    label=say("formula"),
                    on_change=self._draw,
                ).props("dense")
            self.area = ui.column().classes("w-full gap-3")
            self.beside = BesideBenchmark()
        ui.timer(0.05, self._first, once=True)

    async def _first(self) -> None:
        """The stored games where they show a style, else the simulated players."""
        if _stored().is_file():
            await self._use_stored()
        if self.styles is None or not any(style.style() for style in self.styles.styles):
            await self._use_simulated()

    async def _use_stored(self) -> None:
        path = _stored()
        if not path.is_file():
            ui.notify(say("no_games"), type="warning")
            return
        await self._show(say("stored_games"), path)

    async def _use_simulated(self) -> None:
        await self._show(say("simulated", games=SIMULATED_GAMES, players=SIMULATED_PLAYERS), None)

    async def _load(self, name: str, content: bytes) -> None:
        await self._show(name, content)

    async def _show(self, source: str, log: Log) -> None:
        try:
            self.styles = await work(functools.partial(tasks.bidding_styles, log))
        except MingpaiError as error:
            complain(error)
            return
        self.source = source
        self._draw()
        await self.beside.open(log, self.styles.styles[:MOST_POINTS])

    def _draw(self) -> None:
        styles = self.styles
        if styles is None:
            return
        formula: Formula = "printed" if self.formula.value == "printed" else "signed"
        placed = [style for style in styles.styles if style.style(formula) is not None]
        self.area.clear()
        with self.area:
            words = say("bidding_source", source=self.source, records=styles.records, players=len(placed))
            ui.label(words).classes("mp-soft").mark("bidding-source")
            if not placed:
                ui.label(say("no_style", least=LEAST_DECISIONS)).mark("no-style")
            with ui.element("div").classes("mp-columns"):
                names = player_names("doudizhu", [style.player for style in styles.styles])
                style_map = ui.echart(map_options(placed[:MOST_POINTS], formula, names))
                style_map.classes("w-full").style("height: 400px").mark("bidding-map")
                _table(styles, formula, names).on("rowClick", self._choose, args=[None, ["id"]])

    async def _choose(self, event: GenericEventArguments) -> None:
        """A click on a row shows that player's decisions."""
        await self.beside.choose(event.args[1]["id"])


def _stored() -> Path:
    """The games of this browser."""
    return home() / "games" / who() / "doudizhu.jsonl"


def map_options(styles: list[PlayerStyle], formula: Formula, names: Mapping[str, str]) -> dict[str, Any]:
    """mu against sigma with the six regions."""
    points = [
        {
            "name": names[style.player],
            "value": [round(style.mu(formula), 4), round(style.sigma, 4), style.decisions],
            "itemStyle": {"color": COLOURS[kind.tendency], "opacity": 0.75},
        }
        for style in styles
        if (kind := style.style(formula)) is not None
    ]
    regions = [_region(place, is_rational) for place in range(len(TENDENCIES)) for is_rational in (True, False)]
    scatter = {
        "type": "scatter",
        "symbolSize": 9 if len(points) > 40 else 13,
        "data": points,
        "label": {"show": len(points) <= 12, "formatter": "{b}", "position": "top", "color": GREY},
        "markArea": {"silent": True, "data": regions},
    }
    middle = {"nameLocation": "middle", "nameGap": 26}
    across = axis(say("axis_mu"), min=LEFT, max=RIGHT, **middle)
    up = axis(say("axis_sigma"), min=0, max=TOP, axisLine={"onZero": False})
    return chart([scatter], across, up, tooltip={"formatter": "{b}: {c}"}) | {
        "grid": {"left": 44, "right": 16, "top": 36, "bottom": 46}
    }


def _region(place: int, is_rational: bool) -> list[dict[str, Any]]:
    kind = next(k for k in CLASSES if k.tendency == TENDENCIES[place] and k.rational is is_rational)
    low, high = (0.0, SPREAD_BORDER) if is_rational else (SPREAD_BORDER, TOP)
    look = {"color": COLOURS[kind.tendency], "opacity": 0.07 if is_rational else 0.17}
    label = {
        "position": "insideTop",
        "color": GREY,
        "fontSize": 10,
        "formatter": kind.name(language()).replace(", ", "\n"),
    }
    return [{"coord": [BORDERS[place], low], "itemStyle": look, "label": label}, {"coord": [BORDERS[place + 1], high]}]


def _table(styles: StyleTable, formula: Formula, names: Mapping[str, str]) -> ui.table:
    columns = ("player", "decisions", "bids", "over", "under", "mu", "sigma", "style")
    rows = []
    for style in styles.styles[:MOST_POINTS]:
        kind = style.style(formula)
        rows.append(
            {
                "id": style.player,
                "player": names[style.player],
                "decisions": style.decisions,
                "bids": style.bids,
                "over": style.over,
                "under": style.under,
                "mu": f"{style.mu(formula):+.2f}",
                "sigma": f"{style.sigma:.2f}",
                "style": "–" if kind is None else kind.name(language()),
            }
        )
    table = listing({name: say(f"bid_{name}") for name in columns}, rows, "bidding-table", page=10)
    table.add_slot("body-cell-player", NAMED)
    return table
