"""How Guandan is written: cards, plays, deals, positions in one line, whole rounds.

A card is suit and rank, `S6`, `HT`; `SB` and `HR` are the small and the big joker. Read are also lower case, suit
symbols, `10`, 小王 and 大王, spaces and commas. A play is its cards, slot by slot; a wild card that stands for another
rank is followed by `=` and that rank: `S6H7H2=8H2=9CT`. Where cards without `=` have one legal reading, that is meant.
Suited cards are a plain straight (where the profile allows it) if the card of another suit is named: `S6S7H2=H8S9ST`.
"""

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Any

from mingpai._native import guandan as native
from mingpai.core.errors import Ambiguous, BadlyWritten, IllegalHere
from mingpai.core.reading import bounded
from mingpai.core.reasons import Reason
from mingpai.games.guandan.moves import PASS, Cards, Play, Type
from mingpai.games.guandan.rules import SEATS

if TYPE_CHECKING:
    from mingpai.games.guandan.state import GuandanState
    from mingpai.games.guandan.view import GuandanView

RANKS = "A23456789TJQK"
"""Ranks that have suits, by number."""
SUITS = "SHDC"
SMALL_JOKER, BIG_JOKER = 52, 53
RANK_LETTERS = RANKS + "BR"
"""Ranks as plays have them; B and R are the jokers."""
CARD_TEXTS: tuple[str, ...] = (*(suit + rank for rank in RANKS for suit in SUITS), "SB", "HR")
"""The text of each kind of card."""
KINDS: dict[str, int] = {text: kind for kind, text in enumerate(CARD_TEXTS)}

PASSES = {"pass", "p", "过", "不出", "不要", "要不起"}
CARDS_EXPECTED = "cards as suit S H D C and rank A23456789TJQK, SB and HR for the jokers"
_SYMBOLS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"}
_NAMES = {"小王": "SB", "大王": "HR", "小鬼": "SB", "大鬼": "HR"}
_CARD = re.compile(r"(SB|HR|[SHDC][A23456789TJQK])(?:=([SHDC]?[A23456789TJQK]))?")
_SEPARATOR = re.compile(r"[\s,;\[\]'\"]*")


def cards_text(cards: Cards) -> str:
    """The cards in ascending order of kind."""
    return "".join(CARD_TEXTS[kind] for kind in cards.kinds())


def card_text(kind: int) -> str:
    return CARD_TEXTS[kind]


def rank_of(kind: int) -> int:
    """The rank of a kind of card: 0 for A to 12 for K, 13 and 14 the jokers."""
    return kind // 4 if kind < SMALL_JOKER else len(RANKS) + kind - SMALL_JOKER


def parse_cards(text: str) -> Cards:
    """The cards written in any of the known ways. Raises BadlyWritten."""
    kinds, claims = _read(text)
    if claims:
        raise BadlyWritten(text, CARDS_EXPECTED + ", without =")
    return cards_of(kinds, text)


def cards_of(kinds: list[int], text: object) -> Cards:
    """The cards of kinds; `text` is shown if one occurs too often."""
    try:
        return Cards(kinds)
    except ValueError as error:
        raise BadlyWritten(text, f"cards of two decks: {error}") from None


def _normal(text: str) -> str:
    out = unicodedata.normalize("NFKC", text)
    for old, new in (*_SYMBOLS.items(), *_NAMES.items()):
        out = out.replace(old, new)
    return out.upper().replace("10", "T")


def _read(text: str) -> tuple[list[int], list[str]]:
    """Kinds in the order written, and what wild cards are said to stand for."""
    normal, at = _normal(bounded(text, "cards")), 0
    kinds: list[int] = []
    claims: list[str] = []
    while at < len(normal):
        space = _SEPARATOR.match(normal, at)
        assert space is not None
        at = space.end()
        if at == len(normal):
            break
        card = _CARD.match(normal, at)
        if card is None:
            raise BadlyWritten(text, CARDS_EXPECTED, at)
        kinds.append(KINDS[card[1]])
        if card[2]:
            claims.append(card[2])
        at = card.end()
    return kinds, claims


def parse_level(text: object) -> int:
    """The rank of a level: `2` to `9`, `T` or `10`, `J`, `Q`, `K`, `A`; whole numbers 2 to 14 too."""
    if not isinstance(text, str | int) or isinstance(text, bool) or (isinstance(text, int) and not 1 <= text <= 14):
        raise BadlyWritten(text, f"a level, one of {' '.join(RANKS[1:] + RANKS[0])}")
    word = str(text).strip().upper().replace("10", "T")
    word = {"11": "J", "12": "Q", "13": "K", "14": "A", "1": "A"}.get(word, word)
    if len(word) != 1 or word not in RANKS:
        raise BadlyWritten(text, f"a level, one of {' '.join(RANKS[1:] + RANKS[0])}")
    return RANKS.index(word)


def readings(text: str, level: int) -> list[Play]:
    """What the text can mean as a play at a level, whatever was played before."""
    kinds, claims = _read(text)
    if not kinds:
        raise BadlyWritten(text, CARDS_EXPECTED + ", or pass")
    plays = native.readings(cards_of(kinds, text), level, any(len(claim) > 1 for claim in claims))
    stands = Counter(claims)
    exact = [play for play in plays if Counter(_claims(play)) == stands]
    return exact if exact or claims else plays


