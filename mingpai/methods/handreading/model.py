"""Stage 2, model: how a player acts, P(action | hand, situation), for all 1326 hands at once.

Three models, one face (`PlayerModel`): `DefaultModel` is the paper's (entry rates by position before the flop, DFModel
after it, both bent by what the player has been seen to do); `FittedModel` is learned from hands with known cards;
`UniformModel` says that actions tell nothing, which turns hand prediction off.
"""

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from mingpai.core.errors import MingpaiError
from mingpai.methods.handreading import features
from mingpai.methods.handreading.hands import COMBOS, FIRST_OF_STARTING, STARTING, Floats, preflop_percentile, strength
from mingpai.methods.handreading.understand import Act, Position, Seen

Board = tuple[int, ...]
CACHED_ACTIONS = 512
"""Likelihood vectors that a model remembers: later streets ask for those of earlier ones again."""


class PlayerModel(Protocol):
    """P(action | hand, situation) of a player."""

    def likelihood(self, seen: Seen, board: Board) -> Floats:
        """The probability of the action for each of the 1326 hands; values of blocked hands mean nothing."""


class UniformModel:
    """Every hand acts alike: the model of somebody who does not read hands."""

    def likelihood(self, seen: Seen, board: Board) -> Floats:
        return np.ones(COMBOS, np.float32)


# --- the default model ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Band:
    """Where a player holds hands for an action, on the axis of equity against a uniform hand in a two-player pot."""

    low: float
    high: float
    baseline: float
    """Outside the band the likelihood falls with the distance from here."""


THETA = 50.0
"""Relative likelihood inside the band of the observed action."""
FALL = 0.6
"""Outside: FALL / |equity - baseline|, at most THETA; gives 10 at 0.55 for a call."""

TREMBLE = 0.35
"""Share of actions after the flop that say nothing of the hand: bluffs, traps and mistakes. The paper has none."""

STREET_SHIFTS = (0.0, 0.06, 0.12, 0.16)
"""How much stronger the hands that reach a street are than uniform ones: the axis moves down by it."""
SIZE_SHARES: Mapping[Act, float] = {Act.HALF_POT: 0.55, Act.THREE_QUARTERS: 0.33, Act.POT: 0.12}
"""How raises divide into sizes."""

BANDS: Mapping[Act, Band] = {
    Act.FOLD: Band(0.0, 0.456, 0.40),
    Act.CHECK: Band(0.456, 0.57, 0.513),
    Act.CALL: Band(0.57, 0.68, 0.61),
    Act.HALF_POT: Band(0.68, 0.75, 0.715),
    Act.THREE_QUARTERS: Band(0.75, 0.85, 0.80),
    Act.POT: Band(0.85, 1.0, 0.90),
}
"""DFModel. The paper prints the band and baseline of call, the baseline of check and the ends 0.68 and 0.75."""

FACING_BET = (Act.FOLD, Act.CALL, Act.HALF_POT, Act.THREE_QUARTERS, Act.POT)
NOT_FACING = (Act.CHECK, Act.HALF_POT, Act.THREE_QUARTERS, Act.POT)


def legal_acts(seen: Seen) -> tuple[Act, ...]:
    """What the player could have done."""
    return FACING_BET if seen.to_call > 0 else NOT_FACING


def axis_of(equity: Floats, opponents: int) -> Floats:
    """Equity against one uniform hand moved to where it stands in a two-player pot.

    Against k opponents a hand wins about equity**k, and an average hand 1 / (k + 1): the power brings that back to 1/2.
    """
    if opponents <= 1:
        return equity
    moved: Floats = equity ** np.float32(opponents * math.log(2) / math.log(opponents + 1))
    return moved


def relative(axis: Floats, band: Band) -> Floats:
    """Relative likelihood of an action for hands at `axis` (the paper's P_rel)."""
    distance = np.maximum(np.abs(axis - band.baseline), FALL / THETA)
    inside = (axis >= band.low) & (axis <= band.high)
    values: Floats = np.where(inside, THETA, np.minimum(THETA, FALL / distance)).astype(np.float32)
    return values


