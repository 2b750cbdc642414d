"""A player beside the benchmark, decision by decision, on a page: the paper's figure 11."""

import functools
from collections.abc import Sequence
from typing import Any

from nicegui import ui

from mingpai.core.errors import MingpaiError
from mingpai.methods.bidding.compared import Compared
from mingpai.methods.bidding.style import PlayerStyle
from mingpai.web import tasks
from mingpai.web.board import player_names
from mingpai.web.controls import listing
from mingpai.web.faces import row_html
from mingpai.web.frame import complain, language, say, work
from mingpai.web.logs import Log
from mingpai.web.moves import faces_of
from mingpai.web.table import PERSON

MOST_DECISIONS = 100
COLUMNS = ("number", "situation", "hand", "did", "benchmark", "chance", "deviation")
DEVIATIONS = {1: "over", 0: "same", -1: "under"}
CARDS = '<q-td :props="props"><span v-html="props.value"></span></q-td>'
"""A cell of cards: `row_html` of a hand that was read, so nothing that somebody wrote."""


class BesideBenchmark:
    """Choose a player of a log: what he did with each hand, and what the benchmark would have done."""

    def __init__(self) -> None:
        self.log: Log = None
        ui.label(say("beside")).classes("mp-h")
        ui.label(say("beside_about", most=MOST_DECISIONS)).classes("mp-soft")
        self.player = ui.select([], label=say("bid_player"), with_input=True, on_change=self._show)
        self.player.props("dense options-dense").style("min-width: 220px").mark("beside-player")
        self.area = ui.column().classes("w-full gap-2")

    async def open(self, log: Log, styles: Sequence[PlayerStyle]) -> None:
        """Takes another log; first the person at this browser, else who decided most."""
        self.log = log
        names = player_names("doudizhu", [style.player for style in styles])
        first = PERSON if PERSON in names else next(iter(names), None)
        is_same = first == self.player.value
        self.player.set_options(names, value=first)
        if is_same:
            await self._show()

    async def choose(self, player: str) -> None:
        self.player.set_value(player)

    async def _show(self) -> None:
        player = self.player.value
        self.area.clear()
        if player is None:
            return
        try:
            decisions = await work(functools.partial(tasks.bidding_decisions, self.log, player, MOST_DECISIONS))
        except MingpaiError as error:
            complain(error)
            return
        with self.area:
            rows = [_row(number, one) for number, one in enumerate(decisions, 1)]
            table = listing({name: say(f"beside_{name}") for name in COLUMNS}, rows, "beside-table", page=10)
            table.add_slot("body-cell-hand", CARDS)


def _row(number: int, one: Compared) -> dict[str, Any]:
    return {
        "number": number,
        "situation": say(f"asked_{one.phase}_{one.value}"),
        "hand": row_html(faces_of("doudizhu", one.hand), language(), "tiny"),
        "did": say(f"did_{one.phase}_{one.bid}"),
        "benchmark": say(f"did_{one.phase}_{one.benchmark}"),
        "chance": f"{one.probability:.0%}",
        "deviation": say(f"beside_{DEVIATIONS[one.deviation]}"),
    }
