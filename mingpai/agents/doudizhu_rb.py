"""RB, the rule player: an active strategy for leading, a passive one for following, and it knows who is on its side."""

from mingpai._native import doudizhu as native
from mingpai._native.ruleplay import Player, rule_based_player
from mingpai.agents.doudizhu_rule import DoudizhuRuleAgent


class RuleBasedAgent(DoudizhuRuleAgent):
    """Plays parts of the partitions of fewest turns: the cheapest lead, the cheapest answer that costs no turn; keeps
    control cards and bombs for when an enemy is about to go out or it can run; lets its mate's moves stand, but raises
    a low one in front of the landlord. The rules are in native/ruleplay/opponents.cpp."""

    def make_player(self, rules: native.Rules) -> Player:
        return rule_based_player(rules)
