"""A table for bots of the NJUPT Guandan platforms: our own server for old and new clients, in both dialects.

A late, unreadable or illegal answer, and a player who has gone, get the first action of the list (the pass, when
following); it is logged and the table goes on. What a player sends unasked is dropped.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mingpai.core.errors import BadlyWritten
from mingpai.core.reading import bounded, read_mapping, read_object, read_whole
from mingpai.games.guandan import GAME, notation
from mingpai.games.guandan.moves import Play
from mingpai.games.guandan.rules import SEATS
from mingpai.games.guandan.scoring import DRAW, EVEN, ODD, GuandanMatch
from mingpai.games.guandan.state import GuandanState
from mingpai.protocols import njupt
from mingpai.records.record import Record, record_of

log = logging.getLogger(__name__)

Message = dict[str, Any]

MOST_FAULTS = 50
"""Answers that were late, unreadable or illegal, after which a player is not asked any more."""
MOST_WAITING = 64
"""Messages of a player that wait; what he sends beyond them waits on his side."""
MOST_MATCHES = 1000
MOST_NAME = 100

DEFAULT_PORTS = {"v1006": 23456, "openguandan": 8181}
OLD_ROOM = 0
"""The one room of `v1006`; those of `openguandan` are numbered from 1."""
_OF_TRICKS = ("publicInfo", "curPos", "curAction", "greaterPos", "greaterAction")
"""What `openguandan` says of a question in the tricks only."""


class Player(Protocol):
    """One seat of a table."""

    name: str

    async def send(self, text: str) -> None:
        """Send a message; nothing happens if the player has gone."""

    async def receive(self) -> str | None:
        """The next message; None when the player has gone."""

    def discard(self) -> int:
        """Drop what was sent unasked; how many messages."""


@dataclass
class Outcome:
    """What a table played."""

    victories: list[int] = field(default_factory=lambda: [0] * SEATS)
    draws: list[int] = field(default_factory=lambda: [0] * SEATS)
    records: list[Record] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Every late, unreadable or illegal answer: seat and reason."""


