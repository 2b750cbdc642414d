"""What Botzone's games have in common: a line of JSON in, one out, then the line that keeps it running."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TextIO

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
"""Printed after each answer: Botzone then sends the bare requests to the same process."""


def talk(source: TextIO, sink: TextIO, answer: Callable[[Mapping[str, Any]], object]) -> None:
    """Answer each message until the input ends."""
    for line in source:
        if line.strip():
            response = answer(json.loads(line))
            sink.write(json.dumps({"response": response}) + "\n" + KEEP_RUNNING + "\n")
            sink.flush()
