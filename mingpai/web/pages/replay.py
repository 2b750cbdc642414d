"""The Replay page: step through a game, see where value was lost, try again from there."""

import functools
import json
from typing import Any
from urllib.parse import urlencode

from nicegui import background_tasks, events, ui

from mingpai.core.errors import MingpaiError
from mingpai.records.film import Film, Judgement, mistakes
from mingpai.records.record import Record
from mingpai.web import home, tasks
from mingpai.web.board import draw_board, pretty
from mingpai.web.charts import GREY, axis, chart
from mingpai.web.controls import agent_select, file_button
from mingpai.web.frame import complain, page, panel, say, who, work
from mingpai.web.games import BEST, film_of, kept
from mingpai.web.limits import check
from mingpai.web.table import PERSON, Table

STEP_SECONDS = 0.9
SMALL = {"win": 0.02, "points": 0.1, "chips": 5.0}
"""A smaller loss is not shown as one."""


@ui.page("/replay")
def replay_page(key: str = "") -> None:
    with page("replay"):
        ReplayPage(key)


class ReplayPage:
    """One browser's replay."""

    def __init__(self, key: str) -> None:
        self.film: Film | None = None
        self.frame = 0
        self.seat = 0
        self.open = True
        self.judgements: list[Judgement] = []
        self.judging = 0
        """Number of the judging under way: a newer one ends it."""
        self.records: dict[str, Record] = {record.key: record for record in kept(who=who())}
        with panel(), ui.element("div").classes("mp-fields"):
            self.choice = ui.select(self._titles(), label=say("saved_games"), on_change=lambda e: self._open(e.value))
            self.choice.props("dense options-dense").classes("col").style("min-width: 220px").mark("games")
            file_button(say("load_records"), self._load)
        self.area = ui.column().classes("w-full gap-3")
        if not self.records:
            with self.area:
                ui.label(say("no_games")).classes("mp-soft")
        ui.keyboard(on_key=self._key)
        self.timer = ui.timer(STEP_SECONDS, lambda: self._go(self.frame + 1), active=False)
        if key in self.records:
            self.choice.set_value(key)

    def _titles(self) -> dict[str, str]:
        return {key: _title(record) for key, record in self.records.items()}

    async def _load(self, name: str, content: bytes) -> None:
        try:
            loaded = await work(functools.partial(tasks.read_records, content))
        except MingpaiError as error:
            complain(error)
            return
        self.records = {record.key: record for record in loaded} | self.records
        self.choice.set_options(self._titles())
        if loaded:
            self.choice.set_value(loaded[0].key)
            ui.notify(say("loaded", count=len(loaded)), type="positive")

    def _open(self, key: str | None) -> None:
        if key not in self.records:
            return
        try:
            self.film = film_of(self.records[key])
        except MingpaiError as error:
            complain(error)
            return
        self.frame, self.judgements, self.judging = 0, [], self.judging + 1
        players = self.film.record.players
        self.seat = players.index(PERSON) if PERSON in players else 0
        self._build(self.film)

    # --- stepping

    def _go(self, frame: int) -> None:
        film = self.film
        if film is None:
            return
        self.frame = max(0, min(film.frames, frame))
        if self.frame == film.frames:
            self._stop()
        self._draw_frame()

    def _stop(self) -> None:
        self.timer.deactivate()
        self.player.props("icon=play_arrow")

    def _toggle(self) -> None:
        if self.timer.active:
            self._stop()
        else:
            if self.film is not None and self.frame == self.film.frames:
                self.frame = 0
            self.timer.activate()
            self.player.props("icon=pause")

    def _key(self, event: events.KeyEventArguments) -> None:
        if not event.action.keydown or self.film is None:
            return
        key = str(event.key)
        jumps = {"ArrowLeft": self.frame - 1, "ArrowRight": self.frame + 1, "Home": 0, "End": self.film.frames}
        if key in jumps:
            self._go(jumps[key])
        elif key == " ":
            self._toggle()

    # --- drawing

    def _build(self, film: Film) -> None:
        """The parts of the page that stay while one steps."""
        self.timer.deactivate()
        self.area.clear()
        with self.area:
            self.board = ui.column().classes("w-full")
            with ui.row().classes("items-center w-full no-wrap gap-1"):
                for icon, jump, mark in (("first_page", -film.frames, "first"), ("chevron_left", -1, "back")):
                    ui.button(icon=icon, on_click=lambda _, j=jump: self._go(self.frame + j)).props(
                        "flat dense round"
                    ).mark(mark)
                self.player = (
                    ui.button(icon="play_arrow", on_click=self._toggle).props("flat dense round").mark("autoplay")
                )
                for icon, jump, mark in (("chevron_right", 1, "forward"), ("last_page", film.frames, "last")):
                    ui.button(icon=icon, on_click=lambda _, j=jump: self._go(self.frame + j)).props(
                        "flat dense round"
                    ).mark(mark)
                self.slider = ui.slider(min=0, max=film.frames, value=0).classes("col q-mx-sm").mark("slider")
                self.slider.on("update:model-value", lambda e: self._go(int(e.args)), throttle=0.1)
                self.count = ui.label().classes("mp-soft").style("white-space: nowrap").mark("frame")
            self.said = ui.label().classes("mp-h").mark("last-move")
            with ui.row().classes("gap-2"):
                ui.button(say("try_again"), icon="sports_esports", on_click=self._again).props("outline no-caps").mark(
                    "again"
                )
                ui.button(say("analyse_here"), icon="psychology", on_click=self._analyse).props("outline no-caps").mark(
                    "analyse-here"
                )
            with ui.element("div").classes("mp-columns"):
                with panel(say("evaluation")):
                    self._judge_form(film)
                    self.bar = ui.linear_progress(0, show_value=False).props("rounded")
                    self.chart = ui.echart(
                        _graph_options(film.frames), on_point_click=lambda e: self._go(int(e.data[0]))
                    )
                    self.chart.classes("w-full").style("height: 230px").mark("graph")
                    self.verdicts = ui.column().classes("w-full gap-1")
                with panel(say("moves")):
                    self.list = ui.element("div").classes("mp-movelist").mark("moves")
        self._draw_frame()
        self._draw_judgements()

    def _judge_form(self, film: Film) -> None:
        game = film.record.game
        with ui.element("div").classes("mp-fields"):
            agent = agent_select(game, BEST[game], say("judge"))
            self.all_seats = ui.switch(say("all_seats"), value=game != "guandan")
            ui.button(say("judge_game"), icon="gavel", on_click=lambda: self._start_judging(str(agent.value))).mark(
                "judge"
            )
        with ui.element("div").classes("mp-fields"):
            seats = {seat: f"{seat}: {pretty(name)}" for seat, name in enumerate(film.record.players)}
            ui.select(seats, value=self.seat, label=say("view_of"), on_change=lambda e: self._look(int(e.value))).props(
                "dense"
            )
            ui.switch(say("open_cards_short"), value=self.open, on_change=lambda e: self._set_open(bool(e.value)))

    def _draw_frame(self) -> None:
        film = self.film
        assert film is not None
        self.board.clear()
        with self.board:
            draw_board(film.at(self.frame), self.seat, film.record.players, self.open)
        self.slider.set_value(self.frame)
        self.count.set_text(f"{self.frame} / {film.frames}")
        if self.frame:
            seat, move = film.moves[self.frame - 1]
            self.said.set_text(f"{_seat_name(film, seat)}: {_move_word(str(move))}{self._loss_words(self.frame - 1)}")
        else:
            self.said.set_text(say("before_first"))
        self._draw_list()

    def _loss_words(self, number: int) -> str:
        judged = next((j for j in self.judgements if j.number == number), None)
        if judged is None or judged.lost is None:
            return ""
        if judged.lost < SMALL[judged.unit]:
            return f"  ✓ {say('lost_nothing')}"
        return "  " + say("lost_words", lost=_amount(judged.lost, judged.unit), best=_move_word(judged.best))

    def _draw_list(self) -> None:
        film = self.film
        assert film is not None
        lost = {j.number: j for j in self.judgements}
        self.list.clear()
        with self.list:
            for number, (seat, move) in enumerate(film.moves):
                judged = lost.get(number)
                words, colour = f"{number + 1}. {_seat_sign(film, seat)} {_move_word(str(move))}", ""
                if judged is not None and judged.lost is not None and judged.lost >= SMALL[judged.unit]:
                    words += f" −{_amount(judged.lost, judged.unit)}"
                    colour = " lose"
                here = " here" if number == self.frame - 1 else ""
                ui.label(words).classes(f"mp-tag click{colour}{here}").on("click", lambda _, n=number: self._go(n + 1))

    def _look(self, seat: int) -> None:
        self.seat = seat
        self._draw_frame()
        self._draw_judgements()

    def _set_open(self, value: bool) -> None:
        self.open = value
        self._draw_frame()

    # --- what a judge thinks

    def _start_judging(self, spec: str) -> None:
        background_tasks.create(self._judge(spec))

    async def _judge(self, spec: str) -> None:
        """Ask an agent about every move, one after another, showing what is known so far."""
        film = self.film
        assert film is not None
        self.judging += 1
        number, self.judgements = self.judging, []
        with self.area:
            try:
                check(film.record.game, spec)
                frames = [n for n, (seat, _) in enumerate(film.moves) if self.all_seats.value or seat == self.seat]
                for count, frame in enumerate(frames, start=1):
                    judged = await work(functools.partial(tasks.judge, film.record, frame, spec), spec)
                    if number != self.judging or self.area.is_deleted:
                        return
                    self.judgements.append(judged)
                    if count % 5 == 0 or count == len(frames):
                        self._draw_judgements(count / len(frames))
                self._draw_frame()
            except MingpaiError as error:
                complain(error)

    def _draw_judgements(self, done: float = 1.0) -> None:
        film = self.film
        assert film is not None
        self.chart.set_visibility(bool(self.judgements))
        self.bar.set_visibility(bool(self.judgements) and done < 1)
        self.bar.set_value(done)
        self.verdicts.clear()
        with self.verdicts:
            if not self.judgements:
                ui.label(say("judge_about")).classes("mp-soft")
                return
            found = mistakes(self.judgements)
            ui.label(say("mistakes") if found else say("no_mistakes")).classes("mp-soft")
            for judged in found:
                self._draw_mistake(film, judged)
        self._draw_graph(film)

    def _draw_graph(self, film: Film) -> None:
        points = [(j.number + 1, film.value_for(j, self.seat), j.lost or 0.0) for j in self.judgements]
        options, unit = self.chart.options, self.judgements[0].unit
        options["yAxis"] |= {"name": say(f"unit_{unit}")} | ({"min": _floor(points), "max": 1} if unit == "win" else {})
        line, bars = options["series"]
        line["data"] = [[number, round(value, 4)] for number, value, _ in points if value is not None]
        bars["data"] = [[number, round(-lost, 4)] for number, _, lost in points if lost > 0]
        self.chart.update()

    def _draw_mistake(self, film: Film, judged: Judgement) -> None:
        words = (f"{judged.number + 1}. {_seat_name(film, judged.seat)}: {_move_word(judged.played)} → "
                 f"{_move_word(judged.best)}  (−{_amount(judged.lost or 0, judged.unit)})")  # fmt: skip
        with ui.row().classes("items-center gap-1 no-wrap"):
            jump = ui.button(words, on_click=lambda: self._go(judged.number))
            jump.props("flat dense no-caps align=left").mark("mistake")
            retry = ui.button(icon="sports_esports", on_click=lambda: self._again_at(judged.number))
            retry.props("flat dense round size=sm").tooltip(say("try_again")).mark("mistake-again")

    # --- on from here

    def _again(self) -> None:
        self._again_at(self.frame)

    def _again_at(self, frame: int) -> None:
        """Sit down in the place of whoever moved here, and play on."""
        film = self.film
        assert film is not None
        frame = min(frame, film.frames - 1)
        seat, game = film.moves[frame][0], film.record.game
        try:
            table = Table.from_record(film.record, frame, seat, BEST[game])
        except MingpaiError as error:
            complain(error)
            return
        home.save(f"tables/again-{who()}-{game}.json", table.to_json())
        ui.navigate.to(f"/play?game={game}&again=1")

    def _analyse(self) -> None:
        film = self.film
        assert film is not None
        state = film.at(min(self.frame, film.frames - 1))
        assert state.to_move is not None
        position = json.dumps(state.view(state.to_move).to_json(), ensure_ascii=False)
        ui.navigate.to("/analyse?" + urlencode({"game": film.record.game, "position": position}))


