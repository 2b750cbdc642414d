"""Hold'em equity on a page: hands or ranges of two to ten players, each with a 13 x 13 matrix to see and to click."""

import functools
from dataclasses import dataclass

from nicegui import ui

from mingpai.core.errors import MingpaiError
from mingpai.games.holdem.equity import MAX_PLAYERS, Equity
from mingpai.games.holdem.equity import equity as compute_equity
from mingpai.games.holdem.ranges import CLASSES, Range
from mingpai.web.controls import share_button
from mingpai.web.frame import complain, panel, say, work
from mingpai.web.moves import is_cards
from mingpai.web.panels.matrix import Matrix
from mingpai.web.panels.picker import CardField, codes

SAMPLES = 400_000
MAX_TEXT = 2000
EXAMPLE = ("AhKd", "QQ+,AK")
HOLE_CARDS = 2


@dataclass(frozen=True)
class PlayerBox:
    """What is drawn of one player."""

    field: CardField
    matrix: Matrix
    share: ui.label
    detail: ui.label


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
        self.boxes: list[PlayerBox] = []
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
        """The players are others than before."""
        self.equity = None
        self._draw()

    def _forget(self) -> None:
        """What was computed is of other ranges."""
        self.equity = None
        for box in self.boxes:
            box.share.set_text("")
            box.detail.set_text("")

    def _hands(self, but: int = -1) -> list[str]:
        """The cards of the players whose hands are known."""
        texts = [text for number, text in enumerate(self.texts) if number != but]
        return [code for text in texts if is_cards("holdem", text) for code in codes("holdem", text)]

    def _picked(self, number: int, text: str) -> None:
        """A whole hand was picked or taken away: no need to leave the field."""
        if len(codes("holdem", text)) == HOLE_CARDS and is_cards("holdem", text):
            self._set(number, text)

    def _set(self, number: int, text: str) -> None:
        """Another range for a player. All that was drawn stays, and so does the focus."""
        self.texts[number] = text.strip()[:MAX_TEXT]
        self.boxes[number].matrix.show(_weights(text))
        self._forget()

    def _toggle(self, number: int, name: str) -> None:
        """Puts all of a class of starting hands into the range, or takes it out."""
        weights = dict.fromkeys(CLASSES, 0.0) | _weights(self.texts[number])
        weights[name] = 0.0 if weights[name] > 0 else 1.0
        held = {other: weight for other, weight in weights.items() if weight > 0}
        self._set(number, str(Range.of_classes(held)) if held else "")
        self.boxes[number].field.set_value(self.texts[number])

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
        self.boxes = []
        with self.area:
            for number, text in enumerate(self.texts):
                with panel():
                    self.boxes.append(self._draw_player(number, text))

    def _draw_player(self, number: int, text: str) -> PlayerBox:
        with ui.row().classes("items-center justify-between w-full no-wrap"):
            share = "" if self.equity is None else f"{self.equity.equities[number]:.2%}"
            ui.label(say("player_short", number=number + 1)).classes("mp-h")
            shown = ui.label(share).classes("text-h6 mp-good").mark("share")
            if len(self.texts) > 2:
                away = ui.button(icon="close", on_click=lambda: self._remove(number))
                away.props(f'flat dense round size=sm aria-label="{say("remove_player", number=number + 1)}"')
        field = CardField("holdem", say("player"), text, f"range{number}", most=2, typed=True,
                          others=lambda: [*codes("holdem", self.board.value), *self._hands(number)],
                          changed=lambda: self._picked(number, field.value))  # fmt: skip
        field.input.on("change", lambda: self._set(number, field.value))
        matrix = Matrix(_weights(text), say("matrix_of", number=number + 1), lambda name: self._toggle(number, name))
        detail = ui.label("" if self.equity is None else _detail(self.equity, number)).classes("mp-soft")
        return PlayerBox(field, matrix.mark(f"matrix{number}"), shown, detail)


def _weights(text: str) -> dict[str, float]:
    """How much of each class of hands a range holds; nothing where it cannot be read."""
    try:
        return dict(zip(CLASSES, Range.parse(text).matrix().ravel().tolist(), strict=True)) if text else {}
    except MingpaiError:
        return {}


def _detail(equity: Equity, number: int) -> str:
    return say("equity_detail", win=f"{equity.wins[number]:.2%}", tie=f"{equity.ties[number]:.2%}",
               error=f"{equity.standard_errors[number]:.3%}")  # fmt: skip
