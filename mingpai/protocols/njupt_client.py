"""A player on the NJUPT Guandan platforms: `recv(message) -> answer`, without a socket; `join` puts it on a WebSocket.

The client keeps the story of the round from the platform's notes and gives the agent the view that it amounts to: what
the agent would have heard at our own table. Where the platform's story does not fit our rules (a missed note, another
tribute rule) the view falls back: first to the plays without the exchange, then to the trick on the table, in the
exchange to one tribute alone; each fall is logged and counted in `falls`. What no platform tells is no fall: of two
tributes the second payer is asked before he hears of the first. Whether a seat leads is read from the action list,
which then has no pass: the play to beat that the message names may be one of the round before.
"""

import json
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mingpai.core.agent import Agent
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.reading import MOST_CHARACTERS, read_list, read_object, read_whole
from mingpai.games.guandan import notation
from mingpai.games.guandan.moves import Play
from mingpai.games.guandan.rules import SEATS
from mingpai.games.guandan.view import GuandanView, view_from_json
from mingpai.protocols import njupt

log = logging.getLogger(__name__)

Message = dict[str, Any]
FALLS = ("story", "choice", "first")
"""What `falls` counts: decisions from less than the whole story; choices that the list does not have, answered by
another action of the same type and rank; decisions that were none, answered by the first action."""


@dataclass
class Story:
    """What was said of the round so far."""

    seat: int = 0
    hand: list[str] = field(default_factory=list)
    """The cards as they were dealt."""
    tributes: list[tuple[int, int, str]] = field(default_factory=list)
    """(payer, receiver, card)."""
    returns: list[tuple[int, int, str]] = field(default_factory=list)
    """(receiver of the tribute, payer, card)."""
    resisted: bool = False
    plays: list[tuple[int, object]] = field(default_factory=list)
    """(seat, action as sent)."""


