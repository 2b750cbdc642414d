"""Every table and figure of the papers has a name, a cost and commands that exist; the quickest are run."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent
NAMES = re.findall(r'^    Result\("([\w-]+)"', (ROOT / "experiments" / "reproduce.py").read_text("utf-8"), re.MULTILINE)


@pytest.fixture
def reproduce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, with its runs in a folder of the test."""
    spec = importlib.util.spec_from_file_location("reproduce", ROOT / "experiments" / "reproduce.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "reproduce", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "DONE", tmp_path / "done.json")
    monkeypatch.setattr(module, "QUICK", ROOT / "experiments" / "runs" / f"test-{tmp_path.name}")
    return module


@pytest.fixture
def quick_runs(reproduce: ModuleType) -> Iterator[Path]:
    import shutil

    yield reproduce.QUICK / "experiments" / "results"
    shutil.rmtree(reproduce.QUICK, ignore_errors=True)


def test_all_five_papers_are_there_and_each_name_once(reproduce: ModuleType) -> None:
    names = [result.name for result in reproduce.RESULTS]
    assert len(names) == len(set(names))
    assert {result.paper for result in reproduce.RESULTS} == set(reproduce.PAPERS)


def test_every_command_names_a_script_that_has_its_options(reproduce: ModuleType) -> None:
    for command in {command for result in reproduce.RESULTS for command in (*result.full, *result.quick)}:
        script, *rest = command.split()
        if script == "mingpai" or script.startswith("benchmarks."):
            continue
        source = (ROOT / "experiments" / script).read_text("utf-8")
        for option in re.findall(r"--[a-z-]+", " ".join(rest)):
            assert f'"{option}"' in source, f"{command}: {script} has no {option}"


def test_a_quoted_word_of_a_command_stays_whole(reproduce: ModuleType) -> None:
    said = reproduce.words(f"abduction_tables.py table6 {reproduce.PAPERS_NETWORK}", Path("folder"))
    assert said[-2:] == ["--label", " paper"]


def test_both_networks_of_abl_gd_are_in_tables_5_to_8(reproduce: ModuleType) -> None:
    for name in ("abduction-table-5", "abduction-table-6", "abduction-tables-7-and-8"):
        (result,) = reproduce.chosen([name])
        assert any("guandan-ablgd-paper" in command or "--config paper" in command for command in result.full), name


def test_the_list_tells_paper_part_cost_and_command() -> None:
    told = subprocess.run([sys.executable, "experiments/reproduce.py", "list", "004"], cwd=ROOT, capture_output=True,
                          text=True, check=True).stdout  # fmt: skip
    assert "fold-table-3: paper 004 (FOLD), table 3" in told
    assert "CPU minutes" in told
    assert "python experiments/fold_matches.py heads-up" in told
    assert "bidding" not in told


def test_an_unknown_name_is_refused(reproduce: ModuleType) -> None:
    with pytest.raises(SystemExit, match="no such result: table-99"):
        reproduce.chosen(["table-99"])


def test_the_quick_mode_runs_to_its_page_and_goes_on(
    reproduce: ModuleType, quick_runs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    published = (ROOT / "experiments" / "results" / "fold_samples.md").read_bytes()
    results = reproduce.chosen(["fold-figure-4"])
    assert reproduce.run(results, quick=True, again=False) == 0
    assert "Figure 4 on 2 random flops" in (quick_runs / "fold_samples.md").read_text("utf-8")
    assert (ROOT / "experiments" / "results" / "fold_samples.md").read_bytes() == published
    assert reproduce.run(results, quick=True, again=False) == 0
    assert "done before" in capfd.readouterr().out


LONGER = ("bidding-figures-7-to-10", "bidding-imbalance", "bidding-ceiling", "abduction-tables-7-and-8",
          "abduction-learning-curve", "mcm-curves")  # fmt: skip
"""They train or simulate, ten to thirty seconds of one core each: `make verify` runs them, CI the other twenty."""


def test_what_is_left_to_verify_exists(reproduce: ModuleType) -> None:
    assert set(LONGER) < set(NAMES) == {result.name for result in reproduce.RESULTS}


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.verify if name in LONGER else pytest.mark.ci) for name in NAMES
])  # fmt: skip
def test_the_quick_mode_makes_every_table_and_figure(reproduce: ModuleType, quick_runs: Path, name: str) -> None:
    (result,) = reproduce.chosen([name])
    if result.needs and not (ROOT / result.needs).exists():
        pytest.skip(f"public data not present: {result.needs}")
    before = {path: path.read_bytes() for path in (ROOT / "experiments" / "results").glob("*.md")}
    assert reproduce.run([result], quick=True, again=False) == 0
    assert not result.page.endswith(".md") or (quick_runs / result.page).is_file()
    assert {path: path.read_bytes() for path in before} == before, "the quick mode has touched a published page"


def test_a_step_that_fails_is_named(
    reproduce: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = reproduce.Result("broken", "000", "", ("fold_matches.py nothing",), 0, ("mingpai nothing",), 0)
    monkeypatch.setattr(reproduce, "quick_folder", lambda: reproduce.HERE)
    assert reproduce.run([failing], quick=True, again=False) == 1
    assert "failed: broken" in capsys.readouterr().out


@pytest.mark.parametrize("words", ["fold_prediction.py nowhere.phhs.gz", "paper003_deals.py report --data nowhere.gz"])
def test_data_that_is_not_there_is_said(words: str) -> None:
    script, *rest = words.split()
    done = subprocess.run([sys.executable, str(ROOT / "experiments" / script), *rest], capture_output=True, text=True)
    assert done.returncode == 2
    assert "no such file: nowhere" in done.stderr
    assert "docs/data.md" in done.stderr
    assert "Traceback" not in done.stderr


def test_every_script_ends_with_one_message_where_something_is_wrong() -> None:
    scripts = [path for path in (ROOT / "experiments").glob("*.py") if "__main__" in path.read_text("utf-8")]
    assert len(scripts) > 25
    assert [path.name for path in scripts if "as_script(main)" not in path.read_text("utf-8")] == ["reproduce.py"]
    command = [sys.executable, "experiments/guandan_rounds.py", "--a", "nobody"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
