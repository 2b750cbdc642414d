"""The one reader of foreign input: everything within the limits is read, everything beyond them is BadlyWritten."""

import json

import pytest

from mingpai.core.errors import BadlyWritten, shown
from mingpai.core.reading import (
    MOST_DEPTH,
    WHOLE,
    bounded,
    read_json,
    read_list,
    read_number,
    read_object,
    read_whole,
)


def test_json_within_the_limits_is_read_as_json_reads_it() -> None:
    data = {"a": [1, -2, 3.5, None, True, "x" * 30 + "1" * 40], "b": {"seed": WHOLE.stop - 1, "low": WHOLE.start}}
    assert read_json(json.dumps(data)) == data
    assert read_object(json.dumps(data).encode()) == data


def _nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def test_nesting_has_a_limit() -> None:
    assert read_json(_nested(MOST_DEPTH))
    for depth in (MOST_DEPTH + 1, 990, 100_000):
        with pytest.raises(BadlyWritten, match="nested"):
            read_json(_nested(depth))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,]", "NaN", "-Infinity", "1e999", "9" * 5000, "-" + "9" * 21, str(WHOLE.stop), str(WHOLE.start - 1),
     '{"chips": ' + "9" * 30 + "}", "\udc80"],
    ids=len,
)  # fmt: skip
def test_what_is_no_json_or_too_large_is_refused(text: str) -> None:
    with pytest.raises(BadlyWritten):
        read_json(text)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(BadlyWritten):
        read_json(b'"\xff"')


def test_a_long_text_is_refused_before_it_is_read() -> None:
    with pytest.raises(BadlyWritten, match="at most 10 characters"):
        read_json("[" * 11, most=10)


def test_an_object_is_demanded() -> None:
    with pytest.raises(BadlyWritten, match="a request"):
        read_object("[1]", "a request")


@pytest.mark.parametrize(("value", "read"), [(7, 7), ("7", 7), ("007", 7), ("-3", -3), (-3, -3)])
def test_whole_numbers(value: object, read: int) -> None:
    assert read_whole(value, "it", -5, 10) == read


@pytest.mark.parametrize(
    "value",
    [11, "11", "-6", "", "-", "²", "٣", "1_0", " 1", "+1", "1.0", 1.0, True, None, "9" * 5000, 10**5000],
    ids=lambda value: type(value).__name__,
)
def test_other_whole_numbers_are_refused(value: object) -> None:
    with pytest.raises(BadlyWritten, match="it: a whole number from -5 to 10"):
        read_whole(value, "it", -5, 10)


def test_numbers() -> None:
    assert read_number("-12.50", "it") == -12.5
    for text in ("", "nan", "inf", "1e9", "²", "1." + "0" * 50):
        with pytest.raises(BadlyWritten):
            read_number(text, "it")


def test_lists_and_texts() -> None:
    assert read_list([1, 2], "it", 2) == [1, 2]
    others: list[object] = [[1, 2, 3], "ab", None, {}]
    for value in others:
        with pytest.raises(BadlyWritten):
            read_list(value, "it", 2)
    assert bounded("abc", "it", 3) == "abc"
    with pytest.raises(BadlyWritten):
        bounded("abcd", "it", 3)


def test_a_message_shows_any_value_in_a_few_words() -> None:
    """A number of 5,000 digits has no repr, and deep lists exhaust the stack: an error about them must not fail."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (10**5000, deep, "x" * 10**6, {"a": [10**5000]}):
        assert len(shown(value)) <= 300
        assert len(str(BadlyWritten(value, "less"))) < 400
