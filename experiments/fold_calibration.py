"""Whether FOLD's chances come true: folds predicted and seen, and calls of large bets with what they needed and won.

    python experiments/fold_calibration.py tune       against the strangers that may be tuned on
    python experiments/fold_calibration.py apart      against those kept apart

Heads-up matches as in fold_matches.py, on decks of their own. Every raise of FOLD has a chance that the opponent folds
to it: by the model of his style alone, and with what was learned of how often he folds. Matches are kept in
experiments/runs/fold as they end; stopped, the same command goes on where it was.
"""

import argparse
import itertools
import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from fold_matches import RESULTS, SECONDS_STRANGER, SEED, Log, Record, Task, table
from pictures import svg_pyplot
from script import as_script

from mingpai._native import holdem as native
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.holdem_strangers import APART, TUNED_ON
from mingpai.core.random import seed_of
from mingpai.methods.handreading.agent import FoldAgent, FoldSettings
from mingpai.methods.handreading.decide import Verdict
from mingpai.methods.handreading.tournament import Tournament

HALVES = {"tune": TUNED_ON, "apart": APART}
BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
STREETS = ("before the flop", "flop", "turn", "river")
LARGE = (0.0, 0.75, 1.5, 4.0, 1000.0)
"""Sizes of bets called after the flop, in pots."""


class Watched(FoldAgent):
    """FOLD that notes its raises and its calls, and how they ended."""

    def __init__(self, seed: int) -> None:
        super().__init__(FoldSettings(), game="holdem", spec="fold", seed=seed)
        self.raises: list[list[float]] = []
        """Street, predicted, believed, folded."""
        self.calls: list[list[float]] = []
        """Bet by the pot, share of wins needed, won."""
        self._open: list[tuple[int, str, list[float]]] = []

    def weigh(self, table: native.Table, seat: int, seed: int, explain: bool = True) -> tuple[Verdict, Any]:
        verdict, belief = super().weigh(table, seat, seed, explain)
        street, cost = (0, 0, 0, 1, 2, 3)[len(table.board)], table.legal().call_cost
        best = verdict.options[0]
        if verdict.choice == "raise" and best.predicted is not None and best.folds is not None:
            self._open.append((len(table.actions) + 1, "raise", [street, best.predicted, best.folds]))
        elif verdict.choice == "call" and street > 0:
            self._open.append((0, "call", [cost / max(table.pot - cost, 1), cost / (table.pot + cost)]))
        return verdict, belief

    def remember(self, table: native.Table) -> None:
        super().remember(table)
        won = table.payoffs()[self._seat] > 0
        for at, kind, row in self._open:
            if kind == "call":
                self.calls.append([*row, float(won)])
            else:
                folded = at < len(table.actions) and table.actions[at][1] == native.ActionKind.FOLD
                self.raises.append([*row, float(folded)])
        self._open.clear()


