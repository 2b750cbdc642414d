"""Run the suite at full counts (`make verify`) and keep the log, with the commit it ran on, in verify/log.txt.

Arguments go to pytest: `python bootstrap.py verify tests/rules` verifies one part.
"""

import datetime
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "verify" / "log.txt"


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def main(arguments: list[str]) -> int:
    workers = str(min(4, os.cpu_count() or 1))
    command = [sys.executable, "-m", "pytest", "-n", workers, "-v", "--durations=25", *arguments]
    changed = " with uncommitted changes" if git("status", "--porcelain", "--untracked-files=no") else ""
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("w") as log:
        start = datetime.datetime.now(datetime.UTC)
        log.write(f"commit {git('rev-parse', 'HEAD')}{changed}\nstarted {start:%Y-%m-%d %H:%M} UTC\n")
        log.write(f"command: make verify {' '.join(arguments)}\n\n")
        log.flush()
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | {"MINGPAI_TESTS": "verify"}, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            log.write(line.replace(str(ROOT) + "/", ""))
        code = process.wait()
        log.write(f"\nexit code {code} after {datetime.datetime.now(datetime.UTC) - start}\n")
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
