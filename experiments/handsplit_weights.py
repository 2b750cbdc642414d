"""Tunes the weights of the fast rule player by self-play: the cross-entropy method over duplicate deals.

    python experiments/handsplit_weights.py --generations 12 --seed 1

Cost: a few CPU seconds a generation. Each generation draws weights around the mean, plays each draw against the mean
and against the starting weights on the same deals, and moves the mean towards the best. The last line plays the result
against the starting weights on deals that no generation has seen; only `--write` replaces the shipped weights.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np
from script import as_script

from mingpai._native import doudizhu as native
from mingpai._native.core import Budget
from mingpai._native.ruleplay import Weights, duel, heuristic_player
from mingpai.agents.doudizhu_greedy import WEIGHTS_FILE
from mingpai.core.random import seed_of, stream

RESULTS = Path(__file__).parent / "results"
RULES = native.profile("standard")
POPULATION, ELITE = 24, 7
MEAN_DEALS, START_DEALS = 1200, 600
MEAN_SHARE = 0.6
"""Share of the score that comes from playing the current mean; the rest from playing the start."""
SPREAD, LEAST_SPREAD = 0.2, 0.4
"""First standard deviation of a weight: relative, and at least."""
STEP, SPREAD_STEP, WIDENING = 0.7, 0.6, 1.15
FRESH_DEALS = 20_000


def score(values: np.ndarray, rival: np.ndarray, names: list[str], deals: int, seed: int) -> np.ndarray:
    """Wins of `values` against `rival` for each deal, 0 to 1."""
    players = [heuristic_player(RULES, Weights(dict(zip(names, map(float, w), strict=True)))) for w in (values, rival)]
    wins = duel(players[0], players[1], deals, seed, Budget())
    return np.array(wins).mean(axis=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="replace the shipped weights")
    options = parser.parse_args()
    data = json.loads(WEIGHTS_FILE.read_text())
    names = list(data["weights"])
    start = np.array([data["weights"][name] for name in names])
    mean, spread = start.copy(), np.maximum(np.abs(start) * SPREAD, LEAST_SPREAD)
    rng, began = stream(options.seed, "weights"), time.process_time()
    for generation in range(1, options.generations + 1):
        draws = [mean + spread * rng.standard_normal(len(names)) for _ in range(POPULATION)]
        deal_seed = seed_of(options.seed, "deals", generation)
        scores = [
            MEAN_SHARE * score(draw, mean, names, MEAN_DEALS, deal_seed).mean()
            + (1 - MEAN_SHARE) * score(draw, start, names, START_DEALS, deal_seed + 1).mean()
            for draw in draws
        ]
        best = np.array([draws[i] for i in np.argsort(scores)[::-1][:ELITE]])
        mean = (1 - STEP) * mean + STEP * best.mean(axis=0)
        spread = (1 - SPREAD_STEP) * spread + SPREAD_STEP * WIDENING * best.std(axis=0)
        print(f"generation {generation}: best {max(scores):.4f}, {time.process_time() - began:.0f} s", flush=True)
    fresh = score(mean, start, names, FRESH_DEALS, seed_of(options.seed, "fresh"))
    error = fresh.std(ddof=1) / np.sqrt(len(fresh))
    low, high = fresh.mean() - 1.96 * error, fresh.mean() + 1.96 * error
    print(f"against the start on {FRESH_DEALS} fresh duplicate deals: {fresh.mean():.4f} [{low:.4f}, {high:.4f}]")
    result = {
        "origin": f"python {' '.join(sys.argv)}",
        "start": data["origin"],
        "against_start": [round(float(x), 4) for x in (fresh.mean(), low, high)],
        "weights": {name: round(float(value), 3) for name, value in zip(names, mean, strict=True)},
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "handsplit_weights.json").write_text(json.dumps(result, indent=1) + "\n")
    if options.write:
        WEIGHTS_FILE.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    as_script(main)