def watch(stranger: str, number: int) -> Record:
    """One match, every raise and call of FOLD noted."""
    own, other = Watched(SEED), REGISTRY.agent("holdem", stranger, SEED)
    pair: list[Any] = [own, other]
    Tournament(pair[::-1] if number % 2 else pair, seed_of(SEED, "calibration", number // 2)).play()
    return {"raises": own.raises, "calls": own.calls}


def tasks(half: str, matches: int) -> Iterator[Task]:
    for number, name in itertools.product(range(matches), HALVES[half]):
        yield Task(name, number, SECONDS_STRANGER, partial(watch, name, number))


def fold_rows(raises: np.ndarray, column: int) -> list[list[object]]:
    """Folds predicted and seen, by bin of the prediction in a column."""
    lines: list[list[object]] = []
    for low, high in itertools.pairwise(BINS):
        rows = raises[(raises[:, column] >= low) & (raises[:, column] < high + (high == 1))]
        if len(rows):
            lines.append([f"{low:.1f} to {high:.1f}", len(rows), f"{rows[:, column].mean():.2f}",
                          f"{rows[:, 3].mean():.2f}"])  # fmt: skip
    return lines


def brier(raises: np.ndarray, column: int) -> float:
    return float(((raises[:, column] - raises[:, 3]) ** 2).mean())


def call_rows(calls: np.ndarray) -> list[list[object]]:
    lines: list[list[object]] = []
    for low, high in itertools.pairwise(LARGE):
        rows = calls[(calls[:, 0] > low) & (calls[:, 0] <= high)]
        if len(rows):
            name = f"{low:g} to {high:g} pots" if high < LARGE[-1] else f"above {low:g} pots"
            lines.append([name, len(rows), f"{rows[:, 1].mean():.2f}", f"{rows[:, 2].mean():.2f}"])
    return lines


def plot(half: str, raises: np.ndarray) -> None:
    """Folds predicted against folds seen, before and after the flop."""
    plt = svg_pyplot("fold")
    figure, sides = plt.subplots(1, 2, figsize=(8, 4), sharey=True)
    for axes, rows, title in zip(sides, (raises[raises[:, 0] == 0], raises[raises[:, 0] > 0]),
                                 ("before the flop", "after the flop"), strict=True):  # fmt: skip
        axes.plot([0, 1], [0, 1], color="0.7", linewidth=0.8)
        for column, label in ((1, "style alone"), (2, "with fold rates learned")):
            points = [row for row in fold_rows(rows, column) if int(str(row[1])) >= 5]
            axes.plot([float(str(p[2])) for p in points], [float(str(p[3])) for p in points], "o-", label=label)
        axes.set_title(title)
        axes.set_xlabel("folds predicted")
    sides[0].set_ylabel("folds seen")
    sides[0].legend(fontsize="small")
    figure.savefig(RESULTS / f"fold_calibration_{half}.svg", metadata={"Date": None}, bbox_inches="tight")


def told(half: str, log: Log) -> list[str]:
    items = [item for name in HALVES[half] for item in log.of(name)]
    raises = np.array([row for item in items for row in item["raises"]], float)
    calls = np.array([row for item in items for row in item["calls"]], float).reshape(-1, 3)
    plot(half, raises)
    lines = [f"{len(items)} matches against {', '.join(HALVES[half])}: {len(raises)} raises, {len(calls)} calls after",
             "the flop. Folds to raises, by bin of the chance that FOLD reckoned with:", ""]  # fmt: skip
    for title, rows in (("before the flop", raises[raises[:, 0] == 0]), ("after the flop", raises[raises[:, 0] > 0])):
        for column, name in ((1, "by the style alone"), (2, "with the fold rates learned")):
            lines += [f"{title.capitalize()}, {name} (mean squared error {brier(rows, column):.4f}):", "",
                      *table(["reckoned", "raises", "mean", "seen"], fold_rows(rows, column)), ""]  # fmt: skip
    return [*lines, "Calls after the flop by the size of the bet: wins needed by the price, and won:", "",
            *table(["bet", "calls", "needed", "won"], call_rows(calls)), "",
            f"![Folds predicted and seen](fold_calibration_{half}.svg)", ""]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("half", choices=HALVES)
    parser.add_argument("--matches", type=int, default=20, help="against each stranger")
    parser.add_argument("--minutes", type=float, default=20, help="stop after so many; started again it goes on")
    parser.add_argument("--tell", action="store_true", help="write the tables of the matches played so far")
    options = parser.parse_args(arguments)
    log = Log(f"calibration_{options.half}")
    minutes = 0.0 if options.tell else options.minutes
    if not log.run(list(tasks(options.half, options.matches)), minutes) and not options.tell:
        print("the time is up; the same command goes on from here")
        return
    command = f"`python experiments/fold_calibration.py {options.half} --matches {options.matches}`, seed {SEED}"
    text = "\n".join(["# FOLD: do its chances come true?", "", f"{command}, {log.seconds:.0f} s of one core.", "",
                      *told(options.half, log)])  # fmt: skip
    (RESULTS / f"fold_calibration_{options.half}.md").write_text(text)
    (RESULTS / f"fold_calibration_{options.half}.json").write_text(json.dumps(
        {name: [{"raises": item["raises"], "calls": item["calls"]} for item in log.of(name)]
         for name in HALVES[options.half]}) + "\n")  # fmt: skip
    print(text)


if __name__ == "__main__":
    as_script(main)
