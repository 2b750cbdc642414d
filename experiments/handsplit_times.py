"""Time of a choice: processor time of each agent on the same positions, one decision after the other.

    python experiments/handsplit_times.py [--positions 60] [--strong 12]    # writes results/handsplit_times.{md,json}

The positions are choices among several moves in deals that `rb` plays with itself (seed 7), spread over the deals;
forced moves are left out, since they cost nothing. Processor time of all threads; an agent with two threads takes about
half of it in wall time on two idle cores. About a minute with the defaults.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
from script import as_script

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.game import View
from mingpai.games.doudizhu import GAME

REPORT = Path(__file__).parent / "results" / "handsplit_times.md"
SEED = 7
EVERY = 5
"""One choice in so many is taken."""
SLOW = ("strong", "iterations=30000", "iterations=100000")
"""Agents that are asked in fewer positions."""

SEARCH = "mctshs:belief=inferred,endings=true"
AGENTS = (
    "mcm",
    "mctshs:iterations=1000",
    "mctshs",
    "mctshs:iterations=10000",
    f"{SEARCH},particles=500,iterations=9000",
    f"{SEARCH},particles=2000,iterations=6000",
    "mcm-search",
    "mingpai:preset=fast",
    "mingpai:preset=normal",
    "mcm-search:judge=none",
    "mcm-search:plays_out=false",
    "mcm-search:iterations=30000,particles=2000,worlds=1024,reads=512",
    "mcm-search:iterations=100000,particles=8000,worlds=3072,reads=1536",
    "mingpai:preset=strong",
)


def positions(count: int) -> list[View]:
    views: list[View] = []
    deal = seen = 0
    while len(views) < count:
        state, agent = GAME.deal(SEED + deal, "standard+nobid"), REGISTRY.agent("doudizhu", "rb")
        while state.to_move is not None:
            view = state.view(state.to_move)
            if len(view.legal_moves()) > 1:
                seen += 1
                if seen % EVERY == 0:
                    views.append(view)
            state.play(agent.decide(view).move)
        deal += 1
    return views[:count]


def milliseconds(spec: str, views: list[View]) -> tuple[list[float], list[float]]:
    """Processor and wall time of each decision."""
    agent = REGISTRY.agent("doudizhu", spec)
    agent.decide(views[0])
    cpu, wall = [], []
    for view in views:
        start = time.process_time(), time.perf_counter()
        agent.decide(view)
        cpu.append(1000 * (time.process_time() - start[0]))
        wall.append(1000 * (time.perf_counter() - start[1]))
    return cpu, wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--strong", type=int, default=12, help="positions for the slowest agents")
    options = parser.parse_args()
    views = positions(options.positions)
    lines = [
        "# Time of a choice", "",
        f"`python experiments/handsplit_times.py --positions {options.positions} --strong {options.strong}`:",
        "milliseconds for a choice among several moves: processor time (all threads), and wall time.", "",
        "| agent | positions | mean | median | 95% | longest | wall, mean | wall, longest |", "|---" * 8 + "|",
    ]  # fmt: skip
    means = {}
    for spec in AGENTS:
        is_slow = any(word in spec for word in SLOW)
        times, wall = milliseconds(spec, views[: options.strong] if is_slow else views)
        numbers = (np.mean(times), np.median(times), np.quantile(times, 0.95), max(times), np.mean(wall), max(wall))
        lines.append(f"| {spec} | {len(times)} | " + " | ".join(f"{number:.2f}" for number in numbers) + " |")
        means[spec] = float(numbers[0])
        print(lines[-1], flush=True)
    REPORT.write_text("\n".join(lines) + "\n")
    REPORT.with_suffix(".json").write_text(json.dumps(means, indent=1) + "\n")


if __name__ == "__main__":
    as_script(main)
