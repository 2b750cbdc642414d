"""What the fast players of Dou Dizhu share: a native player that chooses at once, bidding by high cards, reasons."""

import time
from abc import abstractmethod

from mingpai._native import doudizhu as native
from mingpai._native.ruleplay import Player, Splitter
from mingpai.agents.doudizhu_bidding import bid_by_strength
from mingpai.agents.doudizhu_situation import doudizhu_view, role_of, situation_of
from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.reasons import Reason
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.view import DoudizhuView

LANDLORD = 0


class DoudizhuRuleAgent(Agent[NoSettings]):
    """Plays what its native player says. Needs no chance and no memory."""

    def __init__(self, settings: NoSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self._players: dict[str, Player] = {}

    @abstractmethod
    def make_player(self, rules: native.Rules) -> Player:
        """The native player for a rule profile."""

    def decide(self, view: View) -> Decision:
        table = doudizhu_view(view)
        if table.landlord is None:
            return bid_by_strength(table, self.spec)
        start = time.perf_counter()
        name = table.rule_set.name
        if name not in self._players:
            self._players[name] = self.make_player(table.rule_set.native)
        move = self._players[name].move(situation_of(table))
        return Decision(
            move=move,
            candidates=[Candidate(move, probability=1.0)],
            value_unit="win",
            reasons=[reason_of(table, move)],
            seconds=time.perf_counter() - start,
            agent=self.spec,
        )


def reason_of(view: DoudizhuView, move: Move) -> Reason:
    """The plainest true thing to say about a move: what it does to one's hand or for one's side."""
    if len(view.native_moves()) == 1:
        return Reason("only_move")
    if move.is_pass:
        owner = view.native.status.owner
        with_mate = owner is not None and LANDLORD not in (role_of(view, view.seat), role_of(view, owner))
        return Reason("doudizhu.lets_mate" if with_mate else "doudizhu.saves_cards", {"last": str(view.last)})
    if move.cards == view.hand:
        return Reason("doudizhu.goes_out")
    splitter = Splitter(view.rule_set.native)
    before, after = splitter.min_turns(view.hand), splitter.min_turns(view.hand - move.cards)
    return Reason("doudizhu.turns_left", {"before": before, "after": after})
