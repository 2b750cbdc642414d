"""How well the judge of Dou Dizhu tells close moves apart: at once, and after they were played on.

    python experiments/doudizhu_ahead.py [--deals N] [--depths 0,1,3] [--player student] [--begun FOLDER]

A player that sees all hands chooses among the network's three best moves: by the judge at once (depth 0), or by the
judge after each was played on for some decisions, all seats by the network (or by the student) from what each can see.
It meets the network, which sees its own hand alone, on duplicate deals for wins. Networks are the shipped ones, or the
averages that `doudizhu_campaign.py keep` put into a folder. It prints its cost first and keeps nothing: a measure of
judges and of depths for training (`mingpai train mcm-open --set ahead=N`), no agent.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from network_matches import best_of_each
from numpy.typing import NDArray
from safetensors.torch import load_file
from script import as_script

from mingpai._native import doudizhu, mcm
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.core.errors import BadSetting
from mingpai.core.random import seed_of
from mingpai.methods.mcm.agent import JUDGE, SHIPPED, STUDENT
from mingpai.methods.mcm.ahead import whole_numbers
from mingpai.methods.mcm.export import network_of, shipped_network
from mingpai.methods.mcm.losses import rank_in_group
from mingpai.methods.mcm.network import WIN, ValueNet
from mingpai.methods.mcm.rows import OPEN_FEATURES, native_network, state_of_each_move

TABLES, SEED, CANDIDATES = 512, 77, 3
MOST = 100
"""Of a depth."""
DEAL_SECONDS = 0.006
"""Processor time of a deal, both its games, about."""


@dataclass(frozen=True)
class Seen:
    """What all tables have to decide, hands open."""

    batch: mcm.Batch
    states: NDArray[np.uint8]
    moves: NDArray[np.uint8]
    of: NDArray[np.int64]


Values = Callable[[Seen, NDArray[np.int64]], NDArray[np.float32]]
"""What a player makes of some rows of moves."""


def begun(folder: Path, name: str) -> ValueNet:
    """An average of a training that has begun."""
    return network_of({"mean": {key: value.float() for key, value in load_file(folder / name).items()}})


def alone(net: ValueNet) -> Values:
    """The network, which does not see the other hands."""

    def values(seen: Seen, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        states, moves = seen.states[:, : mcm.STATE_SIZE].copy(), seen.moves[rows, : mcm.MOVE_SIZE].copy()
        return asked(net, states, moves, seen.of[rows])

    return values


def judging(judge: ValueNet) -> Values:
    return lambda seen, rows: asked(judge, seen.states, seen.moves[rows], seen.of[rows])


def playing_on(player: mcm.LookAhead, depth: int) -> Values:
    return lambda seen, rows: player.values(seen.batch, rows.astype(np.int32), depth)


def asked(
    net: ValueNet, states: NDArray[np.uint8], moves: NDArray[np.uint8], of: NDArray[np.int64]
) -> NDArray[np.float32]:
    """The network's logits of winning."""
    logits: NDArray[np.float32] = net.values(*map(torch.from_numpy, (states, moves, of))).numpy()[:, WIN]
    return logits


def play(net: Values, landlord: Values, farmers: Values, seed: int) -> NDArray[np.bool_]:
    """Whether the landlord won, of every deal. All choose among the network's best."""
    batch = mcm.Batch(TABLES, seed, doudizhu.profile("standard"), deals_again=False, open=True)
    states = np.zeros((TABLES, mcm.OPEN_STATE_SIZE), np.uint8)
    while batch.options:
        moves = np.zeros((batch.options, mcm.OPEN_MOVE_SIZE), np.uint8)
        batch.observe(states, moves)
        seen = Seen(batch, states, moves, state_of_each_move(batch.offsets()))
        best = rank_in_group(-net(seen, np.arange(len(moves))), seen.of) < CANDIDATES
        values, turns = np.full(len(moves), -np.inf, np.float32), batch.turns()
        for player, is_his in ((landlord, turns == 0), (farmers, turns > 0)):
            rows = np.flatnonzero(best & is_his[seen.of])
            if len(rows):
                values[rows] = player(seen, rows)
        batch.play(best_of_each(values, batch.offsets()))
    landlord_won: NDArray[np.bool_] = batch.winners() == 0
    return landlord_won


def share(net: Values, player: Values, deals: int) -> tuple[float, float]:
    """Deals won by a player against the network, both ways, and the standard error."""
    won = []
    for number in range(-(-deals // TABLES)):
        seed = seed_of(SEED, "m", number)
        won.append((play(net, player, net, seed) + 0.0 + ~play(net, net, player, seed)) / 2)
    shares = np.concatenate(won)
    return float(shares.mean()), float(shares.std(ddof=1) / len(shares) ** 0.5)


def depths_in(text: str) -> list[int]:
    words = text.split(",")
    if not all(word.isdecimal() and int(word) <= MOST for word in words):
        raise BadSetting("depths", text, f"whole numbers from 0 to {MOST} with commas between them")
    return [int(word) for word in words]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=2048, help="of each depth, full tables")
    parser.add_argument("--depths", default="0,1,2,3,6,8", help="decisions that moves are played on for")
    parser.add_argument("--player", choices=("network", "student"), default="network", help="who plays moves on")
    parser.add_argument("--begun", type=Path, help="a folder of networks instead of the shipped ones")
    options = parser.parse_args()
    depths = depths_in(options.depths)
    print(f"about {len(depths) * options.deals * DEAL_SECONDS / 60:.1f} processor minutes", flush=True)
    torch.set_num_threads(1)
    if options.begun:
        net, judge = (begun(options.begun, f"{name}.safetensors") for name in ("network", "judge"))
    else:
        net, judge = shipped_network(SHIPPED), shipped_network(JUDGE, OPEN_FEATURES)
    plays = whole_numbers(net) if options.player == "network" else native_network(STUDENT)
    player = mcm.LookAhead(plays, whole_numbers(judge), tuned_weights())
    for depth in depths:
        start = time.process_time()
        mean, error = share(alone(net), playing_on(player, depth) if depth else judging(judge), options.deals)
        spent = time.process_time() - start
        print(f"depth {depth}: {100 * mean:.1f} +- {100 * error:.1f}%, {spent:.0f} processor seconds", flush=True)


if __name__ == "__main__":
    as_script(main)
