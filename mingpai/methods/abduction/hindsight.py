"""What the others' plays say of their hands: in each world their last decisions are looked at again with the network.

A world in which the network would hardly have played what was really played is unlikely. Passes say as much as plays.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.methods.abduction.runtime import Runtime

Doubles = NDArray[np.float64]
SLIP = 0.02
"""Share of plays that the network does not explain: any option, equally likely. Others are not the network."""


@dataclass(frozen=True)
class Weighed:
    """Worlds and what each of them weighs."""

    worlds: abduction.Worlds
    weights: Doubles


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


def log_chances(runtime: Runtime, round_: native.Round, worlds: abduction.Worlds, plays: int) -> Doubles:
    """Of each world (row) and looked-at play (column, oldest first) the logarithm of its probability in that world.

    The last `plays` plays of each other seat are looked at; 0 where the world left no choice.
    """
    tables, world, step, places = abduction.Tables.look_back(round_, worlds, plays, runtime.weights)
    logs = np.zeros((len(worlds), int(step.max()) + 1 if len(step) else 0))
    if len(step):
        logs[world, step] = np.log(chances_of(*ask(runtime, tables), places))
    return logs


def read(
    runtime: Runtime, round_: native.Round, drawn: abduction.Worlds, count: int, plays: int, trust: float, seed: int
) -> Weighed:
    """So many of the drawn worlds, likelier the better they explain what the others played last.

    A world weighs the probability of those plays to the power of `trust`. The choice is systematic: a world that would
    be taken several times is there once and weighs as much more.
    """
    logs = trust * log_chances(runtime, round_, drawn, plays).sum(1)
    shares = np.exp(logs - logs.max())
    if len(drawn) == count:
        return Weighed(drawn, shares / shares.mean())
    start = np.random.default_rng(seed).random()
    ends = np.cumsum(shares) * count / shares.sum() + start
    ends[-1] = count + start
    taken = np.diff(np.floor(np.concatenate([[start], ends])))
    which = np.flatnonzero(taken).astype(np.int32)
    return Weighed(drawn.take(which), taken[which])
