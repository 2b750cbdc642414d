"""Time of a decision of the agents that must answer at once: `mingpai bench decisions`. One core, CPU time.

Every decision of whole deals is counted, one after the other, as a program asks for moves. The bidder is first
to bid a score: the largest tree of the usual rules. The simulator's games are whole: bidding, play, the line written.
"""

import itertools
from collections.abc import Callable
from typing import Any

from benchmarks._measure import machine, rate
from mingpai._native import bidding as native
from mingpai._native.core import Budget
from mingpai._native.doudizhu import Bidding
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.game import View
from mingpai.games import doudizhu, guandan
from mingpai.methods.bidding.auction import Auction
from mingpai.methods.bidding.bidder import Bidder
from mingpai.methods.bidding.population import draw_players, table_of
from mingpai.methods.bidding.raw import PAPER

MOVERS = (("doudizhu", "mcm", "rb", 5.0), ("guandan", "ablgd", "rule4", 10.0))
"""Game, agent, who plays the deals, and milliseconds we hold ourselves to."""
BID_TARGET = 1.0
SIMULATOR_TARGET = 1000.0
"""Games a second and core: two cores make two thousand."""
DEALS = 3


def views(game: str, player: str) -> list[View]:
    """The decisions of a few deals."""
    rules = "standard+nobid" if game == "doudizhu" else ""
    seen: list[View] = []
    for seed in range(DEALS):
        state = {"doudizhu": doudizhu.GAME, "guandan": guandan.GAME}[game].deal(seed, rules)
        agent = REGISTRY.agent(game, player)
        while state.to_move is not None:
            seen.append(state.view(state.to_move))
            state.play(agent.decide(seen[-1]).move)
    return seen


def moves(game: str, spec: str, player: str) -> Callable[[], int]:
    agent, asked = REGISTRY.agent(game, spec), itertools.cycle(views(game, player))

    def work() -> int:
        agent.decide(next(asked))
        return 1

    return work


def bids() -> Callable[[], int]:
    bidder, auction = Bidder(), Auction.start(Bidding.SCORE, 0)
    hands = itertools.cycle([int(row[0]) for row in native.deals(3, 0, 50)])

    def work() -> int:
        bidder.choose(next(hands), auction)
        return 1

    return work


def simulated_games(games: int) -> Callable[[], int]:
    table, starts = table_of(draw_players(20, 1)), itertools.count(0, games)

    def work() -> int:
        table.simulate(1, next(starts), games, 1, PAPER.native, Budget())
        return games

    return work


def run(quick: bool = False) -> dict[str, Any]:
    seconds = 0.6 if quick else 6.0
    timed = [(f"{game}, {spec}", moves(game, spec, player), target) for game, spec, player, target in MOVERS]
    timed.append(("doudizhu, bidder, first to bid", bids(), BID_TARGET))
    rows = []
    for name, work, target in timed:
        spent = 1000 / rate(work, seconds)
        rows.append([name, f"{spent:.2f} ms", f"{target:g} ms", "yes" if spent <= target else "no"])
    speed = rate(simulated_games(500), seconds)
    met = "yes" if speed >= SIMULATOR_TARGET else "no"
    rows.append(["bidding population, games", f"{speed:,.0f}/s", f"{SIMULATOR_TARGET:,.0f}/s", met])
    columns = ["work", "measured", "target", "met"]
    return {"tables": [{"title": "decisions", "columns": columns, "rows": rows}], "machine": machine()}
