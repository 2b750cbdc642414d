"""Hands of no-limit hold'em in PokerStars' text format, read into hand histories."""

import re
from collections.abc import Iterator
from pathlib import Path

from mingpai.core.errors import BadlyWritten
from mingpai.records.handhistory import Action, Chips, HandHistory

_HEAD = re.compile(r"PokerStars (?:Zoom )?(?:Hand|Game) #(?P<number>\d+):.*Hold'em No Limit")
_BUTTON = re.compile(r"Table '(?P<table>[^']*)'.*Seat #(?P<button>\d+) is the button")
_SEAT = re.compile(r"Seat (?P<seat>\d+): (?P<name>.+) \([$€£]?(?P<chips>[\d.,]+) in chips")
_POST = re.compile(
    r"(?P<name>.+): posts (?P<what>small blind|big blind|the ante|small & big blinds) [$€£]?(?P<chips>[\d.]+)"
)
_DEALT = re.compile(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]+)\]")
_STREET = re.compile(r"\*\*\* (?P<street>FLOP|TURN|RIVER) \*\*\* .*\[(?P<cards>[^\]]+)\]$")
_ACT = re.compile(
    r"(?P<name>.+): (?P<act>folds|checks|calls|bets|raises)(?: [$€£]?(?P<first>[\d.]+))?(?: to [$€£]?(?P<to>[\d.]+))?"
)
_SHOWS = re.compile(r"(?P<name>.+?)(?:: shows|: mucks| mucked| showed) \[(?P<cards>[^\]]+)\]")
_COLLECTED = re.compile(r"(?P<name>.+) collected [$€£]?(?P<chips>[\d.]+) from")
_RETURNED = re.compile(r"Uncalled bet \([$€£]?(?P<chips>[\d.]+)\) returned to (?P<name>.+)")
_STREETS = {"FLOP": 1, "TURN": 2, "RIVER": 3}


def read_pokerstars(path: Path) -> Iterator[HandHistory]:
    """The hands of a text file, one after another."""
    text = path.read_text(encoding="utf-8-sig")
    for part in re.split(r"\n\s*\n(?=PokerStars )", text.strip()):
        if part.strip():
            yield parse_pokerstars(part)


def parse_pokerstars(text: str) -> HandHistory:
    """One hand. Raises BadlyWritten for anything but no-limit hold'em of PokerStars."""
    return _Reader(text).history()


class _Reader:
    def __init__(self, text: str) -> None:
        self.lines = [line.strip() for line in text.splitlines() if line.strip()]
        head = _HEAD.match(self.lines[0]) if self.lines else None
        if head is None:
            raise BadlyWritten(self.lines[0] if self.lines else "", "a PokerStars hand of Hold'em No Limit")
        self.number = head["number"]
        self.button = -1
        self.table = ""
        self.seats: dict[int, tuple[str, Chips]] = {}
        self._read_seats()
        self.order = self._order()
        self.place = {self.seats[seat][0]: index for index, seat in enumerate(self.order)}
        self.stacks = [self.seats[seat][1] for seat in self.order]
        self.posts: list[Chips] = [0] * len(self.order)
        self.antes: list[Chips] = [0] * len(self.order)
        self.bets: list[Chips] = [0] * len(self.order)
        self.left = list(self.stacks)
        self.hole: list[str | None] = [None] * len(self.order)
        self.board, self.street = "", 0
        self.actions: list[Action] = []

    def _read_seats(self) -> None:
        for line in self.lines[1:]:
            if found := _BUTTON.match(line):
                self.button, self.table = int(found["button"]), found["table"]
            elif found := _SEAT.match(line):
                self.seats[int(found["seat"])] = (found["name"], _chips(found["chips"].replace(",", "")))
            elif line.startswith("***"):
                break
        if self.button < 0 or len(self.seats) < 2:
            raise BadlyWritten(self.lines[0], "a table with a button and at least two seats")

    def _order(self) -> list[int]:
        numbers = sorted(self.seats)
        return sorted(numbers, key=lambda seat: (seat <= self.button, seat))

    def history(self) -> HandHistory:
        for line in self.lines[1:]:
            if line.startswith("*** SUMMARY"):
                break
            self._line(line)
        return HandHistory(
            stacks=tuple(self.stacks), posts=tuple(self.posts), antes=tuple(self.antes), actions=tuple(self.actions),
            board=self.board, hole=tuple(self.hole), players=tuple(self.seats[seat][0] for seat in self.order),
            finishing=tuple(_rounded(chips) for chips in self.left), source=f"{self.table}/{self.number}",
        )  # fmt: skip

    def _line(self, line: str) -> None:
        if found := _STREET.match(line):
            self.street = _STREETS[found["street"]]
            self.board += found["cards"].replace(" ", "")
            self.bets = [0] * len(self.order)
        elif found := _POST.match(line):
            self._post(self.place[found["name"]], found["what"], _chips(found["chips"]))
        elif (found := _DEALT.match(line)) or (found := _SHOWS.match(line)):
            if found["name"] in self.place:
                self.hole[self.place[found["name"]]] = found["cards"].replace(" ", "")
        elif ((found := _COLLECTED.match(line)) and found["name"] in self.place) or (found := _RETURNED.match(line)):
            self.left[self.place[found["name"]]] += _chips(found["chips"])
        elif (found := _ACT.match(line)) and found["name"] in self.place:
            self._act(found)

    def _post(self, seat: int, what: str, chips: Chips) -> None:
        self.left[seat] -= chips
        if what == "the ante":
            self.antes[seat] = chips
        else:
            self.posts[seat] = chips
            self.bets[seat] += chips

    def _act(self, found: "re.Match[str]") -> None:
        seat, act = self.place[found["name"]], found["act"]
        if act == "folds":
            self.actions.append(Action(self.street, seat, "fold"))
        elif act in ("checks", "calls"):
            paid = _chips(found["first"] or "0")
            self._pay(seat, self.bets[seat] + paid)
            self.actions.append(Action(self.street, seat, "call"))
        else:
            to = _chips(found["to"] or found["first"] or "0")
            self._pay(seat, to)
            self.actions.append(Action(self.street, seat, "raise", to))

    def _pay(self, seat: int, to: Chips) -> None:
        self.left[seat] -= to - self.bets[seat]
        self.bets[seat] = to


def _chips(text: str) -> Chips:
    return int(text) if text.isdigit() else float(text)


def _rounded(chips: Chips) -> Chips:
    return chips if isinstance(chips, int) else round(chips, 2)
