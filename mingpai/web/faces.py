"""Cards drawn with HTML and CSS (`style.css`): readable on a phone, no pictures to load."""

import html
from collections.abc import Iterable
from dataclasses import dataclass

SUITS = {"S": ("♠", "black"), "H": ("♥", "red"), "C": ("♣", "black"), "D": ("♦", "red")}
RANK_NAMES = {"T": "10"}
JOKERS = {"小": "小王", "大": "大王"}


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

    @property
    def colour(self) -> str:
        if self.rank == "大":
            return "red"
        return SUITS[self.suit][1] if self.suit else "black"

    @property
    def label(self) -> str:
        """The card in words, for screen readers."""
        return JOKERS.get(self.rank, self.rank + (SUITS[self.suit][0] if self.suit else ""))


def doudizhu_face(rank: str) -> Face:
    """A Dou Dizhu card: rank only, X and D are the jokers."""
    return Face(rank, {"X": "小", "D": "大"}.get(rank, RANK_NAMES.get(rank, rank)))


def suited_face(rank: str, suit: str, code: str, mark: str = "") -> Face:
    """A card with a suit (one of S H C D)."""
    return Face(code, RANK_NAMES.get(rank, rank), suit, mark)


def face_html(face: Face, size: str = "") -> str:
    """One card as HTML; `size` is empty, "small" or "tiny"."""
    is_joker = face.rank in JOKERS
    kind = "joker" if is_joker else "" if face.suit else "plain"
    wide = "wide" if len(face.rank) > 1 else ""
    classes = " ".join(filter(None, ("mp-card", face.colour, kind, size, face.mark, wide)))
    suit = SUITS[face.suit][0] if face.suit else ""
    inner = "<i>王</i>" if is_joker else f"<i>{suit}</i><u>{suit}</u>" if suit and not size else ""
    if suit and size:
        inner = f"<u>{suit}</u>"
    label = html.escape(face.label)
    return (f'<span class="{classes}" data-card="{html.escape(face.code)}" role="img" aria-label="{label}">'
            f"<b>{html.escape(face.rank)}</b>{inner}</span>")  # fmt: skip


def back_html(count: int, size: str = "tiny") -> str:
    """Cards face down, with their number."""
    return f'<span class="mp-card back {size}" role="img" aria-label="{count} cards"><b>{count}</b></span>'


def row_html(faces: Iterable[Face], size: str = "") -> str:
    """A row of cards."""
    return '<span class="mp-row">' + "".join(face_html(face, size) for face in faces) + "</span>"
