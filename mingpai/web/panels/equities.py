"""Hold'em equity on a page: hands or ranges of two to ten players, each with a 13 x 13 matrix to see and to click."""

import functools

from nicegui import events, ui

from mingpai.core.errors import MingpaiError
from mingpai.games.holdem.equity import MAX_PLAYERS, Equity
from mingpai.games.holdem.equity import equity as compute_equity
from mingpai.games.holdem.ranges import CLASSES, Range
from mingpai.web.controls import share_button
from mingpai.web.frame import complain, panel, say, work
from mingpai.web.moves import is_cards
from mingpai.web.panels.explain import grid_html
from mingpai.web.panels.picker import CardField, codes

SAMPLES = 400_000
MAX_TEXT = 2000
EXAMPLE = ("AhKd", "QQ+,AK")
HOLE_CARDS = 2


class EquityPanel:
    """Ranges in, shares of the pot out."""

    def __init__(self, players: list[str], board: str) -> None:
        self.texts: list[str] = [text[:MAX_TEXT] for text in players[:MAX_PLAYERS]] or list(EXAMPLE)
        self.equity: Equity | None = None
        with panel():
            with ui.element("div").classes("mp-fields"):
                self.board = CardField("holdem", say("board"), board[:20], "board", others=self._hands, most=5)
                ui.button(say("compute"), icon="calculate", on_click=self._run).mark("run-equity")
                ui.button(say("add_player"), icon="person_add", on_click=self._add).props("flat no-caps").mark(
                    "add-player"
                )
                share_button("/solve", self._link)
            ui.label(say("click_matrix")).classes("mp-soft")
        self.area = ui.element("div").classes("mp-columns")
        for number in range(MAX_PLAYERS):
            ui.on(f"range{number}", lambda e, n=number: self._click(n, e))
        self._draw()

    def _link(self) -> dict[str, str]:
        return {"tab": "equity", "players": "|".join(self.texts), "board": str(self.board.value or "")}

    def _add(self) -> None:
        if len(self.texts) < MAX_PLAYERS:
            self.texts.append("")
            self._changed()

    def _remove(self, number: int) -> None:
        if len(self.texts) > 2:
            del self.texts[number]
            self._changed()

    def _changed(self) -> None:
        self.equity = None
        self._draw()

    def _hands(self, but: int = -1) -> list[str]:
        """The cards of the players whose hands are known."""
        texts = [text for number, text in enumerate(self.texts) if number != but]
        return [code for text in texts if is_cards("holdem", text) for code in codes("holdem", text)]

    def _picked(self, number: int, text: str) -> None:
        """A whole hand was picked or taken away: no need to leave the field."""
        if len(codes("holdem", text)) == HOLE_CARDS and is_cards("holdem", text):
            self.texts[number] = text
            self.equity = None

    def _type(self, number: int, text: str) -> None:
        self.texts[number] = text.strip()[:MAX_TEXT]
        self._changed()

    def _click(self, number: int, event: events.GenericEventArguments) -> None:
        """A click on a class of starting hands puts all of it into the range, or takes it out."""
        name = str(event.args)
        if number >= len(self.texts) or name not in CLASSES:
            return
        weights = self._weights(self.texts[number]) or dict.fromkeys(CLASSES, 0.0)
        weights[name] = 0.0 if weights[name] > 0 else 1.0
        held = {other: weight for other, weight in weights.items() if weight > 0}
        self.texts[number] = str(Range.of_classes(held)) if held else ""
        self._changed()

    def _weights(self, text: str) -> dict[str, float] | None:
        try:
            return dict(zip(CLASSES, Range.parse(text).matrix().ravel().tolist(), strict=True)) if text else None
        except MingpaiError:
            return None

    async def _run(self) -> None:
        players, board = [text for text in self.texts if text], str(self.board.value or "").strip()[:MAX_TEXT]
        try:
            equity = await work(functools.partial(compute_equity, players, board, "", samples=SAMPLES))
        except MingpaiError as error:
            complain(error)
            return
        self.texts = players
        self.equity = equity
        self._draw()

    def _draw(self) -> None:
        self.area.clear()
        with self.area:
            for number, text in enumerate(self.texts):
                with panel():
                    self._draw_player(number, text)

    def _draw_player(self, number: int, text: str) -> None:
        with ui.row().classes("items-center justify-between w-full no-wrap"):
            share = "" if self.equity is None else f"{self.equity.equities[number]:.2%}"
            ui.label(f"{say('player_short', number=number + 1)}").classes("mp-h")
            ui.label(share).classes("text-h6 mp-good").mark("share")
            if len(self.texts) > 2:
                ui.button(icon="close", on_click=lambda: self._remove(number)).props("flat dense round size=sm")
        field = CardField("holdem", say("player"), text, f"range{number}", most=2, typed=True,
                          others=lambda: [*codes("holdem", self.board.value), *self._hands(number)],
                          changed=lambda: self._picked(number, field.value))  # fmt: skip
        field.input.on("change", lambda: self._type(number, field.value))
        weights = self._weights(text) or {}
        top = max(weights.values(), default=0.0) or 1.0
        cells = [(name, weights.get(name, 0.0) / top, name) for name in CLASSES]
        ui.html(grid_html(cells, click=f"range{number}"), sanitize=False).classes("w-full")
        if self.equity is not None:
            words = say(
                "equity_detail",
                win=f"{self.equity.wins[number]:.2%}",
                tie=f"{self.equity.ties[number]:.2%}",
                error=f"{self.equity.standard_errors[number]:.3%}",
            )
            ui.label(words).classes("mp-soft")
