"""What Botzone's games have in common: a line of JSON in, one out, then the line that keeps it running."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TextIO, TypeVar

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
"""Printed after each answer: Botzone then sends the bare requests to the same process."""


def talk(source: TextIO, sink: TextIO, answer: Callable[[Mapping[str, Any]], object]) -> None:
    """Answer each message until the input ends."""
    for line in source:
        if line.strip():
            response = answer(json.loads(line))
            sink.write(json.dumps({"response": response}) + "\n" + KEEP_RUNNING + "\n")
            sink.flush()


class Session(Protocol):
    """A game as one of our agents follows it from requests."""

    def take(self, request: Mapping[str, Any]) -> None:
        """Hear a request."""

    def answered(self, request: Mapping[str, Any], response: object) -> None:
        """Remember our own answer to a request, given now or in an earlier run of the program."""


S = TypeVar("S", bound=Session)


def follow(
    source: TextIO, sink: TextIO, new: Callable[[], S], respond: Callable[[S, Mapping[str, Any]], object]
) -> None:
    """Play until the input ends. A first message repeats all earlier requests and responses; bare ones follow."""
    session = new()

    def answer(message: Mapping[str, Any]) -> object:
        nonlocal session
        if "requests" not in message:
            return respond(session, message.get("request", message))
        session = new()
        *earlier, last = message["requests"]
        for request, response in zip(earlier, message.get("responses", []), strict=False):
            session.take(request)
            session.answered(request, response)
        return respond(session, last)

    talk(source, sink, answer)
