"""Weighted ranges over the 1326 two-card combinations: text, the 13 x 13 matrix, arithmetic.

Text is a list of items, commas or spaces between them:

    AhKd          one combination          AK  AKs  AKo   a class: both, suited, offsuit
    QQ+  ATs+     and better               99-66  ATs-A7s  T9s-65s   from one to the other
    any           everything               0.5(T9s, 98s)   with a weight; T9s:0.5 means the same

A combination named twice keeps the last weight.
"""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from mingpai._native import holdem as native
from mingpai.core.errors import BadlyWritten
from mingpai.games.holdem.notation import CARDS, RANKS, SUITS, Card, CardSet, format_hand, parse_card

Weights = npt.NDArray[np.float32]
"""One weight for each combination, in the order of `COMBOS`."""

COMBOS: Final = tuple(native.combo_cards(i) for i in range(native.COMBOS))
"""The two cards of each combination, the lower one first."""

COMBO_SETS: Final = np.array([1 << low | 1 << high for low, high in COMBOS], dtype=np.uint64)

CLASSES: Final = tuple(
    RANKS[max(row, column)] + RANKS[min(row, column)] + ("" if row == column else "s" if row > column else "o")
    for row in range(len(RANKS) - 1, -1, -1)
    for column in range(len(RANKS) - 1, -1, -1)
)
"""The 169 classes of starting hands, as the 13 x 13 matrix reads: row by row from AA, suited above the diagonal."""

_TOKEN = re.compile(r"(?P<weight>\d*\.?\d+%?)\s*\(|(?P<close>\))|(?P<separator>[\s,]+)|(?P<item>[^\s,()]+)")
_CLASS = re.compile(r"^([2-9TJQKA])([2-9TJQKA])([so]?)(\+?)$", re.IGNORECASE)
_EXPECTED = "range items such as QQ+, AKs, ATo+, 99-66, AhKd, any, 0.5(T9s)"


