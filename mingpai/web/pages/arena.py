"""The Arena page: a match between two agents, with live intervals; past matches make a leaderboard."""

import functools
import time
from typing import Any

import numpy as np
from nicegui import background_tasks, ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import MatchRun
from mingpai.arena.plan import Plan, duel
from mingpai.arena.ratings import bradley_terry
from mingpai.arena.summary import Summary
from mingpai.core.errors import MingpaiError
from mingpai.web import home, tasks
from mingpai.web.board import called
from mingpai.web.charts import axis, chart
from mingpai.web.controls import agent_select, game_tabs, listing
from mingpai.web.frame import complain, page, panel, say, who, work
from mingpai.web.games import BEST, arena_file
from mingpai.web.limits import check

MAX_DEALS = 500
LEADERBOARD = "arena/matches.json"
KEPT_MATCHES = 200
RIVAL = {"doudizhu": "greedy", "guandan": "rule3", "holdem": "tag"}
"""The opponent offered first."""


@ui.page("/arena")
def arena_page(game: str = "doudizhu") -> None:
    with page("arena"):
        ArenaPage(game if game in REGISTRY.games() else "doudizhu")


class ArenaPage:
    """One browser's match: played a deal at a time, so that others get their turn."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.running = False
        self.course: list[tuple[int, float, float, float]] = []
        """After each deal: deals, win rate and its interval."""
        game_tabs("arena", game)
        with panel():
            ui.label(say("arena_about")).classes("mp-soft")
            with ui.element("div").classes("mp-fields"):
                self.a = agent_select(game, BEST[game], "A").mark("side-a")
                self.b = agent_select(game, RIVAL[game], "B").mark("side-b")
                self.deals = ui.number(say("deals"), value=20, min=1, max=MAX_DEALS, precision=0).props("dense")
                self.deals.style("width: 90px").mark("deals")
                ui.button(say("start_match"), icon="play_arrow", on_click=self._start).mark("start-match")
                ui.button(say("stop"), icon="stop", on_click=self._stop).props("flat no-caps").mark("stop-match")
            with ui.expansion(say("advanced"), icon="tune").classes("w-full"):
                self.seed = ui.number(say("seed_number"), value=1, min=0, max=10**18, precision=0).props("dense")
                self.seed.style("width: 190px").mark("seed")
        self.area = ui.column().classes("w-full gap-3")
        self.past = ui.column().classes("w-full gap-3")
        self._draw_past()

    def _stop(self) -> None:
        self.running = False

    def _start(self) -> None:
        if self.running:
            return
        try:
            for side in (self.a, self.b):
                check(self.game, str(side.value))
            game, seed = REGISTRY.game(self.game), int(self.seed.value or 0)
            plan = duel(game, str(self.a.value), str(self.b.value), seed=seed, setup=game.play_only)
        except MingpaiError as error:
            complain(error)
            return
        self.running, self.course = True, []
        background_tasks.create(self._play(plan, max(1, min(MAX_DEALS, int(self.deals.value or 1)))))

    async def _play(self, plan: Plan, deals: int) -> None:
        run = MatchRun(plan)
        with self.area:
            try:
                self._build(plan)
                for number in range(deals):
                    if not self.running or self.area.is_deleted:
                        break
                    file, sides = arena_file(self.game, who()), list(plan.sides)
                    task = functools.partial(tasks.play_deal, self.game, sides, plan.seed, number, file)
                    run.results += await work(task, " ".join(sides))
                    self._show(run.summary(), deals)
                if run.results:
                    self._keep(run.summary())
            except MingpaiError as error:
                complain(error)
            finally:
                self.running = False

    def _build(self, plan: Plan) -> None:
        """The parts that change while the match goes on."""
        self.area.clear()
        with self.area, panel():
            with ui.row().classes("items-center w-full no-wrap gap-3"):
                self.bar = ui.linear_progress(0, show_value=False, size="10px").props("rounded").classes("col")
                self.count = ui.label("0").mark("progress")
            with ui.element("div").classes("mp-columns"):
                self.table = _table([], "standings")
                self.chart = ui.echart(_course_options(called(self.game, plan.sides[0])))
                self.chart.classes("w-full").style("height: 220px").mark("course")

    def _show(self, summary: Summary, deals: int) -> None:
        if self.area.is_deleted or summary.deals == 0:
            return
        rate = summary.sides[0].total.win_rate
        self.course.append((summary.deals, rate.mean, rate.low, rate.high))
        self.bar.set_value(summary.deals / deals)
        self.count.set_text(f"{summary.deals} / {deals}")
        rows = [_row(f"{side.name.upper()}: {called(self.game, side.agent)}", side.total) for side in summary.sides]
        for side in summary.sides:
            rows += [_row(f"{side.name.upper()} · {_part(role)}", standing) for role, standing in side.roles.items()]
        self.table.rows = rows
        low, band, mean = self.chart.options["series"]
        low["data"] = [[number, round(100 * least, 2)] for number, _, least, _ in self.course]
        band["data"] = [[number, round(100 * (most - least), 2)] for number, _, least, most in self.course]
        mean["data"] = [[number, round(100 * middle, 2)] for number, middle, _, _ in self.course]
        self.chart.update()

    def _keep(self, summary: Summary) -> None:
        played = {"when": int(time.time()), **summary.to_json()}
        past = [match for match in home.load(LEADERBOARD) or [] if _identity(match) != _identity(played)]
        past.append(played)
        home.save(LEADERBOARD, past[-KEPT_MATCHES:])
        if not self.past.is_deleted:
            self._draw_past()

    def _draw_past(self) -> None:
        self.past.clear()
        past = [match for match in home.load(LEADERBOARD) or [] if match["game"] == self.game]
        if not past:
            return
        with self.past, ui.element("div").classes("mp-columns"):
            with panel(say("leaderboard")):
                ui.label(say("leaderboard_about")).classes("mp-soft")
                names = {"place": "#", "agent": say("agent"), "elo": "Elo", "games": say("games")}
                listing(names, leaderboard(past), "elo")
            with panel(say("past_matches")):
                _table([_past_row(match) for match in reversed(past[-20:])], "past")


PARTS = {"landlord": "as_landlord", "down+up": "as_farmer", "0+2": "part_first", "1+3": "part_second"}
"""Parts of a deal that a side plays, by the arena's name."""


