"""How good estimates of the hidden hands are: error, log-loss, calibration, key cards, by stage of the round."""

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

    @property
    def stage(self) -> str:
        hidden = int(self.truth.sum())
        return next(name for name, sizes in STAGES.items() if hidden in sizes)


def position(round_: native.Round, raw: Doubles, level: int) -> Position:
    """The position of the seat to move."""
    seat = round_.turn
    truth = np.concatenate([counts(round_.hand((seat + i) % 4)) for i in (1, 2, 3)]).astype(np.float64)
    return Position(native.Knowledge(round_, seat), level, truth, raw)


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


def quality(positions: Sequence[Position], estimator: Callable[[Position], Doubles]) -> Quality:
    """All measures of one estimator."""
    errors, losses, said, held = [], [], [], []
    hits: dict[str, list[float]] = {"jokers": [], "level cards": [], "wild cards": []}
    bombs: list[float] = []
    for one in positions:
        estimate = estimator(one)
        errors.append(float(((estimate - one.truth) ** 2).mean()))
        truth = one.truth.reshape(OTHERS, KINDS)
        unseen = truth.sum(0)
        chances, does = holding(estimate, unseen)[:, unseen > 0], truth[:, unseen > 0] > 0
        sure = np.clip(chances, LEAST, 1 - LEAST)
        losses.append(float(-np.where(does, np.log(sure), np.log(1 - sure)).mean()))
        said.append(chances.ravel())
        held.append(does.ravel())
        wild = 4 * one.level + 1
        groups = {"jokers": JOKERS, "level cards": [4 * one.level + s for s in (0, 2, 3)], "wild cards": [wild]}
        for name, kinds in groups.items():
            for kind in kinds:
                if unseen[kind]:
                    hits[name].append(float(truth[estimate.reshape(OTHERS, KINDS)[:, kind].argmax(), kind] > 0))
        bomb = _bomb(estimate, truth)
        if bomb is not None:
            bombs.append(bomb)
    gap = _gap(np.concatenate(said), np.concatenate(held))
    return Quality(
        len(positions), float(np.mean(errors)), float(np.mean(losses)), gap,
        {name: float(np.mean(values)) for name, values in hits.items() if values}, float(np.mean(bombs or [np.nan])),
    )  # fmt: skip


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


def by_stage(positions: Iterable[Position]) -> dict[str, dict[str, Quality]]:
    """Stage -> estimator -> quality; stage "all" has every position."""
    measured = list(positions)
    parts = {"all": measured, **{stage: [one for one in measured if one.stage == stage] for stage in STAGES}}
    return {
        stage: {name: quality(part, estimator) for name, estimator in ESTIMATORS.items()}
        for stage, part in parts.items()
        if part
    }
