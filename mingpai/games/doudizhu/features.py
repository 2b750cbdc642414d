"""Numbers for learning: a view as arrays, and a fixed number for every bid and move.

An observation has planes (counts of 15 ranks) and facts; the names of both come from the native core, which writes the
same layout for one view and for a batch of games.
"""

import functools

import numpy as np
from numpy.typing import NDArray

from mingpai._native import doudizhu as native
from mingpai._native.doudizhu import Phase
from mingpai.games.doudizhu.moves import Action, Bid
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


class ActionNumbers:
    """A fixed number for every bid and every move that exists under some rules."""

    def __init__(self, rules: Rules) -> None:
        self.table = native.MoveTable(rules.native)
        """The moves; their numbers there are 4 lower than here."""
        self.actions: tuple[Action, ...] = (*(Bid(value) for value in range(BIDS)), *self.table.moves())
        """Number -> action."""

    def __len__(self) -> int:
        return len(self.actions)

    def number(self, action: Action) -> int:
        """The number of an action that exists under the rules."""
        if isinstance(action, Bid):
            return action.value
        if (number := self.table.number(action)) < 0:
            raise KeyError(f"{action} does not exist under these rules")
        return BIDS + number

    def mask(self, view: DoudizhuView) -> NDArray[np.int8]:
        """1 at the numbers of the legal actions."""
        mask = np.zeros(len(self.actions), np.int8)
        if view.phase == Phase.PLAY and view.to_move == view.seat:
            mask[BIDS + self.table.numbers(view.native_moves())] = 1
        else:
            mask[[self.number(action) for action in view.legal_moves()]] = 1
        return mask

    def batch_numbers(self, batch: native.Batch) -> NDArray[np.int32]:
        """The numbers of all choices of a batch, in the order of `batch.choices()`."""
        choices = batch.choices()
        numbers = BIDS + self.table.numbers(choices)
        _, facts = batch.observe()
        bidding = np.repeat(facts[:, FACTS.index("phase")] == Phase.BID.value, np.diff(batch.offsets()))
        return np.where(bidding, choices.ranks, numbers).astype(np.int32)

    def batch_mask(self, batch: native.Batch) -> NDArray[np.int8]:
        """1 at the numbers of the legal actions, a row for each game; nothing for games that are over."""
        mask = np.zeros((len(batch), len(self.actions)), np.int8)
        games = np.repeat(np.arange(len(batch)), np.diff(batch.offsets()))
        mask[games, self.batch_numbers(batch)] = 1
        return mask

    def batch_choices(self, batch: native.Batch, numbers: NDArray[np.integer]) -> NDArray[np.int32]:
        """What `batch.step` wants for one action number in each game. Raises ValueError if one is not legal."""
        offsets, known = batch.offsets(), self.batch_numbers(batch)
        games = np.repeat(np.arange(len(batch)), np.diff(offsets))
        places = np.flatnonzero(known == np.asarray(numbers)[games])
        chosen = np.full(len(batch), -1, np.int32)
        chosen[games[places]] = places - offsets[games[places]]
        if (illegal := np.flatnonzero((chosen < 0) & ~batch.over())).size:
            raise ValueError(f"game {illegal[0]}: action {numbers[illegal[0]]} is not legal")
        return chosen


@functools.lru_cache(maxsize=8)
def action_numbers(rules: str = "") -> ActionNumbers:
    """The numbers of the actions under the rules of a name."""
    return ActionNumbers(rules_of(rules))


def action_count(rules: str = "") -> int:
    """How many actions have a number under some rules."""
    return len(action_numbers(rules))


def choice(view: DoudizhuView, action: Action) -> tuple[list[int], int]:
    """The numbers of the legal actions of a view, and that of the one chosen."""
    numbers = action_numbers(view.rule_set.name)
    return [numbers.number(legal) for legal in view.legal_moves()], numbers.number(action)
