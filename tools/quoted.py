"""Numbers as they stand on a page: with an interval (a Figure), and plain ones with a decimal point or thousands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_FIGURE = re.compile(
    rf"({_NUMBER})%?(?: points(?: a deal)?)?"
    rf"(?:\s*(?:±|\+-)\s*({_NUMBER})|\s*[\[(]({_NUMBER})%?(?:, ?|-)({_NUMBER})%?[\])])"
)
_CODE_OR_LINK = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|https?://\S+", re.DOTALL)
_THOUSANDS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"
_RESULT = re.compile(rf"(?<![\w.,:-])[+-]?({_THOUSANDS}|\d+\.\d+)(?!\.?\d)")
_ANY = re.compile(rf"{_THOUSANDS}|\d+(?:\.\d+)?(?:e-?\d+)?")
_SCALES = (1.0, 100.0, 0.01)
"""As a share of 1 or in percent."""


@dataclass(frozen=True)
class Figure:
    """A number with its interval, as it stands on a page."""

    text: str
    value: float
    low: float
    high: float
    unit: float
    """One in the last digit of the value."""

    def agrees(self, other: "Figure") -> bool:
        """The same number: also as a share of 1 and in percent, with bounds or with a half width, rounded otherwise."""
        return any(self._same(other, scale) for scale in _SCALES)

    def _same(self, other: "Figure", scale: float) -> bool:
        near = 0.51 * max(self.unit, other.unit * scale) + 1e-9
        edges = near + self.unit
        return (abs(self.value - other.value * scale) <= near and abs(self.low - other.low * scale) <= edges
                and abs(self.high - other.high * scale) <= edges)  # fmt: skip


def figures(text: str) -> Iterator[Figure]:
    for match in _FIGURE.finditer(text.replace("**", "")):
        value, half, low, high = match.groups()
        middle = float(value)
        bounds = (middle - float(half), middle + float(half)) if half else (float(low), float(high))
        yield Figure(match[0], middle, *bounds, _unit(value))


def results(text: str) -> Iterator[str]:
    """Numbers that look measured: with a decimal point or thousands, outside code and links, without an interval."""
    plain = _CODE_OR_LINK.sub(" ", text.replace("**", ""))
    for match in _RESULT.finditer(_FIGURE.sub(" ", plain)):
        yield match[1]


def values(text: str) -> set[float]:
    """All numbers of a text, however they are written."""
    return {float(number.replace(",", "")) for number in _ANY.findall(text)}


def is_among(number: str, known: set[float]) -> bool:
    """Whether the number is one of these, rounded to its own digits, or one of the shares in percent."""
    wanted, near = float(number.replace(",", "")), 0.51 * _unit(number) + 1e-9
    return any(abs(wanted - value) <= near or (value <= 1 and abs(wanted - 100 * value) <= near) for value in known)


def _unit(number: str) -> float:
    """One in the last digit."""
    return float(10.0 ** -len(number.partition(".")[2]))
