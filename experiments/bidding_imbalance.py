"""An unbalanced log: the early epochs in which the paper's accuracy stands still, and what cures it.

    python experiments/bidding_imbalance.py run [--only paper-1] [--epochs 20]   # 8 CPU minutes, 21 runs; goes on
    python experiments/bidding_imbalance.py report                              # results/bidding_imbalance.md, .svg

The paper's loss falls for seven epochs while its accuracy stands still (figures 7, 8); its authors suspect that bids
outnumber passes. Our cleaned log is nearly balanced. Here the same players over-rate every hand by one unit of their
temper: the log is played and cleaned as always, and most of its labels are bids. Needs the `train` and `plots` extras.
"""

import argparse
import dataclasses
import itertools
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from bidding_model import RESULTS, SEEDS, clean_log, make_data
from bidding_model import SAMPLES as FROZEN
from pictures import svg_pyplot
from script import as_script

from mingpai.methods.bidding.population import draw_players
from mingpai.methods.bidding.train import BiddingLearner, OurSettings, Settings, Split

RUNS = Path(__file__).parent / "runs" / "bidding-imbalance"
SAMPLES = RUNS / "samples.csv"
BOLDER = 1.0
"""How much more than in the frozen population every player over-rates his hand, in logarithms of odds."""
EPOCHS = 20
STILL = 0.005
"""In an epoch whose test accuracy is this near to the share of the commoner label, that label is all that is said."""

Change = Callable[[BiddingLearner], None]


def as_it_is(learner: BiddingLearner) -> None:
    """Nothing is changed."""


def weigh_equally(learner: BiddingLearner) -> None:
    """Both labels have the same say in the loss."""
    share = float(learner.train.labels.float().mean())
    learner.weights = torch.tensor([0.5 / (1 - share), 0.5 / share])


def start_at_the_share(learner: BiddingLearner) -> None:
    """The last layer starts with the odds of the labels, so that they need not be learned."""
    share, last = float(learner.train.labels.float().mean()), learner.net.dense[-1]
    assert isinstance(last, torch.nn.Linear)
    with torch.no_grad():
        last.bias.copy_(torch.tensor([0.0, math.log(share / (1 - share))]))


@dataclasses.dataclass(frozen=True)
class Way:
    """A way to learn from the unbalanced log."""

    title: str
    settings: Settings = dataclasses.field(default_factory=Settings)
    change: Change = as_it_is
    data: Path = SAMPLES


WAYS = {
    "balanced": Way("the frozen log, as the paper trains", data=FROZEN),
    "paper": Way("the unbalanced log, as the paper trains"),
    "share": Way("the last layer starts at the share of bids", change=start_at_the_share),
    "weighed": Way("both labels weigh the same", change=weigh_equally),
    "faster": Way("ten times the rate, 1e-3", Settings(rate=1e-3)),
    "small": Way("minibatches of 64 instead of 512", Settings(minibatch=64)),
    "ours": Way("ours: labels weigh the same, every card, rate 5e-4, calibrated", OurSettings()),
}


def measured(learner: BiddingLearner, part: Split) -> dict[str, float]:
    """Recall of either label on a part."""
    learner.net.eval()
    with torch.no_grad():
        said = learner.net.logit(part.rows) > 0
    return {name: float((said == bool(label))[part.labels == label].float().mean())
            for name, label in (("passes", 0), ("bids", 1))}  # fmt: skip


def learn(name: str, seed: int, epochs: int) -> dict[str, Any]:
    way = WAYS[name]
    learner = BiddingLearner(dataclasses.replace(way.settings, data=str(way.data), seed=seed, epochs=epochs))
    way.change(learner)
    lines = [dict(learner.step()) | measured(learner, learner.test) for _ in range(epochs)]
    share = float(learner.test.labels.float().mean())
    return {"majority": max(share, 1 - share), "bids": share, "epochs": lines}


def run(only: str, epochs: int) -> None:
    make_data()
    if not SAMPLES.exists():
        players = draw_players(Settings().players, Settings().data_seed)
        bold = [dataclasses.replace(player, bias=player.bias + BOLDER) for player in players]
        clean_log(bold, SAMPLES, RUNS / "strong.json")
    for seed in SEEDS:
        for name in WAYS:
            path, start = RUNS / f"{name}-{seed}.json", time.process_time()
            if path.exists() or (only and only != f"{name}-{seed}"):
                continue
            path.write_text(json.dumps(learn(name, seed, epochs)))
            print(f"{name}-{seed}: {epochs} epochs, {time.process_time() - start:.0f} CPU s", flush=True)


