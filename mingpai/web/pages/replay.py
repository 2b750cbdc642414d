"""The Replay page: step through a game, see where value was lost, try again from there."""

import functools
import html
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from nicegui import background_tasks, ui

from mingpai.core.decision import ValueUnit
from mingpai.core.errors import MingpaiError
from mingpai.core.reasons import LANGUAGES
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.guandan.notation import RANKS
from mingpai.games.guandan.state import GuandanState
from mingpai.records.film import Film, Judgement, mistakes
from mingpai.records.record import Record
from mingpai.web import tasks
from mingpai.web.board import board_scene, sitters
from mingpai.web.charts import GREY, axis, chart
from mingpai.web.controls import agent_select, file_button, share_button
from mingpai.web.felt import Felt
from mingpai.web.frame import complain, language, page, panel, say, who, work
from mingpai.web.games import BEST, film_of, keep_opened, kept, opened
from mingpai.web.lessons import Step, add_step
from mingpai.web.limits import check
from mingpai.web.moves import move_html
from mingpai.web.panels.again import analyse_from, play_from
from mingpai.web.panels.coaching import Coach, amount
from mingpai.web.seats import seat_words
from mingpai.web.sharing import MOST_LETTERS, Comments, comment, comments_of, pack, unpack, with_comments
from mingpai.web.table import PERSON
from mingpai.web.texts import text
from mingpai.web.titles import titles

STEP_SECONDS = 0.9
MOST_OPENED = 50
"""Games opened by link that stay at hand."""
SMALL = {"win": 0.02, "points": 0.1, "chips": 5.0}
"""A smaller loss is not shown as one."""


@ui.page("/replay")
def replay_page(key: str = "", at: str = "", deal: str = "") -> None:
    """`key` names a game of this browser; `deal` is a game that somebody shares by link."""
    with page("replay"):
        if deal:
            key = _take_shared(deal) or key
        ReplayPage(key, int(at) if at.isdigit() and len(at) < 6 else 0)


def _take_shared(deal: str) -> str:
    """Keep the game of a link among those opened here; its key, or nothing where it cannot be read."""
    try:
        record = unpack(deal)
        film_of(record)
    except MingpaiError as error:
        complain(error)
        return ""
    others = [other for other in opened(who()) if other.key != record.key]
    keep_opened([record, *others][:MOST_OPENED], who())
    return record.key


KEYS = ("ArrowLeft", "ArrowRight", "Home", "End", " ")


