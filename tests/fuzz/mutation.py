"""Inputs that are nearly right: seeds from tests/corpus/, damaged as text, as bytes and as JSON."""

import contextlib
import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

DIGITS = "9" * 5000
"""More digits than Python turns into a number."""

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 5, 99, 2**31, 2**53 + 1, -(2**63), 2**63, 2**64, 10**20, -(10**30), 0.5, -0.0,
    1e308, 1e-320, "", " ", "-1", "0", "1e999999999", "²", "٣", "\ud800", "\x00", "pass", "NaN", "Infinity", DIGITS,
    [], {}, [[]], {"": 0}, [None] * 3, [0] * 70, ["x"] * 5, "A" * 300,
)  # fmt: skip
"""What takes the place of a value in JSON."""

PIECES = (
    "", " ", "\t", "\n", "\r\n", "\0", "-", "+", ".", ",", ":", ";", "/", "|", "=", "@", "#", "[", "]", "{", "}", "(",
    ")", '"', "'", "\\", "\\ud800", "0", "1", "9", "-1", "10", "99999999999999999999", DIGITS, "1e400", "NaN",
    "null", "true", "²", "٣", "３",
    "\u2028", "\ufeff", "牌", "\x1b[2J", "pass", "p1", "f", "c", "r", "raise", "AhKd", "3", "D", "X", "%s",
    "{0}", "../x", "[" * 60, '{"a":' * 60, "A" * 2000,
)  # fmt: skip
"""What is put into text."""

RAW = (b"\xff", b"\x80", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\x01", b"\x02", b"\x1f\x8b", b"PK")
MOST_CHANGES = 4
MOST_BYTES = 1 << 16
"""Of an input that is made here."""


class Mutator:
    """Makes damaged inputs from seeds. The same number gives the same inputs."""

    def __init__(self, seeds: Sequence[bytes], number: int) -> None:
        assert seeds, "a target needs at least one seed"
        self.seeds = seeds
        self.chance = random.Random(number)
        self._texts = [seed.decode("utf-8", "replace") for seed in seeds]
        self._data = [data for data in map(_json_lines, self._texts) if data is not None]
        self._leaves = [leaf for lines in self._data for line in lines for leaf in _leaves(line)]

    def make(self) -> bytes:
        """One input."""
        if self._data and self.chance.random() < 0.6:
            return self._damaged_json()
        return self._damaged_text()

    def _damaged_text(self) -> bytes:
        raw = self.chance.choice(self.seeds)
        for _ in range(self.chance.randint(1, MOST_CHANGES)):
            raw = self._change_bytes(raw) if self.chance.random() < 0.15 else self._change_text(raw)
        return raw[:MOST_BYTES]

    def _change_bytes(self, raw: bytes) -> bytes:
        at = self.chance.randrange(len(raw) + 1)
        if self.chance.random() < 0.5 or at == len(raw):
            return raw[:at] + self.chance.choice(RAW) + raw[at:]
        return raw[:at] + bytes([raw[at] ^ (1 << self.chance.randrange(8))]) + raw[at + 1 :]

    def _change_text(self, raw: bytes) -> bytes:
        text = raw.decode("utf-8", "surrogateescape")
        start, end = sorted(self.chance.randrange(len(text) + 1) for _ in range(2))
        if self.chance.random() < 0.7:
            end = min(end, start + self.chance.randint(0, 3))
        part, other = text[start:end], self.chance.choice(self._texts)
        far = self.chance.randrange(len(other) + 1)
        new: Sequence[Callable[[], str]] = (
            lambda: "", lambda: part * 2, lambda: part[::-1], lambda: self.chance.choice(PIECES), part.swapcase,
            lambda: self.chance.choice(PIECES) + part, lambda: other[far : far + self.chance.randint(1, 40)],
            lambda: "".join(chr(min(ord(c) + 1, 0x10FFFF)) for c in part), lambda: part * 50 if len(part) < 9 else part,
        )  # fmt: skip
        return _encoded(text[:start] + self.chance.choice(new)() + text[end:])

    def _damaged_json(self) -> bytes:
        lines = json.loads(json.dumps(self.chance.choice(self._data)))
        for _ in range(self.chance.randint(1, MOST_CHANGES)):
            at = self.chance.randrange(len(lines))
            lines[at] = self._change(lines[at])
        text = "\n".join(json.dumps(line, ensure_ascii=self.chance.random() < 0.5) for line in lines)
        return text.encode("utf-8", "surrogatepass")[:MOST_BYTES]

    def _change(self, data: Any) -> Any:
        """The data with one value changed, anywhere in it."""
        if isinstance(data, dict | list) and data and self.chance.random() < 0.85:
            key = self.chance.choice(list(data) if isinstance(data, dict) else range(len(data)))
            return self._change_inside(data, key)
        return self._replaced(data)

    def _change_inside(self, data: Any, key: Any) -> Any:
        kind = self.chance.random()
        if kind < 0.08:
            del data[key]
        elif kind < 0.14 and isinstance(data, list):
            data.insert(key, data[self.chance.randrange(len(data))])
        elif kind < 0.18 and isinstance(data, dict):
            data[self.chance.choice((*data, "x", "seat", "history", "rules", ""))] = data.pop(key)
        else:
            data[key] = self._change(data[key])
        return data

    def _replaced(self, data: Any) -> Any:
        kind = self.chance.random()
        if kind < 0.35 and isinstance(data, str):
            return self._change_text(data.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
        if kind < 0.35 and isinstance(data, int | float) and not isinstance(data, bool):
            return self.chance.choice((data + 1, data - 1, -data, data * 10, data + 0.5, str(data), [data]))
        if kind < 0.65 and self._leaves:
            return copy.deepcopy(self.chance.choice(self._leaves))
        if kind < 0.72:
            return [data] if kind < 0.70 else {"x": data}
        return copy.deepcopy(self.chance.choice(VALUES))


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _json_lines(text: str) -> list[Any] | None:
    """The values of a text that is JSON, or JSON line by line."""
    with contextlib.suppress(ValueError):
        return [json.loads(text)]
    with contextlib.suppress(ValueError):
        return [json.loads(line) for line in text.splitlines() if line.strip()] or None
    return None


def _leaves(data: Any) -> list[Any]:
    if isinstance(data, dict):
        return [leaf for value in data.values() for leaf in _leaves(value)]
    if isinstance(data, list):
        return [leaf for value in data for leaf in _leaves(value)]
    return [data]
