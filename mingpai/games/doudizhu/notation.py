"""How Dou Dizhu is written: cards, moves, bids, positions in one line, whole games.

Cards are printed from low to high as `3456789TJQKA2XD`, X the small joker and D the big one. Read are also RLCard's `B`
and `R`, `10`, lower case, spaces and commas, full-width forms, 小王, 大王, 王炸, and DouZero's integers (3 to 14, 17,
20, 30) when they stand apart. A move is its cards; where they have several readings, `CARDS@TYPE` or
`CARDS@TYPE/RANK`.
"""

import re
import unicodedata
from typing import TYPE_CHECKING, Literal

from mingpai._native import doudizhu as native
from mingpai._native.doudizhu import Phase
from mingpai.core.errors import Ambiguous, BadlyWritten, IllegalHere
from mingpai.core.reading import bounded, read_whole
from mingpai.core.reasons import Reason
from mingpai.games.doudizhu.moves import PASS, Action, Bid, Move, Type
from mingpai.games.doudizhu.rules import TYPES_BY_NAME

if TYPE_CHECKING:
    from mingpai.games.doudizhu.state import DoudizhuState
    from mingpai.games.doudizhu.view import DoudizhuView

Hand = int
"""Counts of 15 ranks, four bits each; rank 0 is the 3."""

RANKS: str = native.RANKS
"""The letter of each rank, from low to high."""

SMALL_JOKER, BIG_JOKER = RANKS.index("X"), RANKS.index("D")

ROLES = ("landlord", "down", "up")
"""Seats after the bidding: the landlord, the seat after him, the seat before him."""

Jokers = Literal["XD", "DX", "BR", "LB"]
"""How a source writes small and big joker, in this order. X, D and B, R are read together, the others alone."""

_JOKER_LETTERS: dict[str, dict[str, int]] = {
    "XD": {"X": SMALL_JOKER, "D": BIG_JOKER, "B": SMALL_JOKER, "R": BIG_JOKER},
    "BR": {"X": SMALL_JOKER, "D": BIG_JOKER, "B": SMALL_JOKER, "R": BIG_JOKER},
    "DX": {"D": SMALL_JOKER, "X": BIG_JOKER},
    "LB": {"L": SMALL_JOKER, "B": BIG_JOKER},
}
_NUMBERS = {**{str(3 + i): i for i in range(12)}, "17": RANKS.index("2"), "20": SMALL_JOKER, "30": BIG_JOKER}
_BOTH = (SMALL_JOKER, BIG_JOKER)
_NAMES = {"小王": (SMALL_JOKER,), "大王": (BIG_JOKER,), "王炸": _BOTH, "双王": _BOTH, "火箭": _BOTH}
_WORD = re.compile(r"[^\s,;\[\]()'\"]+")
PASSES = {"pass", "p", "[]", "过", "不出", "不要", "要不起"}
_BID_WORDS = {
    "0": 0, "pass": 0, "p": 0, "no": 0, "不叫": 0, "不抢": 0, "1": 1, "2": 2, "3": 3, "1分": 1, "2分": 2, "3分": 3,
    "call": 1, "rob": 1, "叫": 1, "抢": 1, "叫地主": 1, "抢地主": 1,
}  # fmt: skip
CARDS_EXPECTED = f"cards of {RANKS} (also 10, B and R, 小王 and 大王, or DouZero's numbers)"


def cards_text(hand: Hand) -> str:
    """The cards from low to high."""
    return native.cards_text(hand)


def parse_cards(text: str, jokers: Jokers = "XD") -> Hand:
    """The cards written in any of the known ways. Raises BadlyWritten."""
    counts = [0] * len(RANKS)
    for rank in _ranks(bounded(text, "cards"), _JOKER_LETTERS[jokers]):
        counts[rank] += 1
    hand = 0
    for rank, count in enumerate(counts):
        most = 1 if rank in (SMALL_JOKER, BIG_JOKER) else 4
        if count > most:
            raise BadlyWritten(text, f"at most {most} of {RANKS[rank]}, found {count}")
        hand |= count << (4 * rank)
    return hand


def _ranks(text: str, jokers: dict[str, int]) -> list[int]:
    out: list[int] = []
    for token in _WORD.finditer("".join(map(_normal_letter, text))):
        word = token.group()
        if word in _NUMBERS:
            out.append(_NUMBERS[word])
            continue
        at = 0
        while at < len(word):
            ranks, width = _card_at(word, at, jokers)
            if not width:
                raise BadlyWritten(text, CARDS_EXPECTED, token.start() + at)
            out.extend(ranks)
            at += width
    return out


