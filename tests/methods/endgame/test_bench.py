"""The benchmark's tables: what is asked, what is met, what is missing."""

import json
from pathlib import Path
from types import ModuleType

import pytest

from tests.benches import load_benchmark


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load_benchmark("endgame", monkeypatch)


def test_missing_public_positions_are_named(bench: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PUBLIC", bench.ROOT.parent / "nowhere" / "puzzles.jsonl")
    ((text, *_),) = bench.public_rows()
    assert "nowhere/puzzles.jsonl" in text
    assert bench.PUBLIC_SOURCE in text


def test_a_row_says_whether_the_target_is_met(bench: ModuleType) -> None:
    fast = {"cards": "20+20", "seed": 1, "limit": 20.0, "wanted": 100, "seconds": [0.1] * 99 + [1.9]}
    slow = {**fast, "seconds": [0.1] * 99 + [2.1]}
    open_ = {**fast, "seconds": [0.1] * 99 + [None]}
    assert [bench.row(part)[-1] for part in (fast, slow, open_)] == ["yes", "no", "no"]
    assert bench.row(open_)[5] == "not proved"
    assert bench.row({**fast, "cards": "12+12"})[-1] == ""
    assert bench.row({**fast, "seconds": [0.1] * 50})[-1] == "not all measured"


def test_a_deal_is_timed_and_proved(bench: ModuleType) -> None:
    (timing,) = bench.timed(bench.Kind((5, 5), 1), 1, 10.0, 3)
    assert timing.nodes > 0
    assert timing.seconds == timing.spent


def test_two_threads_are_compared_on_what_both_proved(bench: ModuleType) -> None:
    assert bench.thread_row("20+20", [2.0, None, 4.0], [1.0, 3.0, 2.0]) == [
        "20+20",
        "2/3",
        "3/3",
        "2",
        "6.00",
        "3.00",
        "2.00",
    ]
    assert bench.thread_row("20+20", [None], [None])[-1] == ""
    times = bench.elapsed(bench.Kind((5, 5), 2), 2, 10.0, 3, threads=2)
    assert all(seconds is not None and seconds >= 0 for seconds in times)


def test_the_judge_is_weighed_on_the_same_deals(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "WHOLE", bench.Kind((10, 10, 10), 2))
    (name, *counts, nodes, _), (other, *_, other_nodes, _) = list(bench.growing_worth(2, 5.0, 3))[-1]
    assert (name, other) == ("with the judge", "without")
    assert all(count.endswith("/2") for count in counts)
    assert int(nodes.replace(",", "")) > 0
    assert int(other_nodes.replace(",", "")) > 0


def test_a_truth_line_is_timed(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "WHOLE", bench.Kind((6, 6, 6), 2))
    *_, times = bench.growing_truth(2, 10.0, 3)
    assert None not in times
    assert bench.truth_row(3, times)[-2:] == ["2/2", "yes"]


def test_parts_are_merged_and_missing_ones_named(
    bench: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "CHUNKS", tmp_path)
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(bench, "growing", lambda name, seed: [fake_part(name, seed)])
    monkeypatch.setattr(bench, "PUBLIC", Path(__file__))
    for place, seed in enumerate((8, 7)):
        for name in bench.names_for(place):
            bench.write_part(name, seed)
    bench.merge_parts()
    saved = json.loads((tmp_path / "results.json").read_text())
    assert saved["seeds"] == [8, 7]
    assert len(saved["two"]) == 2 * len(bench.TWO_HANDED)
    assert "<svg" in bench.plot(saved)
    assert saved["missing"] == []
    (tmp_path / "7-truth.json").unlink()
    bench.merge_parts()
    assert json.loads((tmp_path / "results.json").read_text())["missing"] == ["7-truth"]


def test_a_stopped_run_goes_on(bench: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RUN", tmp_path / "run")
    asked: list[tuple[int, str]] = []
    stops = [3]

    def measured(name: str, seed: int) -> object:
        if len(asked) in stops:
            raise KeyboardInterrupt
        asked.append((seed, name))
        return fake_part(name, seed)

    monkeypatch.setattr(bench, "measured", measured)
    with pytest.raises(KeyboardInterrupt):
        bench.run()
    first = list(asked)
    stops.clear()
    result = bench.run()
    assert len(set(asked)) == len(asked) == sum(len(bench.names_for(place)) for place in range(bench.SEEDS))
    assert asked[:3] == first
    assert result["missing"] == []
    assert not (tmp_path / "run").exists()


def test_memory_is_taken_as_given(bench: ModuleType) -> None:
    assert bench.memory_row(32, 40)[-1] == "yes"
    assert bench.memory_row(32, 41)[-1] == "no"


def fake_part(name: str, seed: int) -> object:
    if name in ("public", "memory", "worth", "threads"):
        return []
    if name == "truth":
        return [1.0, None]
    total = sum(map(int, name.split("+")))
    return {"cards": name, "total": total, "seed": seed, "limit": 20.0, "wanted": 2, "seconds": [0.5, None]}
