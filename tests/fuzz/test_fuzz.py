"""One rule for everything that reads foreign input: a result or a MingpaiError, in bounded time and memory.

`python -m tests.fuzz.run TARGET` looks on for longer; what it finds goes into tests/corpus/ and is tried again here.
"""

import re

import pytest

from tests.fuzz.run import fuzz, generated, replayed
from tests.fuzz.targets import CORPUS, TARGETS
from tests.fuzz.web_targets import ROUTES
from tests.scale import count

SEED = 22


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_input_is_refused_or_read(name: str) -> None:
    report = fuzz(name, count(fast=30, ci=2000, verify=TARGETS[name].most), SEED)
    print(report)
    assert not report.findings, str(report)


@pytest.mark.ci
@pytest.mark.parametrize("name", TARGETS)
def test_invented_input_is_refused_or_read(name: str) -> None:
    report = fuzz(name, count(fast=10, ci=100, verify=1000), SEED, generated)
    assert not report.findings, str(report)


@pytest.mark.ci
@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_itself_is_refused_or_read(name: str) -> None:
    report = fuzz(name, 0, SEED, replayed)
    assert not report.findings, str(report)


def test_every_target_has_seeds_and_every_seed_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)


def test_every_route_of_the_api_is_a_target() -> None:
    from mingpai.web.api import description

    paths = description()["paths"]
    posted = {path.removeprefix("/api/v1/") for path, ways in paths.items() if "post" in ways}
    assert posted == set(ROUTES)
    asked = {path.removeprefix("/api/v1/").partition("/")[0] for path, ways in paths.items() if "get" in ways}
    seeds = {seed.decode().partition("?")[0].partition("/")[0] for seed in TARGETS["api-get"].seeds()}
    assert asked <= seeds


def test_the_page_on_reliability_says_how_many_inputs_each_target_has() -> None:
    page = (CORPUS.parent.parent / "docs" / "reliability.md").read_text()
    rows = re.findall(r"^\| ([\d,]+) \| (`[^|]*`) \|$", page, re.MULTILINE)
    told = {name: int(number.replace(",", "")) for number, names in rows for name in re.findall(r"`([^`]+)`", names)}
    assert told == {name: made.most for name, made in TARGETS.items()}
