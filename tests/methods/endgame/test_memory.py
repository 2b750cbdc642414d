"""The memory that is asked for is all that a proof takes."""

import subprocess
import sys

import pytest

from mingpai._native.core import Budget
from mingpai._native.endgame import Stop
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame.par import Deal
from mingpai.methods.endgame.solver import LEAST_MEMORY, Solution, solve_position

SLACK = 8
"""Mebibytes for the threads themselves, the judge's scratch and what the allocator keeps."""

PROOF = """
import resource, sys
from mingpai._native.core import Budget
from mingpai._native.endgame import Ask
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame.par import Deal
from mingpai.methods.endgame.solver import shipped_judges, solve_position

memory, nodes, threads = map(int, sys.argv[1:])
shipped_judges()
position = Deal.random(20261117, 6).position(0, 0)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = solve_position(
    position, rules_of("douzero"), ask=Ask.ANY, line=False, memory=memory, threads=threads, budget=Budget(0, nodes)
)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(found.nodes, grown // (1024 if sys.platform == "linux" else 1024**2))
"""


@pytest.mark.parametrize("memory", [32, 64])
def test_a_long_proof_stays_within_its_memory(memory: int) -> None:
    """A whole deal that a million nodes do not decide, with two threads and the judge."""
    done = subprocess.run(
        [sys.executable, "-c", PROOF, str(memory), "1000000", "2"], capture_output=True, text=True, check=True
    )
    nodes, grown = map(int, done.stdout.split())
    assert nodes >= 1_000_000
    assert grown <= memory + SLACK


SMALL = """
import resource, sys
from mingpai.methods.endgame.solver import solve

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = solve("4667788QK2", "3355799JA2", memory=512, threads=2)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(found.nodes, grown // (1024 if sys.platform == "linux" else 1024**2))
"""


def test_what_one_thread_decides_takes_no_table_for_two() -> None:
    """The table for two is as large as the limit and takes seconds: made when the second thread has something to do."""
    done = subprocess.run([sys.executable, "-c", SMALL], capture_output=True, text=True, check=True)
    nodes, grown = map(int, done.stdout.split())
    assert nodes < 100_000
    assert grown <= 64


def open_deal(memory: int, nodes: int, seconds: float = 0.0, *, is_cancelled: bool = False) -> Solution:
    """A whole deal that takes more than this, without the judge."""
    budget = Budget(seconds, nodes)
    if is_cancelled:
        budget.cancel()
    position = Deal.random(20261117, 6).position(0, 0)
    return solve_position(position, rules_of("douzero"), line=False, memory=memory, judge=False, budget=budget)


def test_what_stopped_a_proof_is_named() -> None:
    assert open_deal(LEAST_MEMORY, 5_000_000).stopped_by == Stop.MEMORY
    assert open_deal(256, 20_000).stopped_by == Stop.NODES
    assert open_deal(256, 5_000_000, 0.01).stopped_by == Stop.TIME
    assert open_deal(256, 5_000_000, is_cancelled=True).stopped_by == Stop.CANCELLED
    assert open_deal(LEAST_MEMORY, 5_000_000).to_json()["stopped_by"] == "memory"


def test_nothing_stopped_a_proof_that_is_whole() -> None:
    position = Deal.random(20261117, 6).position(0, 0)
    small = type(position)([hand & 0xFFFF for hand in position.hands])
    assert solve_position(small, rules_of("douzero")).stopped_by == Stop.NONE