class NjuptClient:
    """Answers the platform's messages for one agent, in either dialect."""

    def __init__(self, agent: Agent[Any], *, dialect: njupt.Dialect = "v1006", name: str = "mingpai") -> None:
        self.agent = agent
        self.dialect = dialect
        self.name = name
        self.room: Any = None
        """Room of an `openguandan` game, once known: a number by its README, kept as it came."""
        self.is_over = False
        """Whether the platform has given the final result."""
        self.result: Message = {}
        self.falls: Counter[str] = Counter()
        """How often the client fell back, by FALLS; a client that follows everything has none."""
        self._previous: list[int] | None = None
        self._story = Story()

    def hello(self, room: int | str | None = None, rounds: int = 1, seat: int | None = None) -> Message | None:
        """What to say on connecting: in `openguandan` a room is made or joined, in `v1006` nothing is said."""
        if self.dialect == "v1006":
            return None
        data: Message = {"userId": self.name}
        self.room = room
        data |= {"round": rounds} if room is None else {"roomId": room}
        if seat is not None:
            data["seatNum"] = seat
        return {"type": "CREATE_ROOM" if room is None else "JOIN_ROOM", "data": data}

    def recv(self, message: str | bytes | Mapping[str, Any]) -> Message | None:
        """The answer to a message, None if it asks for none. A message that cannot be read is logged and ignored."""
        try:
            body = self._open(message)
        except BadlyWritten as error:
            log.warning("ignored: %s", error)
            return None
        kind, stage = str(body.get("type", "")).lower(), body.get("stage")
        if kind == "act" or ("actionList" in body and kind != "notify"):
            return self._act(body)
        try:
            self._note(stage, body)
        except (BadlyWritten, KeyError, TypeError, ValueError) as error:
            log.warning("ignored: note %r (%s)", body, error)
        return None

    def _open(self, message: str | bytes | Mapping[str, Any]) -> Message:
        """The fields of a message, whether in an envelope or not."""
        if isinstance(message, str | bytes):
            message = read_object(message)
        if not isinstance(message, Mapping):
            raise BadlyWritten(message, "a JSON object")
        data = message.get("data")
        if isinstance(data, Mapping):
            body = {"type": message.get("type"), **data}
            if data.get("roomId") is not None:
                self.room = data["roomId"]
            self._enter(body, message.get("code", njupt.ACCEPTED))
            return body
        return dict(message)

    def _enter(self, body: Message, code: object) -> None:
        """The lobby's answer: whoever is refused has nothing to wait for."""
        if body["type"] in njupt.LOBBY and code != njupt.ACCEPTED:
            log.error("refused by the platform, code %s: %r", code, body)
            self.is_over, self.result = True, body

    # --- notes ------------------------------------------------------------------------------------------------------

    def _note(self, stage: object, body: Message) -> None:
        story = self._story
        match stage:
            case "beginning":
                self._story = Story(_seat(body.get("myPos", 0)), _words(body.get("handCards", body.get("handCard"))))
            case "play":
                story.plays.append((_seat(body["curPos"]), body["curAction"]))
            case "tribute":
                story.tributes = _exchanges(body)
            case "back":
                story.returns = _exchanges(body)
            case "anti-tribute":
                story.resisted = True
            case "episodeOver":
                self._previous = _whole_order(body.get("order"))
            case "gameOver":
                self._previous = None
            case "gameResult":
                self.is_over, self.result = True, body

    # --- decisions --------------------------------------------------------------------------------------------------

    def _act(self, body: Message) -> Message:
        actions = body.get("actionList")
        if not isinstance(actions, list) or not actions:
            log.error("an act without actionList: %r", body)
            self.falls["first"] += 1
            return self._answer(0, [], body)
        index = 0
        try:
            index = self._index(actions, body) if len(actions) > 1 else 0
        except (MingpaiError, KeyError, TypeError, ValueError) as error:
            log.error("no decision, the first action is taken: %s", error)
            self.falls["first"] += 1
        return self._answer(index, actions, body)

    def _index(self, actions: list[Any], body: Message) -> int:
        level = notation.parse_level(body.get("curRank", "2"))
        view = self.view(body)
        move = self.agent.decide(view).move
        assert isinstance(move, Play)
        offered = [(i, play) for i, action in enumerate(actions) if (play := _try_play(action, level)) is not None]
        same = [i for i, play in offered if play == move]
        if same:
            return same[0]
        alike = [i for i, play in offered if play.pseudo == move.pseudo >= 0]
        log.error("%s is not in the action list (%d actions)", move, len(actions))
        self.falls["choice" if alike else "first"] += 1
        return alike[0] if alike else 0

    def _answer(self, index: int, actions: list[Any], body: Message) -> Message:
        if self.dialect == "v1006":
            return {"actIndex": index}
        stage = body.get("stage")
        act = actions[index] if actions else list(njupt.PASS_ACTION)
        data: Message = {"roomId": self.room, "player": self._story.seat}
        if stage == "back":
            payer, card = self._paid(body)
            return {"type": "PAYTRIBUTE", "data": data | {"tributePos": payer, "tribute": card, "act": act}}
        return {"type": "TRIBUTE" if stage == "tribute" else "PLAY", "data": data | {"act": act}}

    def view(self, body: Message) -> GuandanView:
        """The view that the story and the message amount to."""
        builders = {
            "play": (self._whole_story, self._story_without_exchange, self._trick_only),
            "tribute": (self._paying, self._paying_alone),
            "back": (self._returning, self._returning_alone),
        }.get(str(body.get("stage", "play")))
        if builders is None:
            raise BadlyWritten(body.get("stage"), "stage play, tribute or back")
        hand = notation.parse_cards("".join(_words(body.get("handCards"))))
        for build in builders:
            try:
                if (position := build(body)) is None:
                    continue
                view = view_from_json(position)
                if view.to_move == view.seat and view.hand == hand and _fits(view, body):
                    return view
                log.info("%s: not the platform's turn, hand or table", build.__name__)
            except (MingpaiError, KeyError, TypeError, ValueError) as error:
                log.info("%s: %s", build.__name__, error)
            if build is builders[0]:
                self.falls["story"] += 1
        raise BadlyWritten(body, "a position that can be understood")

    def _base(self, body: Message) -> Message:
        level = notation.parse_level(body["curRank"])
        return {
            "rules": self._rules(body, level),
            "seat": self._story.seat,
            "level": notation.RANKS[level],
            "hand": "".join(_words(body["handCards"])),
        }

    def _rules(self, body: Message, level: int) -> str:
        """The profile of the dialect; where straights off suit were played or are offered, the one that has them."""
        offered = body.get("actionList")
        seen = [action for _, action in self._story.plays]
        seen += [] if _is_leading(body) else [body.get("greaterAction")]
        seen += offered if isinstance(offered, list) else []
        is_either = any(njupt.is_off_suit(action, level) for action in seen)
        return (njupt.EITHER if is_either else njupt.RULES)[self.dialect]

    def _history(self, body: Message) -> list[list[Any]]:
        level = notation.parse_level(body["curRank"])
        return [[seat, str(njupt.play_of(action, level))] for seat, action in self._story.plays]

    def _whole_story(self, body: Message) -> Message | None:
        """With the exchange, where there was one."""
        story, previous = self._story, self._previous
        if previous is None or not (story.tributes or story.resisted):
            return self._story_without_exchange(body)
        returns = sorted(story.returns, key=lambda item: previous.index(item[0]))
        exchange = self._paid_in_turn(previous, story.tributes) + [[seat, card] for seat, _, card in returns]
        return self._base(body) | {
            "previous": previous,
            "resisted": story.resisted,
            "history": exchange + self._history(body),
        }

    def _leader(self) -> int:
        """Who leads, or led, the first trick."""
        return self._story.plays[0][0] if self._story.plays else self._story.seat

    def _paid_in_turn(self, previous: list[int], tributes: list[tuple[int, int, str]]) -> list[list[Any]]:
        """Tributes in the order in which they are paid at our table."""
        after_first = [(previous[0] + step) % SEATS for step in range(1, SEATS)]
        return [[seat, card] for seat, _, card in sorted(tributes, key=lambda item: after_first.index(item[0]))]

    def _story_without_exchange(self, body: Message) -> Message:
        return self._base(body) | {"leader": self._leader(), "history": self._history(body)}

    def _trick_only(self, body: Message) -> Message:
        """The play on the table over a deck without the cards played before it."""
        story = self._story
        level = notation.parse_level(body["curRank"])
        counts = [int(info["rest"]) for info in read_list(body["publicInfo"], "publicInfo", SEATS)]
        if len(counts) != SEATS:
            raise BadlyWritten(counts, f"the cards left at {SEATS} seats")
        owner = body.get("greaterPos", -1)
        best = body.get("greaterAction")
        leading = _is_leading(body)
        seen = [card for _, action in story.plays for card in _cards_of(action)]
        history: list[list[Any]] = []
        if not leading:
            play = njupt.play_of(best, level)
            for card in _cards_of(best):
                if card in seen:
                    seen.remove(card)
            history = [[owner, str(play)]]
            between = [(owner + step) % SEATS for step in range(1, (story.seat - owner) % SEATS)]
            history += [[seat, "pass"] for seat in between if counts[seat]]
        deck = [card for card in notation.CARD_TEXTS for _ in range(2)]
        for card in seen:
            if card in deck:
                deck.remove(card)
        on_table = 0 if leading else len(_cards_of(best))
        kept = Counter(_words(body["handCards"]) + ([] if leading else _cards_of(best)))
        missed = len(deck) - sum(counts) - on_table
        for card in sorted((Counter(deck) - kept).elements(), key=notation.KINDS.__getitem__)[:missed]:
            deck.remove(card)  # played while nobody told us: the low cards are the likeliest
        return self._base(body) | {
            "leader": story.seat if leading else owner,
            "history": history,
            "deck": "".join(deck),
            "counts": counts,
        }

    def _paying(self, body: Message) -> Message | None:
        """The order of the round before; nothing for the second payer of two, who is not told what the first paid."""
        previous, seat = self._order_before(), self._story.seat
        if _is_double(previous) and seat != (previous[0] + 1) % SEATS:
            return None
        return self._base(body) | {"previous": previous, "history": []}

    def _order_before(self) -> list[int]:
        if self._previous is None:
            raise BadlyWritten(None, "an episodeOver before the exchange: the order of the round before")
        return self._previous

    def _paying_alone(self, body: Message) -> Message:
        """Seen alone, a payer's choice is that of a single tribute: the others' cards play no part in it."""
        seat = self._story.seat
        first = self._previous[0] if self._previous and self._previous[0] % 2 != seat % 2 else (seat + 1) % SEATS
        order = [first, (seat + 2) % SEATS, (first + 2) % SEATS, seat]
        return self._base(body) | {"previous": order, "history": []}

    def _returning(self, body: Message) -> Message | None:
        """All that was paid; nothing of two tributes for the second receiver, and for the first before the note."""
        previous, seat = self._order_before(), self._story.seat
        if _is_double(previous) and (seat != previous[0] or not self._story.tributes):
            return None
        tributes = self._story.tributes or [(self._paid(body)[0], seat, self._paid(body)[1])]
        return self._base(body) | {"previous": previous, "history": self._paid_in_turn(previous, tributes)}

    def _returning_alone(self, body: Message) -> Message:
        """Seen alone, a receiver gives back as after a single tribute."""
        seat, (payer, card) = self._story.seat, self._paid(body)
        others = [s for s in range(SEATS) if s not in (seat, payer)]
        order = [seat, *sorted(others, key=lambda s: s % 2 == seat % 2), payer]
        return self._base(body) | {"previous": order, "history": [[payer, card]]}

    def _paid(self, body: Message) -> tuple[int, str]:
        """Who paid this seat which card: as noted, or, where the note comes later, as the act itself says."""
        for payer, receiver, card in self._story.tributes:
            if receiver == self._story.seat:
                return payer, card
        if body.get("tribute") is None:
            raise BadlyWritten(body, f"tributePos and tribute, or a note of what seat {self._story.seat} was paid")
        return _seat(body.get("tributePos")), str(body["tribute"])


