"""The vocabulary of the NJUPT Guandan platforms: cards, actions, the order of the action list.

Two dialects: `v1006` (2020; answers are an index into the action list) and `openguandan` (2026; answers carry the
action, in an envelope of type and data). Both servers send flat objects with nearly the same fields. Cards are written
as ours. An action is `[type, rank, cards]`, cards slot by slot with the wild card in its slot; a sequence has the rank
of its lowest card. Five suited cards with a wild one among them may come as `StraightFlush` and as `Straight`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from mingpai._native import guandan as native
from mingpai.core.errors import BadlyWritten, BadSetting
from mingpai.games.guandan import notation
from mingpai.games.guandan.moves import PASS, Play, Type

Dialect = Literal["v1006", "openguandan"]
DIALECTS: tuple[Dialect, ...] = ("v1006", "openguandan")
RULES: Mapping[Dialect, str] = {"v1006": "njupt-v1006", "openguandan": "openguandan"}
"""The rule profile of each dialect."""
EITHER: Mapping[Dialect, str] = {**RULES, "v1006": "njupt-either"}
"""The same with straights off suit."""

LOBBY = ("CREATE_ROOM", "JOIN_ROOM")
"""Requests of the `openguandan` lobby; an answer has the type of its request."""
ACCEPTED, REFUSED = 200, 400
"""Codes of those answers; OpenGuanDan documents only the first."""

Action = list[Any]
PASS_ACTION: Action = ["PASS", "PASS", "PASS"]

TYPE_WORDS: Mapping[Type, str] = {
    Type.SINGLE: "Single",
    Type.PAIR: "Pair",
    Type.TRIPLE: "Trips",
    Type.TUBE: "ThreePair",
    Type.FULL_HOUSE: "ThreeWithTwo",
    Type.PLATE: "TwoTrips",
    Type.STRAIGHT: "Straight",
    Type.BOMB: "Bomb",
    Type.JOKER_BOMB: "FourKings",
    Type.STRAIGHT_FLUSH: "StraightFlush",
    Type.TRIBUTE: "tribute",
    Type.RETURN: "back",
}
"""Types in the order of the action list, a pass before all."""

_PLACES = {Type.PASS: -1} | {kind: place for place, kind in enumerate(TYPE_WORDS)}
_TYPES = {word: kind for kind, word in TYPE_WORDS.items()}
_SEQUENCES = (Type.PLATE, Type.TUBE, Type.STRAIGHT, Type.STRAIGHT_FLUSH)
_FOUR_KINGS = ["SB", "SB", "HR", "HR"]


def dialect_of(name: str) -> Dialect:
    for dialect in DIALECTS:
        if dialect == name:
            return dialect
    raise BadSetting("dialect", name, f"one of {', '.join(DIALECTS)}")


def action_of(play: Play, dialect: Dialect = "v1006") -> Action:
    """The play as the platform writes it."""
    kind = Type(play.type)
    if kind == Type.PASS:
        return list(PASS_ACTION)
    cards = [notation.card_text(card) for card, _ in play.arranged()]
    if kind == Type.JOKER_BOMB:
        return ["Bomb", "JOKER", cards] if dialect == "v1006" else ["FourKings", "B", cards]
    word = TYPE_WORDS[kind]
    rank = word if kind in (Type.TRIBUTE, Type.RETURN) else notation.RANK_LETTERS[play.rank]
    return [word, rank, cards]


def play_of(action: object, level: int) -> Play:
    """The play that an action of either dialect means. Raises BadlyWritten."""
    if isinstance(action, Mapping):
        action = [action.get("type"), action.get("rank"), action.get("cards", action.get("actions"))]
    match action:
        case ["PASS", *_]:
            return PASS
        case [str(word), str() | int() as rank, [*cards]] if all(isinstance(card, str) for card in cards):
            return _play(word, str(rank), [str(card) for card in cards], level)
    raise BadlyWritten(action, 'an action ["Pair", "4", ["H4", "C4"]] or ["PASS", "PASS", "PASS"]')


def _play(word: str, rank: str, cards: list[str], level: int) -> Play:
    text = "".join(cards)
    if word in ("tribute", "back"):
        return notation.exchange_play(_TYPES[word], text, level)
    held = notation.parse_cards(text)
    wanted = Type.JOKER_BOMB if sorted(cards) == sorted(_FOUR_KINGS) else _TYPES.get(word)
    letter = {"10": "T", "JOKER": "R"}.get(rank.upper(), rank.upper())
    for play in native.readings(held, level, either=True):
        same_rank = wanted == Type.JOKER_BOMB or notation.RANK_LETTERS[play.rank] == letter
        if play.type == wanted and same_rank:
            return play
    raise BadlyWritten([word, rank, cards], f"cards that form this play at level {notation.RANKS[level]}")


def is_off_suit(action: object, level: int) -> bool:
    """Whether it is a straight only because a wild card stands for another suit (clause 9.9)."""
    if not isinstance(action, list) or action[:1] != [TYPE_WORDS[Type.STRAIGHT]]:
        return False
    try:
        return play_of(action, level).is_off_suit
    except BadlyWritten:
        return False


def in_order(plays: Sequence[Play]) -> list[Play]:
    """Plays in the order of the platform's action list: by type, bombs by size, then rank; straight flushes last."""
    return sorted(plays, key=_place)


def _place(play: Play) -> tuple[int, int, int]:
    kind = Type(play.type)
    if kind in (Type.TRIBUTE, Type.RETURN):
        return _PLACES[kind], 0, play.cards.kinds()[0]
    strength = play.rank if kind in _SEQUENCES else native.order_of(play.rank, play.level)
    return _PLACES[kind], len(play) if kind == Type.BOMB else 0, strength


def hand_list(cards: native.Cards, level: int) -> list[str]:
    """A hand from low to high, as the platform sends it."""

    def place(kind: int) -> tuple[int, int]:
        rank = kind // 4 if kind < notation.SMALL_JOKER else len(notation.RANKS) + kind - notation.SMALL_JOKER
        return native.order_of(rank, level), kind

    return [notation.card_text(kind) for kind in sorted(cards.kinds(), key=place)]


def level_letter(level: int) -> str:
    return notation.RANKS[level]
