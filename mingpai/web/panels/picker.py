"""The one card picker: all cards of a game to click, for hands, boards and the exact hands of ranges."""

from collections.abc import Callable, Sequence

from nicegui import ui

from mingpai._native.doudizhu import FULL_DECK
from mingpai.games.doudizhu import notation as doudizhu
from mingpai.games.guandan import notation as guandan
from mingpai.games.holdem import notation as holdem
from mingpai.web.faces import Face, face_html
from mingpai.web.frame import dialog, language, say
from mingpai.web.moves import faces_of

ROWS: dict[str, Sequence[Sequence[str]]] = {
    "doudizhu": [list(doudizhu.RANKS)],
    "guandan": [*([suit + rank for rank in guandan.RANKS] for suit in "SHCD"), ["SB", "HR"]],
    "holdem": [[rank + suit for rank in reversed(holdem.RANKS)] for suit in "shcd"],
}
"""The cards of each game as they are laid out."""
WHOLE = doudizhu.cards_text(FULL_DECK)


def copies(game: str, card: str) -> int:
    """How many of a card there are."""
    return WHOLE.count(card) if game == "doudizhu" else 2 if game == "guandan" else 1


def codes(game: str, text: str) -> list[str]:
    """The cards of a text, as far as they can be read."""
    known = {card for row in ROWS[game] for card in row}
    return [face.code for face in faces_of(game, text) if face.code in known]


class CardKeys:
    """Every card of a game as a button; those that are used up are pale. `used` tells what lies elsewhere."""

    def __init__(self, game: str, used: Callable[[], Sequence[str]], pick: Callable[[str], None]) -> None:
        self.game, self.used, self.pick = game, used, pick
        self.buttons: dict[str, ui.element] = {}
        self.place = ui.element("div").classes("mp-keyrows").mark("card-keys")
        with self.place:
            for row in ROWS[game]:
                with ui.element("div").classes("mp-keys"):
                    for card in row:
                        self.buttons[card] = card_button(faces_of(game, card)[0], lambda _, c=card: self._click(c))
        self.draw()

    def draw(self) -> None:
        """Show which cards are left. The buttons stay, so that quick clicks are not lost."""
        for card, button in self.buttons.items():
            if self._is_left(card):
                button.classes(remove="none").props(remove="disabled")
            else:
                button.classes("none").props("disabled")

    def _is_left(self, card: str) -> bool:
        return list(self.used()).count(card) < copies(self.game, card)

    def _click(self, card: str) -> None:
        if self._is_left(card):
            self.pick(card)


def card_button(face: Face, click: Callable[..., None]) -> ui.element:
    """A card that does something when clicked."""
    button = ui.element("button").classes("mp-pick").props(f'type="button" aria-label="{face.label(language())}"')
    with button:
        ui.html(face_html(face, language(), "small"), sanitize=False)
    return button.on("click", click)


def card_sheet(game: str, done: Callable[[str], None], most: int = 60) -> None:
    """The picker as a sheet from below for a play: hands over the cards when it is done."""
    picked: list[str] = []

    def draw() -> None:
        row.clear()
        with row:
            for number, face in enumerate(faces_of(game, "".join(picked))):
                card_button(face, lambda _, n=number: drop(n))
        keys.draw()

    def drop(number: int) -> None:
        del picked[number]
        draw()

    def add(card: str) -> None:
        if len(picked) < most:
            picked.append(card)
            draw()

    def finish() -> None:
        sheet.close()
        done("".join(picked))

    with dialog(say("pick_cards"), "position=bottom") as sheet, ui.card().classes("mp-picker"):
        with ui.row().classes("items-center w-full no-wrap"):
            row = ui.element("div").classes("mp-openhand col")
            ui.button(say("done"), on_click=finish).mark("done")
        keys = CardKeys(game, lambda: picked, add)


