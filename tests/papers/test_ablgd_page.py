"""The scripts behind the page of paper 002: whose rounds table 6 reads, what tables 7 and 8 put side by side, words."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.table import play_deal
from mingpai.games.guandan import GAME

ROOT = Path(__file__).parents[2]
EXPERIMENTS = ROOT / "experiments"
MODULES = ("abduction_tables", "abduction_report", "abduction_fit", "kept", "script", "pictures")


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Imports a script of the folder of experiments by name."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    yield importlib.import_module
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.fixture
def report(scripts: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The report, which writes into a folder of the test."""
    pytest.importorskip("matplotlib")
    module = scripts("abduction_report")
    monkeypatch.setattr(module, "RESULTS", tmp_path)
    return module


@pytest.fixture
def data() -> dict[str, Any]:
    return dict(json.loads((EXPERIMENTS / "results" / "abduction.json").read_text("utf-8")))


def kept(won: float, seed: int, matches: int = 200) -> dict[str, Any]:
    """Results of a training: matches of ten rounds, all won or lost by 3."""
    wins = round(won * matches)
    rows = [[i // 2, i % 2 == 1, 1 if i < wins else -1, 10, 0, [5, 0, 0, 0, 0, 0, 5]] for i in range(matches)]
    command = f"mingpai train ablgd --set seed={seed} --set gamma=1.0 --set critic=open --set ahead=1.0 --set bots=0.5"
    return {"won": won, "error": 0.03, "points": 0.1, "points_error": 0.1, "matches": matches, "rows": rows,
            "command": command, "with": "w", "without": "o", "seed": 4646, "rounds": 10 * matches}  # fmt: skip


def words(*options: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(EXPERIMENTS / "abduction_tables.py"), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.ci
def test_the_page_is_made_of_what_is_kept_and_of_less(report: Any, data: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "abduction.json").write_text(json.dumps(data), "utf-8")
    report.main()
    page = (tmp_path / "abduction.md").read_text("utf-8")
    for picture in ("abduction_agreement.svg", "abduction_curve.svg", "abduction_paper_curve.svg"):
        assert f"({picture})" in page
        assert (tmp_path / picture).is_file()
    (tmp_path / "abduction.json").write_text("{}", "utf-8")
    report.main()
    assert "not trained for it yet" in (tmp_path / "abduction.md").read_text("utf-8")


def test_table_6_has_intervals_for_rounds_of_an_older_network_too(report: Any) -> None:
    rows = {name: [100, 0.5, 0.25, 0.05, None] for name in (*report.PAPER6, "all")}
    older = {"rounds": 100, "seed": 1, "networks": ["of another"], "stages": rows}
    before = {"rounds": 100, "seed": 1, "networks": ["x"], "stages": {name: row[:3] for name, row in rows.items()}}
    page = "\n".join(report.table6({"table6": before, "table6 older": older}))
    first, second = page.split("**Rounds of an older network")
    assert "| -30 | 100 | 58.6 | 33.89 | - | - | 50.0 ± 9.8 | 25.0 ± 8.5 |" in first
    assert "| all | 100 | - | - | - | - | 50.0 | 25.0 |" in first
    assert "| all | 100 | - | - | - | - | 50.0 ± 9.8 | 25.0 |" in second
    assert "descendant" in second
    same = older | {"networks": [report.read_card(report.FROZEN).files[report.NETWORK][:12]]}
    assert "which can only agree" in "\n".join(report.table6({"table6": before, "table6 older": same}))
    assert "Not measured yet" in "\n".join(report.table6({"table6": before}))


def test_table_7_puts_from_nothing_beside_the_paper_and_the_shipped_network_in_its_own_row(report: Any) -> None:
    data = {f"table7 seed {seed}": kept(won, seed) for seed, won in ((5, 0.5), (6, 0.49), (7, 0.51))}
    data |= {"table7 removed": kept(0.6, 31)}
    page = "\n".join(report.table7(data))
    assert "| both from nothing, mean of the seeds | 60.9 ± 0.7 of 5 x 500 | not trained for it yet | 50.0 ± " in page
    assert "from which ABLN is removed | - | not measured yet | 60.0 ± 5.9 of 200 |" in page
    data |= {"table7 removed paper": kept(0.55, 31)}
    assert "from which ABLN is removed | - | 55.0 ± 5.9 of 200 | 60.0 ± 5.9 of 200 |" in "\n".join(report.table7(data))


@pytest.mark.parametrize(("shares", "over"), [((0.1, 0.9, 0.5), "the seeds, by Student's t"), ((0.5,) * 3, "matches")])
def test_the_mean_of_seeds_has_the_larger_of_both_errors(report: Any, shares: tuple[float, ...], over: str) -> None:
    ones = [kept(won, seed) for seed, won in enumerate(shares)]
    mean, half, said = report.mean_of_seeds(ones, "won")
    assert mean == pytest.approx(0.5)
    assert over in said
    assert half >= 1.96 * report.over_matches(ones, "won")
    assert over in "\n".join(report.seeds_table7([one | {"training": "1"} for one in ones], "", ""))


def test_an_error_over_matches_is_the_one_that_is_kept(report: Any, data: dict[str, Any]) -> None:
    one = data["table7 seed 5"]
    assert report.over_matches([one], "won") == pytest.approx(one["error"])
    assert report.over_matches([one], "points") == pytest.approx(one["points_error"])


def test_table_8_takes_an_equal_share_of_each_seed(report: Any) -> None:
    lost = kept(0.0, 6, 1000)
    lost["rows"] = [[*row[:5], [10, 0, 0, 0, 0, 0, 0]] for row in lost["rows"]]
    rounds, scores, _ = report.totals8([kept(1.0, 5, 1000), lost])
    assert rounds == 5000
    assert scores == [3 * 1250, 3 * (1250 + 2500)]
    page = "\n".join(report.table7({"table7 seed 5": kept(1.0, 5, 1000), "table7 seed 6": lost}))
    assert "| cumulative score, with : without | 5181 : 4441 | - | 3750 : 11250 |" in page


def test_the_page_says_how_the_training_of_the_papers_network_differs(report: Any, data: dict[str, Any]) -> None:
    said = report.differing(data["table7 paper seed 5"]["command"])
    for text in (
        "`batch=1024` (paper: 16384)",
        "`abln_rate=1e-05` (paper: 4e-06)",
        "`last_rate=5e-06` (paper: 0.0001)",
    ):
        assert text in said
    assert not any(name in said for name in ("critic", "ahead", "bots", "gamma"))
    ours = report.differing(data["table7 seed 5"]["command"])
    for text in ("`critic=open` (paper: own)", "`ahead=1.0` (paper: 0)", "`bots=0.5` (paper: 0)",
                 "`gamma=1.0` (paper: 0.996)"):  # fmt: skip
        assert text in ours
    assert report.differing("mingpai train ablgd --set gamma=0.996 --set lam=0.98") == ""


def test_the_settings_of_the_paper_are_the_defaults_of_the_training(report: Any) -> None:
    pytest.importorskip("torch")
    from mingpai.methods.abduction.train import Settings

    for name, value in report.TRAINING_OF_THE_PAPER.items():
        assert name == "imitate" or report._same(str(getattr(Settings(), name)), value), name


def test_one_sentence_says_where_the_estimate_is_better_and_whether_it_pays(report: Any) -> None:
    gains = {"all": {"jokers": [9, 0.1, 0.01], "wild cards": [9, -0.1, 0.01], "others": [9, 0.1, 0.1]},
             "turn 0-9": {"all": [9, 0.1, 0.01]}}  # fmt: skip
    data: dict[str, Any] = {"estimates": {"gains": gains}, "table7 removed counting": kept(0.6, 1)}
    said = report.verdict(data)
    assert (
        "better than exact counting for jokers, and in turns 0-9; worse for wild cards; not shown to differ for others"
        in said
    )
    assert "60.0 ± 5.9 of 200 from the network of 0.1 on, so it pays" in said
    data["table7 removed counting"] = kept(0.52, 1)
    assert "so that it pays is not shown" in report.verdict(data)
    del data["table7 removed counting"]
    assert "has not been measured yet" in report.verdict(data)


def test_the_curve_of_the_papers_network_shows_the_matches_it_won(report: Any, data: dict[str, Any]) -> None:
    page = "\n".join(report.paper_curve(data))
    assert "| rule1 98% of 100, rule2 67% of 100 |" in page.replace("random 100% of 100, ", "")
    assert "rule1 27% of 60, rule2 25% of 60" in page


def test_a_run_without_matches_has_a_curve_of_its_sampled_rounds(report: Any, tmp_path: Path) -> None:
    lines = [
        {"decisions": 1000 * i, "phase": 2.0, "cpu_seconds": 60.0 * i, "points_to_rule4": 0.5} for i in range(1, 21)
    ]
    page = "\n".join(report.sampled_curve(lines))
    assert "| 0.02 | ppo | 16.0 | +0.50 |" in page
    assert (tmp_path / "abduction_curve.svg").is_file()
    assert report.sampled_curve([]) == []


def test_recorded_rounds_are_the_same_whichever_network_is_measured(scripts: Any) -> None:
    tables = scripts("abduction_tables")
    assert all("frozen" in spec for pair in tables.TABLE6_SEATS[" older"] for spec in pair)
    (one,), (other,) = (
        [record.events for record in tables.rounds6(tables.TABLE6_SEATS[" older"], options, float("inf"))]
        for options in (tables.argparse.Namespace(rounds=1, seed=3, model=name) for name in ("a", "b"))
    )
    assert one == other


def test_estimates_are_kept_by_sort_of_card_and_by_turn(scripts: Any) -> None:
    tables = scripts("abduction_tables")
    compared = tables.compare(tables.positions(tables.Runtime(tables.SHIPPED, tables.knowledge()), 40, 3))
    rows = {part: tables.quality_row(one["counting"]) for part, one in compared.qualities().items()}
    assert "log_loss others" in rows["all"]
    assert any(part.startswith("turn ") for part in rows)
    positions, gain, error = tables.gain_rows(compared)["all"]["others"]
    assert positions >= 40
    assert abs(gain) < 1
    assert error > 0


@pytest.mark.ci
def test_your_own_rounds_are_measured_from_a_file(tmp_path: Path) -> None:
    agents = [REGISTRY.agent("guandan", "rule3") for _ in range(4)]
    lines = [play_deal(GAME.deal(seed), agents, seed=seed).dumps() for seed in (1, 2)]
    (tmp_path / "mine.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    results = tmp_path / "results.json"
    done = words("table6", "--records", str(tmp_path / "mine.jsonl"), "--file", str(results))
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 rounds" in done.stdout
    kept = json.loads(results.read_text("utf-8"))["table6 records"]
    assert (kept["file"], kept["rounds"], kept["stages"]["-max"][0]) == ("mine.jsonl", 2, 2)


@pytest.mark.parametrize(("text", "said"), [
    (None, "no such file"), ('{"a": 1}\n', "line 1"), ("", "no finished round of guandan"),
])  # fmt: skip
def test_a_bad_file_is_one_message_and_code_2(tmp_path: Path, text: str | None, said: str) -> None:
    path = tmp_path / "rounds.jsonl"
    if text is not None:
        path.write_text(text, "utf-8")
    done = words("table6", "--records", str(path), "--file", str(tmp_path / "results.json"))
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "results.json").exists()
