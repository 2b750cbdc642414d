"""How cards, positions and moves are written.

A card is rank `23456789TJQKA` and suit `cdhs`, as in `AhKd`; inside, rank * 4 + suit. A move is `fold`, `check`, `call`
or `raise N`, N being the seat's total for the street.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from mingpai.core.errors import BadlyWritten
from mingpai.core.reading import bounded, read_whole
from mingpai.games.holdem.moves import CALL, CHECK, FOLD, Action, raise_to
from mingpai.games.holdem.rules import MAX_SEATS, Chips

if TYPE_CHECKING:
    from mingpai.games.holdem.state import HoldemState, Position

Card = int
"""0 .. 51: rank * 4 + suit, 2c is 0 and As is 51."""

CardSet = int
"""Bit c is card c."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The text of each card."""

DECK: CardSet = (1 << len(CARDS)) - 1

_NUMBER = {text: number for number, text in enumerate(CARDS)}
_CARD_EXPECTED = f"a card, one of {RANKS} followed by one of {SUITS}"


def parse_card(text: str) -> Card:
    """The card written in two characters; the rank may be lower case, the suit upper case, and `10` is a ten."""
    spelled = "T" + text[2:] if text.startswith("10") else text
    number = _NUMBER.get(spelled[:1].upper() + spelled[1:].lower())
    if number is None:
        raise BadlyWritten(text, _CARD_EXPECTED)
    return number


def parse_cards(text: str) -> list[Card]:
    """Cards written one after another, spaces or commas between them or not; none twice."""
    compact = bounded(text, "cards").replace(",", " ").replace("10", "T")
    letters = [(position, letter) for position, letter in enumerate(compact) if not letter.isspace()]
    if len(letters) % 2:
        raise BadlyWritten(text, f"cards of two characters, each {_CARD_EXPECTED}")
    cards: list[Card] = []
    for (position, rank), (_, suit) in zip(letters[::2], letters[1::2], strict=True):
        number = _NUMBER.get(rank.upper() + suit.lower())
        if number is None:
            raise BadlyWritten(text, _CARD_EXPECTED, position)
        if number in cards:
            raise BadlyWritten(text, f"different cards: {CARDS[number]} is written twice", position)
        cards.append(number)
    return cards


def format_cards(cards: Iterable[Card]) -> str:
    """The cards one after another; `??` for a card that is not known."""
    return "".join(CARDS[card] if card < len(CARDS) else "??" for card in cards)


def to_set(cards: Iterable[Card]) -> CardSet:
    result = 0
    for card in cards:
        result |= 1 << card
    return result


def format_hand(cards: Sequence[Card]) -> str:
    """The cards with the highest first."""
    return format_cards(sorted(cards, reverse=True))


_FRONT = ("UTG", "UTG+1", "UTG+2", "UTG+3")
_REAR = ("LJ", "HJ", "CO")


def position_names(dealt: Sequence[int], button: int) -> dict[int, str]:
    """How players call each seat dealt in: BTN, SB, BB, UTG, UTG+1, ..., LJ, HJ, CO."""
    turn = list(dealt).index(button)
    order = [*dealt[turn + 1 :], *dealt[: turn + 1]]
    if len(order) == 2:
        return dict(zip(order, ("BB", "BTN"), strict=True))
    middle = len(order) - 3
    front = max(1, middle - len(_REAR)) if middle else 0
    rear = middle - front
    names = ("SB", "BB", *_FRONT[:front], *_REAR[len(_REAR) - rear :], "BTN")
    return dict(zip(order, names, strict=True))


_MOVE_NAMES = {
    "fold": ("fold", "f", "弃牌"),
    "check": ("check", "k", "x", "过牌"),
    "call": ("call", "跟注"),
    "stay": ("c", "cc"),
    "all-in": ("all-in", "allin", "all in", "all_in", "a", "全下"),
}
"""What a word means; to stay is to check or to call, whichever is possible."""
_MOVE_WORDS = {word: name for name, words in _MOVE_NAMES.items() for word in words}
_RAISE = re.compile(r"^(?:raise(?: to)?|bet|r|b|cbr|加注|下注)\s*(?P<amount>\S+)$")
_SIZES = {"half": Fraction(1, 2), "pot": Fraction(1)}
_MOVE_EXPECTED = "fold, check, call, raise N (N the total for the street; also min, half, pot) or all-in"
AMOUNT = re.compile(r"(?=.{1,24}$)[0-9]+(?:\.[0-9]+|/[1-9][0-9]*)?", re.ASCII)
"""A number of chips as text: `120`, `120.5` or `241/2`, of at most 24 characters."""