class Typing:
    """A switch between picking cards and typing them: fields for text stay hidden until they are asked for."""

    def __init__(self, label: str) -> None:
        self.fields: list[ui.input] = []
        self.button = ui.button(icon="keyboard", on_click=self._toggle)
        self.button.props(f'flat dense round aria-label="{say("type_cards")}: {label}" aria-pressed=false')
        self.button.tooltip(say("type_cards")).mark("type-cards")
        self.is_on = False

    def hide(self, field: ui.input) -> ui.input:
        """A field that is shown when somebody wants to type."""
        self.fields.append(field)
        field.set_visibility(self.is_on)
        return field

    def _toggle(self) -> None:
        self.is_on = not self.is_on
        self.button.props(f"aria-pressed={str(self.is_on).lower()}")
        for field in self.fields:
            field.set_visibility(self.is_on)


class CardField:
    """Cards, picked in a dialog or typed; a click on a card takes it away.

    `others` tells the cards that lie elsewhere; `changed` is called after every change. Where `typed`, the text is
    always there: for ranges, which are written.
    """

    def __init__(
        self, game: str, label: str, value: str, name: str, *, others: Callable[[], Sequence[str]] = lambda: (),
        changed: Callable[[], None] = lambda: None, most: int = 60, typed: bool = False,
    ) -> None:  # fmt: skip
        self.game, self.others, self.changed, self.most = game, others, changed, most
        self.keys: CardKeys | None = None
        with ui.element("div").classes("mp-cardfield"):
            if typed:
                self._text(label, value, name)
                with self.input.add_slot("append"):
                    self._picks(label, name)
            else:
                with ui.row().classes("items-center gap-1"):
                    ui.label(label).classes("mp-soft")
                    self._picks(label, name)
                    typing = Typing(label)
                typing.hide(self._text(label, value, name))
            self.row = ui.element("div").classes("mp-openhand")
        self._draw_row(self.row)

    def _text(self, label: str, value: str, name: str) -> ui.input:
        self.input = ui.input(label, value=value, on_change=self._typed).props("dense").classes("w-full").mark(name)
        return self.input

    def _picks(self, label: str, name: str) -> None:
        button = ui.button(icon="style", on_click=self._open)
        button.props(f'flat dense round aria-label="{say("pick_cards")}: {label}"').mark(f"pick-{name}")

    @property
    def value(self) -> str:
        return str(self.input.value or "")

    def set_value(self, text: str) -> None:
        self.input.set_value(text)

    def _open(self) -> None:
        """The picker as a sheet from below, with the cards picked so far."""
        with dialog(say("pick_cards"), "position=bottom") as sheet, ui.card().classes("mp-picker"):
            with ui.row().classes("items-center w-full no-wrap"):
                self.shown = ui.element("div").classes("mp-openhand col")
                ui.button(say("clear"), on_click=lambda: self.input.set_value("")).props("flat no-caps").mark("clear")
                ui.button(say("done"), on_click=sheet.close).props("no-caps").mark("done")
            self.keys = CardKeys(self.game, lambda: [*codes(self.game, self.value), *self.others()], self._add)
            self._draw_row(self.shown)

    def _add(self, card: str) -> None:
        held = codes(self.game, self.value)
        if len(held) < self.most:
            self.input.set_value("".join([*held, card]))

    def _drop(self, number: int) -> None:
        held = codes(self.game, self.value)
        self.input.set_value("".join(held[:number] + held[number + 1 :]))

    def _typed(self) -> None:
        self._draw_row(self.row)
        if self.keys is not None and not self.keys.place.is_deleted:
            self._draw_row(self.shown)
            self.keys.draw()
        self.changed()

    def _draw_row(self, row: ui.element) -> None:
        row.clear()
        with row:
            for number, face in enumerate(faces_of(self.game, self.value) if self._is_cards() else []):
                card_button(face, lambda _, n=number: self._drop(n))

    def _is_cards(self) -> bool:
        """Whether the text is nothing but cards: a range such as QQ+ is not."""
        return "".join(codes(self.game, self.value)) == self.value.replace(" ", "")
