"""Botzone's GuanDan, played by any agent of ours. All known dialects of its requests are read.

Cards are ids 0-107: `id % 54` has the value `// 4` in A23456789TJQK and the suit `% 4` in H D S C; 52 is the small
joker, 53 the big one; + 54 is the second deck. Requests have a stage: deal (answer `[]`), tribute and return (answer
`[id]`, or `[]` when there is nothing to give), play (answer `[[physical], [claimed]]`, a pass is `[[], []]`).

Dialects: facts of the round under "global" or at the top; the level as a text or as a list, one for each team; tributes
by seat ("tribute_cards") or by place ("fourth_tribute"); the history as objects with player and response, or as four
slots, of which slot k is what the seat k after ours did last.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from mingpai._native import guandan as native
from mingpai.core.agent import Agent
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.reading import read_list, read_whole
from mingpai.games.guandan import notation
from mingpai.games.guandan.moves import PASS, Cards, Play
from mingpai.games.guandan.rules import HAND_CARDS, SEATS
from mingpai.games.guandan.view import GuandanView, view_from_json
from mingpai.protocols.botzone import follow

log = logging.getLogger(__name__)

RULES = "botzone"
KINDS = 54
DECK = 2 * KINDS
SUITS = "HDSC"
"""Botzone's order of suits."""

Response = list[Any]
PASS_RESPONSE: Response = [[], []]


def kind_of(card: int) -> int:
    """Our kind of a card id."""
    if not isinstance(card, int) or isinstance(card, bool) or not 0 <= card < DECK:
        raise BadlyWritten(card, "a card id from 0 to 107")
    place = card % KINDS
    return place if place >= notation.SMALL_JOKER else place // 4 * 4 + notation.SUITS.index(SUITS[place % 4])


def id_of(kind: int) -> int:
    """The id of a kind in the first deck."""
    return kind if kind >= notation.SMALL_JOKER else kind // 4 * 4 + SUITS.index(notation.SUITS[kind % 4])


def _id(card: object) -> int:
    return read_whole(card, "a card id", most=DECK - 1)


def _seat(value: object) -> int:
    return read_whole(value, "a seat", most=SEATS - 1)


def texts(cards: Sequence[int]) -> str:
    """Card ids in our notation."""
    return "".join(notation.card_text(kind_of(card)) for card in cards)


