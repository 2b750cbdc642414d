"""The exchange of Guandan learned from results of rounds, and measured.

    python experiments/guandan_exchange.py learn [--comparisons N] [--minutes M]    # fits the worth of a gift
    python experiments/guandan_exchange.py measure [--deals N] [--seed S]           # learned against rule4's plan

`learn` prints its cost, works in chunks, keeps what it has found in experiments/results/guandan_exchange.json and goes
on where it stopped; `measure` plays the same network with and without what was learned on deals of another seed.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from guandan_gifts import FEATURES, Worth, comparisons, fit, learned_giver, results
from kept import Kept
from script import as_script

from mingpai.methods.abduction.duel import network_chooser
from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.abduction.rounds import Played, Player, play, report
from mingpai.methods.abduction.runtime import SHIPPED, Runtime
from mingpai.models.card import NETWORK

KEPT = Kept(Path(__file__).parent / "results" / "guandan_exchange.json")
CHUNK, ROUND_SECONDS, RIDGE = 300, 0.005, 50.0
LEARN_SEED, MEASURE_SEED = 71, 4242


def learn(options: argparse.Namespace, runtime: Runtime) -> None:
    print(f"about {2 * options.comparisons * ROUND_SECONDS / 60:.1f} processor minutes", flush=True)
    network = runtime.model.card.files[NETWORK][:12]
    kept = KEPT.load().get("learned", {})
    if kept.get("network") != network:
        kept = {"network": network, "tried": 0, "rows": []}
    deadline = time.monotonic() + 60 * options.minutes
    while kept["tried"] < options.comparisons and time.monotonic() < deadline:
        compared = list(comparisons(LEARN_SEED, kept["tried"], CHUNK))
        gains = results(compared, network_chooser(runtime), LEARN_SEED)
        kept["rows"] += [
            [*np.round(one.difference, 4).tolist(), int(gain)] for one, gain in zip(compared, gains, strict=True)
        ]
        kept["tried"] += CHUNK
        KEPT.save("learned", kept)
        print(f"{kept['tried']} comparisons", flush=True)
    rows = np.array(kept["rows"])
    weights, errors = fit(rows[:, :-1], rows[:, -1], RIDGE)
    worth = Worth(weights.tolist(), errors.tolist(), len(rows), LEARN_SEED, network)
    KEPT.save("worth", worth.to_json())
    for name, weight, error in zip(FEATURES, weights, errors, strict=True):
        print(f"{name:18} {weight:+.3f} ± {1.96 * error:.3f}")


def measure(options: argparse.Namespace, runtime: Runtime) -> None:
    print(f"about {12 * options.deals * ROUND_SECONDS / 60:.1f} processor minutes", flush=True)
    choose = network_chooser(runtime)
    learned, planned = (
        Player(choose=choose, give=learned_giver(Worth.from_json(KEPT.load()["worth"]))),
        Player(choose=choose),
    )
    played: Played = play(learned, planned, options.deals, options.seed)
    situations = report(played)
    KEPT.save("measured", {"seed": options.seed, "deals": options.deals,
                           "situations": {name: one.to_json() for name, one in situations.items()}})  # fmt: skip
    for name, one in situations.items():
        print(f"{name:10} {one}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["learn", "measure"])
    parser.add_argument("--comparisons", type=int, default=6000)
    parser.add_argument("--deals", type=int, default=400, help="of each of four situations")
    parser.add_argument("--seed", type=int, default=MEASURE_SEED)
    parser.add_argument("--minutes", type=float, default=20, help="start no chunk after so many minutes")
    options = parser.parse_args()
    (learn if options.part == "learn" else measure)(options, Runtime(SHIPPED, knowledge()))


if __name__ == "__main__":
    as_script(main)
