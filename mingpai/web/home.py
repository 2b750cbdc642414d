"""Where the app keeps its files: finished games, games in progress, progress in the puzzles."""

import atexit
import json
import os
import secrets
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from mingpai.records.jsonl import writing_text


def home() -> Path:
    """The data folder: MINGPAI_HOME, else the user's data directory."""
    if told := os.environ.get("MINGPAI_HOME"):
        return Path(told)
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "mingpai"


def ensure_writable() -> None:
    """Where nothing can be written, warn and play on: what is kept lasts until the app ends."""
    try:
        home().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home()) as probe:
            probe.write(b"x")
    except OSError as error:
        why = f"cannot write to {home()} ({error.strerror}): games are lost when the app ends"
        print(f"Warning: {why}", file=sys.stderr)
        os.environ["MINGPAI_HOME"] = tempfile.mkdtemp(prefix="mingpai-")
        atexit.register(shutil.rmtree, os.environ["MINGPAI_HOME"], ignore_errors=True)


def secret() -> str:
    """The key that signs browser cookies: made once, readable by its owner only."""
    path = home() / "secret"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_hex(32))
    return path.read_text()


def save(name: str, data: Any) -> None:
    """Write a JSON file whole or not at all."""
    with writing_text(home() / name) as file:
        json.dump(data, file, ensure_ascii=False)


def load(name: str) -> Any:
    """What `save` wrote; None where there is nothing or it cannot be read."""
    try:
        return json.loads((home() / name).read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError, UnicodeDecodeError):
        return None


def forget(name: str) -> None:
    (home() / name).unlink(missing_ok=True)
