"""The machinery itself: what breaks the rule is found, with the input that did it."""

import os
from multiprocessing.connection import Connection

import pytest

from mingpai.core.errors import BadlyWritten
from tests.fuzz.mutation import Mutator
from tests.fuzz.run import Board, Judge, fuzz, limit_memory


def read(raw: bytes) -> object:
    """A reader with every fault there is."""
    if raw == b"loop":
        while True:
            pass
    if raw == b"crash":
        os.kill(os.getpid(), 11)
    if raw == b"hoard":
        return bytearray(1 << 32)
    if raw == b"slip":
        return [][1]
    raise BadlyWritten(raw, "something else")


def broken(name: str, count: int, seed: int, path: str, answer: Connection) -> None:
    """In the process: one good refusal, then the fault that the name asks for."""
    judge = Judge(name, read, Board(path))
    judge.take(b"first")
    limit_memory()
    judge.take(name.encode())
    answer.send(judge.report)


@pytest.mark.parametrize(("name", "why"), [("loop", "no end"), ("crash", "exit code -11"), ("hoard", "MemoryError"),
                                           ("slip", "IndexError")])  # fmt: skip
def test_a_fault_is_found_with_its_input(name: str, why: str) -> None:
    report = fuzz(name, 0, way=broken, hang=1.0)
    (finding,) = report.findings
    assert finding.raw == name.encode()
    assert why in finding.why


def test_a_refusal_is_no_finding() -> None:
    report = fuzz("fine", 0, way=broken)
    assert (report.done, report.refused, report.findings) == (2, 2, [])


def test_the_same_number_makes_the_same_inputs_and_another_others() -> None:
    seeds = [b'{"seat": 0, "hand": "AhKd"}', b"raise 300"]
    first, again, other = ([source.make() for _ in range(200)] for source in (Mutator(seeds, n) for n in (1, 1, 2)))
    assert first == again != other
    assert len(set(first)) > 150
    assert not set(first) & set(seeds) or len(set(first) & set(seeds)) < 10
