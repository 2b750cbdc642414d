"""The starting hands of hold'em as a 13 x 13 matrix to choose from (`matrix.js`), with the pointer or the keyboard."""

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import events, ui

from mingpai.games.holdem.ranges import CLASSES
from mingpai.web.faces import RANK_NAMES
from mingpai.web.frame import say
from mingpai.web.panels.explain import cell_style


class Matrix(ui.element, component="matrix.js"):
    """Tells which class of starting hands was toggled; `show` draws other weights and leaves the focus where it is."""

    def __init__(self, weights: Mapping[str, float], label: str, on_toggle: Callable[[str], None]) -> None:
        super().__init__()
        self._props["label"] = label
        self.on_toggle = on_toggle
        self.show(weights)
        self.on("toggle", self._toggled)

    def show(self, weights: Mapping[str, float]) -> None:
        """Draw each class of hands, darker the more it weighs against the heaviest."""
        top = max(weights.values(), default=0.0) or 1.0
        self._props["cells"] = [_cell(name, weights.get(name, 0.0) / top) for name in CLASSES]
        self.update()

    def _toggled(self, event: events.GenericEventArguments) -> None:
        name = str(event.args)
        if name in CLASSES:
            self.on_toggle(name)


def _cell(name: str, share: float) -> dict[str, Any]:
    return {"name": name, "words": hand_words(name), "chosen": share > 0, "style": cell_style(share)}


def hand_words(name: str) -> str:
    """A class of starting hands for a screen reader: AKs is "A K suited"."""
    ranks = " ".join(RANK_NAMES.get(rank, rank) for rank in name[:2])
    kind = {"s": "suited", "o": "offsuit"}.get(name[2:], "pair")
    return say(f"class_{kind}", ranks=ranks)
