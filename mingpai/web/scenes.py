"""What is to be drawn of a table: hands, last plays and counts by seat, read from a View's position. No rules."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from mingpai.core.game import State, View
from mingpai.core.reasons import Language
from mingpai.games.doudizhu import notation as doudizhu
from mingpai.games.doudizhu.moves import PASS, Move
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.games.guandan import notation
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
    """Chips, team or score."""
    sign: str = ""
    """One or two letters for the seat."""
    is_boss: bool = False
    """Landlord, or dealer."""
    is_out: bool = False
    """Has no more part in the deal."""


@dataclass
class Scene:
    """The whole table from one seat."""

    seats: list[SeatScene]
    hand: list[Face]
    """The person's cards, sorted for picking."""
    around: list[int] = field(default_factory=list)
    """The other seats from left to right."""
    centre: list[Face] = field(default_factory=list)
    """Bottom cards or the board."""
    centre_is_big: bool = False
    facts: list[str] = field(default_factory=list)
    """Pot, level, multiplier: short words for the middle of the table."""
    status: str = ""
    """What the person is to do."""
    buttons: list[tuple[str, str]] = field(default_factory=list)
    """Moves that are offered as buttons: (move text, label). Other moves are made by picking cards."""
    picks: bool = True
    """Whether cards are picked to make a move."""
    types_amount: bool = False
    """Whether an amount may be typed: a raise of any size."""
    rest: dict[str, int] = field(default_factory=dict)
    """Card counter: cards not seen by this seat, by rank."""


def scene(state: State, view: View, language: Language, open_cards: bool = False) -> Scene:
    """The table as this view shows it."""
    made = _SCENES[view.game.name](state, view, language, open_cards)
    turn = state.to_move
    if turn is not None and view.game.name != "holdem":
        made.seats[turn].last, made.seats[turn].said = [], ""
    return made


def _doudizhu(state: State, view: View, language: Language, open_cards: bool) -> Scene:
    assert isinstance(view, DoudizhuView)
    seats = [_doudizhu_seat(state, view, seat, language, open_cards) for seat in range(3)]
    made = Scene(seats, _doudizhu_faces(view.hand), [(view.seat - 1) % 3, (view.seat + 1) % 3])
    made.centre = _doudizhu_faces(view.native.bottom)
    moves = view.legal_moves()
    if view.landlord is None:
        made.picks = False
        made.buttons = [(str(move), _bid_word(str(move), language)) for move in moves]
        made.status = text("bidding", language)
        return made
    passes = PASS in moves
    made.buttons = [("pass", text("pass", language))] if passes else []
    made.status = "" if not moves else text("follow_or_pass" if passes else "lead", language)
    known = 0 if view.landlord == view.seat else view.native.known_of_landlord()
    rest = doudizhu.cards_text(view.native.unseen(view.deck) + known)
    made.rest = {card: rest.count(card) for card in doudizhu.RANKS}
    bombs = view.native.status.bombs
    made.facts = [text("bombs", language, bombs=bombs)] if bombs else []
    return made


def _doudizhu_seat(state: State, view: DoudizhuView, seat: int, language: Language, open_cards: bool) -> SeatScene:
    moves = [str(move) for who, move in view.moves()[-3:] if who == seat]
    last = moves[-1] if moves else ""
    if view.landlord is None:
        made = SeatScene(text("seat", language, seat=seat), view.counts[seat], sign=str(seat))
        made.said = _bid_word(last, language) if last else ""
    else:
        role = state.seat_name(seat)
        made = SeatScene(text(f"role_{role}", language), view.counts[seat], sign=text(f"sign_{role}", language))
        made.is_boss = role == "landlord"
        plays = [move for who, move in view.moves()[-3:] if who == seat and isinstance(move, Move)]
        if plays and plays[-1].is_pass:
            made.said = text("pass", language)
        elif plays:
            made.last = _doudizhu_faces(plays[-1].cards)
    if open_cards and seat != view.seat:
        made.hand = _doudizhu_faces(cast(DoudizhuView, state.view(seat)).hand)
    return made


def _doudizhu_faces(cards: int) -> list[Face]:
    """Cards from high to low."""
    return [doudizhu_face(card) for card in reversed(doudizhu.cards_text(cards))]


