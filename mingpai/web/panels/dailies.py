"""The day's deal and the day's puzzle as doors, with the streak; and how the day's deal went."""

import functools

from nicegui import ui

from mingpai.core.errors import MingpaiError
from mingpai.web import tasks
from mingpai.web.daily import today
from mingpai.web.frame import language, say, who, work
from mingpai.web.games import BEST
from mingpai.web.opponents import opponent_of
from mingpai.web.player import Player
from mingpai.web.table import Table
from mingpai.web.texts import signed


def deal_door(game: str) -> None:
    """A link to the deal of the day."""
    player = Player.of(who())
    how = player.daily.get(game, {}).get(today())
    words = say("daily_deal_about") if how is None else say("daily_done", points=signed(how.get("points", 0)))
    _door(
        f"/play?game={game}&daily=1", f"{say('daily_deal')} · {say(game)}", words, player.streak(puzzles=False), "deal"
    )


def puzzle_door() -> None:
    """A link to the puzzle of the day."""
    player = Player.of(who())
    words = say("daily_solved" if today() in player.daily.get("puzzle", {}) else "daily_puzzle_about")
    _door("/solve/daily", say("daily_puzzle"), words, player.streak(puzzles=True), "puzzle")


def _door(target: str, title: str, words: str, days: int, name: str) -> None:
    with ui.link(target=target).classes("mp-door mp-daily").mark(f"daily-{name}"):
        with ui.element("div").classes("row no-wrap"):
            ui.label(title).classes("title")
            ui.label(say("streak", days=days)).classes("mp-streak" + ("" if days else " none")).mark(f"streak-{name}")
        ui.label(words).classes("mp-soft")


async def show_par(table: Table, place: ui.element) -> None:
    """What the best player here scores with the same cards against the same opponents; found once a day."""
    game, day = table.order.game, str(table.tags["daily"])
    with place:
        how = Player.of(who()).daily.get(game, {}).get(day, {})
        if "par" not in how:
            try:
                par = await work(functools.partial(tasks.par, table.to_json()), game)
            except MingpaiError:
                return
            player = Player.of(who())
            how = player.daily.get(game, {}).get(day, {})
            how["par"] = par
            player.save()
        if place.is_deleted:
            return
        best = opponent_of(game, BEST[game])
        name = best.name(language()) if best is not None else BEST[game]
        words = say("daily_par", name=name, points=signed(how["par"]), own=signed(how.get("points", 0)))
        ui.label(words).classes("mp-soft text-center w-full").mark("par")
