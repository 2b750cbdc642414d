"""Mistakes as a person at the table is told of them, in both languages: no setting names, no command-line grammar."""

import re

from mingpai.core.errors import (
    AgentFailed,
    Ambiguous,
    BadlyWritten,
    BadSetting,
    IllegalHere,
    MingpaiError,
    NotInstalled,
)
from mingpai.core.reasons import Language, Reason
from mingpai.models.card import BadModel
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
    (re.compile(r"ended without a result|died \d+ times"), "work_failed"),
    (re.compile(r"no game of Dou Dizhu in that file"), "no_bids_in_file"),
    (re.compile(r"(?:^|, )line (\d+)"), "bad_line"),
    (re.compile(r"is to move$|is not to move"), "not_to_move"),
    (re.compile(r"this table has seats"), "no_such_seat"),
    (re.compile(r"no such file"), "file_gone"),
    (re.compile(r"strategies"), "broken_model"),
    (re.compile(r"cannot (?:be )?read"), "file_unreadable"),
)
"""Messages without a class of their own, and the text that says it here."""
_CLASSES = (
    (Busy, "busy_server"),
    (Late, "too_late"),
    (ReplayFailed, "bad_record"),
    (WriteFailed, "cannot_write"),
    (AgentFailed, "agent_failed"),
    (NotInstalled, "not_installed"),
    (BadModel, "broken_model"),
    (Ambiguous, "several_readings"),
)
"""Classes of mistakes that need no more words than their text."""
CARDS = ("cards", "last", "hand", "move")
"""Arguments of reasons that are cards."""


def in_words(error: MingpaiError, language: Language) -> str:
    """What went wrong, in the reader's language."""
    if isinstance(error, IllegalHere):
        return reason_words(error.reason, language)
    if isinstance(error, BadlyWritten | BadSetting) and (whole := _whole(error.expected, language)):
        return whole
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
    if not isinstance(error.text, str) or "that the rules allow" in error.expected:
        return text("impossible_position", language) + (expected if language == "en" else "")
    shown = _short(error.text)
    if error.position is not None:
        return text("cannot_read_at", language, text=shown, place=error.position + 1) + expected
    return text("cannot_read", language, text=shown) + expected


def _bad_setting(error: BadSetting, language: Language) -> str:
    name = error.setting.rpartition(":")[2].split()[-1]
    label = text(f"setting_{name}", language) if f"setting_{name}" in texts() else name
    return text("bad_setting", language, name=label, value=_short(error.value)) + _expected(error.expected, language)


_WHOLE = (
    (r"every hand has at least one card|at least one card for each seat", "fault_empty_hand"),
    (r"at most one deck|four cards of a rank|cards of (?:one|two) decks?:|more cards of a rank", "fault_deck"),
    (r"a hand has at most 20 cards|at most 20 cards for the landlord", "fault_long_hand"),
    (r"the last move exists|a move under the rules", "fault_last_move"),
    (r"not the one that made the last move", "fault_owner"),
    (r"a landlord and one farmer|two or three players", "fault_players"),
    (r"written twice", "fault_twice"),
    (r"a board (?:has|of)", "fault_board"),
    (r"a possible deal", "fault_deal"),
    (r"UTF-8|not binary data", "not_text"),
    (r"the match is over", "fault_match_over"),
    (r"have no bidding|no bidding:", "fault_no_bidding"),
    (r"the link of a game", "fault_link"),
    (r"a file that is not empty", "fault_empty_file"),
    (r"what the app saved", "fault_saved"),
    (r"a lesson|at most \d+ positions|one for each language|a legal move of the position", "file_lesson"),
    (r"^schema \d", "file_version"),
    (
        r"PHH|ACPC|PokerStars|hold'em|STATE:|dead blinds|the small blind$|whole cents|four streets|to its end",
        "file_poker",
    ),
    (r"the raw format|^doudizhu$", "no_bids_in_file"),
)
"""What was expected, and the sentence that says all. Of files the message itself is better in English."""


def _whole(expected: str, language: Language) -> str:
    """A sentence for what is wrong whatever was written; empty where what was written has to be shown."""
    for pattern, key in _WHOLE:
        if re.search(pattern, expected) and (language == "zh" or not key.startswith("file_")):
            return text(key, language)
    return ""


_HELD = re.compile(r"(\d+) cards after this history, found (\d+)")
_EXPECTED = (
    (re.compile(r"(\d[\d.]*) to (\d[\d.]*)"), "expected_range"),
    (re.compile(r"at most (\d+) of (\w)"), "expected_copies"),
    (re.compile(r"at most ([\d,]+) (?:characters|bytes|items|games|texts|deep)"), "expected_shorter"),
    (re.compile(r"range|combination|weights?|bracket"), "expected_hands"),
    (re.compile(r"chips|amount|blind|stacks"), "expected_chips"),
    (re.compile(r"\bbids?\b"), "expected_bid"),
    (re.compile(r"fold, check|\bmoves?\b|\baction\b|the seat whose turn|who and what"), "expected_move"),
    (re.compile(r"\bcards?\b|\brank\b"), "expected_cards"),
    (re.compile(r"at least (\d+)|(\d+) or more"), "expected_least"),
    (re.compile(r"\bseats?\b|players?\b"), "expected_seat"),
    (re.compile(r"number"), "expected_number"),
    (re.compile(r"one of |\bor\b|did you mean|first, |only$"), "expected_choice"),
    (
        re.compile(r"JSON|a list of|an event|an object|key=value|to_json|with the fields|: a text|[A-Z]{4}/|;RULES"),
        "expected_json",
    ),
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
            if key in ("expected_shorter", "expected_least"):
                return text(key, language, number=numbers[0])
            return text(key, language)
    return text("expected_other", language)


def _short(value: object, most: int = MOST_SHOWN) -> str:
    shown = str(value)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"
