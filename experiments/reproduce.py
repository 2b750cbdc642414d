"""Every table and figure of the five papers by name: `make papers`, or

    python experiments/reproduce.py list                   # names, papers, tables and figures, commands, cost
    python experiments/reproduce.py run abduction-table-5  # one or several, at the published size; `all` for everything
    python experiments/reproduce.py run all --quick        # minutes instead of hours, with wide intervals
    python experiments/reproduce.py run 004 --quick        # one paper

Prints what it will cost first. A step that is done is not repeated: run the same command again to go on after an
interruption (the steps themselves go on in chunks); `--again` starts over. Published pages are in experiments/results;
the quick mode works in a copy of the scripts, experiments/runs/quick, so that it never touches what is published.
Afterwards `python tools/published.py sign PAGE` gives the checksums and signatures for experiments/numbers.toml.
"""

import argparse
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DONE = HERE / "runs" / "reproduce.json"
QUICK = HERE / "runs" / "quick"
LONG = "--minutes 100000"
"""For scripts that stop by the clock: here they run to their end."""
PAPERS_NETWORK = "--model guandan-ablgd-paper --label ' paper'"
"""For tables of ABL-GD: the network of the paper's sizes, its rows kept apart."""
HANDS = "../shared/data/holdem/pluribus-6max.phhs.gz"
GAMES = "../shared/data/doudizhu/paper003-games.jsonl.gz"


@dataclass(frozen=True)
class Result:
    """A table or figure of a paper."""

    name: str
    paper: str
    part: str
    """Which table or figure."""
    full: tuple[str, ...]
    """Commands at the published size: a script of this folder, `mingpai`, or a module of benchmarks."""
    minutes: float
    """Processor minutes of `full`, about, on the machine of the results."""
    quick: tuple[str, ...]
    seconds: float
    """Processor seconds of `quick`, about."""
    page: str = ""
    """What is written, in the folder results."""
    needs: str = ""
    """A file that is not in the project (docs/data.md)."""


