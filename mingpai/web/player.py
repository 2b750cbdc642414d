"""What is kept of the person at a browser: ratings, finished dailies. One small file each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mingpai.web import home
from mingpai.web.daily import streak, today
from mingpai.web.opponents import opponent_of
from mingpai.web.rating import Standing, deal_score, match_score
from mingpai.web.table import Table

MOST_DAYS = 800
"""Finished dailies that are remembered."""


@dataclass
class Player:
    """A browser's person."""

    who: str
    ratings: dict[str, Standing] = field(default_factory=dict)
    last: dict[str, Any] = field(default_factory=dict)
    """What the deal finished last did to the rating: its record's key, before, after, or why nothing."""
    daily: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Per kind (a game, or puzzle): day -> how it ended."""

    @classmethod
    def of(cls, who: str) -> "Player":
        """What is kept of a browser's person."""
        kept = home.load(_file(who))
        data: Mapping[str, Any] = kept if isinstance(kept, dict) else {}
        ratings = {game: Standing.from_json(told) for game, told in dict(data.get("ratings") or {}).items()}
        return cls(who, ratings, dict(data.get("last") or {}), dict(data.get("daily") or {}))

    def save(self) -> None:
        ratings = {game: standing.to_json() for game, standing in self.ratings.items()}
        home.save(_file(self.who), {"ratings": ratings, "last": self.last, "daily": self.daily})

    def standing(self, game: str) -> Standing:
        return self.ratings.get(game, Standing())

    def finish_deal(self, table: Table) -> None:
        """A deal was finished and recorded: rate it where it counts, and note the daily."""
        game, before = table.order.game, self.standing(table.order.game)
        why, score = self._score(table, before.elo)
        self.last = {"key": table.saved_key, "before": before.elo, "after": before.elo, "why": why}
        if score is not None:
            self.ratings[game] = before.after(*score)
            self.last["after"] = self.ratings[game].elo
        if day := table.tags.get("daily"):
            points = table.state.points()[table.seat]
            self.finish_daily(game, str(day), {"points": points, "alone": table.is_fair})
        else:
            self.save()

    def _score(self, table: Table, own: float) -> tuple[str, tuple[float, float] | None]:
        """Why a deal does not count (a key of the texts), or what was scored and expected."""
        ratings = ratings_at(table, own)
        if ratings is None:
            return "unrated_program", None
        if not table.is_fair:
            return "unrated_helped", None
        if table.order.game != "holdem":
            return "", deal_score(table.state, table.seat, ratings)
        if table.match is None:
            return "unrated_hand", None
        return ("", match_score(table.match, table.seat, ratings)) if table.match.is_over else ("unrated_yet", None)

    def finish_daily(self, kind: str, day: str, how: Mapping[str, Any]) -> None:
        """Note the first end of a day's deal or puzzle; later tries change nothing."""
        days = self.daily.setdefault(kind, {})
        days.setdefault(day, dict(how))
        for old in sorted(days)[:-MOST_DAYS]:
            del days[old]
        self.save()

    def streak(self, puzzles: bool) -> int:
        """Days in a row with a solved puzzle, or with a finished deal of any game; without help."""
        kinds = [days for kind, days in self.daily.items() if (kind == "puzzle") is puzzles]
        return streak((day for days in kinds for day, how in days.items() if how.get("alone")), today())


def ratings_at(table: Table, own: float) -> dict[int, float] | None:
    """The rating of every seat; None where somebody has none."""
    ratings = {table.seat: own}
    for seat, spec in enumerate(table.players()):
        if seat != table.seat:
            known = opponent_of(table.order.game, spec)
            if known is None:
                return None
            ratings[seat] = float(known.elo)
    return ratings


def _file(who: str) -> str:
    return f"players/{who}.json"
