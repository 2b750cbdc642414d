"""The protocol of the Annual Computer Poker Competition, version 2.0.0: messages, a client and a dealer.

Positions count from the first seat after the button (heads-up the big blind), so position n - 1 has the button. The
server repeats the whole hand after each action; on our turn we send the line back with `:f`, `:c` or `:rN` added, N
being the total over the whole hand. Lines end in CRLF; those that begin with # or ; are comments.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mingpai.core.agent import Agent
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.random import seed_of
from mingpai.core.reading import bounded, read_whole
from mingpai.games.holdem import GAME, HoldemState, HoldemView
from mingpai.games.holdem.moves import CHECK, FOLD, Action, ActionKind, raise_to
from mingpai.games.holdem.notation import Card, format_cards, parse_cards
from mingpai.games.holdem.rules import MAX_SEATS, MOST_CHIPS, Chips, rules_of
from mingpai.games.holdem.state import Hole, TableSetup
from mingpai.games.holdem.view import begin_known
from mingpai.protocols.connection import WINDOW, Connection, reach
from mingpai.protocols.deadline import LIMIT, PromptAgent
from mingpai.protocols.raises import Convention, street_total, written
from mingpai.records.acpc_log import log_names
from mingpai.records.record import Record, record_of

log = logging.getLogger(__name__)

VERSION = "VERSION:2.0.0"
RULES = "acpc"
STREETS = 4
MOST_FAULTS = 10
"""Answers that were late or could not be read, after which the dealer drops a player; his hands are folded."""
LINE_END = "\r\n"
_TOKEN = re.compile(r"f|c|r[0-9]{1,18}")


@dataclass(frozen=True)
class GameDefinition:
    """A no-limit game with blinds, as the server's game files define it."""

    stacks: tuple[int, ...]
    """Chips of each position at the start of every hand."""
    small_blind: int
    big_blind: int

    @property
    def players(self) -> int:
        return len(self.stacks)

    @classmethod
    def parse(cls, text: str) -> "GameDefinition":
        """A GAMEDEF file. Only no-limit hold'em with the usual blinds and order of play."""
        fields = {
            key.strip().lower(): value.split()
            for key, _, value in (line.partition("=") for line in text.splitlines() if "=" in line)
        }
        if "nolimit" not in text.lower():
            raise BadlyWritten(text[:60], "a no-limit game")
        try:
            players = read_whole(fields["numplayers"][0], "numPlayers", 2, MAX_SEATS)
            blinds = [read_whole(blind, "blind", most=MOST_CHIPS) for blind in fields["blind"]]
            stacks = tuple(read_whole(stack, "stack", 1, MOST_CHIPS) for stack in fields["stack"])
            first = [read_whole(seat, "firstPlayer", 1, MAX_SEATS) for seat in fields.get("firstplayer", ["1"])]
        except (KeyError, IndexError) as error:
            raise BadlyWritten(text[:60], f"numPlayers, stack, blind and firstPlayer ({error})") from None
        if len(blinds) < 2:
            raise BadlyWritten(blinds, "a small and a big blind")
        heads_up = players == 2
        small, big = (blinds[1], blinds[0]) if heads_up else (blinds[0], blinds[1])
        usual = [2 if heads_up else 3 if players > 2 else 1, 1, 1, 1]
        if len(stacks) != players or any(blinds[2:]) or small > big or first[:STREETS] != usual[: len(first)]:
            raise BadlyWritten(text[:60], "blinds of the first two positions (reversed heads-up) and the usual order")
        return cls(stacks, small, big)

    def text(self) -> str:
        """The GAMEDEF file."""
        heads_up = self.players == 2
        blinds = [self.big_blind, self.small_blind] if heads_up else [self.small_blind, self.big_blind]
        blinds += [0] * (self.players - 2)
        lines = ["GAMEDEF", "nolimit", f"numPlayers = {self.players}", f"numRounds = {STREETS}"]
        lines += [f"stack = {' '.join(map(str, self.stacks))}", f"blind = {' '.join(map(str, blinds))}"]
        lines += [f"firstPlayer = {2 if heads_up else 3} 1 1 1", "numSuits = 4", "numRanks = 13", "numHoleCards = 2"]
        return "\n".join([*lines, "numBoardCards = 0 3 1 1", "END GAMEDEF"]) + "\n"

    def setup(self, origin: int = 0) -> dict[str, Any]:
        """The table with seats counted from the position `origin`."""
        stacks = [*self.stacks[origin:], *self.stacks[:origin]]
        button = (self.players - 1 - origin) % self.players
        return {"stacks": stacks, "button": button, "blinds": [self.small_blind, self.big_blind], "ante": 0}


