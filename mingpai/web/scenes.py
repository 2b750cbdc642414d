"""What is to be drawn of a table: hands, last plays and counts by seat, read from a View's position. No rules."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mingpai.core.game import State, View
from mingpai.core.reasons import Language
from mingpai.games.guandan.view import GuandanView
from mingpai.games.holdem.state import HoldemState
from mingpai.web.faces import Face, doudizhu_face, suited_face
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
    types_amount: bool = False
    """Whether an amount may be typed: a raise of any size."""
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


def _guandan(state: State, view: View, language: Language, open_cards: bool) -> Scene:
    position = view.to_json()
    level = str(position["level"])
    history: Sequence[tuple[int, str]] = position["history"]
    counts = view.counts if isinstance(view, GuandanView) else ()
    seats = []
    for seat, count in enumerate(counts):
        made = SeatScene(text("seat", language, seat=seat), count, note=_team(seat, view.seat, language))
        last = next((move for who, move in reversed(history[-4:]) if who == seat), "")
        if last == "pass":
            made.said = text("pass", language)
        elif last and not count:
            made.said = text("finished", language)
        if last and last != "pass":
            made.last = [_guandan_face(card, level) for card in _two_letters(last)]
        if open_cards and seat != view.seat:
            made.hand = _guandan_hand(str(state.view(seat).to_json()["hand"]), level)
        seats.append(made)
    made_scene = Scene(seats, _guandan_hand(str(position["hand"]), level), status=text("level", language, level=level))
    moves = [str(move) for move in view.legal_moves()]
    if "pass" in moves:
        made_scene.buttons = [("pass", text("pass", language))]
    return made_scene


def _team(seat: int, mine: int, language: Language) -> str:
    return text("partners" if seat % 2 == mine % 2 else "rivals", language)


def _two_letters(cards: str) -> list[str]:
    """The cards of a play: suit and rank each; what a wild card stands for is left out."""
    return re.findall(r"(?:SB|HR|[SHDC][A23456789TJQK])", re.sub(r"=[A23456789TJQK]", "", cards))


def _guandan_face(card: str, level: str) -> Face:
    if card in ("SB", "HR"):
        return Face(card, "小" if card == "SB" else "大")
    mark = "wild" if card == "H" + level else "level" if card[1] == level else ""
    return suited_face(card[1], card[0], card, mark)


GUANDAN_ORDER = "23456789TJQKA"


def _guandan_hand(cards: str, level: str) -> list[Face]:
    def strength(card: str) -> tuple[int, str]:
        if card in ("SB", "HR"):
            return (20 + (card == "HR"), card)
        return (15 if card[1] == level else GUANDAN_ORDER.index(card[1]), card[0])

    return [_guandan_face(card, level) for card in sorted(_two_letters(cards), key=strength, reverse=True)]


def _holdem(state: State, view: View, language: Language, open_cards: bool) -> Scene:
    position = view.to_json()
    assert isinstance(state, HoldemState)
    seats = []
    for seat in range(state.seats):
        made = SeatScene(text("seat", language, seat=seat), -1, note=text("chips", language, chips=state.stacks[seat]))
        mine = [move for who, move in position["history"] if who == seat]
        made.said = _bet_word(mine[-1], language) if mine else ""
        if seat == position["button"]:
            made.name += " Ⓓ"
        shown = dict(position.get("shown", []))
        if seat in shown or (open_cards and seat != view.seat):
            made.hand = _holdem_faces(shown.get(seat) or str(state.view(seat).to_json()["hand"]))
        seats.append(made)
    scene_made = Scene(seats, _holdem_faces(str(position["hand"])), _holdem_faces(str(position["board"])), picks=False)
    scene_made.status = text("pot", language, pot=state.pot)
    scene_made.buttons = [(str(move), _bet_word(str(move), language)) for move in view.legal_moves()]
    scene_made.types_amount = any(str(move).startswith("raise") for move in view.legal_moves())
    return scene_made


def _bet_word(move: str, language: Language) -> str:
    word, _, amount = move.partition(" ")
    return f"{text(word, language)} {amount}".strip()


def _holdem_faces(cards: str) -> list[Face]:
    pairs = re.findall(r"([2-9TJQKA])([shdc])", cards)
    return [suited_face(rank, suit.upper(), rank + suit) for rank, suit in pairs]


_SCENES: dict[str, Callable[[State, View, Language, bool], Scene]] = {
    "doudizhu": _doudizhu,
    "guandan": _guandan,
    "holdem": _holdem,
}
