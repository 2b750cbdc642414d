"""Hold'em players trained by counterfactual regret minimisation on small games (native/regret).

    python -m mingpai.agents.holdem_cfr --deals 1000000
    python -m mingpai.agents.holdem_cfr --classes eight --deals 300000 --seed 7

train them anew, heads-up and three-handed, and write the two strategies with their card beside this file. Larger tables
are played by the three-handed one. They know nothing of their opponents and never change. `cfr`, of the game with
twelve classes of hands, is a stranger to judge agents by; `cfr8`, of one with eight and other bets, may be tuned on.
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
FILES = {regret.Classes.TWELVE: FILE, regret.Classes.EIGHT: FILE.with_name("holdem_cfr8.npz")}
"""The shipped strategies of each small game."""
CLASSES = {"twelve": regret.Classes.TWELVE, "eight": regret.Classes.EIGHT}
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

    classes = regret.Classes.TWELVE

    def act(self, spot: Spot) -> Answer:
        seats = min(len(spot.table.dealt_seats), max(NAMES))
        strategy = strategies(FILES[self.classes])[seats]
        kind, to = regret.strategy_action(spot.table, strategy, int(spot.luck * 2**53), self.classes)
        return kind, to


class CoarseCfrPlayer(CfrPlayer):
    """The same on eight classes of hands and with other bets: one of the kind that agents may be tuned on."""

    classes = regret.Classes.EIGHT


def train(seats: int, deals: int, seed: int, classes: regret.Classes = regret.Classes.TWELVE) -> Strategy:
    """A strategy from so many deals, with a line of progress now and then."""
    trainer, start, done = regret.CfrTrainer(seats, seed, classes), time.process_time(), 0
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
    parser.add_argument("--classes", choices=CLASSES, default="twelve", help="of hands on each street")
    parser.add_argument("--out", type=Path, help="the shipped file of the small game unless told")
    options = parser.parse_args(arguments)
    classes = CLASSES[options.classes]
    out: Path = options.out or FILES[classes]
    start = time.process_time()
    made = {NAMES[seats]: train(seats, options.deals, options.seed, classes) for seats in NAMES}
    np.savez_compressed(out, **made)  # type: ignore[arg-type]
    card = {
        "what": "average strategies of counterfactual regret minimisation by external sampling, linear weights",
        "game": f"native/regret/abstraction.hpp: {options.classes} classes of hands, five choices, 6 to 120 big blinds",
        "command": f"python -m mingpai.agents.holdem_cfr --classes {options.classes} --deals {options.deals} "
                   f"--seed {options.seed}",
        "deals": options.deals, "seed": options.seed, "seconds": round(time.process_time() - start),
        "rows_met": {name: int((strategy.sum(axis=1) > 0).sum()) for name, strategy in made.items()},
    }  # fmt: skip
    out.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
