"""What Botzone's games have in common: a line of JSON in, one out, then the line that keeps it running."""

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TextIO, TypeVar

from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.reading import as_text, read_lines, read_list, read_mapping, read_object

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
"""Printed after each answer: Botzone then sends the bare requests to the same process."""


MOST_REQUESTS = 1000
"""Of one game, in the message that repeats them all."""

log = logging.getLogger(__name__)


def talk(source: TextIO, sink: TextIO, answer: Callable[[Mapping[str, Any]], object]) -> None:
    """Answer each message until the input ends. Raises BadlyWritten for a line that is no message."""
    for line in read_lines(as_text(source)):
        if line.strip():
            response = answer(read_object(line, "a request as a JSON object"))
            sink.write(json.dumps({"response": response}) + "\n" + KEEP_RUNNING + "\n")
            sink.flush()


def requests_in(message: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], Mapping[str, Any]]:
    """The earlier requests of a message and the current one."""
    requests = [read_mapping(item, "request") for item in read_list(message["requests"], "requests", MOST_REQUESTS)]
    if not requests:
        raise BadlyWritten(message, "a message with at least one request")
    return requests[:-1], requests[-1]


class Session(Protocol):
    """A game as one of our agents follows it from requests."""

    def take(self, request: Mapping[str, Any]) -> None:
        """Hear a request."""

    def answered(self, request: Mapping[str, Any], response: object) -> None:
        """Remember our own answer to a request, given now or in an earlier run of the program."""


S = TypeVar("S", bound=Session)


def remember(session: Session, request: Mapping[str, Any], response: object) -> None:
    """An earlier request and our answer to it. What cannot be read is logged and left out: the game goes on."""
    try:
        session.take(request)
        session.answered(request, response)
    except MingpaiError as error:
        log.error("cannot follow an earlier request: %s", error)


def follow(
    source: TextIO, sink: TextIO, new: Callable[[], S], respond: Callable[[S, Mapping[str, Any]], object]
) -> None:
    """Play until the input ends. A first message repeats all earlier requests and responses; bare ones follow."""
    session = new()

    def answer(message: Mapping[str, Any]) -> object:
        nonlocal session
        if "requests" not in message:
            return respond(session, read_mapping(message.get("request", message), "request"))
        session = new()
        requests, last = requests_in(message)
        responses = read_list(message.get("responses", []), "responses", MOST_REQUESTS)
        for request, response in zip(requests, responses, strict=False):
            remember(session, request, response)
        return respond(session, last)

    talk(source, sink, answer)
