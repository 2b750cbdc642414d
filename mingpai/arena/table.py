"""Tables: the arena asks the agents and moves the cards. Many play at once; one call serves all tables of an agent."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from mingpai.core.agent import Agent
from mingpai.core.decision import Decision
from mingpai.core.errors import AgentFailed, BadlyWritten, IllegalHere
from mingpai.core.game import Match, Seat, State, View
from mingpai.records.record import Record, record_of

AnyAgent = Agent[Any]


@dataclass
class Sitting:
    """What is to be played at one table: a deal, or a whole match, and who sits where."""

    players: Sequence[int]
    """Side of each seat: which of the arena's agents plays there."""
    state: State
    """The deal to play, or the first deal of the match."""
    match: Match | None = None
    """The match, when more than one deal is played."""
    seed: int | None = None
    """The seed of the deal or match, for the record."""
    tags: Mapping[str, Any] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)
    """Filled by the arena: one record per deal."""
    decisions: list[int] = field(default_factory=list)
    """Filled by the arena: decisions made at each seat."""
    seconds: list[float] = field(default_factory=list)
    """Filled by the arena: time spent deciding at each seat."""

    def __post_init__(self) -> None:
        self.decisions = [0] * self.state.seats
        self.seconds = [0.0] * self.state.seats

    @property
    def void(self) -> str | None:
        """Why the sitting does not count."""
        return self.records[-1].void if self.records else None


class Side:
    """One competitor: makes the agents that play for it. Without memory one agent serves every table."""

    def __init__(self, spec: str, make: Callable[[], AnyAgent]) -> None:
        self.spec = spec
        self._make = make
        self._all: list[AnyAgent] = [make()]
        self._idle: list[AnyAgent] = list(self._all)
        self.has_memory = self._all[0].has_memory

    def seat(self) -> AnyAgent:
        """An agent for one seat of one table, until it is given back."""
        if not self.has_memory:
            return self._all[0]
        if not self._idle:
            self._all.append(self._make())
            self._idle.append(self._all[-1])
        return self._idle.pop()

    def give_back(self, agent: AnyAgent) -> None:
        if self.has_memory:
            self._idle.append(agent)

    def close(self) -> None:
        for agent in self._all:
            agent.close()


class _OpenSitting:
    """A sitting in progress. Agents with memory hear every event; the others only see views."""

    def __init__(self, sitting: Sitting, sides: Sequence[Side]) -> None:
        self.sitting = sitting
        self.state = sitting.state
        self.sides = [sides[index] for index in sitting.players]
        self.agents = [side.seat() for side in self.sides]
        self._listeners = [(seat, agent) for seat, agent in enumerate(self.agents) if agent.has_memory]
        for seat, agent in self._listeners:
            agent.start_match(seat, self.state.seats)
        self._start_deal()

    def _start_deal(self) -> None:
        self._heard = 0
        if self._listeners:
            self._heard = len(self.state.events())
            for seat, agent in self._listeners:
                agent.start_deal(self.state.view(seat))

    def play(self, seat: Seat, decision: Decision) -> None:
        self.state.play(decision.move)
        self.sitting.decisions[seat] += 1
        self.sitting.seconds[seat] += decision.seconds
        if self._listeners:
            events = self.state.events()
            for event in events[self._heard :]:
                for seat, agent in self._listeners:
                    if event.is_visible_to(seat):
                        agent.observe(event)
            self._heard = len(events)

    def go_on(self) -> bool:
        """After a move: record a finished deal and start the next one. False when the sitting is over."""
        if self.state.to_move is not None:
            return True
        self._record(None)
        points = self.state.points()
        for _, agent in self._listeners:
            agent.end_deal(points)
        match = self.sitting.match
        if match is not None:
            match.finish(self.state)
            if not match.is_over:
                self.state = match.next_deal()
                self._start_deal()
                return self.go_on()
        self._leave()
        return False

    def void(self, why: str) -> None:
        self._record(why)
        self._leave()

    def _record(self, void: str | None) -> None:
        sitting = self.sitting
        tags = sitting.tags if sitting.match is None else {**sitting.tags, "number": len(sitting.records)}
        specs = [side.spec for side in self.sides]
        sitting.records.append(record_of(self.state, specs, seed=sitting.seed, void=void, tags=tags))

    def _leave(self) -> None:
        for side, agent in zip(self.sides, self.agents, strict=True):
            side.give_back(agent)