@dataclass(frozen=True)
class MatchState:
    """A line of the server."""

    position: int
    hand: int
    betting: str
    holes: tuple[Hole, ...]
    """The hands that we may see."""
    board: tuple[Card, ...]

    @classmethod
    def parse(cls, line: str) -> "MatchState":
        match bounded(line, "a line").strip().split(":"):
            case ["MATCHSTATE", position, hand, betting, cards, *_]:
                holes, board = _parse_cards(cards)
                seat, number = read_whole(position, "position", most=MAX_SEATS - 1), read_whole(hand, "hand")
                return cls(seat, number, betting, holes, board)
        raise BadlyWritten(line, "MATCHSTATE:position:hand:betting:cards")

    def start(self, definition: GameDefinition, origin: int = 0) -> HoldemState:
        """The hand before anybody has acted, unknown cards left out, seats counted from the position `origin`."""
        if len(self.holes) != definition.players or self.position >= definition.players:
            raise BadlyWritten(f"{len(self.holes)} hands", f"the hands of {definition.players} positions")
        holes = (*self.holes[origin:], *self.holes[:origin])
        return begin_known(TableSetup(definition.setup(origin)), rules_of(RULES), holes, self.board)

    def state(self, definition: GameDefinition, origin: int = 0) -> HoldemState:
        """The hand so far, in the same way."""
        state = self.start(definition, origin)
        replay_betting(state, self.betting)
        return state


def _parse_cards(text: str) -> tuple[tuple[Hole, ...], tuple[Card, ...]]:
    hands, *streets = text.split("/")
    holes: list[Hole] = []
    for part in hands.split("|"):
        cards = parse_cards(part)
        if len(cards) not in (0, 2):
            raise BadlyWritten(text, "two cards or none for each position")
        holes.append((cards[0], cards[1]) if cards else None)
    return tuple(holes), tuple(parse_cards("".join(streets)))


def replay_betting(state: HoldemState, betting: str) -> None:
    """Plays the actions of a betting string such as `cr300c/cc/r900`."""
    position = 0
    while position < len(betting):
        if betting[position] == "/":
            position += 1
            continue
        token = _TOKEN.match(betting, position)
        if token is None or state.is_over:
            raise BadlyWritten(betting, "no action after the end" if token else "f, c, rN and /", position)
        state.play(_action(token[0], state))
        position = token.end()


def _action(token: str, state: HoldemState) -> Action:
    if token == "f":
        return FOLD
    if token == "c":
        return state.stay()
    return raise_to(street_total(Convention.HAND_TOTAL, int(token[1:]), state))


def action_text(move: Action, position: "HoldemState | HoldemView") -> str:
    """A move as the protocol writes it."""
    if move.kind == ActionKind.RAISE:
        return f"r{int(written(Convention.HAND_TOTAL, move.to, position))}"
    return "f" if move.kind == ActionKind.FOLD else "c"


def betting_text(state: HoldemState) -> str:
    """The betting string of a hand; every street that has begun has its slash."""
    moves = [move for _, move in state.moves()]
    streets = [len(street) for street in state.actions_by_street()]
    twin = state.copy()
    for _ in moves:
        twin.undo()
    parts, at = [], 0
    for length in streets:
        tokens = []
        for move in moves[at : at + length]:
            tokens.append(action_text(move, twin))
            twin.play(move)
        parts.append("".join(tokens))
        at += length
    return "/".join(parts)


def cards_text(state: HoldemState, position: int | None) -> str:
    """The cards as a position sees them; all of them for None, as logs have them."""
    table = state.native if position is None else state.native.masked(position)
    hands = "|".join("" if hand is None else format_cards(hand) for hand in table.hands)
    board = state.board
    streets = [board[:3], board[3:4], board[4:5]]
    return hands + "".join(f"/{format_cards(cards)}" for cards in streets if cards)


def state_line(state: HoldemState, hand: int, position: int) -> str:
    """The line that the server sends to a position."""
    return f"MATCHSTATE:{position}:{hand}:{betting_text(state)}:{cards_text(state, position)}"


