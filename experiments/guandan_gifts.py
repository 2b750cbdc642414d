"""The exchange learned: what giving a card is worth, fitted to results of rounds.

A tribute is forced but for its suit; the choice is the card given back. Each card that may be given has a few features:
what the plan of the rest misses, how high the card is, how many of its rank stay in the hand. Two cards of one deal are
given in turn and the network plays both rounds to the end on the same cards; the difference of the two results is
fitted by the difference of the features (`fit`). The card with the highest worth is given.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.core.random import seed_of, stream
from mingpai.games.guandan import GAME
from mingpai.games.guandan.notation import RANKS, Phase
from mingpai.methods.abduction.duel import Chooser, play_on
from mingpai.methods.abduction.knowledge import knowledge

Doubles = NDArray[np.float64]
FEATURES = ("missed", "height", "height squared", "kept", "missed to partner", "height to partner")
"""Of a card: what the plan of the rest costs more than that of the best rest; its place from 2 (0) to the big joker
(1), and the square; cards of its rank that stay, of 7; the first two again where the partner gets it."""
ORDERS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""Rounds before in which seat 0 then gives a card back: to one opponent, to one of two, to the partner."""
PLANNER = 4
AMONG = 8
"""The other card of a comparison is one of so many that the plan misses least."""


def features(round_: native.Round, plays: Sequence[native.Play]) -> Doubles:
    """A row for each card that the seat to move may give."""
    hand, level = round_.hand(round_.turn), round_.level
    kinds = [play.cards.kinds()[0] for play in plays]
    costs = np.array([abduction.plan_cost(hand - play.cards, level) for play in plays])
    missed = costs - costs.min()
    height = np.array([native.order_of(play.rank, level) for play in plays]) / native.order_of(len(RANKS) + 1, level)
    held = [sum(other // 4 == kind // 4 for other in hand.kinds() if other < 4 * len(RANKS)) for kind in kinds]
    kept = (np.array(held) - 1) / 7
    partner = float(any(e.receiver == round_.turn and (e.payer - e.receiver) % 2 == 0 for e in round_.exchanges))
    return np.stack([missed, height, height**2, kept, missed * partner, height * partner], 1)


@dataclass(frozen=True)
class Worth:
    """The fitted worth of giving a card: points of the round for a unit of each feature."""

    weights: Sequence[float]
    errors: Sequence[float]
    """Standard errors."""
    comparisons: int
    seed: int
    network: str
    """The beginning of the checksum of the network that played."""

    def values(self, round_: native.Round, plays: Sequence[native.Play]) -> Doubles:
        """Worth of giving each card, above that of one with features of 0."""
        worth: Doubles = features(round_, plays) @ np.array(self.weights)
        return worth

    def to_json(self) -> dict[str, Any]:
        return {"features": list(FEATURES), **asdict(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Worth":
        assert tuple(data["features"]) == FEATURES
        return cls(**{name: value for name, value in data.items() if name != "features"})


def learned_giver(worth: Worth) -> Chooser:
    """Gives the card of the highest worth; a tribute as the plan says."""

    def choose(tables: abduction.Tables, which: NDArray[np.int64]) -> NDArray[np.int32]:
        chosen = np.zeros(len(which), np.int32)
        for i, at in enumerate(which):
            round_, plays = tables.round(int(at)), tables.plays(int(at))
            if round_.phase == Phase.TRIBUTE:
                chosen[i] = plays.index(round_.bot_play(PLANNER))
            else:
                chosen[i] = int(np.argmax(worth.values(round_, plays)))
        return chosen

    return choose


# --- learning ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """Two cards that may be given: the difference of their features, and the two rounds after them."""

    difference: Doubles
    rounds: tuple[native.Round, native.Round]


def comparisons(seed: int, first: int, count: int) -> Iterator[Comparison]:
    """The card of the plan and another one, at the first return of dealt rounds."""
    for number in range(first, first + count):
        rng = stream(seed, "gift", number)
        setup = {"level": RANKS[number % len(RANKS)], "previous": list(ORDERS[number % len(ORDERS)])}
        state = GAME.deal(seed_of(seed, "exchange", number), "", setup)
        while state.phase == Phase.TRIBUTE:
            state.play(state.native.bot_play(PLANNER))
        plays = state.legal_moves() if state.phase == Phase.RETURN else []
        if len(plays) < 2:
            continue
        rows = features(state.native, plays)
        one = plays.index(state.native.bot_play(PLANNER))
        near = [int(i) for i in np.argsort(rows[:, 0], kind="stable")[:AMONG] if i != one]
        other = near[int(rng.integers(len(near)))]
        after = []
        for place in (one, other):
            played = state.copy()
            played.play(plays[place])
            after.append(played.native)
        yield Comparison(rows[one] - rows[other], (after[0], after[1]))


def results(compared: Sequence[Comparison], choose: Chooser, seed: int) -> Doubles:
    """Points that the first card of each comparison brought more than the second; seat 0 gave them."""
    rounds = [round_ for one in compared for round_ in one.rounds]
    players = (abduction.NETWORK, abduction.NETWORK)
    tables = abduction.Tables.rounds(rounds, players, seed, knowledge().weights)
    play_on(tables, [choose])
    points: Doubles = tables.scores().astype(np.float64).reshape(-1, 2)
    return points[:, 0] - points[:, 1]


def fit(differences: Doubles, gains: Doubles, ridge: float) -> tuple[Doubles, Doubles]:
    """Weights and their standard errors: least squares, each weight held towards zero by `ridge` comparisons."""
    square = differences.T @ differences + ridge * np.eye(differences.shape[1]) * differences.var()
    inverse = np.linalg.inv(square)
    weights: Doubles = inverse @ differences.T @ gains
    noise = float((gains - differences @ weights).var())
    errors: Doubles = np.sqrt(noise * np.diag(inverse @ (differences.T @ differences) @ inverse))
    return weights, errors
