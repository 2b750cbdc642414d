"""Files that somebody hands to the app: told apart and checked by their content, whatever their name says."""

from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.records import phh, pokerstars
from mingpai.records.handhistory import HandHistory
from mingpai.records.poker import PHH_FIELD, hands_in
from mingpai.records.record import Record

MAX_RECORDS = 2000
"""Games of a file that are looked at."""


def text_in(content: bytes) -> str:
    """The text of a file. Raises BadlyWritten unless it is UTF-8 without control characters."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadlyWritten(content[:20], f"text in UTF-8 ({error.reason})", error.start) from None
    if "\0" in text:
        raise BadlyWritten(content[:20], "text, not binary data", text.index("\0"))
    if not text.strip():
        raise BadlyWritten("", "a file that is not empty")
    return text


def records_in(content: bytes) -> list[Record]:
    """The games of a file: JSON Lines, PHH or PokerStars text. Raises MingpaiError that names the first bad line."""
    text = text_in(content)
    if "PokerStars" in text[:4096]:
        return [pokerstars.read(hand).record() for hand in pokerstars.split_hands(text)[:MAX_RECORDS]]
    if PHH_FIELD.search(text):
        return [hand.record() for hand in _phh(text)][:MAX_RECORDS]
    records: list[Record] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and len(records) < MAX_RECORDS:
            try:
                records.append(Record.loads(line))
            except MingpaiError as error:
                raise MingpaiError(f"line {number}: {error}") from None
    return records


def _phh(text: str) -> list[phh.PhhHand]:
    try:
        return list(phh.read_many(text)) if text.lstrip().startswith("[") else [phh.read(text)]
    except (ValueError, KeyError, TypeError) as error:
        raise error if isinstance(error, MingpaiError) else BadlyWritten("PHH", f"hands of hold'em: {error}") from None


def poker_hands_in(content: bytes, session: str = "") -> list[HandHistory]:
    """The hold'em hands of a file in any format that is read."""
    return list(hands_in(text_in(content), session))
