"""An endgame walked on a page: open hands, the person's moves, the solver's answers, and what is proved."""

import functools
import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import background_tasks, ui

from mingpai.core.errors import Ambiguous, MingpaiError
from mingpai.games.doudizhu.notation import cards_text
from mingpai.methods.endgame.solver import Solution
from mingpai.methods.endgame.walk import Walk
from mingpai.web import tasks
from mingpai.web.controls import ask_reading
from mingpai.web.faces import Face, doudizhu_face
from mingpai.web.felt import Felt
from mingpai.web.frame import complain, language, panel, say, words_of, work
from mingpai.web.moves import move_html

MOST_TAGS = 120


class WalkPanel:
    """One walk. `on_end` is told whether the person's side has won, and whether without the answer shown.

    With `tells` every move of the person is said to keep the win or to give it away.
    """

    def __init__(
        self, walk: Walk, on_end: Callable[[bool, bool], None] | None = None, *, show_proof: bool = False,
        tells: bool = False,
    ) -> None:  # fmt: skip
        self.walk = walk
        self.tells = tells
        self.was_shown = show_proof
        """Whether the answer has been looked at."""
        self.kept: dict[int, bool] = {}
        """Number of each of the person's moves -> whether the person's side still wins after it."""
        self.on_end = on_end
        self.show_proof = show_proof
        self.proof: Solution | None = None
        self.why = ""
        self.clears = 0
        """How often the picked cards were put back: the table acts on a change."""
        with ui.column().classes("w-full gap-3"):
            self.felt = Felt(self._scene(), self._act)
            self.felt.mark("table")
            with self.felt.add_slot("moves"):
                self.tools = ui.element("span").classes("row gap-1")
            self.area = ui.column().classes("w-full gap-3")
        self._go_on()

    def _go_on(self) -> None:
        self.proof = None
        self.clears += 1
        self._draw()
        background_tasks.create(self._answer())

    async def _answer(self) -> None:
        """The solver's moves, until the person is to move; then, if wanted, what is proved of the position."""
        walk = self.walk
        with self.area:
            try:
                await self._judge_move()
                while not walk.is_over and not walk.is_mine:
                    depth = len(walk.steps)
                    move = await work(functools.partial(tasks.reply, walk.position, walk.rules))
                    if len(walk.steps) != depth or self.area.is_deleted:
                        return
                    walk.make(move)
                    self._draw()
                if walk.is_over and self.on_end is not None:
                    self.on_end(walk.is_won, not self.was_shown)
                if self.show_proof and not walk.is_over:
                    await self._prove()
            except MingpaiError as error:
                complain(error)

    async def _judge_move(self) -> None:
        """Say whether the person's last move kept the win."""
        walk, number = self.walk, len(self.walk.steps) - 1
        if not self.tells or number < 0 or number in self.kept or (walk.steps[-1].seat == 0) is not walk.is_landlord:
            return
        verdict = walk.position.has_landlord_won if walk.is_over else await work(
            functools.partial(tasks.landlord_wins, walk.position, walk.rules)
        )  # fmt: skip
        if verdict is not None and len(walk.steps) == number + 1:
            self.kept[number] = verdict is walk.is_landlord
            self._draw()

    async def _prove(self) -> None:
        walk, depth = self.walk, len(self.walk.steps)
        proof = await work(functools.partial(tasks.prove, walk.position, walk.rules))
        if len(walk.steps) == depth and not self.area.is_deleted:
            self.proof = proof
            self._draw()

    async def _toggle_proof(self) -> None:
        self.show_proof = not self.show_proof
        self.was_shown = self.was_shown or self.show_proof
        self.proof = None
        if self.show_proof and not self.walk.is_over:
            try:
                await self._prove()
            except MingpaiError as error:
                complain(error)
        self._draw()

    def _play(self, text: str) -> None:
        try:
            self.walk.play(text)
        except Ambiguous as error:
            self._draw()
            with self.area:
                ask_reading("doudizhu", error.readings, "", self._play)
            return
        except MingpaiError as error:
            self.why = words_of(error)
            self._draw()
            return
        self.why = ""
        self._go_on()

    def _back(self, number: int) -> None:
        self.walk.back_to(number)
        self.kept = {step: kept for step, kept in self.kept.items() if step < number}
        self.why = ""
        self._go_on()

    def _take_back(self) -> None:
        try:
            self.walk.take_back()
        except MingpaiError:
            return
        self.kept = {step: kept for step, kept in self.kept.items() if step < len(self.walk.steps)}
        self.why = ""
        self._go_on()

    # --- drawing

    def _act(self, told: Mapping[str, Any]) -> None:
        """What the person did at the table."""
        what = told.get("do")
        if what == "move":
            self._play(str(told.get("move", "")))
        elif what == "undo":
            self._take_back()
        elif what == "play":
            self._play_cards([str(card) for card in told.get("cards", [])])

    def _draw(self) -> None:
        if self.area.is_deleted:
            return
        self.felt.show(self._scene())
        self.tools.clear()
        with self.tools:
            self._draw_buttons()
        self.area.clear()
        with self.area:
            self._draw_line()
            if self.proof is not None:
                self._draw_proof(self.proof)

    def _scene(self) -> dict[str, Any]:
        """The open hands; the person's below, to pick from."""
        walk, mine = self.walk, self._hand_seat()
        others = [seat for seat in range(walk.start.players) if seat != mine]
        places = ("top",) if len(others) == 1 else ("left", "right")
        seats = [self._seat(seat, place) for seat, place in zip(others, places, strict=True)]
        passes = walk.is_mine and not walk.position.last.is_pass
        return {
            "game": "doudizhu", "inset": True, "live": True, "mine": walk.is_mine, "picks": walk.is_mine,
            "seats": [*seats, self._seat(mine, "me") | {"hand": None}], "number": len(walk.steps), "deal": "walk",
            "hand": _drawn(_faces(walk.position.hands[mine])), "facts": [], "flushes": [],
            "centre": _drawn(self._to_beat()), "undo": bool(walk.steps),
            "status": self.why or self._status(), "wrong": bool(self.why),
            "buttons": [{"move": "pass", "label": say("pass"), "kind": ""}] if passes else [],
            "hotkeys": {"p": "pass"} if passes else {}, "cleared": self.clears, "burst": "",
        }  # fmt: skip

    def _to_beat(self) -> list[Face]:
        """The move to beat that the position began with."""
        last = self.walk.position.last
        return [] if self.walk.steps or last.is_pass else [doudizhu_face(card) for card in cards_text(last.cards)]

    def _seat(self, seat: int, place: str) -> dict[str, Any]:
        """A seat with its open hand and what it did last in this trick."""
        walk = self.walk
        faces = _faces(walk.position.hands[seat])
        is_turn = walk.position.turn == seat and not walk.is_over
        made = [(n, step) for n, step in enumerate(walk.steps, start=1) if step.seat == seat]
        number, step = (
            made[-1] if made and not is_turn and made[-1][0] > len(walk.steps) - walk.start.players else (0, None)
        )
        last = (
            [] if step is None or step.move.is_pass else [doudizhu_face(card) for card in cards_text(step.move.cards)]
        )
        return {
            "seat": seat, "place": place, "name": role_word(walk.names[seat]), "player": "", "note": "",
            "sign": role_word(walk.names[seat])[:1], "count": len(faces), "bet": "", "boss": seat == 0, "mate": False,
            "said": say("pass") if step is not None and step.move.is_pass else "", "turn": is_turn, "out": False,
            "last": _drawn(last), "moved": number, "hand": _drawn(faces),
        }  # fmt: skip

    def _hand_seat(self) -> int:
        """Whose cards lie below: the person's seat to move, or the first of the person's side."""
        if self.walk.is_mine:
            return self.walk.position.turn
        return 0 if self.walk.is_landlord else 1

    def _status(self) -> str:
        if self.walk.is_over:
            return say("walk_won" if self.walk.is_won else "walk_lost")
        if self.walk.is_mine:
            seat = self._hand_seat()
            if self.kept:
                return say("kept_win" if self.kept[max(self.kept)] else "gave_win")
            word = say("lead") if self.walk.position.last.is_pass else say("follow_or_pass")
            return f"{role_word(self.walk.names[seat])}: {word}"
        return say("solver_thinks")

    def _draw_buttons(self) -> None:
        if self.walk.steps:
            restart = ui.button(say("restart"), icon="replay", on_click=lambda: self._back(0))
            restart.props("no-caps flat color=white").mark("restart")
        words = say("hide_proof" if self.show_proof else "show_proof")
        ui.button(words, icon="verified", on_click=self._toggle_proof).props("no-caps flat color=white").mark("proof")

    def _play_cards(self, cards: list[str]) -> None:
        if cards:
            self._play("".join(cards))
        else:
            self.why = say("choose_first")
            self._draw()

    def _draw_line(self) -> None:
        """The moves so far; a click goes back to before one."""
        if not self.walk.steps:
            return
        with ui.element("div").classes("mp-crumbs").mark("steps"):
            for number, step in enumerate(self.walk.steps):
                drawn = move_html("doudizhu", step.move, language())
                told = "" if number not in self.kept else "win" if self.kept[number] else "lose"
                crumb = ui.element("button").props(f'type="button" title="{say("go_back_here")}"').classes(told)
                crumb.on("click", lambda _, n=number: self._back(n))
                with crumb:
                    words = html.escape(role_word(self.walk.names[step.seat]))
                    mark = {"win": " ✓", "lose": " ✗"}.get(told, "")
                    ui.html(f"{words} {drawn}{mark}", tag="span", sanitize=False)

    def _draw_proof(self, proof: Solution) -> None:
        with panel(verdict_of(proof)):
            draw_moves(proof, self._play if self.walk.is_mine else None)


