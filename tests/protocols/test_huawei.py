"""The Huawei 2015 contest. Transcripts are written by hand from the page, not recorded from our server."""

import asyncio
import time
from typing import Any

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.random import RandomAgent
from mingpai.core.agent import NoSettings
from mingpai.core.decision import Decision
from mingpai.core.errors import BadlyWritten
from mingpai.core.game import View
from mingpai.games.holdem import GAME, HoldemView
from mingpai.games.holdem.moves import CALL, CHECK, FOLD, Action, raise_to
from mingpai.games.holdem.notation import format_cards
from mingpai.games.holdem.scoring import MatchSettings
from mingpai.protocols import huawei
from mingpai.protocols.huawei import Block, BlockReader, HuaweiClient, HuaweiServer
from mingpai.records.replay import replay
from tests.protocols.script import Script

OPENING = """
seat/
button: 1001 2000 2000
small blind: 2002 2000 2000
big blind: 3003 2000 2000
4004 2000 2000
/seat
blind/
2002: 20
3003: 40
/blind
hold/
SPADES 10
HEARTS A
/hold
"""


def talk(client: HuaweiClient, text: str) -> list[str]:
    async def feed() -> list[str]:
        reader, answers = BlockReader(), []
        for line in text.splitlines():
            block = reader.feed(line + " ")
            answer = None if block is None else await client.receive(block)
            if answer is not None:
                answers.append(answer)
        await client.prompt.settle()
        return answers

    return asyncio.run(feed())


def history(view: HoldemView) -> str:
    return " ".join(f"{seat}:{move}" for seat, move in view.actions())


def test_a_hand_without_notifications() -> None:
    """The actions of the others are read from their bets: raise, call and fold before the flop, check and bet after."""
    agent = Script("call", "raise 240", "fold")
    client = HuaweiClient(agent, "1001")
    answers = talk(
        client,
        OPENING
        + """
inquire/
4004 1880 2000 120 raise
3003 1960 2000 40 blind
2002 1980 2000 20 blind
total pot: 180
/inquire
flop/
CLUBS 2
DIAMONDS J
HEARTS 10
/flop
inquire/
4004 1760 2000 240 raise
3003 1880 2000 120 check
2002 1980 2000 20 fold
total pot: 500
/inquire
inquire/
4004 1160 2000 840 raise
3003 1880 2000 120 fold
2002 1980 2000 20 fold
total pot: 1340
/inquire
pot-win/
4004: 1340
/pot-win
""",
    )
    assert answers == ["call", "raise 120", "fold"]
    assert history(agent.views[0]) == "3:raise 120"
    assert (agent.views[0].to_call, agent.views[0].pot) == (120, 180)
    assert history(agent.views[1]) == "3:raise 120 0:call 1:fold 2:call 2:check 3:raise 120"
    assert format_cards(agent.views[1].board) == "2cJdTh"
    assert agent.views[2].to_call == 480
    assert history(agent.views[2]).endswith("0:raise 240 2:fold 3:raise 720")
    assert agent.results == [[-360.0, -20.0, -120.0, 500.0]]


def test_a_street_that_closed_behind_us() -> None:
    """We call before the flop as the first; small and big blind act twice before we are asked again."""
    agent = Script("call", "check")
    client = HuaweiClient(agent, "4004")
    talk(
        client,
        OPENING
        + """
inquire/
3003 1960 2000 40 blind
2002 1980 2000 20 blind
total pot: 60
/inquire
flop/
CLUBS 2
DIAMONDS J
HEARTS 10
/flop
inquire/
3003 1960 2000 40 check
2002 1960 2000 40 check
1001 2000 2000 0 fold
total pot: 120
/inquire
""",
    )
    assert history(agent.views[1]) == "3:call 0:fold 1:call 2:check 1:check 2:check"


def test_notifications_tell_the_same_story() -> None:
    agent = Script("call")
    client = HuaweiClient(agent, "1001")
    talk(
        client,
        OPENING
        + """
notify/
4004 1880 2000 120 raise
3003 1960 2000 40 blind
2002 1980 2000 20 blind
total pot: 180
/notify
inquire/
4004 1880 2000 120 raise
3003 1960 2000 40 blind
2002 1980 2000 20 blind
total pot: 180
/inquire
notify/
1001 1880 2000 120 call
4004 1880 2000 120 raise
total pot: 300
/notify
notify/
2002 1980 2000 20 fold
1001 1880 2000 120 call
total pot: 300
/notify
showdown/
common/
CLUBS 2
/common
1: 4004 SPADES A SPADES K PAIR
2: 1001 SPADES 10 HEARTS A HIGH_CARD
/showdown
pot-win/
4004: 300
/pot-win
game-over
""",
    )
    assert history(agent.views[0]) == "3:raise 120"
    assert agent.shown == ["3 AsKs"]
    assert client.is_over