def _normal_letter(letter: str) -> str:
    """Half width and upper case, one letter for one, so that places in the text stay."""
    normal = unicodedata.normalize("NFKC", letter).upper()
    return normal if len(normal) == 1 else letter


def _card_at(word: str, at: int, jokers: dict[str, int]) -> tuple[tuple[int, ...], int]:
    """The ranks written at a place and the number of characters they take, 0 if it is no card."""
    if word[at : at + 2] in _NAMES:
        return _NAMES[word[at : at + 2]], 2
    if word.startswith("10", at):
        return (RANKS.index("T"),), 2
    letter = word[at]
    if letter in jokers:
        return (jokers[letter],), 1
    rank = RANKS.find(letter)
    return ((rank,), 1) if 0 <= rank < SMALL_JOKER else ((), 0)


def to_douzero(hand: Hand) -> list[int]:
    """The cards as DouZero's integers, from low to high."""
    numbers = {rank: int(number) for number, rank in _NUMBERS.items()}
    return [numbers[rank] for rank in range(len(RANKS)) for _ in range(hand >> (4 * rank) & 15)]


def to_rlcard(hand: Hand) -> str:
    """The cards as RLCard writes them: B small joker, R big joker."""
    return cards_text(hand).replace("X", "B").replace("D", "R")


def parse_move(text: str, position: "DoudizhuState | DoudizhuView") -> Action:
    """The bid or move written in `text`, legal in this position. Raises BadlyWritten, IllegalHere or Ambiguous."""
    if position.phase == Phase.BID:
        bid = parse_bid(text)
        position.verify(bid)
        return bid
    word = unicodedata.normalize("NFKC", bounded(text, "a move")).strip()
    if word.lower() in PASSES:
        position.verify(PASS)
        return PASS
    legal = [move for move in parse_readings(text, position.rule_set.native) if position.can_play(move)]
    if len(legal) > 1:
        raise Ambiguous(text, [str(move) for move in legal])
    if not legal:
        raise IllegalHere(text.strip(), _why_illegal(text, position))
    return legal[0]


def parse_bid(text: str) -> Bid:
    word = unicodedata.normalize("NFKC", bounded(text, "a bid")).strip().lower()
    if word not in _BID_WORDS:
        raise BadlyWritten(text, "a bid: 0 to 3, call, rob or pass")
    return Bid(_BID_WORDS[word])


def parse_readings(text: str, rules: native.Rules) -> list[Move]:
    """What `CARDS`, `CARDS@TYPE` or `CARDS@TYPE/RANK` can mean under the rules, whatever was played before."""
    cards_part, at, type_part = text.partition("@")
    cards = parse_cards(cards_part)
    if cards == 0:
        raise BadlyWritten(text, CARDS_EXPECTED + ", or pass")
    if native.card_count(cards) > native.MAX_HAND_CARDS:
        raise BadlyWritten(text, f"at most {native.MAX_HAND_CARDS} cards")
    readings = native.classify(cards, rules).to_list()
    if at:
        type_, rank = _parse_type(text, type_part)
        readings = [move for move in readings if move.type == type_ and rank in (None, move.rank)]
    return readings


def _parse_type(text: str, type_part: str) -> tuple[Type, int | None]:
    name, slash, rank_part = type_part.strip().partition("/")
    type_ = TYPES_BY_NAME.get(name.strip().lower())
    if type_ is None:
        raise BadlyWritten(text, f"one of {', '.join(TYPES_BY_NAME)} after @")
    if not slash:
        return type_, None
    ranks = _ranks(rank_part, _JOKER_LETTERS["XD"])
    if len(ranks) != 1:
        raise BadlyWritten(text, "one rank after /")
    return type_, ranks[0]


def _why_illegal(text: str, position: "DoudizhuState | DoudizhuView") -> Reason:
    readings = parse_readings(text, position.rule_set.native)
    if not readings:
        return Reason("doudizhu.no_combination", {"cards": text.strip(), "rules": position.rule_set.name})
    for move in readings:
        try:
            position.verify(move)
        except IllegalHere as error:
            return error.reason
    raise AssertionError("a legal move was called illegal")


def parse_role(text: str) -> int:
    """0 landlord, 1 down, 2 up; DouZero's names too."""
    name = text.strip().lower().removeprefix("landlord_") if isinstance(text, str) else text
    if name not in ROLES:
        raise BadlyWritten(text, f"one of {', '.join(ROLES)}")
    return ROLES.index(name)


