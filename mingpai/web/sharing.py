"""A game as a link or a file, with the comments on its moves; and where a browser's comments are kept."""

import base64
import binascii
import dataclasses
import zlib
from collections.abc import Mapping
from typing import Any

from mingpai.core.errors import BadlyWritten
from mingpai.records.record import Record
from mingpai.web import home

MOST_LETTERS = 500
"""Of a comment."""
MOST_GAMES = 500
"""Games with comments that a browser keeps."""
MOST_RECORD = 1 << 20
"""Bytes of a game in a link, unpacked."""

Comments = dict[int, str]
"""Number of moves made -> what somebody says of the position; 0 is the game as a whole."""


def pack(record: Record) -> str:
    """A game as text for a link."""
    return base64.urlsafe_b64encode(zlib.compress(record.dumps().encode(), 9)).decode().rstrip("=")


def unpack(text: str) -> Record:
    """The game of a link. Raises BadlyWritten."""
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        opener = zlib.decompressobj()
        plain = opener.decompress(packed, MOST_RECORD)
        if opener.unconsumed_tail or not opener.eof:
            raise ValueError
        return Record.loads(plain.decode())
    except (binascii.Error, zlib.error, ValueError):
        raise BadlyWritten(text[:40], "the link of a game") from None


def read_comments(told: Any) -> Comments:
    """Comments as a record or a file has them; what is not one is left out."""
    if not isinstance(told, Mapping):
        return {}
    pairs = [(str(frame), note) for frame, note in told.items() if str(frame).isdecimal() and len(str(frame)) < 6]
    return {int(frame): note[:MOST_LETTERS] for frame, note in pairs if isinstance(note, str) and note.strip()}


def with_comments(record: Record, comments: Comments) -> Record:
    """A record that carries its comments."""
    told = {str(frame): note for frame, note in sorted(comments.items())}
    tags = {name: value for name, value in record.tags.items() if name != "comments"}
    return dataclasses.replace(record, tags=tags | ({"comments": told} if told else {}))


def comments_of(record: Record, who: str) -> Comments:
    """What the record brought along, and what this browser said of it since."""
    own = _kept(who).get(record.key)
    return read_comments(record.tags.get("comments") if own is None else own)


def comment(record: Record, who: str, frame: int, note: str) -> Comments:
    """Keep a comment, or take it away where it is empty; gives back all of the game."""
    comments = comments_of(record, who)
    comments[frame] = note.strip()[:MOST_LETTERS]
    comments = {at: said for at, said in comments.items() if said}
    kept = {key: told for key, told in _kept(who).items() if key != record.key}
    kept[record.key] = {str(at): said for at, said in sorted(comments.items())}
    home.save(_file(who), dict(list(kept.items())[-MOST_GAMES:]))
    return comments


def _kept(who: str) -> dict[str, Any]:
    kept = home.load(_file(who))
    return kept if isinstance(kept, dict) else {}


def _file(who: str) -> str:
    return f"comments/{who}.json"
