"""What the inference knows: the log-likelihood of the true hidden hands, over that of the uniform belief.

    python experiments/handsplit_inference.py --deals 60

Games of players that the model was not fitted to. At every fifth move the seat to move is asked; a deal gives the mean
over its questions, and deals are the units of the interval. Cost: about a CPU second for ten deals. Writes
results/handsplit_inference.md.
"""

import argparse
import math
from pathlib import Path

import numpy as np

from mingpai._native.core import Budget
from mingpai._native.handsplit import Particles, PlayerModel
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_situation import situation_of
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.methods.handsplit.agent import make_searcher
from mingpai.methods.handsplit.inference import ParticleBelief
from mingpai.methods.handsplit.mcm_search import MingpaiSettings

RESULT = Path(__file__).parent / "results" / "handsplit_inference.md"
PLAYERS = ("rb", "rhcp", "rlcard")
EVERY = 5
PARTICLES = 1000
SETTINGS = MingpaiSettings()
MODEL = PlayerModel(SETTINGS.temperature, SETTINGS.noise, SETTINGS.tempering)


def gain(state: DoudizhuState, seed: int) -> float:
    """Nats by which the true hands are likelier under the belief of the seat to move than under the uniform one."""
    seat = state.to_move or 0
    view = state.view(seat)
    situation, searcher = situation_of(view), make_searcher(view.rule_set.native)
    worlds = Particles(seed, PARTICLES, MODEL, False).update(situation, searcher, Budget())
    belief = ParticleBelief(view, situation, worlds, searcher)
    return belief.log_prob(state) - belief.log_uniform(state.hand((seat + 1) % 3))


def gains(player: str, deals: int, seed: int) -> list[float]:
    agent, out = REGISTRY.agent("doudizhu", player, seed), []
    for deal in range(deals):
        state = GAME.deal(seed + deal, "rlcard" if player == "rlcard" else "standard", {"landlord": 0})
        asked = []
        while (seat := state.to_move) is not None:
            if len(state.moves()) % EVERY == EVERY - 1:
                asked.append(gain(state, deal))
            state.play(agent.decide(state.view(seat)).move)
        if asked:
            out.append(float(np.mean(asked)))
    return out


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
        "| games of | deals | gain, nats [95%] |",
        "|---|---|---|",
    ]
    for player in PLAYERS:
        found = gains(player, options.deals, options.seed)
        error = 1.96 * np.std(found, ddof=1) / math.sqrt(len(found))
        mean = float(np.mean(found))
        lines.append(f"| {player} | {len(found)} | {mean:.2f} [{mean - error:.2f}, {mean + error:.2f}] |")
    RESULT.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
