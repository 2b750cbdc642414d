"""The bridge from a view of Dou Dizhu to the native players: seats become roles, the history what was observed."""

from mingpai._native.ruleplay import Situation
from mingpai.core.game import View
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.state import SEATS
from mingpai.games.doudizhu.view import DoudizhuView


def doudizhu_view(view: View) -> DoudizhuView:
    """The view as the view of Dou Dizhu that it is."""
    assert isinstance(view, DoudizhuView), f"a view of {view.game.name}"
    return view


def role_of(view: DoudizhuView, seat: int) -> int:
    """0 landlord, 1 the seat after him, 2 the seat before him. Only once there is a landlord."""
    assert view.landlord is not None
    return (seat - view.landlord) % SEATS


def seat_of(view: DoudizhuView, role: int) -> int:
    """The seat that plays a role."""
    assert view.landlord is not None
    return (role + view.landlord) % SEATS


def situation_of(view: DoudizhuView) -> Situation:
    """What the view's seat knows of the play, as the native core takes it."""
    counts = [view.counts[seat_of(view, role)] for role in range(SEATS)]
    moves = [(role_of(view, step.seat), step.action) for step in view.steps if not isinstance(step.action, Bid)]
    return Situation(
        view.rule_set.native,
        role_of(view, view.seat),
        view.hand,
        (counts[0], counts[1], counts[2]),
        view.native.bottom,
        view.deck,
        moves,
    )
