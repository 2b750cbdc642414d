"""How the value network grows: loss, accuracy, wins and points of each generation, by samples and processor time.

    python experiments/mcm_curves.py score RUN SNAPSHOT... [--deals 1280]   # RUN: a name for the curve, as "seed 1"
    python experiments/mcm_curves.py report                                 # results/mcm_curves.{json,md,svg}

A snapshot is a checkpoint of `mingpai train mcm` or `mcm-open` (copied from its run folder while it trains). Each is
scored once:

- wins and points against one fixed network (--against, or the shipped model) on duplicate deals;
- loss and accuracy of its win probability for decisions of its own greedy deals: cross-entropy, and how often the side
  it takes to be ahead wins.

About 6 CPU seconds a snapshot at 1280 deals. Snapshots already scored are left out, so that a run can go on.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from network_matches import MatchSettings, evaluate_of, rounds
from pictures import svg_pyplot
from script import as_script

from mingpai._native import doudizhu, mcm
from mingpai.methods.mcm.export import SHIPPED, network_of, shipped_network
from mingpai.methods.mcm.network import ValueNet
from mingpai.methods.mcm.rows import Evaluate

RESULTS = Path(__file__).parent / "results"
SCORES = RESULTS / "mcm_curves.json"
MINIBATCH = 1024
SEED = 5
TABLES = 256
DECISIONS = 60


def reference(path: Path | None) -> tuple[ValueNet, str]:
    if path is None:
        return shipped_network(SHIPPED), "the shipped model"
    state = torch.load(path, map_location="cpu", weights_only=True)
    return network_of(state), f"a network of {state['steps'] * MINIBATCH / 1e6:.1f} million decisions"


def prediction(net: ValueNet) -> tuple[float, float]:
    """Cross-entropy and accuracy of the win probability of the moves made, in greedy deals of its own."""
    samples = mcm.Samples(200_000)
    batch = mcm.Batch(TABLES, SEED, doudizhu.profile("standard"), 0.5, 0.0, True, samples)
    states = np.zeros((TABLES, mcm.STATE_SIZE), np.uint8)
    evaluate: Evaluate = evaluate_of(net)
    for _ in range(DECISIONS):
        moves = np.zeros((batch.options, mcm.MOVE_SIZE), np.uint8)
        batch.observe(states, moves)
        of = np.repeat(np.arange(TABLES), np.diff(batch.offsets()))
        batch.act(np.ascontiguousarray(evaluate(states, moves, of)), states, moves, 0.0, 1.0)
    count = len(samples)
    of = np.arange(count)
    chance = 1 / (1 + np.exp(-evaluate(samples.states[:count], samples.moves[:count], of)[:, 0]))
    won = samples.wins[:count] > 0.5
    loss = -np.log(np.where(won, chance, 1 - chance).clip(1e-6)).mean()
    return float(loss), float(((chance > 0.5) == won).mean())


def score(run: str, paths: Sequence[Path], deals: int, against: Path | None) -> None:
    scores = json.loads(SCORES.read_text()) if SCORES.exists() else []
    known = {(line["run"], line["samples"]) for line in scores}
    other, what = reference(against)
    print(f"about {6 * len(paths) * deals / 1280:.0f} CPU seconds", flush=True)
    for path in paths:
        state = torch.load(path, map_location="cpu", weights_only=True)
        samples = state["steps"] * MINIBATCH
        if (run, samples) in known:
            continue
        net = network_of(state)
        *_, result = rounds(evaluate_of(net), evaluate_of(other), MatchSettings(deals=deals, seed=SEED))
        loss, accuracy = prediction(net)
        line: dict[str, Any] = {
            "run": run, "samples": samples, "cpu_seconds": round(state["cpu_seconds"]), "against": what,
            "deals": result.deals, "wins": result.rate, "wins_error": result.error, "points": result.mean_points,
            "points_error": result.points_error, "loss": loss, "accuracy": accuracy,
        }  # fmt: skip
        print(line, flush=True)
        scores.append(line)
        SCORES.write_text(json.dumps(sorted(scores, key=lambda s: (s["run"], s["samples"])), indent=1) + "\n")


HEAD = (
    "| run | decisions, million | CPU minutes | deals | wins, % | points | cross-entropy | accuracy, % |",
    "|---|---|---|---|---|---|---|---|",
)


def report() -> None:
    scores = json.loads(SCORES.read_text())
    lines = [
        "# How the value network grows", "",
        "`python experiments/mcm_curves.py score RUN SNAPSHOT...`, then `... report`. Wins and points on duplicate",
        f"deals (seed {SEED}, any seat as landlord) against one network:",
        f"{scores[0]['against']}; +- is a standard error. Cross-entropy and accuracy of the win probability in greedy",
        "deals of the network itself.", "", *HEAD,
    ]  # fmt: skip
    for s in scores:
        wins = f"{100 * s['wins']:.1f} +- {100 * s['wins_error']:.1f}"
        points = f"{s['points']:+.3f} +- {s['points_error']:.3f}"
        lines.append(f"| {s['run']} | {s['samples'] / 1e6:.1f} | {s['cpu_seconds'] / 60:.0f} | {s['deals']} | {wins} | "
                     f"{points} | {s['loss']:.4f} | {100 * s['accuracy']:.1f} |")  # fmt: skip
    (RESULTS / "mcm_curves.md").write_text("\n".join(lines) + "\n")
    plot(scores)


def plot(scores: Sequence[dict[str, Any]]) -> None:
    figure, axes = svg_pyplot().subplots(2, 2, figsize=(10, 7), layout="constrained", sharex=True)
    shown = ((("wins", "wins, %", 100), ("points", "points a deal", 1)), (("loss", "cross-entropy", 1),
             ("accuracy", "accuracy, %", 100)))  # fmt: skip
    for run in sorted({s["run"] for s in scores}):
        mine = [s for s in scores if s["run"] == run]
        minutes = [s["cpu_seconds"] / 60 for s in mine]
        for row, parts in enumerate(shown):
            for column, (key, label, scale) in enumerate(parts):
                errors = [2 * scale * s.get(f"{key}_error", 0) for s in mine]
                axes[row][column].errorbar(minutes, [scale * s[key] for s in mine], errors, fmt="o-", label=run)
                axes[row][column].set_ylabel(label)
    for axis in axes[1]:
        axis.set_xlabel("CPU minutes of training")
    axes[0][0].legend()
    figure.savefig(RESULTS / "mcm_curves.svg", metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("score", "report"))
    parser.add_argument("run", nargs="?")
    parser.add_argument("snapshots", nargs="*", type=Path)
    parser.add_argument("--deals", type=int, default=1280)
    parser.add_argument("--against", type=Path, help="a snapshot; without it the shipped model")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.action == "report":
        report()
    elif not options.run or not options.snapshots:
        parser.error("score needs a name and snapshots")
    else:
        score(options.run, options.snapshots, options.deals, options.against)


if __name__ == "__main__":
    as_script(main)
