"""Tests run part by part, with one log of all parts: what `make verify` and `make sanitize` have in common.

Each part is a call of pytest with a log of its own in verify/parts/. Run again after an interruption, the parts that
have passed on this commit are not repeated.
"""

import datetime
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "verify"
PASSED = "exit code 0 "
NOTHING_CHOSEN = 5
"""Pytest's exit code for a part without a test that the arguments choose."""


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def commit() -> str:
    """What is tested; the logs themselves do not count as a change."""
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!verify")
    return f"commit {git('rev-parse', 'HEAD')}{' with uncommitted changes' if changed else ''}"


def portable(line: str) -> str:
    """Without the folders of this machine."""
    line = line.replace(f"{ROOT}/", "").replace(str(ROOT), ".").replace(sys.executable, "python")
    return re.sub(r"/\S+/site-packages/", "", line)


@dataclass(frozen=True)
class Suite:
    """A way to run parts of the tests."""

    name: str
    """Of its log."""
    command: str
    """That a person types for it."""
    options: tuple[str, ...]
    """For pytest."""
    environment: dict[str, str] = field(default_factory=dict)
    python: tuple[str, ...] = (sys.executable,)

    def run(self, parts: Sequence[str], arguments: Sequence[str]) -> int:
        """Runs what has not passed yet; the worst exit code."""
        now, worst = commit(), 0
        for part in parts:
            if not arguments and self._has_passed(part, now):
                print(f"{part} has passed on this commit already")
                continue
            worst = max(worst, self._run(part, arguments, now))
        return worst

    def gather(self, parts: Sequence[str]) -> None:
        """The log of the whole, from those of its parts."""
        (LOGS / f"{self.name}.txt").write_text("".join(self._log(part).read_text() for part in parts))

    def _log(self, part: str) -> Path:
        return LOGS / "parts" / f"{self.name}-{part.replace('/', '-').replace('::', '-')}.txt"

    def _has_passed(self, part: str, now: str) -> bool:
        """Whether the part has passed on this commit, without other changes and without arguments."""
        log = self._log(part)
        text = log.read_text() if log.exists() and "uncommitted" not in now else ""
        return text.startswith(f"{now}\ncommand: {self.command} {part}\n") and f"\n{PASSED}" in text

    def _run(self, part: str, arguments: Sequence[str], now: str) -> int:
        start = datetime.datetime.now(datetime.UTC)
        self._log(part).parent.mkdir(parents=True, exist_ok=True)
        with self._log(part).open("w") as log:
            told = " ".join([self.command, part, *arguments])
            log.write(f"{now}\ncommand: {told}\nstarted {start:%Y-%m-%d %H:%M} UTC\n\n")
            log.flush()
            words = [*self.python, "-m", "pytest", *self.options, part, *arguments]
            process = subprocess.Popen(words, cwd=ROOT, env=os.environ | self.environment, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, errors="replace")  # fmt: skip
            assert process.stdout is not None
            for line in process.stdout:
                print(line, end="", flush=True)
                log.write(portable(line))
            code = process.wait()
            code = 0 if code == NOTHING_CHOSEN and arguments else code
            log.write(f"\nexit code {code} after {datetime.datetime.now(datetime.UTC) - start}\n\n")
        return abs(code)
