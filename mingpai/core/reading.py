"""The one reader of what other people write: JSON, numbers and lists, each within limits.

Whatever comes from a file, a line, a socket or a request is read here first. What is too large is BadlyWritten at once:
no parser behind it meets a number, a nesting or a text that could cost it much time or memory.
"""

import dataclasses
import io
import json
import math
import re
import typing
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO, TypeVar

from mingpai.core.errors import BadlyWritten, MingpaiError

MOST_CHARACTERS = 16 << 20
"""Of one JSON text: a line, a request, an answer."""

MOST_DEPTH = 32
"""Lists and objects within each other."""

WHOLE = range(-(1 << 63), 1 << 64)
"""Whole numbers that are read: what the record store and the native core can hold, seeds included."""

MOST_DIGITS = 18
"""Of a number written as text."""

MOST_TOKENS = 1 << 16
"""Characters of a text of cards, moves or betting: a whole game has a few hundred."""

MOST_BYTES = 1 << 28
"""Of a file that is read whole."""

T = TypeVar("T")

_LONG_NUMBER = re.compile(r"[0-9]{19}")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_DIGITS = re.compile(r"[0-9]+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?", re.ASCII)


def read_json(text: str | bytes, expected: str = "JSON", most: int = MOST_CHARACTERS) -> Any:
    """The value of a JSON text. Raises BadlyWritten for text that is no JSON, NaN, or anything beyond the limits."""
    if len(text) > most:
        raise BadlyWritten(text[:80], f"{expected} of at most {most:,} characters, found {len(text):,}")
    try:
        text = text if isinstance(text, str) else text.decode("utf-8")
        data = (_CAREFUL if _LONG_NUMBER.search(text) else _QUICK).decode(text)
        if not text.isascii() or _SURROGATE.search(text):
            json.dumps(data, ensure_ascii=False).encode()  # half of a character pair is no text: it cannot be written
    except RecursionError:
        raise BadlyWritten(text[:80], f"{expected}, nested at most {MOST_DEPTH} deep") from None
    except ValueError as error:
        raise BadlyWritten(text[:80], f"{expected} ({error})") from None
    _check_depth(data, text, expected)
    return data


def read_object(text: str | bytes, expected: str = "a JSON object", most: int = MOST_CHARACTERS) -> dict[str, Any]:
    """The object of a JSON text. Raises BadlyWritten."""
    data = read_json(text, expected, most)
    if not isinstance(data, dict):
        raise BadlyWritten(text[:80], expected)
    return data


def as_text(source: TextIO) -> TextIO:
    """The stream, read so that bytes which are no UTF-8 become a mark in their line and do not end the reading."""
    if isinstance(source, io.TextIOWrapper):
        source.reconfigure(encoding="utf-8", errors="replace")
    return source


def read_text(path: Path, expected: str = "text", most: int = MOST_BYTES) -> str:
    """The text of a file. Raises BadlyWritten unless it is UTF-8 of bounded length."""
    if not path.is_file():
        raise MingpaiError(f"no such file: {path}")
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except OSError as error:
        raise MingpaiError(f"cannot read {path}: {error.strerror or error}") from None
    if len(raw) > most:
        raise BadlyWritten(path.name, f"{expected} of at most {most:,} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadlyWritten(raw[error.start : error.start + 20], f"{expected} in UTF-8", error.start) from None


def read_lines(source: TextIO, most: int = MOST_CHARACTERS) -> Iterator[str]:
    """The lines of a stream. Of a line that is longer than `most` only so much is kept that its reader refuses it."""
    while line := source.readline(most + 1):
        while not line.endswith("\n") and (rest := source.readline(most)):
            if rest.endswith("\n"):
                break
        yield line


def _bounded_whole(digits: str) -> int:
    if len(digits) > len(str(WHOLE.stop)) or int(digits) not in WHOLE:
        raise ValueError(f"a whole number of {len(digits)} digits is too large")
    return int(digits)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is too large")
    return value


def _refused(text: str) -> None:
    raise ValueError(f"{text} is not a JSON number")


_QUICK = json.JSONDecoder(parse_float=_finite, parse_constant=_refused)
_CAREFUL = json.JSONDecoder(parse_float=_finite, parse_constant=_refused, parse_int=_bounded_whole)
"""For texts with long runs of digits; looking at each number costs time."""


def _check_depth(data: object, text: str | bytes, expected: str) -> None:
    """Level by level, without recursion."""
    level: list[Any] = [data] if isinstance(data, dict | list) else []
    for _ in range(MOST_DEPTH):
        if not level:
            return
        inner: list[Any] = []
        for item in level:
            values = item.values() if type(item) is dict else item
            inner += [value for value in values if type(value) is list or type(value) is dict]
        level = inner
    if level:
        raise BadlyWritten(text[:80], f"{expected}, nested at most {MOST_DEPTH} deep")


def read_whole(value: object, name: str, least: int = 0, most: int = 10**MOST_DIGITS - 1) -> int:
    """A whole number from `least` to `most`: as a number, or as text in plain digits, with a minus where allowed."""
    number: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, str) and len(value) <= MOST_DIGITS + 1:
        digits = value[1:] if value[:1] == "-" else value
        number = int(value) if len(digits) <= MOST_DIGITS and _DIGITS.fullmatch(digits) else None
    if number is None or not least <= number <= most:
        raise BadlyWritten(value, f"{name}: a whole number from {least} to {most}")
    return number


def read_number(text: str, name: str) -> float:
    """A decimal number written in plain digits."""
    if len(text) > 2 * MOST_DIGITS or not _DECIMAL.fullmatch(text):
        raise BadlyWritten(text, f"{name}: a number of at most {2 * MOST_DIGITS} characters")
    return float(text)


def read_list(value: object, name: str, most: int) -> Sequence[Any]:
    """A list of at most `most` items."""
    if not isinstance(value, list | tuple) or len(value) > most:
        length = f", found {len(value)}" if isinstance(value, list | tuple) else ""
        raise BadlyWritten(value, f"{name}: a list of at most {most} items{length}")
    return value


def read_mapping(value: object, name: str) -> Mapping[str, Any]:
    """A JSON object that is already read."""
    if not isinstance(value, Mapping):
        raise BadlyWritten(value, f"{name}: a JSON object")
    return value


def read_fields(kind: type[T], value: object, name: str) -> T:
    """A dataclass of numbers, texts and switches from a JSON object that has its fields and no others."""
    given, hints = read_mapping(value, name), typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    needed = {field.name for field in fields if field.default is dataclasses.MISSING}
    if not needed <= set(given) <= set(hints):
        raise BadlyWritten(sorted(map(str, given)), f"{name} with the fields {', '.join(hints)}")
    for key, field in given.items():
        if not _is_a(field, hints[key]):
            raise BadlyWritten({key: field}, f"{name}, {key}: {getattr(hints[key], '__name__', hints[key])}")
    return kind(**given)


def _is_a(value: object, hint: Any) -> bool:
    kinds = typing.get_args(hint) or (hint,)
    return type(value) in kinds or (type(value) is int and float in kinds)


def bounded(text: object, name: str, most: int = MOST_TOKENS) -> str:
    """The text itself, if it is one and no longer than `most` characters."""
    if not isinstance(text, str):
        raise BadlyWritten(text, f"{name}: a text")
    if len(text) > most:
        raise BadlyWritten(text, f"{name}: at most {most:,} characters, found {len(text):,}")
    return text
