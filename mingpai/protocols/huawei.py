"""The server of the 2015 Huawei contest for hold'em: its messages, a client and a server.

Messages are blocks of lines between `name/` and `/name`; every line ends with a space and a newline. A seat block names
the players from the button on; bets are totals of the hand; `raise N` adds N to the current bet. An answer may take
500 ms, then the hand is folded; ten times late loses everything.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from mingpai.core.agent import Agent
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.reading import read_whole
from mingpai.games.holdem import HoldemState
from mingpai.games.holdem.equity import category_of, rank_of
from mingpai.games.holdem.moves import CALL, CHECK, FOLD, Action, ActionKind, raise_to
from mingpai.games.holdem.notation import CARDS, Card, parse_card
from mingpai.games.holdem.rules import MOST_CHIPS, Chips, rules_of
from mingpai.games.holdem.scoring import HoldemMatch, MatchSettings
from mingpai.games.holdem.state import Hole, Position, TableSetup
from mingpai.games.holdem.view import begin_known
from mingpai.protocols.connection import PAUSE, WINDOW, Connection, reach
from mingpai.protocols.deadline import LIMIT, PromptAgent, resign
from mingpai.protocols.raises import Convention, street_total, written
from mingpai.records.record import Record, record_of

log = logging.getLogger(__name__)

RULES = "huawei2015"
COLORS = {"SPADES": "s", "HEARTS": "h", "CLUBS": "c", "DIAMONDS": "d"}
_COLOR_OF = {suit: color for color, suit in COLORS.items()}
STREETS = ("flop", "turn", "river")
OPEN_CARDS = {"flop": 3, "turn": 4, "river": 5}
GAME_OVER = "game-over"
MAX_LATE = 10
REHEARSED_SEATS = (2, 8)
"""Tables at which an agent warms up before it registers."""
MAX_LINES = 64
"""Lines of one block, at most: more is garbage."""


@dataclass(frozen=True)
class Block:
    """One message: its name and the lines inside."""

    name: str
    lines: tuple[str, ...] = ()

    def text(self) -> str:
        """As sent: every line ends with a space and a newline."""
        if self.name == GAME_OVER:
            return f"{GAME_OVER} \n"
        return "".join(f"{line} \n" for line in (f"{self.name}/", *self.lines, f"/{self.name}"))


class BlockReader:
    """Lines to blocks. What is no block is skipped and logged."""

    def __init__(self) -> None:
        self._name = ""
        self._lines: list[str] = []

    def feed(self, line: str) -> Block | None:
        """The block that this line ends, if it does."""
        line = line.strip()
        if self._name:
            if line == f"/{self._name}":
                block = Block(self._name, tuple(self._lines))
                self._name, self._lines = "", []
                return block
            self._lines.append(line)
            if len(self._lines) > MAX_LINES:
                log.warning("a block %s without end is dropped", self._name)
                self._name, self._lines = "", []
        elif line == GAME_OVER:
            return Block(GAME_OVER)
        elif line.endswith("/") and len(line) > 1:
            self._name = line[:-1].strip()
        elif line:
            log.warning("a line outside of a block is skipped: %r", line)
        return None


def parse_point(color: str, point: str) -> Card:
    """A card such as `SPADES 10`."""
    if color not in COLORS:
        raise BadlyWritten(f"{color} {point}", f"a color, one of {', '.join(COLORS)}, and a point 2 to 10, J, Q, K, A")
    return parse_card(point + COLORS[color])


def point_text(card: Card) -> str:
    rank, suit = CARDS[card][0], CARDS[card][1]
    return f"{_COLOR_OF[suit]} {'10' if rank == 'T' else rank}"


@dataclass(frozen=True)
class Entry:
    """What an inquiry says of a player: chips, reserve, chips bet in this hand, the last action."""

    pid: str
    jetton: int
    money: int
    bet: int
    action: str

    @classmethod
    def parse(cls, line: str) -> "Entry":
        match line.split():
            case [pid, jetton, money, bet, action]:
                chips, reserve, paid = (read_whole(word, "chips", most=MOST_CHIPS) for word in (jetton, money, bet))
                return cls(pid, chips, reserve, paid, action)
        raise BadlyWritten(line, "pid jetton money bet action")

    def text(self) -> str:
        return f"{self.pid} {self.jetton} {self.money} {self.bet} {self.action}"


def parse_entries(block: Block) -> list[Entry]:
    """The players of an inquire or notify block, the last one to act first."""
    return [Entry.parse(line) for line in block.lines if line and not line.startswith("total pot")]


def answer_text(move: Action, position: Position) -> str:
    """A move as an answer to inquire."""
    bounds = position.raise_bounds
    if move.kind == ActionKind.RAISE and bounds is not None:
        if move.to == bounds[1]:
            return "all_in"
        return f"raise {int(written(Convention.OVER_BET, move.to, position))}"
    return {ActionKind.FOLD: "fold", ActionKind.CHECK: "check"}.get(move.kind, "call")


def parse_answer(text: str, position: Position) -> Action:
    """What an answer does: a check that owes is a call, a small raise is padded, a large one all-in, garbage folds."""
    match text.split():
        case ["check"] | ["call"]:
            return position.stay()
        case ["all_in"]:
            return position.raise_near(MOST_CHIPS)
        case ["raise", amount] if amount.isascii() and amount.isdigit() and len(amount) < 16:
            return position.raise_near(street_total(Convention.OVER_BET, int(amount), position))
    return FOLD


@dataclass
class _Hand:
    """A hand as the client has heard of it."""

    pids: list[str]
    """By seat; a player keeps his seat for the whole match."""
    stacks: list[int]
    """Chips by seat, 0 of those who are out."""
    order: list[int]
    """The seats dealt in, from the button on."""
    seat: int
    """Our own seat."""
    blinds: dict[str, int] = field(default_factory=dict)
    hole: list[Card] = field(default_factory=list)
    board: list[Card] = field(default_factory=list)
    shown: dict[int, tuple[Card, Card]] = field(default_factory=dict)
    """Hands of other seats, by seat."""
    state: HoldemState | None = None

    def holes(self) -> list[Hole]:
        """The hands that are known."""
        holes: list[Hole] = [None] * len(self.pids)
        for seat, cards in self.shown.items():
            holes[seat] = cards
        holes[self.seat] = (self.hole[0], self.hole[1])
        return holes

    @property
    def is_known(self) -> bool:
        """Whether every card is known that the table as it stands would show."""
        if self.state is None or len(self.state.board) > len(self.board):
            return False
        hands = self.state.native.hands
        return all(hands[seat] is not None for seat in self.state.native.shown_seats)


class HuaweiClient:
    """Answers the server's blocks for one agent: `receive(block)` without a socket, `join` on one.

    The agent hears every hand to its end, also when it has folded: the server notifies of every action but perhaps the
    last one, which follows from the showdown and the winners.
    """

    def __init__(self, agent: Agent[Any], pid: str, name: str = "mingpai", limit: float = LIMIT) -> None:
        self.pid = pid
        self.name = name
        self.needs_notify = True
        """Whether to ask for word of every action; without it they are read from the next inquiry."""
        self.prompt = PromptAgent(agent, limit)
        self.is_over = False
        self.hands = 0
        """Hands begun."""
        self.unsent = 0
        """Answers that were ready only after the server had given up waiting for them."""
        self._hand: _Hand | None = None
        self._blinds = (0, 0)
        self._pids: list[str] = []

    def hello(self) -> str:
        """The registration."""
        return f"reg: {self.pid} {self.name} {'need_notify ' if self.needs_notify else ''}\n"

    async def receive(self, block: Block, arrived: float | None = None) -> str | None:
        """The answer to a block; None when there is nothing to say. An inquiry is always answered.

        `arrived` is the time of the event loop at which the block came, if that was not now.
        """
        try:
            return await self._receive(block, arrived)
        except (MingpaiError, ValueError, IndexError, TypeError) as error:
            log.error("cannot follow the server in %s: %s", block.name, error)
        return self._careful(block) if block.name == "inquire" else None

    async def _receive(self, block: Block, arrived: float | None) -> str | None:
        hand = self._hand
        if block.name == GAME_OVER:
            self.is_over = True
        elif block.name == "seat":
            self._start(block)
        elif hand is None:
            return self._careful(block) if block.name == "inquire" else None
        elif block.name == "blind":
            hand.blinds = {pid.rstrip(":"): int(bet) for pid, bet in (line.split() for line in block.lines)}
        elif block.name == "hold":
            hand.hole = [parse_point(*line.split()) for line in block.lines]
            self._deal(hand)
        elif block.name in STREETS:
            hand.board += [parse_point(*line.split()) for line in block.lines]
            self._rebuild(hand)
            self._tell(hand)
        elif block.name == "notify":
            self._notified(hand, parse_entries(block))
        elif block.name == "inquire":
            return await self._answer(hand, block, arrived)
        elif block.name == "showdown":
            self._show(hand, block)
        elif block.name == "pot-win":
            self._end(hand, block)
        return None

    def _start(self, block: Block) -> None:
        rows = [line.rpartition(":")[2].split() for line in block.lines if line]
        chips = {row[0]: int(row[1]) for row in rows}
        if self._hand is not None:
            log.warning("the server has begun a hand without the end of the last one")
        self._hand = None
        if self.pid not in chips:
            return
        if not set(chips) <= set(self._pids):
            self._pids = list(chips)
            self.prompt.start_match(self._pids.index(self.pid), len(self._pids))
        stacks = [chips.get(pid, 0) for pid in self._pids]
        order = [self._pids.index(pid) for pid in chips]
        self._hand = _Hand(self._pids, stacks, order, self._pids.index(self.pid))
        self.hands += 1

    def _deal(self, hand: _Hand) -> None:
        """The table, once the own cards are known. Blinds that a seat could not pay are known from earlier hands."""
        posted = [hand.blinds.get(hand.pids[seat], 0) for seat in hand.order]
        small = max(*posted[1:2], self._blinds[0])
        big = max([*posted[2:3], self._blinds[1], 2 * small if len(posted) == 2 else small, 1])
        self._blinds = (small, big)
        state = self._rebuild(hand)
        self.prompt.start_hand(state.view(hand.seat))
        self._tell(hand)

    def _rebuild(self, hand: _Hand) -> HoldemState:
        """The table once more, with all cards known by now."""
        setup = TableSetup({"stacks": hand.stacks, "button": hand.order[0], "blinds": list(self._blinds)})
        moves = [] if hand.state is None else [move for _, move in hand.state.moves()]
        state = begin_known(setup, rules_of(RULES), hand.holes(), hand.board)
        for move in moves:
            state.play(move)
        hand.state = state
        return state

    def _tell(self, hand: _Hand) -> None:
        """The agent hears what has happened, as far as all cards of it are known."""
        if hand.state is not None and hand.is_known:
            self.prompt.hear(hand.state.view(hand.seat))

    async def _answer(self, hand: _Hand, block: Block, arrived: float | None) -> str:
        now = asyncio.get_running_loop().time()
        self._follow(hand, parse_entries(block), last=None)
        state = hand.state
        if state is not None and state.to_move is None and hand.seat in state.live_seats:
            return "check"  # Everybody else has folded or is all-in; the contest's server asks all the same.
        if state is None or state.to_move != hand.seat:
            raise BadlyWritten(list(block.lines), "an inquiry when it is our turn")
        self._tell(hand)
        view = state.view(hand.seat)
        move = await self.prompt.decide(view, now - arrived if arrived is not None else 0.0)
        if not view.can_play(move):
            move = resign(view)
        text = answer_text(move, view)
        state.play(move)
        return text

    def give_up(self) -> None:
        """The answer to the last inquiry was not sent, for the server has stopped waiting: it has folded for us."""
        self.unsent += 1
        hand = self._hand
        if hand is None or hand.state is None or not hand.state.moves():
            return
        if hand.state.moves()[-1][0] == hand.seat:
            hand.state.undo()
            hand.state.play(FOLD)

    def is_past(self, block: Block) -> bool:
        """Whether a block that comes after an inquiry says that the server no longer waits for the answer."""
        if block.name != "notify":
            return True
        return bool(block.lines) and block.lines[0].split()[:1] == [self.pid]

    def _notified(self, hand: _Hand, entries: Sequence[Entry]) -> None:
        if entries and entries[0].pid == self.pid:
            self._confirm(hand, entries[0])
        elif entries:
            self._follow(hand, entries, last=entries[0].pid)
        self._tell(hand)

    def _confirm(self, hand: _Hand, entry: Entry) -> None:
        """What the server has made of our answer: it pads small raises and folds for who is late."""
        state = hand.state
        if state is None:
            return
        moves = state.moves()
        if moves and moves[-1][0] == hand.seat:
            is_fold = moves[-1][1] == FOLD
            if is_fold == (entry.action == "fold") and (is_fold or state.paid[hand.seat] == entry.bet):
                return
            state.undo()
        if state.to_move == hand.seat and (move := deduce(entry, state, is_closed=False)) is not None:
            state.play(_nearest(move, state))

    def _follow(self, hand: _Hand, entries: Sequence[Entry], last: str | None) -> None:
        """Plays what the others have done since, read from their bets; up to the action of `last`, if given."""
        state = hand.state
        if state is None:
            return
        known = {entry.pid: entry for entry in entries}
        while (seat := state.to_move) is not None and seat != hand.seat:
            pid = hand.pids[seat]
            move = None if pid not in known else deduce(known[pid], state, is_closed=len(hand.board) > len(state.board))
            if move is None:
                return
            state.play(_nearest(move, state))
            if pid == last and len(hand.board) <= len(state.board):
                return

    def _careful(self, block: Block) -> str:
        """An answer when the story is lost: check if our chips in the pot are the most, else fold."""
        state = None if self._hand is None else self._hand.state
        mine = 0 if state is None or self._hand is None else int(state.paid[self._hand.seat])
        try:
            most = max((entry.bet for entry in parse_entries(block)), default=0)
        except BadlyWritten:
            return "fold"
        return "check" if mine and most <= mine else "fold"

    def _show(self, hand: _Hand, block: Block) -> None:
        for line in block.lines:
            words = line.replace(":", " ").split()
            if len(words) >= 6 and words[1] in hand.pids and words[1] != self.pid:
                cards = (parse_point(words[2], words[3]), parse_point(words[4], words[5]))
                hand.shown[hand.pids.index(words[1])] = cards

    def _end(self, hand: _Hand, block: Block) -> None:
        self._hand = None
        if hand.state is None:
            return
        won = {pid.rstrip(":"): int(chips) for pid, chips in (line.split() for line in block.lines if line)}
        if self.needs_notify:
            stayed = {*hand.shown, hand.seat} if hand.shown else {hand.pids.index(pid) for pid in won}
            hand.state = completed(hand.state, stayed, len(hand.board), is_shown=bool(hand.shown))
        state = self._rebuild(hand)
        if hand.is_known:
            self.prompt.hear(state.view(hand.seat))
        if not (hand.is_known and state.is_over):
            self.prompt.show(hand.shown)
        paid = [float(chips) for chips in state.paid]
        points = [won.get(pid, 0) - chips for pid, chips in zip(hand.pids, paid, strict=True)]
        self.prompt.end_hand(points)


def _nearest(move: Action, state: HoldemState) -> Action:
    """The move, or the nearest one that our rules know, should a server play by others."""
    if state.can_play(move):
        return move
    log.warning("%s is not legal by rules %s: %s", move, RULES, state.moves())
    return state.raise_near(move.to) if move.is_raise else state.stay()


def completed(state: HoldemState, stayed: Collection[int], board: int, *, is_shown: bool) -> HoldemState:
    """The hand with its last action, which not every server tells: the seats that did not stay to the end have folded.

    The hand as it stands when that makes no whole hand with `board` open cards: then more than one action is missing.
    """
    whole = state.copy()
    while (seat := whole.to_move) is not None:
        if seat not in stayed:
            whole.play(FOLD)
        elif is_shown:
            whole.play(whole.stay())
        else:
            return state
    return whole if len(whole.board) == board else state


def deduce(entry: Entry, state: HoldemState, *, is_closed: bool) -> Action | None:
    """What a seat to move has done, from its total bet and last action; None if it has not acted yet.

    `is_closed`: the next street has begun, so that this one ended without a raise that we were not asked about. Who
    folded without facing a bet, and was asked again before us, is taken to have checked first: only a server that
    notifies tells the two apart.
    """
    seat = state.to_move
    assert seat is not None
    paid, cost = state.paid[seat], state.to_call
    more = entry.bet - paid
    if more <= 0:
        if cost > 0:
            return FOLD if entry.action == "fold" else None
        if is_closed:
            return CHECK
        return {"fold": FOLD, "check": CHECK}.get(entry.action)
    if is_closed or more <= cost:
        return CALL if cost > 0 else CHECK
    return raise_to(state.bets[seat] + more)


async def join(
    client: HuaweiClient, host: str, port: int, local: tuple[str, int] | None = None, window: float = WINDOW
) -> HuaweiClient:
    """Play on a server until it says game-over or goes. `local` is the address to bind, as the contest demands.

    Whoever is not answered at all, or sent away, tries to register again until the window is over.
    """
    loop = asyncio.get_running_loop()
    client.prompt.warm_up(RULES, REHEARSED_SEATS)
    last = loop.time() + window
    try:
        while not await _play(client, *await reach(host, port, local, max(last - loop.time(), 0.0))):
            if loop.time() >= last:
                log.warning("the server has ended the connection without a hand")
                break
            await asyncio.sleep(PAUSE)
    finally:
        client.prompt.close()
    return client


async def _play(client: HuaweiClient, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Registers and plays. False if the server left before its first block."""
    inbox = _Inbox()
    listener = asyncio.create_task(_listen(reader, inbox))
    is_heard = False
    try:
        writer.write(client.hello().encode())
        while not client.is_over and (item := await inbox.take()) is not None:
            is_heard = True
            arrived, block = item
            answer = await client.receive(block, arrived)
            if answer is None:
                continue
            if _is_late(client, arrived, inbox):
                log.warning("an answer came too late and is not sent")
                client.give_up()
                continue
            writer.write(f"{answer} \n".encode())
            await writer.drain()
        await client.prompt.settle()
    except ConnectionError as error:
        log.warning("the server has gone: %s", error)
    finally:
        listener.cancel()
        writer.close()
    return is_heard


