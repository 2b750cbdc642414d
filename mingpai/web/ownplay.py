"""How the person at a browser has done: tallies by part and by opponent, from the recorded deals."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from mingpai.records.record import Record
from mingpai.web.opponents import opponent_of
from mingpai.web.table import PERSON


@dataclass
class Tally:
    """Deals of one kind."""

    deals: int = 0
    won: int = 0
    points: float = 0.0

    def add(self, has_won: bool, points: float) -> None:
        self.deals += 1
        self.won += has_won
        self.points += points


@dataclass
class OwnPlay:
    """One game: all deals, then by the part that the person had, and by the strongest opponent at the table."""

    total: Tally = field(default_factory=Tally)
    parts: dict[str, Tally] = field(default_factory=dict)
    opponents: dict[str, Tally] = field(default_factory=dict)
    """By key of the opponent."""

    def add(self, record: Record) -> None:
        assert record.points is not None
        seat = record.players.index(PERSON)
        told = seat in record.winners, record.points[seat]
        self.total.add(*told)
        if record.game == "doudizhu":
            part = "landlord" if record.seats[seat] == "landlord" else "farmer"
            self.parts.setdefault(part, Tally()).add(*told)
        known = [one for spec in record.players if (one := opponent_of(record.game, spec)) is not None]
        if known:
            self.opponents.setdefault(max(known, key=lambda one: one.level).key, Tally()).add(*told)


def own_plays(records: Iterable[Record]) -> dict[str, OwnPlay]:
    """The finished deals that a person played, by game."""
    made: dict[str, OwnPlay] = {}
    for record in records:
        if PERSON in record.players and record.points is not None and not {"autopilot", "again"} & set(record.tags):
            made.setdefault(record.game, OwnPlay()).add(record)
    return made
