"""A person at a table: everything drawn comes from the table; nothing here knows the rules."""

import asyncio
import functools
from collections.abc import Mapping
from typing import Any

from nicegui import app, background_tasks, ui

from mingpai.core.errors import Ambiguous, MingpaiError
from mingpai.games.guandan.notation import RANKS
from mingpai.games.guandan.state import GuandanState
from mingpai.web import home, tasks
from mingpai.web.board import sitters
from mingpai.web.controls import ask_reading
from mingpai.web.endings import ending
from mingpai.web.faces import rank_word
from mingpai.web.felt import Felt
from mingpai.web.frame import complain, dialog, language, say, switch_dark, toggle_language, who, words_of, work
from mingpai.web.games import keep
from mingpai.web.panels.advice import Advice, draw_advice
from mingpai.web.panels.sheet import draw_sheet
from mingpai.web.player import Player
from mingpai.web.scenes import Scene, scene, scene_json
from mingpai.web.seats import seat_words
from mingpai.web.table import Table
from mingpai.web.texts import signed

PACES = {"0": 0.0, "0.6": 0.6, "1.5": 1.5}
"""Seconds between the agents' moves, so that a person can follow."""
USUAL = {"auto_pass": True, "sound": False, "counter": True, "pace": "0.6"}
"""The switches of the table as a new browser finds them."""
SWITCHES = {
    "doudizhu": ("auto_pass", "counter", "sound"),
    "guandan": ("auto_pass", "counter", "sound"),
    "holdem": ("sound",),
}
BESIDE = 'anchor="center left" self="center right"'
"""Where a tooltip is that must not lie on what the button opens."""
HOTKEYS = {"fold": "f", "check": "c", "call": "c", "pass": "p"}


