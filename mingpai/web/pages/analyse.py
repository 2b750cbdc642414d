"""The Analyse page: any position, any agent; candidates, belief, reasons and the four stages."""

import json
from urllib.parse import quote

from nicegui import ui

from mingpai import api
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.decision import STAGES, Decision
from mingpai.core.errors import MingpaiError
from mingpai.web.explain import show_decision
from mingpai.web.frame import complain, page, say, who
from mingpai.web.games import BEST, choices
from mingpai.web.limits import MAX_SECONDS, hire
from mingpai.web.work import WORKSHOP

MAX_POSITION = 20_000
"""Characters of a position."""


@ui.page("/analyse")
def analyse_page(game: str = "doudizhu", position: str = "") -> None:
    with page("analyse"):
        AnalysePage(game if game in REGISTRY.games() else "doudizhu", position[:MAX_POSITION])


class AnalysePage:
    """A position and what an agent makes of it."""

    def __init__(self, game: str, position: str) -> None:
        self.game = game
        self.who = who()
        with ui.row().classes("items-end gap-3"):
            ui.select({g: say(g) for g in REGISTRY.games()}, value=game, label=say("game"),
                      on_change=lambda e: ui.navigate.to(f"/analyse?game={e.value}"))  # fmt: skip
            self.agent = ui.select(choices(game), value=BEST[game], label=say("agent"), with_input=True,
                                   new_value_mode="add-unique").mark("agent")  # fmt: skip
            ui.button(say("analyse"), on_click=self._analyse).mark("analyse")
            ui.button(say("copy_link"), on_click=self._link).props("flat")
        self.text = ui.textarea(say("position"), value=position or self._example()).classes("w-full")
        self.text.props(f"maxlength={MAX_POSITION} autogrow").style("font-family: monospace").mark("position")
        self.area = ui.column().classes("w-full gap-2")

    def _example(self) -> str:
        """A position to start from: the first decision of a fixed deal."""
        game = REGISTRY.game(self.game)
        state = game.deal(1, setup=game.play_only)
        assert state.to_move is not None
        return json.dumps(state.view(state.to_move).to_json(), ensure_ascii=False)

    async def _analyse(self) -> None:
        try:
            agent = hire(self.game, str(self.agent.value))
            text = str(self.text.value or "")
            decision = await WORKSHOP.run(self.who, MAX_SECONDS, lambda: api.decide(self.game, text, agent))
        except MingpaiError as error:
            complain(error)
            return
        self.area.clear()
        with self.area, ui.card().classes("w-full"):
            show_decision(decision, most=16)
            _show_stages(decision)

    def _link(self) -> None:
        ui.navigate.to(f"/analyse?game={self.game}&position={quote(str(self.text.value or ''))}")


def _show_stages(decision: Decision) -> None:
    for stage in STAGES:
        note = decision.stages.get(stage)
        with ui.expansion(say(f"stage_{stage}")).classes("w-full").mark(f"stage-{stage}"):
            ui.code(json.dumps(note, ensure_ascii=False, indent=1, default=str)[:20_000], language="json")