def test_heads_up_only_a_small_blind_is_posted() -> None:
    agent = Script("call")
    client = HuaweiClient(agent, "7")
    answers = talk(
        client,
        "seat/\nbutton: 7 2000 0\nsmall blind: 9 1900 0\n/seat\nblind/\n9: 20\n/blind\nhold/\nCLUBS 2\nCLUBS 3\n/hold\n"
        "inquire/\n9 1880 0 20 blind\ntotal pot: 20\n/inquire\n",
    )
    assert answers == ["call"]
    assert agent.views[0].to_call == 20
    assert agent.views[0].raise_bounds == (60, 2000)


def test_lost_stories_and_garbage_are_answered_carefully() -> None:
    client = HuaweiClient(Script(), "1001")
    garbage = "seat/\nbutton: x\n/seat\nnonsense\ninquire/\n4004 1 2 3\n/inquire\nflop/\nCLUBS 99\n/flop\n"
    assert talk(client, garbage) == ["fold"]
    assert talk(client, OPENING + "inquire/\n9999 1 2 3 raise\ntotal pot: 5\n/inquire\n") == ["fold"]
    assert talk(HuaweiClient(Script(), "5"), OPENING + "inquire/\n4004 1 2 0 check\n/inquire\n") == ["fold"]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("check", CALL), ("call", CALL), ("fold", FOLD), ("raise 40", raise_to(80)), ("raise 1", raise_to(80)),
        ("raise 99999", raise_to(2000)), ("all_in", raise_to(2000)), ("raise -5", FOLD), ("raise", FOLD), ("", FOLD),
        ("hello world", FOLD), ("raise 1e9", FOLD), ("raise ²", FOLD), ("raise " + "9" * 5000, FOLD), ("raise ٣", FOLD),
    ],
)  # fmt: skip
def test_answers_as_the_server_takes_them(text: str, move: object) -> None:
    state = GAME.deal(1, "huawei2015", {"seats": 4})
    assert huawei.parse_answer(text, state) == move


def test_answers_written_are_answers_read() -> None:
    for seed in range(40):
        state = GAME.deal(seed, "huawei2015", {"seats": 2 + seed % 7})
        agent = RandomAgent(NoSettings(), game="holdem", spec="random", seed=seed)
        while (seat := state.to_move) is not None:
            move = agent.decide(state.view(seat)).move
            assert isinstance(move, Action)
            assert huawei.parse_answer(huawei.answer_text(move, state), state) == move
            state.play(move)
    assert huawei.parse_answer("check", GAME.deal(1, "huawei2015", {"seats": 4})) != CHECK


def test_cards_and_blocks() -> None:
    for card in range(52):
        color, point = huawei.point_text(card).split()
        assert huawei.parse_point(color, point) == card
    with pytest.raises(BadlyWritten):
        huawei.parse_point("STARS", "10")
    assert Block("flop", ("CLUBS 2",)).text() == "flop/ \nCLUBS 2 \n/flop \n"
    reader = BlockReader()
    assert [reader.feed(line) for line in ("junk", "a/", *["x"] * 100, "game-over ")][-1] == Block("game-over")


def server(seats: int, hands: int, limit: float, seed: int = 1) -> HuaweiServer:
    settings = MatchSettings(seats=seats, hands=hands, chips=2000, rebuy=2000, rebuys=1, blinds=(20, 40))
    return HuaweiServer(settings, seed=seed, limit=limit)


