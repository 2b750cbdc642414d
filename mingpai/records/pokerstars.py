"""PokerStars hand histories (English text, no-limit hold'em) to records.

Amounts with cents become whole numbers of cents. Hands that are not shown are filled in so that those win who collected
the pot; the rake is not part of the record. Dead blinds and hands run twice are refused.
"""

import re
from types import SimpleNamespace
from typing import Any

from mingpai.core.errors import BadlyWritten
from mingpai.core.reading import read_number, read_whole
from mingpai.games.holdem import HoldemState
from mingpai.records.phh import HistoryReader, PhhHand

RULES = "standard"
_MONEY = r"[^\d\s(]?(?P<{}>\d[\d,]*(?:\.\d+)?)"
_START = re.compile(r"(?=^PokerStars [^\n]*Hand #)", re.MULTILINE)
_HEADER = re.compile(
    r"Hand #(?P<hand>\d+):.*Hold'em No Limit.*?\(" + _MONEY.format("small") + "/" + _MONEY.format("big")
)
_BUTTON = re.compile(r"Seat #(?P<seat>\d+) is the button")
_SEAT = re.compile(
    r"^Seat (?P<seat>\d+): (?P<player>.+) \(" + _MONEY.format("chips") + r" in chips[^)]*\)(?P<rest>.*)$"
)
_POST = re.compile(r"^(?P<player>.+): posts (?P<what>small blind|big blind|the ante) " + _MONEY.format("chips"))
_DEAD = re.compile(r"posts small & big blinds|\*\*\* (?:FIRST|SECOND) ")
_MOVE = re.compile(r"^(?P<player>.+): (?P<verb>folds|checks|calls|bets|raises)\b(?P<rest>.*)$")
_TO = re.compile(r"to " + _MONEY.format("chips"))
_BET = re.compile(_MONEY.format("chips"))
_BOARD = re.compile(r"^\*\*\* (?:FLOP|TURN|RIVER) \*\*\* .*\[(?P<cards>[^\]]+)\]$")
_DEALT = re.compile(r"^Dealt to (?P<player>.+) \[(?P<cards>.{5})\]$")
_SHOWS = re.compile(r"^(?P<player>.+): shows \[(?P<cards>.{5})\]")
_MUCKED = re.compile(r"^Seat \d+: (?P<player>.+?)(?: \([a-z ]+\))* (?:mucked|showed) \[(?P<cards>.{5})\]")
_COLLECTED = re.compile(r"^(?P<player>.+) collected ")


def split_hands(text: str) -> list[str]:
    """The hands of a file."""
    return [part for part in _START.split(text.replace("\r", "").lstrip("\ufeff")) if part.strip()]


def read(text: str) -> PhhHand:
    """The record of one hand of the text."""
    return _Hand(text).read()


class _Hand:
    def __init__(self, text: str) -> None:
        self.lines = [line.strip() for line in text.splitlines() if line.strip()]
        header, button = _HEADER.search(text), _BUTTON.search(text)
        if header is None or button is None:
            raise BadlyWritten(self.lines[0] if self.lines else text, "a PokerStars hand of no-limit hold'em")
        if _DEAD.search(text):
            raise BadlyWritten(header["hand"], "a hand without dead blinds, run once")
        self.number = read_whole(header["hand"], "the number of the hand")
        self.blinds = [header["small"], header["big"]]
        self.scale = 100 if re.search(r"\d\.\d", text) else 1
        self.chips: dict[str, str] = {}
        self.posts: dict[str, list[str]] = {"small blind": [], "big blind": [], "the ante": []}
        self.ante = "0"
        self.winners: set[str] = set()
        self.actions: list[tuple[str, str]] = []
        self.cards: dict[str, str] = {}
        for line in self.lines:
            self._take(line)

    def _take(self, line: str) -> None:
        if match := _SEAT.match(line):
            if "sitting out" not in match["rest"]:
                self.chips[match["player"]] = match["chips"]
        elif match := _POST.match(line):
            self.posts[match["what"]].append(match["player"])
            self.ante = match["chips"] if match["what"] == "the ante" else self.ante
        elif match := _BOARD.match(line):
            self.actions.append(("", f"db {match['cards'].replace(' ', '')}"))
        elif (match := _DEALT.match(line)) or (match := _SHOWS.match(line)) or (match := _MUCKED.match(line)):
            self.cards[match["player"]] = match["cards"].replace(" ", "")
        elif match := _MOVE.match(line):
            self.actions.append((match["player"], self._move(match["verb"], match["rest"])))
        elif match := _COLLECTED.match(line):
            self.winners.add(match["player"])

    def _move(self, verb: str, rest: str) -> str:
        if verb == "folds":
            return "f"
        if verb in ("checks", "calls"):
            return "cc"
        amount = _TO.search(rest) if verb == "raises" else _BET.search(rest)
        if amount is None:
            raise BadlyWritten(f"{verb}{rest}", "an amount")
        return f"cbr {self._units(amount['chips'])}"

    def _units(self, amount: str) -> int:
        units = read_number(amount.replace(",", ""), "an amount") * self.scale
        if abs(units - round(units)) > 1e-6:
            raise BadlyWritten(amount, "an amount in whole cents")
        return round(units)

    def _order(self) -> list[str]:
        """The players from the first after the button on; heads-up the big blind is first."""
        players, small = list(self.chips), self.posts["small blind"]
        if len(small) != 1 or small[0] not in players:
            raise BadlyWritten(small, "one player who posts the small blind")
        turn = players.index(small[0])
        order = [*players[turn:], *players[:turn]]
        return order[::-1] if len(order) == 2 else order

    def read(self) -> PhhHand:
        order = self._order()
        strangers = ({who for who, _ in self.actions if who} | self.winners) - set(order)
        if strangers:
            raise BadlyWritten(sorted(strangers)[0], "a player who has a seat in this hand")
        number = {player: f"p{place + 1}" for place, player in enumerate(order)}
        deals = [f"d dh {number[player]} {self.cards.get(player, '????')}" for player in order]
        moves = [f"d {what}" if not who else f"{number[who]} {what}" for who, what in self.actions]
        history = SimpleNamespace(
            starting_stacks=[self._units(self.chips[player]) for player in order],
            finishing_stacks=None,
            antes=[self._units(self.ante)] * len(order),
            blinds_or_straddles=[self._units(blind) for blind in self.blinds],
            actions=deals + moves,
            players=order,
            hand=self.number,
            user_defined_fields={"_source": "PokerStars"},
        )
        return _Reader(history, {order.index(player) for player in self.winners}).read()


class _Reader(HistoryReader):
    """Right is the hand in which those win who collected."""

    def __init__(self, history: Any, winners: set[int]) -> None:
        super().__init__(history, RULES)
        self.winners = winners

    def is_right(self, state: HoldemState) -> bool:
        won = {seat for pot in state.native.pots() for seat in pot.winners}
        return not self.winners or won == self.winners