class ReplayPage:
    """One browser's replay."""

    def __init__(self, key: str, at: int) -> None:
        self.film: Film | None = None
        self.frame = 0
        self.seat = 0
        self.open = True
        self.judgements: list[Judgement] = []
        self.comments: Comments = {}
        self._level = ""
        self.judging = 0
        """Number of the judging under way: a newer one ends it."""
        self.records: dict[str, Record] = {record.key: record for record in [*kept(who=who()), *opened(who())]}
        with panel(), ui.element("div").classes("mp-fields"):
            self.choice = ui.select(
                titles(self.records), label=say("saved_games"), on_change=lambda e: self._open(e.value)
            )
            self.choice.props("dense options-dense").classes("col").style("min-width: 220px").mark("games")
            file_button(say("load_records"), self._load)
            ui.label(say("own_games")).classes("mp-soft")
        self.area = ui.column().classes("w-full gap-3")
        if not self.records:
            with self.area:
                ui.label(say("no_games")).classes("mp-soft")
        self.timer = ui.timer(STEP_SECONDS, lambda: self._go(self.frame + 1), active=False)
        if key in self.records:
            self.choice.set_value(key)
            self._go(at)

    async def _load(self, name: str, content: bytes) -> None:
        try:
            loaded = await work(functools.partial(tasks.read_records, content))
        except MingpaiError as error:
            complain(error)
            return
        keep_opened(loaded, who())
        self.records = {record.key: record for record in loaded} | self.records
        self.choice.set_options(titles(self.records))
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
        start = self.film.at(0)
        self._level = RANKS[start.level] if isinstance(start, GuandanState) else ""
        self.comments = comments_of(self.film.record, who())
        players = self.film.record.players
        self.seat = players.index(PERSON) if PERSON in players else 0
        self._build(self.film)
        self._note_address()

    def _note_address(self) -> None:
        """The address names the game and the move, so that a reload or a link comes back to it."""
        if self.film is not None:
            query = urlencode({"key": self.film.record.key, "at": self.frame})
            ui.run_javascript(f"history.replaceState(null, '', '/replay?{query}')")

    # --- stepping

    def _go(self, frame: int) -> None:
        film = self.film
        if film is None:
            return
        self.frame = max(0, min(film.frames, frame))
        if self.frame == film.frames:
            self._stop()
        self._draw_frame()
        self._note_address()

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

    def _act(self, told: Mapping[str, Any]) -> None:
        """A key that the table heard."""
        if self.film is None or told.get("do") != "key":
            return
        key = told.get("key")
        jumps = {"ArrowLeft": self.frame - 1, "ArrowRight": self.frame + 1, "Home": 0, "End": self.film.frames}
        if key in jumps:
            self._go(jumps[str(key)])
        elif key == " ":
            self._toggle()

    # --- drawing

    def _build(self, film: Film) -> None:
        """The parts of the page that stay while one steps."""
        self.timer.deactivate()
        self.area.clear()
        with self.area:
            self.board = Felt(self._scene(film), self._act)
            self.board.mark("table")
            with ui.row().classes("items-center w-full no-wrap gap-1"):
                self._jump("first_page", -film.frames, "first")
                self._jump("chevron_left", -1, "back")
                self.player = ui.button(icon="play_arrow", on_click=self._toggle)
                self.player.props(f'flat dense round aria-label="{say("step_autoplay")}"').mark("autoplay")
                self._jump("chevron_right", 1, "forward")
                self._jump("last_page", film.frames, "last")
                self.slider = ui.slider(min=0, max=film.frames, value=0).classes("col q-mx-sm").mark("slider")
                self.slider.props(f'aria-label="{say("moves")}"')
                self.slider.on("update:model-value", lambda e: self._go(int(e.args)), throttle=0.1)
                self.count = ui.label().classes("mp-soft").style("white-space: nowrap").mark("frame")
            self.said = ui.html(sanitize=False).classes("mp-h").mark("last-move")
            self.note = ui.input(say("comment")).props(f"dense outlined maxlength={MOST_LETTERS}").classes("w-full")
            self.note.on("change", lambda: self._comment()).mark("comment")
            with ui.row().classes("gap-2"):
                ui.button(say("try_again"), icon="sports_esports", on_click=self._again).props("outline no-caps").mark(
                    "again"
                )
                ui.button(say("analyse_here"), icon="psychology", on_click=self._analyse).props("outline no-caps").mark(
                    "analyse-here"
                )
                ui.button(say("lesson_add"), icon="school", on_click=self._add_to_lesson).props("flat no-caps").mark(
                    "add-to-lesson"
                )
                share_button("/replay", lambda: {"deal": pack(self._told()), "at": str(self.frame)})
                ui.button(say("save_file"), icon="download", on_click=self._save_file).props("flat no-caps").mark(
                    "save-file"
                )
            with panel(say("coach")):
                self._coach_form(film)
            with ui.element("div").classes("mp-columns"):
                with panel(say("evaluation")):
                    self._judge_form(film)
                    self.bar = ui.linear_progress(0, show_value=False)
                    self.bar.props(f'rounded aria-label="{say("judge_game")}"')
                    self.chart = ui.echart(
                        _graph_options(film.frames), on_point_click=lambda e: self._go(int(e.data[0]))
                    )
                    self.chart.classes("w-full").style("height: 230px").mark("graph")
                    self.verdicts = ui.column().classes("w-full gap-1")
                with panel(say("moves")):
                    self.list = ui.element("div").classes("mp-movelist").mark("moves")
        self._draw_frame()
        self._draw_judgements()

    def _coach_form(self, film: Film) -> None:
        """The coach looks at the person's own play without being asked, at anybody else's on request."""
        players = film.record.players
        if PERSON in players:
            Coach(film.record, players.index(PERSON), self._go)
            return
        place = ui.column().classes("w-full")
        with place:
            ui.label(say("coach_whom")).classes("mp-soft")
            with ui.row().classes("gap-2"):
                for seat in range(len(players)):
                    button = ui.button(
                        self._seat_name(film, seat), on_click=lambda _, s=seat: self._coach(film, place, s)
                    )
                    button.props("outline no-caps").mark("coach-seat")

    def _coach(self, film: Film, place: ui.element, seat: int) -> None:
        self._look(seat)
        place.clear()
        with place:
            Coach(film.record, seat, self._go)

    def _jump(self, icon: str, by: int, name: str) -> None:
        """A button that goes some moves back or on."""
        button = ui.button(icon=icon, on_click=lambda: self._go(self.frame + by))
        button.props(f'flat dense round aria-label="{say(f"step_{name}")}"').mark(name)

    def _judge_form(self, film: Film) -> None:
        game = film.record.game
        with ui.element("div").classes("mp-fields"):
            agent = agent_select(game, BEST[game], say("judge"))
            self.all_seats = ui.switch(say("all_seats"), value=game != "guandan")
            judge = ui.button(say("judge_game"), icon="gavel", on_click=lambda: self._start_judging(str(agent.value)))
            judge.props("no-caps").mark("judge")
        with ui.element("div").classes("mp-fields"):
            seats = {seat: self._seat_name(film, seat) for seat in range(len(film.record.players))}
            seen = ui.select(seats, value=self.seat, label=say("view_of"), on_change=lambda e: self._look(int(e.value)))
            seen.props("dense").style("min-width: 150px")
            ui.switch(say("open_cards_short"), value=self.open, on_change=lambda e: self._set_open(bool(e.value)))

    def _draw_frame(self) -> None:
        film = self.film
        assert film is not None
        self.board.show(self._scene(film))
        self.slider.set_value(self.frame)
        self.count.set_text(f"{self.frame} / {film.frames}")
        if self.frame:
            seat, move = film.moves[self.frame - 1]
            words = f"{html.escape(self._seat_name(film, seat))}: {self._move(move)}{self._loss_words(self.frame - 1)}"
            self.said.set_content(words)
        else:
            self.said.set_content(html.escape(say("before_first")))
        self.note.set_value(self.comments.get(self.frame, ""))
        self._draw_list()

    def _scene(self, film: Film) -> dict[str, Any]:
        drawn = board_scene(film.at(self.frame), self.seat, film.record.players, self.open)[1]
        return drawn | {"keys": KEYS}

    def _move(self, move: object) -> str:
        """A move drawn with cards."""
        assert self.film is not None
        return move_html(self.film.record.game, move, language(), self._level)

    def _best(self, judged: Judgement) -> str:
        """The judge's own choice, drawn: a bid where a bid was made."""
        assert self.film is not None
        is_bid = isinstance(self.film.moves[judged.number][1], Bid)
        return self._move(Bid(int(judged.best)) if is_bid and judged.best.isdigit() else judged.best)

    def _seat_name(self, film: Film, seat: int) -> str:
        word = seat_words(film.at(self.frame), self.seat, language())(seat)
        player = sitters(film.record.game, film.record.players)[seat].name
        return word if player == word else f"{word} ({player})"

    def _loss_words(self, number: int) -> str:
        judged = next((j for j in self.judgements if j.number == number), None)
        if judged is None or judged.lost is None:
            return ""
        if judged.lost < SMALL[judged.unit]:
            return f"  ✓ {say('lost_nothing')}"
        return "  " + say("lost_words", lost=amount(judged.lost, judged.unit), best=self._best(judged))

    def _draw_list(self) -> None:
        film = self.film
        assert film is not None
        lost = {j.number: j for j in self.judgements}
        self.list.clear()
        with self.list:
            word = seat_words(film.at(film.frames), self.seat, language())
            for number, (seat, move) in enumerate(film.moves):
                judged = lost.get(number)
                words, colour = f"{number + 1}. {html.escape(word(seat))} {self._move(move)}", ""
                if judged is not None and judged.lost is not None and judged.lost >= SMALL[judged.unit]:
                    words += f" −{amount(judged.lost, judged.unit)}"
                    colour = " lose"
                if number + 1 in self.comments:
                    words += f' <span title="{html.escape(self.comments[number + 1])}">💬</span>'
                here = " here" if number == self.frame - 1 else ""
                tag = ui.element("button").props("type=button").classes(f"mp-tag click{colour}{here}")
                tag.on("click", lambda _, n=number: self._go(n + 1))
                with tag:
                    ui.html(words, tag="span", sanitize=False)

    # --- comments, and what is shared

    def _comment(self) -> None:
        """Keep what was said of this position."""
        assert self.film is not None
        self.comments = comment(self.film.record, who(), self.frame, str(self.note.value or ""))
        self._draw_list()

    def _told(self) -> Record:
        """The game with what was said of it."""
        assert self.film is not None
        return with_comments(self.film.record, self.comments)

    def _save_file(self) -> None:
        record = self._told()
        ui.download.content(record.dumps() + "\n", f"mingpai-{record.game}-{record.key[:6]}.jsonl")

    def _add_to_lesson(self) -> None:
        """This position goes to one's own lesson: with the better move where a judge knows one, else the one played."""
        film = self.film
        assert film is not None
        frame = min(self.frame, film.frames - 1)
        seat, played = film.moves[frame]
        judged = next((one for one in self.judgements if one.number == frame), None)
        words = dict.fromkeys(LANGUAGES, self.comments.get(self.frame, ""))
        step = Step(film.at(frame).view(seat).to_json(), words, str(played) if judged is None else judged.best)
        title = {tongue: text("lesson_mine", tongue, game=text(film.record.game, tongue)) for tongue in LANGUAGES}
        lesson = add_step(who(), film.record.game, title, step)
        ui.notify(say("lesson_added", count=len(lesson.steps)), type="positive")

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
            wrong = mistakes(self.judgements)
            ui.label(f"{say('judge_end')} {say('mistakes') if wrong else say('no_mistakes')}").classes("mp-soft")
            for judged in wrong:
                self._draw_mistake(film, judged)
        self._draw_graph(film)

    def _draw_graph(self, film: Film) -> None:
        unit = main_unit(self.judgements)
        judged = [j for j in self.judgements if j.unit == unit]
        points = [(j.number + 1, film.value_for(j, self.seat), j.lost or 0.0) for j in judged]
        options, result = self.chart.options, film.result_for(self.seat, unit)
        if result is not None and judged and judged[-1].number >= film.frames - len(film.record.players):
            points.append((film.frames + 1, result, 0.0))
        options["yAxis"] |= {"name": say(f"unit_{unit}")} | ({"min": _floor(points), "max": 1} if unit == "win" else {})
        line, bars = options["series"]
        line["data"] = [[number, round(value, 4)] for number, value, _ in points if value is not None]
        bars["data"] = [[number, round(-lost, 4)] for number, _, lost in points if lost > 0]
        self.chart.update()

    def _draw_mistake(self, film: Film, judged: Judgement) -> None:
        played = self._move(film.moves[judged.number][1])
        words = (f"{judged.number + 1}. {html.escape(self._seat_name(film, judged.seat))}: {played} → "
                 f"{self._best(judged)}  (−{amount(judged.lost or 0, judged.unit)})")  # fmt: skip
        with ui.row().classes("items-center gap-1 no-wrap"):
            jump = ui.button(on_click=lambda: self._go(judged.number))
            jump.props("flat dense no-caps align=left").mark("mistake")
            with jump:
                ui.html(words, tag="span", sanitize=False).classes("text-left")
            retry = ui.button(icon="sports_esports", on_click=lambda: self._again_at(judged.number))
            name = say("try_move_again", number=judged.number + 1)
            retry.props(f'flat dense round size=sm aria-label="{name}"').tooltip(name).mark("mistake-again")

    # --- on from here

    def _again(self) -> None:
        self._again_at(self.frame)

    def _again_at(self, frame: int) -> None:
        assert self.film is not None
        play_from(self.film.record, frame)

    def _analyse(self) -> None:
        assert self.film is not None
        analyse_from(self.film.record, self.frame)


def main_unit(judgements: Sequence[Judgement]) -> ValueUnit:
    """The unit of most judgements: a graph has one, so bids valued in points are not drawn among chances."""
    counts = Counter(judged.unit for judged in judgements)
    return counts.most_common(1)[0][0]


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
    options = chart([line, bars], axis(min=0, max=frames + 1), axis(scale=True), tooltip={"trigger": "axis"})
    options["xAxis"]["splitLine"] = {"show": False}
    options["legend"] = {"top": 0, "right": 0, "textStyle": {"color": GREY}}
    return options


def _floor(points: list[tuple[int, float | None, float]]) -> float:
    """Where the axis of win chances begins: low enough for the largest loss."""
    return -max(0.25, max(lost for _, _, lost in points))
