"""RLCard's rule player `doudizhu-rule-v1` as it is, faults included: a peer to measure against. Needs `rlcard`."""

import time
from typing import Any

import numpy as np

from mingpai.agents.doudizhu_bidding import bid_by_strength
from mingpai.agents.doudizhu_situation import doudizhu_view, role_of
from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Candidate, Decision
from mingpai.core.errors import AgentFailed, NotInstalled
from mingpai.core.game import View
from mingpai.games.doudizhu.moves import Bid, Move
from mingpai.games.doudizhu.notation import to_rlcard
from mingpai.games.doudizhu.view import DoudizhuView

LANDLORD = 0
PASS = "pass"


class RlcardAgent(Agent[NoSettings]):
    """Asks RLCard's own class. Under other rules than `rlcard`, moves it does not know are not offered to it, and one
    to beat is answered as it answers a move that it cannot beat with its own type.

    Where it has no answer of the same type it plays a random legal move, also on its mate's move after a pass: it then
    takes the landlord for its mate. The global random state it uses is seeded from the view and put back.
    """

    is_random = True

    def __init__(self, settings: NoSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        try:
            from rlcard.games.doudizhu.utils import CARD_TYPE
            from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1
        except ImportError:
            raise NotInstalled("rlcard", "pip install rlcard") from None
        self._player: Any = DouDizhuRuleAgentV1()
        self._known = frozenset(CARD_TYPE[0]) | {PASS}

    def decide(self, view: View) -> Decision:
        table = doudizhu_view(view)
        if table.landlord is None:
            return bid_by_strength(table, self.spec)
        start = time.perf_counter()
        texts = [(to_rlcard(move.cards) or PASS, move) for move in table.native_moves()]
        moves = {text: move for text, move in reversed(texts) if text in self._known}
        answer = self._ask(table, moves)
        if answer not in moves:
            raise AgentFailed(self.spec, f"played {answer!r}, which is illegal here")
        move = moves[answer]
        return Decision(
            move=move,
            candidates=[Candidate(move, probability=1.0)],
            value_unit="win",
            seconds=time.perf_counter() - start,
            agent=self.spec,
            seed=self.seed,
        )

    def _ask(self, view: DoudizhuView, moves: dict[str, Move]) -> str:
        raw: dict[str, Any] = {
            "trace": _trace(view),
            "current_hand": to_rlcard(view.hand),
            "actions": list(reversed(moves)),
            "landlord": LANDLORD,
            "self": role_of(view, view.seat),
        }
        before = np.random.get_state()
        np.random.seed(self.native_seed(view) % 2**32)
        try:
            if to_rlcard(view.last.cards) not in self._known and not view.last.is_pass:
                with_mate = LANDLORD not in (raw["self"], role_of(view, view.native.status.owner or 0))
                return PASS if with_mate else str(np.random.choice(list(moves)))
            return str(self._player.step({"raw_obs": raw}))
        finally:
            np.random.set_state(before)


def _trace(view: DoudizhuView) -> list[tuple[int, str]]:
    """The moves so far as RLCard has them: role and cards."""
    moves = [(step.seat, step.action) for step in view.steps if not isinstance(step.action, Bid)]
    return [(role_of(view, seat), to_rlcard(move.cards) or PASS) for seat, move in moves]
