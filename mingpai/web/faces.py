"""Cards drawn with HTML and CSS (`style.css`): readable on a phone, no pictures to load."""

import html
from dataclasses import dataclass

SUITS = {"S": ("♠", "black"), "H": ("♥", "red"), "C": ("♣", "black"), "D": ("♦", "red")}
RANK_NAMES = {"T": "10"}


@dataclass(frozen=True)
class Face:
    """A card as it is shown."""

    code: str
    """The card in the game's notation: what a click on it adds to the move."""
    rank: str
    """Big letter or number; 小王/大王 for jokers."""
    suit: str = ""
    """One of S H C D, empty where the game has no suits."""
    mark: str = ""
    """"wild" for a wild card, "level" for a level card, else empty."""

    @property
    def colour(self) -> str:
        if self.rank == "大":
            return "red"
        return SUITS[self.suit][1] if self.suit else "black"


def doudizhu_face(rank: str) -> Face:
    """A Dou Dizhu card: rank only, X and D are the jokers."""
    return Face(rank, {"X": "小", "D": "大"}.get(rank, RANK_NAMES.get(rank, rank)))


def suited_face(rank: str, suit: str, code: str, mark: str = "") -> Face:
    """A card with a suit (one of S H C D)."""
    return Face(code, RANK_NAMES.get(rank, rank), suit, mark)


def face_html(face: Face, chosen: bool = False, small: bool = False) -> str:
    """One card as HTML."""
    classes = ["mp-card", face.colour]
    classes += ["chosen"] if chosen else []
    classes += ["small"] if small else []
    classes += [face.mark] if face.mark else []
    suit = SUITS[face.suit][0] if face.suit else ("王" if face.rank in "小大" else "")
    label = html.escape(f"{face.rank}{suit}")
    return (f'<span class="{" ".join(classes)}" data-card="{html.escape(face.code)}" aria-label="{label}">'
            f'<b>{html.escape(face.rank)}</b>{f"<i>{suit}</i>" if suit else ""}</span>')  # fmt: skip


def back_html(count: int, small: bool = True) -> str:
    """Cards face down, with their number."""
    size = " small" if small else ""
    return f'<span class="mp-card back{size}" aria-label="{count} cards"><b>{count}</b></span>'


def row_html(faces: list[Face], small: bool = False) -> str:
    """A row of cards."""
    return '<span class="mp-row">' + "".join(face_html(face, small=small) for face in faces) + "</span>"
