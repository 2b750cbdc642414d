"""The table as one element of a page (`felt.js`): it draws a scene and tells what the person does."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from nicegui import events, ui

from mingpai.web.frame import say

Act = Callable[[Mapping[str, Any]], Awaitable[None] | None]

WORDS = ("table", "counter", "cards", "raise_to", "play_cards", "hint", "undo", "hand", "flush", "sort", "least")
"""Texts that the element itself shows or reads out."""


class Felt(ui.element, component="felt.js", esm={"mingpai-sounds": "sounds"}):
    """Slots: `menu` and `tools` in the bar, `advice` after the status, `moves` after buttons, `sheet` at the end."""

    def __init__(self, scene: Mapping[str, Any], on_act: Act | None = None) -> None:
        super().__init__()
        self.on_act = on_act
        self.show(scene)
        self.on("act", self._acted)

    def show(self, scene: Mapping[str, Any]) -> None:
        """Draw another scene."""
        words = {key: say(f"felt_{key}") for key in WORDS}
        self._props["scene"] = {"words": words, "live": False, "buttons": []} | dict(scene)
        self.update()

    @property
    def scene(self) -> dict[str, Any]:
        """What is drawn."""
        scene: dict[str, Any] = self._props["scene"]
        return scene

    async def _acted(self, event: events.GenericEventArguments) -> None:
        if self.on_act is not None and isinstance(event.args, dict):
            doing = self.on_act(event.args)
            if doing is not None:
                await doing