def deck_text(deal: native.Deal) -> str:
    """`HAND/HAND/HAND/BOTTOM`: seats 0, 1, 2, then the bottom cards."""
    return "/".join(cards_text(cards) for cards in (*deal.hands, deal.bottom))


def parse_deck(text: str) -> native.Deal:
    parts = text.split("/")
    if len(parts) not in (3, 4):
        raise BadlyWritten(text, "HAND/HAND/HAND/BOTTOM")
    hands = [parse_cards(part) for part in parts]
    bottom = hands[3] if len(hands) == 4 else 0
    try:
        return native.Deal((hands[0], hands[1], hands[2]), bottom)
    except ValueError as error:
        raise BadlyWritten(text, f"cards of one deck: {error}") from None


def position_text(state: "DoudizhuState") -> str:
    """A position in one line: `DECK;RULES;SETUP;MOVES`, for links and tests."""
    return ";".join((state.deck(), state.rules, _setup_text(state), ",".join(str(move) for _, move in state.moves())))


def _setup_text(state: "DoudizhuState") -> str:
    return ",".join(f"{key}={value}" for key, value in state.setup().items())


def parse_position(text: str) -> "DoudizhuState":
    """The position written by `position_text`; the last parts may be left out."""
    from mingpai.games.doudizhu.state import start

    parts = [part.strip() for part in text.strip().split(";")]
    if len(parts) > 4:
        raise BadlyWritten(text, "DECK;RULES;SETUP;MOVES")
    deck, rules, setup, moves = parts + [""] * (4 - len(parts))
    state = start(deck, rules, _parse_setup(setup))
    for move in filter(None, moves.split(",")):
        state.play(parse_move(move, state))
    return state


def _parse_setup(setup: str) -> dict[str, int]:
    out = {}
    for item in filter(None, setup.split(",")):
        key, _, value = item.partition("=")
        out[key.strip()] = read_whole(value, f"SETUP {key.strip()[:20]}")
    return out


def game_text(state: "DoudizhuState") -> str:
    """A whole game for people: the cards, the bids, the tricks, one to a line, and the result."""
    deal = state.native.deal()
    lines = [f"rules {state.rules}", f"setup {_setup_text(state)}"]
    lines += [f"hand {seat} {cards_text(cards)}" for seat, cards in enumerate(deal.hands)]
    lines += [f"bottom {cards_text(deal.bottom)}"]
    lines += [f"bid {seat} {move}" for seat, move in state.moves() if isinstance(move, Bid)]
    lines += [" / ".join(trick) for trick in _tricks(state)]
    if state.is_over:
        result = [f"{state.seat_name(seat)} {points:+g}" for seat, points in enumerate(state.points())]
        lines += ["result " + " ".join(result)]
    return "\n".join(lines) + "\n"


def _tricks(state: "DoudizhuState") -> list[list[str]]:
    tricks: list[list[str]] = []
    passes = 2
    for seat, move in state.moves():
        if isinstance(move, Bid):
            continue
        if passes == 2:
            tricks.append([])
            passes = 0
        passes = passes + 1 if move.is_pass else 0
        tricks[-1].append(f"{state.seat_name(seat)} {move}")
    return tricks


def parse_game(text: str) -> "DoudizhuState":
    """The game written by `game_text`, replayed; a result that differs is an error."""
    from mingpai.games.doudizhu.state import start

    facts = {"rules": "", "setup": "", "bottom": "", "result": ""}
    hands = ["", "", ""]
    moves: list[tuple[str, str]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        head, _, rest = line.partition(" ")
        if head in facts:
            facts[head] = rest
            continue
        for item in line.removeprefix("hand ").removeprefix("bid ").split(" / "):
            seat, space, what = item.partition(" ")
            if not space or (head == "hand" and seat not in ("0", "1", "2")):
                raise BadlyWritten(line, "a line of a game: rules, setup, hand, bottom, bid, a trick or result")
            if head == "hand":
                hands[int(seat)] = what
            else:
                moves.append((seat, what))
    state = start("/".join((*hands, facts["bottom"])), facts["rules"], _parse_setup(facts["setup"]))
    for name, move in moves:
        seat_to_move = state.to_move
        if seat_to_move is None or state.seat_name(seat_to_move) != name:
            raise BadlyWritten(f"{name} {move}", "a move of the seat to move")
        state.play(parse_move(move, state))
    if facts["result"] and not game_text(state).endswith(f"result {facts['result']}\n"):
        raise BadlyWritten(f"result {facts['result']}", "the result of these moves")
    return state
