"""The Replay page: step through a game, see where value was lost, try again from there."""

import functools

from nicegui import background_tasks, events, ui

from mingpai.core.errors import MingpaiError
from mingpai.records.record import Record
from mingpai.web.board import draw_board
from mingpai.web.film import Film, Judgement, mistakes
from mingpai.web.frame import complain, page, say, who
from mingpai.web.games import BEST, choices, kept
from mingpai.web.limits import MAX_SECONDS, MAX_UPLOAD, hire
from mingpai.web.work import WORKSHOP

MAX_RECORDS = 2000
"""Records of an uploaded file that are looked at."""


@ui.page("/replay")
def replay_page(game: str = "", key: str = "") -> None:
    with page("replay"):
        ReplayPage(game, key)


class ReplayPage:
    """One browser's replay."""

    def __init__(self, game: str, key: str) -> None:
        self.film: Film | None = None
        self.frame = 0
        self.seat = 0
        self.open = True
        self.judgements: list[Judgement] = []
        self.who = who()
        self.records: dict[str, Record] = {record.key: record for record in kept()}
        with ui.row().classes("items-end gap-3"):
            self.choice = ui.select(self._titles(), label=say("saved_games"), on_change=lambda e: self._open(e.value))
            self.choice.style("min-width: 320px").mark("games")
            upload = ui.upload(label=say("load_records"), auto_upload=True, max_file_size=MAX_UPLOAD,
                               on_upload=self._load, on_rejected=lambda: ui.notify(say("too_large")))  # fmt: skip
            upload.props("flat dense").style("max-width: 260px")
        self.area = ui.column().classes("w-full gap-2")
        ui.keyboard(on_key=self._key)
        self.timer = ui.timer(0.9, lambda: self._step(1), active=False)
        if key in self.records:
            self._open(key)

    def _titles(self) -> dict[str, str]:
        return {key: f"{say(r.game)} · {' / '.join(r.players)} · {r.seed}" for key, r in self.records.items()}

    async def _load(self, event: events.UploadEventArguments) -> None:
        try:
            content = (await event.file.read()).decode("utf-8")
            loaded = [Record.loads(line) for line in content.splitlines()[:MAX_RECORDS] if line.strip()]
        except (UnicodeDecodeError, MingpaiError) as error:
            complain(error if isinstance(error, MingpaiError) else MingpaiError(say("not_text")))
            return
        self.records = {record.key: record for record in loaded} | self.records
        self.choice.set_options(self._titles())
        if loaded:
            self.choice.set_value(loaded[0].key)

    def _open(self, key: str) -> None:
        if key not in self.records:
            return
        try:
            self.film = Film(self.records[key])
        except MingpaiError as error:
            complain(error)
            return
        self.frame, self.judgements = 0, []
        players = self.film.record.players
        self.seat = players.index("person") if "person" in players else 0
        self._draw()

    def _step(self, by: int) -> None:
        if self.film is not None:
            self.frame = max(0, min(self.film.frames, self.frame + by))
            if self.frame == self.film.frames:
                self.timer.deactivate()
            self._draw()

    def _key(self, event: events.KeyEventArguments) -> None:
        if event.action.keydown:
            if event.key.arrow_left:
                self._step(-1)
            elif event.key.arrow_right:
                self._step(1)

    def _draw(self) -> None:
        film = self.film
        assert film is not None
        self.area.clear()
        with self.area:
            draw_board(film.at(self.frame), self.seat, list(film.record.players), self.open)
            with ui.row().classes("items-center w-full no-wrap"):
                ui.button(icon="chevron_left", on_click=lambda: self._step(-1)).props("flat dense").mark("back")
                ui.slider(min=0, max=film.frames, value=self.frame).on(
                    "change", lambda e: self._go(int(e.args)), throttle=0.1
                ).classes("col").mark("slider")
                ui.button(icon="chevron_right", on_click=lambda: self._step(1)).props("flat dense").mark("forward")
                icon = "pause" if self.timer.active else "play_arrow"
                ui.button(icon=icon, on_click=self._toggle).props("flat dense")
                ui.label(f"{self.frame} / {film.frames}").mark("frame")
            if self.frame:
                seat, move = film.moves[self.frame - 1]
                ui.label(f"{film.at(self.frame).seat_name(seat)}: {move}").classes("text-subtitle1").mark("last-move")
            with ui.row().classes("items-end gap-3"):
                ui.number(say("your_seat"), value=self.seat, min=0, max=len(film.record.players) - 1, precision=0,
                          on_change=lambda e: self._look(e.value)).style("width: 90px")  # fmt: skip
                ui.checkbox(say("open_cards_short"), value=self.open, on_change=lambda e: self._set_open(e.value))
                agent = ui.select(choices(film.record.game), value=BEST[film.record.game], label=say("judge"))
                ui.button(say("judge_game"), on_click=lambda: self._start_judging(str(agent.value))).mark("judge")
            self._draw_judgements()

    def _go(self, frame: int) -> None:
        self.frame = frame
        self._draw()

    def _look(self, seat: float | None) -> None:
        self.seat = int(seat or 0)
        self._draw()

    def _set_open(self, value: bool) -> None:
        self.open = value
        self._draw()

    def _toggle(self) -> None:
        self.timer.active = not self.timer.active
        self._draw()

    def _start_judging(self, spec: str) -> None:
        background_tasks.create(self._judge(spec))

    async def _judge(self, spec: str) -> None:
        """Ask an agent about every move, one after another, showing what is known so far."""
        film = self.film
        assert film is not None
        self.judgements = []
        try:
            agent, private = hire(film.record.game, spec), Film(film.record)
            for frame in range(film.frames):
                judged = await WORKSHOP.run(self.who, MAX_SECONDS, functools.partial(private.judge, frame, agent))
                if film is not self.film or self.area.is_deleted:
                    return
                self.judgements.append(judged)
        except MingpaiError as error:
            with self.area:
                complain(error)
        self._draw()

    def _draw_judgements(self) -> None:
        film = self.film
        assert film is not None
        if not self.judgements:
            return
        sides = [j.value for j in self.judgements]
        if any(value is not None for value in sides):
            ui.echart({
                "xAxis": {"type": "category", "data": [j.number + 1 for j in self.judgements]},
                "yAxis": {"type": "value", "name": say("lost_value")},
                "series": [{"type": "bar", "data": [round(j.lost or 0, 4) for j in self.judgements]}],
                "tooltip": {"trigger": "axis"}, "grid": {"left": 50, "right": 10, "top": 30, "bottom": 30},
            }).classes("w-full").style("height: 180px").mark("graph")  # fmt: skip
        for judged in mistakes(self.judgements):
            label = f"{judged.number + 1}. {judged.played} → {judged.best}  (−{judged.lost:.3f})"
            button = ui.button(label, on_click=lambda _, n=judged.number: self._go(n))
            button.props("flat dense no-caps").mark("mistake")