ENTRY_RATES: Mapping[Position, float] = {
    Position.FRONT: 0.17, Position.MIDDLE: 0.21, Position.REAR: 0.33, Position.BLIND: 0.36,
}  # fmt: skip
"""How often an unknown player sees the flop from each position."""
RAISE_RATES = (0.75, 0.09, 0.03)
"""Share of hands behind a raise: an open, of those that enter; a 3-bet and a 4-bet or more, of all hands."""
OUTSIDE_ENTRY = 0.06
"""Relative likelihood of entering with a hand outside the range, against 1 inside."""
EDGE = 0.06
"""Width of the soft edge of a pre-flop range, in shares of all hands."""


@dataclass
class Habits:
    """What a player has been seen to do: counts, and how they bend the default model."""

    entries: dict[Position, list[int]] = field(default_factory=lambda: {place: [0, 0] for place in Position})
    """Position -> [hands that entered, hands dealt]."""
    facing: list[int] = field(default_factory=lambda: [0, 0, 0])
    """After the flop facing a bet: folds, calls, raises."""
    free: list[int] = field(default_factory=lambda: [0, 0])
    """After the flop not facing a bet: checks, bets."""
    preflop: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Before the flop facing the blind or a raise: folds, calls, raises."""

    def see(self, seen: Seen) -> None:
        """Count an action."""
        kind = 0 if seen.act is Act.FOLD else 2 if seen.act.is_raise else 1
        if seen.street == 0:
            self.preflop[kind] += 1
        elif seen.to_call > 0:
            self.facing[kind] += 1
        else:
            self.free[int(seen.act.is_raise)] += 1

    def see_hand(self, position: Position, entered: bool) -> None:
        """Count a hand dealt to the player."""
        self.entries[position][0] += entered
        self.entries[position][1] += 1

    def to_json(self) -> dict[str, Any]:
        return {"entries": {place.name: list(counts) for place, counts in self.entries.items()},
                "facing": list(self.facing), "free": list(self.free), "preflop": list(self.preflop)}  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Habits":
        entries = {Position[name]: list(counts) for name, counts in data["entries"].items()}
        return cls(entries, list(data["facing"]), list(data["free"]), list(data["preflop"]))


PRIOR_HANDS = 20.0
"""Hands that the default entry rate is worth."""
PRIOR_ACTIONS = 12.0
"""Actions that the default frequencies are worth."""
DEFAULT_FACING = (0.45, 0.42, 0.13)
DEFAULT_FREE = (0.62, 0.38)
MAX_SHIFT = 0.20
"""Furthest that habits move an end of a band."""


def smoothed(counts: list[int], default: tuple[float, ...]) -> list[float]:
    """Frequencies, with the default as PRIOR_ACTIONS actions seen before."""
    total = sum(counts) + PRIOR_ACTIONS
    return [(count + PRIOR_ACTIONS * rate) / total for count, rate in zip(counts, default, strict=True)]


class DefaultModel:
    """The paper's model of a player without history, adapted to what he has been seen to do."""

    def __init__(self, habits: Habits | None = None) -> None:
        self.habits = habits or Habits()
        self.bands = self._bands()
        self.likelihood = functools.lru_cache(maxsize=CACHED_ACTIONS)(self._likelihood)

    def entry_rate(self, position: Position) -> float:
        """How often the player enters from a position; the default counts as PRIOR_HANDS hands."""
        entered, dealt = self.habits.entries[position]
        return (entered + PRIOR_HANDS * ENTRY_RATES[position]) / (dealt + PRIOR_HANDS)

    def _bands(self) -> dict[Act, Band]:
        """DFModel with its ends moved: a player who calls too often calls with less, one who folds often with more."""
        _, call, raises = smoothed(self.habits.facing, DEFAULT_FACING)
        _, bet = smoothed(self.habits.free, DEFAULT_FREE)
        down = _bounded((call + raises) - (DEFAULT_FACING[1] + DEFAULT_FACING[2]))
        bold = _bounded(0.5 * (bet - DEFAULT_FREE[1]) + (raises - DEFAULT_FACING[2]))
        moved = dict(BANDS)
        moved[Act.FOLD] = _shifted(BANDS[Act.FOLD], 0.0, -down)
        moved[Act.CALL] = _shifted(BANDS[Act.CALL], -down, -bold)
        for act in (Act.HALF_POT, Act.THREE_QUARTERS, Act.POT):
            moved[act] = _shifted(BANDS[act], -bold, 0.0 if act is Act.POT else -bold)
        return moved

    def frequencies(self, seen: Seen) -> dict[Act, float]:
        """How often the player acts in each way in such a situation, whatever he holds."""
        if seen.to_call > 0:
            fold, call, raises = smoothed(self.habits.facing, DEFAULT_FACING)
            often = {Act.FOLD: fold, Act.CALL: call}
        else:
            check, raises = smoothed(self.habits.free, DEFAULT_FREE)
            often = {Act.CHECK: check}
        return often | {act: raises * size for act, size in SIZE_SHARES.items()}

    def _likelihood(self, seen: Seen, board: Board) -> Floats:
        if seen.street == 0:
            return self._preflop(seen)
        axis = axis_of(strength(board).equity, seen.live - 1) - STREET_SHIFTS[seen.street]
        acts = legal_acts(seen)
        often = self.frequencies(seen)
        scores = {act: often[act] * relative(axis, self.bands[act]) for act in acts}
        if seen.to_call == 0:
            # What would fold to a bet checks when there is none.
            scores[Act.CHECK] = np.maximum(scores[Act.CHECK], often[Act.CHECK] * relative(axis, self.bands[Act.FOLD]))
        total = functools.reduce(np.add, scores.values())
        chosen = scores[seen.act if seen.act in scores else Act.CALL]
        return ((1 - TREMBLE) * chosen / total + TREMBLE / len(acts)).astype(np.float32)

    def _preflop(self, seen: Seen) -> Floats:
        place = preflop_percentile()
        entry = self.entry_rate(seen.position)
        if seen.act is Act.FOLD:
            top = entry if seen.raises == 0 else 0.5 * entry
            return (1 - (1 - OUTSIDE_ENTRY) * _top(place, top)).astype(np.float32)
        if seen.act is Act.CHECK:
            return (1 - 0.8 * _top(place, 0.2 * entry)).astype(np.float32)
        if seen.act is Act.CALL:
            top = min(1.0, entry * (1.1 if seen.raises == 0 else 0.9 if seen.raises == 1 else 0.4))
            better = RAISE_RATES[1] if seen.raises <= 1 else RAISE_RATES[2]
            return (OUTSIDE_ENTRY + _top(place, top) * (1 - 0.6 * _top(place, better))).astype(np.float32)
        level = min(seen.raises, len(RAISE_RATES) - 1)
        scale = max(0.25, entry / ENTRY_RATES[seen.position])
        top = entry * RAISE_RATES[0] if level == 0 else RAISE_RATES[level] * scale
        return (OUTSIDE_ENTRY + _top(place, min(1.0, top))).astype(np.float32)


