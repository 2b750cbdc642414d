"""Numbers for learning: a view as one row, and a fixed number for every kind of action."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mingpai._native.holdem import Street
from mingpai.games.holdem.moves import FOLD, Action, raise_to
from mingpai.games.holdem.notation import CARDS
from mingpai.games.holdem.rules import MAX_SEATS
from mingpai.games.holdem.state import BET_SIZES
from mingpai.games.holdem.view import HoldemView

FEATURE_VERSION: Final = 1
"""Models store it and refuse another."""

ACTIONS: Final = ("fold", "check or call", "raise min", *(f"raise {float(size):g} pot" for size in BET_SIZES), "all-in")
"""Number -> what it means; the size of a raise depends on the view."""

FIRST_RAISE: Final = 2
"""Number of the smallest raise; those above are larger ones."""
STREETS: Final = 4
SEAT_FACTS: Final = ("is dealt in", "is live", "stack", "bet", "paid")
"""Per seat, counted from the own seat on; chips in big blinds."""
TABLE_FACTS: Final = ("pot", "to call", "current bet", "distance to the button")
OBSERVATION_SIZE: Final = 2 * len(CARDS) + STREETS + len(TABLE_FACTS) + MAX_SEATS * len(SEAT_FACTS)


def observation(view: HoldemView) -> NDArray[np.float32]:
    """Own cards, open cards, street, the table and each seat in one row."""
    row = np.zeros(OBSERVATION_SIZE, np.float32)
    for card in view.hand or ():
        row[card] = 1
    for card in view.board:
        row[len(CARDS) + card] = 1
    at = 2 * len(CARDS)
    row[at + min(view.street.value, STREETS - 1)] = 1
    at += STREETS
    big = float(view.big_blind)
    row[at : at + len(TABLE_FACTS)] = (
        float(view.pot) / big,
        float(view.to_call) / big,
        float(view.current_bet) / big,
        (view.button - view.seat) % view.seats,
    )
    at += len(TABLE_FACTS)
    stacks, bets, paid = view.stacks, view.bets, view.paid
    dealt, live = set(view.dealt_seats), set(view.live_seats)
    for place in range(view.seats):
        seat = (view.seat + place) % view.seats
        facts = (
            seat in dealt,
            seat in live,
            float(stacks[seat]) / big,
            float(bets[seat]) / big,
            float(paid[seat]) / big,
        )
        row[at + place * len(SEAT_FACTS) : at + (place + 1) * len(SEAT_FACTS)] = facts
    return row


def numbered_actions(view: HoldemView) -> dict[int, Action]:
    """The legal actions by number; sizes that fall together keep the lowest number."""
    legal, bounds = view.native.legal(), view.raise_bounds
    if view.to_move != view.seat or view.street == Street.OVER:
        return {}
    moves: dict[int, Action] = {1: view.stay()}
    if legal.fold:
        moves[0] = FOLD
    if bounds is not None:
        pot = view.pot + view.to_call
        wanted = [bounds[0], *(view.current_bet + int(size * pot) for size in BET_SIZES), bounds[1]]
        for number, total in enumerate(wanted, start=FIRST_RAISE):
            move = raise_to(total)
            if bounds[0] <= total <= bounds[1] and move not in moves.values():
                moves[number] = move
    return dict(sorted(moves.items()))


def mask(view: HoldemView) -> NDArray[np.int8]:
    """1 at the numbers of the legal actions."""
    legal = np.zeros(len(ACTIONS), np.int8)
    legal[list(numbered_actions(view))] = 1
    return legal


def action_count(rules: str = "") -> int:
    """How many actions have a number; the same under all rules."""
    return len(ACTIONS)


def choice(view: HoldemView, action: Action) -> tuple[list[int], int]:
    """The numbers of the legal actions of a view, and that of the action chosen; a raise of another size counts as the
    nearest one."""
    numbered = numbered_actions(view)
    exact = next((number for number, legal in numbered.items() if legal == action), None)
    if exact is not None:
        return list(numbered), exact
    raises = {number: legal for number, legal in numbered.items() if number >= FIRST_RAISE}
    return list(numbered), min(raises, key=lambda number: abs(float(raises[number].to) - float(action.to)))


assert Street.RIVER.value == STREETS - 1