def _graph_options(frames: int) -> dict[str, Any]:
    """The value of the game, and below the axis what each move lost."""
    green = {"lineStyle": {"color": "#2e8b57", "width": 2}, "itemStyle": {"color": "#2e8b57"}}
    line = {
        "type": "line",
        "name": say("value_line"),
        "data": [],
        "symbolSize": 5,
        "areaStyle": {"opacity": 0.12},
    } | green
    bars = {"type": "bar", "name": say("lost_value"), "data": [], "itemStyle": {"color": "#c2452d"}, "barWidth": 4}
    options = chart([line, bars], axis(min=0, max=frames), axis(scale=True), tooltip={"trigger": "axis"})
    options["xAxis"]["splitLine"] = {"show": False}
    options["legend"] = {"top": 0, "right": 0, "textStyle": {"color": GREY}}
    return options


def _title(record: Record) -> str:
    result = "" if record.points is None else " · " + " ".join(f"{points:+g}" for points in record.points)
    players = " / ".join(pretty(name) for name in dict.fromkeys(record.players))
    return f"{say(record.game) if record.game in BEST else record.game} · {players}{result} · {record.key[:6]}"


def _floor(points: list[tuple[int, float | None, float]]) -> float:
    """Where the axis of win chances begins: low enough for the largest loss."""
    return -max(0.25, max(lost for _, _, lost in points))


def _seat_name(film: Film, seat: int) -> str:
    name = film.record.seats[seat]
    word = say(f"role_{name}") if name in ("landlord", "down", "up") else say("seat", seat=seat)
    return f"{word} ({pretty(film.record.players[seat])})"


def _seat_sign(film: Film, seat: int) -> str:
    name = film.record.seats[seat]
    return say(f"role_{name}") if name in ("landlord", "down", "up") else str(seat)


def _move_word(move: str) -> str:
    word, _, amount = move.partition(" ")
    if word in ("pass", "fold", "check", "call", "raise"):
        return f"{say(word)} {amount}".strip()
    return move.partition("@")[0]


def _amount(value: float, unit: str) -> str:
    return f"{100 * value:.0f}%" if unit == "win" else f"{value:.1f}" if unit == "points" else f"{value:.0f}"
