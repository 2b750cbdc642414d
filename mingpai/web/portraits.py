"""Portraits of the opponents, drawn by us as small SVG pictures from a few words: hair, its colour, coat, extras."""

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SKINS = ("#f3cfae", "#e8b88f", "#d9a27a", "#f7dcc3")
GROUNDS = ("#2c6e63", "#3c5f92", "#8a5a3c", "#6a4a7d", "#7d3f4a")
INK = "#2b2320"


@functools.cache
def _parts() -> dict[str, Any]:
    with Path(__file__).with_name("portraits.toml").open("rb") as file:
        return tomllib.load(file)


def portrait(look: Mapping[str, str], variant: int = 0) -> str:
    """An opponent's picture; each variant has another ground and skin, for friends of the same strength."""
    parts, hair_colour = _parts(), look.get("hair_colour", INK)
    extras = "".join(parts["extra"][name] for name in look["extras"].split())
    drawn: str = parts["face"].format(
        ground=GROUNDS[(int(look["ground"]) + variant) % len(GROUNDS)],
        skin=SKINS[(int(look["skin"]) + variant) % len(SKINS)],
        coat=look["coat"], hair=parts["hair"][look["hair"]], hair_colour=hair_colour, ink=INK,
        brow=INK if look["hair"] == "bald" else hair_colour, mouth=parts["mouth"][look["mouth"]], extras=extras,
    )  # fmt: skip
    return drawn.replace("HAIR", hair_colour)
