"""A short search over worlds drawn from ABLN: the likeliest pseudo-actions are played out by the network itself."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.core.random import seed_of
from mingpai.methods.abduction.hindsight import Reader, ask, shares_of
from mingpai.methods.abduction.runtime import SCORES, Reading, Runtime

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
    rounds: int = 1
    """The worlds are played in so many parts; after each, candidates that promise nothing more are left out."""
    reader: Reader = field(default_factory=Reader)
    """How the worlds are drawn."""


PROMISE = 0.004
"""Points that looking further at a candidate must promise, or it is left out: time goes to decisions that are close."""


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
    """Value and prior together: the best is played. -inf where a candidate was left out on the way."""
    worlds: int
    """Worlds of the candidates that stayed."""


def candidates(reading: Reading, plan: SearchPlan) -> list[int]:
    """The options worth a search, likeliest first; one if the policy is sure."""
    order = np.argsort(-reading.chances, kind="stable")
    top = reading.chances[order[0]]
    if top >= plan.sure:
        return [int(order[0])]
    return [int(i) for i in order[: plan.width] if reading.chances[i] >= plan.least * top]


@dataclass(frozen=True)
class Question:
    """A decision to be searched."""

    round: native.Round
    """As the seat to move sees it."""
    reading: Reading
    estimate: Doubles | None
    """Worlds are drawn by it; None: evenly."""
    seed: int


def search(
    runtime: Runtime, round_: native.Round, reading: Reading, estimate: Doubles | None, plan: SearchPlan, seed: int
) -> Searched:
    """Plays the candidates on in the same worlds; every seat plays what the network finds likeliest."""
    return search_all(runtime, [Question(round_, reading, estimate, seed)], plan)[0]


def search_all(runtime: Runtime, questions: Sequence[Question], plan: SearchPlan) -> list[Searched]:
    """The same for several decisions at once, each as if alone."""
    open_ = [Open(question, plan) for question in questions]
    for part, worlds in enumerate(parts_of(plan.worlds, plan.rounds)):
        asked = [one for one in open_ if len(one.left) > 1]
        if not asked:
            break
        tables = abduction.Tables.joined([one.playouts(runtime, worlds, part) for one in asked])
        scores = play_out(tables, plan.depth, runtime_choices(runtime), runtime_values(runtime))
        ends = np.cumsum([worlds * len(one.left) for one in asked])
        for one, part_scores in zip(asked, np.split(scores, ends[:-1]), strict=True):
            one.add(part_scores.reshape(worlds, len(one.left)))
    return [one.result() for one in open_]


class Open:
    """A decision in search: what its candidates scored so far, and which of them are still open."""

    def __init__(self, question: Question, plan: SearchPlan) -> None:
        self.question, self.plan = question, plan
        self.places = candidates(question.reading, plan)
        self.prior = plan.prior * np.log(np.maximum(question.reading.chances[self.places], 1e-9))
        self.seen: list[Doubles] = [np.zeros(0) for _ in self.places]
        self.logs: Doubles = np.zeros(0)
        self.left = list(range(len(self.places)))

    def draw(self, runtime: Runtime, worlds: int, part: int) -> abduction.Worlds:
        """The worlds of a part."""
        q = self.question
        seed = seed_of(q.seed, "part", part) if part else q.seed
        weighed = self.plan.reader.read(runtime, q.round, q.estimate, worlds, seed)
        self.logs = np.concatenate([self.logs, weighed.logs])
        return weighed.worlds

    def playouts(self, runtime: Runtime, worlds: int, part: int) -> abduction.Tables:
        """A table for each world of a part and open candidate."""
        plays = [self.question.reading.plays[self.places[i]] for i in self.left]
        drawn = self.draw(runtime, worlds, part)
        return abduction.Tables.playouts(self.question.round, plays, drawn, runtime.weights)

    def add(self, scores: Doubles) -> None:
        """Scores of team 0, by world of the part and open candidate."""
        sign = 1 if self.question.round.turn % 2 == 0 else -1
        for i, column in zip(self.left, sign * scores.T, strict=True):
            self.seen[i] = np.concatenate([self.seen[i], column])
        self.left = still_open(self.seen, self.prior, self.left, shares_of(self.logs))

    def result(self) -> Searched:
        if len(self.places) == 1:
            return Searched(self.places, np.array([self.question.reading.value]), np.zeros(1), np.zeros(1), 0)
        found = [mean_and_error(column, shares_of(self.logs[: len(column)])) for column in self.seen]
        values, errors = np.array(found).T
        total = np.full(len(self.places), -np.inf)
        total[self.left] = values[self.left] + self.prior[self.left]
        return Searched(self.places, values, errors, total, len(self.seen[self.left[0]]))


def mean_and_error(values: Doubles, weights: Doubles) -> tuple[float, float]:
    """Weighted mean and its standard error; 0 where nothing can be said of it."""
    mean = float(np.average(values, weights=weights))
    effective = weights.sum() ** 2 / (weights**2).sum()
    if effective <= 1:
        return mean, 0.0
    spread = float(((weights * (values - mean)) ** 2).sum()) ** 0.5 / float(weights.sum())
    return mean, spread * float(effective / (effective - 1)) ** 0.5


def parts_of(worlds: int, rounds: int) -> list[int]:
    """The worlds of each part, nearly equal."""
    ends = [worlds * (i + 1) // rounds for i in range(rounds)]
    return [count for count in np.diff([0, *ends]).tolist() if count]


def still_open(seen: list[Doubles], prior: Doubles, left: list[int], weights: Doubles) -> list[int]:
    """The best and the candidates that may still turn out better by enough, all seen in the same weighed worlds."""
    best = max(left, key=lambda i: float(np.average(seen[i], weights=weights)) + prior[i])
    kept = []
    for i in left:
        apart, error = mean_and_error(seen[best] - seen[i], weights)
        if i == best or len(weights) < 2 or promise(apart + prior[best] - prior[i], error) > PROMISE:
            kept.append(i)
    return kept


def promise(lead: float, error: float) -> float:
    """What is gained on average by knowing exactly a difference that was found to be `lead`, with a standard error."""
    if error == 0:
        return 0.0
    z = lead / error
    return error * (math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * math.erfc(z / math.sqrt(2)) / 2)


def play_out(
    tables: abduction.Tables, depth: int, choose: Callable[[abduction.Tables], NDArray[np.int32]],
    value: Callable[[abduction.Tables], Doubles], worth: Callable[[Doubles], Doubles] = np.asarray,
) -> Doubles:  # fmt: skip
    """Score of team 0 at each table: at the end of the round, or as valued after `depth` decisions.

    `worth`: what scores are worth, where that is not the score."""
    steps = 0
    while tables.waiting and (depth == 0 or steps < depth):
        steps += 1
        tables.play(choose(tables), facts=steps != depth)
    return valued(tables, value, worth)


def valued(
    tables: abduction.Tables, value: Callable[[abduction.Tables], Doubles],
    worth: Callable[[Doubles], Doubles] = np.asarray,
) -> Doubles:  # fmt: skip
    """Score of team 0 at each table: as it ended, or as the position is valued for the seat to move."""
    scores: Doubles = worth(tables.scores().astype(np.float64))
    if tables.waiting:
        sign = np.where(tables.turns() % 2 == 0, 1.0, -1.0)
        most = worth(np.array([float(max(SCORES))]))
        scores[tables.places()] = sign * np.clip(value(tables), -most, most)
    return scores


def judged(
    runtime: Runtime, round_: native.Round, plays: list[native.Play], estimate: Doubles | None, worlds: int, seed: int
) -> Doubles:
    """What the judge expects for the seat to move after each play: the mean over the same worlds for all of them."""
    drawn = abduction.Worlds(round_, estimate, worlds, seed)
    tables = abduction.Tables.playouts(round_, plays, drawn, runtime.weights, facts=False)
    scores = valued(tables, runtime_values(runtime)) * (1 if round_.turn % 2 == 0 else -1)
    means: Doubles = scores.reshape(worlds, len(plays)).mean(0)
    return means


def runtime_choices(runtime: Runtime) -> Callable[[abduction.Tables], NDArray[np.int32]]:
    """What the network finds likeliest."""
    return lambda tables: likeliest(*ask(runtime, tables))


def runtime_values(runtime: Runtime) -> Callable[[abduction.Tables], Doubles]:
    """What the judge says of the waiting tables, whose hands are those of sampled worlds; without it, the network."""
    if runtime.judge is None:
        return lambda tables: runtime.values(tables.observe()[0])
    return lambda tables: runtime.open_values(tables.observe(open=True)[1])


def likeliest(logits: NDArray[np.float32], offsets: Sequence[int] | NDArray[np.int32]) -> NDArray[np.int32]:
    """The place of the first best option of each position."""
    starts = np.asarray(offsets[:-1])
    counts = np.diff(offsets)
    top = np.repeat(np.maximum.reduceat(logits, starts), counts)
    place = np.arange(len(logits)) - np.repeat(starts, counts)
    firsts = np.where(logits == top, place, len(logits))
    return np.ascontiguousarray(np.minimum.reduceat(firsts, starts), np.int32)
