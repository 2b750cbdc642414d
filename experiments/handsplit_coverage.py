"""How many moves of strong play lie in LessSplit, by slack: the counterpart of the paper's count of human moves.

    python experiments/handsplit_coverage.py --deals 60

The player is the flagship with all legal moves as candidates (slack=-1), so that nothing is left out beforehand. Passes
and forced moves are not counted. Cost: about a CPU second a deal. Writes results/handsplit_coverage.md.
"""

import argparse
from collections import Counter
from pathlib import Path

from script import as_script

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.statistics import fixed_rate
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.moves import Move
from mingpai.methods.handsplit.split import min_turns

RESULT = Path(__file__).parent / "results" / "handsplit_coverage.md"
PAPER = {0: 86.55, 1: 95.62, 2: 98.94, 3: 99.33}
"""Share of human moves in partitions of at most L_min + k parts, in percent (18289/21130 for k = 0)."""


def slacks(spec: str, deals: int, seed: int) -> list[Counter[int]]:
    """For each deal, how many moves needed each slack."""
    agent, needed_more = REGISTRY.agent("doudizhu", spec, seed), []
    for deal in range(deals):
        state = GAME.deal(seed + deal, "standard", {"landlord": 0})
        needed: Counter[int] = Counter()
        while (seat := state.to_move) is not None:
            view = state.view(seat)
            move = agent.decide(view).move
            assert isinstance(move, Move)
            if not move.is_pass and len(view.native_moves()) > 1:
                needed[1 + min_turns(view.hand - move.cards) - min_turns(view.hand)] += 1
            state.play(move)
        needed_more.append(needed)
    return needed_more


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--agent", default="mingpai:slack=-1,width=96,iterations=1000,endings=false")
    options = parser.parse_args()
    counted = slacks(options.agent, options.deals, options.seed)
    total = sum(counted, Counter[int]()).total()
    lines = [
        "# Moves of strong play in LessSplit",
        "",
        f"`python experiments/handsplit_coverage.py --deals {options.deals} --seed {options.seed}`: {options.agent}",
        f"{total} moves of {options.deals} self-played deals, deals as units of the interval.",
        "",
        "| slack | moves in L_min + slack, % [95%] | human moves (paper), % |",
        "|---|---|---|",
    ]
    for slack, paper in PAPER.items():
        shares = [sum(n for k, n in deal.items() if k <= slack) / deal.total() for deal in counted]
        rate = fixed_rate(shares)
        lines.append(f"| {slack} | {100 * rate.mean:.2f} [{100 * rate.low:.2f}, {100 * rate.high:.2f}] | {paper} |")
    RESULT.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    as_script(main)