def parse_move(text: str, position: "Position") -> Action:
    """The move written in `text`, legal in this position. Raises BadlyWritten or IllegalHere."""
    word = unicodedata.normalize("NFKC", bounded(text, "a move")).strip().lower()
    move = _parse_raise(text, word, position) if word not in _MOVE_WORDS else _parse_word(_MOVE_WORDS[word], position)
    position.verify(move)
    return move


def _parse_word(word: str, position: "Position") -> Action:
    if word == "stay":
        return position.stay()
    if word == "all-in":
        bounds = position.raise_bounds
        return CALL if bounds is None else raise_to(bounds[1])
    return {"fold": FOLD, "check": CHECK, "call": CALL}[word]


def _parse_raise(text: str, word: str, position: "Position") -> Action:
    match = _RAISE.match(word)
    if match is None:
        raise BadlyWritten(text, _MOVE_EXPECTED)
    amount, bounds = match["amount"], position.raise_bounds
    if amount in ("min", *_SIZES) and bounds is not None:
        share = _SIZES.get(amount)
        if share is None:
            return raise_to(bounds[0])
        return position.raise_near(int(position.current_bet + share * (position.pot + position.to_call)))
    return raise_to(parse_amount(amount, text))


def parse_amount(amount: str, text: str) -> Chips:
    """A number of chips: `120`, `120.5` or `241/2`."""
    if not AMOUNT.fullmatch(amount):
        raise BadlyWritten(text, _MOVE_EXPECTED)
    chips = Fraction(amount)
    return chips.numerator if chips.denominator == 1 else chips


_STREET_NAMES = ("preflop", "flop", "turn", "river")


def game_text(state: "HoldemState") -> str:
    """A whole hand for people: the chips, the cards, the streets, one to a line, and the result."""
    setup = state.setup()
    small, big = setup["blinds"]
    lines = [f"rules {state.rules}", "stacks " + " ".join(map(str, setup["stacks"])), f"button {setup['button']}"]
    lines += [f"blinds {small}/{big}", f"ante {setup['ante']}"]
    lines += [f"hand {seat} {format_hand(hand)}" for seat, hand in enumerate(state.native.hands) if hand is not None]
    lines += [f"board {format_cards(state.native.full_board)}"]
    for name, moves in zip(_STREET_NAMES, state.actions_by_street(), strict=False):
        if moves:
            lines.append(f"{name} " + " / ".join(f"{seat} {move}" for seat, move in moves))
    if state.is_over:
        lines.append("result " + " ".join(map(_signed, state.payoffs())))
    return "\n".join(lines) + "\n"


def _signed(chips: Chips) -> str:
    return f"+{chips}" if chips >= 0 else str(chips)


def parse_game(text: str) -> "HoldemState":
    """The hand written by `game_text`, replayed; a result that differs is an error."""
    from mingpai.games.holdem.state import start

    facts: dict[str, str] = {}
    hands: dict[int, str] = {}
    moves: list[tuple[str, str]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        head, _, rest = line.partition(" ")
        if head == "hand":
            seat, _, cards = rest.partition(" ")
            hands[read_whole(seat, "a seat", most=MAX_SEATS - 1)] = cards
        elif head in _STREET_NAMES:
            moves += [(seat, move) for seat, _, move in (item.partition(" ") for item in rest.split(" / "))]
        elif head in ("rules", "stacks", "button", "blinds", "ante", "board", "result"):
            facts[head] = rest
        else:
            raise BadlyWritten(
                line, "a line of a hand: rules, stacks, button, blinds, ante, hand, board, a street, result"
            )
    stacks = facts.get("stacks", "").split()
    button = read_whole(facts.get("button", "0"), "button", most=MAX_SEATS - 1)
    setup = {"stacks": stacks, "button": button, "blinds": facts.get("blinds", ""),
             "ante": facts.get("ante", "0")}  # fmt: skip
    deck = "/".join((*(hands.get(seat, "") for seat in range(len(stacks))), facts.get("board", "")))
    state = start(deck, facts.get("rules", ""), setup)
    for who, move in moves:
        if who != str(state.to_move):
            raise BadlyWritten(f"{who} {move}", "a move of the seat to move")
        state.play(parse_move(move, state))
    if "result" in facts and not game_text(state).endswith(f"result {facts['result']}\n"):
        raise BadlyWritten(f"result {facts['result']}", "the result of these moves")
    return state
