"""What the inference knows: the log-likelihood of the true hidden hands, over that of the uniform belief.

    python experiments/handsplit_inference.py --deals 60

Games of players that the models were not fitted to. At every fifth move the seat to move is asked; a deal gives the
mean over its questions, and deals are the units of the interval. Beliefs: that of the tree search (the rule player as
the model of everybody), the same read again by the network as the playouts use it, and read so that each
player's moves tell how exact it is, with what is read counting in full. Cost: about four CPU minutes for 60 deals.
Writes results/handsplit_inference.md.
"""

import argparse
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from script import as_script

from mingpai._native.core import Budget
from mingpai._native.handsplit import Particles, PlayerModel
from mingpai._native.mcm import Reader, ReadingSettings
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_situation import situation_of
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.methods.flagship.agent import McmSearchSettings
from mingpai.methods.handsplit.agent import make_searcher
from mingpai.methods.handsplit.inference import ParticleBelief
from mingpai.methods.mcm.agent import STUDENT
from mingpai.methods.mcm.rows import native_network

RESULT = Path(__file__).parent / "results" / "handsplit_inference.md"
PLAYERS = ("rb", "rhcp", "rlcard", "cql", "mctshs:iterations=500", "mcm")
EVERY = 5
PARTICLES = 1000
READ = 200
"""Worlds that stand for all when the network reads."""
READING = McmSearchSettings().reading
MODEL = PlayerModel(READING.temperature, READING.noise, READING.tempering)


def own_temperatures() -> ReadingSettings:
    """Each player's moves tell how exact it is; what is read counts in full."""
    reading = ReadingSettings()
    reading.temperature, reading.tempering, reading.kept = 0.0, 1.0, 0.75
    return reading


READINGS = (ReadingSettings(), own_temperatures())


def gain(state: DoudizhuState, seed: int, reader: Reader) -> list[float]:
    """Nats by which the true hands are likelier than under the uniform belief: under the belief of the seat to
    move, and under the same read again by the network in both ways."""
    seat = state.to_move or 0
    view = state.view(seat)
    situation, searcher = situation_of(view), make_searcher(view.rule_set.native)
    worlds = Particles(seed, PARTICLES, MODEL, False).update(situation, searcher, Budget())
    belief = ParticleBelief(view, situation, worlds, searcher)
    truth = state.hand((seat + 1) % 3)
    hands = [worlds.first_hand(i) for i in range(READ)] + [truth]
    known = np.array([worlds.log_ratio(situation, hand, searcher) for hand in hands])
    out = [belief.log_prob(state) - belief.log_uniform(truth)]
    for reading in READINGS:
        seen = np.array(reader.log_likelihoods(situation, reading, hands, Budget()))
        weights = reading.kept * known + reading.tempering * seen
        others = weights[:-1]
        mean = others.max() + math.log(np.exp(others - others.max()).mean())
        out.append(float(weights[-1] - mean))
    return out


def gains(player: str, deals: int, seed: int) -> list[NDArray[np.float64]]:
    agent, out = REGISTRY.agent("doudizhu", player, seed), []
    reader = Reader(native_network(STUDENT))
    for deal in range(deals):
        state = GAME.deal(seed + deal, "rlcard" if player == "rlcard" else "standard", {"landlord": 0})
        asked = []
        while (seat := state.to_move) is not None:
            if len(state.moves()) % EVERY == EVERY - 1:
                asked.append(gain(state, deal, reader))
            state.play(agent.decide(state.view(seat)).move)
        if asked:
            out.append(np.mean(asked, axis=0))
    return out


def interval(values: NDArray[np.float64]) -> str:
    mean, error = values.mean(), 1.96 * values.std(ddof=1) / math.sqrt(len(values))
    return f"{mean:.2f} [{mean - error:.2f}, {mean + error:.2f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=2000)
    options = parser.parse_args()
    lines = [
        "# Log-likelihood of the true hands over the uniform belief",
        "",
        f"`python experiments/handsplit_inference.py --deals {options.deals} --seed {options.seed}`",
        f"Model: softmax of the tuned scores, temperature {MODEL.temperature:g}, noise {MODEL.noise:g}, tempering"
        f" {MODEL.tempering:g}; {PARTICLES} particles.",
        "",
        "| games of | deals | the search's belief, nats [95%] | read by the network | each as exact as it plays |",
        "|---|---|---|---|---|",
    ]
    for player in PLAYERS:
        gained = np.array(gains(player, options.deals, options.seed))
        told = " | ".join(interval(column) for column in gained.T)
        lines.append(f"| {player} | {len(gained)} | {told} |")
        print(lines[-1], flush=True)
    RESULT.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    as_script(main)
