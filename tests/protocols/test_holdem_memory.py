"""What an agent remembers of a match on another program's server, against the same match in our own arena.

The arena plays 200 hands first. Then a server written here, from the pages of the protocols and without a line of our
host code, deals the same hands to the same agent through the client: it keeps the chips itself, says what the protocol
says, and plays the other seats' recorded actions. The agent must answer every question as it did in the arena, and
at the end its memory must be the same, number by number.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.table import play_match
from mingpai.core.agent import Agent
from mingpai.core.decision import Decision
from mingpai.core.event import Event
from mingpai.core.game import View
from mingpai.games.holdem.scoring import new_match
from mingpai.methods.handreading.agent import FoldAgent
from mingpai.protocols import botzone_holdem
from mingpai.protocols.acpc import AcpcClient, GameDefinition
from mingpai.protocols.huawei import BlockReader, HuaweiClient
from mingpai.records.record import Record

HANDS = 200
SPEC = "fold:preset=value,samples=40"
FIELD = ("maniac", "station", "tag", "stabber", "rock")
SUIT_NAMES = {"s": "SPADES", "h": "HEARTS", "c": "CLUBS", "d": "DIAMONDS"}


def arena(rules: str, settings: Mapping[str, Any], agent: Agent[Any]) -> list[Record]:
    """The match in our own arena, our agent at seat 0."""
    others = [REGISTRY.agent("holdem", name, seed) for seed, name in enumerate(FIELD[: settings["seats"] - 1])]
    records = play_match(new_match(7, rules, settings), [agent, *others])
    assert len(records) == HANDS
    return records


def fold(seed: int = 3) -> Agent[Any]:
    return REGISTRY.agent("holdem", SPEC, seed)


@dataclass
class Bookkeeping:
    """A hand by the record: what each seat has put in, street by street. Nothing of our rules is used."""

    record: Record
    blinds: tuple[int, int] = (20, 40)
    paid: list[int] = field(default_factory=list)
    street_bets: list[int] = field(default_factory=list)
    last_action: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stacks = [int(chips) for chips in self.record.setup["stacks"]]
        self.button = int(self.record.setup["button"])
        self.dealt = [seat for seat, chips in enumerate(self.stacks) if chips]
        turn = self.dealt.index(self.button)
        self.order = [*self.dealt[turn:], *self.dealt[:turn]]
        self.paid, self.street_bets = [0] * len(self.stacks), [0] * len(self.stacks)
        *holes, board = self.record.deck.split("/")
        self.holes, self.board = holes, [board[i : i + 2] for i in range(0, 10, 2)]

    def post(self, seat: int, amount: int) -> int:
        amount = min(amount, self.stacks[seat] - self.paid[seat])
        self.paid[seat] += amount
        self.street_bets[seat] += amount
        return amount

    def act(self, seat: int, text: str, to_call: int) -> str:
        """Books a recorded action; how the contest's server calls it."""
        word, _, amount = text.partition(" ")
        if word == "call":
            self.post(seat, to_call - self.street_bets[seat])
        elif word in ("raise", "bet"):
            self.post(seat, int(amount) - self.street_bets[seat])
        is_all_in = word in ("call", "raise", "bet") and self.paid[seat] == self.stacks[seat]
        self.last_action[seat] = "all_in" if is_all_in else {"bet": "raise"}.get(word, word)
        return self.last_action[seat]

    def steps(self) -> Iterator[Event]:
        """What happened after the blinds."""
        return (event for event in self.record.events if event.kind in ("act", "board", "show", "win"))


class Listening:
    """Takes the answers of a client and holds them against the record."""

    def __init__(self) -> None:
        self.compared = 0

    def expect(self, answer: object, wanted: object, where: str) -> None:
        assert answer == wanted, where
        self.compared += 1


# --- the contest of 2015 ----------------------------------------------------------------------------------------------