RESULTS = (
    Result("bidding-figures-7-to-10", "000", "figures 7 to 10: loss and accuracy, with and without features",
           ("bidding_model.py run", "bidding_model.py ceiling", "bidding_model.py report"), 18,
           ("bidding_model.py run --only paper-1 --epochs 1", "bidding_model.py ceiling --lived 100",
            "bidding_model.py report"), 30, "bidding_model.md"),
    Result("bidding-imbalance", "000", "figures 7 and 8: the early epochs that stand still, and what cures it",
           ("bidding_imbalance.py run", "bidding_imbalance.py report"), 8,
           ("bidding_imbalance.py run --only balanced-1 --epochs 2",
            "bidding_imbalance.py run --only paper-1 --epochs 2", "bidding_imbalance.py report"), 30,
           "bidding_imbalance.md"),
    Result("bidding-ceiling", "000", "ours: accuracy beside the ceiling of the labels, several simulators",
           ("bidding_ceiling.py run", "bidding_ceiling.py report"), 8,
           ("bidding_model.py run --only paper-1 --epochs 1", "bidding_model.py ceiling --lived 100",
            "bidding_model.py report", "bidding_ceiling.py run --only turns --epochs 1",
            "bidding_ceiling.py report --epochs 1"), 25, "bidding_ceiling.md"),
    Result("bidding-table-1", "000", "table 1 and figure 11: styles of players, recognised",
           ("bidding_style.py --players 600 --seed 51",), 1,
           ("bidding_style.py --players 20 --seed 51",), 4, "bidding_style.md"),
    Result("bidding-pipeline", "000", "section 3: from raw logs to samples",
           ("bidding_pipeline.py run --games 1000000", "bidding_pipeline.py copies --games 1000000 --times 5",
            "bidding_pipeline.py report"), 4,
           ("bidding_pipeline.py run --games 10000 --epochs 1", "bidding_pipeline.py report"), 10,
           "bidding_pipeline.md"),
    Result("bidding-worth", "000", "ours: what the bidding is worth in points",
           ("bidding_worth.py run --matches 200 --deals 100 --seed 41", "bidding_worth.py report"), 2,
           ("bidding_worth.py run --matches 4 --deals 10", "bidding_worth.py report --deals 10"), 2,
           "bidding_worth.md"),
    Result("bidding-power", "000", "ours: at which size the worth of styles shows",
           ("bidding_worth.py run --matches 200 --deals 100 --seed 41",
            "bidding_worth.py run --matches 500 --seed 43 --part styles",
            *(f"bidding_worth.py run --matches 100 --seed 44 --part styles --spread {spread}" for spread in (2, 3)),
            "bidding_worth.py power"), 9,
           ("bidding_worth.py run --matches 4 --deals 10", "bidding_worth.py power --deals 10"), 2, "bidding_power.md"),
    Result("endgame-example", "001", "the worked example: eleven root moves, 4 alone wins",
           ("mingpai solve 4667788QK2 334455QK2 --all",), 0.02, ("mingpai solve 4667788QK2 334455QK2 --all",), 1),
    Result("endgame-levels", "001", "140 of 140 levels passed",
           ("mingpai puzzle run --seed 1 --out experiments/runs/levels.jsonl", "endgame_levels.py --seed 1"), 3,
           ("mingpai puzzle run --seed 1", "endgame_levels.py --seed 1 --players rb"), 10, "endgame_levels.md"),
    Result("endgame-times", "001", "times of the solver",
           ("mingpai bench endgame --save",), 60, ("benchmarks.endgame part 12+12 1 experiments/runs/quick/bench",), 2,
           "../../benchmarks/results/endgame.json"),
    Result("abduction-table-5", "002", "table 5: matches against random and four rule bots",
           (*(f"abduction_tables.py table5 --against {bot} --matches {matches} --seed 2026 {LONG}" for bot, matches in
              (("random", 400), ("rule1", 200), ("rule2", 1000), ("rule3", 1000), ("rule4", 1000))),
            f"abduction_tables.py table5 {PAPERS_NETWORK} --matches 100 --seed 2026 {LONG}",
            f"abduction_tables.py strong --matches 128 --seed 5151 {LONG}", "abduction_report.py"), 40,
           ("abduction_tables.py table5 --against rule4 --matches 8 --seed 2026",
            f"abduction_tables.py table5 {PAPERS_NETWORK} --against rule4 --matches 4 --seed 2026",
            "abduction_report.py"), 4, "abduction.md"),
    Result("abduction-table-6", "002", "table 6 and figure 5: agreement with recorded play",
           (f"abduction_tables.py table6 --rounds 150 --seed 2028 {LONG}",
            f"abduction_tables.py table6 {PAPERS_NETWORK} --rounds 150 --seed 2028 {LONG}", "abduction_report.py"), 2,
           ("abduction_tables.py table6 --rounds 4 --seed 2028",
            f"abduction_tables.py table6 {PAPERS_NETWORK} --rounds 4 --seed 2028", "abduction_report.py"), 5,
           "abduction.md"),
    Result("abduction-tables-7-and-8", "002", "tables 7 and 8: with and without ABLN",
           ("abduction_removed.py --run runs/removed --ship runs/removed/models",
            *("abduction_tables.py table7 --model runs/removed/models/with/guandan-ablgd --without "
              f"runs/removed/models/{arm}/guandan-ablgd --matches 4000 --seed 4747 {LONG}"
              for arm in ("without", "counting")),
            "abduction_removed.py --config paper --decisions 160000 --run runs/removed-paper "
            "--ship runs/removed-paper/models",
            "abduction_tables.py table7 --model runs/removed-paper/models/with/guandan-ablgd-paper --without "
            f"runs/removed-paper/models/without/guandan-ablgd-paper --matches 400 --seed 4747 {LONG}",
            "abduction_seeds.py --run runs/seeds",
            "abduction_seeds.py --run runs/seeds-paper --config paper --matches 200",
            "abduction_report.py"), 150,
           ("abduction_removed.py --run runs/removed-quick --ship runs/removed-quick/models --decisions 8192",
            "abduction_tables.py table7 --model runs/removed-quick/models/with/guandan-ablgd --without "
            "runs/removed-quick/models/without/guandan-ablgd --matches 8 --seed 4747", "abduction_report.py"), 20,
           "abduction.md"),
    Result("abduction-estimates", "002", "ours: ABLN's estimates against exact counting; times of a decision",
           ("abduction_tables.py estimates --positions 4000 --seed 2026", "abduction_tables.py speed",
            "abduction_report.py"), 2,
           ("abduction_tables.py estimates --positions 200 --seed 2026", "abduction_report.py"), 3, "abduction.md"),
    Result("abduction-learning-curve", "002", "ours: the learning curve, trained from nothing",
           ("abduction_train.py --run runs/ablgd --ship runs/ablgd/models",), 68,
           ("abduction_train.py --run runs/ablgd-quick --ship runs/ablgd-quick/models --scale 0.0005",
            "abduction_report.py"), 25, "abduction.md"),
    Result("mcm-tables", "003", "the tables of MCM at one table with RHCP, CQL and random",
           (*(f"mcm_tables.py run {column}" for column in ("mcm-paper", "network", "mcm", "flagship")),
            "mcm_tables.py report"), 420,
           ("mcm_tables.py run network --deals 20", "mcm_tables.py run mcm --deals 20", "mcm_tables.py report"), 10,
           "mcm_tables.md"),
    Result("mcm-logs", "003", "the authors' own games and deals, played again",
           (f"mingpai records paper003 {GAMES} --out experiments/runs/paper003.jsonl",
            *(f"paper003_deals.py run {column} --data {GAMES}" for column in ("mcm-paper", "network", "mcm")),
            f"paper003_deals.py report --data {GAMES}"), 45,
           (f"paper003_deals.py run mcm --games 20 --data {GAMES}", f"paper003_deals.py report --data {GAMES}"), 3,
           "paper003_deals.md", GAMES),
    Result("mctshs-against-rb", "003", "MCTSHS against RB, by role; the time of a choice",
           ("mcm_tables.py run mctshs", "mcm_tables.py run times", "handsplit_tables.py run mctshs",
            "mcm_tables.py report", "handsplit_tables.py report"), 120,
           ("handsplit_tables.py run mctshs --row 0 --deals 4", "handsplit_tables.py report"), 3, "handsplit.md"),
    Result("lesssplit-coverage", "003", "share of moves in L_min + 0 to 3",
           ("handsplit_coverage.py --deals 40 --seed 1000",), 1,
           ("handsplit_coverage.py --deals 2 --seed 1000",), 2, "handsplit_coverage.md"),
    Result("mcm-curves", "003", "curves of loss and accuracy of the network",
           ("mcm_paper_lessons.py --out runs/mcm-paper/lessons-1 --lessons 530000 --iterations 400",
            "mingpai train mcm-paper --run runs/mcm-paper/net-1 --set lessons=runs/mcm-paper/lessons-1 --set epochs=5",
            "mcm_paper_generations.py curves 1=runs/mcm-paper/net-1", "mcm_paper_generations.py report"), 60,
           ("mcm_paper_lessons.py --out runs/mcm-quick/lessons-1 --lessons 500 --iterations 40",
            "mingpai train mcm-paper --run runs/mcm-quick/net-1 --set lessons=runs/mcm-quick/lessons-1 --set epochs=1",
            "mcm_paper_generations.py curves 1=runs/mcm-quick/net-1", "mcm_paper_generations.py report"), 15,
           "mcm_paper.md"),
    Result("fold-figure-4", "004", "figure 4: samples behind an equity, error and time",
           (f"fold_matches.py samples {LONG}",), 0.2, ("fold_matches.py samples --matches 2",), 1, "fold_samples.md"),
    Result("fold-figure-5", "004", "figure 5: shares of actions by class of hand",
           (f"fold_matches.py actions {LONG}",), 1, ("fold_matches.py actions --matches 1",), 6, "fold_actions.md"),
    Result("fold-figure-7", "004", "figure 7: prediction of hands by street",
           (f"fold_prediction.py {HANDS}", "fold_prediction.py own --hands 1600"), 30,
           (f"fold_prediction.py {HANDS} --every 100",), 10, "fold_prediction.md", HANDS),
    Result("fold-table-3", "004", "table 3 and figure 8: heads-up, convergence of the ranking",
           (f"fold_matches.py field {LONG}", f"fold_matches.py heads-up {LONG}", f"fold_matches.py paper {LONG}"), 10,
           ("fold_matches.py heads-up --matches 2",), 10, "fold_heads_up.md"),
    Result("fold-figure-9", "004", "figures 9 and 10: places at 2 to 8 seats, chip curves",
           (f"fold_matches.py seats {LONG}",), 8, ("fold_matches.py seats --matches 1",), 12, "fold_seats.md"),
    Result("fold-figure-11", "004", "figure 11: eight programs at one table",
           (f"fold_matches.py eight {LONG}",), 6, ("fold_matches.py eight --matches 1",), 4, "fold_eight.md"),
    Result("fold-figure-12", "004", "figure 12: with and without implied odds; what reading is worth",
           (f"fold_matches.py reading --matches 24 {LONG}",), 2, ("fold_matches.py reading --matches 1",), 6,
           "fold_reading.md"),
)  # fmt: skip
PAPERS = {"000": "bidding styles", "001": "endgames", "002": "ABL-GD", "003": "MCTSHS and MCM", "004": "FOLD"}


