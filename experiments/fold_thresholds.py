"""The thresholds of algorithm 2 (paper 004), found by matches of `fold:preset=paper` against the seven styles.

    python experiments/fold_thresholds.py             search, one number at a time, on decks of its own
    python experiments/fold_thresholds.py --seed 5    the same on other decks

A number is moved a step up and down and keeps its new value when more than LEAST_GAIN more of the matches are won.
Every trial is kept in experiments/runs/fold_thresholds.jsonl: stopped, the same command goes on where it was. The
table of results comes from other decks (`fold_matches.py paper`).
"""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from script import as_script

from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.holdem_styles import STYLES
from mingpai.methods.handreading.agent import FoldAgent
from mingpai.methods.handreading.algorithm2 import BOOK, Book
from mingpai.methods.handreading.decide import Decider
from mingpai.methods.handreading.tournament import heads_up

RUNS = Path(__file__).parent / "runs" / "fold_thresholds.jsonl"
FIT_SEED = 77_000
HARD = ("stabber", "tag", "equity", "potodds", "maniac")
"""The styles that the first table lost matches to; the others are beaten almost always."""
MATCHES, SAMPLES = 20, 200
LEAST_GAIN = 0.025
STEPS = (-0.08, 0.08)
NUMBERS: tuple[tuple[tuple[int, ...], str, str], ...] = (
    ((1, 2, 3), "bet", "half"), ((1, 2, 3), "bet", "call"), ((1, 2, 3), "unbet", "half"), ((0,), "open", "half"),
    ((0,), "raised", "call"), ((0,), "raised", "half"), ((1, 2, 3), "overbet", "call"), ((0,), "open", "call"),
    ((1, 2, 3), "bet again", "call"), ((0,), "limped", "half"), ((0,), "reraised", "call"), ((1,), "unbet", "half"),
    ((3,), "unbet", "half"), ((1,), "bet", "call"), ((3,), "bet", "call"), ((1, 2, 3), "unbet", "pot"),
)  # fmt: skip
"""Streets, situation and action of the thresholds that are moved, the important ones first."""

Move = tuple[tuple[int, ...], str, str, float]


def moved(book: Book, move: Move) -> Book:
    """The book with one number changed on some streets."""
    streets, situation, name, step = move
    made = [dict(row) for row in book]
    for street in streets:
        old = made[street][situation]  # type: ignore[index]
        made[street][situation] = replace(old, **{name: round(getattr(old, name) + step, 4)})  # type: ignore[index]
    return tuple(made)


def share_won(book: Book, seed: int) -> float:
    """Matches won against the hard styles, on average."""
    total = 0.0
    for name in HARD:
        agent = REGISTRY.agent("holdem", f"fold:preset=paper,samples={SAMPLES}", 1)
        assert isinstance(agent, FoldAgent)
        agent.deciding.decider = Decider(replace(agent.deciding.decider.settings, book=book))
        total += float(heads_up(agent, STYLES[name], MATCHES, seed)["won"].mean())
    return total / len(HARD)


class Trials:
    """Trials made, by the moves that led to them."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        RUNS.parent.mkdir(parents=True, exist_ok=True)
        lines = RUNS.read_text().splitlines() if RUNS.exists() else []
        self._known = {json.dumps([row["seed"], row["moves"]]): row["won"] for row in map(json.loads, lines)}

    def won(self, moves: list[Move]) -> float:
        plain = json.loads(json.dumps(moves))
        key = json.dumps([self.seed, plain])
        if key not in self._known:
            book, start = BOOK, time.process_time()
            for move in moves:
                book = moved(book, move)
            self._known[key] = share_won(book, self.seed)
            row = {"seed": self.seed, "moves": plain, "won": self._known[key], "cpu": time.process_time() - start}
            with RUNS.open("a") as file:
                file.write(json.dumps(row) + "\n")
        return float(self._known[key])


def search(trials: Trials) -> Iterator[tuple[list[Move], float]]:
    """Kept moves and their share of matches won, after each number."""
    kept: list[Move] = []
    best = trials.won(kept)
    for streets, situation, name in NUMBERS:
        for step in STEPS:
            move = (streets, situation, name, step)
            while (won := trials.won([*kept, move])) > best + LEAST_GAIN:
                kept, best = [*kept, move], won
        yield kept, best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=FIT_SEED)
    options = parser.parse_args()
    for kept, best in search(Trials(options.seed)):
        print(f"{best:.3f} {kept}", flush=True)


if __name__ == "__main__":
    as_script(main)
