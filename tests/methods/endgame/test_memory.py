"""The memory that is asked for is all that a proof takes."""

import subprocess
import sys

import pytest

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
