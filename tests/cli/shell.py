"""Runs the command line as a user would: another process, its own output and exit code."""

import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


def mingpai(*words: str, stdin: str = "", seconds: float = 120) -> Answer:
    """The answer of `mingpai WORDS...`."""
    done = subprocess.run([sys.executable, "-m", "mingpai", *words], input=stdin, capture_output=True, text=True,
                          timeout=seconds, encoding="utf-8")  # fmt: skip
    return Answer(done.returncode, done.stdout, done.stderr)
