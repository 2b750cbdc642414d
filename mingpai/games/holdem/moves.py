"""What a seat can do: fold, check, call, raise to a total for the street."""

from dataclasses import dataclass
from typing import Final

from mingpai._native.holdem import ActionKind
from mingpai.games.holdem.rules import Chips

__all__ = ["CALL", "CHECK", "FOLD", "Action", "ActionKind", "raise_to"]

_WORDS = {ActionKind.FOLD: "fold", ActionKind.CHECK: "check", ActionKind.CALL: "call", ActionKind.RAISE: "raise"}


@dataclass(frozen=True)
class Action:
    """A move. A bet is a raise from nothing; all-in is a raise, or a call, with the whole stack."""

    kind: ActionKind
    to: Chips = 0
    """Of a raise: the seat's total for the street, in chips."""

    def __str__(self) -> str:
        return f"raise {self.to}" if self.kind == ActionKind.RAISE else _WORDS[self.kind]

    @property
    def is_raise(self) -> bool:
        return self.kind == ActionKind.RAISE


FOLD: Final = Action(ActionKind.FOLD)
CHECK: Final = Action(ActionKind.CHECK)
CALL: Final = Action(ActionKind.CALL)


def raise_to(total: Chips) -> Action:
    """Bet or raise to a total for the street."""
    return Action(ActionKind.RAISE, total)
