"""RHCP: of all partitions of what a move leaves, the one of greatest value; it plays the move that leaves the most."""

from mingpai._native import doudizhu as native
from mingpai._native.ruleplay import Player, remaining_value_player
from mingpai.agents.doudizhu_rule import DoudizhuRuleAgent


class RemainingValueAgent(DoudizhuRuleAgent):
    """Parts are worth their rank from -7 (3) to 7 (D), a bomb 7 more, the rocket 20, every part costs 7 for its turn.
    Beside this it goes out when it can, never plays over its mate unless that wins, does not lead a single (pair) to an
    enemy's last card (two) if it can help it, and stops an enemy of at most two cards."""

    def make_player(self, rules: native.Rules) -> Player:
        return remaining_value_player(rules)
