"""Errors that tell a user what was wrong, where, and what was expected."""

from collections.abc import Sequence

from mingpai.core.reasons import Reason

MOST_SHOWN = 300
"""Characters of a value that a message shows."""


def shown(value: object) -> str:
    """The value for a message, shortened; never an error of its own, however large or nested the value is."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a whole number of thousands of digits, lists within lists
        text = f"<{type(value).__name__} too large to show>"
    return shorten(text)


def shorten(text: str) -> str:
    """The text for a message, its end left out where it is long."""
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


class MingpaiError(Exception):
    """A user's mistake or a limit reached: shown as one message, exit code 2, never a traceback."""


class BadlyWritten(MingpaiError, ValueError):
    """Text or data that cannot be read, whatever the position."""

    def __init__(self, text: object, expected: str, position: int | None = None) -> None:
        where = "" if position is None else f" at position {position}"
        super().__init__(f"cannot read {shown(text)}{where}: expected {expected}")
        self.text = text
        """What was given."""
        self.expected = expected
        """What would have been read."""
        self.position = position
        """Index of the first offending character, None if the whole is wrong."""


class IllegalHere(MingpaiError, ValueError):
    """A well-written move that the rules forbid in this position."""

    def __init__(self, move: object, reason: Reason) -> None:
        super().__init__(f"{shorten(str(move))} is illegal here: {reason.render('en')}")
        self.move = move
        self.reason = reason
        """The rule broken, as a catalogue entry, so that it can be shown in any language."""


class Ambiguous(MingpaiError, ValueError):
    """Text with several readings that are legal here."""

    def __init__(self, text: str, readings: Sequence[str]) -> None:
        super().__init__(f"{shown(text)} is ambiguous: write one of {', '.join(readings)}")
        self.text = text
        self.readings = tuple(readings)


class BadSetting(MingpaiError, ValueError):
    """A setting, option or name that does not exist or has a wrong value."""

    def __init__(self, setting: str, value: object, expected: str) -> None:
        super().__init__(f"{setting} = {shown(value)}: expected {expected}")
        self.setting = setting
        self.value = value
        self.expected = expected


class NotInstalled(MingpaiError):
    """Something optional is missing; the message has the command that installs it."""

    def __init__(self, what: str, command: str) -> None:
        super().__init__(f"{what} is not installed: {command}")


class AgentFailed(MingpaiError):
    """An agent did not answer, answered illegally or too late. The game is void; nobody moves in its place."""

    def __init__(self, agent: str, why: str) -> None:
        super().__init__(f"agent {agent} failed: {why}")
        self.agent = agent
        self.why = why
