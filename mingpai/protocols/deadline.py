"""An agent that must answer within a time: what other people's servers ask for.

A server that gets no answer folds the hand. So when the agent is late or fails, the hand is checked or folded before
the server does it, and the log says so; no other agent decides in its place.
"""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mingpai.core.agent import Agent
from mingpai.games.holdem.moves import CHECK, FOLD, Action
from mingpai.games.holdem.view import HoldemView

log = logging.getLogger(__name__)

LIMIT = 0.5
"""Seconds that the contest servers give."""
MARGIN = 0.08
"""Seconds kept for the way to the server."""


def resign(view: HoldemView) -> Action:
    """Check where that is possible, else fold."""
    return CHECK if view.native.legal().check else FOLD


class PromptAgent:
    """Asks an agent in a thread of its own and waits no longer than allowed."""

    def __init__(self, agent: Agent[Any], limit: float = LIMIT) -> None:
        self.agent = agent
        self.limit = limit
        self.late = 0
        """How often the agent was too late or failed."""
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="agent")
        self._heard = 0

    async def decide(self, view: HoldemView) -> Action:
        """The agent's move, or check or fold when it does not come in time."""
        loop = asyncio.get_running_loop()
        try:
            wait = max(0.01, self.limit - MARGIN)
            decision = await asyncio.wait_for(loop.run_in_executor(self._pool, self.agent.decide, view), wait)
        except TimeoutError:
            self.late += 1
            log.warning("%s did not answer within %.2f s", self.agent.spec, self.limit)
            return resign(view)
        except Exception:
            self.late += 1
            log.exception("%s failed", self.agent.spec)
            return resign(view)
        move = decision.move
        assert isinstance(move, Action)
        return move

    def start_hand(self, view: HoldemView) -> None:
        """A hand begins: tell an agent with memory."""
        self._heard = len(view.events())
        if self.agent.has_memory:
            self.agent.start_deal(view)

    def hear(self, view: HoldemView) -> None:
        """Tell an agent with memory what has happened since."""
        events = view.events()
        if self.agent.has_memory:
            for event in events[self._heard :]:
                self.agent.observe(event)
        self._heard = len(events)

    def end_hand(self, points: list[float]) -> None:
        if self.agent.has_memory:
            self.agent.end_deal(points)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self.agent.close()
