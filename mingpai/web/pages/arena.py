"""The Arena page: a match between two agents, with live intervals; past matches are kept."""

import functools
import time
from typing import Any

from nicegui import background_tasks, ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import play_plan
from mingpai.arena.plan import Plan, duel
from mingpai.core.errors import MingpaiError
from mingpai.web import home
from mingpai.web.frame import complain, page, say, who
from mingpai.web.games import BEST, choices
from mingpai.web.limits import MAX_SECONDS, hire
from mingpai.web.work import WORKSHOP

MAX_DEALS = 500
LEADERBOARD = "arena/matches.json"
KEPT_MATCHES = 200


@ui.page("/arena")
def arena_page(game: str = "doudizhu") -> None:
    with page("arena"):
        ArenaPage(game if game in REGISTRY.games() else "doudizhu")


class ArenaPage:
    """One browser's match: played a deal at a time, so that others get their turn."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.who = who()
        self.running = False
        with ui.row().classes("items-end gap-3"):
            ui.select({g: say(g) for g in REGISTRY.games()}, value=game, label=say("game"),
                      on_change=lambda e: ui.navigate.to(f"/arena?game={e.value}"))  # fmt: skip
            self.a = ui.select(choices(game), value=BEST[game], label="A", with_input=True, new_value_mode="add-unique")
            self.b = ui.select(choices(game), value="random", label="B", with_input=True, new_value_mode="add-unique")
            self.deals = ui.number(say("deals"), value=20, min=1, max=MAX_DEALS, precision=0).style("width: 100px")
            self.seed = ui.number(say("seed_number"), value=1, min=0, precision=0).style("width: 100px")
            ui.button(say("start_match"), on_click=self._start).mark("start-match")
            ui.button(say("stop"), on_click=self._stop).props("flat")
        self.area = ui.column().classes("w-full gap-2")
        self.past = ui.column().classes("w-full gap-2")
        self._draw_past()

    def _stop(self) -> None:
        self.running = False

    def _start(self) -> None:
        if self.running:
            return
        try:
            for side in (self.a, self.b):
                hire(self.game, str(side.value))
            game, seed = REGISTRY.game(self.game), int(self.seed.value or 0)
            plan = duel(game, str(self.a.value), str(self.b.value), seed=seed, setup=game.play_only)
        except MingpaiError as error:
            complain(error)
            return
        self.running = True
        background_tasks.create(self._play(plan, min(MAX_DEALS, int(self.deals.value or 1))))

    async def _play(self, plan: Plan, deals: int) -> None:
        results: list[Any] = []
        try:
            for number in range(deals):
                if not self.running or self.area.is_deleted:
                    break
                run = await WORKSHOP.run(self.who, MAX_SECONDS, functools.partial(play_plan, plan, 1, first=number))
                results += run.results
                run.results = list(results)
                self._draw(run.summary(), deals)
            if results:
                self._keep(run.summary())
        except MingpaiError as error:
            with self.area:
                complain(error)
        finally:
            self.running = False

    def _draw(self, summary: Any, deals: int) -> None:
        if self.area.is_deleted:
            return
        self.area.clear()
        with self.area:
            ui.linear_progress(summary.deals / deals, show_value=False)
            ui.label(f"{summary.deals} / {deals}").mark("progress")
            rows = [_row(f"{side.name}: {side.agent}", side.total) for side in summary.sides]
            for side in summary.sides:
                rows += [_row(f"{side.name} · {role}", standing) for role, standing in side.roles.items()]
            _table(rows)

    def _keep(self, summary: Any) -> None:
        past = home.load(LEADERBOARD) or []
        past.append({"when": int(time.time()), **summary.to_json()})
        home.save(LEADERBOARD, past[-KEPT_MATCHES:])
        if not self.past.is_deleted:
            self._draw_past()

    def _draw_past(self) -> None:
        self.past.clear()
        past = [m for m in home.load(LEADERBOARD) or [] if m["game"] == self.game]
        if not past:
            return
        with self.past:
            ui.label(say("past_matches")).classes("text-subtitle1")
            rows = []
            for match in reversed(past[-20:]):
                a, b = match["sides"]
                rate = a["win_rate"]
                name = f"{a['agent']} - {b['agent']} (seed {match['seed']}, {match['deals']})"
                wins, points = _span(rate["mean"], rate["low"], rate["high"]), f"{a['points']['mean']:+.2f}"
                rows.append({"side": name, "games": a["games"], "wins": wins, "points": points})
            _table(rows)


def _row(name: str, standing: Any) -> dict[str, Any]:
    rate, points = standing.win_rate, standing.points
    return {"side": name, "games": standing.games, "wins": _span(rate.mean, rate.low, rate.high),
            "points": f"{points.mean:+.2f} [{points.low:+.2f}, {points.high:+.2f}]"}  # fmt: skip


def _span(mean: float, low: float, high: float) -> str:
    return f"{mean:.1%} [{low:.1%}, {high:.1%}]"


def _table(rows: list[dict[str, Any]]) -> None:
    names = {"side": say("side"), "games": say("games"), "wins": say("win_rate"), "points": say("points")}
    columns = [{"name": key, "label": label, "field": key, "align": "left"} for key, label in names.items()]
    ui.table(rows=rows, columns=columns, row_key="side").classes("w-full").props("dense flat").mark("standings")
