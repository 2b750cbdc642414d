"""The improvement module as a teacher: the paper's MCM plays all seats, and what its search decides are new lessons.

Where the network is sure, the lesson repeats its scores: that holds the network where it stands. Where it searched, the
lesson is what the search found. UCB1 spreads its simulations widely, so a share is not the part of them but a softmax
of what each candidate earned, its score included (ours).
"""

from collections.abc import Sequence

import numpy as np

from mingpai._native import doudizhu, mcm
from mingpai.core.random import seed_of
from mingpai.methods.mcm.lessons import RULES, SLACK, LiveDeal, Opinion, splitter
from mingpai.methods.mcm.paper_agent import ImprovementSettings, Scored, Scorer, improved, is_unsure

TEMPERATURE = 0.03
"""Of the softmax, in chances to win: about three standard errors of a candidate's earnings."""


class ImprovementTeacher:
    """Every seat searches where it is unsure, the landlord too."""

    def __init__(self, model: str, simulations: int) -> None:
        self._rules = doudizhu.profile(RULES)
        self._scorer = Scorer(model)
        self._settings = ImprovementSettings(at_once="never", simulations=simulations)
        self.searched = 0
        self.overruled = 0

    def __call__(self, deals: Sequence[LiveDeal]) -> list[list[Opinion]]:
        if not deals:
            return []
        positions = [self._position(deal) for deal in deals]
        moves = [splitter().less_split_moves(deal.hands[deal.role], deal.last, SLACK) for deal in deals]
        scored = self._scorer.scored(positions, moves)
        return [self._told(deal, each) for deal, each in zip(deals, scored, strict=True)]

    def _position(self, deal: LiveDeal) -> mcm.Position:
        counts = [doudizhu.card_count(hand) for hand in deal.hands]
        history = [move for _, move in deal.history]
        return mcm.Position(deal.role, deal.hands[deal.role], deal.bottom, counts, history, self._rules)

    def _told(self, deal: LiveDeal, scored: Scored) -> list[Opinion]:
        thought = zip(scored.moves, scored.scores.tolist(), scored.earnings.tolist(), strict=True)
        network = [Opinion(move, score, earned) for move, score, earned in thought]
        if not is_unsure(self._settings, deal.role, scored):
            return network
        seed = seed_of(deal.seed, "decision", len(deal.history))
        roots = improved(self._settings, scored, deal.situation(self._rules), splitter(), seed).moves
        earned = np.array([root.value for root in roots])
        told = earned + self._settings.weight * np.array([root.prior for root in roots])
        shares = np.exp((told - told.max()) / TEMPERATURE)
        shares /= shares.sum()
        order = np.argsort(-shares, kind="stable")
        searched = [Opinion(roots[i].move, float(shares[i]), float(earned[i])) for i in order]
        self.searched += 1
        self.overruled += searched[0].move != scored.moves[0]
        return [*searched, *(Opinion(each.move, 0.0, 0.0) for each in network[len(searched) :])]
