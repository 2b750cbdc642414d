"""Mistakes as a person at the table is told of them, in both languages: no setting names, no command-line grammar."""

import re

from mingpai.core.errors import BadlyWritten, BadSetting, IllegalHere, MingpaiError
from mingpai.core.reasons import Language, Reason
from mingpai.records.jsonl import WriteFailed
from mingpai.records.replay import ReplayFailed
from mingpai.web.moves import CODES, spoken
from mingpai.web.texts import profile, text, texts
from mingpai.web.work import Busy, Late

MOST_SHOWN = 60
"""Characters of what was typed that are shown again."""
_KNOWN = (
    (re.compile(r"it is not your turn"), "not_your_turn"),
    (re.compile(r"nothing to take back"), "nothing_to_undo"),
    (re.compile(r"agent .* failed"), "agent_failed"),
    (re.compile(r"is not installed"), "not_installed"),
    (re.compile(r"ended without a result"), "work_failed"),
    (re.compile(r"no game of Dou Dizhu in that file"), "no_bids_in_file"),
    (re.compile(r"^line (\d+)"), "bad_line"),
)
"""Messages without a class of their own, and the text that says it here."""
_CLASSES = ((Busy, "busy_server"), (Late, "too_late"), (ReplayFailed, "bad_record"), (WriteFailed, "cannot_write"))
CARDS = ("cards", "last", "hand", "move")
"""Arguments of reasons that are cards."""


def in_words(error: MingpaiError, language: Language) -> str:
    """What went wrong, in the reader's language."""
    if isinstance(error, IllegalHere):
        return reason_words(error.reason, language)
    if isinstance(error, BadlyWritten):
        return _badly_written(error, language)
    if isinstance(error, BadSetting):
        return _bad_setting(error, language)
    for kind, key in _CLASSES:
        if isinstance(error, kind) and (language == "zh" or kind is not WriteFailed):
            return text(key, language)
    message = str(error)
    for pattern, key in _KNOWN:
        if matched := pattern.search(message):
            return text(key, language, number=next(iter(matched.groups()), ""))
    return text("went_wrong", language) if language == "zh" and message.isascii() else message


def reason_words(reason: Reason, language: Language) -> str:
    """A reason as plain text: cards as they are read, rules by their name; no codes."""
    game = reason.code.partition(".")[0]
    args = dict(reason.args)
    for name, value in reason.args.items():
        if name in CARDS and game in CODES:
            args[name] = spoken(game, str(value), language) or str(value)
        elif name == "rules":
            args[name] = profile(str(value), language)
    return Reason(reason.code, args).render(language)


def _badly_written(error: BadlyWritten, language: Language) -> str:
    if matched := _HELD.search(error.expected):
        return text("cards_held", language, needed=matched[1], held=matched[2])
    if isinstance(error.text, bytes):
        return text("not_text", language)
    expected = _expected(error.expected, language)
    if not isinstance(error.text, str):
        return text("impossible_position", language) + (expected if language == "en" else "")
    shown = _short(error.text)
    if error.position is not None:
        return text("cannot_read_at", language, text=shown, place=error.position + 1) + expected
    return text("cannot_read", language, text=shown) + expected


def _bad_setting(error: BadSetting, language: Language) -> str:
    name = error.setting.rpartition(":")[2]
    label = text(f"setting_{name}", language) if f"setting_{name}" in texts() else name
    return text("bad_setting", language, name=label, value=_short(error.value)) + _expected(error.expected, language)


_HELD = re.compile(r"(\d+) cards after this history, found (\d+)")
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