def _bid_word(bid: str, language: Language) -> str:
    return text(f"bid_{bid}", language)


def _guandan(state: State, view: View, language: Language, open_cards: bool) -> Scene:
    assert isinstance(view, GuandanView)
    position = view.to_json()
    level = str(position["level"])
    history: Sequence[tuple[int, str]] = position["history"]
    places = {seat: place for place, seat in enumerate(view.native.order, start=1)}
    seats = []
    for seat, count in enumerate(view.counts):
        made = SeatScene(text("seat", language, seat=seat), count, note=_team(seat, view.seat, language))
        made.sign, made.is_boss, made.is_out = str(seat), seat % 2 == view.seat % 2, not count
        last = next((move for who, move in reversed(history[-4:]) if who == seat), "")
        if seat in places and not count:
            made.said = text("place", language, place=places[seat])
        elif last == "pass":
            made.said = text("pass", language)
        if last and last != "pass":
            made.last = [_guandan_face(card, level) for card in _two_letters(last)]
        if open_cards and seat != view.seat:
            made.hand = _guandan_hand(str(state.view(seat).to_json()["hand"]), level)
        seats.append(made)
    around = [(view.seat + step) % 4 for step in (3, 2, 1)]
    made_scene = Scene(seats, _guandan_hand(str(position["hand"]), level), around)
    made_scene.facts = [text("level", language, level=level.replace("T", "10"))]
    if position.get("resisted"):
        made_scene.facts.append(text("resisted", language))
    moves = [str(move) for move in view.legal_moves()]
    passes = "pass" in moves
    made_scene.buttons = [("pass", text("pass", language))] if passes else []
    if view.phase in _EXCHANGE:
        made_scene.status = text(_EXCHANGE[view.phase], language)
    elif moves:
        made_scene.status = text("follow_or_pass" if passes else "lead", language)
    unseen = [card if card in ("SB", "HR") else card[1] for card in _two_letters(notation.cards_text(view.unseen))]
    made_scene.rest = {rank: unseen.count(rank) for rank in ("HR", "SB", *"AKQJT98765432")}
    return made_scene


_EXCHANGE = {notation.Phase.TRIBUTE: "tribute_due", notation.Phase.RETURN: "return_due"}


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
    dealt, live = set(state.dealt_seats), set(state.live_seats)
    shown = dict(position.get("shown", []))
    seats = []
    for seat in range(state.seats):
        made = SeatScene(text("seat", language, seat=seat), -1, note=text("chips", language, chips=state.stacks[seat]))
        mine = [move for who, move in position["history"] if who == seat]
        made.said = _bet_word(mine[-1], language) if mine else ""
        made.sign = state.position_name(seat) if seat in dealt else "–"
        made.name += f" · {made.sign}" if seat in dealt else ""
        made.is_boss, made.is_out = seat == position["button"], seat not in live
        if seat in dealt and (seat in shown or (open_cards and seat != view.seat)):
            made.hand = _holdem_faces(shown.get(seat) or str(state.view(seat).to_json()["hand"]))
        if not mine and state.bets[seat]:
            made.said = text("posted", language, chips=state.bets[seat])
        if seat not in dealt:
            made.said = text("not_dealt", language)
        seats.append(made)
    around = [(view.seat + step) % state.seats for step in range(1, state.seats)]
    hand = _holdem_faces(str(position["hand"])) if view.seat in dealt else []
    scene_made = Scene(seats, hand, around, _holdem_faces(str(position["board"])), picks=False, centre_is_big=True)
    small, big = state.blinds
    scene_made.facts = [text("pot", language, pot=state.pot), text("blinds", language, small=small, big=big)]
    scene_made.buttons = [(str(move), _bet_button(str(move), state, language)) for move in view.legal_moves()]
    scene_made.types_amount = any(str(move).startswith("raise") for move in view.legal_moves())
    return scene_made


def _bet_button(move: str, state: HoldemState, language: Language) -> str:
    """The word of a move, with its price."""
    word = _bet_word(move, language)
    bounds = state.raise_bounds
    if move == "call":
        return f"{word} {state.to_call}"
    if bounds is not None and move == f"raise {bounds[1]}":
        return text("all_in", language, chips=bounds[1])
    return word


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
