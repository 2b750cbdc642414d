"""My style: rating, results and manner of the person at this browser, first on the Styles page."""

import functools
from typing import Any

from nicegui import ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import MingpaiError
from mingpai.methods.bidding.style import LEAST_DECISIONS, StyleTable
from mingpai.records.styles import StyleStatistics
from mingpai.web import tasks
from mingpai.web.charts import GREEN, axis, chart
from mingpai.web.controls import listing
from mingpai.web.frame import complain, language, panel, say, who, work
from mingpai.web.home import home
from mingpai.web.opponents import by_key
from mingpai.web.ownplay import OwnPlay, Tally
from mingpai.web.player import Player
from mingpai.web.table import PERSON

MOST_DEALS = 2000
LOOSE, AGGRESSIVE = 0.30, 1.5
"""From this VPIP on a player is called loose, from this AF on aggressive."""


class MyStyle:
    """The person's own play, game by game."""

    def __init__(self) -> None:
        with panel(say("my_style")):
            self.area = ui.element("div").classes("mp-columns").mark("my-style")
        ui.timer(0.05, self._draw, once=True)

    async def _draw(self) -> None:
        try:
            plays = await work(functools.partial(tasks.own_play, home(), who(), MOST_DEALS))
            manners = {game: await self._manner(game) for game in plays}
        except MingpaiError as error:
            complain(error)
            return
        self.area.clear()
        with self.area:
            if not plays:
                ui.label(say("no_own_games")).classes("mp-soft").mark("no-own-games")
            for game in [name for name in REGISTRY.games() if name in plays]:
                with ui.column().classes("w-full gap-2").mark(f"mine-{game}"):
                    _draw_game(game, plays[game], manners[game])

    async def _manner(self, game: str) -> str:
        """How the person bids or bets, in a sentence."""
        if game == "doudizhu":
            path = home() / "games" / who() / "doudizhu.jsonl"
            return _bidding_words(await work(functools.partial(tasks.bidding_styles, path)))
        if game == "holdem":
            styles = await work(functools.partial(tasks.styles_of_stored, home(), who(), MOST_DEALS))
            return _betting_words(styles[PERSON]) if PERSON in styles else ""
        return ""


def _draw_game(game: str, play: OwnPlay, manner: str) -> None:
    standing = Player.of(who()).standing(game)
    ui.label(f"{say(game)} · {say('your_rating')} {standing.elo:.0f}").classes("mp-h")
    if manner:
        ui.label(manner).mark(f"manner-{game}")
    if len(standing.course) > 1:
        ui.echart(_course(standing.course)).classes("w-full").style("height: 150px").mark("course")
    rows = [_row(say("all_deals"), play.total)]
    rows += [_row(say(f"as_{part}"), tally) for part, tally in sorted(play.parts.items())]
    known = [(by_key(key), tally) for key, tally in play.opponents.items()]
    ranked = sorted(((one, tally) for one, tally in known if one is not None), key=lambda pair: -pair[0].level)
    rows += [_row(f"{one.name(language())} ({one.elo})", tally) for one, tally in ranked]
    names = {key: say(f"own_{key}") for key in ("what", "deals", "won", "points")}
    listing(names, rows, f"own-{game}", numbers=True)


def _row(what: str, tally: Tally) -> dict[str, Any]:
    return {"what": what, "deals": tally.deals, "won": f"{tally.won / tally.deals:.0%}",
            "points": f"{tally.points / tally.deals:+.2f}"}  # fmt: skip


def _course(course: tuple[float, ...]) -> dict[str, Any]:
    line = {"type": "line", "data": [[n, elo] for n, elo in enumerate(course, 1)], "symbol": "none",
            "lineStyle": {"color": GREEN, "width": 2}}  # fmt: skip
    options = chart([line], axis(min=1, max=len(course), splitLine={"show": False}), axis(scale=True))
    return options | {"grid": {"left": 46, "right": 12, "top": 10, "bottom": 24}}


def _bidding_words(styles: StyleTable) -> str:
    own = next((style for style in styles.styles if style.player == PERSON), None)
    kind = None if own is None else own.style()
    if kind is None:
        return say("bids_missing", least=LEAST_DECISIONS, have=0 if own is None else own.decisions)
    return say("bids_like", style=kind.name(language()))


def _betting_words(own: StyleStatistics) -> str:
    loose = say("style_loose" if (own.vpip or 0.0) >= LOOSE else "style_tight")
    bold = say("style_aggressive" if (own.af or 0.0) >= AGGRESSIVE else "style_passive")
    return say("bets_like", loose=loose, bold=bold, vpip=f"{100 * (own.vpip or 0):.0f}%", hands=own.hands)
