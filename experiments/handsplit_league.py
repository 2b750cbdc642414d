"""A league of the Dou Dizhu agents: every pair on the same duplicate deals, rated with intervals.

    python experiments/handsplit_league.py [--deals 60] [--seed 8] [--jobs 1]

Card play only, landlord at seat 0. A pair keeps its chunks in a folder (runs/, not committed) and a later call goes on
where the last one stopped. Cost: about ten CPU minutes for 60 deals. Writes results/handsplit_league.{json,md,svg}.
"""

import argparse
import json
from pathlib import Path

from pictures import svg_pyplot
from script import as_script

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.league import League, plans, play_league
from mingpai.arena.match import Progress

RESULTS = Path(__file__).parent / "results"
RUNS = Path(__file__).parent / "runs" / "handsplit_league"
AGENTS = (
    "mingpai:preset=fast", "mcm-search", "mcm", "mctshs", "cql", "rb", "rhcp", "greedy", "mcm-paper", "rlcard",
    "random",
)  # fmt: skip
GAME = REGISTRY.game("doudizhu")
CPU_SECONDS = 0.17
"""Of a deal of a pair, on average over the pairs."""


def table(league: League, deals: int, seed: int) -> str:
    order = league.order()
    lines = [
        "# A league of the Dou Dizhu agents", "",
        f"`python experiments/handsplit_league.py --deals {deals} --seed {seed}`: {deals} duplicate deals a pair, card",
        "play only, landlord at seat 0 with the bottom cards. Bradley-Terry ratings on the Elo scale, mean 1500, 95%",
        "by resampling deals; the mean scores of the pairs differ from what the ratings expect by at most",
        f"{league.transitive_error:.1%}. Scores: % of the deals won. Not here: `solver`, which is for open cards,",
        "`bidder` and `tempered`, which differ in the bidding, and `douzero`, which needs checkpoints of your own.", "",
        "| agent | rating [95%] | " + " | ".join(f"vs {place}" for place in range(1, len(order) + 1)) + " |",
        "|---" * (len(order) + 2) + "|",
    ]  # fmt: skip
    for place, one in enumerate(order, 1):
        rating = league.ratings[one]
        scores = " | ".join("" if one == other else f"{100 * score_of(league, one, other):.0f}" for other in order)
        lines.append(
            f"| {place}. {league.agents[one]} | {rating.elo:.0f} [{rating.low:.0f}, {rating.high:.0f}] | {scores} |"
        )
    return "\n".join([*lines, "", "![ratings](handsplit_league.svg)", ""])


def score_of(league: League, one: int, other: int) -> float:
    """Share of the deals that `one` won against `other`."""
    pair = (min(one, other), max(one, other))
    rate: float = league.pairs[pair].sides[0].total.win_rate.mean
    return rate if pair[0] == one else 1 - rate


def plot(league: League) -> None:
    pyplot = svg_pyplot()
    order = league.order()[::-1]
    figure, axes = pyplot.subplots(figsize=(8, 0.4 * len(order) + 1), layout="constrained")
    for place, agent in enumerate(order):
        rating = league.ratings[agent]
        error = [[rating.elo - rating.low], [rating.high - rating.elo]]
        axes.errorbar(rating.elo, place, xerr=error, fmt="o", color="tab:blue", capsize=3)
    axes.set_yticks(range(len(order)), [league.agents[agent] for agent in order])
    axes.set_xlabel("rating (Elo scale), 95%")
    axes.grid(axis="x", alpha=0.3)
    figure.savefig(RESULTS / "handsplit_league.svg", metadata={"Date": None})


def show(name: str, now: Progress) -> None:
    if now.done == now.total:
        print(f"{name}: {now.done} deals, {now.games} games", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    matches = plans(GAME, AGENTS, seed=options.seed, setup=dict(GAME.play_only))
    cost = len(matches) * options.deals * CPU_SECONDS / 60
    print(f"{len(matches)} pairs of {options.deals} deals: about {cost:.0f} CPU minutes", flush=True)
    league = play_league(
        AGENTS, matches, options.deals, jobs=options.jobs, folder=RUNS, resume=RUNS.exists(), progress=show
    )
    (RESULTS / "handsplit_league.json").write_text(json.dumps(league.to_json(), indent=1) + "\n")
    (RESULTS / "handsplit_league.md").write_text(table(league, options.deals, options.seed))
    plot(league)
    print((RESULTS / "handsplit_league.md").read_text())


if __name__ == "__main__":
    as_script(main)
