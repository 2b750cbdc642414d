"""The Analyse page: any position, any agent; candidates, belief, reasons and the four stages."""

import functools
import json
from typing import Any

from nicegui import ui

from mingpai import api
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.decision import Decision
from mingpai.core.errors import MingpaiError
from mingpai.core.game import View
from mingpai.core.random import stream
from mingpai.core.reading import read_object
from mingpai.games.doudizhu.notation import ROLES
from mingpai.records.film import Film
from mingpai.records.record import Record
from mingpai.web import tasks
from mingpai.web.beliefs import Marginals
from mingpai.web.board import draw_board
from mingpai.web.controls import agent_select, file_button, game_tabs, share_button
from mingpai.web.frame import complain, language, page, panel, say, who, work
from mingpai.web.games import BEST, film_of, kept
from mingpai.web.limits import check
from mingpai.web.moves import move_html
from mingpai.web.panels.explain import level_of, show_belief, show_decision, show_json, show_stages
from mingpai.web.panels.history import HistoryField
from mingpai.web.panels.picker import CardField, codes
from mingpai.web.positions import (
    FLAGS,
    SEAT_FIELDS,
    example,
    from_fields,
    menu,
    order_of_play,
    own_seat,
    seats_of,
    to_fields,
)
from mingpai.web.seats import direction, seat_words
from mingpai.web.texts import profile, texts
from mingpai.web.titles import titles

MAX_POSITION = 20_000
"""Characters of a position."""
SHORT = 14
"""Letters that a narrow field shows."""
PICKED = ("hand", "bottom", "board", "deck")
"""Fields that hold cards."""
MOVES = ("history", "bids")
"""Fields that hold who did what."""
KEPT = ("phase",)
"""Fields that go with the position and are not asked for."""

Field = ui.input | ui.select | CardField | HistoryField


@ui.page("/analyse")
def analyse_page(game: str = "doudizhu", position: str = "", agent: str = "") -> None:
    name = game if game in REGISTRY.games() else "doudizhu"
    with page("analyse"):
        AnalysePage(name, position[:MAX_POSITION], agent[:100])