class Sampled(RandomAgent):
    """Random, mostly careful, folds only to a bet: hands last longer. Keeps the views it was asked about."""

    def __init__(self, settings: NoSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self.views: list[HoldemView] = []

    def start_match(self, seat: int, seats: int) -> None:
        self.views.clear()

    def decide(self, view: View) -> Decision:
        assert isinstance(view, HoldemView)
        self.views.append(view)
        moves = [move for move in view.legal_moves() if move != FOLD or view.to_call]
        weights = ([1, 8, *[0.3] * 10] if view.to_call else [8, *[0.3] * 10])[: len(moves)]
        chosen = int(self.rng(view).choice(len(moves), p=[w / sum(weights) for w in weights]))
        return Decision(moves[chosen])


def run_match(table: HuaweiServer, *players: Any) -> list[HuaweiClient]:
    """`players`: clients, or functions of the port that play by hand."""

    async def match() -> list[HuaweiClient]:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(table.run("127.0.0.1", 0, port.set_result))
        at = await port
        jobs = [
            huawei.join(player, "127.0.0.1", at, ("127.0.0.1", 0)) if isinstance(player, HuaweiClient) else player(at)
            for player in players
        ]
        await asyncio.gather(task, *jobs)
        return [player for player in players if isinstance(player, HuaweiClient)]

    return asyncio.run(asyncio.wait_for(match(), 100))


def client(number: int, limit: float = 5.0) -> HuaweiClient:
    agent = Sampled(NoSettings(), game="holdem", spec="random", seed=number)
    return HuaweiClient(agent, str(1000 + number), f"bot{number}", limit)


@pytest.mark.parametrize("needs_notify", [True, False])
def test_eight_clients_over_sockets(needs_notify: bool) -> None:
    """The clients' stories agree with the server's: no answer was lost, late or changed."""
    table = server(8, hands=15, limit=5.0)
    players = [client(number) for number in range(8)]
    for player in players:
        player.needs_notify = needs_notify
    clients = run_match(table, *players)
    assert all(player.is_over for player in clients)
    assert all(player.prompt.late == 0 for player in clients)
    assert sorted(table.places)[0] == "1000"
    assert min(table.places.values()) == 1
    assert len(table.records) >= 3
    known = {_story(replay(record, GAME), length) for record in table.records for length in range(len(record.events))}
    asked = [view for player in clients for view in player.prompt.agent.views]  # type: ignore[attr-defined]
    assert len(asked) > 100
    for view in asked:
        assert _story(view, len(view.actions())) in known


def _story(position: Any, length: int) -> tuple[object, ...]:
    """Stacks from the button on, and the first moves, seats counted from the button."""
    dealt = [seat for seat in range(position.seats) if position.starting_stacks[seat]]
    turn = dealt.index(position.button)
    order = [*dealt[turn:], *dealt[:turn]]
    moves = tuple((order.index(seat), str(move)) for seat, move in position.actions()[:length])
    return tuple(position.starting_stacks[seat] for seat in order), moves


def test_a_disconnect_garbage_and_a_slow_client() -> None:
    async def leaver(port: int) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"reg: 1 leaver \n")
        await writer.drain()
        await asyncio.sleep(0.2)
        writer.close()

    async def babbler(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"reg: 2 babbler need_notify \n")
        while line := await reader.readline():
            if line.strip() == b"/inquire":
                writer.write(b"\xff\xfe \x00 raise raise raise \n")
            if line.strip() == b"game-over":
                break
        writer.close()

    async def sleeper(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"reg: 3 sleeper \n")
        while line := await reader.readline():
            if line.strip() == b"game-over":
                break
        writer.close()

    table = server(5, hands=14, limit=0.1)
    kept: list[object] = []
    table.on_record = kept.append
    (first, second) = run_match(table, client(1, 0.1), client(2, 0.1), leaver, babbler, sleeper)
    assert first.is_over
    assert second.is_over
    assert table.late["3"] >= 10 or table.late["1"] >= 1
    assert table.late["2"] == 0
    assert kept == table.records
    assert table.places["1001"] < table.places["3"]
    for record in table.records:
        replay(record, GAME)


def test_an_answer_comes_within_the_limit() -> None:
    class Slow(Script):
        def decide(self, view: View) -> Decision:
            time.sleep(0.7)
            return super().decide(view)

    slow = HuaweiClient(Slow("raise 80", "raise 80"), "1001")
    inquiry = "inquire/\n4004 1880 2000 120 raise\n3003 1960 2000 40 blind\n2002 1980 2000 20 blind\n/inquire\n"
    start = time.perf_counter()
    answers = asyncio.run(_first_answer(slow, OPENING + inquiry))
    assert answers == "fold"
    assert time.perf_counter() - start < 0.65
    assert slow.prompt.late == 1


async def _first_answer(player: HuaweiClient, text: str) -> str | None:
    reader = BlockReader()
    for line in text.splitlines():
        block = reader.feed(line)
        answer = None if block is None else await player.receive(block)
        if answer is not None:
            return answer
    return None


