"""Work for worker processes to do in tests: functions that can be found again by their name."""

import os
import time
from pathlib import Path

from mingpai.core.errors import Ambiguous


def pid() -> int:
    return os.getpid()


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def burn(seconds: float) -> float:
    """Use the processor for so long."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds


def spin(note: Path) -> None:
    """Work without end that shows on the disk that it goes on."""
    note.write_text(str(os.getpid()))
    while True:
        pass


def confuse() -> None:
    raise Ambiguous("3344", ["33", "44"])


def break_down() -> None:
    raise RuntimeError("no mistake of the user")


def crash() -> None:
    os._exit(3)


def hoard() -> int:
    return len(bytearray(1 << 34))
