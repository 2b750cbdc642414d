"""Botzone's FightTheLandlord (the landlord is given) and FightTheLandlord2 (with bidding), played by any agent of ours.

One JSON line in, {"requests": [...], "responses": [...]}, one out, {"response": ...}; the last request is the current
one. After that the process is kept running and gets bare requests. Cards are ids 0-53: id // 4 is the rank from 3 to 2,
52 the small joker, 53 the big one. A request of the play has "history": what the two seats before us have just played.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from mingpai.core.agent import Agent
from mingpai.core.errors import BadlyWritten
from mingpai.core.reading import read_list, read_whole
from mingpai.games.doudizhu.moves import Bid, Move
from mingpai.games.doudizhu.notation import RANKS, ROLES, cards_text, parse_readings
from mingpai.games.doudizhu.rules import rules_of
from mingpai.games.doudizhu.view import DoudizhuView, view_from_json
from mingpai.protocols.botzone import follow

PLAY_RULES = "botzone+nobid"
BID_RULES = "botzone"
SEATS = 3
LANDLORD, DOWN, UP = range(SEATS)
SMALL_JOKER_ID, BIG_JOKER_ID = 52, 53
LANDLORD_CARDS = 20
BOTTOM_CARDS = 3
HIGHEST_BID = 3


def rank_of(card: int) -> int:
    """The rank of a card id, 0 for `3`."""
    if not 0 <= card <= BIG_JOKER_ID:
        raise BadlyWritten(card, "a card id from 0 to 53")
    return card // 4 if card < SMALL_JOKER_ID else RANKS.index("X") + card - SMALL_JOKER_ID


def ids_in(value: object, name: str, most: int = LANDLORD_CARDS) -> list[int]:
    """Different card ids of a request. Raises BadlyWritten."""
    cards = [read_whole(card, f"{name}: a card id", most=BIG_JOKER_ID) for card in read_list(value, name, most)]
    if len(set(cards)) != len(cards):
        raise BadlyWritten(value, f"{name}: different cards")
    return cards


def hand_of(cards: Sequence[int]) -> int:
    """The cards without their suits."""
    return sum(1 << (4 * rank_of(card)) for card in cards)


@dataclass
class Session:
    """One game at Botzone: what was dealt, bid and played, as far as our seat has been told."""

    agent: Agent[Any]
    own: list[int] = field(default_factory=list)
    """Card ids in hand."""
    bottom: list[int] = field(default_factory=list)
    role: int | None = None
    """0 landlord, 1 the seat after him, 2 the seat before him; None before the play."""
    bid_position: int = 0
    """How many seats bid before ours."""
    moves: list[tuple[int, list[int]]] = field(default_factory=list)
    """Role and card ids of everything played, passes included."""

    def take(self, request: Mapping[str, Any]) -> None:
        """Hear a request."""
        if "bid" in request:
            self.own = ids_in(request.get("own"), "own")
            self.bid_position = len(bids_in(request))
            return
        if "history" not in request:
            raise BadlyWritten(request, 'a request with "history" or "bid"')
        if self.role is None:
            self._start(request)
        history = [ids_in(cards, "history") for cards in slots_in(request)]
        for back, cards in zip((2, 1), history, strict=True):
            role = (self._role() - back) % SEATS
            if self.moves or role == LANDLORD or cards:
                self._hear(role, cards)

    def _start(self, request: Mapping[str, Any]) -> None:
        self.own = ids_in(request.get("own", self.own), "own")
        self.bottom = ids_in(request.get("publiccard", []), "publiccard", BOTTOM_CARDS)
        if "pos" in request and "landlord" in request:
            seat, landlord = (read_whole(request[name], name, most=SEATS - 1) for name in ("pos", "landlord"))
            self.role = (seat - landlord) % SEATS
            if self.role == LANDLORD and len(self.own) < LANDLORD_CARDS:
                self.own += [card for card in self.bottom if card not in self.own]
        else:
            before_last, last = slots_in(request)
            self.role = UP if before_last else DOWN if last else LANDLORD

    def _hear(self, role: int, cards: list[int]) -> None:
        expected = self.moves[-1][0] + 1 if self.moves else LANDLORD
        if role == expected % SEATS:
            self.moves.append((role, cards))
        elif cards:
            raise BadlyWritten(cards, f"a move of {ROLES[expected % SEATS]}, not of {ROLES[role]}")

    def answered(self, request: Mapping[str, Any], response: object) -> None:
        """Our own answer to the last request, now or in an earlier run of the program."""
        if isinstance(response, list):
            cards = ids_in(response, "response")
            self.own = [card for card in self.own if card not in cards]
            self.moves.append((self._role(), cards))

    def answer(self, request: Mapping[str, Any]) -> list[int] | int:
        """The response to the current request."""
        if "bid" in request:
            return self._bid(bids_in(request))
        move = self.agent.decide(self.view()).move
        assert isinstance(move, Move)
        return self._ids(move.cards)

    def _bid(self, bids: list[int]) -> int:
        if HIGHEST_BID in bids:
            return 0
        data = {
            "phase": "bid",
            "seat": len(bids),
            "first": 0,
            "hand": cards_text(hand_of(self.own)),
            "bids": [[seat, str(bid)] for seat, bid in enumerate(bids)],
            "rules": BID_RULES,
        }
        bid = self.agent.decide(view_from_json(data)).move
        assert isinstance(bid, Bid)
        return bid.value

    def view(self) -> DoudizhuView:
        """The position as our agents see it. The landlord has seat 0."""
        texts: list[list[str]] = []
        last = ""
        for role, cards in self.moves:
            text = self._text(cards, last)
            if text != "pass":
                last = text
            elif texts and texts[-1][1] == "pass":
                last = ""
            texts.append([ROLES[role], text])
        return view_from_json(
            {
                "seat": ROLES[self._role()],
                "hand": cards_text(hand_of(self.own)),
                "bottom": cards_text(hand_of(self.bottom)),
                "history": texts,
                "landlord": LANDLORD,
                "rules": PLAY_RULES,
            }
        )

    def _text(self, cards: list[int], last: str) -> str:
        """The move in our notation. Cards with several readings are read as what they answer, or as the first."""
        if not cards:
            return "pass"
        rules = rules_of(PLAY_RULES).native
        readings = parse_readings(cards_text(hand_of(cards)), rules)
        if not readings:
            raise BadlyWritten(cards, "cards that are a move")
        if last:
            to_beat = parse_readings(last, rules)[0]
            readings = [move for move in readings if move.beats(to_beat)] or readings
        return str(readings[0])

    def _role(self) -> int:
        if self.role is None:
            raise BadlyWritten("a card play", "a request of the play before it")
        return self.role

    def _ids(self, cards: int) -> list[int]:
        """Ids from our hand that make up the cards, the lowest first."""
        needed = [cards >> (4 * rank) & 15 for rank in range(len(RANKS))]
        chosen = []
        for card in sorted(self.own):
            if needed[rank_of(card)] > 0:
                needed[rank_of(card)] -= 1
                chosen.append(card)
        return chosen


def bids_in(request: Mapping[str, Any]) -> list[int]:
    """What the seats before ours have bid."""
    bids = read_list(request["bid"], "bid", SEATS - 1)
    return [read_whole(bid, "bid", most=HIGHEST_BID) for bid in bids]


def slots_in(request: Mapping[str, Any]) -> Sequence[Any]:
    """What the two seats before ours played, the earlier one first."""
    history = read_list(request["history"], "history", SEATS - 1)
    if len(history) != SEATS - 1:
        raise BadlyWritten(history, "history: the cards of the two seats before ours")
    return history


def respond(session: Session, request: Mapping[str, Any]) -> list[int] | int:
    """Hear a request, answer it, and remember the answer."""
    session.take(request)
    response = session.answer(request)
    session.answered(request, response)
    return response


def serve(agent: Agent[Any], source: TextIO, sink: TextIO) -> None:
    """Play until the input ends."""
    follow(source, sink, lambda: Session(agent), respond)