def log_line(state: HoldemState, hand: int, names: Sequence[str]) -> str:
    """The line of a finished hand in the server's log."""
    payoffs = "|".join(_number(chips) for chips in state.payoffs())
    return f"STATE:{hand}:{betting_text(state)}:{cards_text(state, None)}:{payoffs}:{'|'.join(names)}"


def read_log_line(line: str, definition: GameDefinition) -> tuple[HoldemState, tuple[str, ...]]:
    """A finished hand of a log, with the names by position. Payoffs that the rules do not give are an error."""
    match bounded(line, "a line").strip().split(":"):
        case ["STATE", _, betting, cards, payoffs, names]:
            holes, board = _parse_cards(cards)
            if len(holes) != definition.players:
                raise BadlyWritten(cards, f"the hands of {definition.players} positions")
            state = begin_known(TableSetup(definition.setup()), rules_of(RULES), holes, board)
            replay_betting(state, betting)
            if not state.is_over or "|".join(map(_number, state.payoffs())) != payoffs:
                raise BadlyWritten(payoffs, "the payoffs of a finished hand under the rules")
            return state, log_names(names)
    raise BadlyWritten(line, "STATE:hand:betting:cards:payoffs:names")


def completed(state: HoldemState) -> HoldemState:
    """The hand with cards in place of those that a log does not tell: records keep whole decks."""
    moves = [move for _, move in state.moves()]
    full = state.native.filled(0)
    whole = begin_known(TableSetup(state.setup()), state.rule_set, full.hands, full.full_board)
    for move in moves:
        whole.play(move)
    return whole


def _number(chips: Chips) -> str:
    return str(chips) if isinstance(chips, int) else f"{float(chips):.6f}".rstrip("0").rstrip(".")


class AcpcClient:
    """Answers the server's lines for one agent: `answer(line)` without a socket, `join` on one.

    Players change their positions from hand to hand, all together; the agent sees itself at seat 0 and every other
    player at a seat of his own throughout, so that it can remember them.
    """

    def __init__(self, agent: Agent[Any], definition: GameDefinition, limit: float = LIMIT) -> None:
        self.definition = definition
        self.prompt = PromptAgent(agent, limit)
        self.hands = 0
        """Hands finished."""
        self.chips: Chips = 0
        """Won so far, as far as shown."""
        self._hand: int | None = None
        self.prompt.start_match(0, definition.players)

    def warm_up(self) -> None:
        """Play some hands beforehand, so that no first time falls into the match."""
        self.prompt.warm_up(RULES, (self.definition.players,))
        self.prompt.start_match(0, self.definition.players)

    async def answer(self, line: str) -> str | None:
        """The reply to a line; None when there is nothing to say."""
        line = line.strip()
        if not line or line[0] in "#;" or not line.startswith("MATCHSTATE"):
            return None
        seen = MatchState.parse(line)
        state = seen.state(self.definition, seen.position)
        view = state.view(0)
        if self._hand != seen.hand:
            self._hand = seen.hand
            self.prompt.start_hand(seen.start(self.definition, seen.position).view(0))
        self.prompt.hear(view)
        if state.is_over:
            self._end(state)
            return None
        if state.to_move != 0:
            return None
        move = await self.prompt.decide(view)
        return f"{line}:{action_text(move, view)}"

    def _end(self, state: HoldemState) -> None:
        self.hands += 1
        self.chips += state.payoffs()[0]
        self.prompt.end_hand(list(state.points()))


async def join(client: AcpcClient, host: str, port: int, window: float = WINDOW) -> AcpcClient:
    """Play on a dealer's port until it closes."""
    client.warm_up()
    reader, writer = await reach(host, port, window=window)
    writer.write((VERSION + LINE_END).encode())
    try:
        while line := await reader.readline():
            try:
                reply = await client.answer(line.decode(errors="replace"))
            except MingpaiError as error:
                log.error("cannot follow the server: %s", error)
                reply = None
            if reply is not None:
                writer.write((reply + LINE_END).encode())
                await writer.drain()
        await client.prompt.settle()
    except ConnectionError as error:
        log.warning("the server has gone: %s", error)
    finally:
        writer.close()
        client.prompt.close()
    return client


