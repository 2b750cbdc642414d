"""What is to be drawn of a table: hands, last plays and counts by seat, read from a View. No rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from mingpai._native import guandan as native_guandan
from mingpai._native.doudizhu import Bidding
from mingpai.core.game import State, View
from mingpai.core.reasons import Language
from mingpai.games.doudizhu import notation as doudizhu
from mingpai.games.doudizhu.moves import PASS, Bid, Move, Type
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.games.guandan import moves as guandan_moves
from mingpai.games.guandan import notation
from mingpai.games.guandan.view import GuandanView
from mingpai.games.holdem.state import HoldemState
from mingpai.web.faces import Face, doudizhu_face
from mingpai.web.moves import bid_word, faces_of, move_faces, move_word
from mingpai.web.seats import direction, place
from mingpai.web.texts import text


@dataclass
class SeatScene:
    """What is drawn of one seat: its cards, what it said last, its marks."""

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
    bet: str = ""
    """Chips that lie before the seat."""
    is_boss: bool = False
    """Landlord, or dealer."""
    is_mate: bool = False
    is_out: bool = False
    """Has no more part in the deal."""


@dataclass
class Bets:
    """What may be bet: the slider of hold'em."""

    least: float
    most: float
    step: float
    shares: list[tuple[str, float]]
    """Amounts offered by name: shares of the pot, all-in."""

    def to_json(self) -> dict[str, Any]:
        return {"least": self.least, "most": self.most, "step": self.step, "shares": self.shares}


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
    facts: list[str] = field(default_factory=list)
    """Pot, level, multiplier: short words for the middle of the table."""
    status: str = ""
    """What the person is to do."""
    buttons: list[tuple[str, str]] = field(default_factory=list)
    """Moves that are offered as buttons: (move text, label). Other moves are made by picking cards."""
    picks: bool = True
    """Whether cards are picked to make a move."""
    bets: Bets | None = None
    """The amounts of a raise, if one may raise."""
    rest: dict[str, int] = field(default_factory=dict)
    """Card counter: cards not seen by this seat, by the rank as it is shown."""
    burst: str = ""
    """A word for a last play that is felt: bomb, rocket."""
    flushes: list[list[str]] = field(default_factory=list)
    """Guandan: the straight flushes in the hand, as codes of cards."""


def scene(state: State, view: View, language: Language, open_cards: bool = False) -> Scene:
    """The table as this view shows it. With `open_cards` every hand lies open that has not been folded."""
    made = _SCENES[view.game.name](state, view, language, open_cards)
    turn = state.to_move
    if turn is not None and view.game.name != "holdem":
        made.seats[turn].last, made.seats[turn].said = [], ""
    return made


@dataclass(frozen=True)
class Sitter:
    """Who sits at a seat."""

    name: str
    portrait: str = ""
    """Where the picture is; empty for none."""


def scene_json(made: Scene, state: State, viewer: int, sitters: Sequence[Sitter], language: Language) -> dict[str, Any]:
    """A scene for the table element; `sitters` by seat."""
    seats = []
    moves = state.moves()

    def cards(faces: Sequence[Face]) -> list[dict[str, Any]]:
        return [face.to_json(language) for face in faces]

    for seat in [*made.around, viewer]:
        shown = made.seats[seat]
        seats.append({
            "seat": seat, "place": place(seat, viewer, state.seats), "name": shown.name or sitters[seat].name,
            "player": sitters[seat].name if seat != viewer and shown.name else "", "portrait": sitters[seat].portrait,
            "sign": _sign(shown, sitters[seat]), "note": shown.note, "count": shown.count,
            "said": shown.said, "bet": shown.bet, "last": cards(shown.last),
            "boss": shown.is_boss, "mate": shown.is_mate,
            "hand": None if shown.hand is None else cards(shown.hand), "out": shown.is_out,
            "turn": state.to_move == seat,
            "moved": next((n for n in range(len(moves), 0, -1) if moves[n - 1][0] == seat), 0),
        })  # fmt: skip
    return {
        "game": state.game.name, "seats": seats, "number": len(moves), "facts": made.facts, "burst": made.burst,
        "hand": cards(made.hand), "centre": cards(made.centre),
        "picks": made.picks, "flushes": made.flushes, "over": state.is_over,
    }  # fmt: skip


def _sign(shown: SeatScene, sitter: Sitter) -> str:
    """The letters beside a seat: a portrait needs none that only repeat its direction."""
    return "" if sitter.portrait and shown.name[:1].upper() == shown.sign else shown.sign


# --- Dou Dizhu


