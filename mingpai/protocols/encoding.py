"""A game as learning libraries want it: rows of numbers, numbered actions, masks. One for each game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai.core.errors import BadSetting
from mingpai.core.game import View


@dataclass(frozen=True)
class Encoding:
    """How views and moves of a game become numbers. Features and their versions live with the games."""

    actions: int
    """Number of actions that exist under the rules."""
    observation_size: int
    observe: Callable[[Any], NDArray[np.float32]]
    """A view as one row."""
    mask: Callable[[Any], NDArray[np.int8]]
    """1 at the numbers of the legal actions of the view's seat."""
    move: Callable[[Any, int], Any]
    """The move that a number stands for in a view."""


def encoding_of(game: str, rules: str = "") -> Encoding:
    """The encoding of a game under a rule profile."""
    makers = {"doudizhu": _doudizhu, "guandan": _guandan, "holdem": _holdem}
    if game not in makers:
        raise BadSetting("game", game, f"one of {', '.join(makers)}")
    return makers[game](rules)


def _doudizhu(rules: str) -> Encoding:
    from mingpai.games.doudizhu import features

    numbers = features.action_numbers(rules)
    return Encoding(
        len(numbers), features.OBSERVATION_SIZE, features.observation, numbers.mask,
        lambda view, number: numbers.actions[number],
    )  # fmt: skip


def _guandan(rules: str) -> Encoding:
    from mingpai.games.guandan import features

    return Encoding(
        features.ACTIONS, features.OBSERVATION_SIZE, features.observation, features.action_mask, features.concrete
    )


def _holdem(rules: str) -> Encoding:
    from mingpai.games.holdem import features

    return Encoding(
        len(features.ACTIONS), features.OBSERVATION_SIZE, features.observation, features.mask,
        lambda view, number: features.numbered_actions(view)[number],
    )  # fmt: skip


def empty_mask(encoding: Encoding) -> NDArray[np.int8]:
    """The mask of a seat that is not to move."""
    return np.zeros(encoding.actions, np.int8)


def mask_of(encoding: Encoding, view: View) -> NDArray[np.int8]:
    """The mask of a view, empty when another seat is to move or the deal is over."""
    return encoding.mask(view) if view.to_move == view.seat else empty_mask(encoding)
