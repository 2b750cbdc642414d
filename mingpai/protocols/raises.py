"""Four ways to write a raise, converted in this one place.

A raise of the seat to move is, for PHH and for us, its total for the street; for ACPC its total for the whole hand; for
Huawei 2015 what it adds to the current bet; for Botzone the chips it puts in now.
"""

from enum import Enum

from mingpai.games.holdem.rules import Chips
from mingpai.games.holdem.state import Position


class Convention(Enum):
    """What the number of a raise means."""

    STREET_TOTAL = "phh"
    HAND_TOTAL = "acpc"
    OVER_BET = "huawei"
    CHIPS_NOW = "botzone"


def street_total(convention: Convention, amount: Chips, position: Position) -> Chips:
    """The total for the street that a raise written in a convention means, for the seat to move."""
    return amount + _offset(convention, position)


def written(convention: Convention, total: Chips, position: Position) -> Chips:
    """How a raise to a total for the street is written in a convention, for the seat to move."""
    return total - _offset(convention, position)


def _offset(convention: Convention, position: Position) -> Chips:
    seat = position.to_move
    assert seat is not None, "nobody is to move"
    bet, paid = position.bets[seat], position.paid[seat]
    ante = min(position.rule_set.to_chips(position.native.ante), position.starting_stacks[seat])
    return {
        Convention.STREET_TOTAL: 0,
        Convention.HAND_TOTAL: bet + ante - paid,
        Convention.OVER_BET: position.current_bet,
        Convention.CHIPS_NOW: bet,
    }[convention]