class _Inbox:
    """Blocks that have come, each with its time; None after the last."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[float, Block] | None] = deque()
        self._has_some = asyncio.Event()

    def put(self, item: tuple[float, Block] | None) -> None:
        self.waiting.append(item)
        self._has_some.set()

    async def take(self) -> tuple[float, Block] | None:
        while not self.waiting:
            self._has_some.clear()
            await self._has_some.wait()
        return self.waiting.popleft()


async def _listen(reader: asyncio.StreamReader, inbox: _Inbox) -> None:
    """Puts each block into the inbox with the time it came; None when the server has gone."""
    loop, blocks = asyncio.get_running_loop(), BlockReader()
    try:
        while line := await reader.readline():
            block = blocks.feed(line.decode(errors="replace"))
            if block is not None:
                inbox.put((loop.time(), block))
    except (ConnectionError, ValueError) as error:
        log.warning("the server has gone: %s", error)
    finally:
        inbox.put(None)


def _is_late(client: HuaweiClient, arrived: float, inbox: _Inbox) -> bool:
    """Whether the server has stopped waiting: it would take the answer for that to its next question."""
    if asyncio.get_running_loop().time() - arrived > client.prompt.limit:
        return True
    return any(item is not None and client.is_past(item[1]) for item in inbox.waiting)


@dataclass
class _Player(Connection):
    pid: str
    name: str
    needs_notify: bool
    late: int = 0
    last_action: str = ""


@dataclass
class HuaweiServer:
    """A match as the contest's server plays it."""

    settings: MatchSettings
    seed: int = 0
    limit: float = LIMIT
    records: list[Record] = field(default_factory=list)
    on_record: Callable[[Record], None] | None = None
    """Hears each record as its hand ends."""
    places: dict[str, int] = field(default_factory=dict)
    """Place of each player id, once the match is over."""
    chips: dict[str, Chips] = field(default_factory=dict)
    """Chips and reserve of each player id, once the match is over."""
    late: dict[str, int] = field(default_factory=dict)
    """How often each player was late."""

    async def run(self, host: str, port: int, ready: Callable[[int], None] | None = None) -> None:
        """Waits for all players to register, then plays. `ready` hears the port."""
        players: list[_Player] = []
        complete = asyncio.Event()

        async def register(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                words = (await asyncio.wait_for(reader.readline(), 10)).decode(errors="replace").split()
            except (TimeoutError, ConnectionError, ValueError):
                words = []
            taken = {player.pid for player in players}
            if len(words) < 3 or words[0] != "reg:" or words[1] in taken or complete.is_set():
                writer.close()
                return
            players.append(_Player(words[1], words[2], "need_notify" in words[3:], reader=reader, writer=writer))
            if len(players) == self.settings.seats:
                complete.set()

        server = await asyncio.start_server(register, host, port)
        if ready is not None:
            ready(server.sockets[0].getsockname()[1])
        await complete.wait()
        try:
            await self._play(sorted(players, key=lambda player: player.pid))
        finally:
            for player in players:
                player.writer.close()
            server.close()

    async def _play(self, players: Sequence[_Player]) -> None:
        match = HoldemMatch(self.seed, RULES, self.settings)
        while not match.is_over:
            state = match.next_deal()
            await self._play_hand(state, match, players)
            record = record_of(state, [player.pid for player in players], tags={"hand": match.played})
            self.records.append(record)
            if self.on_record is not None:
                self.on_record(record)
            match.finish(state)
            for player, holder in zip(players, match.holders, strict=True):
                if player.late >= MAX_LATE:
                    holder.stack, holder.rebuys = 0, 0
        for player in players:
            await player.send(Block(GAME_OVER).text())
        for player, holder, place in zip(players, match.holders, match.standings(), strict=True):
            self.places[player.pid] = place
            self.chips[player.pid] = holder.stack + holder.rebuys * self.settings.rebuy
            self.late[player.pid] = player.late

    async def _play_hand(self, state: HoldemState, match: HoldemMatch, players: Sequence[_Player]) -> None:
        table = _Dealing(state, match, players)
        for player in players:
            player.last_action = ""
        for seat in state.dealt_seats:
            for block in (table.seat_block(), table.blind_block(), table.hold_block(seat)):
                await players[seat].send(block.text())
        for blind in (state.native.small_blind_seat, state.native.big_blind_seat):
            if blind is not None:
                players[blind].last_action = "blind"
        shown = await self._open(table, 0)
        while (turn := state.to_move) is not None:
            player = players[turn]
            await player.send(table.inquire_block("inquire", turn).text())
            text = await player.line(self.limit)
            if text is None:
                player.late += 1
            move = FOLD if text is None else parse_answer(text, state)
            player.last_action = _word(move, state)
            state.play(move)
            if state.to_move is not None:
                for listener in state.dealt_seats:
                    if players[listener].needs_notify:
                        await players[listener].send(table.notify_block(turn).text())
            shown = await self._open(table, shown)
        for block in table.end_blocks():
            for seat in state.dealt_seats:
                await players[seat].send(block.text())

    async def _open(self, table: "_Dealing", shown: int) -> int:
        """Shows the board cards that have been opened."""
        for name in STREETS:
            upto = OPEN_CARDS[name]
            if shown < upto <= len(table.state.board):
                block = Block(name, tuple(point_text(card) for card in table.state.board[shown:upto]))
                for seat in table.state.dealt_seats:
                    await table.players[seat].send(block.text())
                shown = upto
        return shown


def _word(move: Action, state: HoldemState) -> str:
    seat, legal = state.to_move, state.native.legal()
    assert seat is not None
    is_all_in = (move.is_raise and move.to == state.raise_bounds[1]) if state.raise_bounds else False
    if is_all_in or (move.kind == ActionKind.CALL and legal.call_cost == state.native.stacks[seat]):
        return "all_in"
    return str(move).split()[0]


@dataclass
class _Dealing:
    """The blocks of one hand."""

    state: HoldemState
    match: HoldemMatch
    players: Sequence[_Player]

    def _money(self, seat: int) -> int:
        """The reserve after rebuys before this hand."""
        holder = self.match.holders[seat]
        bought = self.state.starting_stacks[seat] - holder.stack
        return int(holder.rebuys * self.match.settings.rebuy - bought)

    def _from_button(self) -> Iterator[int]:
        dealt = self.state.dealt_seats
        turn = dealt.index(self.state.button)
        yield from (*dealt[turn:], *dealt[:turn])

    def seat_block(self) -> Block:
        titles = ["button: ", "small blind: ", "big blind: "]
        if len(self.state.dealt_seats) == 2:
            titles = titles[:2]
        lines = []
        for place, seat in enumerate(self._from_button()):
            title = titles[place] if place < len(titles) else ""
            lines.append(f"{title}{self.players[seat].pid} {int(self.state.starting_stacks[seat])} {self._money(seat)}")
        return Block("seat", tuple(lines))

    def blind_block(self) -> Block:
        posts = (event for event in self.state.events() if event.kind == "post" and event.seat is not None)
        return Block("blind", tuple(f"{self.players[e.seat or 0].pid}: {e.text.split()[-1]}" for e in posts))

    def hold_block(self, seat: int) -> Block:
        return Block("hold", tuple(point_text(card) for card in self.state.hand(seat) or ()))

    def inquire_block(self, name: str, seat: int) -> Block:
        """The others' last actions, the nearest seat before `seat` first."""
        order = list(self._from_button())
        turn = order.index(seat)
        lines = [self._entry(other) for other in reversed([*order[turn + 1 :], *order[:turn]])]
        lines = [line for line in lines if line]
        return Block(name, (*lines, f"total pot: {int(self.state.pot)}"))

    def notify_block(self, actor: int) -> Block:
        """As an inquiry, the one who has just acted first."""
        order = list(self._from_button())
        turn = order.index(actor)
        lines = [self._entry(other) for other in reversed([*order[turn + 1 :], *order[: turn + 1]])]
        return Block("notify", (*(line for line in lines if line), f"total pot: {int(self.state.pot)}"))

    def _entry(self, seat: int) -> str:
        player = self.players[seat]
        if not player.last_action:
            return ""
        chips, bet = int(self.state.stacks[seat]), int(self.state.paid[seat])
        return Entry(player.pid, chips, self._money(seat), bet, player.last_action).text()

    def end_blocks(self) -> list[Block]:
        state = self.state
        blocks = []
        shown = state.native.shown_seats
        if shown:
            hands = {seat: state.hand(seat) or (0, 0) for seat in shown}
            ranks = {seat: rank_of([*hand, *state.board]) for seat, hand in hands.items()}
            lines = ["common/", *(point_text(card) for card in state.board), "/common"]
            for place, seat in enumerate(sorted(shown, key=lambda s: -ranks[s])):
                cards = " ".join(point_text(card) for card in hands[seat])
                lines.append(f"{place + 1}: {self.players[seat].pid} {cards} {category_of(ranks[seat]).name}")
            blocks.append(Block("showdown", tuple(lines)))
        wins = [f"{self.players[e.seat or 0].pid}: {e.text}" for e in state.events() if e.kind == "win"]
        blocks.append(Block("pot-win", tuple(wins)))
        return blocks
