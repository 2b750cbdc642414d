"""The random player: every legal move equally likely."""

import time

from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.reasons import Reason


class RandomAgent(Agent[NoSettings]):
    """Plays any game, badly. The same seed and view give the same move."""

    is_random = True

    def decide(self, view: View) -> Decision:
        start = time.perf_counter()
        moves = view.legal_moves()
        move = moves[self.native_seed(view) % len(moves)]
        return Decision(
            move=move,
            candidates=[Candidate(move, probability=1 / len(moves))],
            value_unit=view.game.unit,
            reasons=[Reason("random_choice", {"count": len(moves)})],
            seconds=time.perf_counter() - start,
            agent=self.spec,
            seed=self.seed,
        )
