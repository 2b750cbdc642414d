"""Hold'em hands in other people's formats: which format a file has, its hands, and the same hands as records."""

from collections.abc import Iterator
from pathlib import Path

from mingpai.core.errors import BadlyWritten
from mingpai.records.acpc_log import AcpcGame, read_acpc_log
from mingpai.records.handhistory import HandHistory, read_phh, to_phh
from mingpai.records.pokerstars import read_pokerstars
from mingpai.records.record import Record

PHH_NAMES = (".phh", ".phhs", ".phh.gz", ".phhs.gz")


def read_hands(path: Path, acpc: AcpcGame | None = None) -> Iterator[HandHistory]:
    """The hands of a PHH file, an ACPC log or a PokerStars text, told apart by name and content."""
    if path.name.endswith(PHH_NAMES):
        return read_phh(path)
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        start = file.read(4096)
    if "PokerStars" in start:
        return read_pokerstars(path)
    if start.startswith(("#", "STATE:")):
        return read_acpc_log(path, acpc)
    raise BadlyWritten(path.name, "a PHH file (.phh, .phhs), an ACPC log or a PokerStars text")


def hand_record(hand: HandHistory, rules: str = "") -> Record:
    """The hand replayed by the rules; cards that are not told are filled in and named in the tags."""
    from mingpai.records.phh import read

    return read(to_phh(hand), rules).record()