def test_players_keep_their_seats_while_the_button_moves() -> None:
    agent = Script("call", "fold")
    player = HuaweiClient(agent, "1001")
    inquiry = "inquire/\n4004 1880 2000 120 raise\n3003 1960 2000 40 blind\n2002 1980 2000 20 blind\n/inquire\n"
    second = """
seat/
button: 3003 2040 2000
small blind: 4004 2000 2000
big blind: 1001 1880 2000
/seat
blind/
4004: 20
1001: 40
/blind
hold/
SPADES 10
HEARTS A
/hold
inquire/
4004 1900 2000 100 raise
3003 2000 2000 40 call
total pot: 180
/inquire
"""
    assert talk(player, OPENING + inquiry + "pot-win/\n4004: 240\n/pot-win\n" + second) == ["call", "fold"]
    assert [view.seat for view in agent.views] == [0, 0]
    assert (agent.views[1].button, agent.views[1].dealt_seats) == (2, [0, 2, 3])
    assert history(agent.views[1]) == "2:call 3:raise 100"


class Noting(Script):
    """A script that also keeps every action it was told of."""

    def __init__(self, *moves: str) -> None:
        super().__init__(*moves)
        self.heard: list[str] = []

    def observe(self, event: Any) -> None:
        super().observe(event)
        if event.kind == "act":
            self.heard.append(f"{event.seat}:{event.text}")


ASKED = "inquire/\n4004 1880 2000 120 raise\n3003 1960 2000 40 blind\n2002 1980 2000 20 blind\n/inquire\n"


def test_a_folded_hand_is_heard_to_its_end() -> None:
    """We fold; the others go on, and the last call is not told: it follows from the showdown."""
    agent = Noting("fold")
    told = """
notify/
4004 1880 2000 120 raise
/notify
{asked}
notify/
1001 2000 2000 0 fold
/notify
notify/
2002 1980 2000 20 fold
/notify
notify/
3003 1880 2000 120 call
/notify
flop/
CLUBS 2
DIAMONDS J
HEARTS 10
/flop
notify/
3003 0 2000 2000 all_in
/notify
turn/
CLUBS 3
/turn
river/
CLUBS 4
/river
showdown/
common/
/common
1: 4004 SPADES A SPADES K HIGH_CARD
2: 3003 SPADES 2 HEARTS 3 TWO_PAIR
/showdown
pot-win/
3003: 4020
/pot-win
"""
    assert talk(HuaweiClient(agent, "1001"), OPENING + told.format(asked=ASKED)) == ["fold"]
    story = ["3:raise 120", "0:fold", "1:fold", "2:call", "2:raise 1880", "3:call"]
    assert agent.heard == story
    assert sorted(agent.shown) == ["2 3h2s", "3 AsKs"]
    assert agent.results == [[0.0, -20.0, 2020.0, -2000.0]]


def test_a_last_fold_that_is_not_told() -> None:
    agent = Noting("raise 400")
    end = "notify/\n1001 1600 2000 400 raise\n/notify\nnotify/\n2002 1980 2000 20 fold\n/notify\n"
    end += "notify/\n3003 1960 2000 40 fold\n/notify\npot-win/\n1001: 580\n/pot-win\n"
    assert talk(HuaweiClient(agent, "1001"), OPENING + ASKED + end) == ["raise 280"]
    assert agent.heard == ["3:raise 120", "0:raise 400", "1:fold", "2:fold", "3:fold"]


def test_what_the_server_makes_of_our_answer_counts() -> None:
    """It pads a raise, and folds for us when it takes us to be late."""
    padded, late = Noting("raise 200", "fold"), Noting("raise 200")
    notice = "notify/\n1001 1740 2000 260 raise\n/notify\nnotify/\n2002 1980 2000 20 fold\n/notify\n"
    talk(HuaweiClient(padded, "1001"), OPENING + ASKED + notice)
    assert padded.heard[:3] == ["3:raise 120", "0:raise 260", "1:fold"]
    folded = "notify/\n1001 2000 2000 0 fold\n/notify\nnotify/\n2002 1980 2000 20 fold\n/notify\n"
    talk(HuaweiClient(late, "1001"), OPENING + ASKED + folded)
    assert late.heard[:3] == ["3:raise 120", "0:fold", "1:fold"]


