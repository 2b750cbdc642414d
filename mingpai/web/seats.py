"""Seats as people at a table call them: by direction and role, never by number."""

from collections.abc import Callable

from mingpai.core.game import State
from mingpai.core.reasons import Language
from mingpai.games.doudizhu.notation import ROLES
from mingpai.games.holdem.state import HoldemState
from mingpai.web.texts import text

DIRECTIONS = {3: ("me", "right", "left"), 4: ("me", "right", "top", "left")}
"""Where the next seats sit: the one who plays after you is on your right."""


def place(seat: int, viewer: int, seats: int) -> str:
    """Where a seat is seen from another: me, left, right, top; at hold'em the number of places to the left."""
    step = (seat - viewer) % seats
    return DIRECTIONS[seats][step] if seats in DIRECTIONS else "me" if step == 0 else str(step)


def direction(seat: int, viewer: int, seats: int, language: Language) -> str:
    """A seat by its direction, in words."""
    where = place(seat, viewer, seats)
    if where.isdigit():
        return text("dir_nth", language, number=where)
    return text("you" if where == "me" else f"dir_{where}", language)


def seat_words(state: State, viewer: int, language: Language) -> Callable[[object], str]:
    """How the seats of a deal are called, asked by number or by the name that agents use."""

    def word(seat: object) -> str:
        name = str(seat)
        if name in ROLES:
            return text(f"role_{name}", language)
        if not name.isdigit() or int(name) >= state.seats:
            return name
        number = int(name)
        if isinstance(state, HoldemState) and number in state.dealt_seats and number != viewer:
            return state.position_name(number)
        role = state.seat_name(number)
        if role in ROLES and number != viewer:
            return text(f"role_{role}", language)
        return direction(number, viewer, state.seats, language)

    return word