class ContestScript:
    """The blocks of the contest's server, from its page."""

    def __init__(self, client: HuaweiClient, tells_last: bool) -> None:
        self.client, self.tells_last, self.listening = client, tells_last, Listening()
        self.reader = BlockReader()

    async def say(self, name: str, *lines: str) -> str | None:
        answer = None
        for line in (f"{name}/", *lines, f"/{name}"):
            block = self.reader.feed(line + " \n")
            if block is not None:
                answer = await self.client.receive(block)
        return answer

    @staticmethod
    def pid(seat: int) -> str:
        return f"{1000 + seat}"

    @staticmethod
    def card(text: str) -> str:
        return f"{SUIT_NAMES[text[1]]} {'10' if text[0] == 'T' else text[0]}"

    async def play(self, record: Record) -> None:
        hand = Bookkeeping(record)
        if 0 not in hand.dealt:
            return
        titles = ["button: ", "small blind: ", "big blind: "][: 2 if len(hand.order) == 2 else 3]
        titles += [""] * len(hand.order)
        await self.say(
            "seat",
            *(f"{title}{self.pid(s)} {hand.stacks[s]} 0" for title, s in zip(titles, hand.order, strict=False)),
        )
        posting = hand.order[1:3]
        posts = [(seat, hand.post(seat, blind)) for seat, blind in zip(posting, hand.blinds, strict=False)]
        for seat, _ in posts:
            hand.last_action[seat] = "blind"
        await self.say("blind", *(f"{self.pid(seat)}: {bet}" for seat, bet in posts))
        await self.say("hold", *(self.card(hand.holes[0][i : i + 2]) for i in (0, 2)))
        await self._steps(hand)

    async def _steps(self, hand: Bookkeeping) -> None:
        to_call = hand.blinds[0 if len(hand.order) == 2 else 1]  # Heads-up only a small blind is posted.
        opened, shows, wins = 0, [], []
        events = list(hand.steps())
        last = max((number for number, event in enumerate(events) if event.kind == "act"), default=-1)
        for number, event in enumerate(events):
            if event.kind == "act":
                seat = event.seat
                assert seat is not None
                if seat == 0:
                    await self._ask(hand, event.text, to_call)
                hand.act(seat, event.text, to_call)
                to_call = max(to_call, *hand.street_bets)
                if number != last or self.tells_last:
                    await self.say("notify", *self._entries(hand, seat, with_self=True))
            elif event.kind == "board":
                count = {0: 3, 3: 1, 4: 1}[opened]
                cards = hand.board[opened : opened + count]
                opened, to_call = opened + count, 0
                hand.street_bets = [0] * len(hand.stacks)
                await self.say({3: "flop", 4: "turn", 5: "river"}[opened], *(self.card(card) for card in cards))
            elif event.kind == "show":
                shows.append(event)
            else:
                wins.append(f"{self.pid(event.seat or 0)}: {event.text}")
        if shows:
            common = ["common/", *(self.card(card) for card in hand.board), "/common"]
            ranks = (
                f"{n + 1}: {self.pid(e.seat or 0)} {self._hand(hand, e.seat or 0)} PAIR" for n, e in enumerate(shows)
            )
            await self.say("showdown", *common, *ranks)
        await self.say("pot-win", *wins)

    def _hand(self, hand: Bookkeeping, seat: int) -> str:
        return " ".join(self.card(hand.holes[seat][i : i + 2]) for i in (0, 2))

    def _entries(self, hand: Bookkeeping, first: int, with_self: bool) -> list[str]:
        turn = hand.order.index(first)
        order = [*hand.order[turn + 1 :], *hand.order[: turn + (1 if with_self else 0)]]
        entries = [
            f"{self.pid(s)} {hand.stacks[s] - hand.paid[s]} 0 {hand.paid[s]} {hand.last_action[s]}"
            for s in reversed(order)
            if s in hand.last_action
        ]
        return [*entries, f"total pot: {sum(hand.paid)}"]

    async def _ask(self, hand: Bookkeeping, recorded: str, to_call: int) -> None:
        answer = await self.say("inquire", *self._entries(hand, 0, with_self=False))
        word, _, amount = recorded.partition(" ")
        if word in ("raise", "bet"):
            is_all_in = int(amount) - hand.street_bets[0] == hand.stacks[0] - hand.paid[0]
            word = "all_in" if is_all_in else f"raise {int(amount) - to_call}"
        self.listening.expect(answer, word, f"{hand.record.deck} {recorded}")


