"""Tables: deals and matches played by agents, failures, memory, grouping of views."""

import sys
from collections.abc import Sequence

import pytest

from mingpai.arena.table import Side, Sitting, play_deal, play_match, play_sittings
from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Decision
from mingpai.core.errors import AgentFailed
from mingpai.core.game import View
from mingpai.records.record import Record
from mingpai.records.replay import replay
from tests.contract.toy import KUHN, LITTLE, REGISTRY, Cheat, FirstMove, Grudge


def side(spec: str, seed: int = 0, game: str = "little") -> Side:
    return Side(spec, lambda: REGISTRY.agent(game, spec, seed))


def sittings(deals: int, players: Sequence[int] = (0, 1, 1)) -> list[Sitting]:
    return [Sitting(players, LITTLE.deal(seed), seed=seed, tags={"deal": seed}) for seed in range(deals)]


def by_deal(done: Sequence[Sitting]) -> list[Record]:
    return [sitting.records[0] for sitting in sorted(done, key=lambda sitting: sitting.tags["deal"])]


@pytest.mark.parametrize("tables", [1, 2, 7, 100])
def test_the_number_of_tables_does_not_change_the_games(tables: int) -> None:
    done = list(play_sittings(sittings(20), [side("random", 1), side("random", 2)], tables))
    alone = [play_deal(LITTLE.deal(seed), [REGISTRY.agent("little", "random", s) for s in (1, 2, 2)], seed=seed)
             for seed in range(20)]  # fmt: skip
    assert [record.events for record in by_deal(done)] == [record.events for record in alone]
    for record in by_deal(done):
        replay(record, LITTLE)


class Counting(FirstMove):
    """Counts its calls and the views they brought."""

    calls = 0
    views = 0

    def decide_many(self, views: Sequence[View]) -> list[Decision]:
        Counting.calls += 1
        Counting.views += len(views)
        return super().decide_many(views)


def test_one_call_serves_all_tables_of_an_agent() -> None:
    Counting.calls = Counting.views = 0
    counting = Side("counting", lambda: Counting(NoSettings(), game="little", spec="counting"))
    done = list(play_sittings(sittings(50, (0, 0, 0)), [counting], tables=50))
    assert sum(sum(sitting.decisions) for sitting in done) >= Counting.views > 10 * Counting.calls


class FailsOn(Agent[NoSettings]):
    """Fails when it holds a pair of fives, in any batch."""

    def decide(self, view: View) -> Decision:
        if "55" in view.to_json()["hand"]:
            raise AgentFailed(self.spec, "afraid of fives")
        return Decision(view.legal_moves()[0], agent=self.spec)


def test_a_failing_agent_voids_its_own_table_and_the_record_says_why() -> None:
    fails = Side("fails", lambda: FailsOn(NoSettings(), game="little", spec="fails"))
    done = by_deal(list(play_sittings(sittings(60), [fails, side("first")])))
    void = [record for record in done if record.void]
    assert 0 < len(void) < 60
    for record in void:
        assert record.void == "agent fails failed: afraid of fives"
        assert record.points is None
        replay(record, LITTLE)


def test_an_illegal_answer_voids_the_game() -> None:
    cheats = [Cheat(NoSettings(), game="kuhn", spec="cheat") for _ in range(2)]
    record = play_deal(KUHN.deal(1), cheats)
    assert record.void is not None
    assert record.void.startswith("agent cheat failed: fold is illegal here")


def test_a_program_that_ends_voids_the_game() -> None:
    program = REGISTRY.agent("kuhn", f"exec:{sys.executable} -c pass")
    record = play_deal(KUHN.deal(1), [program, REGISTRY.agent("kuhn", "first")])
    assert record.void is not None
    assert "failed" in record.void
    program.close()


def test_a_fault_of_the_program_is_not_hidden() -> None:
    class Broken(FirstMove):
        def decide(self, view: View) -> Decision:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play_deal(KUHN.deal(1), [Broken(NoSettings(), game="kuhn", spec="broken") for _ in range(2)])


def test_agents_with_memory_hear_every_visible_event_and_have_a_table_of_their_own() -> None:
    made: list[Grudge] = []

    def make() -> Grudge:
        made.append(Grudge(NoSettings(), game="little", spec="grudge"))
        return made[-1]

    done = list(play_sittings(sittings(10, (0, 1, 0)), [Side("grudge", make), side("random")], tables=3))
    assert len(done) == 10
    assert len(made) == 6, "two seats at each of three tables"


def test_memory_lasts_for_a_match_and_no_longer() -> None:
    grudge = Grudge(NoSettings(), game="kuhn", spec="grudge")
    other = REGISTRY.agent("kuhn", "last")
    records = play_match(KUHN.match(3, settings={"deals": 6}), [grudge, other], seed=3)
    assert [record.tags["number"] for record in records] == list(range(6))
    lost = sum(record.points is not None and record.points[0] < 0 for record in records)
    assert grudge.memory()["lost"] == lost > 0
    record = play_deal(KUHN.deal(5), [grudge, other])
    assert record.points is not None
    assert grudge.memory()["lost"] == (record.points[0] < 0)
