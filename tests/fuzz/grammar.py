"""Inputs put together from the words of a corpus: Hypothesis finds a small one when something breaks."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import strategies as st

from tests.fuzz.mutation import PIECES, VALUES, _json_lines, _leaves

_WORD = re.compile(r"\s+|[A-Za-z]+|\d+|.", re.DOTALL)
MOST_WORDS = 400


def inputs(seeds: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Bytes like the seeds, and some like nothing."""
    texts = [seed.decode("utf-8", "replace") for seed in seeds]
    data = [line for lines in map(_json_lines, texts) if lines is not None for line in lines]
    ways = [_from_words(texts), st.binary(max_size=200)]
    return st.one_of(_from_objects(data), *ways) if data else st.one_of(*ways)


def _from_words(texts: Sequence[str]) -> st.SearchStrategy[bytes]:
    words = list(dict.fromkeys(word for text in texts for word in _WORD.findall(text)))[:MOST_WORDS]
    some = st.lists(
        st.one_of(st.sampled_from(words or [""]), st.sampled_from(PIECES), st.text(max_size=3)), max_size=40
    )
    whole = st.sampled_from(texts)
    spliced = st.tuples(whole, whole, st.integers(0, 2000), st.integers(0, 2000), some).map(
        lambda made: made[0][: made[2]] + "".join(made[4]) + made[1][made[3] :]
    )
    return st.one_of(some.map("".join), spliced).map(lambda text: text.encode("utf-8", "surrogatepass"))


def _from_objects(data: Sequence[Any]) -> st.SearchStrategy[bytes]:
    """Objects with fields of the corpus, each with a value of that field, of another one, or with nonsense."""
    fields: dict[str, list[Any]] = {}
    for name, value in _fields(data):
        fields.setdefault(name, []).append(value)
    leaves = [leaf for line in data for leaf in _leaves(line)] or [0]
    other = st.one_of(st.sampled_from(leaves), st.sampled_from(VALUES), st.integers(), st.text(max_size=5))
    values = st.recursive(other, lambda inner: st.lists(inner, max_size=4), max_leaves=6)
    known = {name: st.one_of(st.sampled_from(examples), values) for name, examples in fields.items()}
    lines = st.lists(st.one_of(st.fixed_dictionaries({}, optional=known), st.sampled_from(list(data)), values),
                     min_size=1, max_size=3)  # fmt: skip
    return lines.map(lambda made: "\n".join(json.dumps(line) for line in made).encode())


def _fields(data: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield name, value
            yield from _fields(value)
    elif isinstance(data, list):
        for value in data:
            yield from _fields(value)
