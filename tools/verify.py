"""Run the suite at full counts (`make verify`), folder by folder, and keep the log, with the commit, in verify/log.txt.

About an hour and a half on two idle cores. Each folder of tests is a part with a log of its own in verify/parts/; run
again after an interruption, the parts that have passed on this commit are not repeated. The log is written when all
parts are there. Arguments name parts or go to pytest: `python bootstrap.py verify tests/rules` verifies one part.
"""

import datetime
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "verify" / "log.txt"
PARTS = ROOT / "verify" / "parts"
PASSED = "exit code 0 "
NOTHING_CHOSEN = 5
"""Pytest's exit code for a part without a test that the arguments choose."""


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def commit() -> str:
    changed = " with uncommitted changes" if git("status", "--porcelain", "--untracked-files=no") else ""
    return f"commit {git('rev-parse', 'HEAD')}{changed}"


def parts() -> list[str]:
    """The folders of tests."""
    return [f"tests/{path.name}" for path in sorted((ROOT / "tests").iterdir()) if any(path.glob("**/test_*.py"))]


def log_of(part: str) -> Path:
    return PARTS / f"{part.replace('/', '-')}.txt"


def has_passed(part: str, now: str) -> bool:
    """Whether the part has passed on this commit, without other changes and without arguments."""
    log = log_of(part)
    text = log.read_text() if log.exists() and "uncommitted" not in now else ""
    return text.startswith(f"{now}\ncommand: make verify {part}\n") and f"\n{PASSED}" in text


def run(part: str, arguments: list[str], now: str) -> int:
    workers = str(min(4, os.cpu_count() or 1))
    command = [sys.executable, "-m", "pytest", "-n", workers, "-v", "--durations=25", part, *arguments]
    start = datetime.datetime.now(datetime.UTC)
    PARTS.mkdir(parents=True, exist_ok=True)
    with log_of(part).open("w") as log:
        log.write(f"{now}\ncommand: make verify {' '.join([part, *arguments])}\nstarted {start:%Y-%m-%d %H:%M} UTC\n\n")
        log.flush()
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | {"MINGPAI_TESTS": "verify"}, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            log.write(line.replace(str(ROOT) + "/", ""))
        code = process.wait()
        code = 0 if code == NOTHING_CHOSEN and arguments else code
        log.write(f"\nexit code {code} after {datetime.datetime.now(datetime.UTC) - start}\n\n")
    return code


def main(arguments: list[str]) -> int:
    named = [word for word in arguments if word.startswith("tests/")]
    more = [word for word in arguments if word not in named]
    now, chosen, worst = commit(), named or parts(), 0
    for part in chosen:
        if not more and has_passed(part, now):
            print(f"{part} has passed on this commit already")
            continue
        worst = max(worst, run(part, more, now))
    LOG.write_text("".join(log_of(part).read_text() for part in chosen))
    return worst


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