def _is_double(previous: list[int]) -> bool:
    """Whether two pay after a round that ended in this order."""
    return previous[1] == (previous[0] + 2) % SEATS


def _is_leading(body: Message) -> bool:
    """Whether the seat asked leads: it is not offered the pass. What is said of the play to beat may be stale."""
    actions = body.get("actionList")
    if not isinstance(actions, list) or not actions:
        return body.get("greaterPos", -1) in (-1, None) or body.get("greaterAction") is None
    return not any(isinstance(action, list) and action and action[0] == "PASS" for action in actions)


def _fits(view: GuandanView, body: Message) -> bool:
    """Whether hand sizes and the play to beat are those of the message; exchanges are seen alone."""
    if body.get("stage", "play") != "play":
        return True
    public = body.get("publicInfo")
    if isinstance(public, list) and len(public) == SEATS and tuple(int(info["rest"]) for info in public) != view.counts:
        return False
    if view.native.is_leading or _is_leading(body):
        return view.native.is_leading == _is_leading(body)
    return view.native.best == njupt.play_of(body.get("greaterAction"), view.level)


def _whole_order(order: object) -> list[int] | None:
    """The order of finishing, the seats that it does not name last and in turn; None if it names too few."""
    seats = [_seat(seat) for seat in order] if isinstance(order, list) else []
    if len(seats) < 2 or len(set(seats)) != len(seats):
        return None
    after = [(seats[-1] + step) % SEATS for step in range(1, SEATS)]
    return seats + [seat for seat in after if seat not in seats]


