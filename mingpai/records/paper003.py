"""The games that the authors of paper 003 published with it, as records.

They are one JSON object a line: `table`, `file`, `seats` (who sat as landlord, down, up), `moves` from the landlord's
first on (`0` is a pass), `winner`, and for most games `bottom` and `hands`. Jokers are L and B. docs/paper003.md says
where the file comes from and where to put it.

A game is good when it replays by the rules of the profile, to the winner it names. Where the log has no deal, the cards
that nobody played are dealt to those who still held cards, the lowest to the first: the record says so in its tags.
"""

import gzip
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, ClassVar, TextIO

from mingpai._native import doudizhu as native
from mingpai.core.errors import Ambiguous, BadlyWritten, MingpaiError
from mingpai.core.reading import read_lines, read_object
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.notation import RANKS, ROLES, cards_text, parse_cards
from mingpai.games.doudizhu.state import BOTTOM_CARDS, DEALT_CARDS, DoudizhuState
from mingpai.records.record import Record, record_of

PROFILE = "douzero"
"""The rules under which the games are legal, but for some."""
PASS = "0"
MOST_MOVES = 400
MOST_LINE = 1 << 16
MOST_GAMES = 1_000_000
SOURCE = "github.com/StarrySky3/experimental-result-"

PRINTED: Mapping[tuple[str, str, str], tuple[float, float, float]] = {
    ("CQL", "RHCP", "MCM"): (44.4, 21.6, 34.0),
    ("CQL", "MCM", "RHCP"): (44.8, 21.6, 33.6),
    ("RHCP", "CQL", "MCM"): (52.6, 6.4, 41.0),
    ("RHCP", "MCM", "CQL"): (46.4, 28.0, 25.6),
    ("MCM", "CQL", "RHCP"): (63.0, 6.0, 31.0),
    ("MCM", "RHCP", "CQL"): (59.2, 26.6, 14.2),
    ("MCM", "MCM", "MCM"): (56.0, 22.4, 21.6),
}
"""Landlord, down, up -> who went out how often, in %, as the paper prints it."""
PRINTED_AGAIN: Mapping[tuple[str, str, str], tuple[float, float, float]] = {
    ("CQL", "RHCP", "MCM"): (42, 19, 40),
    ("CQL", "MCM", "RHCP"): (47, 19, 34),
    ("RHCP", "CQL", "MCM"): (57, 10, 32),
    ("RHCP", "MCM", "CQL"): (52, 31, 17),
    ("MCM", "CQL", "RHCP"): (66, 8, 36),
    ("MCM", "RHCP", "CQL"): (67, 20, 13),
}
"""The paper's second table, all rows on the same deals. Rows one and five do not add up to 100."""


@dataclass(frozen=True)
class PaperGame:
    """One game of the file."""

    table: str
    file: str
    seats: tuple[str, str, str]
    moves: tuple[str, ...]
    winner: int
    """The role that went out."""
    hands: tuple[int, int, int] | None
    """As the play began, the landlord's with the bottom cards; None where the log has no deal."""
    bottom: int | None

    @property
    def name(self) -> str:
        return f"{self.table}/{self.file}"


@dataclass(frozen=True)
class Refused:
    """A game that is no record, and why."""

    name: str
    reason: str


def read_games(path: Path) -> Iterator[PaperGame | Refused]:
    """The games of the file, plain or gzip; lines that are none are named."""
    if not path.is_file():
        raise MingpaiError(f"no such file: {path}. It is not part of Mingpai: docs/data.md says where to get it")
    try:
        with path.open("rb") as raw, _opened(raw, path) as file:
            for number, line in enumerate(read_lines(file, MOST_LINE), start=1):
                if number > MOST_GAMES:
                    raise BadlyWritten(path.name, f"at most {MOST_GAMES:,} games")
                yield _read_game(line, number)
    except (OSError, EOFError) as error:
        raise MingpaiError(f"{path} cannot be read: {error}") from None


def _opened(raw: Any, path: Path) -> TextIO:
    data = gzip.GzipFile(fileobj=raw) if path.suffix == ".gz" else raw
    return io.TextIOWrapper(data, encoding="utf-8", errors="replace")


def _read_game(line: str, number: int) -> PaperGame | Refused:
    try:
        return game_from_json(read_object(line, "one game a line", MOST_LINE))
    except BadlyWritten as error:
        return Refused(f"line {number}", str(error))


def game_from_json(data: Mapping[str, Any]) -> PaperGame:
    """The game of one object. Raises BadlyWritten."""
    seats, moves = _texts(data, "seats", 3), _texts(data, "moves", MOST_MOVES)
    winner = data.get("winner")
    if len(seats) != 3 or winner not in ROLES:
        raise BadlyWritten({"seats": seats, "winner": winner}, f"three seats, and of {', '.join(ROLES)} the winner")
    hands = None
    if "hands" in data:
        held = [parse_cards(text, "LB") for text in _texts(data, "hands", 3)]
        if len(held) != 3:
            raise BadlyWritten(data["hands"], "three hands")
        hands = (held[0], held[1], held[2])
    bottom = parse_cards(str(data["bottom"]), "LB") if hands else None
    table, file = str(data.get("table", ""))[:80], str(data.get("file", ""))[:80]
    return PaperGame(table, file, (seats[0], seats[1], seats[2]), tuple(moves), ROLES.index(winner), hands, bottom)