@pytest.mark.parametrize(
    ("seats", "tells_last"),
    [(6, False), pytest.param(6, True, marks=pytest.mark.ci), pytest.param(2, False, marks=pytest.mark.ci)],
)
def test_contest_server_agent_remembers_what_it_would_in_the_arena(seats: int, tells_last: bool) -> None:
    there, here = fold(), fold()
    settings = {"seats": seats, "hands": HANDS, "chips": 2_000, "format": "cash"}
    records = arena("huawei2015", settings, there)
    script = ContestScript(HuaweiClient(here, "1000", limit=60), tells_last)

    async def play() -> None:
        for record in records:
            await script.play(record)
        await script.client.prompt.settle()

    asyncio.run(play())
    assert script.listening.compared > HANDS / 2
    assert len(here.memory()["habits"]) == seats - 1
    assert here.memory() == there.memory()


# --- ACPC -------------------------------------------------------------------------------------------------------------


async def acpc_hand(client: AcpcClient, record: Record, number: int, listening: Listening) -> None:
    """The lines of a hand for the player at our seat 0: the whole hand after each action."""
    hand = Bookkeeping(record, blinds=(50, 100))
    seats = len(hand.stacks)
    first = (hand.button + 1) % seats
    order = [(first + place) % seats for place in range(seats)]
    me = order.index(0)
    small, big = (hand.button, order[0]) if seats == 2 else (order[0], order[1])
    for seat, blind in ((small, 50), (big, 100)):
        hand.post(seat, blind)
    betting, opened, to_call, shown = "", 0, 100, {0}

    def line() -> str:
        holes = "|".join(hand.holes[seat] if seat in shown else "" for seat in order)
        streets = ["".join(hand.board[:3]), *hand.board[3:5]]
        board = "".join(f"/{cards}" for cards, needs in zip(streets, (3, 4, 5), strict=True) if opened >= needs)
        return f"MATCHSTATE:{me}:{number}:{betting}:{holes}{board}"

    for event in hand.steps():
        if event.kind == "act":
            assert event.seat is not None
            seat = event.seat
            sent = line()
            answer = await client.answer(sent)
            before = hand.paid[seat]
            word = hand.act(seat, event.text, to_call)
            token = "f" if word == "fold" else "c"
            if event.text.startswith(("raise", "bet")):
                token = f"r{hand.paid[seat]}"
            assert hand.paid[seat] >= before
            if seat == 0:
                listening.expect(answer, f"{sent}:{token}", record.deck)
            else:
                assert answer is None
            betting += token
            to_call = max(to_call, *hand.street_bets)
        elif event.kind == "board":
            opened, to_call = {0: 3, 3: 4, 4: 5}[opened], 0
            hand.street_bets = [0] * seats
            betting += "/"
        elif event.kind == "show":
            shown.add(event.seat or 0)
    assert await client.answer(line()) is None


@pytest.mark.parametrize("seats", [4, pytest.param(2, marks=pytest.mark.ci)])
def test_acpc_agent_remembers_what_it_would_in_the_arena(seats: int) -> None:
    there, here = fold(), fold()
    settings = {"seats": seats, "hands": HANDS, "chips": 20_000, "blinds": [50, 100], "format": "reset"}
    records = arena("acpc", settings, there)
    client = AcpcClient(here, GameDefinition((20_000,) * seats, 50, 100), limit=60)
    listening = Listening()

    async def play() -> None:
        for number, record in enumerate(records):
            await acpc_hand(client, record, number, listening)
        await client.prompt.settle()

    asyncio.run(play())
    assert client.hands == HANDS
    assert listening.compared > HANDS / 2
    assert here.memory() == there.memory()