def _bounded(shift: float) -> float:
    return max(-MAX_SHIFT, min(MAX_SHIFT, shift))


def _shifted(band: Band, low: float, high: float) -> Band:
    ends = sorted((min(max(band.low + low, 0.0), 1.0), min(max(band.high + high, 0.0), 1.0)))
    return Band(ends[0], ends[1], band.baseline + (low + high) / 2)


def _top(place: Floats, share: float) -> Floats:
    """About 1 for the best `share` of starting hands, about 0 for the rest, with a soft edge."""
    edge = EDGE * min(1.0, 3 * share + 0.05)
    soft: Floats = 1 / (1 + np.exp(np.clip((place - share) / (edge / 4), -60, 60)))
    return soft


# --- the fitted model -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layers:
    """A small network: relu(hands @ by_hand + context @ by_context + bias), once more, then a score for each Act."""

    by_hand: Floats
    by_context: Floats
    bias: Floats
    weights: tuple[Floats, ...]
    """Weight matrices after the first layer."""
    biases: tuple[Floats, ...]

    def first(self, hands: Floats) -> Floats:
        """The hands' part of the first layer."""
        return hands @ self.by_hand

    def scores(self, first: Floats, context: Floats) -> Floats:
        """One row of scores for each hand."""
        values = first + (context @ self.by_context + self.bias)
        for weight, bias in zip(self.weights, self.biases, strict=True):
            values = np.maximum(values, 0) @ weight + bias
        return values


