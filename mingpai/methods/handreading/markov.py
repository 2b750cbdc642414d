"""The Markov baseline of hand prediction: categories move from street to street, actions are seen through them.

States are the eleven categories. A hidden Markov model with counted probabilities: how a category changes when the
board changes (seen as its pairing, suits and connections, not its ranks), and how often each category acts in each way.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from mingpai.games.holdem.notation import parse_cards
from mingpai.methods.handreading.features import board_texture
from mingpai.methods.handreading.hands import HAND_CLASSES, combo, hand_class
from mingpai.methods.handreading.infer import board_on
from mingpai.methods.handreading.predict import Doubles
from mingpai.methods.handreading.understand import Act, Seen, street_actions, understand
from mingpai.records.handhistory import BOARD_SIZES, STREETS, HandHistory

CLASSES = len(HAND_CLASSES)
ACTIONS = len(Act) * 4
"""A street's action with its count of raises (0, 1, 2, 3 or more)."""
BOARD_KEYS = 2 * 3 * 4
"""Unpaired or paired; at most two, three, four of a suit; connection in four steps."""
PRIOR = 2.0
"""Observations that the coarser table is worth in the finer one."""


def board_key(board: Sequence[int]) -> int:
    """Pairing, suits and connections of a board as one number."""
    paired, _, _, three_suited, four_suited, three_in_row, four_in_row, _, _ = board_texture(tuple(board))
    suits = 2 if four_suited else 1 if three_suited else 0
    connection = 3 if four_in_row and three_suited + four_suited else 2 if four_in_row else 1 if three_in_row else 0
    return int(paired) * 12 + suits * 4 + connection


def action_key(act: Act, raises: int) -> int:
    """A street's action as one number."""
    return int(act) * 4 + min(raises, 3)


class MarkovModel:
    """Counted probabilities of starts, changes and actions."""

    def __init__(self, hands: Iterable[HandHistory]) -> None:
        starts = np.zeros(CLASSES)
        changes = np.zeros((len(STREETS), BOARD_KEYS, CLASSES, CLASSES))
        actions = np.zeros((len(STREETS), CLASSES, ACTIONS))
        for hand in hands:
            self._count(hand, starts, changes, actions)
        self.starts = _shares(starts + 1)
        # Rare boards lean on all boards of the street, rare categories on all categories.
        any_class = _shares(changes.sum(axis=2, keepdims=True) + _shares(changes.sum(axis=(1, 2), keepdims=True) + 0.1))
        any_board = _shares(changes.sum(axis=1, keepdims=True) + PRIOR * any_class)
        self.changes = _shares(changes + PRIOR * any_board)
        self.actions = _shares(actions + PRIOR * _shares(actions.sum(axis=1, keepdims=True) + 0.1))

    @staticmethod
    def _count(hand: HandHistory, starts: Doubles, changes: Doubles, actions: Doubles) -> None:
        board = parse_cards(hand.board)
        by_street = street_actions(understand(hand))
        for seat, text in enumerate(hand.hole):
            if text is None:
                continue
            held, before = combo(*parse_cards(text)), -1
            for street in range(len(STREETS)):
                if (seat, street) not in by_street:
                    break
                now = hand_class(held, board_on(board, street))
                if street == 0:
                    starts[now] += 1
                else:
                    changes[street, board_key(board[: BOARD_SIZES[street]]), before, now] += 1
                action = by_street[seat, street]
                actions[street, now, action_key(action.act, action.raises)] += 1
                before = now

    def predict(self, seen: Sequence[Seen], board: Sequence[int], seats: Sequence[int]) -> dict[int, Doubles]:
        """Forward filtering of the categories for each seat."""
        by_street = street_actions(seen)
        last = BOARD_SIZES.index(len(board))
        beliefs = {}
        for seat in seats:
            belief = self.starts
            for street in range(last + 1):
                if street:
                    belief = belief @ self.changes[street, board_key(board[: BOARD_SIZES[street]])]
                if (seat, street) in by_street:
                    action = by_street[seat, street]
                    belief = _shares(belief * self.actions[street, :, action_key(action.act, action.raises)])
            beliefs[seat] = belief
        return beliefs


def _shares(counts: Doubles) -> Doubles:
    shares: Doubles = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1e-300)
    return shares
