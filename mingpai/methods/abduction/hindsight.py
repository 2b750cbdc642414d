"""What the others' plays say of their hands: in each world their last decisions are looked at again with the network.

A world in which the network would hardly have played what was really played is unlikely. Passes say as much as plays.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.games.guandan.rules import SEATS
from mingpai.methods.abduction.runtime import Runtime

Doubles = NDArray[np.float64]
SLIP = 0.02
"""Share of plays that the network does not explain: any option, equally likely. Others are not the network."""


@dataclass(frozen=True)
class Weighed:
    """Worlds and what each of them weighs."""

    worlds: abduction.Worlds
    logs: Doubles
    """Logarithms of the weights."""


def ask(runtime: Runtime, tables: abduction.Tables) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """The network's logits of all options of the waiting tables, and their offsets."""
    rows, _, _, pseudo, facts, marks = tables.observe()
    offsets = tables.offsets()
    of = np.repeat(np.arange(len(rows)), np.diff(offsets))
    out = runtime.model.run({"rows": rows, "pseudo": pseudo.astype(np.int64), "facts": facts, "marks": marks, "of": of})
    return out["logits"], offsets


def chances_of(
    logits: NDArray[np.float32], offsets: Sequence[int] | NDArray[np.int32], places: NDArray[np.int32]
) -> Doubles:
    """Probability of the option at a place of each position."""
    starts, counts = np.asarray(offsets[:-1]), np.diff(offsets)
    odds = np.exp(logits.astype(np.float64) - np.repeat(np.maximum.reduceat(logits, starts), counts))
    shares: Doubles = odds[starts + places] / np.add.reduceat(odds, starts)
    return (1 - SLIP) * shares + SLIP / counts


def log_chances(
    runtime: Runtime, round_: native.Round, worlds: abduction.Worlds, plays: int, seats: Sequence[int]
) -> Doubles:
    """Of each world (row) and looked-at play (column, oldest first) the logarithm of its probability in that world.

    The last `plays` plays of each of some seats are looked at; 0 where the world left no choice.
    """
    tables, world, step, places = abduction.Tables.look_back(round_, worlds, plays, runtime.weights, seats)
    logs = np.zeros((len(worlds), int(step.max()) + 1 if len(step) else 0))
    if len(step):
        logs[world, step] = np.log(chances_of(*ask(runtime, tables), places))
    return logs


@dataclass(frozen=True)
class Reader:
    """How worlds are drawn that explain what the others played last."""

    plays: int = 0
    """The last plays of each other seat that are looked at; 0: none, all worlds weigh the same."""
    trust: float = 0.5
    """A hand weighs the probability of its seat's plays to this power."""
    pool: int = 1
    """Hands that are drawn for each that is chosen."""

    def read(self, runtime: Runtime, round_: native.Round, estimate: Doubles | None, count: int, seed: int) -> Weighed:
        """So many worlds and their weights.

        Seat after seat: of `pool` hands one is chosen by how well it explains the plays of its seat, and the rest is
        dealt anew. What the hands weighed on average is the weight of the world, as is the last hand, which follows.
        So weighted means are those of independent worlds that weigh what all plays say (sequential Monte Carlo).
        """
        rng = np.random.default_rng(seed)
        if self.plays == 0 or self.trust == 0:
            return Weighed(abduction.Worlds(round_, estimate, count, seed), np.zeros(count))
        others = [(round_.turn + i) % SEATS for i in range(1, SEATS)]
        worlds = abduction.Worlds(round_, estimate, count, seed)
        logs = np.zeros(count)
        for i, seat in enumerate(others):
            each = self.pool if i < len(others) - 1 else 1
            if each > 1:
                worlds = worlds.redrawn(round_, estimate, others[:i], each, int(rng.integers(2**63)))
            found = self.trust * log_chances(runtime, round_, worlds, self.plays, [seat]).sum(1).reshape(count, each)
            logs += log_mean(found)
            if each > 1:
                best = (found + rng.gumbel(size=found.shape)).argmax(1)
                worlds = worlds.take((each * np.arange(count) + best).astype(np.int32))
        return Weighed(worlds, logs)


def shares_of(logs: Doubles) -> Doubles:
    """Weights from their logarithms, 1 on average."""
    shares = np.exp(logs - logs.max())
    weights: Doubles = shares / shares.mean()
    return weights


def log_mean(logs: Doubles) -> Doubles:
    """Logarithm of the mean of what has these logarithms, row by row."""
    top = logs.max(1)
    means: Doubles = top + np.log(np.exp(logs - top[:, None]).mean(1))
    return means
