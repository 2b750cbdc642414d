"""How a deal ended, in words: the result, how the score came about, who finished how. For the sheet at the end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mingpai.core.game import State
from mingpai.core.reasons import Language
from mingpai.games.doudizhu.moves import Bid, Move, Type
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.games.guandan.state import GuandanState
from mingpai.games.holdem.equity import category_of, rank_of
from mingpai.games.holdem.state import HoldemState
from mingpai.web.texts import signed, text


@dataclass
class Ending:
    """The end of a deal as one seat sees it."""

    title: str
    points: float
    details: list[tuple[str, str]] = field(default_factory=list)
    """How the score came about: (what, how much)."""
    seats: list[tuple[str, str]] = field(default_factory=list)
    """Each seat and what it won: (name, points)."""

    def to_json(self) -> dict[str, Any]:
        mood = "won" if self.points > 0 else "lost" if self.points < 0 else "even"
        return {"title": self.title, "mood": mood, "details": self.details, "seats": self.seats}


def ending(state: State, seat: int, word: Callable[[object], str], language: Language) -> Ending:
    """The sheet of a deal that is over; `word` names the seats."""
    points = state.points()
    mine = points[seat]
    key = "sheet_won" if mine > 0 else "sheet_lost" if mine < 0 else "even"
    made = Ending(text(key, language), mine, _DETAILS[state.game.name](state, seat, word, language))
    made.seats = [(word(number), signed(won)) for number, won in enumerate(points)]
    return made


def _doudizhu(state: State, seat: int, word: Callable[[object], str], language: Language) -> list[tuple[str, str]]:
    """The bid, and each bomb, rocket and spring that doubled it."""
    assert isinstance(state, DoudizhuState)
    if state.landlord is None:
        return [(text("all_passed", language), "0")]
    has_bid = any(isinstance(move, Bid) for _, move in state.moves())
    rows = [(text("base_bid", language), str(max(1, state.native.status.bid)))] if has_bid else []
    rules = state.rule_set.native
    for who, move in state.moves() if state.native.status.bomb_doublings(rules) else ():
        if isinstance(move, Move) and move.is_bomb:
            name = text("burst_rocket" if move.type == Type.ROCKET else "burst_bomb", language)
            rows.append((f"{name} {word(who)}", "× 2"))
    if state.native.status.doublings(rules) > state.native.status.bomb_doublings(rules):
        rows.append((text("spring", language), "× 2"))
    stake = min(abs(points) for points in state.points())
    return [*rows, (text("multiplier_total", language), f"{stake:g}")]


def _guandan(state: State, seat: int, word: Callable[[object], str], language: Language) -> list[tuple[str, str]]:
    """Who went out when, and how many levels that is worth."""
    assert isinstance(state, GuandanState)
    order: Sequence[int] = state.native.order
    left = [other for other in range(4) if other not in order]
    rows = [(text(f"place_{n}", language), word(who)) for n, who in enumerate([*order, *left][:4], start=1)]
    levels = int(abs(state.points()[seat]))
    return [*rows, (text("levels_up", language), text(f"up_{levels}", language) if 1 <= levels <= 3 else str(levels))]


def _holdem(state: State, seat: int, word: Callable[[object], str], language: Language) -> list[tuple[str, str]]:
    """The pots, and what was shown."""
    assert isinstance(state, HoldemState)
    rows = [(text("pot_row", language), str(state.pot))]
    shown: Mapping[int, str] = dict(state.view(seat).to_json().get("shown", []))
    if len(state.live_seats) > 1 and len(state.board) == 5:
        for other in state.live_seats:
            hole = state.hand(other)
            if hole is not None and (other in shown or other == seat):
                category = category_of(rank_of([*hole, *state.board]))
                rows.append((word(other), text(f"hand_{category.name.lower()}", language)))
    return rows


_DETAILS: Mapping[str, Callable[[State, int, Callable[[object], str], Language], list[tuple[str, str]]]] = {
    "doudizhu": _doudizhu,
    "guandan": _guandan,
    "holdem": _holdem,
}
