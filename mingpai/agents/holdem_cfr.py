"""A hold'em player trained by counterfactual regret minimisation on a small game (native/regret).

    python -m mingpai.agents.holdem_cfr --deals 1000000

trains it anew, heads-up and three-handed, and writes the two strategies with their card beside this file. Larger tables
are played by the three-handed one. It knows nothing of its opponents and never changes: a stranger to judge agents by.
"""

import argparse
import functools
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mingpai._native import regret
from mingpai.agents.holdem_strangers import Answer, Spot, Stranger
from mingpai.core.errors import MingpaiError

Strategy = npt.NDArray[np.uint8]
FILE = Path(__file__).with_suffix(".npz")
NAMES = {2: "heads_up", 3: "three_handed"}
"""Strategies of the file by the number of seats they were trained at."""
CHUNK = 20_000
"""Deals between two lines of progress."""


@functools.cache
def strategies(path: Path = FILE) -> dict[int, Strategy]:
    """The shipped strategies, or those of a file, by the number of seats."""
    try:
        with np.load(path) as file:
            strategies = {seats: file[name] for seats, name in NAMES.items()}
    except (OSError, ValueError, KeyError) as error:
        raise MingpaiError(f"{path.name}: not a file of strategies ({error})") from error
    for strategy in strategies.values():
        if strategy.shape != (regret.ROWS, regret.CHOICES) or strategy.dtype != np.uint8:
            raise MingpaiError(f"{path.name}: strategies of another small game; train them anew")
    return strategies


class CfrPlayer(Stranger):
    """Plays the average strategy of its training, by chance where that mixes."""

    def act(self, spot: Spot) -> Answer:
        seats = min(len(spot.table.dealt_seats), max(NAMES))
        kind, to = regret.strategy_action(spot.table, strategies()[seats], int(spot.luck * 2**53))
        return kind, to


def train(seats: int, deals: int, seed: int) -> Strategy:
    """A strategy from so many deals, with a line of progress now and then."""
    trainer, start, done = regret.CfrTrainer(seats, seed), time.process_time(), 0
    while done < deals:
        done = trainer.run(min(CHUNK, deals - done))
        print(f"{seats} seats: {done} of {deals} deals, {time.process_time() - start:.0f} s", flush=True)
    made: Strategy = trainer.strategy()
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Train both strategies and write them with their card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1_000_000, help="of each strategy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args(arguments)
    start = time.process_time()
    made = {NAMES[seats]: train(seats, options.deals, options.seed) for seats in NAMES}
    np.savez_compressed(options.out, **made)  # type: ignore[arg-type]
    card = {
        "what": "average strategies of counterfactual regret minimisation by external sampling, linear weights",
        "game": "native/regret/abstraction.hpp: 12 classes of hands a street, five choices, 6 to 120 big blinds",
        "command": f"python -m mingpai.agents.holdem_cfr --deals {options.deals} --seed {options.seed}",
        "deals": options.deals, "seed": options.seed, "seconds": round(time.process_time() - start),
        "rows_met": {name: int((strategy.sum(axis=1) > 0).sum()) for name, strategy in made.items()},
    }  # fmt: skip
    options.out.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