def _part(role: str) -> str:
    return say(PARTS[role]) if role in PARTS else role


def _course_options(name: str) -> dict[str, Any]:
    """The win rate of A and its interval as the match goes on."""
    hidden: dict[str, Any] = {
        "type": "line",
        "stack": "band",
        "symbol": "none",
        "lineStyle": {"opacity": 0},
        "data": [],
    }
    shade = {"areaStyle": {"color": "#2e8b57", "opacity": 0.22}}
    line: dict[str, Any] = {
        "type": "line",
        "name": "A",
        "showSymbol": False,
        "lineStyle": {"color": "#2e8b57"},
        "data": [],
    }
    across = axis(min=1, max="dataMax", minInterval=1)
    series = [hidden | {"name": "low"}, hidden | shade | {"name": "width"}, line]
    return chart(series, across, axis(f"A: {name}, %", min=0, max=100))


def leaderboard(past: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Elo of every agent of the stored matches, by the Bradley-Terry model over deals."""
    names = sorted({side["agent"] for match in past for side in match["sides"]})
    wins, games = np.zeros((len(names), len(names))), dict.fromkeys(names, 0)
    for match in past:
        a, b = (names.index(side["agent"]) for side in match["sides"])
        share = match["sides"][0]["win_rate"]["mean"]
        for side in match["sides"]:
            games[side["agent"]] += side["games"]
        if a != b:
            wins[a, b] += share * match["deals"]
            wins[b, a] += (1 - share) * match["deals"]
    if len(names) < 2:
        return []
    ratings = bradley_terry(wins)
    order = np.argsort(-ratings)
    return [
        {
            "place": place,
            "agent": called(past[0]["game"], names[i]),
            "elo": f"{ratings[i]:.0f}",
            "games": games[names[i]],
        }
        for place, i in enumerate(order, start=1)
    ]


def _identity(match: dict[str, Any]) -> tuple[Any, ...]:
    """The same match played twice gives the same result and counts once."""
    return match["game"], match["seed"], match["deals"], *(side["agent"] for side in match["sides"])


def _past_row(match: dict[str, Any]) -> dict[str, Any]:
    a, b = match["sides"]
    rate = a["win_rate"]
    return {
        "side": " – ".join(called(match["game"], side["agent"]) for side in (a, b)),
        "games": a["games"],
        "wins": _span(rate["mean"], rate["low"], rate["high"]),
        "points": f"{a['points']['mean']:+.2f}",
    }


def _row(name: str, standing: Any) -> dict[str, Any]:
    rate, points = standing.win_rate, standing.points
    return {
        "side": name,
        "games": standing.games,
        "wins": _span(rate.mean, rate.low, rate.high),
        "points": f"{points.mean:+.2f} [{points.low:+.2f}, {points.high:+.2f}]",
    }


def _span(mean: float, low: float, high: float) -> str:
    return f"{100 * mean:.0f}% [{100 * low:.0f}, {100 * high:.0f}]"


def _table(rows: list[dict[str, Any]], mark: str) -> ui.table:
    names = {"side": say("side"), "games": say("games"), "wins": say("win_rate"), "points": say("points")}
    return listing(names, rows, mark)
