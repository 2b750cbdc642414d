"""Results that an experiment keeps in a JSON file as it goes, so that a run can stop and go on.

Two experiments may keep theirs in one file at the same time: a part is added under a lock, and the file is replaced
whole.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mingpai.records.jsonl import writing_text


class Kept:
    """Parts by name, a line each."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> dict[str, Any]:
        return json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {}

    def save(self, name: str, value: dict[str, Any]) -> None:
        self.path.parent.mkdir(exist_ok=True)
        with locked(self.path.parent):
            data = self.load() | {name: value}
            lines = [f" {json.dumps(key)}: {json.dumps(data[key], sort_keys=True)}" for key in sorted(data)]
            with writing_text(self.path) as file:
                file.write("{\n" + ",\n".join(lines) + "\n}\n")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One process at a time, where the system has such locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
