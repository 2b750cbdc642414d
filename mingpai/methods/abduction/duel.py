"""Whole matches of networks and native bots, many at a time, on duplicate cards. No torch."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai.core.random import seed_of
from mingpai.games.guandan.view import GuandanView
from mingpai.methods.abduction.belief import EstimateBelief
from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.abduction.runtime import Reading, Runtime, softmax
from mingpai.methods.abduction.search import Question, SearchPlan, likeliest, search_all

Chooser = Callable[[abduction.Tables, NDArray[np.int64]], NDArray[np.int32]]
"""(tables, which of the waiting ones) -> the place of the chosen option at each of them."""
CONFIDENCE = 1.96
"""Standard errors on each side of a 95% interval."""


@dataclass(frozen=True)
class WaitingRows:
    """Some waiting tables, as a network reads them."""

    rows: NDArray[np.uint8]
    pseudo: NDArray[np.int64]
    facts: NDArray[np.float32]
    marks: NDArray[np.uint8]
    offsets: NDArray[np.int32]

    def inputs(self) -> dict[str, NDArray[Any]]:
        of = np.repeat(np.arange(len(self.rows)), np.diff(self.offsets))
        return {"rows": self.rows, "pseudo": self.pseudo, "facts": self.facts, "marks": self.marks, "of": of}


def waiting_rows(tables: abduction.Tables, which: NDArray[np.int64]) -> WaitingRows:
    """Rows and options of some waiting tables."""
    rows, _, _, pseudo, facts, marks = tables.observe()
    offsets = tables.offsets()
    lengths = np.diff(offsets)[which]
    part = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    options = np.arange(part[-1]) + np.repeat(offsets[which] - part[:-1], lengths)
    return WaitingRows(rows[which], pseudo[options].astype(np.int64), facts[options], marks[options], part)


def network_chooser(runtime: Runtime, *, informs: bool = False) -> Chooser:
    """The likeliest option of a shipped network. `informs`: its own estimate finds the facts of options."""

    def choose(tables: abduction.Tables, which: NDArray[np.int64]) -> NDArray[np.int32]:
        given = waiting_rows(tables, which)
        if informs:
            tables.inform(which.astype(np.int32), runtime.model.run(given.inputs())["estimate"])
            given = waiting_rows(tables, which)
        return likeliest(runtime.model.run(given.inputs())["logits"], given.offsets)

    return choose


def uniform_chooser(seed: int) -> Chooser:
    """Every pseudo-action equally likely: the minimiser without a network."""
    rng = np.random.default_rng(seed)

    def choose(tables: abduction.Tables, which: NDArray[np.int64]) -> NDArray[np.int32]:
        counts = np.diff(tables.offsets())[which]
        return np.ascontiguousarray(rng.integers(0, counts), np.int32)

    return choose


def search_chooser(runtime: Runtime, plan: SearchPlan, seed: int) -> Chooser:
    """The network corrected by a search at every table, as the agent does it."""

    def choose(tables: abduction.Tables, which: NDArray[np.int64]) -> NDArray[np.int32]:
        given = waiting_rows(tables, which)
        out = runtime.model.run(given.inputs())
        questions = [question(tables, int(place), given, out, i) for i, place in enumerate(which)]
        searched = search_all(runtime, questions, plan)
        return np.array([one.places[int(np.argmax(one.total))] for one in searched], np.int32)

    def question(
        tables: abduction.Tables, place: int, given: WaitingRows, out: dict[str, NDArray[Any]], row: int
    ) -> Question:
        round_ = tables.round(place)
        view = GuandanView(round_.blinded(round_.turn), round_.turn)
        span = slice(int(given.offsets[row]), int(given.offsets[row + 1]))
        raw = out["estimate"][row].astype(np.float64) if "estimate" in out else None
        chances, scores = softmax(out["logits"][span]), softmax(out["scores"][row])
        pseudo = given.pseudo[span].astype(np.uint8)
        reading = Reading(pseudo, tables.plays(place), chances, float(out["value"][row]), scores, raw)
        estimate = None if chances.max() >= plan.sure else EstimateBelief(view, raw).estimate
        return Question(view.native, reading, estimate, seed_of(seed, "search", view.key()))

    return choose


def play_matches(
    choosers: Sequence[Chooser], players: tuple[int, int], pairs: int, seed: int, *, first: int = 0,
    weights: Sequence[float] | None = None, blind: int = 0,
) -> list[abduction.Finished]:  # fmt: skip
    """Matches of two players, two for each pair with the seats swapped and the same cards round by round.

    Players are native (0 random, 1 to 4 rule bots) or `abduction.NETWORK` plus the number of a chooser. In the exchange
    rule4 decides. `blind`: networks (bits) that count no cards.
    """
    used = list(weights or knowledge().weights)
    tables = abduction.Tables.matches(players, first, pairs, seed, used, blind=blind)
    play_on(tables, choosers)
    return sorted(tables.finished, key=lambda one: (one.pair, one.swapped))


def play_on(tables: abduction.Tables, choosers: Sequence[Chooser], givers: Sequence[Chooser] = ()) -> None:
    """Plays all tables to their ends."""
    while tables.waiting:
        networks = tables.networks()
        choices = np.zeros(len(networks), np.int32)
        giving = tables.exchanges()
        for at, deciders in ((giving, givers), (~giving, choosers)):
            for number, choose in enumerate(deciders):
                which = np.flatnonzero((networks == number) & at)
                if len(which):
                    choices[which] = choose(tables, which)
        tables.play(choices)


@dataclass(frozen=True)
class Strength:
    """Result of matches for the first player."""

    matches: int
    won: float
    """Share of matches, a draw half."""
    error: float
    """Standard error of the share, over pairs of matches."""
    rounds: int
    points: float
    """Mean score of a round."""
    points_error: float
    """Standard error of the mean score, over pairs of matches."""
    by_score: tuple[int, ...]
    """Rounds by score, -3 to 3."""

    def interval(self) -> tuple[float, float]:
        """95% interval of the share."""
        return max(0.0, self.won - CONFIDENCE * self.error), min(1.0, self.won + CONFIDENCE * self.error)

    def to_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def strength(finished: Sequence[abduction.Finished]) -> Strength:
    """Totals of matches that came in pairs."""
    shares = np.array([(1 + one.score.result) / 2 for one in finished]).reshape(-1, 2).mean(1)
    points = np.array([one.score.points for one in finished], np.float64).reshape(-1, 2).sum(1)
    rounds = np.array([one.score.rounds for one in finished], np.float64).reshape(-1, 2).sum(1)
    mean = float(points.sum() / rounds.sum())
    residuals = points - mean * rounds
    units = len(shares)
    error = float(shares.std(ddof=1) / units**0.5) if units > 1 else 1.0
    points_error = float(residuals.std(ddof=1) / units**0.5 / rounds.mean()) if units > 1 else 3.0
    by_score = np.sum([one.score.by_score for one in finished], axis=0)
    return Strength(
        len(finished), float(shares.mean()), error, int(rounds.sum()), mean, points_error, tuple(map(int, by_score))
    )