@dataclass
class _Player(Connection):
    name: str
    faults: int = 0
    """Answers that were late or could not be read."""

    async def receive(self, sent: str, limit: float) -> str | None:
        """The action answered to a line; None when nothing readable comes in time. Older answers are skipped."""
        deadline = asyncio.get_running_loop().time() + limit
        while (left := deadline - asyncio.get_running_loop().time()) > 0:
            line = await self.line(left)
            if line is None:
                return None
            head, _, action = line.rpartition(":")
            if line and line[0] not in "#;" and head == sent:
                return action if _TOKEN.fullmatch(action) else None
        return None


@dataclass
class AcpcDealer:
    """A match between clients: one port for each player, positions move on by one each hand."""

    definition: GameDefinition
    hands: int
    seed: int = 0
    limit: float = LIMIT
    """Seconds for an answer; after that the hand is checked or folded."""
    log: list[str] = field(default_factory=list)
    """STATE lines and the SCORE, as the server writes them."""
    records: list[Record] = field(default_factory=list)
    scores: list[Chips] = field(default_factory=list)
    """Chips won by each player."""
    on_line: Callable[[str], None] | None = None
    """Hears each line of the log as its hand ends."""

    async def run(
        self, host: str, ports: Sequence[int], names: Sequence[str], ready: Callable[[list[int]], None] | None = None
    ) -> None:
        """Waits for one client at each port (0 chooses one; `ready` hears which), then plays."""
        waiting: list[asyncio.Future[_Player]] = [asyncio.get_running_loop().create_future() for _ in ports]
        servers = [
            await asyncio.start_server(self._greeter(place, names[place], waiting), host, port)
            for place, port in enumerate(ports)
        ]
        if ready is not None:
            ready([server.sockets[0].getsockname()[1] for server in servers])
        players = await asyncio.gather(*waiting)
        try:
            await self._play(players)
        finally:
            for player in players:
                player.writer.close()
            for server in servers:
                server.close()

    def _greeter(self, place: int, name: str, waiting: list["asyncio.Future[_Player]"]) -> Any:
        async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                hello = (await asyncio.wait_for(reader.readline(), 10)).decode(errors="replace").strip()
            except (TimeoutError, ConnectionError, ValueError):
                hello = ""
            if not hello.startswith(VERSION.rpartition(".")[0]) or waiting[place].done():
                writer.close()
                return
            waiting[place].set_result(_Player(name, reader=reader, writer=writer))

        return greet

    async def _play(self, players: Sequence[_Player]) -> None:
        count = len(players)
        self.scores = [0] * count
        for hand in range(self.hands):
            seated = [players[(position - hand) % count] for position in range(count)]
            state = GAME.deal(seed_of(self.seed, "acpc", hand), RULES, self.definition.setup())
            await self._play_hand(state, hand, seated)
            for position, chips in enumerate(state.payoffs()):
                self.scores[(position - hand) % count] += chips
            self._write(log_line(state, hand, [player.name for player in seated]))
            self.records.append(record_of(state, [player.name for player in seated], tags={"hand": hand}))
        names = "|".join(player.name for player in players)
        self._write(f"SCORE:{'|'.join(map(_number, self.scores))}:{names}")

    def _write(self, line: str) -> None:
        self.log.append(line)
        if self.on_line is not None:
            self.on_line(line)

    async def _play_hand(self, state: HoldemState, hand: int, seated: Sequence[_Player]) -> None:
        await self._tell(state, hand, seated)
        while (position := state.to_move) is not None:
            sent = state_line(state, hand, position)
            answer = await seated[position].receive(sent, self.limit)
            if answer is None:
                seated[position].faults += 1
                if seated[position].faults == MOST_FAULTS:
                    log.warning("%s: %d faults, it is dropped", seated[position].name, MOST_FAULTS)
                    seated[position].drop()
            state.play(legal_move(answer, state))
            await self._tell(state, hand, seated)

    async def _tell(self, state: HoldemState, hand: int, seated: Sequence[_Player]) -> None:
        for position, player in enumerate(seated):
            await player.send(state_line(state, hand, position) + LINE_END)


def legal_move(answer: str | None, state: HoldemState) -> Action:
    """The nearest legal move to an answer: raises are brought within bounds; no answer checks or folds."""
    if answer is None or answer == "f":
        return FOLD if state.native.legal().fold else CHECK
    if answer == "c":
        return state.stay()
    return state.raise_near(street_total(Convention.HAND_TOTAL, int(answer[1:]), state))
