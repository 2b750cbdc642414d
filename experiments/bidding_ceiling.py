"""Accuracy beside the ceiling of the labels for several simulators, so that the claim does not rest on one.

    python experiments/bidding_ceiling.py run [--only calm] [--epochs 100]   # 8 CPU minutes; goes on
    python experiments/bidding_ceiling.py report                            # results/bidding_ceiling.md

The frozen population is in bidding_model.md. Two populations more play and clean whole logs: one whose players nearly
agree, one whose players differ twice as much; their ceilings are found by living test decisions again. Two simulators
think otherwise: their players go by high cards alone, or by the turns that a hand needs. They label the hands and
situations of the frozen log with a chance that is known, so their ceiling is exact. Needs the `train` extra.
"""

import argparse
import dataclasses
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from bidding_model import RESULTS, clean_log, lived_again, make_data
from bidding_model import SAMPLES as FROZEN
from numpy.typing import NDArray
from script import as_script

from mingpai._native import mcm
from mingpai._native.doudizhu import bid_strength
from mingpai.core.random import stream
from mingpai.methods.bidding.clean import Samples, read_samples, write_samples
from mingpai.methods.bidding.population import Player, draw_players
from mingpai.methods.bidding.train import TRAINING, BiddingLearner, Settings, divided
from mingpai.training.loop import train
from mingpai.training.run import TrainingRun

RUNS = Path(__file__).parent / "runs" / "bidding-ceiling"
SEED = 1
POPULATIONS = {"calm": 0.25, "wild": 2.0}
"""How many times as far from the average the tempers lie, noise and bias."""
LIVED = 1500
DEARER = 0.8
"""How much more a hand must be worth for each bid so far, in spreads of its worth."""
WAVERING = 0.35
"""Scale of the noise of a decision, in the same unit."""


def high_cards(hand: int) -> float:
    return float(bid_strength(hand))


def few_turns(hand: int) -> float:
    return -float(mcm.estimated_turns(hand))


THINKERS: dict[str, Callable[[int], float]] = {"high-cards": high_cards, "turns": few_turns}
TITLES = {
    "frozen": "the frozen population",
    "calm": "its players nearly agree (tempers a quarter)",
    "wild": "its players differ twice as much",
    "high-cards": "players who count high cards",
    "turns": "players who count the turns that a hand needs",
}


def chances(samples: Samples, worth: Callable[[int], float]) -> NDArray[np.float64]:
    """The chance of a bid of each sample: worth against a threshold that rises with what was bid."""
    values = np.array([worth(int(hand)) for hand in samples.hand])
    spread = (values - np.median(values)) / values.std()
    return np.asarray(1 / (1 + np.exp(-(spread - DEARER * (samples.value - 0.5)) / WAVERING)), np.float64)


def players_of(name: str) -> list[Player]:
    spread = POPULATIONS[name]
    drawn = draw_players(Settings().players, Settings().data_seed)
    return [dataclasses.replace(one, bias=spread * one.bias, noise=spread * one.noise) for one in drawn]


def prepare(name: str) -> dict[str, float]:
    """The samples of a simulator, and between what its ceiling lies on the test set of the seed."""
    path, strong = RUNS / name / "samples.csv", RUNS / name / "strong.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    if name in POPULATIONS:
        clean_log(players_of(name), path, strong)
        bounds = lived_again(players_of(name), path, strong, LIVED)
        return {"low": bounds["low"], "high": bounds["high"]}
    frozen = read_samples(FROZEN)
    chance = chances(frozen, THINKERS[name])
    labels = (stream(SEED, "labels", name).random(len(frozen)) < chance).astype(np.uint8)
    write_samples(path, dataclasses.replace(frozen, label=labels))
    _, test = divided(frozen, SEED)
    best = chances_of_test(test, frozen, chance)
    return {"low": best, "high": best}


def chances_of_test(test: Samples, frozen: Samples, chance: NDArray[np.float64]) -> float:
    """The share of labels that the likelier of the two gets right on the test set: the same split of the chances."""
    order = stream(SEED, "split").permutation(len(frozen))
    known = chance[order[: len(test)]]
    assert np.array_equal(frozen.hand[order[: len(test)]], test.hand)
    return float(np.maximum(known, 1 - known).mean())


