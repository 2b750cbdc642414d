"""Matches: the same results for any processes and chunks, resuming, merging, early stop, known values."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mingpai.arena.engines import make_engine
from mingpai.arena.match import MatchRun, Stop, merge, play_plan
from mingpai.arena.plan import Plan, duel, rotated, table_of
from mingpai.arena.result import DealResult, Play
from mingpai.arena.statistics import fixed_mean
from mingpai.arena.summary import summarise
from mingpai.core.errors import BadSetting, MingpaiError, NotInstalled
from mingpai.records.jsonl import read_records
from mingpai.records.replay import replay
from tests.contract.toy import KUHN, LITTLE
from tests.scale import count

TOYS = "tests.contract.toy:REGISTRY"
LITTLE_PLAN = duel(LITTLE, "random", "last", seed=5, registry=TOYS)


def exact(run: MatchRun) -> list[DealResult]:
    """The results without the time they took."""
    return [DealResult(result.number, result.plays, (), result.decisions) for result in run.results]


def test_results_do_not_depend_on_processes_or_chunks() -> None:
    runs = [play_plan(LITTLE_PLAN, 40, jobs=jobs, chunk=chunk) for jobs, chunk in ((1, 0), (1, 1), (1, 40), (2, 7))]
    assert all(exact(run) == exact(runs[0]) for run in runs)
    assert [result.number for result in runs[0].results] == list(range(40))


def test_every_deal_is_played_both_ways_on_the_same_cards(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    play_plan(LITTLE_PLAN, 10, records=path)
    records = list(read_records(path))
    assert len(records) == 20
    for one, other in zip(records[::2], records[1::2], strict=True):
        assert one.deck == other.deck
        assert one.players == ("random", "last", "last")
        assert other.players == ("last", "random", "random")
        assert one.tags["deal"] == other.tags["deal"]
        replay(one, LITTLE)


def test_an_agent_against_itself_without_chance_is_exactly_even() -> None:
    summary = play_plan(duel(LITTLE, "first", "first", registry=TOYS), 50).summary()
    assert summary.difference is not None
    assert summary.difference.win_rate.mean == summary.difference.points.mean == 0
    assert summary.sides[0].roles.keys() == {"landlord", "down+up"}
    a, b = summary.sides
    assert a.roles["landlord"].win_rate.mean == 1 - b.roles["down+up"].win_rate.mean
    assert a.roles["landlord"].points.mean == -b.roles["down+up"].points.mean


def test_kuhn_poker_has_its_value() -> None:
    """The first seat loses 1/18 a hand. Each seed draws one pure strategy from the mixture: many seeds are needed."""
    means = []
    for seed in range(count(fast=80, ci=400, verify=1000)):
        plan = Plan("kuhn", ("equilibrium", "equilibrium"), ("a", "b"), ((0, 1),), seed, registry=TOYS)
        means.append(play_plan(plan, 60).summary().sides[0].roles["first"].points.mean)
    value = fixed_mean(means)
    assert value.low < -1 / 18 < value.high
    assert value.high - value.low < 0.12


def test_three_agents_rotate_through_all_seats_or_stay() -> None:
    plan = table_of(LITTLE, ["random", "first", "random"], registry=TOYS)
    assert plan.names == ("random#1", "first", "random#2")
    assert len(plan.seatings) == 6
    summary = play_plan(plan, 5).summary()
    assert summary.difference is None
    assert all(side.roles.keys() == {"landlord", "down", "up"} for side in summary.sides)
    stay = play_plan(table_of(LITTLE, ["random", "first", "last"], rotate=False, registry=TOYS), 20).summary()
    landlord, down, up = stay.sides
    assert list(landlord.roles) == ["landlord"]
    assert down.total.win_rate.mean == up.total.win_rate.mean == 1 - landlord.total.win_rate.mean


def test_seats_of_one_side_that_became_opponents_are_parts_of_their_own() -> None:
    """As after bidding: the second side holds the landlord and one farmer."""
    plan = Plan("little", ("first", "last"), ("a", "b"), ((1, 0, 1),), registry=TOYS)
    landlord_won = Play(("landlord", "down", "up"), (2.0, -1.0, -1.0), (0,), 9)
    nobody_won = Play(("0", "1", "2"), (0.0, 0.0, 0.0), (), 3)
    summary = summarise(plan, [DealResult(0, (landlord_won,)), DealResult(1, (nobody_won,))])
    a, b = summary.sides
    assert {role: (s.win_rate.mean, s.points.mean) for role, s in b.roles.items()} == {
        "landlord": (1.0, 2.0), "up": (0.0, -1.0), "no winner": (0.5, 0.0),
    }  # fmt: skip
    assert a.roles.keys() == {"down", "no winner"}
    assert (a.total.win_rate.mean, b.total.win_rate.mean) == (0.25, 0.5)


def test_rotation_gives_every_side_every_seat() -> None:
    assert rotated(LITTLE_PLAN).seatings == ((0, 1, 1), (1, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1), (0, 1, 0))


def test_whole_matches_are_played_in_every_seating(tmp_path: Path) -> None:
    plan = duel(KUHN, "random", "last", unit="match", setup={"deals": 9}, registry=TOYS)
    path = tmp_path / "games.jsonl"
    results = play_plan(plan, 10, records=path).results
    records = iter(list(read_records(path)))
    for play in (play for result in results for play in result.plays):
        assert play.deals == 9
        deals = [next(records).points or () for _ in range(9)]
        assert play.points == tuple(map(sum, zip(*deals, strict=True)))
        assert set(play.winners) == {seat for seat in (0, 1) if play.points[seat] == max(play.points)}
    assert next(records, None) is None


def test_an_agent_with_memory_plays_matches_the_same_in_any_chunks() -> None:
    plan = duel(KUHN, "grudge", "random", unit="match", setup={"deals": 5}, registry=TOYS)
    assert exact(play_plan(plan, 12, chunk=1)) == exact(play_plan(plan, 12, chunk=12))


def test_void_deals_are_counted_with_the_reason_and_left_out() -> None:
    plan = duel(KUHN, f"exec:{sys.executable} -c pass", "first", registry=TOYS)
    summary = play_plan(plan, 3).summary()
    assert summary.deals == 0
    assert sum(summary.voids.values()) == 3
    assert "failed" in next(iter(summary.voids))


def test_a_stopped_run_goes_on_and_ends_as_if_it_never_stopped(tmp_path: Path) -> None:
    whole = play_plan(LITTLE_PLAN, 30)
    folder = tmp_path / "run"
    play_plan(LITTLE_PLAN, 11, folder=folder, chunk=4)
    (folder / "chunks" / "00000004-00000007.jsonl").unlink()
    with pytest.raises(MingpaiError, match="--resume"):
        play_plan(LITTLE_PLAN, 30, folder=folder)
    assert exact(play_plan(LITTLE_PLAN, 30, folder=folder, resume=True, chunk=5)) == exact(whole)
    assert exact(play_plan(LITTLE_PLAN, 30, folder=folder, resume=True)) == exact(whole)
    with pytest.raises(MingpaiError, match="another match"):
        play_plan(duel(LITTLE, "random", "first", registry=TOYS), 30, folder=folder, resume=True)


def test_parts_played_apart_can_be_merged(tmp_path: Path) -> None:
    whole = play_plan(LITTLE_PLAN, 20)
    play_plan(LITTLE_PLAN, 8, folder=tmp_path / "one")
    play_plan(LITTLE_PLAN, 12, first=8, folder=tmp_path / "two")
    assert exact(merge([tmp_path / "two", tmp_path / "one"])) == exact(whole)
    play_plan(duel(LITTLE, "random", "first", registry=TOYS), 2, folder=tmp_path / "other")
    with pytest.raises(MingpaiError, match="another match"):
        merge([tmp_path / "one", tmp_path / "other"])
    with pytest.raises(MingpaiError, match="no run folder"):
        merge([tmp_path])


def test_early_stop_comes_at_the_same_deal_for_any_processes_and_chunks() -> None:
    plan = duel(LITTLE, "first", "random", seed=2, registry=TOYS)
    runs = [play_plan(plan, 3000, stop=Stop(decided=True), jobs=jobs, chunk=chunk) for jobs, chunk in ((1, 9), (2, 50))]
    assert exact(runs[0]) == exact(runs[1])
    assert runs[0].stopped == "decided"
    summary = runs[0].summary()
    assert summary.intervals == "anytime"
    assert summary.evidence is not None
    assert summary.evidence >= 20
    assert summary.difference is not None
    assert summary.difference.win_rate.is_clear_of(0)


def test_a_run_stops_at_the_precision_asked_for() -> None:
    run = play_plan(LITTLE_PLAN, 3000, stop=Stop(precision=0.1))
    assert run.stopped == "precise"
    total = run.summary().sides[0].total.win_rate
    assert total.high - total.mean <= 0.1
    assert total.mean - total.low <= 0.1


def test_bad_settings_are_refused() -> None:
    with pytest.raises(BadSetting, match="deals"):
        play_plan(LITTLE_PLAN, 0)
    with pytest.raises(BadSetting, match="jobs"):
        play_plan(LITTLE_PLAN, 1, jobs=0)
    with pytest.raises(BadSetting, match="engine"):
        play_plan(LITTLE_PLAN, 1, engine="steam")
    with pytest.raises(BadSetting, match="two sides"):
        play_plan(table_of(LITTLE, ["random"] * 3, registry=TOYS), 1, stop=Stop(decided=True))
    with pytest.raises(BadSetting, match="seats"):
        play_plan(Plan("little", ("first", "last"), ("a", "b"), ((0, 1),), registry=TOYS), 1)
    with pytest.raises(BadSetting, match="agent"):
        play_plan(duel(LITTLE, "nobody", "first", registry=TOYS), 1)


def test_ray_plays_the_same_or_says_how_to_install_it() -> None:
    if importlib.util.find_spec("ray") is None:
        with pytest.raises(NotInstalled, match=r"mingpai\[scale\]"):
            make_engine("ray", LITTLE_PLAN, 2)
    else:
        assert exact(play_plan(LITTLE_PLAN, 20, engine="ray", jobs=2)) == exact(play_plan(LITTLE_PLAN, 20))


def test_a_worker_that_dies_is_replaced_and_nothing_is_lost(tmp_path: Path) -> None:
    mark = tmp_path / "died"
    killed = play_plan(duel(LITTLE, f"dies:mark={mark}", "random", seed=6, registry=TOYS), 12, jobs=2, chunk=3)
    assert mark.exists()
    undisturbed = play_plan(duel(LITTLE, "dies", "random", seed=6, registry=TOYS), 12)
    assert exact(killed) == exact(undisturbed)


SLOW = """
import sys
from pathlib import Path
from mingpai.arena.match import play_plan
from tests.arena.test_match import LITTLE_PLAN
play_plan(LITTLE_PLAN, 100_000, folder=Path(sys.argv[1]), chunk=5, jobs=int(sys.argv[2]), resume=True)
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_keeps_its_chunks(tmp_path: Path, jobs: str) -> None:
    with subprocess.Popen([sys.executable, "-c", SLOW, str(tmp_path / "run"), jobs], start_new_session=True) as process:
        while len(list(tmp_path.glob("run/chunks/*.jsonl"))) < 3:
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
    kept = merge([tmp_path / "run"])
    assert len(kept.results) >= 15
    assert exact(kept) == exact(play_plan(LITTLE_PLAN, len(kept.results)))
