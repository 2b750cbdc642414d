"""Between the native Guandan types and the strings of the reference."""

from collections.abc import Sequence

from mingpai._native import guandan as native
from tests.reference import guandan as reference

KINDS = (*reference.SUITED, reference.SMALL, reference.BIG)
NUMBER = {text: kind for kind, text in enumerate(KINDS)}
RANK_LETTERS = "A23456789TJQKBR"
TYPES: list[str] = native.type_names()


def cards_of(text: str | Sequence[str]) -> native.Cards:
    words = text.split() if isinstance(text, str) else text
    return native.Cards([NUMBER[word] for word in words])


def words_of(cards: native.Cards) -> list[str]:
    return [KINDS[kind] for kind in cards.kinds()]


def reference_play(play: native.Play) -> reference.Play:
    name = TYPES[play.type]
    rank = "" if name in ("pass", "joker-bomb") else RANK_LETTERS[play.rank]
    return reference.Play(name, rank, tuple(sorted(words_of(play.cards))))


def native_play(play: reference.Play, level: str) -> native.Play:
    rank = RANK_LETTERS.index(play.rank) if play.rank else 0
    return native.Play(TYPES.index(play.type), rank, cards_of(play.cards), reference.RANKS.index(level))


def plays_of(hand: str, level: str, name: str) -> list[native.Play]:
    """Leads of one type."""
    plays = native.lead_plays(cards_of(hand), reference.RANKS.index(level))
    return [play for play in plays if TYPES[play.type] == name]


def texts(plays: Sequence[native.Play]) -> set[str]:
    """Plays as "rank: cards"."""
    return {f"{play.rank}:{' '.join(play.cards)}" for play in map(reference_play, plays)}
