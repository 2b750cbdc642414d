"""An agent that must answer within a time: what other people's servers ask for.

A server that gets no answer folds the hand. So when the agent is late or fails, the hand is checked or folded before
the server does it, and the log says so; no other agent decides in its place.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from mingpai.core.agent import Agent
from mingpai.core.event import Event
from mingpai.core.game import Seat
from mingpai.core.random import Rng, stream
from mingpai.games.holdem.moves import CHECK, FOLD, Action, raise_to
from mingpai.games.holdem.notation import format_hand
from mingpai.games.holdem.state import HoldemState, deal
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
    """Asks an agent in a thread of its own and waits no longer than allowed.

    Everything the agent is told goes through the same thread in order, so that a decision that comes too late never
    meets the next hand halfway.
    """

    def __init__(self, agent: Agent[Any], limit: float = LIMIT) -> None:
        self.agent = agent
        self.limit = limit
        self.late = 0
        """How often the agent was too late or failed."""
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="agent")
        self._heard = 0

    async def decide(self, view: HoldemView, spent: float = 0.0) -> Action:
        """The agent's move, or check or fold when it does not come in time; `spent` seconds are gone already."""
        loop = asyncio.get_running_loop()
        try:
            wait = max(0.01, self.limit - MARGIN - spent)
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

    def warm_up(self, rules: str, seats: Sequence[int]) -> None:
        """Let the agent play some hands at tables of these sizes, so that no first time falls into the match."""
        self._pool.submit(rehearse, self.agent, rules, seats).result()

    def start_match(self, seat: Seat, seats: int) -> None:
        """A match begins: the agent forgets everything."""
        self._tell(self.agent.start_match, seat, seats)

    def start_hand(self, view: HoldemView) -> None:
        """A hand begins: tell an agent with memory. The view is that of the start, before anybody has acted."""
        self._heard = len(view.events())
        if self.agent.has_memory:
            self._tell(self.agent.start_deal, view)

    def hear(self, view: HoldemView) -> None:
        """Tell an agent with memory what has happened since."""
        events = view.events()
        if self.agent.has_memory:
            for event in events[self._heard :]:
                self._tell(self.agent.observe, event)
        self._heard = max(self._heard, len(events))

    def show(self, hands: Mapping[Seat, tuple[int, int]]) -> None:
        """Tell an agent with memory of hands that were shown after a story that was not heard to its end."""
        if self.agent.has_memory:
            for seat, cards in hands.items():
                self._tell(self.agent.observe, Event("show", seat, format_hand(cards)))

    def end_hand(self, points: Sequence[float]) -> None:
        """The hand is over: an agent with memory learns from it."""
        if self.agent.has_memory:
            self._tell(self.agent.end_deal, list(points))

    async def settle(self) -> None:
        """Wait until the agent has taken in everything it was told."""
        await asyncio.get_running_loop().run_in_executor(self._pool, lambda: None)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self.agent.close()

    def _tell(self, hear: Callable[..., None], *what: Any) -> None:
        self._pool.submit(hear, *what).add_done_callback(self._check)

    def _check(self, told: "Future[None]") -> None:
        if not told.cancelled() and (error := told.exception()) is not None:
            log.error("%s failed to take in what happened: %s", self.agent.spec, error)


REHEARSED_HANDS = 4
"""Hands of a rehearsal at each size of table."""


def rehearse(agent: Agent[Any], rules: str, seats: Sequence[int]) -> None:
    """Play some hands with an agent and forget them: all streets, bets, showdowns and what is learned from them.

    The other seats bet and call by chance, and the agent's own moves are not played but a call in their place, so that
    every hand comes to its last street.
    """
    for size in seats:
        chance = stream(0, "rehearsal", size)
        agent.start_match(0, size)
        for number in range(REHEARSED_HANDS):
            state = deal(number, rules, {"seats": size, "chips": 4000, "button": number % size})
            heard = len(state.events())
            agent.start_deal(state.view(0))
            while (seat := state.to_move) is not None:
                if seat == 0:
                    agent.decide(state.view(0))
                state.play(_rehearsed_move(state, chance, seat))
                for event in state.events()[heard:]:
                    if event.is_visible_to(0):
                        agent.observe(event)
                heard = len(state.events())
            agent.end_deal(state.points())
    agent.start_match(0, seats[-1])


def _rehearsed_move(state: HoldemState, chance: Rng, seat: Seat) -> Action:
    """Mostly check or call; other seats also bet, and fold to bets at larger tables."""
    legal = state.native.legal()
    if seat != 0 and legal.can_raise and chance.random() < 0.2:
        return raise_to(state.rule_set.to_chips(legal.min_to))
    if seat > 2 and legal.call and chance.random() < 0.5:
        return FOLD
    return state.stay()
