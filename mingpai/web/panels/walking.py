"""An endgame walked on a page: open hands, the person's moves, the solver's answers, and what is proved."""

import functools
import html
from collections.abc import Callable

from nicegui import background_tasks, ui

from mingpai.core.errors import Ambiguous, MingpaiError
from mingpai.games.doudizhu.notation import cards_text
from mingpai.methods.endgame.solver import Solution
from mingpai.methods.endgame.walk import Walk
from mingpai.web import tasks
from mingpai.web.board import draw_hand
from mingpai.web.faces import Face, doudizhu_face, row_html
from mingpai.web.frame import complain, panel, say, words_of, work

MOST_TAGS = 120


class WalkPanel:
    """One walk. `on_end` is told whether the person's side has won."""

    def __init__(self, walk: Walk, on_end: Callable[[bool], None] | None = None, *, show_proof: bool = False) -> None:
        self.walk = walk
        self.on_end = on_end
        self.show_proof = show_proof
        self.proof: Solution | None = None
        self.chosen: list[int] = []
        self.why = ""
        self.area = ui.column().classes("w-full gap-3")
        self._go_on()

    def _go_on(self) -> None:
        self.chosen, self.proof = [], None
        self._draw()
        background_tasks.create(self._answer())

    async def _answer(self) -> None:
        """The solver's moves, until the person is to move; then, if wanted, what is proved of the position."""
        walk = self.walk
        with self.area:
            try:
                while not walk.is_over and not walk.is_mine:
                    depth = len(walk.steps)
                    move = await work(functools.partial(tasks.reply, walk.position, walk.rules))
                    if len(walk.steps) != depth or self.area.is_deleted:
                        return
                    walk.make(move)
                    self._draw()
                if walk.is_over and self.on_end is not None:
                    self.on_end(walk.is_won)
                if self.show_proof and not walk.is_over:
                    await self._prove()
            except MingpaiError as error:
                complain(error)

    async def _prove(self) -> None:
        walk, depth = self.walk, len(self.walk.steps)
        proof = await work(functools.partial(tasks.prove, walk.position, walk.rules))
        if len(walk.steps) == depth and not self.area.is_deleted:
            self.proof = proof
            self._draw()

    async def _toggle_proof(self) -> None:
        self.show_proof = not self.show_proof
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
            with self.area, ui.dialog(value=True) as dialog, ui.card():
                ui.label(say("which_play"))
                for reading in error.readings:
                    button = ui.button(reading, on_click=lambda _, r=reading: self._play(r)).props("no-caps")
                    button.on("click", dialog.close)
            return
        except MingpaiError as error:
            self.why = words_of(error)
            self._draw()
            return
        self.why = ""
        self._go_on()

    def _back(self, number: int) -> None:
        self.walk.back_to(number)
        self.why = ""
        self._go_on()

    def _take_back(self) -> None:
        try:
            self.walk.take_back()
        except MingpaiError:
            return
        self.why = ""
        self._go_on()

    # --- drawing

    def _draw(self) -> None:
        if self.area.is_deleted:
            return
        walk = self.walk
        self.area.clear()
        with self.area:
            with ui.element("div").classes("mp-felt").mark("table"):
                mine = [seat for seat in range(walk.start.players) if (seat == 0) is walk.is_landlord]
                with ui.element("div").classes("mp-seats"):
                    for seat in range(walk.start.players):
                        if seat not in mine or len(mine) > 1:
                            self._draw_seat(seat)
                last = [doudizhu_face(card) for card in str(walk.position.last).partition("@")[0]]
                middle = (
                    "" if walk.position.last.is_pass else f'<span class="chip">{say("to_beat")}</span>{row_html(last)}'
                )
                ui.html(f'<div class="mp-centre">{middle}</div>', sanitize=False).classes("w-full")
                draw_hand(_faces(self.walk.position.hands[self._hand_seat()]), self.chosen, self.walk.is_mine)
                ui.label(self.why or self._status()).classes("mp-why").mark("status")
                with ui.element("div").classes("mp-moves"):
                    self._draw_buttons()
            self._draw_line()
            if self.proof is not None:
                self._draw_proof(self.proof)

    def _draw_seat(self, seat: int) -> None:
        walk = self.walk
        faces = _faces(walk.position.hands[seat])
        turn = " turn" if walk.position.turn == seat and not walk.is_over else ""
        passed = [step for step in walk.steps[-(walk.start.players - 1) :] if step.seat == seat and step.move.is_pass]
        said = f'<span class="said">{html.escape(say("pass"))}</span>' if passed and not turn else ""
        name = html.escape(role_word(walk.names[seat]))
        with ui.element("div").classes("mp-seat" + turn).mark(f"seat{seat}"):
            ui.html(
                f'<div class="who"><span class="names"><span class="name">{name}</span>'
                f' <span class="agent">{len(faces)}</span></span>{said}</div>'
                f'<div class="last">{row_html(faces, "small")}</div>',
                sanitize=False,
            )

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
            word = say("lead") if self.walk.position.last.is_pass else say("follow_or_pass")
            return f"{role_word(self.walk.names[seat])}: {word}"
        return say("solver_thinks")

    def _draw_buttons(self) -> None:
        walk = self.walk
        if walk.is_mine:
            if not walk.position.last.is_pass:
                ui.button(say("pass"), on_click=lambda: self._play("pass")).props("no-caps").mark("pass")
            button = ui.button(say("play_cards"), on_click=self._play_chosen).mark("play")
            button.props("no-caps color=accent text-color=black")
        if walk.steps:
            ui.button(say("undo"), icon="undo", on_click=self._take_back).props("no-caps flat color=white").mark("undo")
            restart = ui.button(say("restart"), icon="replay", on_click=lambda: self._back(0))
            restart.props("no-caps flat color=white").mark("restart")
        words = say("hide_proof" if self.show_proof else "show_proof")
        ui.button(words, icon="verified", on_click=self._toggle_proof).props("no-caps flat color=white").mark("proof")

    def _play_chosen(self) -> None:
        faces = _faces(self.walk.position.hands[self._hand_seat()])
        if self.chosen:
            self._play("".join(faces[i].code for i in self.chosen))
        else:
            self.why = say("choose_first")
            self._draw()

    def _draw_line(self) -> None:
        """The moves so far; a click goes back to before one."""
        if not self.walk.steps:
            return
        with ui.element("div").classes("mp-crumbs").mark("steps"):
            for number, step in enumerate(self.walk.steps):
                move = say("pass") if step.move.is_pass else str(step.move).partition("@")[0]
                crumb = ui.element("button").props(f'type="button" title="{say("go_back_here")}"')
                crumb.on("click", lambda _, n=number: self._back(n))
                with crumb:
                    ui.label(f"{role_word(self.walk.names[step.seat])} {move}")

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
                tag = ui.label(say("pass") if move.is_pass else text).classes(f"mp-tag {colour}")
                if play is not None:
                    tag.classes("click").on("click", lambda _, t=text: play(t))
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


def _faces(hand: int) -> list[Face]:
    return [doudizhu_face(card) for card in reversed(cards_text(hand))]
