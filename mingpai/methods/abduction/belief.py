"""The estimated hands as a belief: consistent with everything known, and a source of worlds."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction, core
from mingpai.core.decision import Belief
from mingpai.core.game import Seat, State
from mingpai.core.random import Rng
from mingpai.games.guandan.features import KINDS
from mingpai.games.guandan.notation import card_text
from mingpai.games.guandan.rules import SEATS
from mingpai.games.guandan.state import GuandanState
from mingpai.games.guandan.view import MAX_SEED, GuandanView

COPIES = 2
LEAST = 0.01
"""Weight of a card at a seat that may hold it, whatever the estimate says."""


class EstimateBelief(Belief):
    """Worlds weighted by the product of the estimated copies of their cards, over the deals that the view allows."""

    def __init__(self, view: GuandanView, raw: NDArray[np.float64] | None) -> None:
        self.view = view
        self.raw = raw
        """What ABLN said; None without ABLN: counting alone."""
        known = view.knowledge
        self.estimate: NDArray[np.float64] = (
            abduction.counted(known) if raw is None else abduction.project(known, np.ascontiguousarray(raw))
        )
        """The nearest estimate that agrees with what is known: 54 kinds for each other seat, from the next one on."""

    def others(self) -> list[Seat]:
        """The other seats, from the next one on."""
        return [(self.view.seat + i) % SEATS for i in range(1, SEATS)]

    def marginals(self) -> Mapping[str, Mapping[str, float]]:
        rows = self.estimate.reshape(-1, KINDS)
        return {
            str(seat): {card_text(kind): float(row[kind]) for kind in range(KINDS) if row[kind] > 1e-6}
            for seat, row in zip(self.others(), rows, strict=True)
        }

    def sample(self, rng: Rng, count: int) -> Sequence[State]:
        native_rng = core.Rng(int(rng.integers(MAX_SEED)))
        return [self.view.world(self._sampler.sample(native_rng)) for _ in range(count)]

    @cached_property
    def _sampler(self) -> abduction.EstimateSampler:
        return abduction.EstimateSampler(self.view.knowledge, self.estimate)

    def log_prob(self, world: State) -> float:
        assert isinstance(world, GuandanState)
        total = 0.0
        for seat, row, held in zip(self.others(), self._weights, self._held, strict=True):
            copies = np.bincount(world.hand(seat).kinds(), minlength=KINDS) - held
            if (copies < 0).any() or (row[copies > 0] == 0).any():
                return -math.inf
            total += float((copies[copies > 0] * np.log(row[copies > 0])).sum())
        return total + math.log(2) * self._split_kinds(world) - self._log_normaliser

    def _split_kinds(self, world: GuandanState) -> int:
        """Kinds whose two free copies lie at two seats: two physical deals are the same world."""
        hands = [np.bincount(world.hand(seat).kinds(), minlength=KINDS) for seat in self.others()]
        free = np.stack(hands) - self._held
        return int(((free.sum(0) == COPIES) & (free.max(0) == 1)).sum())

    @cached_property
    def _held(self) -> NDArray[np.int64]:
        """Copies that each other seat certainly has."""
        known = self.view.knowledge
        return np.stack([np.bincount(known.held[seat].kinds(), minlength=KINDS) for seat in self.others()])

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        """Of a free copy of each kind at each other seat; 0 where it cannot be."""
        known = self.view.knowledge
        rows = np.maximum(self.estimate.reshape(-1, KINDS), LEAST)
        for row, seat in zip(rows, self.others(), strict=True):
            row[[kind for kind in range(KINDS) if known.barred[seat] >> kind & 1]] = 0
        return rows

    @cached_property
    def _log_normaliser(self) -> float:
        """Logarithm of the sum of the weights of all deals, exactly: kind by kind, over the cards of two seats."""
        known = self.view.knowledge
        room = [known.sizes[seat] - int(held.sum()) for seat, held in zip(self.others(), self._held, strict=True)]
        free = np.bincount(known.unseen.kinds(), minlength=KINDS) - self._held.sum(0)
        sums = np.zeros((room[0] + 1, room[1] + 1))
        sums[0, 0] = 1.0
        log_scale = 0.0
        for kind in np.flatnonzero(free):
            for _ in range(int(free[kind])):
                first, second, third = self._weights[:, kind]
                after = third * sums
                after[1:] += first * sums[:-1]
                after[:, 1:] += second * sums[:, :-1]
                log_scale += math.log(after.max())
                sums = after / after.max()
        return log_scale + math.log(sums[-1, -1])
