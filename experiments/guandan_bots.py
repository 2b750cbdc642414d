"""The rule bots against each other: a round robin of whole matches, beside table 5 of the ABL-GD paper.

    python experiments/guandan_bots.py [--matches 1000] [--seed 1]

Every match is played twice with the seats swapped and the same cards round by round. The intervals are 95% and take
such a pair of matches as the unit. Writes experiments/results/guandan_bots.json and .md;
`--matches 0` only the page again.
"""

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

from script import as_script

from mingpai._native import core
from mingpai._native import guandan as native

PLAYERS = ("random", "rule1", "rule2", "rule3", "rule4")
"""By number of the native player."""
RULES = "huaian2017"
PAPER = "ABL-GD against four public bots: 100, 100, 81.4, 85.2; against random 100 (% of 1000 matches)"
RESULTS = Path(__file__).parent / "results" / "guandan_bots.json"


def duel(a: int, b: int, pairs: int, seed: int) -> dict[str, Any]:
    """Player `a` against `b`: share of matches, mean points of a round, shares of rounds by score."""
    start = time.process_time()
    matches = native.duel_matches(a, b, pairs, seed, RULES, core.Budget())
    wins = [(1 + match.result) / 2 for match in matches]
    units = [(first + second) / 2 for first, second in zip(wins[::2], wins[1::2], strict=True)]
    mean = sum(units) / len(units)
    spread = math.sqrt(sum((unit - mean) ** 2 for unit in units) / max(1, len(units) - 1) / len(units))
    rounds = sum(match.rounds for match in matches)
    by_score = [sum(match.by_score[i] for match in matches) / rounds for i in range(7)]
    return {
        "a": PLAYERS[a],
        "b": PLAYERS[b],
        "matches": len(matches),
        "won": round(100 * mean, 2),
        "half_interval": round(196 * spread, 2),
        "rounds": rounds,
        "points_a_round": round(sum(match.points for match in matches) / rounds, 3),
        "rounds_won_3_2_1": [round(100 * by_score[i], 1) for i in (6, 5, 4)],
        "rounds_lost_3_2_1": [round(100 * by_score[i], 1) for i in (0, 1, 2)],
        "cpu_seconds": round(time.process_time() - start, 1),
    }


def play(matches: int, seed: int) -> None:
    rows = []
    for a in range(len(PLAYERS)):
        for b in range(a):
            rows.append(duel(a, b, matches // 2, seed))
            row = rows[-1]
            print(f"{row['a']} - {row['b']}: {row['won']:.1f} +- {row['half_interval']:.1f} %", flush=True)
    command = f"python experiments/guandan_bots.py --matches {matches} --seed {seed}"
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({"command": command, "rules": RULES, "paper": PAPER, "rows": rows}, indent=1) + "\n")


def report(data: dict[str, Any]) -> None:
    lines = ["# Guandan: the rule bots against each other", "",
             f"`{data['command']}`: whole matches under `{data['rules']}`, each twice",
             "with the seats swapped and the same cards; ± is a 95% interval over such pairs.", "",
             "| first | second | matches | won by the first, % | points a round |",
             "|---|---|---|---|---|"]  # fmt: skip
    for row in data["rows"]:
        lines.append(f"| {row['a']} | {row['b']} | {row['matches']} | {row['won']:.1f} ± {row['half_interval']:.1f} | "
                     f"{row['points_a_round']:+.3f} |")  # fmt: skip
    RESULTS.with_suffix(".md").write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.matches:
        play(options.matches, options.seed)
    report(json.loads(RESULTS.read_text()))


if __name__ == "__main__":
    as_script(main)
