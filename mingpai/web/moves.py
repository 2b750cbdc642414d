"""Moves as people see them: small cards, or a word for what is not played with cards. No codes."""

import html
import re

from mingpai.core.reasons import Language
from mingpai.games.doudizhu.moves import Bid
from mingpai.web.faces import Face, doudizhu_face, row_html, suited_face
from mingpai.web.texts import text

WORDS = ("pass", "fold", "check", "call", "raise")
_GUANDAN = re.compile(r"(SB|HR|[SHDC][A23456789TJQK])(?:=[SHDC]?([A23456789TJQK]))?")
_HOLDEM = re.compile(r"([2-9TJQKA])([shdc])")
CODES = {
    "doudizhu": re.compile(r"[3-9TJQKA2XD]+(?:@[\w+/]+)?"),
    "guandan": re.compile(r"(?:(?:SB|HR|[SHDC][A23456789TJQK])(?:=[SHDC]?[A23456789TJQK])?)+"),
    "holdem": re.compile(r"(?:[2-9TJQKA][shdc]\s*)+"),
}
"""How cards are written in each game."""


def guandan_face(card: str, level: str, stands: str = "") -> Face:
    """A Guandan card; the level says which cards are wild."""
    if card in ("SB", "HR"):
        return Face(card, "小" if card == "SB" else "大")
    mark = "wild" if card == "H" + level else "level" if card[1] == level else ""
    return suited_face(card[1], card[0], card, mark, stands if stands != card[1] else "")


def faces_of(game: str, cards: str, level: str = "") -> list[Face]:
    """The cards of a text in a game's notation, in the order written."""
    if game == "doudizhu":
        return [doudizhu_face(card) for card in cards.partition("@")[0]]
    if game == "guandan":
        return [guandan_face(card, level, stands) for card, stands in _GUANDAN.findall(cards)]
    return [suited_face(rank, suit.upper(), rank + suit) for rank, suit in _HOLDEM.findall(cards)]


def spoken(game: str, cards: str, language: Language) -> str:
    """Cards as plain text for a sentence: 9♥ 9♣ small joker; empty where the text is none."""
    return " ".join(face.label(language) for face in faces_of(game, cards.replace(" ", "")))


def bid_word(bid: int, language: Language, robbing: bool = False) -> str:
    """A bid in words: points, or call and rob."""
    return text(f"{'rob' if robbing else 'bid'}_{bid}", language)


def move_word(move: str, language: Language) -> str:
    """A move without cards in words; empty for cards."""
    word, _, amount = move.partition(" ")
    return f"{text(word, language)} {amount}".strip() if word in WORDS else ""


def move_faces(game: str, move: object, level: str = "") -> list[Face]:
    """The cards of a move; none of a pass, a bid or a bet."""
    written = str(move)
    if isinstance(move, Bid) or written.partition(" ")[0] in WORDS:
        return []
    return faces_of(game, written, level)


def move_html(game: str, move: object, language: Language, level: str = "", size: str = "tiny") -> str:
    """A move drawn as small cards, or as a word."""
    if isinstance(move, Bid):
        return _said(bid_word(move.value, language))
    faces = move_faces(game, move, level)
    return row_html(faces, language, size) if faces else _said(move_word(str(move), language) or str(move))


def _said(words: str) -> str:
    return f'<span class="mp-said">{html.escape(words)}</span>'


def is_cards(game: str, written: str) -> bool:
    """Whether a text is nothing but cards in a game's notation."""
    return bool(written) and CODES[game].fullmatch(written) is not None
