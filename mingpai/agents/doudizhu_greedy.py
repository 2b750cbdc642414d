"""The fast rule player of the roll-outs as an agent: values what each move leaves, with weights tuned by self-play."""

import functools
import json
from pathlib import Path

from mingpai._native import doudizhu as native
from mingpai._native.ruleplay import Player, Weights, heuristic_player
from mingpai.agents.doudizhu_rule import DoudizhuRuleAgent

WEIGHTS_FILE = Path(__file__).with_name("doudizhu_weights.json")
"""The tuned weights, their origin and the command that made them."""


@functools.cache
def tuned_weights() -> Weights:
    """The weights of the roll-outs, of the priors and of the player model."""
    data = json.loads(WEIGHTS_FILE.read_text())
    return Weights(data["weights"])


class GreedyAgent(DoudizhuRuleAgent):
    """Knows its own hand and how many cards the others hold; looks no move ahead."""

    def make_player(self, rules: native.Rules) -> Player:
        return heuristic_player(rules, tuned_weights())
