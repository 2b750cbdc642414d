"""What a hand of 17 cards is worth as landlord: the weights of native/bidding/value.cpp, fitted to games of rule
players.

    python experiments/bidding_value.py [--deals 200000] [--seed 1]

Every deal is played with each seat as landlord by rule players that slip now and then; a logistic regression of the
landlord's win on ten numbers of his 17 cards gives the weights. About half a minute. They are frozen: the population
bids by them, and what is tuned is judged by it. Prints the weights and, on other deals, how well they predict.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from script import as_script

from mingpai._native import bidding as native
from mingpai._native.core import Budget
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.core.random import seed_of

RESULT = Path(__file__).parent / "results" / "bidding_value.json"
SLIPS = 0.08
"""Chance of a slip: about the mean of the population."""

Floats = NDArray[np.float64]


def games(deals: int, seed: int) -> tuple[Floats, Floats]:
    """Numbers of the landlord's hand and whether he won, three rows a deal."""
    cards = (native.CardPlayer.RB, native.CardPlayer.RHCP, native.CardPlayer.GREEDY)
    members = [native.Member(str(card), bias=0, noise=1, card=card, slips=SLIPS, activity=1) for card in cards]
    table = native.Population(members, native.Shares(), tuned_weights())
    dealt = native.deals(seed_of(seed, "deals"), 0, deals)
    seats = np.random.default_rng(seed).integers(0, len(members), (deals, 3), dtype=np.int32)
    won, _, _ = table.outcomes(dealt, seats, seed_of(seed, "play"), Budget())
    hands = np.ascontiguousarray(dealt[:, :3]).reshape(-1)
    return native.value_features(hands), won.reshape(-1).astype(float)


def fit(rows: Floats, won: Floats) -> Floats:
    """Logistic regression by Newton's method."""
    weights = np.zeros(rows.shape[1])
    for _ in range(20):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (won - chance)
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows
        weights += np.linalg.solve(bend, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"cost: {6 * options.deals / 30_000:.0f} s of one core", flush=True)
    weights = fit(*games(options.deals, options.seed))
    rows, won = games(options.deals, options.seed + 1)
    names = native.value_feature_names()
    chance = 1 / (1 + np.exp(-rows @ weights))
    loss = -float(np.mean(np.log(np.where(won > 0, chance, 1 - chance))))
    base = won.mean()
    result = {
        "command": f"python experiments/bidding_value.py --deals {options.deals} --seed {options.seed}",
        "weights": {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)},
        "on other deals": {
            "landlord wins": round(float(base), 4),
            "log-loss": round(loss, 4),
            "log-loss of the mean": round(-float(base * np.log(base) + (1 - base) * np.log(1 - base)), 4),
            "standard deviation of the value": round(float((rows @ weights).std()), 3),
        },
    }
    RESULT.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    as_script(main)
