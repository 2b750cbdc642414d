"""One position of a lesson at the table: think, play a move, and hear what the teacher says."""

import html
from collections.abc import Mapping
from typing import Any

from nicegui import ui

from mingpai import api
from mingpai.core.errors import Ambiguous, MingpaiError
from mingpai.core.random import stream
from mingpai.web.felt import Felt
from mingpai.web.frame import language, say, words_of
from mingpai.web.lessons import Step
from mingpai.web.moves import move_html
from mingpai.web.panels.explain import level_of
from mingpai.web.scenes import Sitter, scene, scene_json


class Lecture:
    """The position as its player saw it; the hidden cards are drawn from what is possible, and stay hidden."""

    def __init__(self, game: str, step: Step, number: int) -> None:
        self.game, self.step, self.number = game, step, number
        self.view = api.view(game, dict(step.position))
        self.state = self.view.sample_worlds(stream(0, "lesson", self.view.key()), 1)[0]
        self.why = ""
        self.tries = 0
        self.felt = Felt(self._scene(), self._act)
        self.felt.mark("felt")
        self.place = ui.column().classes("w-full gap-2").props("role=status").mark("answer")
        if not step.best:
            self._tell("")

    def _scene(self) -> dict[str, Any]:
        made = scene(self.state, self.view, language())
        drawn = scene_json(made, self.state, self.view.seat, [Sitter("")] * self.state.seats, language())
        asks = bool(self.step.best)
        buttons = [{"move": move, "label": label, "kind": ""} for move, label in made.buttons]
        status = f"{say('lesson_ask')} {made.status}" if asks else ""
        return drawn | {
            "inset": True, "live": asks, "mine": asks, "helps": False, "buttons": buttons if asks else [],
            "bets": made.bets.to_json() if made.bets is not None and asks else None, "undo": False,
            "picks": made.picks and asks, "columns": self.game == "guandan", "deal": f"lesson-{self.number}",
            "status": self.why or status, "wrong": bool(self.why), "cleared": self.tries,
            "hotkeys": {"p": "pass"} if any(move == "pass" for move, _ in made.buttons) and asks else {},
        }  # fmt: skip

    def _act(self, told: Mapping[str, Any]) -> None:
        what = told.get("do")
        if what == "play":
            cards = [str(card) for card in told.get("cards", [])]
            self._try(" ".join(cards)) if cards else self._refuse(say("choose_first"))
        elif what == "move":
            self._try(str(told.get("move", "")))

    def _try(self, text: str) -> None:
        try:
            move = str(self.view.game.parse_move(text, self.state))
        except Ambiguous as error:
            move = self.step.best if self.step.best in error.readings else error.readings[0]
        except MingpaiError as error:
            self._refuse(words_of(error))
            return
        self.why = ""
        self.tries += 1
        self.felt.show(self._scene())
        self._tell(move)

    def _refuse(self, words: str) -> None:
        self.why = words
        self.felt.show(self._scene())

    def show_answer(self) -> None:
        self._tell("")

    def _tell(self, played: str) -> None:
        """Right or not, the better move, and the comment."""
        best, level = self.step.best, level_of(self.view)
        right = played == best or (played.startswith("raise") and best.startswith("raise"))
        self.place.clear()
        with self.place, ui.element("div").classes("mp-lesson w-full"):
            drawn = move_html(self.game, best, language(), level, "small") if best else ""
            if best and played:
                own = move_html(self.game, played, language(), level, "small")
                words = say("lesson_right", move=own) if right else say("lesson_wrong", move=own, best=drawn)
                ui.html(words, sanitize=False).classes("mp-good" if right else "").mark("verdict")
            elif best:
                ui.html(say("lesson_best", best=drawn), sanitize=False).mark("verdict")
            ui.html(html.escape(self.step.comment[language()]), sanitize=False).mark("lesson-comment")