def class_of(first: Card, second: Card) -> str:
    """The class of starting hands of two cards, such as AKs."""
    high, low = max(first, second), min(first, second)
    if high // 4 == low // 4:
        return RANKS[high // 4] * 2
    return RANKS[high // 4] + RANKS[low // 4] + ("s" if high % 4 == low % 4 else "o")


@functools.cache
def combos_of_class(name: str) -> tuple[int, ...]:
    """The combinations of a class: 6 of a pair, 4 suited, 12 offsuit."""
    return tuple(i for i, cards in enumerate(COMBOS) if class_of(*cards) == name)


CLASS_OF_COMBO: Final = np.array([CLASSES.index(class_of(*cards)) for cards in COMBOS], dtype=np.int64)
"""For each combination the index of its class in `CLASSES`."""


class Range:
    """A weight of at least 0 for each of the 1326 combinations. Only their ratios matter."""

    __slots__ = ("weights",)

    def __init__(self, weights: npt.ArrayLike) -> None:
        array = np.array(weights, dtype=np.float32)
        if array.shape != (len(COMBOS),) or not np.all(np.isfinite(array)) or np.any(array < 0):
            raise BadlyWritten(f"weights of shape {array.shape}", f"{len(COMBOS)} finite weights, none negative")
        array.flags.writeable = False
        self.weights: Weights = array
        """Read-only, in the order of `COMBOS`."""

    @classmethod
    def everything(cls) -> "Range":
        return cls(np.ones(len(COMBOS)))

    @classmethod
    def of_cards(cls, first: Card, second: Card) -> "Range":
        """One known hand."""
        weights = np.zeros(len(COMBOS))
        weights[native.combo_index(first, second)] = 1
        return cls(weights)

    @classmethod
    def of_classes(cls, weights: Mapping[str, float]) -> "Range":
        """A weight for each class named; the others have none."""
        array = np.zeros(len(COMBOS))
        for name, weight in weights.items():
            array[list(combos_of_class(name))] = weight
        return cls(array)

    @classmethod
    def parse(cls, text: str) -> "Range":
        return cls(_parse(text))

    def without(self, cards: CardSet) -> "Range":
        """The range once some cards are known to be elsewhere."""
        return Range(np.where(COMBO_SETS & np.uint64(cards), 0, self.weights))

    def probabilities(self) -> npt.NDArray[np.float64]:
        """The weights scaled to sum to 1."""
        total = float(self.weights.sum(dtype=np.float64))
        if total == 0:
            raise BadlyWritten(str(self), "a range with at least one combination")
        return self.weights.astype(np.float64) / total

    def matrix(self) -> npt.NDArray[np.float64]:
        """13 x 13, from AA at the top left, suited above the diagonal: the mean weight of each class."""
        totals = np.bincount(CLASS_OF_COMBO, weights=self.weights, minlength=len(CLASSES))
        return (totals / np.bincount(CLASS_OF_COMBO, minlength=len(CLASSES))).reshape(len(RANKS), len(RANKS))

    def __str__(self) -> str:
        """Text that parses back to the same weights (to six digits): whole classes where all their weights agree."""
        if np.all(self.weights == 1):
            return "any"
        groups: dict[str, list[str]] = {}
        for name in CLASSES:
            members = list(combos_of_class(name))
            weights = self.weights[members]
            if not weights.any():
                continue
            if np.all(weights == weights[0]):
                groups.setdefault(f"{weights[0]:.6g}", []).append(name)
                continue
            for combo, weight in zip(members, weights, strict=True):
                if weight:
                    groups.setdefault(f"{weight:.6g}", []).append(format_hand(COMBOS[combo]))
        return ", ".join(
            ", ".join(items) if weight == "1" else f"{weight}({', '.join(items)})" for weight, items in groups.items()
        )

    def __repr__(self) -> str:
        return f"Range.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and bool(np.array_equal(self.weights, other.weights))

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())


def _parse(text: str) -> Weights:
    weights = np.zeros(len(COMBOS), dtype=np.float32)
    factors = [1.0]
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise BadlyWritten(text, _EXPECTED, position)
        if match["weight"]:
            factors.append(factors[-1] * _weight(match["weight"], text, position))
        elif match["close"]:
            if len(factors) == 1:
                raise BadlyWritten(text, "an opening bracket before each closing one", position)
            factors.pop()
        elif match["item"]:
            item, colon, weight = match["item"].partition(":")
            factor = factors[-1] * (_weight(weight, text, position) if colon else 1.0)
            weights[list(_combos(item, text, position))] = factor
        position = match.end()
    if len(factors) > 1:
        raise BadlyWritten(text, "a closing bracket for each opening one", position)
    if not weights.any():
        raise BadlyWritten(text, f"at least one combination: {_EXPECTED}")
    return weights


def _weight(text: str, whole: str, position: int) -> float:
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise BadlyWritten(whole, "a weight such as 0.5 or 50%", position)
    return value


def _combos(item: str, whole: str, position: int) -> Iterable[int]:
    if item.lower() in ("any", "random", "*"):
        return range(len(COMBOS))
    first, dash, last = item.partition("-")
    names = _span(first, last) if dash else _expand(first)
    if names:
        return [combo for name in names for combo in combos_of_class(name)]
    if not dash and len(item) == 4:
        cards = [parse_card(item[:2]), parse_card(item[2:])]
        if cards[0] != cards[1]:
            return [native.combo_index(*cards)]
    raise BadlyWritten(whole, _EXPECTED, position)


def _expand(item: str) -> Sequence[str]:
    """The classes of `QQ`, `AK`, `AKs`, `ATo+`; nothing if it is not of that form."""
    match = _CLASS.match(item)
    if match is None:
        return ()
    high, low = sorted((RANKS.index(match[1].upper()), RANKS.index(match[2].upper())), reverse=True)
    kind, plus = match[3].lower(), match[4]
    if high == low:
        return () if kind else [RANKS[r] * 2 for r in range(high, len(RANKS) if plus else high + 1)]
    lows = range(low, high if plus else low + 1)
    return [RANKS[high] + RANKS[r] + k for r in lows for k in (kind or "so")]


def _span(first: str, last: str) -> Sequence[str]:
    """The classes from one to another of the same form: pairs, one high card, or one gap."""
    one, two = _CLASS.match(first), _CLASS.match(last)
    if one is None or two is None or one[4] or two[4] or one[3].lower() != two[3].lower():
        return ()
    kind = one[3].lower()
    a, b = (sorted((RANKS.index(m[1].upper()), RANKS.index(m[2].upper())), reverse=True) for m in (one, two))
    if a < b:
        a, b = b, a
    if a[0] - a[1] == b[0] - b[1]:
        pairs = [(b[0] + step, b[1] + step) for step in range(a[0] - b[0] + 1)]
    elif a[0] == b[0]:
        pairs = [(a[0], low) for low in range(b[1], a[1] + 1)]
    else:
        return ()
    if pairs[0][0] == pairs[0][1]:
        return () if kind else [RANKS[high] * 2 for high, _ in pairs]
    return [RANKS[high] + RANKS[low] + k for high, low in pairs for k in (kind or "so")]


def format_matrix(matrix: npt.NDArray[np.float64]) -> str:
    """The 13 x 13 matrix as text: each class with its weight in percent of the largest."""
    top = float(matrix.max()) or 1.0
    rows = []
    for row in range(len(RANKS)):
        names = CLASSES[row * len(RANKS) : (row + 1) * len(RANKS)]
        rows.append(" ".join(f"{name:<3}{100 * matrix[row, column] / top:4.0f}" for column, name in enumerate(names)))
    return "\n".join(rows)


assert len(CLASSES) == len(RANKS) ** 2
assert len(COMBOS) == len(CARDS) * (len(CARDS) - 1) // 2
assert len(SUITS) * len(RANKS) == len(CARDS)