def play_of(physical: Sequence[int], claimed: Sequence[int], level: int) -> Play:
    """The play of physical cards said to be the claimed ones."""
    if not physical:
        return PASS
    plays = native.readings(notation.cards_of([kind_of(card) for card in physical], list(physical)), level)
    wanted = Counter(kind_of(card) // 4 for card in claimed)
    same = [play for play in plays if Counter(claim // 4 for _, claim in play.arranged()) == wanted]
    if not plays:
        raise BadlyWritten(list(physical), "cards that are a play")
    return (same or plays)[0]


@dataclass
class Session:
    """One round at Botzone: what was dealt, exchanged and played, as far as our seat has been told."""

    agent: Agent[Any]
    seat: int = 0
    own: list[int] = field(default_factory=list)
    """Card ids in hand."""
    level: int = 1
    facts: dict[str, Any] = field(default_factory=dict)
    """What the requests said of the round: first, last, tribute, resist, ..."""
    plays: list[tuple[int, Play]] = field(default_factory=list)
    """Everything played, passes included."""
    pass_on: int = -1
    """The seat that has gone out and whose partner leads; -1 if none."""
    _applied: set[tuple[str, int]] = field(default_factory=set)

    # --- hearing --------------------------------------------------------------------------------------------

    def take(self, request: Mapping[str, Any]) -> None:
        """Hear a request."""
        shared = request.get("global")
        self.facts |= {**request, **(shared if isinstance(shared, Mapping) else {})}
        if request.get("stage") == "deal":
            self.seat = _seat(request.get("your_id"))
            self.own = [_id(card) for card in read_list(request.get("deliver"), "deliver", HAND_CARDS)]
        self.level = self._level()
        self._exchange()
        if request.get("stage") == "play":
            pass_on = request.get("pass_on")
            self.pass_on = -1 if pass_on is None else read_whole(pass_on, "pass_on", -1, SEATS - 1)
            self._hear(request.get("history", []))

    def _level(self) -> int:
        level = self.facts.get("level", "2")
        if isinstance(level, list):
            ranks = [notation.parse_level(text) for text in level]
            if not ranks:
                raise BadlyWritten(level, "a level for each team")
            first = self.facts.get("first")
            steps = [(rank - 1) % len(notation.RANKS) for rank in ranks]
            return ranks[first % 2] if isinstance(first, int) and len(ranks) == 2 else ranks[steps.index(max(steps))]
        return notation.parse_level(level)

    def order(self) -> list[int] | None:
        """How the round before ended, as far as it is told; None in a first round."""
        ranking = self.facts.get("ranking")
        if isinstance(ranking, list) and sorted(map(str, ranking)) == ["0", "1", "2", "3"]:
            return [int(seat) for seat in ranking]
        first, last = self.facts.get("first"), self.facts.get("last")
        if not self.facts.get("tribute") or not isinstance(first, int) or not isinstance(last, int):
            return None
        if _seat(first) == _seat(last):
            raise BadlyWritten([first, last], "different seats as first and last")
        others = [seat for seat in range(SEATS) if seat not in (first, last)]
        double = read_whole(self.facts["tribute"], "tribute", most=2) == 2
        others.sort(key=lambda seat: (seat % 2 == first % 2) != double)
        return [first, *others, last]

    def tributes(self) -> dict[int, int]:
        """Payer -> card id, where known."""
        return self._given("tribute_cards", {"fourth_tribute": 3, "third_tribute": 2})

    def returns(self) -> dict[int, int]:
        """Receiver -> card id given back, where known."""
        return self._given("return_cards", {"first_return": 0, "second_return": 1})

    def _given(self, by_seat: str, by_place: Mapping[str, int]) -> dict[int, int]:
        out: dict[int, int] = {}
        table = self.facts.get(by_seat)
        for seat, card in table.items() if isinstance(table, Mapping) else ():
            value = card[0] if isinstance(card, list) and card else card
            if isinstance(value, int) and value >= 0:
                out[_seat(seat)] = value
        order = self.order()
        for name, place in by_place.items():
            value = self.facts.get(name)
            if order is not None and isinstance(value, int) and value >= 0:
                out[order[place]] = value
        return out

    def receivers(self) -> dict[int, int]:
        """Payer -> who gets his tribute: the higher card goes to the first, on a tie that of the seat after him."""
        order, paid = self.order(), self.tributes()
        if order is None or not paid:
            return {}
        if len(paid) == 1:
            return {next(iter(paid)): order[0]}
        strength = {seat: self._strength(card) for seat, card in paid.items()}
        after = (order[0] + 1) % SEATS
        best = max(paid, key=lambda seat: (strength[seat], seat == after))
        return {seat: order[0] if seat == best else (order[0] + 2) % SEATS for seat in paid}

    def _strength(self, card: int) -> int:
        kind = kind_of(card)
        rank = kind // 4 if kind < notation.SMALL_JOKER else len(notation.RANKS) + kind - notation.SMALL_JOKER
        return native.order_of(rank, self.level)

    def _exchange(self) -> None:
        """Moves the cards of tributes and returns that concern our hand, once each."""
        receivers, order = self.receivers(), self.order()
        complete = order is not None and len(self.tributes()) == (2 if order[1] == (order[0] + 2) % SEATS else 1)
        for payer, card in self.tributes().items():
            if payer == self.seat:
                self._move("tribute", -1, card)
            if complete and receivers.get(payer) == self.seat:
                self._move("tribute", 1, card)
        payers = {receiver: payer for payer, receiver in receivers.items()}
        for receiver, card in self.returns().items():
            if receiver == self.seat:
                self._move("return", -1, card)
            if payers.get(receiver) == self.seat:
                self._move("return", 1, card)

    def _move(self, what: str, sign: int, card: int) -> None:
        if (what, sign * (card + 1)) in self._applied:
            return
        self._applied.add((what, sign * (card + 1)))
        if sign > 0:
            self.own.append(card)
        elif card in self.own:
            self.own.remove(card)

    def _hear(self, history: object) -> None:
        """What the others did since our last turn."""
        if not isinstance(history, list):
            raise BadlyWritten(history, "a history list")
        moves: list[tuple[int, Any]] = []
        if history and all(isinstance(item, Mapping) for item in history):
            moves = [(_seat(item.get("player")), item.get("response")) for item in history]
            ours = [i for i, (seat, _) in enumerate(moves) if seat == self.seat]
            moves = moves[ours[-1] + 1 :] if ours else moves
        else:
            moves = [((self.seat + k) % SEATS, slot) for k, slot in enumerate(history) if k and slot]
        for seat, response in moves:
            match response:
                case [[*physical], [*claimed]]:
                    self.plays.append((seat, play_of(physical, claimed, self.level)))
                case []:
                    self.plays.append((seat, PASS))
                case _:
                    raise BadlyWritten(response, "[[physical], [claimed]]")

    def answered(self, request: Mapping[str, Any], response: object) -> None:
        """Our own answer to the last request, now or in an earlier run of the program."""
        stage = str(request.get("stage", ""))
        if stage in ("tribute", "return"):
            match response:
                case [int(card)]:
                    self._move(stage, -1, _id(card))
            return
        if stage == "play":
            match response:
                case [[*physical], [*claimed]]:
                    cards, said = [_id(card) for card in physical], [_id(card) for card in claimed]
                    self.own = [card for card in self.own if card not in cards]
                    self.plays.append((self.seat, play_of(cards, said, self.level)))

    # --- answering ------------------------------------------------------------------------------------------

    def answer(self, request: Mapping[str, Any]) -> Response:
        """The response to the current request."""
        stage = request.get("stage")
        if stage in ("tribute", "return"):
            return self._give(str(stage))
        if stage != "play":
            return []
        move = self.agent.decide(self.view()).move
        assert isinstance(move, Play)
        if move.is_pass:
            return [[], []]
        own = list(self.own)
        physical, claimed = [], []
        for kind, claim in move.arranged():
            card = next(card for card in own if kind_of(card) == kind)
            own.remove(card)
            physical.append(card)
            claimed.append(card if kind == claim else id_of(claim))
        return [physical, claimed]

    def _give(self, stage: str) -> Response:
        """The card to pay or to give back; nothing if it is not our part."""
        if self.facts.get("resist") or not self._concerned(stage):
            return []
        move = self.agent.decide(self._exchange_view(stage)).move
        assert isinstance(move, Play)
        return [next(card for card in self.own if kind_of(card) == move.cards.kinds()[0])]

    def _concerned(self, stage: str) -> bool:
        table = self.facts.get("tribute_cards" if stage == "tribute" else "return_cards")
        if isinstance(table, Mapping) and table:
            return str(self.seat) in table
        order = self.order()
        if order is None:
            return len(self.own) > HAND_CARDS if stage == "return" else True
        double = order[1] == (order[0] + 2) % SEATS
        if stage == "tribute":
            return self.seat in (order[2:] if double else order[3:])
        return self.seat in (order[:2] if double else order[:1])

    def _exchange_view(self, stage: str) -> GuandanView:
        """Seen alone, the choice is that of a single tribute."""
        data: dict[str, Any] = {
            "rules": RULES,
            "seat": self.seat,
            "level": notation.RANKS[self.level],
            "hand": texts(self.own),
        }
        if stage == "tribute":
            order = self.order()
            first = order[0] if order and order[0] % 2 != self.seat % 2 else (self.seat + 1) % SEATS
            previous = [first, (self.seat + 2) % SEATS, (first + 2) % SEATS, self.seat]
            return view_from_json({**data, "previous": previous, "history": []})
        receivers = self.receivers()
        payer = next((payer for payer, receiver in receivers.items() if receiver == self.seat), (self.seat + 1) % SEATS)
        card = self.tributes().get(payer)
        paid = notation.card_text(kind_of(card)) if card is not None else self._highest()
        others = sorted((s for s in range(SEATS) if s not in (self.seat, payer)), key=lambda s: s % 2 == self.seat % 2)
        return view_from_json({**data, "previous": [self.seat, *others, payer], "history": [[payer, paid]]})

    def _highest(self) -> str:
        return notation.card_text(kind_of(max(self.own, key=self._strength)))

    def view(self) -> GuandanView:
        """The position as our agents see it: the whole story if it holds together, else the trick on the table."""
        for build in (self._with_exchange, self._without_exchange, self._trick_only):
            try:
                view = view_from_json(build())
            except (MingpaiError, ValueError) as error:
                log.info("%s: %s", build.__name__, error)
                continue
            if view.to_move == self.seat:
                return view
            log.info("%s: not our turn", build.__name__)
        raise BadlyWritten(self.facts, "a position that can be understood")

    def _base(self) -> dict[str, Any]:
        history = [[seat, str(play)] for seat, play in self.plays]
        return {
            "rules": RULES,
            "seat": self.seat,
            "level": notation.RANKS[self.level],
            "hand": texts(self.own),
            "history": history,
        }

    def _with_exchange(self) -> dict[str, Any]:
        order = self.order()
        if order is None:
            return self._without_exchange()
        resisted = bool(self.facts.get("resist"))
        base = self._base()
        paid, back = self.tributes(), self.returns()
        after_first = [(order[0] + step) % SEATS for step in range(1, SEATS)]
        steps = [(seat, paid[seat]) for seat in sorted(paid, key=after_first.index)]
        steps += [(seat, back[seat]) for seat in sorted(back, key=order.index)]
        exchange = [] if resisted else [[seat, notation.card_text(kind_of(card))] for seat, card in steps]
        return base | {"previous": order, "resisted": resisted, "history": exchange + base["history"]}

    def _without_exchange(self) -> dict[str, Any]:
        return self._base() | {"leader": self.plays[0][0] if self.plays else self.seat}

    def _trick_only(self) -> dict[str, Any]:
        """The play on the table over a deck without the cards played before it."""
        played = [0] * SEATS
        for seat, play in self.plays:
            played[seat] += len(play)
        counts = [max(0, HAND_CARDS - played[seat]) for seat in range(SEATS)]
        counts[self.seat] = len(self.own)
        owner, best = next(((s, p) for s, p in reversed(self.plays) if not p.is_pass), (self.seat, PASS))
        leading = owner in (self.seat, self.pass_on)
        deck = Cards([kind for kind in range(KINDS) for _ in range(2)])
        for _, play in self.plays:
            deck = deck - play.cards if play is not best or leading else deck
        history = [] if leading else [[owner, str(best)]]
        if not leading:
            between = [(owner + step) % SEATS for step in range(1, (self.seat - owner) % SEATS)]
            history += [[seat, "pass"] for seat in between if counts[seat]]
        return self._base() | {
            "leader": self.seat if leading else owner,
            "history": history,
            "deck": notation.cards_text(deck),
            "counts": counts,
        }


def respond(session: Session, request: Mapping[str, Any]) -> Response:
    """Hear a request, answer it, and remember the answer. What is not understood is logged and passed."""
    stage = str(request.get("stage", ""))
    try:
        session.take(request)
        response = session.answer(request)
    except (MingpaiError, KeyError, TypeError, ValueError, StopIteration) as error:
        log.error("cannot answer %r: %s", request, error)
        return list(PASS_RESPONSE) if stage == "play" else []
    session.answered(request, response)
    return response


def serve(agent: Agent[Any], source: TextIO, sink: TextIO) -> None:
    """Play until the input ends."""
    follow(source, sink, lambda: Session(agent), respond)