def _claims(play: Play) -> list[str]:
    """Ranks for which wild cards of the play stand, other than their own; cards where the suit matters."""
    if play.is_off_suit:
        return [CARD_TEXTS[claim] for kind, claim in play.arranged() if kind == 4 * play.level + 1]
    return [RANKS[claim // 4] for kind, claim in play.arranged() if kind // 4 != claim // 4]


def parse_move(text: str, position: "GuandanState | GuandanView") -> Play:
    """The move written in `text`, legal in this position. Raises BadlyWritten, IllegalHere or Ambiguous."""
    word = unicodedata.normalize("NFKC", bounded(text, "a move")).strip()
    if position.phase in (Phase.TRIBUTE, Phase.RETURN):
        return _exchange(word, position)
    if word.lower() in PASSES:
        position.verify(PASS)
        return PASS
    plays = readings(word, position.level)
    legal = [play for play in plays if position.can_play(play)]
    if len(legal) > 1:
        raise Ambiguous(text, [str(play) for play in legal])
    if legal:
        return legal[0]
    if plays:
        position.verify(plays[0])
    raise IllegalHere(word, Reason("guandan.no_combination", {"cards": word}))


class Phase:
    """What the seat to move has to do."""

    TRIBUTE, RETURN, PLAY, OVER = range(4)


def _exchange(word: str, position: "GuandanState | GuandanView") -> Play:
    kind = Type.TRIBUTE if position.phase == Phase.TRIBUTE else Type.RETURN
    play = exchange_play(kind, word, position.level)
    position.verify(play)
    return play


def exchange_play(kind: Type, text: str, level: int) -> Play:
    """The tribute or return of the card written in `text`."""
    kinds, claims = _read(re.sub(r"^(tribute|return|进贡|还贡)\s*:?\s*", "", text, flags=re.IGNORECASE))
    if len(kinds) != 1 or claims:
        raise BadlyWritten(text, "one card")
    rank = rank_of(kinds[0])
    return Play(kind, rank, Cards(kinds), level)


def deck_text(hands: list[Cards]) -> str:
    """`HAND/HAND/HAND/HAND`, seats 0 to 3."""
    return "/".join(cards_text(hand) for hand in hands)


def parse_deck(text: str) -> list[Cards]:
    parts = text.split("/")
    if len(parts) != SEATS:
        raise BadlyWritten(text, "HAND/HAND/HAND/HAND")
    return [parse_cards(part) for part in parts]


def setup_text(setup: dict[str, Any]) -> str:
    return ",".join(
        f"{key}={''.join(map(str, value)) if isinstance(value, list) else value}" for key, value in setup.items()
    )


def parse_setup(text: str) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if not equals:
            raise BadlyWritten(text, f"setup as key=value, found {item!r}")
        digits = [int(digit) for digit in value if digit in "0123456789"]
        out[key.strip()] = value if key == "level" else digits if key == "previous" else digits[0] if digits else value
    return out


def position_text(state: "GuandanState") -> str:
    """A position in one line: `DECK;RULES;SETUP;MOVES`, for links and tests."""
    moves = ",".join(str(move) for _, move in state.moves())
    return ";".join((state.deck(), state.rules, setup_text(dict(state.setup())), moves))


def parse_position(text: str) -> "GuandanState":
    """The position written by `position_text`; the last parts may be left out."""
    from mingpai.games.guandan.state import start

    parts = [part.strip() for part in text.strip().split(";")]
    if len(parts) > 4:
        raise BadlyWritten(text, "DECK;RULES;SETUP;MOVES")
    deck, rules, setup, moves = parts + [""] * (4 - len(parts))
    state = start(deck, rules, parse_setup(setup) or None)
    for move in filter(None, moves.split(",")):
        state.play(parse_move(move, state))
    return state


def round_text(state: "GuandanState") -> str:
    """A whole round for people: the hands, the exchange, the tricks, one to a line, and the result."""
    lines = [f"rules {state.rules}", f"setup {setup_text(dict(state.setup()))}"]
    lines += [f"hand {seat} {cards_text(hand)}" for seat, hand in enumerate(state.native.dealt())]
    if state.native.resisted:
        lines.append("resisted")
    trick: list[str] = []
    best: int | None = None
    for seat, move in state.moves():
        if move.type in (Type.TRIBUTE, Type.RETURN):
            lines.append(f"{'tribute' if move.type == Type.TRIBUTE else 'return'} {seat} {move}")
            continue
        if trick and best is not None and _trick_is_over(trick, best, seat):
            lines.append(" / ".join(trick))
            trick, best = [], None
        trick.append(f"{seat} {move}")
        best = best if move.is_pass else seat
    if trick:
        lines.append(" / ".join(trick))
    if state.is_over:
        lines.append(
            f"order {' '.join(map(str, state.native.order))} points {' '.join(f'{p:+g}' for p in state.points())}"
        )
    return "\n".join(lines) + "\n"


def _trick_is_over(trick: list[str], best: int, seat: int) -> bool:
    """A new trick begins when the turn has come round past the best play."""
    last = int(trick[-1].split()[0])
    between = [(last + step) % SEATS for step in range(1, SEATS + 1)]
    reach = between[: between.index(seat) + 1]
    return best in reach