def _words(cards: object) -> list[str]:
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise BadlyWritten(cards, 'cards as a list ["S2", "H3"]')
    return list(cards)


def _cards_of(action: object) -> list[str]:
    if isinstance(action, list) and len(action) == 3 and isinstance(action[2], list) and action[0] != "PASS":
        return [str(card) for card in action[2]]
    return []


def _exchanges(body: Message) -> list[tuple[int, int, str]]:
    exchanges = read_list(body.get("result", []), "result", SEATS)
    return [(_seat(giver), _seat(taker), str(card)) for giver, taker, card in exchanges]


def _seat(value: object) -> int:
    return read_whole(value, "a seat", most=SEATS - 1)


def _try_play(action: object, level: int) -> Play | None:
    try:
        return njupt.play_of(action, level)
    except BadlyWritten:
        return None


async def join(
    client: NjuptClient, url: str, *, room: int | str | None = None, rounds: int = 1, seat: int | None = None
) -> Message:
    """Plays on the platform at `url` until it gives the final result or closes. The result message."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed

    address = url if client.dialect != "v1006" or "/game/" in url else f"{url.rstrip('/')}/game/{client.name}"
    async with connect(address, max_size=MOST_CHARACTERS) as socket:
        if (hello := client.hello(room, rounds, seat)) is not None:
            await socket.send(json.dumps(hello))
        try:
            async for message in socket:
                if (answer := client.recv(message)) is not None:
                    await socket.send(json.dumps(answer))
                if client.is_over:
                    break
        except ConnectionClosed:
            log.warning("the platform closed the connection")
    return client.result
