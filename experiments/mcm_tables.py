"""The tables of paper 003 for MCM: three agents at one table, and one agent against a pair.

    python experiments/mcm_tables.py --deals 500 --seed 1 --mcm mcm

Every row is played on the same deals. The landlord is seat 0, whatever the cards: card play only, no bidding. A
landlord's percentage means little alone, so the rows are also compared with the agent's own self-play on the same deals
(the paper's MCM: 56%). Costs about a minute for `mcm`; the result is written to experiments/results/mcm_tables.md.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mingpai.arena.match import play_plan
from mingpai.arena.plan import table_of
from mingpai.arena.statistics import Estimate, fixed_mean, fixed_rate
from mingpai.games.doudizhu import GAME

RESULTS = Path(__file__).parent / "results" / "mcm_tables.md"

PAPER = {
    ("cql", "rhcp", "MCM"): 44.4, ("cql", "MCM", "rhcp"): 44.8, ("rhcp", "cql", "MCM"): 52.6,
    ("rhcp", "MCM", "cql"): 46.4, ("MCM", "cql", "rhcp"): 63.0, ("MCM", "rhcp", "cql"): 59.2,
    ("MCM", "MCM", "MCM"): 56.0,
}  # fmt: skip
"""Landlord, down, up -> the landlord's wins in % that the paper prints."""

PAIRS = ("random", "rhcp", "cql")
"""Opponents of one against two."""


def landlord_wins(agents: Sequence[str], deals: int, seed: int) -> list[float]:
    """For each deal whether the landlord won; agents by seat: landlord, down, up."""
    plan = table_of(GAME, agents, rotate=False, seed=seed, setup=GAME.play_only)
    run = play_plan(plan, deals)
    return [float(play.winners == (0,)) for result in run.results for play in result.plays]


def percent(estimate: Estimate) -> str:
    return f"{estimate.mean:.1%} [{estimate.low:.1%}, {estimate.high:.1%}]"


def points(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:+.1f} [{100 * estimate.low:+.1f}, {100 * estimate.high:+.1f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mcm", default="mcm", help="the agent in the place of MCM")
    options = parser.parse_args()
    start = time.process_time()
    rows = {seats: [options.mcm if name == "MCM" else name for name in seats] for seats in PAPER}
    rows |= {("MCM", other, other): [options.mcm, other, other] for other in PAIRS}
    rows |= {(other, "MCM", "MCM"): [other, options.mcm, options.mcm] for other in PAIRS}
    wins = {seats: np.array(landlord_wins(agents, options.deals, options.seed)) for seats, agents in rows.items()}
    own = wins["MCM", "MCM", "MCM"]
    lines = [
        "# MCM at one table with the others (paper 003)", "",
        f"`python experiments/mcm_tables.py --deals {options.deals} --seed {options.seed} --mcm {options.mcm}`, "
        f"{time.process_time() - start:.0f} s of processor time. The landlord is seat 0, whatever the cards; every row "
        "is played on the same deals; brackets are 95% intervals.", "",
        "| landlord | down | up | landlord wins | against MCM's self-play, points | paper |",
        "|---|---|---|---|---|---|",
    ]  # fmt: skip
    for seats, won in wins.items():
        difference = points(fixed_mean(list(won - own))) if seats != ("MCM", "MCM", "MCM") else "-"
        paper = f"{PAPER[seats]:.1f}%" if seats in PAPER else "-"
        lines.append(f"| {' | '.join(seats)} | {percent(fixed_rate(list(won)))} | {difference} | {paper} |")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
