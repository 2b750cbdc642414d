"""The solver on a page: hands typed or clicked, the verdict, all moves, and the walk through the proof."""

import functools
import html
from collections.abc import Mapping

from nicegui import ui

from mingpai._native.endgame import Position
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.games.doudizhu.notation import RANKS, ROLES, cards_text, parse_cards
from mingpai.games.doudizhu.rules import PROFILES, Rules, rules_of
from mingpai.methods.endgame.solver import BANS, DEFAULT_RULES, Solution, read_position, rules_with_bans
from mingpai.methods.endgame.walk import Walk
from mingpai.web import tasks
from mingpai.web.controls import share_button
from mingpai.web.faces import doudizhu_face
from mingpai.web.frame import complain, language, panel, say, work
from mingpai.web.moves import move_html
from mingpai.web.panels.picker import CardField, CardKeys, Typing, card_button
from mingpai.web.panels.walking import WalkPanel, draw_moves, role_word, verdict_of
from mingpai.web.texts import profile

MAX_TEXT = 200
EXAMPLE = {"landlord": "4667788QK2", "down": "334455QK2"}
SHOWN_BANS = ("31", "32", "421", "422")


class HandsEditor:
    """The hands of the three roles: text fields, and cards that a click adds or removes."""

    def __init__(self, hands: Mapping[str, str]) -> None:
        self.active = "landlord"
        self.texts: dict[str, ui.input] = {}
        self.rows: dict[str, ui.element] = {}
        with ui.row().classes("items-center w-full no-wrap justify-between"):
            ui.label(say("click_cards")).classes("mp-soft")
            typing = Typing(say("position_short"))
        for role in ROLES:
            with ui.element("div").classes("w-full"):
                ui.label(say(f"hand_{role}")).classes("mp-soft")
                field = ui.input(say(f"hand_{role}"), value=hands.get(role, "")[:MAX_TEXT], on_change=self._draw)
                field.on("focus", lambda _, r=role: self._activate(r)).classes("w-full").props("dense").mark(role)
                field.props(f'placeholder="{say("two_handed_note")}"')
                self.texts[role] = typing.hide(field)
                self.rows[role] = ui.element("div").classes("mp-openhand")
        self.roles = ui.toggle(
            {role: say(f"role_{role}") for role in ROLES},
            value=self.active,
            on_change=lambda e: self._activate(e.value),
        )
        self.roles.props('no-caps dense unelevated padding="2px 10px"').mark("active-hand")
        self.keys = CardKeys("doudizhu", self._used, self._add)
        self._draw()

    def values(self) -> dict[str, str]:
        """The hands as typed."""
        return {role: str(field.value or "").strip()[:MAX_TEXT] for role, field in self.texts.items()}

    def _activate(self, role: str) -> None:
        self.active = role
        self.roles.set_value(role)

    def _cards(self, role: str) -> str:
        """The cards of a hand, high first; none while the text cannot be read."""
        try:
            return cards_text(parse_cards(self.values()[role]))[::-1]
        except BadlyWritten:
            return ""

    def _set(self, role: str, cards: str) -> None:
        self.texts[role].set_value("".join(sorted(cards, key=RANKS.index)))
        self._draw()

    def _draw(self) -> None:
        if not hasattr(self, "keys"):
            return
        for role, row in self.rows.items():
            row.clear()
            cards = self._cards(role)
            with row:
                for index, card in enumerate(cards):
                    drop = cards[:index] + cards[index + 1 :]
                    card_button(doudizhu_face(card), lambda _, r=role, left=drop: self._set(r, left))
        self.keys.draw()

    def _used(self) -> str:
        return "".join(self._cards(role) for role in ROLES)

    def _add(self, card: str) -> None:
        self._set(self.active, self._cards(self.active) + card)