SMALLEST_CHANCE = np.float32(1e-6)
"""No hand is excluded by one action alone."""


class FittedModel:
    """Likelihoods learned from hands with known cards by maximum likelihood (`train.py`)."""

    def __init__(self, preflop: Layers, postflop: Layers) -> None:
        self.layers = (preflop, postflop)
        self._first_layer = functools.lru_cache(maxsize=256)(self._first)
        self.likelihood = functools.lru_cache(maxsize=CACHED_ACTIONS)(self._likelihood)

    @classmethod
    def load(cls, path: Path | None = None) -> "FittedModel":
        """The shipped parameters, or those of a file."""
        with np.load(path or Path(__file__).with_name("fitted.npz")) as file:
            version = int(file["features_version"])
            if version != features.FEATURES_VERSION:
                raise MingpaiError(f"fitted model: features version {version}, not {features.FEATURES_VERSION}")
            parts = []
            for name in ("preflop", "postflop"):
                depth = int(file[f"{name}_depth"])
                parts.append(Layers(
                    file[f"{name}_by_hand"], file[f"{name}_by_context"], file[f"{name}_bias"],
                    tuple(file[f"{name}_weight{i}"] for i in range(depth)),
                    tuple(file[f"{name}_bias{i}"] for i in range(depth)),
                ))  # fmt: skip
            return cls(parts[0], parts[1])

    def save(self, path: Path) -> None:
        """Write the parameters as a compressed NumPy file."""
        arrays: dict[str, Any] = {"features_version": features.FEATURES_VERSION}
        for name, layers in zip(("preflop", "postflop"), self.layers, strict=True):
            arrays |= {f"{name}_by_hand": layers.by_hand, f"{name}_by_context": layers.by_context,
                       f"{name}_bias": layers.bias, f"{name}_depth": len(layers.weights)}  # fmt: skip
            arrays |= {f"{name}_weight{i}": weight for i, weight in enumerate(layers.weights)}
            arrays |= {f"{name}_bias{i}": bias for i, bias in enumerate(layers.biases)}
        np.savez_compressed(path, **arrays)

    def _first(self, board: Board) -> Floats:
        if not board:
            return self.layers[0].first(features.preflop_hands()[FIRST_OF_STARTING])
        return self.layers[1].first(features.postflop_hands(board))

    def probabilities(self, seen: Seen, board: Board) -> Floats:
        """P(act | hand) of every hand (row) and Act (column); illegal acts have 0. Before the flop a row for each
        starting hand."""
        if seen.street == 0:
            layers, context = self.layers[0], features.preflop_context(seen)
        else:
            layers, context = self.layers[1], features.postflop_context(seen, board)
        scores = layers.scores(self._first_layer(board if seen.street else ()), np.array(context, np.float32))
        illegal = [act for act in Act if act not in legal_acts(seen)]
        scores[:, illegal] = -np.inf
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        return scores

    def _likelihood(self, seen: Seen, board: Board) -> Floats:
        chances: Floats = self.probabilities(seen, board)[:, seen.act]
        if seen.street == 0:
            chances = chances[STARTING]
        return np.maximum(chances, SMALLEST_CHANCE)


@functools.cache
def fitted_model() -> FittedModel:
    """The shipped fitted model."""
    return FittedModel.load()


def model_card() -> dict[str, Any]:
    """Where the fitted parameters come from: data, command, seed, measured quality."""
    with Path(__file__).with_name("fitted.json").open() as file:
        card: dict[str, Any] = json.load(file)
        return card
