"""Numbers for learning: a view as arrays, and a fixed number for every bid and move.

An observation has planes (counts of 15 ranks) and facts; the names of both come from the native core, which writes the
same layout for one view and for a batch of games.
"""

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mingpai._native import doudizhu as native
from mingpai.games.doudizhu.moves import Action, Bid, Move
from mingpai.games.doudizhu.rules import Rules, rules_of
from mingpai.games.doudizhu.view import DoudizhuView

FEATURE_VERSION: int = native.FEATURE_VERSION
"""Models store it and refuse another."""

PLANES: tuple[str, ...] = native.plane_names()
FACTS: tuple[str, ...] = native.fact_names()
RANKS = len(native.RANKS)
OBSERVATION_SIZE = len(PLANES) * RANKS + len(FACTS)

NOBODY = 255
"""In facts: no role yet, no owner of the move to beat."""

BIDS = 4
"""Bids take the action numbers 0 to 3, moves the numbers from 4 on."""


def observe(view: DoudizhuView) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The planes (planes, 15) and facts of a view."""
    return view.native.observe()


def observation(view: DoudizhuView) -> NDArray[np.float32]:
    """Planes and facts in one row."""
    planes, facts = observe(view)
    return np.concatenate((planes.reshape(-1), facts)).astype(np.float32)


@dataclass(frozen=True)
class ActionNumbers:
    """A fixed number for every bid and every move that exists under some rules."""

    actions: tuple[Action, ...]
    """Number -> action."""
    numbers: dict[Action, int]
    """Action -> number."""

    def __len__(self) -> int:
        return len(self.actions)

    def number(self, action: Bid | Move) -> int:
        return self.numbers[action]

    def mask(self, view: DoudizhuView) -> NDArray[np.int8]:
        """1 at the numbers of the legal actions."""
        mask = np.zeros(len(self.actions), np.int8)
        for action in view.legal_moves():
            mask[self.numbers[action]] = 1
        return mask


@functools.lru_cache(maxsize=8)
def action_numbers(rules: str = "") -> ActionNumbers:
    """The numbers of the actions under the rules of a name."""
    return _numbered(rules_of(rules))


def action_count(rules: str = "") -> int:
    """How many actions have a number under some rules."""
    return len(action_numbers(rules))


def choice(view: DoudizhuView, action: Bid | Move) -> tuple[list[int], int]:
    """The numbers of the legal actions of a view, and that of the one chosen."""
    numbers = action_numbers(view.rule_set.name).numbers
    return [numbers[legal] for legal in view.legal_moves()], numbers[action]


def _numbered(rules: Rules) -> ActionNumbers:
    actions = (*(Bid(value) for value in range(BIDS)), *native.all_moves(rules.native))
    return ActionNumbers(actions, {action: number for number, action in enumerate(actions)})
