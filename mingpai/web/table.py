"""A table in the app: a person at one seat, agents at the others, a deal or a whole match. No drawing here."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent
from mingpai.core.decision import Decision
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.game import Match, View, serialise
from mingpai.core.random import seed_of
from mingpai.records.record import Record, record_of
from mingpai.web.limits import hire

PERSON = "person"
"""The player name of the person in records."""


@dataclass(frozen=True)
class Order:
    """What somebody asked to play."""

    game: str
    rules: str = ""
    seat: int = 0
    """The person's seat."""
    agents: Sequence[str] = ("random",)
    """Specs for the other seats, in seat order; the last one repeats."""
    seed: int = 0
    whole_match: bool = False
    """Play deal after deal until the match is over, instead of one deal."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Setup of the deal, or settings of the match."""
    open_cards: bool = False
    """All hands are shown: marked in the record."""

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self) | {"agents": list(self.agents), "settings": dict(self.settings)}


class Table:
    """One sitting: what is on the table, who sits there, and what has been taken back."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.game = REGISTRY.game(order.game)
        self.match: Match | None = None
        if order.whole_match:
            self.match = self.game.match(order.seed, order.rules, order.settings)
            self.state = self.match.next_deal()
        else:
            self.state = self.game.deal(order.seed, order.rules, order.settings)
        if not 0 <= order.seat < self.state.seats:
            raise MingpaiError(f"seat {order.seat}: this table has seats 0 to {self.state.seats - 1}")
        self.undone = 0
        """Moves taken back in this deal."""
        self.deals_played = 0
        self._agents = self._hire()
        self._heard = 0
        self._begin_deal()

    @property
    def seat(self) -> int:
        return self.order.seat

    @property
    def view(self) -> View:
        """What the person sees."""
        return self.state.view(self.seat)

    @property
    def is_mine(self) -> bool:
        """Whether the person is to move."""
        return self.state.to_move == self.seat

    def players(self) -> list[str]:
        """Who sits at each seat."""
        return [PERSON if seat == self.seat else self._agents[seat].spec for seat in range(self.state.seats)]

    def play(self, text: str) -> None:
        """The person's move, in notation. Raises BadlyWritten, IllegalHere or Ambiguous."""
        if not self.is_mine:
            raise MingpaiError("it is not your turn")
        self.state.play(self.game.parse_move(text, self.state))
        self._tell()

    def agent_decision(self) -> Decision:
        """What the agent to move decides; `agent_plays` makes the move."""
        turn = self.state.to_move
        assert turn is not None
        assert turn != self.seat
        return self._agents[turn].decide(self.state.view(turn))

    def agent_plays(self, decision: Decision) -> None:
        self.state.play(decision.move)
        self._tell()

    def hint(self, spec: str) -> Decision:
        """What an agent would play in the person's place."""
        if not self.is_mine:
            raise MingpaiError("it is not your turn")
        return hire(self.order.game, spec, self.order.seed).decide(self.view)

    def undo(self) -> None:
        """Back to the person's last decision. For practice: the record says how many moves were taken back."""
        if not any(seat == self.seat for seat, _ in self.state.moves()):
            raise MingpaiError("there is nothing to take back")
        while self.state.undo() is not None:
            self.undone += 1
            if self.is_mine:
                break
        self._agents = self._hire()
        self._heard = 0
        self._begin_deal()

    def record(self) -> Record:
        """The record of the finished deal."""
        tags: dict[str, Any] = {"source": "app", "number": self.deals_played}
        if self.order.open_cards:
            tags["open_cards"] = True
        if self.undone:
            tags["undone"] = self.undone
        return record_of(self.state, self.players(), seed=self.order.seed, tags=tags)

    def next_deal(self) -> bool:
        """After a finished deal: the next one of the match, or a fresh deal. False when the match is over."""
        assert self.state.is_over
        for agent in self._agents.values():
            agent.end_deal(self.state.points())
        self.deals_played += 1
        self.undone = 0
        if self.match is not None:
            self.match.finish(self.state)
            if self.match.is_over:
                return False
            self.state = self.match.next_deal()
        else:
            seed = seed_of(self.order.seed, self.deals_played)
            self.state = self.game.deal(seed, self.order.rules, self.order.settings)
        self._heard = 0
        self._begin_deal()
        return True

    def to_json(self) -> dict[str, Any]:
        """Everything needed to go on after an interruption."""
        return {"order": self.order.to_json(), "match": None if self.match is None else self.match.to_json(),
                "deal": serialise(self.state), "undone": self.undone, "deals_played": self.deals_played,
                "memory": {str(seat): agent.memory() for seat, agent in self._agents.items()}}  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Table":
        """The table that `to_json` wrote."""
        try:
            table = cls(Order(**data["order"]))
            if data["match"] is not None:
                table.match = table.game.match_from_json(data["match"])
            table.state = table.game.restore(data["deal"])
            table.undone = int(data["undone"])
            table.deals_played = int(data["deals_played"])
            memory = data["memory"]
        except (KeyError, TypeError, ValueError) as error:
            raise BadlyWritten("a saved table", f"what the app saved ({error})") from None
        table._agents = table._hire()
        for seat, agent in table._agents.items():
            agent.recall(memory.get(str(seat), {}))
        table._heard = 0
        table._begin_deal()
        return table

    def _hire(self) -> dict[int, Agent[Any]]:
        specs = list(self.order.agents) or ["random"]
        others = [seat for seat in range(self.state.seats) if seat != self.seat]
        made = {seat: hire(self.order.game, specs[min(i, len(specs) - 1)], seed_of(self.order.seed, seat))
                for i, seat in enumerate(others)}  # fmt: skip
        for seat, agent in made.items():
            agent.start_match(seat, self.state.seats)
        return made

    def _begin_deal(self) -> None:
        for seat, agent in self._agents.items():
            agent.start_deal(self.state.view(seat))
        self._tell()

    def _tell(self) -> None:
        events = self.state.events()
        for event in events[self._heard :]:
            for seat, agent in self._agents.items():
                if event.is_visible_to(seat):
                    agent.observe(event)
        self._heard = len(events)
