"""What the stages of an agent note, in words: names and values in the reader's language, seats by their words."""

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mingpai.core.notes import BySeat, Note
from mingpai.core.reasons import Language, wordings
from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.bidding.stages import BidsNote, WorthNote
from mingpai.web.faces import rank_word
from mingpai.web.moves import bid_word, move_word
from mingpai.web.texts import text

KINDS = ("single", "pair", "triple", "plate", "tube", "full-house", "straight", "bomb", "straight-flush", "joker-bomb")
"""Combinations of Guandan as pseudo-actions name them."""
_KIND = re.compile(rf"({'|'.join(KINDS)})(?: (?:(\d+)x)?(\S+))?")
_RANKS = {"T": "10", "B": "小", "R": "大"}
STREETS = ("preflop", "flop", "turn", "river")
NOTHING = "–"


@functools.cache
def names() -> Mapping[str, Mapping[str, str]]:
    """Every name of a note with its wording in each language."""
    return wordings(Path(__file__).with_name("noted.toml"))


def kind_word(written: str, language: Language) -> str:
    """A kind of play, such as a full house of kings, in words; empty for anything else."""
    matched = _KIND.fullmatch(written)
    if matched is None:
        return ""
    kind, cards, rank = matched.groups()
    word = text(f"kind_{kind.replace('-', '_')}", language)
    shown = rank_word(_RANKS.get(rank, rank), language)
    return " ".join(part for part in (word, f"{cards} ×" if cards else "", shown or "") if part)


def name_word(written: str, language: Language) -> str:
    """A name of a note in words: a field, a rule, a kind of play, a bet; what has no word stays as it is."""
    rules = {rule.name: rule.texts for rule in (*knowledge().soft, *knowledge().hard.values())}
    known = names().get(written) or rules.get(written)
    if known is not None:
        return known[language]
    return kind_word(written, language) or move_word(written, language) or written


@dataclass(frozen=True)
class Teller:
    """Turns a note into nested names and values that a page can draw. `word` names the seats."""

    language: Language
    word: Callable[[object], str]

    def tell(self, note: Note) -> Any:
        if isinstance(note, BidsNote):
            return {self.word(seat): bid_word(bid, self.language) for seat, bid in note.bids} or NOTHING
        if isinstance(note, WorthNote):
            return {bid_word(bid, self.language): value for bid, value in note.values.items()}
        if isinstance(note, BySeat):
            return {self.word(seat): self.tell(one) for seat, one in note.seats.items()}
        return self._value("", note.to_json())

    def _value(self, name: str, value: Any) -> Any:
        if isinstance(value, bool):
            return text(f"is_{str(value).lower()}", self.language)
        if name == "seat":
            return self.word(value)
        if name == "street" and value in range(len(STREETS)):
            return text(f"phase_{STREETS[value]}", self.language)
        if name == "cards_left":
            return {self.word(seat): left for seat, left in enumerate(value)}
        if name == "key_cards":
            return {self.word(seat): row for seat, row in value.items()}
        if isinstance(value, Mapping):
            return {name_word(key, self.language): self._value(key, item) for key, item in value.items()} or NOTHING
        if isinstance(value, list | tuple):
            return [self._value(name, item) for item in value] or NOTHING
        if isinstance(value, str) and value:
            return name_word("pot bet" if value == "pot" else value, self.language)
        return NOTHING if value in (None, "") else value