def _doudizhu(state: State, view: View, language: Language, open_cards: bool) -> Scene:
    assert isinstance(view, DoudizhuView)
    seats = [_doudizhu_seat(state, view, seat, language, open_cards) for seat in range(3)]
    made = Scene(seats, _doudizhu_faces(view.hand), [(view.seat - 1) % 3, (view.seat + 1) % 3])
    made.centre = _doudizhu_faces(view.native.bottom)
    moves = view.legal_moves()
    if view.landlord is None:
        made.picks = False
        robbing = view.rule_set.bidding == Bidding.CALL_ROB
        made.buttons = [(str(move), bid_word(move.value, language, robbing)) for move in moves if isinstance(move, Bid)]
        made.status = text("bidding", language)
        return made
    passes = PASS in moves
    made.buttons = [("pass", text("pass", language))] if passes else []
    made.status = "" if not moves else text("follow_or_pass" if passes else "lead", language)
    known = 0 if view.landlord == view.seat else view.native.known_of_landlord()
    rest = doudizhu.cards_text(view.native.unseen(view.deck) + known)
    made.rest = {doudizhu_face(card).rank: rest.count(card) for card in reversed(doudizhu.RANKS)}
    status = view.native.status
    made.facts = [
        text("multiplier", language, times=max(1, status.bid) * 2 ** status.bomb_doublings(view.rule_set.native))
    ]
    last = state.moves()[-1][1] if state.moves() else None
    if isinstance(last, Move) and last.is_bomb:
        made.burst = text("burst_rocket" if last.type == Type.ROCKET else "burst_bomb", language)
    return made


def _doudizhu_seat(state: State, view: DoudizhuView, seat: int, language: Language, open_cards: bool) -> SeatScene:
    moves = [move for who, move in view.moves()[-3:] if who == seat]
    where = direction(seat, view.seat, 3, language)
    made = SeatScene(where, view.counts[seat], sign=where[:1].upper())
    robbing = view.rule_set.bidding == Bidding.CALL_ROB
    last = moves[-1] if moves else None
    if isinstance(last, Bid):
        made.said = bid_word(last.value, language, robbing) if view.landlord is None else ""
    elif last is not None:
        made.said = text("pass", language) if last.is_pass else ""
        made.last = _doudizhu_faces(last.cards)
    if view.landlord is not None:
        role = state.seat_name(seat)
        made.note, made.sign = text(f"short_{role}", language), text(f"sign_{role}", language)
        made.is_boss = role == "landlord"
        made.is_mate = seat != view.seat and (seat == view.landlord) == (view.seat == view.landlord)
    if open_cards and seat != view.seat:
        made.hand = _doudizhu_faces(cast(DoudizhuView, state.view(seat)).hand)
    return made


def _doudizhu_faces(cards: int) -> list[Face]:
    """Cards from high to low."""
    return [doudizhu_face(card) for card in reversed(doudizhu.cards_text(cards))]


# --- Guandan


def _guandan(state: State, view: View, language: Language, open_cards: bool) -> Scene:
    assert isinstance(view, GuandanView)
    level = notation.RANKS[view.level]
    seats = [_guandan_seat(state, view, seat, level, language, open_cards) for seat in range(4)]
    hand = _guandan_hand(view.native.hand(view.seat), view.level)
    made = Scene(seats, hand, [(view.seat + step) % 4 for step in (3, 2, 1)])
    made.facts = [text("level", language, level=level.replace("T", "10"))]
    if view.native.resisted:
        made.facts.append(text("resisted", language))
    moves = view.legal_moves()
    passes = any(move.is_pass for move in moves)
    made.buttons = [("pass", text("pass", language))] if passes else []
    if view.phase in _EXCHANGE:
        made.status = text(_EXCHANGE[view.phase], language)
    elif moves:
        made.status = text("follow_or_pass" if passes else "lead", language)
    unseen = [face.rank for face in faces_of("guandan", notation.cards_text(view.unseen), level)]
    made.rest = {rank: unseen.count(rank) for rank in ("大", "小", *"AKQJ", "10", *"98765432")}
    played = state.moves()
    if played and played[-1][1].is_bomb:
        is_flush = played[-1][1].type == guandan_moves.Type.STRAIGHT_FLUSH
        made.burst = text("burst_flush" if is_flush else "burst_bomb", language)
    made.flushes = _flushes(view)
    return made


def _guandan_seat(
    state: State, view: GuandanView, seat: int, level: str, language: Language, open_cards: bool
) -> SeatScene:
    count, order = view.counts[seat], list(view.native.order)
    where = direction(seat, view.seat, 4, language)
    made = SeatScene(where, count, sign=where[:1].upper(), is_out=not count)
    made.is_mate = made.is_boss = seat % 2 == view.seat % 2
    last = next((move for who, move in reversed(list(view.native.steps)[-4:]) if who == seat), None)
    if seat in order and not count:
        made.said = text(f"place_{order.index(seat) + 1}", language)
    elif last is not None and last.is_pass:
        made.said = text("pass", language)
    made.last = [] if last is None or last.is_pass else move_faces("guandan", last, level)
    if open_cards and seat != view.seat:
        made.hand = _guandan_hand(cast(GuandanView, state.view(seat)).native.hand(seat), view.level)
    return made


