"""The Play page: a table against any agents."""

import asyncio
import functools
import secrets
from collections.abc import Coroutine
from typing import Any

from nicegui import background_tasks, events, ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.decision import Decision
from mingpai.core.errors import Ambiguous, BadSetting, MingpaiError
from mingpai.web import home, tasks
from mingpai.web.board import draw_hand, draw_table
from mingpai.web.controls import agent_select, game_tabs
from mingpai.web.frame import complain, language, page, panel, say, who, words_of, work
from mingpai.web.games import BEST, keep
from mingpai.web.panels.explain import show_decision
from mingpai.web.scenes import Scene, scene
from mingpai.web.table import Order, Table

PACES = {"0": 0.0, "0.6": 0.6, "1.5": 1.5}
"""Seconds between the agents' moves, so that a person can follow."""
MOST_SEATS = {"doudizhu": 3, "guandan": 4, "holdem": 10}


@ui.page("/play")
def play_page(game: str = "doudizhu", again: str = "") -> None:
    name = game if game in REGISTRY.games() else "doudizhu"
    with page("play"):
        PlayPage(name, again=bool(again))


class PlayPage:
    """One browser's table. Everything drawn comes from the table; nothing here knows the rules."""

    def __init__(self, game: str, again: bool) -> None:
        self.game = game
        self.table: Table | None = None
        self.chosen: list[int] = []
        self.why = ""
        """Why the last try was not a move, in words."""
        self.advice: Decision | None = None
        self.advising = False
        self.moving_on = False
        """The next deal is being prepared."""
        self.who = who()
        self.slot = "again-" if again else ""
        game_tabs("play", game)
        self._form()
        self.area = ui.column().classes("w-full gap-3")
        ui.keyboard(on_key=self._key)
        saved = home.load(self._file())
        if isinstance(saved, dict) and again:
            self._resume(saved)
        elif isinstance(saved, dict):
            with self.area:
                ui.button(say("resume"), icon="history", on_click=lambda: self._resume(saved)).props("outline no-caps")

    def _file(self) -> str:
        return f"tables/{self.slot}{self.who}-{self.game}.json"

    # --- the form

    def _form(self) -> None:
        self.form = ui.expansion(say("new_game"), icon="style", value=True).classes("w-full mp-panel")
        game = REGISTRY.game(self.game)
        with self.form:
            with ui.element("div").classes("mp-fields"):
                self.agent = agent_select(self.game, BEST[self.game], say("opponents")).mark("agent")
                self.seats = self._number("seats", 6, 2, 10) if self.game == "holdem" else None
                self.whole = ui.switch(say(f"whole_match_{self.game}")).mark("whole")
                self.simple = ui.switch(say("no_bidding")) if game.play_only else None
                ui.button(say("start"), icon="play_arrow", on_click=self._start).mark("start")
            with ui.expansion(say("more_options")).classes("w-full"), ui.element("div").classes("mp-fields"):
                profiles = list(game.profiles())
                self.rules = ui.select(profiles, value=profiles[0], label=say("rule_profile"), with_input=True,
                                       new_value_mode="add-unique").props("dense")  # fmt: skip
                self.seat = self._number("your_seat", 0, 0, MOST_SEATS[self.game] - 1)
                self.seed = ui.input(say("seed")).props("dense").style("width: 140px").mark("seed")
                self.pace = ui.select({key: say(f"pace_{i}") for i, key in enumerate(PACES)}, value="0.6",
                                      label=say("pace")).props("dense").mark("pace")  # fmt: skip
                self.helper = agent_select(self.game, BEST[self.game], say("hint_agent"))
                self.open = ui.switch(say("open_cards"))
                self._match_fields()
            with ui.expansion(say("seat_by_seat")).classes("w-full"), ui.element("div").classes("mp-fields"):
                self.others = {seat: agent_select(self.game, None, say("seat", seat=seat), clearable=True)
                               for seat in range(MOST_SEATS[self.game])}  # fmt: skip

    def _number(self, key: str, value: int, least: int, most: int) -> ui.number:
        field = ui.number(say(key), value=value, min=least, max=most, precision=0).props("dense")
        return field.style("width: 110px").mark(key)

    def _match_fields(self) -> None:
        """What a whole match starts from."""
        self.settings: dict[str, ui.number] = {}
        if self.game == "doudizhu":
            self.settings["deals"] = self._number("deals", 10, 1, 200)
        elif self.game == "holdem":
            self.settings["chips"] = self._number("start_chips", 2000, 10, 1_000_000)
            self.settings["big"] = self._number("big_blind", 40, 2, 100_000)
            self.settings["hands"] = self._number("most_hands", 600, 1, 5000)

    def _order(self) -> Order:
        text = (self.seed.value or "").strip()
        if text and not text.isdigit():
            raise BadSetting(say("seed_number"), text, "a whole number")
        whole = bool(self.whole.value)
        simple = self.simple is not None and bool(self.simple.value)
        play_only = dict(REGISTRY.game(self.game).play_only) if simple else {}
        values = {name: int(field.value or 0) for name, field in self.settings.items()}
        settings: dict[str, Any] = {}
        if self.game == "doudizhu":
            settings = ({"deals": values["deals"]} | ({"setup": play_only} if simple else {})) if whole else play_only
        elif self.seats is not None:
            big = values["big"]
            settings = {"seats": int(self.seats.value or 2), "chips": values["chips"], "blinds": [big // 2, big]}
            settings |= {"hands": values["hands"]} if whole else {}
        seat = int(self.seat.value or 0)
        seats = int(settings.get("seats", MOST_SEATS[self.game]))
        named = [str(self.others[n].value or self.agent.value) for n in range(seats) if n != seat]
        return Order(
            game=self.game, rules=str(self.rules.value), seat=seat, agents=tuple(named), settings=settings,
            seed=int(text) if text else secrets.randbelow(2**31), whole_match=whole, open_cards=bool(self.open.value),
            helper=str(self.helper.value or BEST[self.game]),
        )  # fmt: skip

    def _start(self) -> None:
        try:
            self.table = Table(self._order())
        except MingpaiError as error:
            complain(error)
            return
        self.slot = ""
        self._go()

    def _resume(self, saved: dict[str, Any]) -> None:
        try:
            if isinstance(saved.get("order"), dict):
                saved["order"].setdefault("helper", BEST[self.game])
            self.table = Table.from_json(saved)
        except MingpaiError as error:
            home.forget(self._file())
            complain(error)
            return
        self._go()

    def _go(self) -> None:
        self.form.set_value(False)
        self._new_thought()
        assert self.table is not None
        self._save(self.table)
        self._draw()
        self._let_agents_play()

    def _new_thought(self) -> None:
        self.advice, self.chosen, self.why = None, [], ""

    # --- the table

    def _let_agents_play(self) -> None:
        background_tasks.create(self._agents_play())

    async def _agents_play(self) -> None:
        """Let the agents move until the person is to move or the deal is over."""
        table = self.table
        with self.area:
            while table is not None and table is self.table and not table.state.is_over and not table.is_mine:
                try:
                    decision = await work(functools.partial(tasks.agent_decision, table.to_json()), self.game)
                except MingpaiError as error:
                    complain(error)
                    return
                await asyncio.sleep(max(0.0, PACES.get(str(self.pace.value), 0.6) - decision.seconds))
                if table is not self.table or self.area.is_deleted:
                    return
                table.agent_plays(decision)
                self._save(table)
                self._draw()

    def _save(self, table: Table) -> None:
        """A finished deal goes to the records; what can go on is kept for later."""
        if table.state.is_over:
            table.close_deal(lambda record: keep(record, self.who))
        elif not table.is_mine:
            return
        if table.can_go_on:
            home.save(self._file(), table.to_json())
        else:
            home.forget(self._file())

    def _play(self, text: str) -> None:
        assert self.table is not None
        try:
            self.table.play(text)
        except Ambiguous as error:
            self._choose_reading(error)
            return
        except MingpaiError as error:
            self.why = words_of(error)
            self._draw()
            return
        self._new_thought()
        self._save(self.table)
        self._draw()
        self._let_agents_play()

    def _choose_reading(self, error: Ambiguous) -> None:
        """The same cards can be several plays: ask which is meant."""
        with self.area, ui.dialog(value=True) as dialog, ui.card():
            ui.label(say("which_play"))
            for reading in error.readings:
                button = ui.button(reading, on_click=lambda _, r=reading: self._play(r)).props("no-caps")
                button.on("click", dialog.close)

    def _play_chosen(self, made: Scene) -> None:
        if self.chosen:
            self._play(" ".join(made.hand[i].code for i in sorted(self.chosen)))
        else:
            self.why = say("choose_first")
            self._draw()

    async def _hint(self) -> None:
        table = self.table
        if table is None or self.advising or not table.is_mine:
            return
        self.advising = True
        position = table.view
        try:
            advice = await work(functools.partial(tasks.hint, table.to_json()), self.game)
            if table is self.table and table.is_mine and table.view == position:
                self.advice = advice
        except MingpaiError as error:
            complain(error)
        finally:
            self.advising = False
        self._draw()

    def _undo(self) -> None:
        assert self.table is not None
        try:
            self.table.undo()
        except MingpaiError as error:
            complain(error)
        self._new_thought()
        self._draw()

    async def _next(self) -> None:
        table = self.table
        if table is None or not table.saved_key or self.moving_on:
            return
        self.moving_on = True
        try:
            memory = await work(functools.partial(tasks.remembered, table.to_json()), self.game)
        except MingpaiError as error:
            complain(error)
            return
        finally:
            self.moving_on = False
        if table is not self.table:
            return
        if table.next_deal(memory):
            self._go()
        else:
            self._draw()

    def _key(self, event: events.KeyEventArguments) -> None:
        table = self.table
        if table is None or not event.action.keydown or event.action.repeat or event.modifiers.ctrl:
            return
        key = str(event.key)
        if table.state.is_over:
            if key == "n" and table.can_go_on:
                self._later(self._next())
            return
        if not table.is_mine:
            return
        made = scene(table.state, table.view, language(), table.order.open_cards)
        if key == "Enter" and made.picks:
            self._play_chosen(made)
        elif key == "Escape":
            self._new_thought()
            self._draw()
        elif key == "p" and any(move == "pass" for move, _ in made.buttons):
            self._play("pass")
        elif key == "h":
            self._later(self._hint())
        elif key == "u":
            self._undo()
        elif made.picks:
            self._pick_by_key(made, key.upper())

    def _later(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do something that takes time, on this page: what a key starts has no place of its own to draw in."""

        async def do() -> None:
            with self.area:
                await doing

        background_tasks.create(do())

    def _pick_by_key(self, made: Scene, key: str) -> None:
        """A rank's key picks the next card of that rank; once all are picked, it puts them back."""
        rank = {"0": "10", "1": "10", "T": "10", "X": "小", "D": "大"}.get(key, key)
        found = [i for i, face in enumerate(made.hand) if face.rank == rank]
        left = [i for i in found if i not in self.chosen]
        if found:
            self.chosen = [*self.chosen, left[0]] if left else [i for i in self.chosen if i not in found]
            self._draw()

    # --- drawing

    def _draw(self) -> None:
        table = self.table
        if table is None or self.area.is_deleted:
            return
        made = scene(table.state, table.view, language(), table.order.open_cards or table.state.is_over)
        self.area.clear()
        with self.area:
            with ui.element("div").classes("mp-felt").mark("table"):
                self._draw_match(table)
                draw_table(table.state, table.seat, table.players(), made)
                draw_hand(made.hand, self.chosen, made.picks and table.is_mine)
                ui.label(self.why or self._status(table, made)).classes("mp-why").mark("status")
                with ui.element("div").classes("mp-moves"):
                    self._draw_buttons(table, made)
            with ui.element("div").classes("mp-columns"):
                if self.advice is not None:
                    with panel(say("hint")):
                        advised = str(self.advice.move)
                        show_decision(self.advice, with_belief=False)
                        ui.button(say("play_hint"), on_click=lambda: self._play(advised)).props("no-caps").mark(
                            "play-hint"
                        )
                self._draw_counter(made)
            ui.label(say("keys_help")).classes("mp-soft gt-sm")

    def _draw_match(self, table: Table) -> None:
        """Where a whole match stands."""
        if table.match is None:
            return
        scores = table.match.scores()
        if self.game == "guandan":
            levels = [say("level", level=_level_word(scores[seat])) for seat in (table.seat, (table.seat + 1) % 4)]
            line = f"{say('partners')}: {levels[0]} · {say('rivals')}: {levels[1]}"
        else:
            line = " · ".join(f"{say('seat', seat=seat)}: {score:+g}" for seat, score in enumerate(scores))
        number = say("deal_number", number=table.deals_played + 1)
        ui.label(f"{number} · {line}").classes("text-center w-full").style("opacity: .85; font-size: 13px").mark(
            "match"
        )

    def _status(self, table: Table, made: Scene) -> str:
        if table.state.is_over:
            points = table.state.points()[table.seat]
            key = "won" if points > 0 else "lost" if points < 0 else "even"
            words = say(key, points=f"{points:+g}")
            if table.match is not None and not table.can_go_on:
                place = table.match.standings()[table.seat]
                words += "  " + say("match_over", place=place)
            return words
        if table.is_mine:
            return f"{say('your_turn')}: {made.status}" if made.status else say("your_turn")
        turn = table.state.to_move
        assert turn is not None
        return say("thinking", name=made.seats[turn].name)

    def _draw_buttons(self, table: Table, made: Scene) -> None:
        if table.state.is_over:
            if table.can_go_on:
                ui.button(say("next_deal"), icon="skip_next", on_click=self._next).mark("next")
            link = f"/replay?key={table.saved_key}" if table.saved_key else "/replay"
            ui.button(say("replay_this"), icon="movie", on_click=lambda: ui.navigate.to(link)).props(
                "outline color=white"
            )
            return
        if not table.is_mine:
            return
        for move, label in made.buttons:
            ui.button(label, on_click=lambda _, m=move: self._play(m)).props("no-caps").mark(f"move-{move}")
        if made.types_amount:
            amount = ui.input(say("raise_to")).props("dark dense").style("width: 110px").mark("amount")
            ui.button(say("raise"), on_click=lambda: self._play(f"raise {amount.value}")).props("no-caps").mark("raise")
        if made.picks:
            button = ui.button(say("play_cards"), on_click=lambda: self._play_chosen(made))
            button.props("no-caps color=accent text-color=black").mark("play")
        ui.button(say("hint"), icon="lightbulb", on_click=self._hint).props("no-caps color=secondary").mark("hint")
        ui.button(say("undo"), icon="undo", on_click=self._undo).props("no-caps flat color=white").mark("undo")

    def _draw_counter(self, made: Scene) -> None:
        if not made.rest:
            return
        with panel(say("counter")):
            head = "".join(f"<th>{RANK_WORDS.get(rank, rank)}</th>" for rank in made.rest)
            body = "".join(f"<td>{count or '·'}</td>" for count in made.rest.values())
            table = f'<table class="mp-heat"><tr>{head}</tr><tr>{body}</tr></table>'
            ui.html(f'<div class="mp-scroll">{table}</div>', sanitize=False).classes("w-full").mark("counter")


RANK_WORDS = {"T": "10", "X": "小", "D": "大", "SB": "小", "HR": "大"}


def _level_word(level: float) -> str:
    return {11: "J", 12: "Q", 13: "K", 14: "A", 15: "A+"}.get(int(level), str(int(level)))
