"""Table 1 of paper 002 in plain Python, from a full state: to compare the native encoder with."""

from mingpai.games.guandan.moves import Type
from mingpai.games.guandan.state import GuandanState

KINDS, SEATS, HISTORY = 54, 4, 7


def one_hot(place: int, size: int) -> list[int]:
    return [int(i == place) for i in range(size)]


def copies(kinds: list[int]) -> list[int]:
    return [kinds.count(kind) for kind in range(KINDS)]


def encode(state: GuandanState, seat: int) -> list[int]:
    """Flat part, then the last seven plays, oldest first; seats from the viewer on."""
    seats = [(seat + i) % SEATS for i in range(SEATS)]
    hand = state.hand(seat).kinds()
    row = one_hot(state.level, 13) + one_hot(seat, SEATS) + one_hot(hand.count(4 * state.level + 1), 3) + copies(hand)
    for other in seats:
        row += one_hot(len(state.hand(other)), KINDS)
    plays = [(who, play) for who, play in state.moves() if play.type not in (Type.TRIBUTE, Type.RETURN)]
    for other in seats:
        row += copies([kind for who, play in plays if who == other for kind in play.cards.kinds()])
    last = plays[-HISTORY:]
    row += [0] * (KINDS + SEATS) * (HISTORY - len(last))
    for who, play in last:
        row += copies(play.cards.kinds()) + one_hot((who - seat) % SEATS, SEATS)
    return row