class Sitting:
    """One browser's table, in the middle of a game."""

    def __init__(self, table: Table, file: str, dark: ui.dark_mode) -> None:
        self.table = table
        self.file = file
        self.who = who()
        self.why = ""
        """Why the last try was not a move, in words."""
        self.advice: Advice | None = None
        self.hints = self.clears = 0
        """How many hints were raised and how often the picked cards were put back: the element acts on a change."""
        self.advising = self.moving_on = self.running = False
        self.autopilot = False
        """Somebody else plays the person's cards."""
        self.dialogs = ui.element("div")
        """Where dialogs open: beside the table, which is drawn again and again."""
        self.felt = Felt(self._scene(), self._act)
        self.felt.mark("felt")
        with self.felt.add_slot("menu"):
            self._menu(dark)
        with self.felt.add_slot("tools"):
            self._tools()
        self.slots = {name: self._slot(name) for name in ("advice", "sheet")}
        self._draw()
        self._go_on()

    def _slot(self, name: str) -> ui.element:
        with self.felt.add_slot(name):
            return ui.element("div")

    def setting(self, name: str) -> Any:
        """A switch of the table, kept for this browser."""
        return app.storage.user.get("table", {}).get(name, USUAL[name])

    def _set(self, name: str, value: Any) -> None:
        app.storage.user["table"] = {**app.storage.user.get("table", {}), name: value}
        self._draw()
        self._go_on()

    # --- the bar

    def _menu(self, dark: ui.dark_mode) -> None:
        game = self.table.order.game
        with ui.button(icon="menu").props(f'flat dense round color=white aria-label="{say("menu")}"').mark("menu"):
            with ui.menu():
                ui.menu_item(say("new_game"), lambda: ui.navigate.to(f"/play?game={game}&new=1")).mark("new-game")
                ui.menu_item(say("to_start"), lambda: ui.navigate.to("/"))
                ui.menu_item(say("rules"), lambda: ui.navigate.to(f"/rules?game={game}"))
                ui.menu_item(say("keys"), self._show_keys)
                ui.menu_item(say("language"), toggle_language).mark("language")
                switch_dark(ui.menu_item(say("dark")), dark)
            ui.tooltip(say("menu")).props('anchor="center right" self="center left"')

    def _tools(self) -> None:
        with ui.button(icon="tune").props(f'flat dense round color=white aria-label="{say("switches")}"').mark("tools"):
            with ui.menu(), ui.column().classes("q-pa-md gap-1"):
                for name in SWITCHES[self.table.order.game]:
                    switch = ui.switch(say(f"switch_{name}"), value=bool(self.setting(name)))
                    switch.on_value_change(lambda e, n=name: self._set(n, bool(e.value))).mark(f"switch-{name}")
                paces = {key: say(f"pace_{i}") for i, key in enumerate(PACES)}
                pace = ui.select(paces, value=self.setting("pace"), label=say("pace")).props("dense").classes("w-full")
                pace.on_value_change(lambda e: self._set("pace", str(e.value))).mark("pace")
            ui.tooltip(say("switches")).props(BESIDE)
        self.pilot = ui.button(icon="smart_toy", on_click=self._toggle_pilot)
        self.pilot.props(f'flat dense round color=white aria-label="{say("autopilot")}" aria-pressed=false')
        with self.pilot.mark("autopilot"):
            ui.tooltip(say("autopilot")).props(BESIDE)

    def _show_keys(self) -> None:
        with self.dialogs, dialog(say("keys")), ui.card():
            ui.label(say("keys")).classes("mp-h")
            ui.label(say("keys_holdem" if self.table.order.game == "holdem" else "keys_help"))

    def _toggle_pilot(self) -> None:
        self.autopilot = not self.autopilot
        colour = "accent" if self.autopilot else "white"
        self.pilot.props(f"color={colour} aria-pressed={str(self.autopilot).lower()}")
        self._draw()
        self._go_on()

    # --- what happens

    async def _act(self, told: Mapping[str, Any]) -> None:
        """What the person did at the table."""
        what = told.get("do")
        if what == "play":
            self._play_cards([str(card) for card in told.get("cards", [])])
        elif what == "move":
            self._play(str(told.get("move", "")))
        elif what == "hint":
            await self._hint()
        elif what == "undo":
            self._undo()
        elif what == "clear":
            self.advice, self.why = None, ""
            self._draw()
        elif what == "next" and self.table.state.is_over:
            await self._next()

    def _play_cards(self, cards: list[str]) -> None:
        if cards:
            self._play(" ".join(cards))
        else:
            self.why = say("choose_first")
            self._draw()

    def _play(self, text: str) -> None:
        try:
            self.table.play(text)
        except Ambiguous as error:
            hinted = str(self.advice.shown.move) if self.advice is not None else ""
            if hinted in error.readings:  # the hint on the table says which one is meant
                self._play(hinted)
                return
            with self.dialogs:
                ask_reading(self.table.order.game, error.readings, self._level(), self._play)
            self._draw()
            return
        except MingpaiError as error:
            self.why = words_of(error)
            self._draw()
            return
        self._moved()

    def _moved(self) -> None:
        """After a move of the person: draw it, keep it, and let the others answer."""
        self.advice, self.why = None, ""
        self.clears += 1
        self._save()
        self._draw()
        self._go_on()

    async def _hint(self) -> None:
        """The first hint asks the helper; repeated ones go through its candidates."""
        table = self.table
        if self.advising or not table.is_mine:
            return
        if self.advice is not None:
            self.advice.next()
        else:
            self.advising, position = True, table.view
            try:
                decision = await work(functools.partial(tasks.hint, table.to_json()), table.order.game)
                if table.is_mine and table.view == position:
                    table.tags["hints"] = int(table.tags.get("hints", 0)) + 1
                    self._save()
                    self.advice = Advice(decision, table.order.game, self._level())
            except MingpaiError as error:
                complain(error)
            finally:
                self.advising = False
        self.hints += 1
        self._draw()

    def _undo(self) -> None:
        """Back to the last decision that was one; kept, so that a reload does not bring the move back."""
        try:
            self.table.undo()
            while self._must_pass() and any(seat == self.table.seat for seat, _ in self.table.state.moves()):
                self.table.undo()
        except MingpaiError as error:
            complain(error)
        self._moved()

    async def _next(self) -> None:
        table = self.table
        if not table.saved_key or self.moving_on:
            return
        self.moving_on = True
        try:
            memory = await work(functools.partial(tasks.remembered, table.to_json()), table.order.game)
            if table.next_deal(memory):
                self._moved()
            else:
                self._draw()
        except MingpaiError as error:
            complain(error)
        finally:
            self.moving_on = False

    # --- the others

    def _go_on(self) -> None:
        if not self.running and not self.table.state.is_over:
            self.running = True
            background_tasks.create(self._run())

    async def _run(self) -> None:
        """Let the others move, and the person's place be taken where that is wanted."""
        try:
            with self.slots["advice"]:
                while not self.table.state.is_over and await self._step():
                    self.advice, self.why = None, ""
                    self._save()
                    self._draw()
        except MingpaiError as error:
            with self.slots["advice"]:
                complain(error)
        finally:
            self.running = False

    async def _step(self) -> bool:
        """One move that the person does not make; False when the person is to move."""
        table = self.table
        before = len(table.state.moves())
        if self._passes_itself():
            await self._pause(0.0)
            if len(table.state.moves()) == before and table.is_mine:
                table.play("pass")
            return not self.felt.is_deleted
        if table.is_mine and not self.autopilot:
            return False
        task = tasks.hint if table.is_mine else tasks.agent_decision
        decision = await work(functools.partial(task, table.to_json()), table.order.game)
        await self._pause(decision.seconds)
        if self.felt.is_deleted:
            return False
        if len(table.state.moves()) == before and table.state.to_move is not None:
            if table.is_mine:
                if not self.autopilot:
                    return True
                table.tags["autopilot"] = int(table.tags.get("autopilot", 0)) + 1
            table.agent_plays(decision)
        return True

    async def _pause(self, spent: float) -> None:
        await asyncio.sleep(max(0.0, PACES.get(str(self.setting("pace")), 0.6) - spent))

    def _must_pass(self) -> bool:
        """Whether the person can only pass."""
        if not self.table.is_mine:
            return False
        return [str(move) for move in self.table.view.legal_moves()] == ["pass"]

    def _passes_itself(self) -> bool:
        """Whether there is nothing to decide and the person wants no button for it."""
        return self._must_pass() and bool(self.setting("auto_pass"))

    def _save(self) -> None:
        """A finished deal goes to the records; what can go on, or was just finished, is kept.

        The person's own move is on the disk before anybody answers it. Where nothing can be written, play goes on.
        """
        try:
            if self.table.state.is_over and not self.table.saved_key:
                self.table.close_deal(lambda record: keep(record, self.who))
                Player.of(self.who).finish_deal(self.table)
            home.save(self.file, self.table.to_json())
        except MingpaiError as error:
            complain(error)

    # --- drawing

    def _level(self) -> str:
        state = self.table.state
        return RANKS[state.level] if isinstance(state, GuandanState) else ""

    def _draw(self) -> None:
        if self.felt.is_deleted:
            return
        self.felt.show(self._scene())
        over = self.table.state.is_over
        for name, slot in self.slots.items():
            slot.clear()
            with slot:
                if name == "advice" and self.advice is not None and not over:
                    draw_advice(self.advice, self.table, self.dialogs)
                elif name == "sheet" and over:
                    draw_sheet(self.table, self._next)

    def _scene(self) -> dict[str, Any]:
        table = self.table
        made = scene(table.state, table.view, language(), table.order.open_cards or table.state.is_over)
        drawn = scene_json(made, table.state, table.seat, sitters(table.order.game, table.players()), language())
        mine = table.is_mine and not self.autopilot and not self._passes_itself()
        buttons = [{"move": move, "label": label, "kind": ""} for move, label in made.buttons] if mine else []
        drawn |= {
            "bar": True, "live": True, "mine": mine, "helps": bool(table.order.helper), "buttons": buttons,
            "bets": made.bets.to_json() if made.bets is not None and mine else None,
            "columns": table.order.game == "guandan", "deal": f"{table.order.seed}-{table.deals_played}",
            "undo": not table.state.is_over and any(seat == table.seat for seat, _ in table.state.moves()),
            "hotkeys": _hotkeys(made) if mine else {}, "match": self._match_words(), "sound": self.setting("sound"),
            "status": self.why or self._status(made), "wrong": bool(self.why), "cleared": self.clears,
            "raised": self.advice.raised(self.hints) if self.advice is not None else None,
            "hinted": self.advice.hinted if self.advice is not None else "",
        }  # fmt: skip
        if made.rest and self.setting("counter"):
            drawn["counter"] = [[rank, left, rank_word(rank, language())] for rank, left in made.rest.items()]
        if table.state.is_over:
            drawn["sheet"] = self._sheet()
        return drawn

    def _sheet(self) -> dict[str, Any]:
        table = self.table
        made = ending(table.state, table.seat, self._seat_word, language()).to_json()
        note = self._match_words()
        if table.match is not None and not table.can_go_on:
            note = say("match_over", place=table.match.standings()[table.seat])
        return made | {"note": note}

    def _seat_word(self, seat: object) -> str:
        """A seat by the name of the opponent who sits there, and by role or position."""
        table = self.table
        word = seat_words(table.state, table.seat, language())(seat)
        sitter = sitters(table.order.game, table.players())[int(str(seat))]
        return f"{sitter.name} · {word}" if sitter.portrait else word

    def _match_words(self) -> str:
        """Where a whole match stands."""
        table = self.table
        if table.match is None:
            return ""
        scores = table.match.scores()
        number = say("deal_number", number=table.deals_played + 1)
        if table.order.game == "guandan":
            levels = [say("level", level=_level_word(scores[seat])) for seat in (table.seat, (table.seat + 1) % 4)]
            return f"{number} · {say('partners')}: {levels[0]} · {say('rivals')}: {levels[1]}"
        return f"{number} · {signed(scores[table.seat])}"

    def _status(self, made: Scene) -> str:
        table = self.table
        if table.state.is_over:
            return ""
        if self.autopilot:
            return say("autopilot_on")
        if table.is_mine:
            if self._must_pass():
                return say("cannot_beat")
            return f"{say('your_turn')}: {made.status}" if made.status else say("your_turn")
        turn = table.state.to_move
        assert turn is not None
        return say("thinking", name=made.seats[turn].name or made.seats[turn].sign)


def _hotkeys(made: Scene) -> dict[str, str]:
    """The keys of the buttons: p passes, f folds, c checks or calls; digits bid."""
    return {HOTKEYS.get(move, move if move.isdigit() else ""): move for move, _ in made.buttons}


def _level_word(level: float) -> str:
    return {11: "J", 12: "Q", 13: "K", 14: "A", 15: "A+"}.get(int(level), str(int(level)))
