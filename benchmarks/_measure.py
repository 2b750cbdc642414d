"""What every benchmark shares: a rate by CPU time, and the machine it was measured on."""

import platform
import time
from collections.abc import Callable
from pathlib import Path

from mingpai import _native


def rate(work: Callable[[], int], seconds: float) -> float:
    """Units of work per second of CPU time: the best of three runs, each long enough to measure."""
    work()
    best = 0.0
    for _ in range(3):
        done, start = 0, time.process_time()
        while (spent := time.process_time() - start) < seconds / 3:
            done += work()
        best = max(best, done / spent)
    return best


def machine() -> str:
    """Processor, Python and native variant."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].split(":", 1)[1].strip() if lines else model
    python = platform.python_version()
    return f"{model}, one core, CPU time, Python {python}, native variant {_native.variant}"
