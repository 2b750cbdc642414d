"""Each player's share of the pot at showdown, exact or sampled, for known hands and weighted ranges."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import numpy as np
import numpy.typing as npt

from mingpai._native import holdem as native
from mingpai._native.core import Budget
from mingpai.core.errors import BadSetting
from mingpai.games.holdem.notation import Card, parse_cards, to_set
from mingpai.games.holdem.ranges import Range

Method = Literal["auto", "exact", "walk", "independent"]
Sampler = Literal["none", "walk", "independent"]

MOST_SAMPLES = 10**12
MOST_THREADS = 1024
SEEDS = 1 << 64
"""Seeds are taken modulo this: the native core counts them in 64 bits."""
MAX_PLAYERS = 10

_METHODS: Mapping[str, native.EquityMethod] = {
    "auto": native.EquityMethod.AUTO,
    "exact": native.EquityMethod.EXACT,
    "walk": native.EquityMethod.WALK,
    "independent": native.EquityMethod.INDEPENDENT,
}
_SAMPLERS: Mapping[native.EquityMethod, Sampler] = {
    native.EquityMethod.EXACT: "none",
    native.EquityMethod.WALK: "walk",
    native.EquityMethod.INDEPENDENT: "independent",
}


class Category(IntEnum):
    """What a hand makes, weakest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8


@dataclass(frozen=True)
class Equity:
    """Shares of the pot, and how sure they are."""

    equities: tuple[float, ...]
    """Share of the pot of each player, split pots counted; they sum to 1."""
    wins: tuple[float, ...]
    """Probability of winning alone."""
    ties: tuple[float, ...]
    """Probability of sharing the pot."""
    standard_errors: tuple[float, ...]
    """Of the equities, from the effective sample size; 0 when exact."""
    method: Literal["exact", "sampled"]
    sampler: Sampler
    """How samples were drawn: a Markov walk, or independently with importance weights."""
    samples: int
    """Samples drawn, or deals and boards enumerated (deals alike but for their suits once)."""
    effective_samples: float
    """Independent samples of equal weight that would err as much."""
    reached_target: bool
    """False when samples or budget ran out before the target error."""

    def to_json(self) -> dict[str, object]:
        return {
            "equities": list(self.equities), "standard_errors": list(self.standard_errors), "wins": list(self.wins),
            "ties": list(self.ties), "method": self.method, "sampler": self.sampler, "samples": self.samples,
            "effective_samples": self.effective_samples, "reached_target": self.reached_target,
        }  # fmt: skip


def evaluate(cards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """Ranks of hands of five to seven cards, one hand a row: larger is stronger, equal is a tie."""
    return native.evaluate(np.ascontiguousarray(cards, dtype=np.uint8))


def rank_of(cards: Iterable[Card]) -> int:
    """The rank of one hand of five to seven different cards."""
    return native.evaluate_set(to_set(cards))


def category_of(rank: int) -> Category:
    """What a hand of that rank makes."""
    return Category(rank >> native.CATEGORY_SHIFT)


def player_range(player: "str | Range | Sequence[Card]") -> Range:
    """A player given as range text, a Range or two cards."""
    if isinstance(player, Range):
        return player
    if isinstance(player, str):
        return Range.parse(player)
    first, second = player
    return Range.of_cards(first, second)


def equity(
    players: Sequence["str | Range | Sequence[Card]"],
    board: str | Iterable[Card] = "",
    dead: str | Iterable[Card] = "",
    *,
    method: Method = "auto",
    samples: int = 100_000,
    target_error: float = 0.0,
    seed: int = 0,
    threads: int = 1,
    exact_work: float = 100e6,
    budget: Budget | None = None,
) -> Equity:
    """Each player's share of the pot.

    A player's combination is as likely as its weight, given that no card is dealt twice. `auto` enumerates when that
    ranks at most `exact_work` hands, else it walks (four or more wide ranges) or samples independently. With a
    `target_error`, sampling stops once every standard error is at or below it, at most after `samples`. The number of
    threads does not change the answer.
    """
    if not 2 <= len(players) <= MAX_PLAYERS:
        raise BadSetting("players", len(players), f"2 to {MAX_PLAYERS}")
    if not 1 <= samples <= MOST_SAMPLES:
        raise BadSetting("samples", samples, f"1 to {MOST_SAMPLES}")
    if not 1 <= threads <= MOST_THREADS:
        raise BadSetting("threads", threads, f"1 to {MOST_THREADS}")
    if not (target_error >= 0 and exact_work >= 0):
        raise BadSetting("error", target_error, "0 or more")
    if method not in _METHODS:
        raise BadSetting("method", method, f"one of {', '.join(_METHODS)}")
    weights = np.stack([player_range(player).weights for player in players])
    settings = native.EquitySettings(_METHODS[method], samples, target_error, seed % SEEDS, threads, exact_work)
    try:
        result = native.equity(weights, _set_of(board), _set_of(dead), settings, budget)
    except ValueError as error:
        raise BadSetting("equity", f"{len(players)} players", f"a possible deal: {error}") from None
    sampler = _SAMPLERS[result.method]
    return Equity(
        equities=tuple(result.equities),
        wins=tuple(result.wins),
        ties=tuple(result.ties),
        standard_errors=tuple(result.standard_errors),
        method="exact" if sampler == "none" else "sampled",
        sampler=sampler,
        samples=result.samples,
        effective_samples=result.effective_samples,
        reached_target=result.reached_target,
    )


def _set_of(cards: str | Iterable[Card]) -> int:
    return to_set(parse_cards(cards) if isinstance(cards, str) else cards)