def test_a_sole_survivor_who_is_asked_again_checks_quietly(caplog: pytest.LogCaptureFixture) -> None:
    agent = Script("raise 400")
    folds = "notify/\n2002 1980 2000 20 fold\n/notify\nnotify/\n3003 1960 2000 40 fold\n/notify\n"
    folds += "notify/\n4004 1880 2000 120 fold\n/notify\n"
    again = "inquire/\n4004 1880 2000 120 fold\n3003 1960 2000 40 fold\n2002 1980 2000 20 fold\n/inquire\n"
    assert talk(HuaweiClient(agent, "1001"), OPENING + ASKED + folds + again) == ["raise 280", "check"]
    assert not caplog.records


def test_a_short_all_in_followed_by_a_reraise(caplog: pytest.LogCaptureFixture) -> None:
    """4004 raises to 120, 2002 is all-in for 150, and 4004, who has acted, raises again: the contest allows it."""
    agent = Noting("call", "call")
    short = OPENING.replace("2002 2000 2000", "2002 150 2000")
    told = """
notify/
1001 1880 2000 120 call
/notify
notify/
2002 0 2000 150 all_in
/notify
notify/
3003 1960 2000 40 fold
/notify
notify/
4004 1400 2000 600 raise
/notify
inquire/
4004 1400 2000 600 raise
3003 1960 2000 40 fold
2002 0 2000 150 all_in
/inquire
"""
    first = ASKED.replace("2002 1980", "2002 130")
    assert talk(HuaweiClient(agent, "1001"), short + first + told) == ["call", "call"]
    assert history(agent.views[1]) == "3:raise 120 0:call 1:raise 150 2:fold 3:raise 600"
    assert not caplog.records


def test_a_late_answer_is_never_sent_for_the_next_question() -> None:
    """A server that gives up after 0.2 s and asks again gets one answer, to its second question."""

    class Slow(Noting):
        def decide(self, view: View) -> Decision:
            if not self.views:
                self.views.append(view)
                time.sleep(0.6)
            return Decision(CALL)

        def start_match(self, seat: int, seats: int) -> None:
            self.views.clear()
            self.heard.clear()

    answers: list[bytes] = []

    async def match() -> HuaweiClient:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            writer.write((OPENING + ASKED).replace("\n", " \n").encode())
            await asyncio.sleep(0.2)
            fold = "notify/\n1001 2000 2000 0 fold\n/notify\npot-win/\n4004: 180\n/pot-win\n"
            writer.write((fold + OPENING).replace("\n", " \n").encode())
            await asyncio.sleep(0.8)
            writer.write(ASKED.replace("\n", " \n").encode())
            answers.append(await asyncio.wait_for(reader.readline(), 5))
            writer.write(b"game-over \n")

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        player = HuaweiClient(Slow(), "1001", limit=5.0)
        await huawei.join(player, "127.0.0.1", server.sockets[0].getsockname()[1])
        server.close()
        return player

    player = asyncio.run(asyncio.wait_for(match(), 20))
    assert answers == [b"call \n"]
    assert player.unsent == 1
    agent = player.prompt.agent
    assert isinstance(agent, Noting)
    assert agent.heard == ["3:raise 120", "0:fold", "1:fold", "2:fold", "3:raise 120"]


def test_registration_is_tried_for_its_whole_window() -> None:
    """Nobody listens at first, then a server that sends us away; the third time we play."""
    visits: list[bytes] = []

    async def match() -> HuaweiClient:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            visits.append(await reader.readline())
            if len(visits) > 1:
                writer.write(b"game-over \n")
                await writer.drain()
            writer.close()

        probe = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = probe.sockets[0].getsockname()[1]
        probe.close()
        await probe.wait_closed()
        player = HuaweiClient(Sampled(NoSettings(), game="holdem", spec="random"), "1001")
        joining = asyncio.create_task(huawei.join(player, "127.0.0.1", port))
        await asyncio.sleep(0.5)
        server = await asyncio.start_server(serve, "127.0.0.1", port)
        await joining
        server.close()
        return player

    assert asyncio.run(asyncio.wait_for(match(), 20)).is_over
    assert visits == [b"reg: 1001 mingpai need_notify \n"] * 2


def test_warm_up_leaves_no_memory() -> None:
    agent = REGISTRY.agent("holdem", "fold", 0)
    player = HuaweiClient(agent, "1001")
    player.prompt.warm_up(huawei.RULES, huawei.REHEARSED_SEATS)
    assert agent.memory() == REGISTRY.agent("holdem", "fold", 0).memory()
