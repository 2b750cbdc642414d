"""Hand prediction: which of eleven categories a player holds, street by street, from public information only.

Predictors answer for each player still in the hand after a street's last action; `score` compares them with the cards.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from mingpai.games.holdem.notation import parse_cards
from mingpai.methods.handreading.hands import HAND_CLASSES, Bytes, Floats, combo, hand_class, strength
from mingpai.methods.handreading.infer import board_on, infer
from mingpai.methods.handreading.model import PlayerModel
from mingpai.methods.handreading.understand import Act, Seen, understand
from mingpai.records.handhistory import BOARD_SIZES, STREETS, HandHistory

Doubles = npt.NDArray[np.float64]


class Predictor(Protocol):
    """Guesses categories from the public part of a hand."""

    def predict(self, seen: Sequence[Seen], board: Sequence[int], seats: Sequence[int]) -> dict[int, Doubles]:
        """Seat -> probability of each category, after the actions `seen` on `board`, for the live `seats`."""


@dataclass(frozen=True)
class RangePredictor:
    """Reads ranges with a model of the players and adds up the combinations of each category."""

    model: PlayerModel
    preflop_only: bool = False
    """Leave out every action after the flop: the baseline of a fixed pre-flop range."""

    def predict(self, seen: Sequence[Seen], board: Sequence[int], seats: Sequence[int]) -> dict[int, Doubles]:
        read = [item for item in seen if item.street == 0] if self.preflop_only else seen
        everyone = {item.seat: self.model for item in seen}
        ranges = infer(read, board, everyone | dict.fromkeys(seats, self.model))
        classes = strength(tuple(sorted(board))).classes
        return {seat: class_chances(ranges[seat], classes) for seat in seats}


def class_chances(weights: Floats, classes: Bytes) -> Doubles:
    """Probability of each category under a range."""
    return np.bincount(classes, weights, minlength=len(HAND_CLASSES)).astype(np.float64)


@dataclass(frozen=True)
class Guess:
    """A prediction and the truth."""

    session: str
    street: int
    seat: int
    probabilities: Doubles
    truth: int


def live_after(seen: Sequence[Seen], seats: int) -> list[int]:
    """Seats that have not folded."""
    folded = {item.seat for item in seen if item.act is Act.FOLD}
    return [seat for seat in range(seats) if seat not in folded]


def guesses(hand: HandHistory, predictors: Mapping[str, Predictor]) -> dict[str, list[Guess]]:
    """What each predictor says of every live player of known cards, after the last action of each street with one."""
    all_seen, full_board = understand(hand), parse_cards(hand.board)
    hole = [combo(*parse_cards(text)) if text else None for text in hand.hole]
    by_name: dict[str, list[Guess]] = {name: [] for name in predictors}
    for street in sorted({item.street for item in all_seen}):
        seen = [item for item in all_seen if item.street <= street]
        board = full_board[: BOARD_SIZES[street]]
        live = [seat for seat in live_after(seen, hand.seats) if hole[seat] is not None]
        truths = {seat: hand_class(hole[seat] or 0, board_on(board, street)) for seat in live}
        for name, predictor in predictors.items():
            for seat, chances in predictor.predict(seen, board, live).items():
                by_name[name].append(Guess(hand.session, street, seat, chances, truths[seat]))
    return by_name


TOP = (1, 2, 3)
BINS = 10
"""Bins of equal width for the calibration error."""
FLOOR = 1e-6
"""Smallest probability in a log-loss."""


@dataclass(frozen=True)
class Scored:
    """One number for each guess, in order, so that predictors can be compared guess by guess."""

    sessions: npt.NDArray[np.int64]
    streets: npt.NDArray[np.int64]
    top: Mapping[int, Doubles]
    """k -> 1 where the truth is among the k likeliest categories."""
    log_loss: Doubles
    best: Doubles
    """Probability of the likeliest category."""


def score(guesses: Sequence[Guess]) -> Scored:
    """Score guesses against the truth."""
    chances = np.stack([guess.probabilities for guess in guesses])
    chances = chances / chances.sum(axis=1, keepdims=True)
    truth = np.array([guess.truth for guess in guesses])
    names = sorted({guess.session for guess in guesses})
    own = chances[np.arange(len(truth)), truth]
    level_before = np.equal(chances, own[:, None]) & (np.arange(chances.shape[1]) < truth[:, None])
    place = (chances > own[:, None]).sum(axis=1) + level_before.sum(axis=1)
    return Scored(
        sessions=np.array([names.index(guess.session) for guess in guesses]),
        streets=np.array([guess.street for guess in guesses]),
        top={k: (place < k).astype(np.float64) for k in TOP},
        log_loss=-np.log(np.maximum(own, FLOOR)),
        best=chances.max(axis=1),
    )


def calibration_error(scored: Scored, where: npt.NDArray[np.bool_]) -> float:
    """Expected difference between the confidence in the likeliest category and how often it is right."""
    best, right = scored.best[where], scored.top[1][where]
    bins = np.minimum((best * BINS).astype(int), BINS - 1)
    gaps = [abs(best[bins == b].sum() - right[bins == b].sum()) for b in range(BINS)]
    return float(sum(gaps) / max(len(best), 1))


def interval(
    values: Doubles, sessions: npt.NDArray[np.int64], rng: np.random.Generator, samples: int = 1000
) -> tuple[float, float, float]:
    """Mean with a 95% interval by bootstrap over sessions (hands of a session are not independent)."""
    groups = np.unique(sessions)
    sums = np.array([values[sessions == g].sum() for g in groups])
    counts = np.array([(sessions == g).sum() for g in groups])
    picks = rng.integers(len(groups), size=(samples, len(groups)))
    means = sums[picks].sum(axis=1) / counts[picks].sum(axis=1)
    return float(values.mean()), float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975))


def split_by_session(hands: Iterable[HandHistory], folds: int) -> list[list[HandHistory]]:
    """Hands by fold: a session is never divided. Sessions are ordered by name and dealt out in turn."""
    by_session: dict[str, list[HandHistory]] = {}
    for hand in hands:
        by_session.setdefault(hand.session, []).append(hand)
    parts: list[list[HandHistory]] = [[] for _ in range(folds)]
    for number, name in enumerate(sorted(by_session)):
        parts[number % folds].extend(by_session[name])
    return parts


def cross_validated(
    hands: Sequence[HandHistory], folds: int, fit: Callable[[Sequence[HandHistory]], Mapping[str, Predictor]]
) -> dict[str, list[Guess]]:
    """Guesses for every hand by predictors fitted to the sessions of the other folds."""
    parts = split_by_session(hands, folds)
    by_name: dict[str, list[Guess]] = {}
    for held_out, part in enumerate(parts):
        predictors = fit([hand for number, other in enumerate(parts) if number != held_out for hand in other])
        for hand in part:
            for name, new in guesses(hand, predictors).items():
                by_name.setdefault(name, []).extend(new)
    return by_name


def street_name(street: int) -> str:
    """The name of a street."""
    return STREETS[street]
