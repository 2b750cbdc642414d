"""Mistakes as a person at the table is told of them, in both languages: no setting names, no command-line grammar."""

import re

from mingpai.core.errors import BadlyWritten, BadSetting, IllegalHere, MingpaiError
from mingpai.core.reasons import Language
from mingpai.web.texts import text, texts
from mingpai.web.work import Busy, Late

MOST_SHOWN = 60
"""Characters of what was typed that are shown again."""
_KNOWN = (
    (re.compile(r"it is not your turn"), "not_your_turn"),
    (re.compile(r"nothing to take back"), "nothing_to_undo"),
    (re.compile(r"agent .* failed"), "agent_failed"),
    (re.compile(r"is not installed"), "not_installed"),
)
"""Messages without a class of their own, and the text that says it here."""


def in_words(error: MingpaiError, language: Language) -> str:
    """What went wrong, in the reader's language."""
    if isinstance(error, IllegalHere):
        return error.reason.render(language)
    if isinstance(error, Busy):
        return text("busy_server", language)
    if isinstance(error, Late):
        return text("too_late", language)
    if isinstance(error, BadlyWritten):
        return _badly_written(error, language)
    if isinstance(error, BadSetting):
        return _bad_setting(error, language)
    message = str(error)
    key = next((key for pattern, key in _KNOWN if pattern.search(message)), "")
    return text(key, language) if key else message


def _badly_written(error: BadlyWritten, language: Language) -> str:
    shown = _short(error.text)
    expected = _expected(error.expected, language)
    if error.position is not None:
        return text("cannot_read_at", language, text=shown, place=error.position + 1) + expected
    return text("cannot_read", language, text=shown) + expected


def _bad_setting(error: BadSetting, language: Language) -> str:
    name = error.setting.rpartition(":")[2]
    label = text(f"setting_{name}", language) if f"setting_{name}" in texts() else name
    return text("bad_setting", language, name=label, value=_short(error.value)) + _expected(error.expected, language)


_EXPECTED = (
    (re.compile(r"a whole number from (\d+) to (\d+)|^(\d+) to (\d+)$|from (\d+) to (\d+)"), "expected_range"),
    (re.compile(r"at most (\d+) of (\w)"), "expected_copies"),
    (re.compile(r"cards of 3456789|cards as suit|\bcards?\b"), "expected_cards"),
    (re.compile(r"whole number"), "expected_number"),
    (re.compile(r"one of "), "expected_choice"),
    (re.compile(r"JSON"), "expected_json"),
)
"""What was expected, told in Chinese by its kind; in English the message itself says it best."""


def _expected(expected: str, language: Language) -> str:
    if language == "en":
        return f" {text('expected', 'en', what=_short(expected, 160))}"
    for pattern, key in _EXPECTED:
        if matched := pattern.search(expected):
            numbers = [group for group in matched.groups() if group]
            if key == "expected_range":
                return text(key, language, least=numbers[0], most=numbers[1])
            if key == "expected_copies":
                return text(key, language, most=numbers[0], card=numbers[1])
            return text(key, language)
    return text("expected_other", language)


def _short(value: object, most: int = MOST_SHOWN) -> str:
    shown = str(value)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"