def draw_moves(proof: Solution, play: Callable[[str], None] | None) -> None:
    """Every move of a position: those that win, those that lose, those not decided. A click plays one."""
    groups = (
        ("winning_moves", proof.winning_moves, "win"),
        ("losing_moves", proof.losing_moves, "lose"),
        ("open_moves", proof.open_moves, ""),
    )
    for key, moves, colour in groups:
        if not moves:
            continue
        ui.label(f"{say(key)} ({len(moves)})").classes("mp-soft")
        with ui.element("div").classes("mp-movelist").mark(key):
            for move in moves[:MOST_TAGS]:
                text = str(move)
                kind = "span" if play is None else "button"
                tag = ui.element(kind).classes(f"mp-tag {colour}").props(f'data-move="{text}"')
                with tag:
                    ui.html(move_html("doudizhu", move, language()), tag="span", sanitize=False)
                if play is not None:
                    tag.classes("click").props("type=button").on("click", lambda _, t=text: play(t))
    work_words = say("proof_work", nodes=f"{proof.nodes:,}", seconds=f"{proof.seconds:.3f}")
    ui.label(work_words).classes("mp-soft")


def verdict_of(proof: Solution) -> str:
    """Who wins, in words."""
    if proof.landlord_wins is None:
        return say("not_proved")
    return say("landlord_wins" if proof.landlord_wins else "farmers_win")


def role_word(name: str) -> str:
    """A seat of an endgame, in words."""
    return say("farmer" if name == "farmer" else f"role_{name}")


def _drawn(faces: Sequence[Face]) -> list[dict[str, Any]]:
    return [face.to_json(language()) for face in faces]


def _faces(hand: int) -> list[Face]:
    return [doudizhu_face(card) for card in reversed(cards_text(hand))]