class EndgamePanel:
    """Hands in, verdict and all moves out; then the position can be walked against the solver."""

    def __init__(self, asked: Mapping[str, str]) -> None:
        hands = asked if asked.get("landlord") else EXAMPLE
        with ui.element("div").classes("mp-columns"):
            with panel(say("position_short")):
                self.hands = HandsEditor(hands)
            with panel(say("question")):
                self._fields(asked)
        self.area = ui.column().classes("w-full gap-3")

    def _fields(self, asked: Mapping[str, str]) -> None:
        roles = {role: say(f"role_{role}") for role in ROLES}
        turn, by = asked.get("turn", ""), asked.get("by", "")
        with ui.element("div").classes("mp-fields"):
            self.turn = ui.select(roles, value=turn if turn in roles else "landlord", label=say("to_move"))
            self.turn.props("dense").style("min-width: 130px").mark("turn")
            self.last = CardField("doudizhu", say("last_move"), asked.get("last", "")[:MAX_TEXT], "last", most=20)
            self.by = ui.select({"": say("by_before")} | roles, value=by if by in roles else "", label=say("last_by"))
            self.by.props("dense").style("min-width: 150px").mark("by")
            rules = asked.get("rules", "") or DEFAULT_RULES
            names = list(dict.fromkeys([DEFAULT_RULES, *PROFILES, rules]))
            self.rules = ui.select(
                {name: profile(name, language()) for name in names if _is_profile(name)},
                value=rules if _is_profile(rules) else DEFAULT_RULES,
                label=say("rule_profile"),
            ).props("dense")
            self.ban = ui.select(
                {ban: say(f"ban_{ban}") for ban in SHOWN_BANS},
                multiple=True,
                label=say("ban"),
                value=[ban for ban in asked.get("ban", "").split(",") if ban in BANS],
            )
            self.ban.props("dense").style("min-width: 120px")
        ui.label(say("all_open")).classes("mp-soft")
        with ui.row().classes("gap-2"):
            ui.button(say("prove"), icon="verified", on_click=self._solve).mark("prove")
            ui.button(say("walk_landlord"), on_click=lambda: self._walk(True)).props("outline no-caps").mark("walk")
            ui.button(say("walk_farmers"), on_click=lambda: self._walk(False)).props("outline no-caps").mark(
                "walk-farmers"
            )
            share_button("/solve", self._link)

    def _link(self) -> dict[str, str]:
        return {
            "tab": "endgame",
            **self.hands.values(),
            "turn": str(self.turn.value),
            "last": str(self.last.value or ""),
            "by": str(self.by.value or ""),
            "rules": str(self.rules.value),
            "ban": ",".join(self.ban.value or []),
        }

    def _position(self) -> tuple[Position, Rules]:
        """The native position and its rules. Raises BadlyWritten."""
        hands, turn = self.hands.values(), str(self.turn.value)
        last, by = str(self.last.value or "").strip()[:MAX_TEXT], str(self.by.value or "")
        rules = rules_with_bans(str(self.rules.value), self.ban.value or [])
        if hands["up"]:
            by = by or {"landlord": "up", "down": "landlord", "up": "down"}[turn]
            return read_position(
                hands["landlord"], None, hands["down"], hands["up"], turn, last, by if last else "", rules
            ), rules
        mover = "landlord" if turn == "landlord" else "farmer"
        other = "farmer" if mover == "landlord" else "landlord"
        return read_position(
            hands["landlord"], hands["down"], None, None, mover, last, other if last else "", rules
        ), rules

    async def _solve(self) -> None:
        self.area.clear()
        try:
            position, rules = self._position()
            solution = await work(functools.partial(tasks.prove, position, rules))
        except MingpaiError as error:
            complain(error)
            return
        self._draw(solution)

    def _walk(self, is_landlord: bool) -> None:
        try:
            position, rules = self._position()
            walk = Walk(position, rules, is_landlord=is_landlord)
        except MingpaiError as error:
            complain(error)
            return
        self.area.clear()
        with self.area:
            WalkPanel(walk, show_proof=True)

    def _draw(self, solution: Solution) -> None:
        self.area.clear()
        with self.area, panel():
            ui.label(verdict_of(solution)).classes("text-h6").mark("verdict")
            draw_moves(solution, None)
            names = solution.to_json()["line"]
            steps = (
                f"{html.escape(role_word(seat))} {move_html('doudizhu', move, language())}" for seat, move in names
            )
            ui.html(f"{html.escape(say('line'))}: {' · '.join(steps)}", sanitize=False).mark("line")


def _is_profile(name: str) -> bool:
    try:
        rules_of(name)
    except MingpaiError:
        return False
    return True
