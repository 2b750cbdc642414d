"""Stage 2 once more: a player as a member of a family of styles, its numbers learned from what he does.

A player of the family takes his equity against uniform hands, as DFModel does, and compares it with thresholds of his
own: how many hands he enters and raises with, what he bets and calls with, how often he bluffs. Each number has a
distribution over a grid of values, and every action seen, and every hand shown, narrows it (native/handreading/family).
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from mingpai._native import handreading as native
from mingpai.agents.holdem_styles import Style
from mingpai.methods.handreading.betsizes import BetSizes
from mingpai.methods.handreading.foldrates import FoldRates
from mingpai.methods.handreading.hands import COMBOS, Floats
from mingpai.methods.handreading.infer import board_on, unblocked
from mingpai.methods.handreading.model import Board
from mingpai.methods.handreading.understand import Act, Seen

LEARNED = tuple(field.name for field in fields(Style) if field.name != "samples")
"""The numbers of a style that are learned."""
DRAWN = 16
"""Players drawn from what is known of one."""
READ_AS = 8
"""Players drawn to read hands with, so that little is read from a player who is not known."""
OPENING_SIZES = (2.0, 8.0)
"""Opening raises between these many big blinds count for the player's size; others are pushes."""


FLOP_RUNOUTS = 48
"""Completions of a flop behind a place on the axis; turns and rivers are exact."""


@functools.lru_cache(maxsize=2048)
def shares(board: Board) -> tuple[Floats, Floats]:
    """Mean and spread of the share of each combination against one uniform hand."""
    _, equity, spread, _, _ = native.strengths(sum(1 << card for card in board), FLOP_RUNOUTS, 0)
    return equity, spread


@functools.lru_cache(maxsize=4096)
def axis(board: Board, others: int) -> Floats:
    """Where each combination stands: share of better starting hands, or equity against `others` uniform hands."""
    if not board:
        return native.starting_places()
    return native.multiway(*shares(board), max(others, 1))


def lateness(seat: int, seats: int) -> float:
    """1 on the button, 0.5 next to it; blinds 0. Seats in the order of action after the flop."""
    if seat < (2 if seats > 2 else 1):
        return 0.0
    return {0: 1.0, 1: 0.5}.get(seats - 1 - seat, 0.0)


def situation_of(seen: Seen) -> native.BettingSpot:
    """What the player faced, as the family looks at it."""
    cost = float(seen.to_call)
    return native.BettingSpot(
        seen.street == 0, cost <= 0, seen.street == 1 and seen.was_aggressor, max(seen.live - 1, 1), seen.raises,
        cost / max(float(seen.pot) + cost, 1e-9), cost / max(float(seen.big_blind), 1e-9),
        lateness(seen.seat, seen.seats),
    )  # fmt: skip


_ANSWERS = {Act.FOLD: native.Answer.FOLD, Act.CHECK: native.Answer.CALL, Act.CALL: native.Answer.CALL}


def answer_of(act: Act) -> native.Answer:
    """Fold, call (or check), raise."""
    return _ANSWERS.get(act, native.Answer.RAISE)


def has_size(seen: Seen) -> bool:
    """A bet or raise after the flop: its size may tell of the hand."""
    return seen.street > 0 and seen.act.is_raise


def place_of(seen: Seen, board: Board) -> Floats:
    """Where each combination stands for the player: 0.5 is an average hand, however many are in the pot."""
    others = max(seen.live - 1, 1)
    place: Floats = axis(board, others) ** np.float32(np.log(2) / np.log(others + 1))
    return place


class FamilyModel:
    """A player of the family, with what has been learned of him."""

    def __init__(self, learner: native.Learner | None = None) -> None:
        self.learner = learner or native.Learner()
        self.fold_rates = FoldRates()
        self.bet_sizes = BetSizes()
        self._read()

    def _read(self) -> None:
        self._style = self.learner.style
        self._drawn = self.learner.draw(READ_AS, 0)

    @property
    def style(self) -> native.Style:
        """The player as far as known: the mean of every number."""
        return self._style

    def likely(self, seed: int) -> list[native.Style]:
        """Players that may be this one."""
        return self.learner.draw(DRAWN, seed & (2**63 - 1))

    def likelihood(self, seen: Seen, board: Board, weights: Floats | None = None) -> Floats:
        chances = self.responses(seen, board, weights)[0 if seen.act is Act.FOLD else 2 if seen.act.is_raise else 1]
        return chances * self.bet_sizes.likelihood(seen, place_of(seen, board)) if has_size(seen) else chances

    def responses(self, seen: Seen, board: Board, weights: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        fold, call, again = native.respond(self._drawn, situation_of(seen), axis(board, seen.live - 1))
        return fold, call, again

    def learn(self, seen: Sequence[Seen], board: Sequence[int], known: Sequence[int], shown: int | None,
              read: bool = True, at_large_table: bool = False) -> None:  # fmt: skip
        """Learn from all actions of the player in a finished hand; `shown` is his combination if it was seen.

        `known` are one's own cards. Without `read` the hands behind his earlier actions are left uniform.
        """
        public = unblocked([*board, *known])
        held = np.zeros(COMBOS, np.float32)
        if shown is not None:
            held[shown] = 1
        for number, item in enumerate(seen):
            known_board = board_on(board, item.street)
            if item.to_call > 0 and (item.street > 0 or item.raises > 0):
                predicted = float(public @ self.responses(item, known_board)[0]) / float(public.sum())
                has_raised = any(own.street == item.street and own.act.is_raise for own in seen[:number])
                self.fold_rates.see(item, predicted, has_raised, at_large_table)
            place = axis(known_board, item.live - 1)
            self.learner.observe(situation_of(item), answer_of(item.act), place, public if shown is None else held)
            self._learn_size(item)
            if read:
                public = public * self.likelihood(item, known_board)
                public = public / max(float(public.sum()), 1e-30)
            if has_size(item):
                self.bet_sizes.see(item, place_of(item, known_board), public if shown is None else held)
        self.fold_rates.end_hand()
        self._read()

    def _learn_size(self, seen: Seen) -> None:
        if not seen.act.is_raise or seen.is_all_in:
            return
        blinds = 1 + float(seen.amount - seen.to_call) / max(float(seen.big_blind), 1e-9)
        if seen.street > 0:
            self.learner.observe_size(False, seen.share)
        elif seen.raises == 0 and OPENING_SIZES[0] <= blinds <= OPENING_SIZES[1]:
            self.learner.observe_size(True, blinds)

    def to_json(self) -> dict[str, Any]:
        return {"learner": self.learner.state(), "folds": self.fold_rates.to_json(),
                "sizes": self.bet_sizes.to_json()}  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "FamilyModel":
        learner = native.Learner()
        learner.restore([list(row) for row in data["learner"]])
        made = cls(learner)
        made.fold_rates = FoldRates.from_json(data["folds"])
        made.bet_sizes = BetSizes.from_json(data["sizes"])
        return made

    def note(self) -> Mapping[str, Any]:
        """The numbers of the style, for the Decision."""
        return {name: round(getattr(self._style, name), 3) for name in LEARNED}
