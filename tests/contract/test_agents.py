"""The contract that every agent keeps. An agent is tested as soon as the catalogue names it."""

import dataclasses
import json
import time

import pytest

from mingpai.arena.table import play_deal
from mingpai.core.agent import Agent
from mingpai.core.decision import VALUE_UNITS, Decision
from mingpai.core.random import stream
from mingpai.core.registry import Entry
from mingpai.records.replay import replay
from tests.contract.games import agent_of, entries, game_of, prepared, registry_of, views
from tests.scale import count

AGENTS = pytest.mark.parametrize(
    ("name", "entry"), [pytest.param(name, entry, id=f"{name}-{entry.name}") for name, entry in entries()]
)

VIEWS = count(fast=12, ci=60, verify=150)


def assert_same(one: object, other: object) -> None:
    """Equal but for time and work, which a cache may save, and the last digits of numbers."""
    if isinstance(one, Decision) and isinstance(other, Decision):
        effort = {"seconds": 0, "work": None, "stages": None}
        assert_same(one.to_json() | effort, other.to_json() | effort)
    elif isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            assert_same(left, right)
    elif isinstance(one, float) and isinstance(other, float):
        assert one == pytest.approx(other, rel=1e-6, abs=1e-9)
    else:
        assert one == other


@AGENTS
def test_it_plays_whole_deals_legally(name: str, entry: Entry) -> None:
    game = game_of(name)
    for seed in range(count(fast=1, ci=5, verify=10)):
        state = game.deal(seed, entry.load().rules)
        agents = [agent_of(name, entry, seat, by_time=True) for seat in range(state.seats)]
        record = play_deal(state, agents, seed=seed)
        assert record.void is None
        replay(record, game)


@AGENTS
def test_its_decisions_are_legal_and_say_what_they_should(name: str, entry: Entry) -> None:
    agent = agent_of(name, entry)
    for view in views(name, VIEWS, rules=entry.load().rules):
        decision = prepared(agent, view).decide(view)
        legal = {str(move) for move in view.legal_moves()}
        if str(decision.move) not in legal:
            (world,) = view.sample_worlds(stream(0, "check"), 1)
            world.verify(decision.move)
        assert decision.agent == agent.spec
        assert decision.value_unit in VALUE_UNITS
        assert decision.seconds >= 0
        assert (decision.seed is None) or decision.seed == agent.seed
        json.loads(decision.dumps())
        for reason in decision.reasons:
            assert reason.render("en")
            assert reason.render("zh")
        probabilities = [c.probability for c in decision.candidates if c.probability is not None]
        assert all(-1e-9 <= p <= 1 + 1e-6 for p in probabilities)
        assert sum(probabilities) <= 1 + 1e-5


@AGENTS
def test_the_same_seed_and_view_give_the_same_decision(name: str, entry: Entry) -> None:
    one, two = agent_of(name, entry, 3), agent_of(name, entry, 3)
    some = views(name, VIEWS // 2, seed=1, rules=entry.load().rules)
    for view in some:
        prepared(two, view).decide(view)
    for view in reversed(some):
        assert_same(prepared(one, view).decide(view), prepared(two, view).decide(view))


@AGENTS
def test_a_new_seed_is_as_good_as_a_new_agent(name: str, entry: Entry) -> None:
    """Agents are expensive to make: lines of the line protocol bring seeds of their own."""
    changed, made = agent_of(name, entry, 3), agent_of(name, entry, 4)
    for view in views(name, VIEWS // 4, seed=1, rules=entry.load().rules):
        changed.reseed(3)
        prepared(changed, view).decide(view)
        changed.reseed(4)
        assert_same(prepared(changed, view).decide(view), prepared(made, view).decide(view))


@AGENTS
def test_decide_many_equals_decide(name: str, entry: Entry) -> None:
    agent = agent_of(name, entry, 1)
    some = views(name, VIEWS // 2, seed=2, rules=entry.load().rules)
    if agent.has_memory:
        some = some[:1]
        prepared(agent, some[0])
    many = agent.decide_many(some)
    assert len(many) == len(some)
    for view, decision in zip(some, many, strict=True):
        alone = agent.decide(view)
        assert str(alone.move) == str(decision.move)
    assert agent.decide_many([]) == []


OVERHEAD = 0.15
"""Seconds that a decision may take beyond its budget, on a busy machine."""


@AGENTS
def test_it_keeps_to_its_budget(name: str, entry: Entry) -> None:
    fields = {field.name for field in dataclasses.fields(entry.load().Settings)}
    limit = 0.02 if "seconds" in fields else 1.0
    agent = agent_of(name, entry, by_time=True)
    some = views(name, 6, seed=3, rules=entry.load().rules)
    prepared(agent, some[0]).decide(some[0])
    late = 0
    for view in some:
        prepared(agent, view)
        start = time.perf_counter()
        agent.decide(view)
        late += time.perf_counter() - start > limit + OVERHEAD
    assert late <= 1


@AGENTS
def test_memory_is_declared_kept_and_cleared(name: str, entry: Entry) -> None:
    kind = entry.load()
    hooks = ("start_deal", "observe", "end_deal", "memory", "recall", "start_match")
    overridden = [hook for hook in hooks if getattr(kind, hook) is not getattr(Agent, hook)]
    assert kind.has_memory or not overridden, f"{overridden} are only called for agents with has_memory"
    if not kind.has_memory:
        return
    game = game_of(name)
    seats = game.deal(0).seats
    agents = [agent_of(name, entry, seat) for seat in range(seats)]
    fresh = agent_of(name, entry, 0)
    fresh.start_match(0, seats)
    play_deal(game.deal(4, kind.rules), agents)
    stored = json.loads(json.dumps(agents[0].memory()))
    other = agent_of(name, entry, 0)
    other.recall(stored)
    assert other.memory() == agents[0].memory()
    other.start_match(0, seats)
    assert other.memory() == fresh.memory()


@AGENTS
def test_presets_and_settings_make_an_agent(name: str, entry: Entry) -> None:
    kind = entry.load()
    assert dataclasses.is_dataclass(kind.Settings)
    assert entry.summary
    for preset in kind.presets:
        registry_of(name).agent(name, f"{entry.name}:preset={preset}").close()
