"""Every write of a scenario fails once: `LD_PRELOAD=... python -m tests.faults.runner SCENARIO FOLDER`.

The process forks for each fault, so that nothing is imported twice. One line of JSON at the end: how many faults
struck, and what went wrong.
"""

import ctypes
import json
import os
import shutil
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from mingpai.core.errors import MingpaiError
from tests.faults.scenarios import SCENARIOS, Scenario

KINDS = {"I/O error": 1, "no space": 2, "kill": 3}
FINE, TOLD, WRONG = 0, 2, 1
KILLED = -9


def main(name: str, folder: Path) -> None:
    library, scenario = ctypes.CDLL(None), SCENARIOS[name]
    start = folder / "before"
    start.mkdir()
    run(lambda: scenario.before(start))
    struck, wrong = 0, list[str]()
    for kind, code in KINDS.items():
        number = 0
        while True:
            number += 1
            at = folder / "now"
            shutil.copytree(start, at)
            ended, why = fault(library, scenario, at, number, code)
            if ended == FINE and why == "not reached":
                shutil.rmtree(at)
                break
            struck += 1
            checked, what = run(lambda at=at: scenario.check(at))  # type: ignore[misc]
            if ended not in (FINE, TOLD, KILLED) or checked != FINE:
                wrong.append(f"{kind} at call {number}: ended {ended} {why}; afterwards {checked} {what}")
            shutil.rmtree(at)
    print(json.dumps({"struck": struck, "wrong": wrong}), flush=True)


def fault(library: ctypes.CDLL, scenario: Scenario, at: Path, number: int, code: int) -> tuple[int, str]:
    def act() -> str:
        library.faults_arm(str(at).encode(), ctypes.c_long(number), code)
        scenario.act(at)
        return "" if library.faults_seen() >= number else "not reached"

    return run(act)


def run(act: Callable[[], object]) -> tuple[int, str]:
    """What became of an act in a process of its own: its exit code, and what it said."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code, said = FINE, ""
        try:
            result = act()
            said = result if isinstance(result, str) else ""
        except MingpaiError as error:
            code, said = TOLD, str(error)
        except BaseException:
            code, said = WRONG, traceback.format_exc()[-1500:]
        os.write(writing, said.encode()[:60_000])
        os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
