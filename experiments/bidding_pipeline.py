"""The whole way of the bidding, step by step: time and peak memory of simulate, import, clean, train, classify.

    python experiments/bidding_pipeline.py run [--games 1000000] [--epochs 100]     # 1 M: about 3 CPU minutes
    python experiments/bidding_pipeline.py copies --games 1000000 --times 5         # its log imported 5 times, cleaned
    python experiments/bidding_pipeline.py report                                   # results/bidding_pipeline.md, .json

Every step is the command a user would give, in a process of its own. Wall time depends on what else the machine does,
CPU time hardly. A step that is done is not repeated: the files lie in runs/.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from script import as_script

RESULTS = Path(__file__).parent / "results"
RUNS = Path(__file__).parent / "runs" / "bidding-pipeline"
SEED, PLAYERS, SAMPLES = 61, 2000, 100_000


def steps(games: int, epochs: int) -> dict[str, list[str]]:
    """Name -> command."""
    styles_log = "styles.log"
    usage = {
        "simulate": ["records", "simulate", "doudizhu", "--games", str(games), "--players", str(PLAYERS), "--seed",
                     str(SEED), "--out", "games.log", "--threads", "1"],
        "import": ["records", "raw", "games.log", "--store", "games.duckdb", "--json"],
        "clean": ["records", "clean", "--store", "games.duckdb", "--out", "samples.csv", "--most", str(SAMPLES),
                  "--json"],
    }  # fmt: skip
    if epochs:
        usage |= {
            "train": ["train", "bidding", "--run", "run", "--set", "data=samples.csv", "--set", f"epochs={epochs}",
                      "--ship", ".", "--json"],
            "simulate other games": ["records", "simulate", "doudizhu", "--games", str(games // 10), "--players",
                                     str(PLAYERS), "--seed", str(SEED + 1), "--out", styles_log, "--threads", "1"],
            "classify": ["style", styles_log, "--model", "./doudizhu-bidding", "--json"],
        }  # fmt: skip
    return usage


def measure(command: list[str], folder: Path) -> dict[str, Any]:
    """Runs a command of Mingpai: wall and CPU seconds, peak memory in MB, and what it printed last."""
    start = time.perf_counter()
    root = str(Path(__file__).resolve().parent.parent)
    environment = os.environ | {"PYTHONPATH": root, "OMP_NUM_THREADS": "1"}
    with (folder / "out.txt").open("w+b") as out:
        child = subprocess.Popen([sys.executable, "-m", "mingpai", *command], cwd=folder, env=environment, stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        out.seek(0)
        text = out.read().decode("utf-8")
    if status:
        raise SystemExit(f"{' '.join(command)}: exit status {status}")
    last = [line for line in text.splitlines() if line.startswith("{")]
    return {"command": "mingpai " + " ".join(command), "wall": time.perf_counter() - start,
            "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss / 1024,
            "told": json.loads(last[-1]) if last and len(last[-1]) < 4000 else None}  # fmt: skip


def run(games: int, epochs: int) -> None:
    folder = RUNS / str(games)
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in steps(games, epochs).items():
        path = folder / f"{name}.json"
        if path.exists():
            continue
        usage = measure(command, folder)
        if name == "simulate":
            usage["bytes"] = (folder / "games.log").stat().st_size
        path.write_text(json.dumps(usage))
        print(f"{name}: {usage['wall']:.1f} s, {usage['cpu']:.1f} CPU s, {usage['peak']:.0f} MB", flush=True)


HEAD = """# The pipeline, step by step

Made by `python experiments/bidding_pipeline.py run` and `report`. One thread; the machine was busy with other work, so
wall time is more than an idle one needs. Peak memory is that of the step's process.
"""


def copies(games: int, times: int) -> None:
    """Imports the log of a run so many times into a new store and cleans that: memory with several million games."""
    source, folder = RUNS / str(games), RUNS / f"{games}x{times}"
    folder.mkdir(parents=True, exist_ok=True)
    logs = [str(source.resolve() / "games.log")] * times
    for name, command in steps(games, 0).items():
        path = folder / f"{name}.json"
        if name == "simulate" or path.exists():
            continue
        usage = measure([*command[:2], *logs, *command[3:]] if name == "import" else command, folder)
        usage["command"] = usage["command"].replace(str(source.resolve()) + "/", "")
        if name == "import":
            usage["told"] = None
        path.write_text(json.dumps(usage))
        print(f"{name}: {usage['wall']:.1f} s, {usage['cpu']:.1f} CPU s, {usage['peak']:.0f} MB", flush=True)


def report() -> None:
    result = {}
    lines = [HEAD]
    for folder in sorted(RUNS.iterdir(), key=lambda path: len(path.name)):
        games, _, times = folder.name.partition("x")
        order = [name for name in steps(int(games), 1) if (folder / f"{name}.json").exists()]
        measured = {name: json.loads((folder / f"{name}.json").read_text()) for name in order}
        result[folder.name] = measured
        lines += [f"## {int(games) * int(times or 1):,} games{f': that log {times} times' if times else ''}", "",
                  "| step | CPU s | wall s | peak MB | command |", "|---|---|---|---|---|"]  # fmt: skip
        for name, row in measured.items():
            lines.append(f"| {name} | {row['cpu']:.1f} | {row['wall']:.1f} | {row['peak']:.0f} | `{row['command']}` |")
        cpu, wall = (sum(row[unit] for row in measured.values()) for unit in ("cpu", "wall"))
        lines += [f"| all | {cpu:.1f} | {wall:.1f} | {max(row['peak'] for row in measured.values()):.0f} | |", ""]
        if "simulate" in measured:
            speed, size = int(games) / measured["simulate"]["cpu"], measured["simulate"]["bytes"] / 1e6
            lines += [
                f"The simulator plays and writes {speed:,.0f} games a CPU second; the log has {size:,.0f} MB.",
                "",
            ]
        lines += told(measured)
    (RESULTS / "bidding_pipeline.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    (RESULTS / "bidding_pipeline.json").write_text(json.dumps(result, indent=1) + "\n")
    print("\n".join(lines))


def told(measured: dict[str, Any]) -> list[str]:
    """What import and cleaning counted."""
    lines = []
    if "import" in measured and measured["import"]["told"]:
        (imported,) = measured["import"]["told"].values()
        bad = ", ".join(f"{name} {row['lines']:,}" for name, row in imported["malformed"].items())
        lines += [
            f"Import: {imported['lines']:,} lines, {imported['records']:,} records; malformed: {bad or 'none'}.",
            "",
        ]
    if "clean" in measured:
        lines += ["| unit | step of cleaning | count |", "|---|---|---|"]
        for unit, rows in measured["clean"]["told"]["report"].items():
            lines += [f"| {unit} | {what} | {count:,} |" for what, count in rows.items()]
        lines.append("")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("run", "copies", "report"))
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=100)
    options = parser.parse_args()
    if options.action == "run":
        minutes = options.games / 1e6 * 0.9 + options.epochs * 0.013
        print(f"cost: about {minutes:.1f} CPU minutes, {options.games * 500 / 1e9:.1f} GB of disk", flush=True)
        run(options.games, options.epochs)
    elif options.action == "copies":
        copies(options.games, options.times)
    else:
        report()


if __name__ == "__main__":
    as_script(main)
