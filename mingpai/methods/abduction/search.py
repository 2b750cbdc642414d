"""A short search over worlds drawn from ABLN: the likeliest pseudo-actions are played out by the network itself."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.methods.abduction.runtime import Reading, Runtime

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class SearchPlan:
    """How much is searched, and how its result is weighed against the policy."""

    worlds: int
    """Worlds; the same for every candidate."""
    width: int
    """The most candidates."""
    sure: float
    """A pseudo-action this likely is played without search."""
    least: float
    """Candidates below this share of the likeliest are left out."""
    depth: int
    """Decisions of each play-out before a value replaces the rest; 0: to the end of the round."""
    prior: float
    """Points that a factor e in probability is worth."""


@dataclass(frozen=True)
class Searched:
    """What the search found of its candidates."""

    places: list[int]
    """Places among the options of the reading, as searched."""
    values: Doubles
    """Mean score of each."""
    errors: Doubles
    """Standard error of each value."""
    total: Doubles
    """Value and prior together: the best is played."""
    worlds: int


def candidates(reading: Reading, plan: SearchPlan) -> list[int]:
    """The options worth a search, likeliest first; one if the policy is sure."""
    order = np.argsort(-reading.chances, kind="stable")
    top = reading.chances[order[0]]
    if top >= plan.sure:
        return [int(order[0])]
    return [int(i) for i in order[: plan.width] if reading.chances[i] >= plan.least * top]


def search(
    runtime: Runtime, round_: native.Round, reading: Reading, estimate: Doubles | None, plan: SearchPlan, seed: int
) -> Searched:
    """Plays the candidates out in the same worlds; every seat plays what the network finds likeliest."""
    places = candidates(reading, plan)
    if len(places) == 1:
        return Searched(places, np.array([reading.value]), np.zeros(1), np.zeros(1), 0)
    plays = [reading.plays[i] for i in places]
    tables = abduction.Tables.playouts(round_, plays, estimate, plan.worlds, seed, runtime.weights)
    team = round_.turn % 2
    scores = play_out(runtime, tables, plan.depth)
    by_world = scores.reshape(plan.worlds, len(places)) * (1 if team == 0 else -1)
    values = by_world.mean(0)
    spread = by_world - by_world.mean(1, keepdims=True)
    errors = spread.std(0, ddof=1) / plan.worlds**0.5 if plan.worlds > 1 else np.zeros(len(places))
    total = values + plan.prior * np.log(np.maximum(reading.chances[places], 1e-9))
    return Searched(places, values, errors, total, plan.worlds)


def play_out(runtime: Runtime, tables: abduction.Tables, depth: int) -> Doubles:
    """Score of team 0 at each table: at the end of the round, or as valued after `depth` decisions."""
    steps = 0
    while tables.waiting and (depth == 0 or steps < depth):
        out, offsets = ask(runtime, tables)
        tables.play(likeliest(out["logits"], offsets))
        steps += 1
    scores: Doubles = tables.scores().astype(np.float64)
    if tables.waiting:
        values = ask(runtime, tables)[0]["value"] if runtime.critic is None else open_values(runtime, tables)
        sign = np.where(tables.turns() % 2 == 0, 1.0, -1.0)
        scores[tables.places()] = sign * np.clip(values, -3, 3)
    return scores


def open_values(runtime: Runtime, tables: abduction.Tables) -> Doubles:
    """What the critic says of the waiting tables, whose hands are those of sampled worlds."""
    return runtime.open_values(tables.observe(open=True)[1])


def ask(runtime: Runtime, tables: abduction.Tables) -> tuple[dict[str, NDArray[np.float32]], NDArray[np.int32]]:
    """The network's outputs for all waiting tables, and the offsets of their options."""
    rows, _, _, pseudo, facts = tables.observe()
    offsets = tables.offsets()
    of = np.repeat(np.arange(len(rows)), np.diff(offsets))
    out = runtime.model.run({"rows": rows, "pseudo": pseudo.astype(np.int64), "facts": facts, "of": of})
    return out, offsets


def likeliest(logits: NDArray[np.float32], offsets: Sequence[int] | NDArray[np.int32]) -> NDArray[np.int32]:
    """The place of the first best option of each position."""
    starts = np.asarray(offsets[:-1])
    counts = np.diff(offsets)
    top = np.repeat(np.maximum.reduceat(logits, starts), counts)
    place = np.arange(len(logits)) - np.repeat(starts, counts)
    firsts = np.where(logits == top, place, len(logits))
    return np.ascontiguousarray(np.minimum.reduceat(firsts, starts), np.int32)
