"""How good estimates of the hidden hands are: error, log-loss, calibration, key cards, by stage and turn."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.games.guandan.features import KINDS, counts

Doubles = NDArray[np.float64]
OTHERS = 3
STAGES: Mapping[str, range] = {"early": range(61, 109), "middle": range(31, 61), "late": range(1, 31)}
"""By the number of hidden cards."""
TURN_STEP = 10
"""Plays of all seats in a row of the table by turn."""
LAST_TURNS = 80
"""From here on there is one row."""
TURNS = (*(f"{n}-{n + TURN_STEP - 1}" for n in range(0, LAST_TURNS, TURN_STEP)), f"{LAST_TURNS}+")
TURN = "turn"
"""Before the plays in the name of a row by turn."""
KEY_CARDS = ("jokers", "level cards", "wild cards")
SORTS = (*KEY_CARDS, "others")
ALL = "all"
BINS = 10
BOMB = 4
"""Cards of a rank that make a bomb."""
LEAST = 1e-3
"""Probabilities are kept this far from 0 and 1 for the log-loss."""
JOKERS = (52, 53)


@dataclass(frozen=True)
class Position:
    """A position with its truth."""

    knowledge: native.Knowledge
    level: int
    truth: Doubles
    """Copies of each kind at the three other seats, from the next on."""
    raw: Doubles
    """What ABLN says."""
    turn: int = 0
    """Plays of all seats before this one."""
    deal: int = 0
    """The same for all positions of a round."""

    @property
    def turns(self) -> str:
        """The row by turn, as 10-19."""
        return TURNS[min(self.turn, LAST_TURNS) // TURN_STEP]

    def cards(self) -> dict[str, list[int]]:
        """Kinds of each sort of card at this level."""
        wild, level = 4 * self.level + 1, [4 * self.level + suit for suit in (0, 2, 3)]
        key = {*JOKERS, wild, *level}
        others = [kind for kind in range(KINDS) if kind not in key]
        return dict(zip(SORTS, (list(JOKERS), level, [wild], others), strict=True))

    @property
    def stage(self) -> str:
        hidden = int(self.truth.sum())
        return next(name for name, sizes in STAGES.items() if hidden in sizes)


def position(round_: native.Round, raw: Doubles, level: int) -> Position:
    """The position of the seat to move."""
    seat = round_.turn
    truth = np.concatenate([counts(round_.hand((seat + i) % 4)) for i in (1, 2, 3)]).astype(np.float64)
    dealt = [round_.hand(i) + round_.played(i) for i in range(4)]
    deal = hash(tuple((cards.once, cards.twice) for cards in dealt))
    turn = len(round_.steps) - 2 * len(round_.exchanges)
    return Position(native.Knowledge(round_, seat), level, truth, raw, turn, deal)


def uniform(one: Position) -> Doubles:
    """Unseen copies shared evenly over the three other seats, whatever they have left."""
    unseen = one.truth.reshape(OTHERS, KINDS).sum(0)
    return np.tile(unseen / OTHERS, OTHERS)


def counting(one: Position) -> Doubles:
    """Unseen copies by room in the hands, and what the exchange tells."""
    return abduction.counted(one.knowledge)


def projected(one: Position) -> Doubles:
    """ABLN made consistent."""
    return abduction.project(one.knowledge, np.ascontiguousarray(one.raw))


ESTIMATORS: Mapping[str, Callable[[Position], Doubles]] = {
    "uniform": uniform, "counting": counting, "abln": lambda one: one.raw, "abln, consistent": projected,
}  # fmt: skip


def holding(estimate: Doubles, unseen: Doubles) -> Doubles:
    """Chance that each seat holds at least one copy of each kind, copies placed independently."""
    shares = np.clip(estimate.reshape(OTHERS, KINDS) / np.maximum(unseen, 1), 0, 1)
    chances: Doubles = 1 - (1 - shares) ** unseen
    return chances


@dataclass(frozen=True)
class Measured:
    """An estimate of one position beside the truth."""

    error: float
    """Mean squared error of the copies."""
    losses: Mapping[str, float]
    """Log-loss of "does this seat hold this card" over the unseen kinds of each sort of card, and of all."""
    said: Doubles
    """Stated chances of that, one after the other."""
    held: NDArray[np.bool_]
    """Whether it was so."""
    hits: Mapping[str, list[float]]
    """Sort of card -> of each unseen kind, whether the seat with the highest estimate holds one."""
    bomb: float | None
    """Whether the likeliest place of a bomb is one; None where there is none."""


@dataclass(frozen=True)
class Quality:
    """Quality of an estimator over some positions."""

    positions: int
    mse: float
    """Mean squared error of the copies, over all 3 x 54 entries."""
    log_loss: float
    """Of "does this seat hold this card", over the unseen kinds, in nats."""
    calibration: float
    """Mean gap between stated and true frequency, weighted over ten bins."""
    top1: Mapping[str, float]
    """Key cards -> how often the seat with the highest estimate really holds one."""
    bombs: float
    """How often the likeliest place of a bomb (seat and rank) is one, where there is one."""
    losses: Mapping[str, float]
    """The log-loss by sort of card."""


@dataclass(frozen=True)
class Gain:
    """How much lower the log-loss of one estimator is than that of another at the same positions."""

    positions: int
    mean: float
    error: float
    """Standard error, over deals."""


def measured(one: Position, estimator: Callable[[Position], Doubles]) -> Measured:
    """An estimator at one position."""
    estimate = estimator(one)
    truth, guess = one.truth.reshape(OTHERS, KINDS), estimate.reshape(OTHERS, KINDS)
    unseen = truth.sum(0)
    chances, does = holding(estimate, unseen), truth > 0
    sure = np.clip(chances, LEAST, 1 - LEAST)
    losses = -np.where(does, np.log(sure), np.log(1 - sure))
    left = {name: [kind for kind in kinds if unseen[kind]] for name, kinds in one.cards().items()}
    by_sort = {name: float(losses[:, kinds].mean()) for name, kinds in left.items() if kinds}
    hits = {name: [float(does[guess[:, kind].argmax(), kind]) for kind in left[name]] for name in KEY_CARDS}
    shown = unseen > 0
    return Measured(
        float(((estimate - one.truth) ** 2).mean()), {ALL: float(losses[:, shown].mean()), **by_sort},
        chances[:, shown].ravel(), does[:, shown].ravel(), hits, _bomb(estimate, truth),
    )  # fmt: skip


def quality(parts: Sequence[Measured]) -> Quality:
    """All measures of one estimator over some positions."""
    hits = {name: [hit for one in parts for hit in one.hits[name]] for name in KEY_CARDS}
    bombs = [one.bomb for one in parts if one.bomb is not None]
    losses = {name: _mean([one.losses[name] for one in parts if name in one.losses]) for name in SORTS}
    return Quality(
        len(parts), _mean([one.error for one in parts]), _mean([one.losses[ALL] for one in parts]),
        _gap(np.concatenate([one.said for one in parts]), np.concatenate([one.held for one in parts])),
        {name: _mean(values) for name, values in hits.items() if values}, _mean(bombs), losses,
    )  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")


def _bomb(estimate: Doubles, truth: Doubles) -> float | None:
    ranks = truth[:, :52].reshape(OTHERS, 13, 4).sum(2) >= BOMB
    if not ranks.any():
        return None
    guess = estimate.reshape(OTHERS, KINDS)[:, :52].reshape(OTHERS, 13, 4).sum(2)
    return float(ranks.ravel()[guess.argmax()])


def _gap(said: Doubles, held: NDArray[np.bool_]) -> float:
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    total = 0.0
    for number in range(BINS):
        inside = bins == number
        if inside.any():
            total += inside.mean() * abs(float(said[inside].mean()) - float(held[inside].mean()))
    return total


@dataclass(frozen=True)
class Compared:
    """Every estimator at the same positions."""

    positions: Sequence[Position]
    by_estimator: Mapping[str, Sequence[Measured]]

    def parts(self) -> dict[str, list[int]]:
        """Rows of the tables -> places of their positions: "all", the stages, then the turns."""
        stages = {stage: [i for i, one in enumerate(self.positions) if one.stage == stage] for stage in STAGES}
        turns = {name: [i for i, one in enumerate(self.positions) if one.turns == name] for name in TURNS}
        return {ALL: list(range(len(self.positions))), **stages, **{f"{TURN} {name}": at for name, at in turns.items()}}

    def qualities(self) -> dict[str, dict[str, Quality]]:
        """Row -> estimator -> quality; rows without positions are left out."""
        return {
            part: {name: quality([all_[i] for i in places]) for name, all_ in self.by_estimator.items()}
            for part, places in self.parts().items() if places
        }  # fmt: skip

    def gains(self, one: str, other: str) -> dict[str, dict[str, Gain]]:
        """Row -> sort of card, and "all" -> how much lower the log-loss of the first estimator is."""
        return {
            part: {sort: self._gain(places, sort, one, other) for sort in (ALL, *SORTS)}
            for part, places in self.parts().items() if places
        }  # fmt: skip

    def _gain(self, places: Sequence[int], sort: str, one: str, other: str) -> Gain:
        first, second = self.by_estimator[one], self.by_estimator[other]
        kept = [i for i in places if sort in first[i].losses]
        gains = np.array([second[i].losses[sort] - first[i].losses[sort] for i in kept])
        return Gain(len(kept), *over_deals(gains, [self.positions[i].deal for i in kept]))


def over_deals(values: Doubles, deals: Sequence[int]) -> tuple[float, float]:
    """The mean and its standard error, a deal being the unit; not a number where there are too few."""
    _, places = np.unique(np.array(deals, np.int64), return_inverse=True)
    units = int(places.max()) + 1 if len(places) else 0
    if units < 2:
        return float(values.mean()) if units else float("nan"), float("nan")
    apart = np.bincount(places, weights=values - values.mean())
    return float(values.mean()), float(np.sqrt((apart**2).sum() * units / (units - 1)) / len(values))


def compare(positions: Iterable[Position]) -> Compared:
    """All estimators at these positions."""
    given = list(positions)
    return Compared(given, {name: [measured(one, say) for one in given] for name, say in ESTIMATORS.items()})