def _texts(data: Mapping[str, Any], name: str, most: int) -> list[str]:
    texts = data.get(name)
    if not isinstance(texts, list) or len(texts) > most or not all(isinstance(text, str) for text in texts):
        raise BadlyWritten({name: texts}, f"{name}: at most {most} texts")
    return texts


def paper_record(game: PaperGame, rules: str = PROFILE) -> Record:
    """The record of a game, replayed move by move. Raises MingpaiError with the move that breaks the rules."""
    hands, bottom = (game.hands, game.bottom) if game.hands else completed_deal(game)
    assert bottom is not None
    state = GAME.start(_deck(hands, bottom), rules, {"landlord": 0})
    for number, text in enumerate(game.moves, start=1):
        if state.is_over:
            raise MingpaiError(f"move {number}: {text} after the deal was over")
        try:
            state.play(_move(text, state))
        except MingpaiError as error:
            raise MingpaiError(f"move {number}: {error}") from None
    if not state.is_over:
        raise MingpaiError("the moves end before somebody is out of cards")
    if state.hand(game.winner):
        raise MingpaiError(f"{ROLES[game.winner]} is named as the winner and still holds cards")
    tags = {"source": SOURCE, "table": game.table, "file": game.file, "deal": "logged" if game.hands else "completed"}
    return record_of(state, game.seats, tags=tags)


def _move(text: str, state: DoudizhuState) -> Any:
    """A move; of several readings the first, as the log does not say more than the cards."""
    if text == PASS:
        return GAME.parse_move("pass", state)
    cards = cards_text(parse_cards(text, "LB"))
    try:
        return GAME.parse_move(cards, state)
    except Ambiguous as error:
        return GAME.parse_move(error.readings[0], state)


def _deck(hands: tuple[int, int, int], bottom: int) -> str:
    if not native.holds(hands[0], bottom):
        raise BadlyWritten(cards_text(bottom), "bottom cards that the landlord holds")
    return "/".join(map(cards_text, (hands[0] - bottom, hands[1], hands[2], bottom)))


def completed_deal(game: PaperGame) -> tuple[tuple[int, int, int], int]:
    """A deal that agrees with what was played: the other cards go to those who still held some, the lowest first."""
    played = [0, 0, 0]
    for number, text in enumerate(game.moves):
        if text != PASS:
            played[number % 3] += parse_cards(text, "LB")
    left = native.FULL_DECK - _within_deck(played)
    for role, size in enumerate((DEALT_CARDS + BOTTOM_CARDS, DEALT_CARDS, DEALT_CARDS)):
        while native.card_count(played[role]) < size and left:
            lowest = left & -left
            card = 1 << (lowest.bit_length() - 1) // 4 * 4
            played[role] += card
            left -= card
    bottom = 0
    while native.card_count(bottom) < BOTTOM_CARDS:
        rest = played[0] - bottom
        bottom += 1 << (rest.bit_length() - 1) // 4 * 4
    return (played[0], played[1], played[2]), bottom


def _within_deck(played: list[int]) -> int:
    for rank in range(len(RANKS)):
        shift = 4 * rank
        if sum(cards >> shift & 15 for cards in played) > native.FULL_DECK >> shift & 15:
            raise MingpaiError(f"more cards of a rank are played than the deck has: {list(map(cards_text, played))}")
    return sum(played)


@dataclass(frozen=True)
class Tally:
    """The games of one seating."""

    seats: tuple[str, str, str]
    games: int
    wins: tuple[int, int, int]
    """By the role that went out."""


def tallies(games: Iterable[PaperGame]) -> list[Tally]:
    """Wins by seating, in the order of the paper."""
    counts: dict[tuple[str, str, str], Counter[int]] = {}
    for game in games:
        counts.setdefault(game.seats, Counter())[game.winner] += 1
    order = [*(seats for seats in PRINTED if seats in counts), *(seats for seats in counts if seats not in PRINTED)]
    return [
        Tally(seats, counts[seats].total(), (counts[seats][0], counts[seats][1], counts[seats][2])) for seats in order
    ]


@dataclass(frozen=True)
class HighCards:
    """Twos and jokers that the seats were dealt, before the landlord took the bottom cards: does the best hand bid?"""

    deals: int
    means: tuple[float, float, float]
    """Of the landlord, down and up, in 17 cards each."""
    error: float
    """Standard error of each mean."""

    EXPECTED: ClassVar[float] = 6 * DEALT_CARDS / 54
    """In 17 cards drawn at random."""


def high_cards(games: Iterable[PaperGame]) -> HighCards:
    """How strong the seats of the logged deals were."""
    counts = [_high_of(game.hands, game.bottom) for game in games if game.hands and game.bottom]
    if not counts:
        return HighCards(0, (0, 0, 0), 0)
    means = [fmean(column) for column in zip(*counts, strict=True)]
    everyone = [count for row in counts for count in row]
    return HighCards(len(counts), (means[0], means[1], means[2]), pstdev(everyone) / len(counts) ** 0.5)


def _high_of(hands: tuple[int, int, int], bottom: int) -> list[int]:
    return [native.card_count(hand >> 4 * RANKS.index("2")) for hand in (hands[0] - bottom, *hands[1:])]