_EXCHANGE = {notation.Phase.TRIBUTE: "tribute_due", notation.Phase.RETURN: "return_due"}
MOST_FLUSHES = 40


def _flushes(view: GuandanView) -> list[list[str]]:
    """The straight flushes that the hand holds, each set of cards once: fewer wild cards first, then high."""
    hand, wild = view.native.hand(view.seat), "H" + notation.RANKS[view.level]
    flushes = [
        play for play in native_guandan.lead_plays(hand, view.level) if play.type == guandan_moves.Type.STRAIGHT_FLUSH
    ]
    sets = dict.fromkeys(tuple(notation.card_text(kind) for kind in play.cards.kinds()) for play in reversed(flushes))
    return [list(cards) for cards in sorted(sets, key=lambda cards: cards.count(wild))[:MOST_FLUSHES]]


def _guandan_hand(hand: native_guandan.Cards, level: int) -> list[Face]:
    """Cards from high to low, as they rank at this level; equal ones by suit."""

    def strength(kind: int) -> tuple[int, str]:
        return native_guandan.order_of(notation.rank_of(kind), level), notation.card_text(kind)[0]

    cards = "".join(notation.card_text(kind) for kind in sorted(hand.kinds(), key=strength, reverse=True))
    return faces_of("guandan", cards, notation.RANKS[level])


# --- hold'em


def _holdem(state: State, view: View, language: Language, open_cards: bool) -> Scene:
    position = view.to_json()
    assert isinstance(state, HoldemState)
    shown = dict(position.get("shown", []))
    seats = [_holdem_seat(state, view, seat, shown, language, open_cards) for seat in range(state.seats)]
    around = [(view.seat + step) % state.seats for step in range(1, state.seats)]
    hand = faces_of("holdem", str(position["hand"])) if view.seat in state.dealt_seats else []
    made = Scene(seats, hand, around, faces_of("holdem", str(position["board"])), picks=False)
    small, big = state.blinds
    made.facts = [text("pot", language, pot=state.pot), text("blinds", language, small=small, big=big)]
    legal = [str(move) for move in view.legal_moves()]
    made.buttons = [(move, _bet_button(move, state, language)) for move in legal if not move.startswith("raise")]
    if legal and state.raise_bounds is not None:
        made.bets = _bets(state, language)
    return made


def _holdem_seat(
    state: HoldemState, view: View, seat: int, shown: dict[int, str], language: Language, open_cards: bool
) -> SeatScene:
    dealt, is_live = seat in state.dealt_seats, seat in state.live_seats
    made = SeatScene(text("you", language) if seat == view.seat else "", 2 if dealt and is_live else 0)
    made.sign = state.position_name(seat) if dealt else "–"
    made.note = text("chips", language, chips=state.stacks[seat])
    made.is_boss, made.is_out = seat == state.button, not is_live
    said = [str(move) for who, move in state.actions() if who == seat]
    made.said = move_word(said[-1], language) if said else ""
    made.bet = str(state.bets[seat]) if state.bets[seat] and not state.is_over else ""
    if not dealt:
        made.said = text("not_dealt", language)
    elif seat in shown:
        made.hand = faces_of("holdem", shown[seat])
    elif open_cards and seat != view.seat and not state.is_over:
        made.hand = faces_of("holdem", str(state.view(seat).to_json()["hand"]))
    return made


def _bets(state: HoldemState, language: Language) -> Bets:
    """The slider: from the least raise to all-in, with shares of the pot after calling."""
    assert state.raise_bounds is not None
    least, most = (float(chips) for chips in state.raise_bounds)
    pot, base = float(state.pot + state.to_call), float(state.current_bet)
    names = ((0.5, "½"), (0.75, "¾"), (1.0, text("pot_short", language)))
    shares = [(name, float(int(base + share * pot))) for share, name in names]
    kept = [(name, to) for name, to in shares if least < to < most]
    return Bets(least, most, 1.0, [("min", least), *kept, (text("all_in", language), most)])


def _bet_button(move: str, state: HoldemState, language: Language) -> str:
    """The word of a move, with its price."""
    word = move_word(move, language)
    return f"{word} {state.to_call}" if move == "call" else word


_SCENES: dict[str, Callable[[State, View, Language, bool], Scene]] = {
    "doudizhu": _doudizhu,
    "guandan": _guandan,
    "holdem": _holdem,
}