def run(only: str, epochs: int) -> None:
    make_data()
    for name in [*POPULATIONS, *THINKERS]:
        if only and only != name:
            continue
        start, ceiling = time.process_time(), RUNS / name / "ceiling.json"
        if not ceiling.exists():
            bounds = prepare(name)
            ceiling.write_text(json.dumps(bounds))
        settings = Settings(data=str(RUNS / name / "samples.csv"), seed=SEED, epochs=epochs)
        kept = TrainingRun(RUNS / name / "net", TRAINING.method, settings, may_change=TRAINING.may_change)
        if (kept.path / "metrics.jsonl").exists() and len(list(kept.metrics())) >= epochs:
            continue
        outcome = train(kept, BiddingLearner(settings), epochs, resume=(kept.path / "run.json").exists(), log_every=1)
        print(f"{name}: {outcome.step} epochs, {time.process_time() - start:.0f} CPU s", flush=True)
        if outcome.interrupted:
            raise SystemExit("stopped; the same command goes on")


HEAD = """# Accuracy beside the ceiling, for several simulators

Made by `python experiments/bidding_ceiling.py run --epochs {epochs}` and `report`; the first row, of 100 epochs, is of
[the model](bidding_model.md). 100,000 samples each, the paper's network, seed {seed}, the best test accuracy of the
epochs as the paper keeps it. The ceiling is what the labels leave: lived again for populations, exact for simulators
whose chance of a bid is known. Only what has been run is listed. In %.

| simulator | commoner label | the paper's network | ceiling | below it | of what can be learned |
|---|---|---|---|---|---|"""


def row(name: str, majority: float, accuracy: float, low: float, high: float) -> str:
    middle = (low + high) / 2
    told = f"{100 * low:.2f} to {100 * high:.2f}" if high > low else f"{100 * low:.2f}"
    learned = (accuracy - majority) / (middle - majority)
    return (f"| {TITLES[name]} | {100 * majority:.2f} | {100 * accuracy:.2f} | {told} "
            f"| {100 * (middle - accuracy):.2f} | {100 * learned:.1f} |")  # fmt: skip


def rows() -> list[tuple[str, float, float, float, float]]:
    """Name, share of the commoner label, accuracy, and between what the ceiling lies."""
    model: dict[str, Any] = json.loads((RESULTS / "bidding_model.json").read_text())
    best = model["ceiling"]
    out = [("frozen", model["majority class"], model["accuracy"]["paper"][0], best["low"], best["high"])]
    for name in [*POPULATIONS, *THINKERS]:
        if not (RUNS / name / "net" / "metrics.jsonl").exists():
            continue
        lines = [json.loads(line) for line in (RUNS / name / "net" / "metrics.jsonl").read_text().splitlines()]
        _, test = divided(read_samples(RUNS / name / "samples.csv"), SEED)
        share, bounds = float(test.label.mean()), json.loads((RUNS / name / "ceiling.json").read_text())
        accuracy = max(line["test_accuracy"] for line in lines)
        out.append((name, max(share, 1 - share), accuracy, bounds["low"], bounds["high"]))
    return out


def report(epochs: int) -> None:
    simulators = rows()
    lines = [HEAD.format(epochs=epochs, seed=SEED), *(row(*one) for one in simulators)]
    print("\n".join(lines))
    (RESULTS / "bidding_ceiling.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    names = ("simulator", "majority", "accuracy", "low", "high")
    told = [dict(zip(names, one, strict=True)) for one in simulators]
    (RESULTS / "bidding_ceiling.json").write_text(json.dumps(told, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("run", "report"))
    parser.add_argument("--only", default="", help=f"one of {', '.join([*POPULATIONS, *THINKERS])}")
    parser.add_argument("--epochs", type=int, default=100)
    options = parser.parse_args()
    if options.action == "run":
        print(
            "cost: about 75 CPU seconds for each of 4 runs of 100 epochs, 60 more for each of 2 populations", flush=True
        )
        run(options.only, options.epochs)
    else:
        report(options.epochs)


if __name__ == "__main__":
    as_script(main)