def play_sittings(sittings: Iterable[Sitting], sides: Sequence[Side], tables: int = 64) -> Iterator[Sitting]:
    """Plays sittings, up to `tables` at once, and yields each when it is over, in the order they end.

    An agent that fails voids its own table only. Errors that are not an agent's failure are faults of the program and
    are raised.
    """
    waiting = iter(sittings)
    playing: list[_OpenSitting] = []
    while True:
        for sitting in islice(waiting, tables - len(playing)):
            table = _OpenSitting(sitting, sides)
            if table.go_on():
                playing.append(table)
            else:
                yield sitting
        if not playing:
            return
        still = []
        for table, answer in _ask(playing):
            if _answered(table, answer) and table.go_on():
                still.append(table)
            else:
                yield table.sitting
        playing = still


def _ask(playing: Sequence[_OpenSitting]) -> Iterator[tuple[_OpenSitting, Decision | AgentFailed]]:
    """One decision, or failure, for each table: agents are asked once for all their tables."""
    groups: dict[int, list[_OpenSitting]] = defaultdict(list)
    views: dict[int, list[View]] = defaultdict(list)
    agents: dict[int, AnyAgent] = {}
    for table in playing:
        seat = table.state.to_move
        assert seat is not None
        agent = table.agents[seat]
        name = id(agent)
        agents[name] = agent
        groups[name].append(table)
        views[name].append(table.state.view(seat))
    for name, agent in agents.items():
        yield from zip(groups[name], _decide(agent, views[name]), strict=True)


def _decide(agent: AnyAgent, views: Sequence[View]) -> Sequence[Decision | AgentFailed]:
    """The agent's answers; when it fails on a batch, each view is asked alone, to void only the tables it fails at."""
    if len(views) > 1:
        try:
            return agent.decide_many(views)
        except AgentFailed:
            pass
    return [_decide_one(agent, view) for view in views]


def _decide_one(agent: AnyAgent, view: View) -> Decision | AgentFailed:
    try:
        return agent.decide(view)
    except AgentFailed as error:
        return error


def _answered(table: _OpenSitting, answer: Decision | AgentFailed) -> bool:
    """Plays the answer. False when the table is void: by failure, or by a move that is not legal."""
    if isinstance(answer, AgentFailed):
        table.void(str(answer))
        return False
    seat = table.state.to_move
    assert seat is not None
    try:
        table.play(seat, answer)
    except (IllegalHere, BadlyWritten) as error:
        table.void(str(AgentFailed(table.sides[seat].spec, str(error))))
        return False
    return True


def play_deal(state: State, agents: Sequence[AnyAgent], *, seed: int | None = None) -> Record:
    """Plays one deal to its end, from where it stands. Void, with the reason, if an agent fails."""
    sides = [Side(agent.spec, _given(agent)) for agent in agents]
    sitting = Sitting(players=range(len(agents)), state=state, seed=seed)
    (done,) = play_sittings([sitting], sides)
    return done.records[0]


def play_match(match: Match, agents: Sequence[AnyAgent], *, seed: int | None = None) -> list[Record]:
    """Plays a whole match. The last record is void, with the reason, if an agent fails."""
    sides = [Side(agent.spec, _given(agent)) for agent in agents]
    sitting = Sitting(players=range(len(agents)), state=match.next_deal(), match=match, seed=seed)
    (done,) = play_sittings([sitting], sides)
    return done.records


def _given(agent: AnyAgent) -> Callable[[], AnyAgent]:
    return lambda: agent
