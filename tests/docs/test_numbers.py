"""Published numbers: every one is on the page that a command made, and a change of networks or play is noticed."""

import dataclasses
import importlib
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
published = importlib.import_module("published")

NUMBERS = published.read_list()
LEAGUE = "experiments/results/handsplit_league.md"
TABLES = "experiments/results/mcm_tables.md"


def test_every_published_number_is_on_its_source_and_of_the_networks_of_today() -> None:
    """Signatures of agents are compared by make check, which takes longer."""
    assert published.faults(NUMBERS, signatures=False) == []


def test_the_readmes_all_methods_and_the_pages_with_numbers_are_watched() -> None:
    methods = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("mingpai/methods/*/README.md")}
    assert {"README.md", "README.zh-CN.md", "docs/performance.md", "docs/reliability.md"} | methods <= set(
        NUMBERS.pages
    )
    without = dataclasses.replace(NUMBERS, pages={})
    assert "docs/reliability.md: not in numbers.toml" in published.faults(without, signatures=False)


def test_a_network_that_is_not_the_one_of_its_card_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(published.MODELS / "doudizhu-bidding", tmp_path / "doudizhu-bidding")
    monkeypatch.setattr(published, "MODELS", tmp_path)
    source = published.Source("", "", "", "", models={"doudizhu-bidding": published.checksum_of("doudizhu-bidding")})
    monkeypatch.setattr(published, "is_whole", published.is_whole.__wrapped__)
    assert list(published.changes(source, signatures=False)) == []
    network = tmp_path / "doudizhu-bidding" / "weights.safetensors"
    network.write_bytes(network.read_bytes() + b"!")
    assert list(published.changes(source, signatures=False)) == [
        "the files of the network doudizhu-bidding are not those of its card"
    ]


def test_a_plain_number_that_no_source_has_is_found(tmp_path: Path) -> None:
    """Code and links are no results; what a paper printed and what a command measured is declared."""
    text = "It takes 0.0372 s, not 0.0172 s or 12,345 nodes; see `1.5` and [this](v2.5.md); paper 3.14; by hand 2.72."
    page = published.Quoting(("source.md",), given=("3.14",), measured={"2.72": "a command"})
    assert list(published.unknown_numbers(text, page, ["| 0.03718 | 123456 |"])) == ["0.0172", "12,345"]
    assert list(published.unknown_numbers("61.9% of them", page, ["0.6189"])) == []


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_every_number_with_an_interval_on_a_readme_stands_verbatim_on_its_source(name: str) -> None:
    page, text = NUMBERS.pages[name], (ROOT / name).read_text("utf-8")
    numbers_shown = [figure.text for figure in published.figures(text)]
    assert len(numbers_shown) >= 6
    assert set(numbers_shown) <= set(page.exact)


def test_both_readmes_have_the_same_numbers_and_length() -> None:
    english, chinese = ((ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh-CN.md"))
    assert NUMBERS.pages["README.md"].exact == NUMBERS.pages["README.zh-CN.md"].exact
    assert len(english.splitlines()) == len(chinese.splitlines()) <= 80, "a screen and a half, the same in both"
    assert english.count("](docs/") == chinese.count("](docs/")


def changed(name: str, **new: object) -> object:
    source = dataclasses.replace(NUMBERS.sources[name], **new)
    return dataclasses.replace(NUMBERS, sources={**NUMBERS.sources, name: source})


def test_another_network_makes_a_page_stale() -> None:
    numbers = changed(TABLES, models={"doudizhu-value": "0123456789ab"})
    assert [TABLES in fault for fault in published.faults(numbers, signatures=False)] == [True]


def test_another_play_makes_a_page_stale() -> None:
    source = dataclasses.replace(NUMBERS.sources[TABLES], agents={"doudizhu random": "0123456789abcdef"})
    assert list(published.changes(source, signatures=True)) == ["doudizhu random plays otherwise"]
    assert list(published.changes(source, signatures=False)) == []


def test_a_stale_page_must_say_so() -> None:
    numbers = changed(LEAGUE, stale="something else has changed")
    assert published.faults(numbers, signatures=False) == [
        f"{LEAGUE}: does not say that it is stale: python tools/published.py mark"
    ]


def test_a_number_that_no_source_has_is_found(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("It wins 61.9% [58.8, 64.9], or was it 71.9% [68.8, 74.9]?")
    (tmp_path / "source.md").write_text("| 0.619 ± 0.031 |")
    numbers = published.Numbers({"source.md": published.Source("", "", "", "")}, {})
    faults = list(published.quoting_faults("page.md", published.Quoting(("source.md",)), numbers, tmp_path))
    assert faults == ["page.md: 71.9% [68.8, 74.9] is on none of its sources"]


def test_a_page_with_some_stale_rows_is_still_watched() -> None:
    name, other = "experiments/results/handsplit.md", {"doudizhu-value": "0123456789ab"}
    for rows, is_watched in ((r"\| 4 \|$", True), ("", False)):
        numbers = changed(name, stale="some rows", stale_rows=rows, models=other)
        faults = published.faults(numbers, signatures=False)
        assert any(f"{name}: the network doudizhu-value is another one" in fault for fault in faults) == is_watched


def test_stale_rows_cannot_be_quoted(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("77.8% [73.6, 81.5]")
    (tmp_path / "source.md").write_text("| 77.8 [73.6, 81.5] | 50 |\n")
    for rows, faults in (("", 0), (r"\| 50 \|$", 1)):
        numbers = published.Numbers({"source.md": published.Source("", "", "", "", stale_rows=rows)}, {})
        page = published.Quoting(("source.md",))
        assert len(list(published.quoting_faults("page.md", page, numbers, tmp_path))) == faults


@pytest.mark.parametrize(("text", "value", "low", "high"), [
    ("98.6% ± 0.8", 98.6, 97.8, 99.4),
    ("0.887 +- 0.070", 0.887, 0.817, 0.957),
    ("+0.27 [+0.18, +0.36]", 0.27, 0.18, 0.36),
    ("0.14 [0.11, 0.18]", 0.14, 0.11, 0.18),
    ("50.7 (49.9-51.4)", 50.7, 49.9, 51.4),
])  # fmt: skip
def test_numbers_are_read_in_every_form_that_pages_have(text: str, value: float, low: float, high: float) -> None:
    (figure,) = published.figures(text)
    assert (figure.value, figure.low, figure.high) == pytest.approx((value, low, high))