# --- Botzone ----------------------------------------------------------------------------------------------------------


class Cut(FoldAgent):
    """FOLD that hears nothing after its own last decision of a hand: all that Botzone tells."""

    def start_deal(self, view: View) -> None:
        super().start_deal(view)
        self._waiting: list[Event] = []
        self._is_asked = False

    def observe(self, event: Event) -> None:
        self._waiting.append(event)

    def decide(self, view: View) -> Decision:
        self._is_asked = True
        for event in self._waiting:
            super().observe(event)
        self._waiting = []
        return super().decide(view)

    def end_deal(self, points: Sequence[float]) -> None:
        if self._is_asked:
            super().end_deal(points)


def botzone_requests(record: Record) -> Iterator[tuple[dict[str, Any], int]]:
    """The requests of a hand to seat 0, each with the number that the recorded action is."""
    hand = Bookkeeping(record, blinds=(50, 100))
    seats = len(hand.stacks)
    small = hand.button if seats == 2 else (hand.button + 1) % seats
    big = (small + 1) % seats
    history = [{"player_id": seat, "action": -4, "amount": hand.post(seat, blind)}
               for seat, blind in ((small, 50), (big, 100))]  # fmt: skip
    opened, to_call = 0, 100

    def number(card: str) -> int:
        return "23456789TJQKA".index(card[0]) * 4 + "hdsc".index(card[1])

    for event in hand.steps():
        if event.kind == "board":
            opened, to_call = {0: 3, 3: 4, 4: 5}[opened], 0
            hand.street_bets = [0] * seats
        if event.kind != "act":
            continue
        seat = event.seat
        assert seat is not None
        word, _, amount = event.text.partition(" ")
        code = -1 if word == "fold" else 0
        if word in ("raise", "bet"):
            now = int(amount) - hand.street_bets[seat]
            code = -2 if now == hand.stacks[seat] - hand.paid[seat] else now
        if seat == 0:
            yield {
                "num_players": seats, "dealer_id": hand.button, "my_id": 0,
                "my_chips": hand.stacks[0] - hand.paid[0],
                "my_cards": [number(hand.holes[0][:2]), number(hand.holes[0][2:])],
                "public_cards": [number(card) for card in hand.board[:opened]], "history": list(history),
            }, code  # fmt: skip
        hand.act(seat, event.text, to_call)
        history.append({"player_id": seat, "action": code, "amount": 0})
        to_call = max(to_call, *hand.street_bets)


@pytest.mark.parametrize("seats", [2, pytest.param(6, marks=pytest.mark.ci)])
def test_botzone_agent_remembers_what_it_was_told(seats: int) -> None:
    made = fold()
    there = Cut(made.settings, game="holdem", spec=SPEC, seed=3)
    here = fold()
    settings = {"seats": seats, "hands": HANDS, "chips": 20_000, "blinds": [50, 100], "format": "reset"}
    records = arena("botzone", settings, there)
    questions = [item for record in records for item in botzone_requests(record)]
    sink = StringIO()
    player = botzone_holdem.Player(here, limit=60)
    for request, wanted in questions:
        assert player.respond(request) == wanted
    player.prompt.end_hand([0.0] * seats)
    asyncio.run(player.prompt.settle())
    assert len(questions) > HANDS / 2
    assert here.memory() == there.memory()
    again = fold()
    first = json.dumps({"requests": [request for request, _ in questions], "responses": []})
    botzone_holdem.serve(again, StringIO(first + "\n"), sink)
    assert json.loads(sink.getvalue().splitlines()[0]) == {"response": questions[-1][1]}
