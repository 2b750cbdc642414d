"""Range text, the matrix, and what cannot be read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mingpai.core.errors import BadlyWritten
from mingpai.games.holdem.notation import parse_cards, to_set
from mingpai.games.holdem.ranges import CLASSES, COMBOS, Range, class_of, combos_of_class, format_matrix


def size(text: str) -> int:
    return int(np.count_nonzero(Range.parse(text).weights))


@pytest.mark.parametrize(
    ("text", "combos"),
    [
        ("QQ", 6), ("QQ+", 18), ("22+", 78), ("AK", 16), ("AKs", 4), ("AKo", 12), ("ATs+", 16), ("KTo+", 36),
        ("AhKd", 1), ("99-66", 24), ("66-99", 24), ("ATs-A7s", 16), ("T9s-65s", 20), ("any", 1326), ("*", 1326),
        ("QQ+, AKs, 0.5(T9s)", 26), ("QQ+ AK", 34), ("A2+", 16 * 12), ("kqs", 4), ("0.5(QQ, 0.5(JJ))", 12),
    ],
)  # fmt: skip
def test_size(text: str, combos: int) -> None:
    assert size(text) == combos


def test_weights() -> None:
    weights = Range.parse("QQ+, AKs, 0.5(T9s, 25%(98s)), 77:0.3").weights
    by_class = {name: float(weights[combos_of_class(name)[0]]) for name in CLASSES}
    assert by_class["AA"] == by_class["AKs"] == 1
    assert by_class["T9s"] == 0.5
    assert by_class["98s"] == 0.125
    assert by_class["77"] == pytest.approx(0.3)
    assert by_class["JJ"] == by_class["AKo"] == 0


def test_the_last_weight_counts() -> None:
    assert Range.parse("22+, 0.5(QQ)").weights[combos_of_class("QQ")[0]] == 0.5


@pytest.mark.parametrize(
    "text", ["", "AA+K", "AhAh", "ZZ", "AKx", "QQs", "(AA", "0.5(AA", "AA)", "AKs-QQ", "AA:x", "0(AA)"]
)
def test_unreadable_text_is_refused(text: str) -> None:
    with pytest.raises(BadlyWritten):
        Range.parse(text)


def test_classes_partition_the_combinations() -> None:
    assert len(CLASSES) == 169
    assert sorted(c for name in CLASSES for c in combos_of_class(name)) == list(range(1326))
    assert CLASSES[:2] == ("AA", "AKs")
    assert CLASSES[13] == "AKo"
    assert class_of(*parse_cards("2c7d")) == "72o"


def test_matrix_of_a_range() -> None:
    matrix = Range.parse("AKs, 0.5(AKo), AhAd").matrix()
    assert matrix[0, 1] == 1
    assert matrix[1, 0] == 0.5
    assert matrix[0, 0] == pytest.approx(1 / 6)
    assert matrix.sum() == pytest.approx(1 + 0.5 + 1 / 6)
    assert format_matrix(matrix).splitlines()[0].startswith("AA   17 AKs 100 AQs   0")


def test_without_removes_blocked_combinations() -> None:
    assert np.count_nonzero(Range.everything().without(to_set(parse_cards("AhKd"))).weights) == 50 * 49 // 2


@given(st.integers(0, 2**32), st.sampled_from([2, 30, 300, 1326]))
def test_text_round_trip(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    weights = np.zeros(len(COMBOS))
    weights[rng.choice(len(COMBOS), size, replace=False)] = rng.choice([1, 0.5, 0.125], size)
    made = Range(weights)
    assert Range.parse(str(made)) == made


@given(st.dictionaries(st.sampled_from(CLASSES), st.sampled_from([1.0, 0.25, 0.75]), min_size=1))
def test_text_round_trip_of_classes(weights: dict[str, float]) -> None:
    made = Range.of_classes(weights)
    assert Range.parse(str(made)) == made