def still(run: dict[str, Any]) -> int:
    """Epochs at the start in which no more is known than the commoner label."""
    moved = [abs(line["test_accuracy"] - run["majority"]) > STILL for line in run["epochs"]]
    return moved.index(True) if True in moved else len(moved)


HEAD = """# An unbalanced log

Made by `python experiments/bidding_imbalance.py run` and `report`. The same 1,000 players as in the
[frozen log](bidding_model.md), each over-rating every hand by {bolder:g} more: 250,000 games, cleaned, 100,000 samples,
of which {bids:.1%} are bids (frozen log: {frozen:.1%}). Seeds {seeds} (split, weights, order), {epochs} epochs. Still:
epochs at the start whose test accuracy is within half a point of the share of the commoner label, by seed; test loss
from the first to the last of them (seed 1). Accuracies and recalls are of the last epoch, means over the seeds, in %.

| trained | still, epochs | test loss meanwhile | accuracy | commoner label | recall of bids | of passes | mean recall |
|---|---|---|---|---|---|---|---|"""


def row(name: str, runs: list[dict[str, Any]]) -> str:
    last = [one["epochs"][-1] for one in runs]
    bids, passes = (100 * float(np.mean([line[key] for line in last])) for key in ("bids", "passes"))
    waits = ", ".join(str(still(one)) for one in runs)
    first = runs[0]
    falls = f"{first['epochs'][0]['test_loss']:.3f} to {first['epochs'][max(0, still(first) - 1)]['test_loss']:.3f}"
    return (
        f"| {WAYS[name].title} | {waits} | {falls if still(first) > 1 else '-'} "
        f"| {100 * float(np.mean([line['test_accuracy'] for line in last])):.2f} "
        f"| {100 * float(np.mean([one['majority'] for one in runs])):.2f} "
        f"| {bids:.1f} | {passes:.1f} | {(bids + passes) / 2:.1f} |"
    )


def trained_so_far() -> dict[str, list[dict[str, Any]]]:
    """The runs of each way by seed: what was run here, and what the results of before have of the others."""
    path = RESULTS / "bidding_imbalance.json"
    before = json.loads(path.read_text()) if path.exists() else {}
    runs = {name: dict(zip(SEEDS, before.get(name, []), strict=False)) for name in WAYS}
    for name, seed in itertools.product(WAYS, SEEDS):
        if (path := RUNS / f"{name}-{seed}.json").exists():
            runs[name][seed] = json.loads(path.read_text())
    return {name: [by_seed[seed] for seed in sorted(by_seed)] for name, by_seed in runs.items() if by_seed}


def report() -> None:
    trained = trained_so_far()
    head = HEAD.format(bolder=BOLDER, bids=trained["paper"][0]["bids"], frozen=trained["balanced"][0]["bids"],
                       seeds=", ".join(map(str, SEEDS)), epochs=len(trained["paper"][0]["epochs"]))  # fmt: skip
    lines = [head, *(row(name, runs) for name, runs in trained.items()), "", "![test accuracy](bidding_imbalance.svg)"]
    print("\n".join(lines))
    (RESULTS / "bidding_imbalance.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (RESULTS / "bidding_imbalance.json").write_text(json.dumps(trained) + "\n")
    plot(trained)


def plot(trained: dict[str, list[dict[str, Any]]]) -> None:
    figure, axes = svg_pyplot().subplots(1, 2, figsize=(11, 4), layout="constrained")
    for name, runs in trained.items():
        for axis, key in zip(axes, ("test_accuracy", "test_loss"), strict=True):
            lines = [line[key] for line in runs[0]["epochs"]]
            axis.plot(range(1, len(lines) + 1), lines, linewidth=1, label=WAYS[name].title)
    axes[0].axhline(trained["paper"][0]["majority"], color="grey", linewidth=0.8)
    for axis, title in zip(axes, ("test accuracy (seed 1)", "test loss (seed 1)"), strict=True):
        axis.set_title(title)
        axis.set_xlabel("epoch")
    axes[1].legend(fontsize=7)
    figure.savefig(RESULTS / "bidding_imbalance.svg", metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("run", "report"))
    parser.add_argument("--only", default="", help="one run, such as paper-1")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    options = parser.parse_args()
    if options.action == "run":
        print("cost: about 20 CPU seconds for each of 21 runs, 40 for the data", flush=True)
        run(options.only, options.epochs)
    else:
        report()


if __name__ == "__main__":
    as_script(main)