class AnalysePage:
    """A position and what an agent makes of it."""

    def __init__(self, game: str, position: str, agent: str) -> None:
        self.game = game
        self.film: Film | None = None
        self.records: dict[str, Record] = {r.key: r for r in kept(who=who()) if r.game == game}
        game_tabs("analyse", game)
        with panel():
            with ui.tabs().props("no-caps dense inline-label") as tabs:
                for name, icon in (("form", "edit"), ("record", "movie"), ("json", "tune")):
                    ui.tab(name, say(f"set_{name}"), icon=icon).mark(f"tab-{name}")
            with ui.tab_panels(tabs, value="form", on_change=lambda e: self._switch(str(e.value))).classes("w-full"):
                with ui.tab_panel("form"):
                    self.form = ui.element("div").classes("mp-fields")
                with ui.tab_panel("record"):
                    self._record_form()
                with ui.tab_panel("json"):
                    self.agent = agent_select(game, agent or BEST[game], say("agent")).mark("agent")
                    self.text = ui.textarea(say("position"), value=position or example(game)).classes("w-full")
                    self.text.props(f"maxlength={MAX_POSITION} autogrow").style("font-family: monospace").mark(
                        "position"
                    )
            with ui.element("div").classes("mp-fields"):
                ui.button(say("analyse"), icon="psychology", on_click=self._analyse).mark("analyse")
                share_button("/analyse", self._link)
        self.fields: dict[str, Field] = {}
        self.tab = "form"
        self.area = ui.column().classes("w-full gap-3")
        self._fill_form()
        if position:
            ui.timer(0.1, self._analyse, once=True)

    # --- setting up

    def _switch(self, tab: str) -> None:
        if self.tab == "form":
            self._take_form()
        self.tab = tab
        if tab == "form":
            self._fill_form()

    def _object(self) -> dict[str, Any]:
        try:
            return read_object(str(self.text.value or ""))
        except MingpaiError:
            return read_object(example(self.game))

    def _fill_form(self) -> None:
        self.form.clear()
        self.fields = {}
        position = self._object()
        with self.form:
            for key, line in to_fields(position).items():
                if not self._is_kept(key, position):
                    label = say(f"field_{key}") if f"field_{key}" in texts() else key
                    self.fields[key] = self._field(key, label, line)

    def _is_kept(self, key: str, position: dict[str, Any]) -> bool:
        """Whether a field stays as it is: one's own place is always "you", the others are told from there."""
        is_role = position.get("seat") in ROLES
        return key in KEPT or (key == "seat" and not is_role) or (key == "landlord" and is_role)

    def _field(self, key: str, label: str, line: str) -> Field:
        """Cards are picked, moves listed, what there are few of is chosen from a menu, the rest is typed."""
        position = self._object()
        if key in PICKED:
            return CardField(self.game, label, line, f"field-{key}", others=lambda: self._elsewhere(key))
        if key in MOVES:
            return HistoryField(
                self.game, label, line, seats=order_of_play(self.game, key, position), bids=key == "bids",
                word=lambda seat: self._seat_words(seat, position), level=lambda: self._asked("level"),
                rules=lambda: self._asked("rules"),
            )  # fmt: skip
        options = menu(self.game, key, position)
        if line in options:
            words = {value: self._choice_words(key, value) for value in options}
            chosen = ui.select(words, value=line, label=label).props("dense").mark(f"field-{key}")
            return chosen.style("min-width: 150px")
        width = "min(100%, 320px)" if " " in line and len(line) > SHORT else "150px"
        return ui.input(label, value=line).props("dense").mark(f"field-{key}").style(f"width: {width}")

    def _asked(self, key: str) -> str:
        """What the form says now."""
        field = self.fields.get(key)
        return str(field.value or "") if field is not None else str(self._object().get(key, ""))

    def _seat_words(self, seat: str, position: dict[str, Any]) -> str:
        """A seat by its role, or by where it is seen from one's own."""
        if seat in ROLES:
            return say(f"role_{seat}")
        return direction(int(seat), own_seat(position), seats_of(self.game, position), language())

    def _choice_words(self, key: str, value: str) -> str:
        position = self._object()
        if value in ROLES or key in SEAT_FIELDS:
            return self._seat_words(value, position)
        if key == "previous":
            return " · ".join(self._seat_words(seat, position) for seat in value.split())
        if key == "rules":
            return profile(value, language())
        return say(f"is_{value}") if value in FLAGS else value.replace("T", "10")

    def _elsewhere(self, but: str) -> list[str]:
        """The cards that other fields of the form hold; the bottom cards of Dou Dizhu lie in a hand too."""
        if self.game == "doudizhu":
            return []
        texts = (field.value for key, field in self.fields.items() if key in PICKED and key != but)
        return [code for text in texts for code in codes(self.game, str(text or ""))]

    def _take_form(self) -> bool:
        """Write what the form says into the JSON text; False where it cannot be read."""
        typed = {key: str(field.value or "")[:MAX_POSITION] for key, field in self.fields.items()}
        before = self._object()
        try:
            position = before | from_fields(typed, before)
        except MingpaiError as error:
            complain(error)
            return False
        self.text.set_value(json.dumps(position, ensure_ascii=False))
        return True

    def _record_form(self) -> None:
        with ui.element("div").classes("mp-fields"):
            self.choice = ui.select(titles(self.records), label=say("saved_games"))
            self.choice.props("dense").on_value_change(lambda e: self._open(e.value))
            self.choice.style("min-width: 260px").mark("games")
            file_button(say("load_records"), self._load)
            self.number = ui.number(say("move_number"), value=1, min=1, precision=0, on_change=self._take_frame)
            self.number.props("dense").style("width: 130px").mark("move-number")
        self.about = ui.html(say("record_about"), sanitize=False).classes("mp-soft").mark("record-move")

    async def _load(self, name: str, content: bytes) -> None:
        try:
            loaded = [
                record
                for record in await work(functools.partial(tasks.read_records, content))
                if record.game == self.game
            ]
            if not loaded:
                raise MingpaiError(say("no_such_game", game=say(self.game)))
        except MingpaiError as error:
            complain(error)
            return
        self.records = {record.key: record for record in loaded} | self.records
        self.choice.set_options(titles(self.records))
        self.choice.set_value(loaded[0].key)

    def _open(self, key: str | None) -> None:
        if key not in self.records:
            return
        try:
            self.film = film_of(self.records[key])
        except MingpaiError as error:
            complain(error)
            return
        self.number.set_value(1 + self.film.frames // 2)
        self._take_frame()

    def _take_frame(self) -> None:
        if self.film is None:
            return
        frame = max(0, min(self.film.frames - 1, int(self.number.value or 1) - 1))
        seat, move = self.film.moves[frame]
        view = self.film.at(frame).view(seat)
        self.text.set_value(json.dumps(view.to_json(), ensure_ascii=False))
        drawn = move_html(self.game, move, language(), level_of(view))
        self.about.set_content(say("record_move", number=frame + 1, moves=self.film.frames, move=drawn))

    # --- the answer

    async def _analyse(self) -> None:
        if self.tab == "form" and not self._take_form():
            return
        text = str(self.text.value or "")
        try:
            spec = str(self.agent.value)
            check(self.game, spec)
            view = api.view(self.game, text)
            decision, allowed = await work(functools.partial(tasks.think, self.game, text, spec), spec)
        except MingpaiError as error:
            self.area.clear()
            complain(error)
            return
        self._draw(view, decision, allowed)

    def _draw(self, view: View, decision: Decision, allowed: Marginals | None) -> None:
        self.area.clear()
        world = view.sample_worlds(stream(0, "drawn", view.key()), 1)[0]
        with self.area:
            draw_board(world, view.seat, [""] * world.seats, open_cards=False)
            word, level = seat_words(world, view.seat, language()), level_of(view)
            with ui.element("div").classes("mp-columns"):
                with panel(say("decision")):
                    show_decision(decision, view, word, most=14, with_belief=False)
                with panel(say("belief")):
                    if decision.belief is not None:
                        show_belief(decision.belief.marginals(), word)
                    elif allowed is not None:
                        ui.label(say("allowed")).classes("mp-soft")
                        show_belief(allowed, word)
            with panel(say("four_stages")):
                show_stages(decision, self.game, level, word)
            show_json(say("decision_json"), json.dumps(decision.to_json(), ensure_ascii=False, indent=1)[:60_000])

    def _link(self) -> dict[str, str]:
        if self.tab == "form":
            self._take_form()
        return {"game": self.game, "position": str(self.text.value or ""), "agent": str(self.agent.value or "")}