class HostedTable:
    """Plays matches with four players."""

    def __init__(
        self, players: Sequence[Player], *, dialect: njupt.Dialect, matches: int = 1, rounds: int | None = None,
        seed: int = 0, limit: float = 5.0, on_record: Callable[[Record], None] | None = None,
    ) -> None:  # fmt: skip
        self.players = players
        self.dialect = dialect
        self.matches = matches
        self.rounds = rounds
        """End a match after so many rounds; None plays it out."""
        self.seed = seed
        self.limit = limit
        """Seconds for an answer."""
        self._on_record = on_record
        self.outcome = Outcome()
        self._trick: list[tuple[int, Play]] = []
        self._gone: set[int] = set()
        self._faults = [0] * SEATS

    async def play(self) -> Outcome:
        settings = {} if self.rounds is None else {"rounds": self.rounds}
        levels: Sequence[str] = ()
        for number in range(self.matches):
            match = GAME.match(self.seed + number, njupt.RULES[self.dialect], settings)
            while not match.is_over:
                await self._round(match, number)
            self._count(match)
            await self._tell_all({"stage": "gameOver", "curTimes": number + 1, "settingTimes": self.matches})
            levels = match.levels
        await self._tell_all({"stage": "gameResult", **self._result(levels)})
        return self.outcome

    def _result(self, levels: Sequence[str]) -> Message:
        """The end of the sitting, as each dialect tells it; in `openguandan` a draw has no victory."""
        if self.dialect == "v1006":
            return {"victoryNum": self.outcome.victories, "draws": self.outcome.draws}
        even, odd = self.outcome.victories[:2]
        return {"victory": None if even == odd else int(odd > even), "victoryRank": list(levels)}

    def _count(self, match: GuandanMatch) -> None:
        for seat in range(SEATS):
            won = match.native.result == (EVEN if seat % 2 == 0 else ODD)
            self.outcome.victories[seat] += won
            self.outcome.draws[seat] += match.native.result == DRAW

    async def _round(self, match: GuandanMatch, number: int) -> None:
        state = match.next_deal()
        for seat in range(SEATS):
            hand = njupt.hand_list(state.hand(seat), state.level)
            await self._tell(seat, {"stage": "beginning", "handCards": hand, "myPos": seat})
        if state.native.resisted:
            holders = [e.payer for e in state.native.exchanges if state.hand(e.payer).count(notation.BIG_JOKER)]
            await self._tell_all({"stage": "anti-tribute", "antiNums": len(holders), "antiPos": holders})
        self._trick = []
        while (turn := state.to_move) is not None:
            phase = state.phase
            play = await self._ask(state, match, turn)
            state.play(play)
            if phase == notation.Phase.PLAY:
                await self._tell_play(state, turn, play)
            elif state.phase != phase:
                await self._tell_exchange(state, phase)
        names = [player.name for player in self.players]
        record = record_of(state, names, seed=self.seed + number, tags={"source": self.dialect})
        self.outcome.records.append(record)
        if self._on_record is not None:
            self._on_record(record)
        rest = [[s, njupt.hand_list(state.hand(s), state.level)] for s in range(SEATS) if len(state.hand(s))]
        over = {"order": list(state.native.order), "curRank": njupt.level_letter(state.level), "restCards": rest}
        await self._tell_all({"stage": "episodeOver", **over})
        match.finish(state)

    async def _tell_play(self, state: GuandanState, seat: int, play: Play) -> None:
        self._trick.append((seat, play))
        owner, best = self._best()
        note = {"stage": "play", "curPos": seat, "curAction": njupt.action_of(play, self.dialect)}
        greater = {"greaterPos": owner, "greaterAction": njupt.action_of(best, self.dialect)}
        if state.native.is_leading:
            self._trick = []
            if self.dialect == "openguandan" and play.is_pass:
                greater = {"greaterPos": -1, "greaterAction": None}
        await self._tell_all(note | greater)

    def _best(self) -> tuple[int, Play]:
        """The play to beat in this trick, which must have one."""
        return next(step for step in reversed(self._trick) if not step[1].is_pass)

    async def _tell_exchange(self, state: GuandanState, phase: int) -> None:
        """The result of the phase that has just ended."""
        if phase == notation.Phase.TRIBUTE:
            result = [[e.payer, e.receiver, notation.card_text(e.tribute)] for e in state.native.exchanges]
            await self._tell_all({"stage": "tribute", "result": result})
        else:
            result = [[e.receiver, e.payer, notation.card_text(e.returned)] for e in state.native.exchanges]
            await self._tell_all({"stage": "back", "result": result})

    # --- asking -----------------------------------------------------------------------------------------------------

    async def _ask(self, state: GuandanState, match: GuandanMatch, seat: int) -> Play:
        legal = njupt.in_order(state.legal_moves())
        if seat in self._gone:
            return legal[0]
        player = self.players[seat]
        if dropped := player.discard():
            log.warning("seat %d: %d messages sent unasked", seat, dropped)
        await player.send(self._wrap("act", self._question(state, match, seat, legal)))
        try:
            answer = await asyncio.wait_for(player.receive(), self.limit)
        except TimeoutError:
            return self._fault(seat, f"no answer within {self.limit:g} s", legal)
        if answer is None:
            self._gone.add(seat)
            return self._fault(seat, "gone", legal)
        try:
            return self._choice(answer, legal, state.level)
        except BadlyWritten as error:
            return self._fault(seat, str(error), legal)

    def _fault(self, seat: int, why: str, legal: list[Play]) -> Play:
        log.warning("seat %d (%s): %s; the first action is taken", seat, self.players[seat].name, why)
        self.outcome.faults.append(f"seat {seat}: {why}")
        self._faults[seat] += 1
        if self._faults[seat] >= MOST_FAULTS and seat not in self._gone:
            log.warning("seat %d (%s): %d faults, it is not asked again", seat, self.players[seat].name, MOST_FAULTS)
            self._gone.add(seat)
        return legal[0]

    def _choice(self, answer: str, legal: list[Play], level: int) -> Play:
        data = read_object(answer)
        if self.dialect == "v1006":
            index = data.get("actIndex")
            if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(legal):
                raise BadlyWritten(data, f"actIndex from 0 to {len(legal) - 1}")
            return legal[index]
        body = data.get("data")
        play = njupt.play_of(body.get("act") if isinstance(body, dict) else None, level)
        if play not in legal:
            raise BadlyWritten(data, "an action of the action list")
        return play

    def _question(self, state: GuandanState, match: GuandanMatch, seat: int, legal: list[Play]) -> Message:
        stage = {notation.Phase.TRIBUTE: "tribute", notation.Phase.RETURN: "back"}.get(state.phase, "play")
        levels = match.levels
        owner, best = self._best() if self._trick else (-1, None)
        last, action = self._trick[-1] if self._trick else (-1, None)
        question: Message = {
            "handCards": njupt.hand_list(state.hand(seat), state.level),
            "publicInfo": [self._public(state, s) for s in range(SEATS)],
            "selfRank": levels[seat % 2],
            "oppoRank": levels[1 - seat % 2],
            "curRank": njupt.level_letter(state.level),
            "stage": stage,
            "curPos": last,
            "curAction": None if action is None else njupt.action_of(action, self.dialect),
            "greaterPos": owner,
            "greaterAction": None if best is None else njupt.action_of(best, self.dialect),
            "actionList": [njupt.action_of(play, self.dialect) for play in legal],
            "indexRange": len(legal) - 1,
        }
        if stage == "back":
            paid = next(e for e in state.native.exchanges if e.receiver == seat)
            question |= {"tributePos": paid.payer, "tribute": notation.card_text(paid.tribute)}
        if self.dialect == "openguandan" and stage != "play":
            for name in _OF_TRICKS:
                del question[name]
        return question

    def _public(self, state: GuandanState, seat: int) -> Message:
        """Cards left, and in `v1006` the seat's play in this trick."""
        if self.dialect == "openguandan":
            return {"rest": len(state.hand(seat))}
        own = [play for who, play in self._trick if who == seat]
        area = njupt.action_of(own[-1], self.dialect) if own else None
        return {"rest": len(state.hand(seat)), "playArea": area}

    # --- sending ----------------------------------------------------------------------------------------------------

    def _wrap(self, kind: str, body: Message) -> str:
        return json.dumps({"type": kind, **body})

    async def _tell(self, seat: int, body: Message) -> None:
        await self.players[seat].send(self._wrap("notify", body))

    async def _tell_all(self, body: Message) -> None:
        for seat in range(SEATS):
            await self._tell(seat, body)


