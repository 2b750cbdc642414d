"""The deal and the puzzle of the day, from the date alone: the same for everybody."""

import datetime
from collections.abc import Iterable

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.random import seed_of
from mingpai.web.opponents import company, opponents
from mingpai.web.table import Order

LEVEL = 4
"""The opponents of the daily deal."""
SEATS = {"doudizhu": 3, "guandan": 4, "holdem": 2}
DIFFICULTIES = (1, 2, 3, 2, 3, 4, 5)
"""Of the puzzle, from Monday to Sunday."""


def today() -> str:
    """The date in UTC, so that the day is the same everywhere."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def daily_seed(kind: str, day: str) -> int:
    return seed_of(0, "daily", kind, day) % 2**31


def daily_order(game: str, day: str, helper: str) -> Order:
    """The deal of a day: no bidding at Dou Dizhu, so that everybody has the same part in it."""
    seats = SEATS[game]
    settings = {"seats": seats} if game == "holdem" else dict(REGISTRY.game(game).play_only)
    return Order(game, agents=tuple(company(opponents(game)[LEVEL - 1], seats - 1)), seed=daily_seed(game, day),
                 settings=settings, helper=helper)  # fmt: skip


def daily_puzzle(day: str) -> tuple[int, int]:
    """Difficulty and seed of the puzzle of a day."""
    return DIFFICULTIES[datetime.date.fromisoformat(day).weekday()], daily_seed("puzzle", day)


def streak(days: Iterable[str], day: str) -> int:
    """How many days in a row up to this one, or to the day before if this one is still open."""
    done = set(days)
    at = datetime.date.fromisoformat(day)
    if day not in done:
        at -= datetime.timedelta(days=1)
    count = 0
    while at.isoformat() in done:
        count, at = count + 1, at - datetime.timedelta(days=1)
    return count
