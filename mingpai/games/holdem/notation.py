"""How cards are written: rank `23456789TJQKA` and suit `cdhs`, as in `AhKd`. Inside, a card is rank * 4 + suit."""

from collections.abc import Iterable, Sequence

from mingpai.core.errors import BadlyWritten

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
    compact = text.replace(",", " ").replace("10", "T")
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
    return "".join(CARDS[card] for card in cards)


def to_set(cards: Iterable[Card]) -> CardSet:
    result = 0
    for card in cards:
        result |= 1 << card
    return result


def from_set(cards: CardSet) -> list[Card]:
    """The cards of a set, lowest first."""
    return [card for card in range(len(CARDS)) if cards >> card & 1]


def format_hand(cards: Sequence[Card]) -> str:
    """The cards with the highest first."""
    return format_cards(sorted(cards, reverse=True))
