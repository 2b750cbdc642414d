"""What is to be drawn of a table: hands, last plays and counts by seat, read from a View's position. No rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mingpai.core.game import State, View
from mingpai.core.reasons import Language
from mingpai.web.faces import Face, doudizhu_face
from mingpai.web.texts import text


@dataclass
class SeatScene:
    """One seat."""

    name: str
    count: int
    """Cards in hand; -1 when not shown."""
    last: list[Face] = field(default_factory=list)
    """Cards of the last play of the trick."""
    said: str = ""
    """Words instead of cards: pass, a bid, a bet."""
    hand: list[Face] | None = None
    """Cards lying open; None when face down."""
    note: str = ""
    """Chips, level or score."""


@dataclass
class Scene:
    """The whole table from one seat."""

    seats: list[SeatScene]
    hand: list[Face]
    """The person's cards, sorted for picking."""
    centre: list[Face] = field(default_factory=list)
    """Bottom cards or the board."""
    status: str = ""
    buttons: list[tuple[str, str]] = field(default_factory=list)
    """Moves that are offered as buttons: (move text, label). Other moves are made by picking cards."""
    picks: bool = True
    """Whether cards are picked to make a move."""
    rest: dict[str, int] = field(default_factory=dict)
    """Card counter: cards not seen by this seat, by rank."""


ORDER = "DX2AKQJT9876543"
COPIES = {**dict.fromkeys("3456789TJQKA2", 4), "X": 1, "D": 1}


def scene(state: State, view: View, language: Language, open_cards: bool = False) -> Scene:
    """The table as this view shows it."""
    return _SCENES[view.game.name](state, view, language, open_cards)


def _doudizhu(state: State, view: View, language: Language, open_cards: bool) -> Scene:
    position = view.to_json()
    hand = sorted(position["hand"], key=ORDER.index)
    bidding = position.get("phase") == "bid"
    seats = [_doudizhu_seat(state, view, seat, position, language, open_cards) for seat in range(3)]
    made = Scene(seats, [doudizhu_face(card) for card in hand])
    made.centre = [doudizhu_face(card) for card in sorted(position.get("bottom", ""), key=ORDER.index)]
    if bidding:
        made.picks = False
        made.buttons = [(str(move), _bid_word(str(move), language)) for move in view.legal_moves()]
        made.status = text("bidding", language)
    else:
        passes = [move for move in view.legal_moves() if str(move) == "pass"]
        made.buttons = [("pass", text("pass", language))] if passes else []
        seen = list(position["hand"]) + [c for _, move in position["history"] if move != "pass" for c in _cards(move)]
        made.rest = {card: COPIES[card] - seen.count(card) for card in reversed(ORDER)}
    return made


def _doudizhu_seat(state: State, view: View, seat: int, position: dict[str, Any], language: Language,
                   open_cards: bool) -> SeatScene:  # fmt: skip
    if position.get("phase") == "bid":
        bids = [bid for who, bid in position["bids"] if who == seat]
        made = SeatScene(text("seat", language, seat=seat), 17, said=_bid_word(bids[-1], language) if bids else "")
    else:
        role = state.seat_name(seat)
        history: Sequence[tuple[str, str]] = position["history"]
        played = sum(len(_cards(move)) for who, move in history if who == role and move != "pass")
        made = SeatScene(text(f"role_{role}", language), (20 if role == "landlord" else 17) - played)
        trick = [move for who, move in _since_lead(history) if who == role]
        if trick and trick[-1] == "pass":
            made.said = text("pass", language)
        elif trick:
            made.last = [doudizhu_face(card) for card in _cards(trick[-1])]
    if open_cards and seat != view.seat:
        made.hand = [doudizhu_face(c) for c in sorted(state.view(seat).to_json()["hand"], key=ORDER.index)]
    return made


def _since_lead(history: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """The last play of each seat: at most three moves."""
    return history[-3:]


def _cards(move: str) -> str:
    return move.partition("@")[0]


def _bid_word(bid: str, language: Language) -> str:
    key = f"bid_{bid}"
    return text(key, language)


_SCENES: dict[str, Callable[[State, View, Language, bool], Scene]] = {"doudizhu": _doudizhu}
