"""The Play page: a table against any agents."""

import asyncio
import secrets

from nicegui import background_tasks, ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.decision import Decision
from mingpai.core.errors import Ambiguous, MingpaiError
from mingpai.web import home
from mingpai.web.board import draw_centre, draw_seats
from mingpai.web.explain import show_decision
from mingpai.web.faces import face_html
from mingpai.web.frame import complain, language, page, say, who
from mingpai.web.games import BEST, choices, keep
from mingpai.web.limits import MAX_SECONDS
from mingpai.web.scenes import Scene, scene
from mingpai.web.table import Order, Table
from mingpai.web.work import WORKSHOP

PACE = 0.6
"""Seconds between the agents' moves, so that a person can follow."""


@ui.page("/play")
def play_page(game: str = "doudizhu") -> None:
    name = game if game in REGISTRY.games() else "doudizhu"
    with page("play"):
        PlayPage(name)


class PlayPage:
    """One browser's table. Everything drawn comes from the table; nothing here knows the rules."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.table: Table | None = None
        self.chosen: list[int] = []
        self.advice: Decision | None = None
        self.who = who()
        self._form()
        self.area = ui.column().classes("w-full gap-2")
        ui.keyboard(on_key=self._key)
        saved = home.load(self._file())
        if saved is not None:
            with self.area:
                ui.button(say("resume"), on_click=lambda: self._resume(saved)).mark("resume")

    def _file(self) -> str:
        return f"tables/{self.who}-{self.game}.json"

    # --- the form

    def _form(self) -> None:
        self.form = ui.expansion(say("new_game"), value=True).classes("w-full")
        with self.form, ui.row().classes("items-end gap-3"):
            ui.select({g: say(g) for g in REGISTRY.games()}, value=self.game, label=say("game"),
                      on_change=lambda e: ui.navigate.to(f"/play?game={e.value}")).mark("game")  # fmt: skip
            profiles = list(REGISTRY.game(self.game).profiles())
            self.rules = ui.select(profiles, value=profiles[0], label=say("rule_profile"))
            best = BEST[self.game]
            self.agent = ui.select(choices(self.game), value=best, label=say("opponents"), with_input=True,
                                   new_value_mode="add-unique").mark("agent")  # fmt: skip
            self.seat = ui.number(say("your_seat"), value=0, min=0, max=9, precision=0).style("width: 90px")
            self.seed = ui.input(say("seed")).style("width: 130px").mark("seed")
            self.whole = ui.checkbox(say("whole_match"))
            self.open = ui.checkbox(say("open_cards"))
            self.simple = ui.checkbox(say("no_bidding")) if self.game == "doudizhu" else None
            self.seats = None
            if self.game == "holdem":
                self.seats = ui.number(say("seats"), value=6, min=2, max=10, precision=0).style("width: 90px")
            ui.button(say("start"), on_click=self._start).mark("start")

    def _order(self) -> Order:
        text = (self.seed.value or "").strip()
        if text and not text.isdigit():
            raise MingpaiError(f"seed {text!r}: expected a whole number")
        simple = self.simple is not None and self.simple.value
        settings = dict(REGISTRY.game(self.game).play_only) if simple else {}
        if self.seats is not None:
            settings = {"seats": int(self.seats.value or 2)}
        return Order(
            game=self.game, rules=self.rules.value, seat=int(self.seat.value or 0), agents=(self.agent.value,),
            seed=int(text) if text else secrets.randbelow(2**31), whole_match=bool(self.whole.value), settings=settings,
            open_cards=bool(self.open.value),
        )  # fmt: skip

    def _start(self) -> None:
        try:
            self.table = Table(self._order())
        except MingpaiError as error:
            complain(error)
            return
        self._go()

    def _resume(self, saved: object) -> None:
        try:
            self.table = Table.from_json(saved if isinstance(saved, dict) else {})
        except MingpaiError as error:
            home.forget(self._file())
            complain(error)
            return
        self._go()

    def _go(self) -> None:
        self.form.set_value(False)
        self.advice = None
        self.chosen = []
        self._draw()
        background_tasks.create(self._agents_play())

    # --- the table

    async def _agents_play(self) -> None:
        """Let the agents move until the person is to move or the deal is over."""
        table = self.table
        while table is not None and table is self.table and not table.state.is_over and not table.is_mine:
            try:
                decision = await WORKSHOP.run(self.who, MAX_SECONDS, table.agent_decision)
            except MingpaiError as error:
                with self.area:
                    complain(error)
                return
            await asyncio.sleep(max(0.0, PACE - decision.seconds))
            if table is not self.table or self.area.is_deleted:
                return
            table.agent_plays(decision)
            self._draw()
        if table is not None and table.state.is_over:
            keep(table.record())
            home.forget(self._file())
        elif table is not None:
            home.save(self._file(), table.to_json())

    def _play(self, text: str) -> None:
        assert self.table is not None
        try:
            self.table.play(text)
        except Ambiguous as error:
            self._choose_reading(error)
            return
        except MingpaiError as error:
            complain(error)
            return
        self.chosen = []
        self.advice = None
        self._draw()
        background_tasks.create(self._agents_play())

    def _choose_reading(self, error: Ambiguous) -> None:
        """The same cards can be several plays: ask which is meant."""
        with ui.dialog(value=True) as dialog, ui.card():
            ui.label(say("which_play"))
            for reading in error.readings:
                button = ui.button(reading, on_click=lambda _, r=reading: self._play(r)).props("no-caps")
                button.on("click", dialog.close)

    def _play_chosen(self, made: Scene) -> None:
        if self.chosen:
            self._play(" ".join(made.hand[i].code for i in sorted(self.chosen)))

    async def _hint(self) -> None:
        table = self.table
        assert table is not None
        spec = str(self.agent.value)
        try:
            self.advice = await WORKSHOP.run(self.who, MAX_SECONDS, lambda: table.hint(spec))
        except MingpaiError as error:
            complain(error)
        self._draw()

    def _undo(self) -> None:
        assert self.table is not None
        try:
            self.table.undo()
        except MingpaiError as error:
            complain(error)
        self.chosen = []
        self.advice = None
        self._draw()

    def _next(self) -> None:
        assert self.table is not None
        if self.table.next_deal():
            self._go()
        else:
            self._draw()

    def _key(self, event: object) -> None:
        action, key = getattr(event, "action", None), getattr(event, "key", None)
        if self.table is None or action is None or not action.keydown or not self.table.is_mine:
            return
        made = scene(self.table.state, self.table.view, language(), self.table.order.open_cards)
        if key == "Enter":
            self._play_chosen(made)
        elif key == "p" and any(move == "pass" for move, _ in made.buttons):
            self._play("pass")
        elif key == "h":
            background_tasks.create(self._hint())

    # --- drawing

    def _draw(self) -> None:
        table = self.table
        assert table is not None
        made = scene(table.state, table.view, language(), table.order.open_cards)
        self.area.clear()
        with self.area:
            with ui.element("div").classes("mp-felt").mark("table"):
                draw_seats(table.state, table.seat, table.players(), made)
                draw_centre(made)
                self._draw_hand(made)
                self._draw_status(table, made)
                self._draw_buttons(table, made)
            self._draw_counter(made)
            if self.advice is not None:
                with ui.card().classes("w-full"):
                    show_decision(self.advice)
                    advised = str(self.advice.move)
                    ui.button(say("play_hint"), on_click=lambda: self._play(advised)).mark("play-hint")

    def _draw_hand(self, made: Scene) -> None:
        with ui.element("div").classes("mp-hand").mark("hand"):
            for index, face in enumerate(made.hand):
                up = " up" if index in self.chosen else ""
                button = ui.element("button").classes("mp-pick" + up).props(f'type="button" aria-label="{face.rank}"')
                with button:
                    ui.html(face_html(face), sanitize=False)
                if made.picks:
                    button.on("click", lambda _, i=index, b=button: self._pick(i, b))

    def _pick(self, index: int, button: ui.element) -> None:
        if index in self.chosen:
            self.chosen.remove(index)
            button.classes(remove="up")
        else:
            self.chosen.append(index)
            button.classes(add="up")

    def _draw_status(self, table: Table, made: Scene) -> None:
        if table.state.is_over:
            points = table.state.points()[table.seat]
            key = "won" if table.seat in table.state.winners() else "lost"
            status = say(key, points=f"{points:+g}")
        elif table.is_mine:
            status = f"{say('your_turn')}  {made.status}"
        else:
            turn = table.state.to_move
            assert turn is not None
            status = say("thinking", name=made.seats[turn].name)
        ui.label(status).classes("mp-why text-center w-full").mark("status")

    def _draw_buttons(self, table: Table, made: Scene) -> None:
        with ui.row().classes("justify-center w-full gap-2"):
            if table.state.is_over:
                ui.button(say("next_deal"), on_click=self._next).mark("next")
                return
            if not table.is_mine:
                return
            for move, label in made.buttons:
                ui.button(label, on_click=lambda _, m=move: self._play(m)).mark(f"move-{move}")
            if made.types_amount:
                amount = ui.input(say("raise_to")).props("dark dense").style("width: 110px").mark("amount")
                ui.button(say("raise"), on_click=lambda: self._play(f"raise {amount.value}")).mark("raise")
            if made.picks:
                ui.button(say("play_cards"), on_click=lambda: self._play_chosen(made)).props("color=green").mark("play")
            ui.button(say("hint"), on_click=self._hint).props("color=secondary").mark("hint")
            ui.button(say("undo"), on_click=self._undo).props("color=grey-8").mark("undo")

    def _draw_counter(self, made: Scene) -> None:
        if made.rest:
            with ui.expansion(say("counter")).classes("w-full"):
                head = "".join(f"<th>{rank}</th>" for rank in made.rest)
                body = "".join(f"<td>{count}</td>" for count in made.rest.values())
                ui.html(f'<table class="mp-heat"><tr>{head}</tr><tr>{body}</tr></table>', sanitize=False)