class SocketPlayer:
    """A player at the end of a WebSocket."""

    def __init__(self, socket: Any, name: str) -> None:
        self.name = name
        self._socket = socket
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)
        self.done = asyncio.Event()
        """Set when the table is over."""

    async def listen(self) -> None:
        """Fills the inbox until the connection ends."""
        from websockets.exceptions import ConnectionClosed

        try:
            async for message in self._socket:
                await self._inbox.put(message if isinstance(message, str) else message.decode(errors="replace"))
        except ConnectionClosed:
            pass
        await self._inbox.put(None)

    async def send(self, text: str) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            await self._socket.send(text)
        except ConnectionClosed:
            log.info("%s has gone", self.name)

    async def receive(self) -> str | None:
        message = await self._inbox.get()
        if message is None:
            self._inbox.put_nowait(None)
        return message

    def discard(self) -> int:
        dropped = 0
        kept_end = False
        while not self._inbox.empty():
            kept_end |= self._inbox.get_nowait() is None
            dropped += not kept_end
        if kept_end:
            self._inbox.put_nowait(None)
        return dropped


class Host:
    """Serves tables over WebSockets. `v1006`: the first four connections. `openguandan`: rooms of four."""

    def __init__(
        self, dialect: njupt.Dialect, *, matches: int = 1, rounds: int | None = None, seed: int = 0, limit: float = 5.0,
        on_outcome: Callable[[Outcome], Awaitable[None]] | None = None,
        on_record: Callable[[Record], None] | None = None,
    ) -> None:  # fmt: skip
        self.dialect = dialect
        self.matches = matches
        self.rounds = rounds
        self.seed = seed
        self.limit = limit
        self.outcomes: list[Outcome] = []
        self._on_outcome = on_outcome
        self._on_record = on_record
        self._rooms: dict[int, dict[int, SocketPlayer]] = {}
        self._matches: dict[int, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, host: str = "127.0.0.1", port: int | None = None) -> Any:
        """Starts listening; the server object closes it. Port 0 takes any free one."""
        from websockets.asyncio.server import serve

        return await serve(self._connected, host, DEFAULT_PORTS[self.dialect] if port is None else port, max_size=2**20)

    async def _connected(self, socket: Any) -> None:
        path = str(getattr(getattr(socket, "request", None), "path", "/"))
        player = SocketPlayer(socket, path.rsplit("/", 1)[-1] or "player")
        listener = asyncio.create_task(player.listen())
        try:
            if self.dialect == "v1006":
                self._sit(OLD_ROOM, player, None)
                self._start_if_full(OLD_ROOM)
            else:
                await self._lobby(player)
            finished = asyncio.create_task(player.done.wait())
            await asyncio.wait({listener, finished}, return_when=asyncio.FIRST_COMPLETED)
            if not finished.done():
                await finished
        finally:
            listener.cancel()

    async def _lobby(self, player: SocketPlayer) -> None:
        """Waits for CREATE_ROOM or JOIN_ROOM."""
        while (text := await player.receive()) is not None:
            try:
                room, seat = self._request(text, player)
            except BadlyWritten as error:
                await player.send(_lobby_answer(text, njupt.REFUSED, {"message": str(error)}))
                continue
            taken = self._sit(room, player, seat)
            await player.send(_lobby_answer(text, njupt.ACCEPTED, {"roomId": room, "userNum": taken}))
            self._start_if_full(room)
            return
        player.done.set()

    def _request(self, text: str, player: SocketPlayer) -> tuple[int, int | None]:
        try:
            message = read_object(text)
            kind, data = message["type"], read_mapping(message["data"], "data")
            player.name = bounded(str(data["userId"]), "userId", MOST_NAME)
        except KeyError:
            raise BadlyWritten(text[:80], "CREATE_ROOM or JOIN_ROOM with a userId") from None
        seat = data.get("seatNum")
        if seat is not None:
            seat = read_whole(seat, "seatNum", most=SEATS - 1)
        if kind == "CREATE_ROOM":
            matches = read_whole(data.get("round", 1), "round", most=MOST_MATCHES)
            room = len(self._rooms) + 1
            self._rooms[room] = {}
            self._matches[room] = max(1, matches)
            return room, seat
        room = read_whole(data.get("roomId"), "roomId")
        if kind != "JOIN_ROOM" or room not in self._rooms or len(self._rooms[room]) == SEATS:
            raise BadlyWritten(text[:80], "JOIN_ROOM of a room that exists and is not full")
        if seat in self._rooms[room]:
            raise BadlyWritten(seat, "a seatNum that is free")
        return room, seat

    def _sit(self, room: int, player: SocketPlayer, seat: int | None) -> int:
        if len(self._rooms.get(room, {})) == SEATS:
            self._rooms[room] = {}  # the next table of v1006; other rooms are never joined when full
        places = self._rooms.setdefault(room, {})
        taken = next(s for s in range(SEATS) if s not in places) if seat is None else seat
        places[taken] = player
        return taken

    def _start_if_full(self, room: int) -> None:
        places = self._rooms[room]
        if len(places) == SEATS:
            task = asyncio.create_task(self._play(room, [places[seat] for seat in range(SEATS)]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _play(self, room: int, players: list[SocketPlayer]) -> None:
        table = HostedTable(
            players, dialect=self.dialect, matches=self._matches.get(room, self.matches), rounds=self.rounds,
            seed=self.seed + len(self.outcomes), limit=self.limit, on_record=self._on_record,
        )  # fmt: skip
        try:
            outcome = await table.play()
            self.outcomes.append(outcome)
            if self._on_outcome is not None:
                await self._on_outcome(outcome)
        finally:
            for player in players:
                player.done.set()


def _lobby_answer(request: str, code: int, data: Message) -> str:
    """An answer of the type that was asked, where it can be read."""
    try:
        kind = read_object(request).get("type")
    except BadlyWritten:
        kind = None
    return json.dumps({"type": kind if kind in njupt.LOBBY else "ERROR", "code": code, "data": data})