def chosen(names: Sequence[str]) -> list[Result]:
    known = {result.name for result in RESULTS} | set(PAPERS) | {"all"}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"no such result: {', '.join(unknown)}; `list` has the names")
    return [result for result in RESULTS if {"all", result.paper, result.name} & set(names)]


def show(results: Iterable[Result]) -> None:
    for result in results:
        print(f"{result.name}: paper {result.paper} ({PAPERS[result.paper]}), {result.part}")
        print(f"  {result.minutes:g} CPU minutes ({result.seconds:g} s quick); page: {result.page or 'printed'}"
              + (f"; needs {result.needs}" if result.needs else ""))  # fmt: skip
        for command in result.full:
            print(f"    {written(command)}")


def written(command: str) -> str:
    if command.startswith("mingpai"):
        return command
    return f"python -m {command}" if command.startswith("benchmarks.") else f"python experiments/{command}"


def words(command: str, folder: Path) -> list[str]:
    """What is called; a training whose folder is there goes on."""
    first, *rest = shlex.split(command)
    if rest[:1] == ["train"] and (ROOT / rest[rest.index("--run") + 1] / "run.json").exists():
        rest.append("--resume")
    is_module = first == "mingpai" or first.startswith("benchmarks.")
    return [sys.executable, *(["-m", first] if is_module else [str(folder / first)]), *rest]


