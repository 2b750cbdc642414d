"""Fuzz one target: `python -m tests.fuzz.run TARGET [--count N] [--seed S] [--keep]`; without a target, the list.

Inputs run in a process of their own with a limit of memory, which is killed when one input takes too long. What is
found is printed, and with --keep written into the corpus, where every later run begins from it.
"""

import argparse
import hashlib
import mmap
import multiprocessing
import os
import resource
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

CPU_SECONDS = 2.0
"""Of one input."""
HANG_SECONDS = 20.0
"""CPU time after which a process without progress is killed."""
SILENT_SECONDS = 600.0
"""Wall time after which it is killed all the same."""
MEMORY = 512 << 20
"""Bytes that the inputs may take beyond what the process holds after its first one."""
MOST_FINDINGS = 10
BOARD = 2 << 20
HEAD = struct.Struct("<QI")


@dataclass
class Finding:
    """An input that broke the rule, and how."""

    raw: bytes
    why: str

    def __str__(self) -> str:
        shown = repr(self.raw[:600]) + ("..." if len(self.raw) > 600 else "")
        return f"{shown}\n{self.why}"


@dataclass
class Report:
    """What became of the inputs of a target."""

    target: str
    done: int = 0
    refused: int = 0
    """Answered with a MingpaiError."""
    slowest: float = 0.0
    """CPU seconds of one input."""
    seconds: float = 0.0
    """CPU time of all inputs, their making included."""
    findings: list[Finding] = field(default_factory=list)

    def __str__(self) -> str:
        listed = "".join(f"\n--- finding {number}\n{finding}" for number, finding in enumerate(self.findings, start=1))
        return (f"{self.target}: {self.done} inputs, {self.refused} refused, slowest {self.slowest:.3f} s CPU, "
                f"{self.seconds:.1f} s CPU in all, {len(self.findings)} findings{listed}")  # fmt: skip


class Board:
    """Where the process writes down each input before it runs it: a crash or a hang leaves it behind."""

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), BOARD)

    def note(self, number: int, raw: bytes) -> None:
        HEAD.pack_into(self._map, 0, number, len(raw))
        self._map[HEAD.size : HEAD.size + len(raw)] = raw

    def read(self) -> tuple[int, bytes]:
        number, length = HEAD.unpack_from(self._map, 0)
        return number, bytes(self._map[HEAD.size : HEAD.size + length])


class Judge:
    """Runs inputs and keeps those that break the rule: one for each place in the code."""

    def __init__(self, name: str, run: Callable[[bytes], object], board: Board) -> None:
        self.report = Report(name)
        self._run, self._board = run, board
        self._places: set[str] = set()

    def take(self, raw: bytes) -> str | None:
        """Runs one input; why it is a finding, or None."""
        from mingpai.core.errors import MingpaiError

        report = self.report
        report.done += 1
        self._board.note(report.done, raw)
        start, why = time.process_time(), None
        try:
            self._run(raw)
        except MingpaiError as error:
            report.refused += 1
            str(error).encode("utf-8", "backslashreplace")
        except (Exception, RecursionError, MemoryError) as error:
            why = "".join(traceback.format_exception(error)[-6:])
            self._keep(_place(error), raw, why)
        took = time.process_time() - start
        report.slowest = max(report.slowest, took)
        if took > CPU_SECONDS and why is None and report.done > 1:  # the first one imports what its reader needs
            why = f"took {took:.1f} s of CPU, more than {CPU_SECONDS} s"
            self._keep("slow", raw, why)
        return why

    def _keep(self, place: str, raw: bytes, why: str) -> None:
        if place not in self._places and len(self.report.findings) < MOST_FINDINGS:
            self._places.add(place)
            self.report.findings.append(Finding(raw, why))


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if f"{os.sep}mingpai{os.sep}" in frame.filename] or frames
    return f"{type(error).__name__} {own[-1].filename}:{own[-1].lineno}"


def find(name: str) -> Any:
    """The target of a name. Imports everything that reads."""
    from tests.fuzz import targets, web_targets  # noqa: F401

    return targets.TARGETS[name]


def mutated(name: str, count: int, seed: int, path: str, answer: Connection) -> None:
    """In the process: damaged seeds."""
    from tests.fuzz.mutation import Mutator

    made = find(name)
    judge, source = Judge(name, made.run, Board(path)), Mutator(made.seeds(), seed)
    judge.take(source.make())
    limit_memory()
    start = time.process_time()
    for _ in range(count - 1):
        judge.take(source.make())
    judge.report.seconds = time.process_time() - start
    answer.send(judge.report)


