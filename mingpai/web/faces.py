"""Cards drawn with HTML and CSS (`cards.css`): readable on a phone, no pictures to load."""

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mingpai.core.reasons import Language
from mingpai.web.texts import text

SUITS = {"S": ("♠", "black"), "H": ("♥", "red"), "C": ("♣", "black"), "D": ("♦", "red")}
RANK_NAMES = {"T": "10"}
JOKERS = {"小": "joker_small", "大": "joker_big"}
"""Ranks of the jokers, and the text that names each."""


@dataclass(frozen=True)
class Face:
    """A card as it is shown."""

    code: str
    """The card in the game's notation: what a click on it adds to the move."""
    rank: str
    """Big letter or number; 小/大 for jokers."""
    suit: str = ""
    """One of S H C D, empty where the game has no suits."""
    mark: str = ""
    """"wild" for a wild card, "level" for a level card, else empty."""
    stands: str = ""
    """The rank that a wild card stands for, if it is another than its own."""

    @property
    def colour(self) -> str:
        if self.rank == "大":
            return "red"
        return SUITS[self.suit][1] if self.suit else "black"

    @property
    def sign(self) -> str:
        """The sign of the suit, empty without one."""
        return SUITS[self.suit][0] if self.suit else ""

    def label(self, language: Language) -> str:
        """The card in words, for sentences and for screen readers."""
        plain = rank_word(self.rank, language) + self.sign
        return f"{plain} = {self.stands}" if self.stands else plain

    @property
    def classes(self) -> str:
        """Its CSS classes, but for the size."""
        kind = "joker" if self.rank in JOKERS else "" if self.suit else "plain"
        wide = "wide" if len(self.rank) > 1 else ""
        return " ".join(filter(None, ("mp-card", self.colour, kind, self.mark, wide)))

    def to_json(self, language: Language) -> dict[str, Any]:
        """For the table element."""
        return {"code": self.code, "rank": self.rank, "sign": self.sign, "label": self.label(language),
                "classes": self.classes, "stands": self.stands}  # fmt: skip


def rank_word(rank: str, language: Language) -> str:
    """A rank in words: the jokers by name, any other as it is shown."""
    return text(JOKERS[rank], language) if rank in JOKERS else rank


def doudizhu_face(rank: str) -> Face:
    """A Dou Dizhu card: rank only, X and D are the jokers."""
    return Face(rank, {"X": "小", "D": "大"}.get(rank, RANK_NAMES.get(rank, rank)))


def suited_face(rank: str, suit: str, code: str, mark: str = "", stands: str = "") -> Face:
    """A card with a suit (one of S H C D)."""
    return Face(code, RANK_NAMES.get(rank, rank), suit, mark, RANK_NAMES.get(stands, stands))


def face_html(face: Face, language: Language, size: str = "") -> str:
    """One card as HTML; `size` is empty, "small" or "tiny"."""
    is_joker = face.rank in JOKERS
    inner = "<i>王</i>" if is_joker else f"<i>{face.sign}</i><u>{face.sign or html.escape(face.rank)}</u>"
    inner += f"<s>{html.escape(face.stands)}</s>" if face.stands else ""
    label = html.escape(face.label(language))
    return (f'<span class="{face.classes} {size}" data-card="{html.escape(face.code)}" role="img" aria-label="{label}">'
            f"<b>{html.escape(face.rank)}</b>{inner}</span>")  # fmt: skip


def row_html(faces: Iterable[Face], language: Language, size: str = "") -> str:
    """A row of cards."""
    return '<span class="mp-row">' + "".join(face_html(face, language, size) for face in faces) + "</span>"
