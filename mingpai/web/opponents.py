"""The opponents of each game: names, portraits and how strong they are, from one table (`opponents.toml`)."""

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mingpai.core.reasons import Language
from mingpai.web.portraits import portrait

MIXED = ("holdem",)
"""Games in which the others at the table are those next in strength, not friends of the same."""


@dataclass(frozen=True)
class Opponent:
    """Somebody to play against."""

    key: str
    game: str
    level: int
    """From 1, the weakest."""
    spec: str
    """The program that plays for the opponent."""
    elo: int
    low: int
    high: int
    """The rating as the arena measured it, with its 95% interval."""
    names: Mapping[Language, Sequence[str]]
    """The opponent's name, then those of friends of the same strength."""
    about: Mapping[Language, str]
    look: Mapping[str, str]
    bids: str = ""
    """The program that bids for an opponent whose own one only counts high cards; empty where it bids itself."""

    def name(self, language: Language, variant: int = 0) -> str:
        names = self.names[language]
        return names[variant % len(names)]

    def picture(self, variant: int = 0) -> str:
        """Where the portrait is served."""
        return f"/portraits/{self.key}-{variant % len(self.names['en'])}.svg"

    def svg(self, variant: int = 0) -> str:
        return portrait(self.look, variant)


@functools.cache
def _table() -> dict[str, Any]:
    with Path(__file__).with_name("opponents.toml").open("rb") as file:
        return tomllib.load(file)


@functools.cache
def opponents(game: str) -> tuple[Opponent, ...]:
    """The opponents of a game, weakest first."""
    rows = enumerate(_table()[game]["opponent"], start=1)
    return tuple(Opponent(game=game, level=level, **row) for level, row in rows)


def measured(game: str, language: Language) -> tuple[str, str]:
    """What the ratings of a game are of, and the command that measured them."""
    return _table()[game]["about"][language], _table()[game]["command"]


def opponent_of(game: str, spec: str) -> Opponent | None:
    """The opponent whom a program plays for; None for programs without a face."""
    return next((one for one in opponents(game) if one.spec == spec), None) if game in _table() else None


def by_key(key: str) -> Opponent | None:
    return next((one for game in _table() for one in opponents(game) if one.key == key), None)


def company(chosen: Opponent, seats: int) -> list[str]:
    """The programs of the other seats: the opponent and friends, or those next in strength, the stronger first."""
    if chosen.game not in MIXED:
        return [chosen.spec] * seats
    others = sorted(opponents(chosen.game), key=lambda one: (abs(one.level - chosen.level), -one.level))
    return [others[seat % len(others)].spec for seat in range(seats)]


def faces(game: str, players: Sequence[str]) -> list[tuple[Opponent, int] | None]:
    """Who sits at each seat, and as the how-manieth of those with the same strength; None for anybody else."""
    seen: dict[str, int] = {}
    seated: list[tuple[Opponent, int] | None] = []
    for spec in players:
        known = opponent_of(game, spec)
        seated.append(None if known is None else (known, seen.get(spec, 0)))
        seen[spec] = seen.get(spec, 0) + 1
    return seated