def replayed(name: str, count: int, seed: int, path: str, answer: Connection) -> None:
    """In the process: the corpus as it is."""
    made = find(name)
    judge = Judge(name, made.run, Board(path))
    seeds = made.seeds()
    judge.take(seeds[0])
    limit_memory()
    for raw in seeds:
        judge.take(raw)
    answer.send(judge.report)


def generated(name: str, count: int, seed: int, path: str, answer: Connection) -> None:
    """In the process: inputs that Hypothesis puts together from the words of the corpus, made small when they break."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    from tests.fuzz.grammar import inputs

    made = find(name)
    judge, smallest = Judge(name, made.run, Board(path)), dict[str, Finding]()
    judge.take(made.seeds()[0])
    limit_memory()

    @seeded(seed)
    @settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck),
              phases=(Phase.generate, Phase.shrink))  # fmt: skip
    @given(inputs(made.seeds()))
    def search(raw: bytes) -> None:
        why = judge.take(raw)
        if why is not None:
            smallest["it"] = Finding(raw, why)
            raise AssertionError(why)

    try:
        search()
    except AssertionError:
        judge.report.findings = [smallest["it"]]
    answer.send(judge.report)


def limit_memory() -> None:
    """From now on the process may take so much more and not a byte beyond; under sanitizers there is no limit."""
    if os.environ.get("MINGPAI_NATIVE") in ("asan", "tsan"):
        return
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def fuzz(
    name: str, count: int, seed: int = 0, way: Callable[..., None] = mutated, hang: float = HANG_SECONDS
) -> Report:
    """The report of so many inputs, run in a process that forks from one that has everything imported."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.fuzz.targets", "tests.fuzz.web_targets", "tests.fuzz.grammar"])
    with tempfile.NamedTemporaryFile() as file:
        file.truncate(BOARD)
        board = Board(file.name)
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=way, args=(name, count, seed, file.name, theirs), daemon=True)
        process.start()
        theirs.close()
        try:
            return _watch(name, process, ours, board, hang)
        finally:
            process.kill()
            process.join()


def _watch(name: str, process: Any, answer: Connection, board: Board, hang: float) -> Report:
    """Waits for the report; a process that dies or does not come on leaves the input it died of."""
    number, moved, spent = -1, time.monotonic(), 0.0
    while True:
        try:
            if answer.poll(0.5):
                report: Report = answer.recv()
                return report
        except EOFError:
            process.join(5)
            return _lost(name, board, f"the process ended with exit code {process.exitcode}")
        now = board.read()[0]
        if now != number:
            number, moved, spent = now, time.monotonic(), cpu_seconds(process.pid)
        elif cpu_seconds(process.pid) - spent > hang or time.monotonic() - moved > SILENT_SECONDS:
            return _lost(name, board, f"no end within {hang:g} s of CPU")


def cpu_seconds(pid: int) -> float:
    """What a process has used so far; nothing once it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _lost(name: str, board: Board, why: str) -> Report:
    number, raw = board.read()
    return Report(name, done=number, findings=[Finding(raw, why)])


def keep(report: Report) -> None:
    """Writes findings into the corpus."""
    from tests.fuzz.targets import CORPUS

    for finding in report.findings:
        name = hashlib.blake2b(finding.raw, digest_size=5).hexdigest()
        (CORPUS / report.target / f"found-{name}").write_bytes(finding.raw)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--generate", action="store_true", help="by Hypothesis instead of damaged seeds")
    parser.add_argument("--keep", action="store_true", help="write findings into tests/corpus/")
    options = parser.parse_args()
    from tests.fuzz import targets, web_targets  # noqa: F401

    if not options.targets:
        print("\n".join(f"{one.name:24} {one.most:9,} in make verify" for one in targets.TARGETS.values()))
        return 0
    findings_in_all = 0
    for name in targets.TARGETS if options.targets == ["all"] else options.targets:
        report = fuzz(name, options.count, options.seed, generated if options.generate else mutated)
        print(f"{report}\n(seed {options.seed})", flush=True)
        findings_in_all += len(report.findings)
        if options.keep:
            keep(report)
    return 1 if findings_in_all else 0


if __name__ == "__main__":
    sys.exit(main())