def quick_folder() -> Path:
    """A copy of the scripts: their results and runs lie beside them, and the published ones stay as they are."""
    folder = QUICK / "experiments"
    (folder / "results").mkdir(parents=True, exist_ok=True)
    for script in HERE.glob("*.py"):
        shutil.copy(script, folder / script.name)
    for link, target in ((QUICK / "mingpai", ROOT / "mingpai"), (folder / "frozen", HERE / "frozen")):
        if not link.exists():
            link.symlink_to(target, target_is_directory=True)
    return folder


def read_done() -> dict[str, float]:
    return dict(json.loads(DONE.read_text())) if DONE.exists() else {}


def run(results: Sequence[Result], quick: bool, again: bool) -> int:
    here = [result for result in results if not result.needs or (ROOT / result.needs).exists()]
    for result in results:
        if result not in here:
            print(f"{result.name}: left out, {result.needs} is not there (docs/data.md says where it comes from)")
    total = sum(result.seconds if quick else 60 * result.minutes for result in here)
    print(f"{len(here)} results, about {total / 60:.0f} CPU minutes", flush=True)
    folder = quick_folder() if quick else HERE
    failed = [result.name for result in here if not run_one(result, folder, quick, again)]
    print(f"failed: {', '.join(failed)}" if failed else f"all done; pages are in {folder.relative_to(ROOT)}/results")
    return 1 if failed else 0


def run_one(result: Result, folder: Path, quick: bool, again: bool) -> bool:
    """Runs the steps that are not done yet; whether all succeeded and the page is there."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    for command in result.quick if quick else result.full:
        key = f"{'quick' if quick else 'full'} {result.name}: {command}"
        if key in read_done() and not again:
            print(f"{result.name}: done before: {written(command)}")
            continue
        print(f"{result.name}: {written(command)}", flush=True)
        before = processor_seconds()
        if subprocess.run(words(command, folder), cwd=ROOT, env=environment).returncode != 0:
            return False
        took = round(processor_seconds() - before, 1)
        print(f"{result.name}: {took} CPU seconds", flush=True)
        DONE.parent.mkdir(parents=True, exist_ok=True)
        DONE.write_text(json.dumps({**read_done(), key: took}, indent=1) + "\n")
    return not result.page.endswith(".md") or (folder / "results" / result.page).is_file()


def processor_seconds() -> float:
    """What the steps so far have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("list", "run"))
    parser.add_argument("names", nargs="*", help="names, numbers of papers (000 to 004), or all")
    parser.add_argument(
        "--quick", action="store_true", help="few deals and wide intervals; nothing published is touched"
    )
    parser.add_argument("--again", action="store_true", help="also what is done")
    options = parser.parse_args()
    results = chosen(options.names or ["all"])
    if options.action == "list":
        show(results)
        return 0
    if not options.names:
        parser.error("run needs names; `all` for everything")
    return run(results, options.quick, options.again)


if __name__ == "__main__":
    raise SystemExit(main())
