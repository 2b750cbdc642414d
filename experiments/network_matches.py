"""Matches between value networks in training, on duplicate deals, batched natively.

Each deal is played twice, once with each side as the landlord against a pair of the other. Agents meet in the arena
(`mingpai match`); this is for networks that have no agent yet.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from mingpai._native import doudizhu, mcm
from mingpai.core.random import seed_of
from mingpai.methods.mcm.network import ValueNet
from mingpai.methods.mcm.rows import Evaluate, Rows, Values, state_of_each_move

LANDLORD = 0


@dataclass(frozen=True)
class MatchSettings:
    """What is played."""

    deals: int = 1000
    """At most; each is played twice."""
    seed: int = 1
    rules: str = "standard"
    for_points: bool = False
    bid_share: float = 0.0
    """Deals whose landlord is chosen by strength instead of at random."""
    tables: int = 256
    """Deals played side by side."""


@dataclass(frozen=True)
class MatchResult:
    """Sums over the deals so far, from the first side's point of view."""

    wins: NDArray[np.float64]
    """For each deal: share of its two games won, 0, 0.5 or 1."""
    points: NDArray[np.float64]
    """For each deal: mean points of its two games in stakes, those of the landlord or of both farmers together."""
    landlord_rate: float
    """How often the landlord won."""

    @property
    def deals(self) -> int:
        return len(self.wins)

    @property
    def rate(self) -> float:
        return float(self.wins.mean())

    @property
    def error(self) -> float:
        """Standard error of `rate`, deals being the unit."""
        return float(self.wins.std(ddof=1) / math.sqrt(self.deals))

    @property
    def mean_points(self) -> float:
        return float(self.points.mean())

    @property
    def points_error(self) -> float:
        return float(self.points.std(ddof=1) / math.sqrt(self.deals))


def play_deals(landlord: Evaluate, farmers: Evaluate, settings: MatchSettings, seed: int) -> mcm.Batch:
    """Plays `settings.tables` deals to the end: everybody greedy, no exploration."""
    share = 1.0 if settings.for_points else 0.0
    batch = mcm.Batch(
        settings.tables, seed, doudizhu.profile(settings.rules), settings.bid_share, share, deals_again=False
    )
    states = np.zeros((settings.tables, mcm.STATE_SIZE), np.uint8)
    column = int(settings.for_points)
    while batch.options:
        moves = np.zeros((batch.options, mcm.MOVE_SIZE), np.uint8)
        batch.observe(states, moves)
        offsets, turns = batch.offsets(), batch.turns()
        of = state_of_each_move(offsets)
        values = np.zeros(len(moves), np.float32)
        for evaluate, mine in ((landlord, turns == LANDLORD), (farmers, turns > LANDLORD)):
            rows = mine[of]
            if rows.any():
                values[rows] = evaluate(states, moves[rows], of[rows])[:, column]
        batch.play(best_of_each(values, offsets))
    return batch


def best_of_each(values: NDArray[np.float32], offsets: NDArray[np.int32]) -> NDArray[np.int32]:
    """The index of the best move of each table among its own; 0 where it has none."""
    counts = np.diff(offsets)
    live = np.flatnonzero(counts)
    starts = offsets[:-1][live]
    highest = np.repeat(np.maximum.reduceat(values, starts), counts[live])
    hits = np.flatnonzero(values == highest)
    first = hits[np.searchsorted(hits, starts)]
    best = np.zeros(len(counts), np.int32)
    best[live] = first - starts
    return best


def rounds(first: Evaluate, second: Evaluate, settings: MatchSettings) -> Iterator[MatchResult]:
    """Plays batch after batch; yields the result so far after each."""
    wins, points, landlord_wins, played = [], [], 0, 0
    for number in range(math.ceil(settings.deals / settings.tables)):
        seed = seed_of(settings.seed, "match", number)
        as_landlord = play_deals(first, second, settings, seed)
        as_farmers = play_deals(second, first, settings, seed)
        won = as_landlord.winners() == LANDLORD
        held = as_farmers.winners() != LANDLORD
        wins.append((won + 0.0 + held) / 2)
        games = ((as_landlord, won), (as_farmers, held))
        points.append(sum(2.0 ** batch.doublings() * np.where(is_won, 1, -1) for batch, is_won in games))
        landlord_wins += int(won.sum() + (~held).sum())
        played += 2 * settings.tables
        yield MatchResult(np.concatenate(wins), np.concatenate(points), landlord_wins / played)


def evaluate_of(net: ValueNet) -> Evaluate:
    """A network in training as a player."""

    def evaluate(states: Rows, moves: Rows, of: NDArray[np.int64]) -> Values:
        rows = torch.from_numpy(np.ascontiguousarray(moves))
        values: Values = net.values(torch.from_numpy(states), rows, torch.from_numpy(of)).numpy()
        return values

    return evaluate
