"""Run the suite at full counts (`make verify`), folder by folder, and keep the log, with the commit, in verify/log.txt.

Each folder of tests is a part (tools/parts.py): run again after an interruption, the parts that have passed on this
commit are not repeated, and the log is written when all are there. Arguments name parts or go to pytest:
`python bootstrap.py verify tests/rules` verifies one.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from parts import ROOT, Suite


def folders() -> list[str]:
    """The folders that hold tests."""
    return sorted({path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "tests").glob("**/test_*.py")})


def main(arguments: list[str]) -> int:
    named = [word for word in arguments if word.startswith("tests/")]
    more = [word for word in arguments if word not in named]
    options = ("-n", str(min(4, os.cpu_count() or 1)), "--durations=25")
    suite = Suite("log", "make verify", options, {"MINGPAI_TESTS": "verify"})
    worst = suite.run(named or folders(), more)
    if not arguments:
        suite.gather(folders())
    return worst


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
