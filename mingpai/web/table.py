"""A table in the app: a person at one seat, agents at the others, a deal or a whole match. No drawing here."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent
from mingpai.core.decision import Decision
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.game import Match, View, serialise
from mingpai.core.random import seed_of
from mingpai.core.reading import read_whole
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.records.record import Record, record_of
from mingpai.records.replay import replay
from mingpai.web.limits import check, hire

HELPS = ("hints", "autopilot", "again")
"""Tags of a deal in which the person had help, or knew the cards."""
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
    helper: str = ""
    """Spec of the agent that gives hints; it watches the whole match from the person's seat. Empty: none."""
    bidder: str = ""
    """Spec of the agent that bids for the others, whose programs only count high cards. Empty: each bids itself."""

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
        self.saved_key = ""
        """Key of the record of the finished deal; empty until it is saved."""
        self.tags: dict[str, Any] = {}
        """What else the record is to say, for example which game is being tried again."""
        self.memory: dict[str, Any] = {}
        """What the agent of each seat remembered when this deal began; the helper's is at the person's seat."""
        self.was_fair = True
        """No help in the deals before this one of a match."""
        self.specs = self._check()

    @property
    def can_go_on(self) -> bool:
        """Whether there is more to play: this deal, or another one after it."""
        if not self.state.is_over or not self.saved_key:
            return True
        return "daily" not in self.tags if self.match is None else not self.match.is_over

    @property
    def is_fair(self) -> bool:
        """Whether the person has played alone so far: closed cards, no hint, no helper, nothing taken back."""
        helped = self.undone or self.order.open_cards or not self.was_fair
        return not helped and not any(name in self.tags for name in HELPS)

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
        return [PERSON if seat == self.seat else self.specs[seat] for seat in range(self.state.seats)]

    def play(self, text: str) -> None:
        """The person's move, in notation. Raises BadlyWritten, IllegalHere or Ambiguous."""
        if not self.is_mine:
            raise MingpaiError("it is not your turn")
        self.state.play(self.game.parse_move(text, self.state))

    def agent_decision(self) -> Decision:
        """What the agent to move decides; `agent_plays` makes the move."""
        turn = self.state.to_move
        assert turn is not None
        assert turn != self.seat
        if self.order.bidder and isinstance(self.state, DoudizhuState) and self.state.landlord is None:
            return hire(self.order.game, self.order.bidder).decide(self.state.view(turn))
        return self._agent(turn).decide(self.state.view(turn))

    def agent_plays(self, decision: Decision) -> None:
        self.state.play(decision.move)

    def hint(self) -> Decision:
        """What the helper, who has watched the match from here, would play in the person's place."""
        if not self.is_mine:
            raise MingpaiError("it is not your turn")
        return self._agent(self.seat).decide(self.view)

    def undo(self) -> None:
        """Back to the person's last decision. For practice: the record says how many moves were taken back."""
        if not any(seat == self.seat for seat, _ in self.state.moves()):
            raise MingpaiError("there is nothing to take back")
        while self.state.undo() is not None:
            self.undone += 1
            if self.is_mine:
                break

    def record(self) -> Record:
        """The record of the finished deal."""
        tags: dict[str, Any] = {"source": "app", "number": self.deals_played, **self.tags}
        if self.order.open_cards:
            tags["open_cards"] = True
        if self.undone:
            tags["undone"] = self.undone
        if self.order.bidder:
            tags["bidder"] = self.order.bidder
        return record_of(self.state, self.players(), seed=self.order.seed, tags=tags)

    def close_deal(self, keep: Callable[[Record], None]) -> None:
        """The deal is over: save its record and score it, once."""
        assert self.state.is_over
        if self.saved_key:
            return
        record = self.record()
        keep(record)
        self.saved_key = record.key
        if self.match is not None:
            self.match.finish(self.state)

    def remembered(self) -> dict[str, Any]:
        """What the agents remember once the deal that is over has ended for them."""
        kept = {}
        for seat in self.specs:
            agent = self._agent(seat)
            if agent.has_memory:
                agent.end_deal(self.state.points())
                kept[str(seat)] = agent.memory()
        return kept

    def next_deal(self, memory: Mapping[str, Any] | None = None) -> bool:
        """After a finished deal that was saved: the next one of the match, or a fresh deal. False when all is over.

        `memory` is what `remembered` gave, where it was asked for somewhere else.
        """
        assert self.saved_key
        if not self.can_go_on:
            return False
        self.memory = dict(self.remembered() if memory is None else memory)
        self.was_fair = self.match is None or self.is_fair
        self.deals_played += 1
        self.undone = 0
        self.saved_key = ""
        self.tags = {}
        if self.match is not None:
            self.state = self.match.next_deal()
        else:
            seed = seed_of(self.order.seed, self.deals_played)
            self.state = self.game.deal(seed, self.order.rules, self.order.settings)
        return True

    def to_json(self) -> dict[str, Any]:
        """Everything needed to go on after an interruption."""
        return {"order": self.order.to_json(), "match": None if self.match is None else self.match.to_json(),
                "deal": serialise(self.state), "undone": self.undone, "deals_played": self.deals_played,
                "saved": self.saved_key, "tags": self.tags, "memory": self.memory,
                "was_fair": self.was_fair}  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Table":
        """The table that `to_json` wrote."""
        try:
            order = Order(**data["order"])
            order = dataclasses.replace(order, seat=read_whole(order.seat, "seat"))
            table = cls._of_deal(order, data["deal"], dict(data["tags"]), data["memory"])
            if data["match"] is not None:
                table.match = table.game.match_from_json(data["match"])
            table.undone = int(data["undone"])
            table.deals_played = int(data["deals_played"])
            table.saved_key = str(data["saved"])
            table.was_fair = bool(data.get("was_fair", False))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadlyWritten("a saved table", f"what the app saved ({error})") from None
        return table

    @classmethod
    def from_record(cls, record: Record, frame: int, seat: int, agent: str) -> "Table":
        """A recorded deal, played again by a person from its move number `frame` on."""
        state = replay(record, REGISTRY.game(record.game))
        moves = [[who, str(move)] for who, move in state.moves()][:frame]
        order = Order(
            record.game, record.rules, seat, (agent,), record.seed or 0, settings=dict(record.setup), helper=agent
        )
        deal = {"deck": record.deck, "rules": record.rules, "setup": dict(record.setup), "moves": moves}
        return cls._of_deal(order, deal, {"again": record.key, "from_move": frame}, {})

    @classmethod
    def _of_deal(
        cls, order: Order, deal: Mapping[str, Any], tags: dict[str, Any], memory: Mapping[str, Any]
    ) -> "Table":
        table = cls.__new__(cls)
        table.order, table.match = order, None
        table.game = REGISTRY.game(order.game)
        table.state = table.game.restore(deal)
        if order.seat not in range(table.state.seats):
            raise BadlyWritten(order.seat, f"a seat from 0 to {table.state.seats - 1}")
        table.undone = table.deals_played = 0
        table.saved_key, table.tags, table.memory = "", tags, dict(memory)
        table.was_fair = True
        table.specs = table._check()
        return table

    def _check(self) -> dict[int, str]:
        """The spec of every seat's agent, the helper's at the person's. Raises BadSetting unless all may play here."""
        specs = list(self.order.agents) or ["random"]
        others = [seat for seat in range(self.state.seats) if seat != self.seat]
        asked = {seat: specs[min(i, len(specs) - 1)] for i, seat in enumerate(others)}
        if self.order.helper:
            asked[self.seat] = self.order.helper
        bidder = [self.order.bidder] if self.order.bidder else []
        for spec in dict.fromkeys([*asked.values(), *bidder]):
            check(self.order.game, spec)
        return asked

    def _agent(self, seat: int) -> Agent[Any]:
        """The agent of a seat, with all that it has seen of the match and of this deal."""
        agent = hire(self.order.game, self.specs[seat], seed_of(self.order.seed, seat))
        agent.start_match(seat, self.state.seats)
        if str(seat) in self.memory:
            agent.recall(self.memory[str(seat)])
        start = self.state.copy()
        while start.moves():
            start.undo()
        agent.start_deal(start.view(seat))
        for event in self.state.events()[len(start.events()) :]:
            if event.is_visible_to(seat):
                agent.observe(event)
        return agent
