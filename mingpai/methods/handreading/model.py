"""Stage 2, model: how a player acts, P(action | hand, situation), for all 1326 hands at once.

Three models, one face (`PlayerModel`): `DefaultModel` is the paper's (entry rates by position before the flop, DFModel
after it, both bent by what the player has been seen to do); `FittedModel` is learned from hands with known cards;
`UniformModel` says that actions tell nothing, which turns hand prediction off.
"""

import dataclasses
import functools
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from mingpai._native import handreading as native
from mingpai.core.errors import MingpaiError
from mingpai.methods.handreading import features
from mingpai.methods.handreading.hands import COMBOS, FIRST_OF_STARTING, STARTING, Floats, preflop_percentile, strength
from mingpai.methods.handreading.understand import Act, Position, Seen

Board = tuple[int, ...]
SMALLEST_CHANCE = np.float32(1e-6)
"""No hand is excluded by one action alone."""
CACHED_ACTIONS = 512
"""Likelihood vectors that a model remembers: later streets ask for those of earlier ones again."""
BOARDS_KEPT = 32
"""Boards of which the fitted model keeps the first layer."""
LARGEST_SCORE = np.float32(40)
"""Of a network: its exponential is still a finite float."""


class PlayerModel(Protocol):
    """P(action | hand, situation) of a player."""

    def likelihood(self, seen: Seen, board: Board, weights: Floats | None = None) -> Floats:
        """The probability of the action for each of the 1326 hands; values of blocked hands mean nothing.

        `weights` is the player's range before the action, for models that look at where a hand stands in it.
        """

    def responses(self, seen: Seen, board: Board, weights: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        """Probability of folding, of calling and of raising in the situation of `seen`, for each hand."""


class UniformModel:
    """Every hand acts alike: the model of somebody who does not read hands."""

    def likelihood(self, seen: Seen, board: Board, weights: Floats | None = None) -> Floats:
        return np.ones(COMBOS, np.float32)

    def responses(self, seen: Seen, board: Board, weights: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        even = np.full(COMBOS, 1 / 3, np.float32)
        return even, even, even


class _Remembering(ABC):
    """Keeps likelihoods of actions: later streets ask for those of earlier ones again."""

    def __init__(self) -> None:
        self._remembered = functools.lru_cache(maxsize=CACHED_ACTIONS)(self._likelihood)

    @abstractmethod
    def _likelihood(self, seen: Seen, board: Board) -> Floats:
        """How likely each hand makes this action."""

    def likelihood(self, seen: Seen, board: Board, weights: Floats | None = None) -> Floats:
        return self._remembered(seen, board)

    def responses(self, seen: Seen, board: Board, weights: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        fold = self._remembered(dataclasses.replace(seen, act=Act.FOLD), board)
        call = self._remembered(dataclasses.replace(seen, act=Act.CALL), board)
        return fold, call, np.maximum(1 - fold - call, 0)


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

RAISES = (Act.HALF_POT, Act.THREE_QUARTERS, Act.POT)
FACING_BET = (Act.FOLD, Act.CALL, Act.HALF_POT, Act.THREE_QUARTERS, Act.POT)
NOT_FACING = (Act.CHECK, Act.HALF_POT, Act.THREE_QUARTERS, Act.POT)


def legal_acts(seen: Seen) -> tuple[Act, ...]:
    """What the player could have done."""
    return FACING_BET if seen.to_call > 0 else NOT_FACING


def axis_power(opponents: int) -> float:
    """The power that moves equity against one uniform hand to where it stands in a two-player pot.

    Against k opponents a hand wins about equity**k, and an average hand 1 / (k + 1): the power brings that back to 1/2.
    """
    return 1.0 if opponents <= 1 else opponents * math.log(2) / math.log(opponents + 1)


PRICE_SHIFT = 0.5
"""How much of the price of a call, above that of a half-pot bet, the axis moves down by: big bets need better hands."""
HALF_POT_PRICE = 0.25


def _price_shift(seen: Seen) -> float:
    if seen.to_call <= 0:
        return 0.0
    return PRICE_SHIFT * (float(seen.to_call) / float(seen.pot + seen.to_call) - HALF_POT_PRICE)


ENTRY_RATES: Mapping[Position, float] = {
    Position.FRONT: 0.17, Position.MIDDLE: 0.21, Position.REAR: 0.33, Position.BLIND: 0.36,
}  # fmt: skip
"""How often an unknown player enters an unraised pot from each position at a table of six."""
FULL_TABLE_OTHERS = 5
"""The other players at that table: against fewer, more hands enter."""
OPEN_SHARE = 0.75
"""Of the hands that enter an unraised pot, how many raise."""
DEFAULT_RAISED = (0.74, 0.17, 0.09)
"""Folds, calls, raises of an unknown player who faces a raise before the flop at a table of six."""
DEFAULT_RERAISED = (0.62, 0.25, 0.13)
"""The same facing a raise of a raise."""
MOST_STAY = 0.97
"""Nobody is taken to call or raise every raise before he has been seen to."""
PREFLOP_TREMBLE = 0.08
"""Share of actions before the flop that say nothing of the hand."""
SLOW_PLAY = 0.15
"""How often a hand that could raise before the flop only calls."""
EDGE = 0.06
"""Width of the soft edge of a pre-flop range, in shares of all hands."""


PRICES = (0.28, 0.345, 0.42)
"""Steps of the price of a call: up to two thirds of a pot, up to a pot, up to about two and a half pots, more."""


def price_step(seen: Seen) -> int:
    """How dear the call was, from 0 on."""
    price = float(seen.to_call) / max(float(seen.pot + seen.to_call), 1e-9)
    return sum(price > limit for limit in PRICES)


@dataclass
class Habits:
    """What a player has been seen to do: counts, and how they bend the default model."""

    entries: dict[Position, list[int]] = field(default_factory=lambda: {place: [0, 0] for place in Position})
    """Position -> [hands that entered an unraised pot, chances to]."""
    unraised: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Before the flop, nobody has raised: folds (or checks), calls, raises."""
    raised: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Before the flop facing one raise: folds, calls, raises."""
    reraised: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Before the flop facing two raises or more."""
    facing: list[list[int]] = field(default_factory=lambda: [[0, 0, 0] for _ in range(len(PRICES) + 1)])
    """After the flop facing a bet, by its price (PRICES): folds, calls, raises."""
    free: list[list[int]] = field(default_factory=lambda: [[0, 0] for _ in range(3)])
    """Flop, turn, river, not facing a bet: checks, bets."""
    sizes: list[int] = field(default_factory=lambda: [0, 0, 0])
    """After the flop, bets and raises by size (RAISES); those of all chips are not counted: they had no choice."""

    def see(self, seen: Seen) -> None:
        """Count an action."""
        kind = 0 if seen.act is Act.FOLD else 2 if seen.act.is_raise else 1
        if seen.street > 0:
            if seen.act.is_raise and not seen.is_all_in:
                self.sizes[RAISES.index(seen.act)] += 1
            if seen.to_call > 0:
                self.facing[price_step(seen)][kind] += 1
            else:
                self.free[seen.street - 1][int(seen.act.is_raise)] += 1
            return
        if seen.raises == 0 and seen.to_call > 0:
            self.entries[seen.position][0] += kind > 0
            self.entries[seen.position][1] += 1
        counts = (self.unraised, self.raised, self.reraised)[min(seen.raises, 2)]
        counts[0 if seen.act is Act.CHECK else kind] += 1

    def to_json(self) -> dict[str, Any]:
        counts = {name: list(getattr(self, name)) for name in ("unraised", "raised", "reraised")}
        return {"entries": {place.name: list(counted) for place, counted in self.entries.items()}, **counts,
                "facing": [list(row) for row in self.facing], "free": [list(row) for row in self.free],
                "sizes": list(self.sizes)}  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Habits":
        entries = {Position[name]: list(counts) for name, counts in data["entries"].items()}
        unraised, raised, reraised = (list(data[name]) for name in ("unraised", "raised", "reraised"))
        facing, free = ([list(row) for row in data[name]] for name in ("facing", "free"))
        return cls(entries, unraised, raised, reraised, facing, free, list(data.get("sizes", (0, 0, 0))))

    def facing_rates(self, seen: Seen) -> list[float]:
        """Folds, calls and raises at such a price; few observations lean on all prices, those on the default."""
        overall = smoothed(_columns(self.facing), DEFAULT_FACING)
        return smoothed(self.facing[price_step(seen)], tuple(overall))

    def free_rates(self, seen: Seen) -> list[float]:
        """Checks and bets on such a street, in the same way."""
        overall = smoothed(_columns(self.free), DEFAULT_FREE)
        return smoothed(self.free[max(seen.street - 1, 0)], tuple(overall))


PRIOR_HANDS = 8.0
"""Hands that the default entry rate is worth."""
PRIOR_ACTIONS = 6.0
"""Actions that the default frequencies are worth."""
DEFAULT_FACING = (0.45, 0.42, 0.13)
DEFAULT_FREE = (0.62, 0.38)
MAX_SHIFT = 0.20
"""Furthest that habits move an end of a band."""


def _columns(rows: list[list[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def smoothed(counts: list[int], default: tuple[float, ...]) -> list[float]:
    """Frequencies, with the default as PRIOR_ACTIONS actions seen before."""
    total = sum(counts) + PRIOR_ACTIONS
    return [(count + PRIOR_ACTIONS * rate) / total for count, rate in zip(counts, default, strict=True)]


@dataclass(frozen=True)
class Additions:
    """What this project adds to the paper's DFModel, each to be switched off."""

    tremble: bool = True
    """Some actions say nothing of the hand."""
    shifts: bool = True
    """The axis moves down on later streets and for dear bets."""
    frequencies: bool = True
    """Actions are weighed by how often the player makes them."""


PLAIN = Additions(tremble=False, shifts=False, frequencies=False)
"""The paper's own model."""


class DefaultModel(_Remembering):
    """The paper's model of a player without history, adapted to what he has been seen to do."""

    def __init__(self, habits: Habits | None = None, additions: Additions | None = None) -> None:
        super().__init__()
        self.habits = habits or Habits()
        self.additions = additions or Additions()
        self.bands = self._bands()
        self._band_table = np.array([[b.low, b.high, b.baseline] for b in (self.bands[act] for act in Act)], np.float32)

    def entry_rate(self, position: Position, others: int = FULL_TABLE_OTHERS) -> float:
        """How often the player enters an unraised pot from a position; the default counts as PRIOR_HANDS hands."""
        entered, chances = self.habits.entries[position]
        return (entered + PRIOR_HANDS * widened(ENTRY_RATES[position], others)) / (chances + PRIOR_HANDS)

    def _bands(self) -> dict[Act, Band]:
        """DFModel with its ends moved: a player who calls too often calls with less, one who folds often with more."""
        _, call, raises = smoothed(_columns(self.habits.facing), DEFAULT_FACING)
        _, bet = smoothed(_columns(self.habits.free), DEFAULT_FREE)
        down = _bounded((call + raises) - (DEFAULT_FACING[1] + DEFAULT_FACING[2]))
        bold = _bounded(0.5 * (bet - DEFAULT_FREE[1]) + (raises - DEFAULT_FACING[2]))
        moved = dict(BANDS)
        moved[Act.FOLD] = _shifted(BANDS[Act.FOLD], 0.0, -down)
        moved[Act.CALL] = _shifted(BANDS[Act.CALL], -down, -bold)
        return moved | self._raise_bands(BANDS[Act.HALF_POT].low - bold)

    def _raise_bands(self, low: float) -> dict[Act, Band]:
        """The sizes share the hands from `low` on as they share the player's bets: printed ones for an unknown player.

        Who bets half a pot whatever he holds bets it with his best hands too.
        """
        width = 1.0 - BANDS[Act.HALF_POT].low
        shares = smoothed(self.habits.sizes, tuple((BANDS[act].high - BANDS[act].low) / width for act in RAISES))
        moved, end = {}, low
        for act, share in zip(RAISES, shares, strict=True):
            start, end = end, end + share * (1.0 - low)
            printed = BANDS[act]
            inside = (printed.baseline - printed.low) / (printed.high - printed.low)
            moved[act] = Band(start, end, start + inside * (end - start))
        return moved

    def frequencies(self, seen: Seen) -> dict[Act, float]:
        """How often the player acts in each way in such a situation, whatever he holds."""
        if seen.to_call > 0:
            fold, call, raises = self.habits.facing_rates(seen)
            often = {Act.FOLD: fold, Act.CALL: call}
        else:
            check, raises = self.habits.free_rates(seen)
            often = {Act.CHECK: check}
        return often | {act: raises * size for act, size in SIZE_SHARES.items()}

    def _likelihood(self, seen: Seen, board: Board) -> Floats:
        if seen.street == 0:
            return self._preflop(seen)
        with_ = self.additions
        often = np.zeros(len(Act), np.float32)
        for act, rate in self.frequencies(seen).items():
            often[act] = max(rate, float(SMALLEST_CHANCE)) if with_.frequencies else 1.0
        act = seen.act if often[seen.act] > 0 else Act.CALL
        shift = STREET_SHIFTS[seen.street] + _price_shift(seen) if with_.shifts else 0.0
        tremble = TREMBLE if with_.tremble else 0.0
        return native.band_likelihood(
            strength(board).equity, axis_power(seen.live - 1), shift, self._band_table, often, act, THETA, FALL, tremble
        )

    def preflop_rates(self, seen: Seen) -> tuple[float, float, float]:
        """Folds, calls and raises in such a situation before the flop, whatever he holds."""
        others = max(seen.live - 1, 1)
        if seen.raises == 0:
            entry = self.entry_rate(seen.position, others)
            _, call, raises = smoothed(self.habits.unraised, (1 - entry, entry * (1 - OPEN_SHARE), entry * OPEN_SHARE))
            share = raises / max(call + raises, 1e-9)
            return 1 - entry, entry * (1 - share), entry * share
        counts, default = ((self.habits.raised, DEFAULT_RAISED) if seen.raises == 1
                           else (self.habits.reraised, DEFAULT_RERAISED))  # fmt: skip
        stay = min(widened(default[1] + default[2], others) * self._looseness(others), MOST_STAY)
        share = default[2] / (default[1] + default[2])
        fold, call, raises = smoothed(counts, (1 - stay, stay * (1 - share), stay * share))
        return fold, call, raises

    def _looseness(self, others: int) -> float:
        """How often the player enters unraised pots, by an unknown player: who enters little folds more to raises."""
        return sum(self.entry_rate(place, others) for place in Position) / sum(
            widened(ENTRY_RATES[place], others) for place in Position
        )

    def _preflop(self, seen: Seen) -> Floats:
        place = preflop_percentile()[FIRST_OF_STARTING]
        fold, call, raises = self.preflop_rates(seen)
        raising, entering = (1 - SLOW_PLAY) * _top(place, raises), _top(place, raises + call)
        if seen.act.is_raise:
            chance, rate = raising, raises
        elif seen.act is Act.FOLD:
            chance, rate = 1 - entering, fold
        elif seen.act is Act.CALL:
            chance, rate = entering - raising, call
        else:
            chance, rate = 1 - raising, 1 - raises
        tremble = PREFLOP_TREMBLE if self.additions.tremble else 0.0
        mixed = (1 - tremble) * chance + tremble * rate
        chances: Floats = np.maximum(mixed, SMALLEST_CHANCE)[STARTING].astype(np.float32)
        return chances


def widened(share: float, others: int) -> float:
    """The share of hands against `others` players that `share` is at a full table."""
    return 1 - float((1 - share) ** (FULL_TABLE_OTHERS / others))


HONEST_TREMBLE = 0.15
"""Share of the actions of an adaptive model that say nothing of the hand."""
ABSOLUTE = 0.5
"""How much a hand's place among all hands counts beside its place in the range: a narrowed range folds less."""
BAND_EDGE = 0.10
"""Width of the soft edges between folding, calling and raising, in shares of the range."""


class AdaptiveModel(DefaultModel):
    """DFModel taken to its end: the ends of the bands lie where the player's own frequencies put them.

    A player who folds 30%, calls 50% and raises 20% of the time raises with the best fifth of his range on this board,
    and folds the worst 30%. Unknown players start from the default frequencies. Before the flop it is the default.
    """

    def likelihood(self, seen: Seen, board: Board, weights: Floats | None = None) -> Floats:
        if seen.street == 0:
            return super().likelihood(seen, board)
        fold, call, raises = self.responses(seen, board, weights)
        if seen.act.is_raise:
            return raises
        return fold if seen.act is Act.FOLD else call

    def responses(self, seen: Seen, board: Board, weights: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        if seen.street == 0:
            return super().responses(seen, board)
        place = (1 - ABSOLUTE) * standing(board, weights) + ABSOLUTE * standing(board, None)
        if seen.to_call > 0:
            fold, call, raises = self.habits.facing_rates(seen)
        else:
            (call, raises), fold = self.habits.free_rates(seen), 0.0
        raising, staying = _soft(place, raises), _soft(place, raises + call) if fold else np.ones(COMBOS, np.float32)
        keep = 1 - HONEST_TREMBLE
        shares = (1 - staying, staying - raising, raising)
        folds, calls, again = (
            keep * share + np.float32(HONEST_TREMBLE * rate)
            for share, rate in zip(shares, (fold, call, raises), strict=True)
        )
        return folds, calls, again


def standing(board: Board, weights: Floats | None) -> Floats:
    """Share of a range (by default: all hands) that is better than each hand on the board: 0 for the nuts."""
    held = strength(board)
    own = (held.live if weights is None else weights)[held.order]
    better = np.cumsum(own, dtype=np.float32)
    place = np.empty(COMBOS, np.float32)
    place[held.order] = (better - 0.5 * own) / max(float(better[-1]), 1e-30)
    return place


def _soft(place: Floats, share: float) -> Floats:
    scaled = (place - np.float32(share)) * np.float32(4 / BAND_EDGE)
    soft: Floats = 1 / (1 + np.exp(np.clip(scaled, -30, 30)))
    return soft


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
    """Several small networks of one form, the first axis of every array counts them.

    Each is relu(hands @ by_hand + context @ by_context + bias), once more, then a score for each Act.
    """

    by_hand: Floats
    by_context: Floats
    bias: Floats
    weights: tuple[Floats, ...]
    """Weight matrices after the first layer."""
    biases: tuple[Floats, ...]

    def first(self, hands: Floats) -> Floats:
        """The hands' part of the first layer."""
        return hands @ self.by_hand

    def chances(self, first: Floats, context: Floats, legal: Sequence[Act]) -> Floats:
        """The probability of each Act (column) for each hand (row): the mean of the networks."""
        values = first + (context @ self.by_context + self.bias[:, 0])[:, None]
        for weight, bias in zip(self.weights, self.biases, strict=True):
            values = np.maximum(values, 0, out=values) @ weight
            values += bias
        values = values[:, :, legal]
        np.exp(np.clip(values, -LARGEST_SCORE, LARGEST_SCORE, out=values), out=values)
        values /= values @ np.ones((len(legal), 1), np.float32)
        chances = np.zeros((values.shape[1], len(Act)), np.float32)
        chances[:, legal] = values.mean(axis=0)
        return chances


class FittedModel(_Remembering):
    """Likelihoods learned from hands with known cards by maximum likelihood (`train.py`)."""

    def __init__(self, preflop: Layers, postflop: Layers) -> None:
        super().__init__()
        self.layers = (preflop, postflop)
        self._first_layer = functools.lru_cache(maxsize=BOARDS_KEPT)(self._first)
        self._situation = functools.lru_cache(maxsize=CACHED_ACTIONS)(self._chances)

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
        any_act = dataclasses.replace(seen, act=Act.CHECK, amount=0, share=0.0, is_all_in=False)
        return self._situation(any_act, board)

    def _chances(self, seen: Seen, board: Board) -> Floats:
        if seen.street == 0:
            layers, context = self.layers[0], features.preflop_context(seen)
        else:
            layers, context = self.layers[1], features.postflop_context(seen, board)
        first = self._first_layer(board if seen.street else ())
        return layers.chances(first, np.array(context, np.float32), legal_acts(seen))

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
