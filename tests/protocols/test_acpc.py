"""The ACPC protocol. Transcripts are written by hand from the page, not recorded from our dealer."""

import asyncio
from fractions import Fraction

import pytest

from mingpai.agents.random import RandomAgent
from mingpai.core.agent import NoSettings
from mingpai.core.decision import Decision
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.game import View
from mingpai.games.holdem import GAME
from mingpai.protocols import acpc
from mingpai.protocols.acpc import AcpcClient, AcpcDealer, GameDefinition, MatchState
from mingpai.records.replay import replay
from tests.protocols.script import Script

HEADS_UP = GameDefinition((20000, 20000), 50, 100)
THREE = GameDefinition((2000, 2000, 2000), 10, 20)


def random_agent(seed: int) -> RandomAgent:
    return RandomAgent(NoSettings(), game="holdem", spec="random", seed=seed)


def answers(client: AcpcClient, lines: list[str]) -> list[str | None]:
    async def talk() -> list[str | None]:
        replies = [await client.answer(line) for line in lines]
        await client.prompt.settle()
        return replies

    return asyncio.run(talk())


def test_a_heads_up_hand_as_the_big_blind() -> None:
    """Position 0 is the big blind heads-up; raises are totals of the whole hand."""
    agent = Script("call", "check", "raise 600", "call")
    client = AcpcClient(agent, HEADS_UP)
    heard = [
        "# a comment",
        "MATCHSTATE:0:30::9s8h|",
        "MATCHSTATE:0:30:r300:9s8h|",
        "MATCHSTATE:0:30:r300c/:9s8h|/8c8d5c",
        "MATCHSTATE:0:30:r300c/c:9s8h|/8c8d5c",
        "MATCHSTATE:0:30:r300c/cr500:9s8h|/8c8d5c",
        "MATCHSTATE:0:30:r300c/cr500r900:9s8h|/8c8d5c",
        "MATCHSTATE:0:30:r300c/cr500r900r1500:9s8h|/8c8d5c",
        "MATCHSTATE:0:30:r300c/cr500r900r1500c/:9s8h|/8c8d5c/6s",
    ]
    agent.moves.append("raise 500")
    replies = answers(client, heard)
    assert replies[:3] == [None, None, "MATCHSTATE:0:30:r300:9s8h|:c"]
    assert replies[3] == "MATCHSTATE:0:30:r300c/:9s8h|/8c8d5c:c"
    assert replies[4] is None
    assert replies[5] == "MATCHSTATE:0:30:r300c/cr500:9s8h|/8c8d5c:r900"
    assert replies[6] is None
    assert replies[7] == "MATCHSTATE:0:30:r300c/cr500r900r1500:9s8h|/8c8d5c:c"
    assert replies[8] == "MATCHSTATE:0:30:r300c/cr500r900r1500c/:9s8h|/8c8d5c/6s:r2000"
    view = agent.views[2]
    assert (view.pot, view.to_call, view.position_name(0)) == (800, 200, "BB")


def test_a_showdown_tells_the_result() -> None:
    agent = Script("call", "check", "check", "check")
    client = AcpcClient(agent, HEADS_UP)
    answers(client, ["MATCHSTATE:1:5::|AcKd", "MATCHSTATE:1:5:cc/cc/cc/cc:7h2d|AcKd/Ah9s3c/4d/8s"])
    assert client.hands == 1
    assert client.chips == 100
    assert agent.results == [[100.0, -100.0]]


def test_players_keep_their_seats_while_positions_move() -> None:
    """We are at position 2, then 0, then 1: the player after us is always seat 1."""
    agent = Script("call", "call", "call")
    lines = ["MATCHSTATE:2:0::||TdTc", "MATCHSTATE:0:1:c:TdTc||", "MATCHSTATE:1:2:cr60:|TdTc|"]
    replies = answers(AcpcClient(agent, THREE), lines)
    assert [reply and reply.rpartition(":")[2] for reply in replies] == ["c", "c", "c"]
    assert [view.seat for view in agent.views] == [0, 0, 0]
    assert [view.button for view in agent.views] == [0, 2, 1]
    assert [view.actions()[-1][0] for view in agent.views[1:]] == [2, 2]


def test_three_players_begin_with_the_third() -> None:
    line = "MATCHSTATE:2:0::||TdTc"
    agent = Script("raise 60", "call")
    replies = answers(AcpcClient(agent, THREE), [line, "MATCHSTATE:2:0:r60cr260f:||TdTc"])
    assert replies == [f"{line}:r60", None]
    state = MatchState.parse("MATCHSTATE:2:0:r60cr260:||TdTc").state(THREE)
    assert state.to_move == 2
    assert state.bets == [60, 260, 60]


@pytest.mark.parametrize(
    "line",
    ["MATCHSTATE:0:x::|", "MATCHSTATE:7:0::9s8h|", "MATCHSTATE:0:0:r10:9s8h|", "MATCHSTATE:0:0:q:9s8h|",
     "MATCHSTATE:0:0::9s|", "MATCHSTATE:0:0::9s9s|", "MATCHSTATE:0:0"],
)  # fmt: skip
def test_lines_that_cannot_be(line: str) -> None:
    with pytest.raises(MingpaiError):
        answers(AcpcClient(Script(), HEADS_UP), [line])


def test_game_definitions() -> None:
    text = """
GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
    assert GameDefinition.parse(text) == HEADS_UP
    for definition in (HEADS_UP, THREE):
        assert GameDefinition.parse(definition.text()) == definition
    for bad in (text.replace("nolimit", "limit"), text.replace("blind = 100 50", "blind = 50 100"), "GAMEDEF nolimit"):
        with pytest.raises(BadlyWritten):
            GameDefinition.parse(bad)


def test_log_lines_with_fractions_read_back() -> None:
    line = "STATE:7:ccc/r140cc/ccc/ccc:AhKd|AdKh|AsKs/9c3s7c/8s/Tc:0|0|0:a|b|c"
    state, names = acpc.read_log_line(line, THREE)
    assert names == ("a", "b", "c")
    assert acpc.log_line(state, 7, names) == line
    folded = "STATE:1:r45cc/r65cf/cc/cc:AhKd|AdKh|2s2d/9c3s7c/8s/Tc:22.5|22.5|-45:a|b|c"
    assert acpc.read_log_line(folded, THREE)[0].payoffs() == [Fraction(45, 2), Fraction(45, 2), -45]
    with pytest.raises(BadlyWritten):
        acpc.read_log_line(folded.replace("22.5|22.5", "23|22"), THREE)


@pytest.mark.parametrize("seed", range(30))
def test_lines_of_random_hands_read_back(seed: int) -> None:
    setup = THREE.setup() if seed % 2 else HEADS_UP.setup()
    definition = THREE if seed % 2 else HEADS_UP
    state, agent = GAME.deal(seed, "acpc", setup), random_agent(seed)
    while (seat := state.to_move) is not None:
        for position in range(state.seats):
            again = MatchState.parse(acpc.state_line(state, 3, position)).state(definition)
            assert again.view(position) == state.view(position)
        state.play(agent.decide(state.view(seat)).move)
    again, _ = acpc.read_log_line(acpc.log_line(state, 3, ["x"] * state.seats), definition)
    assert again.stacks == state.stacks


def test_a_match_over_sockets() -> None:
    """Three random players; the log replays, scores add up to nothing."""

    async def match() -> tuple[AcpcDealer, list[AcpcClient]]:
        dealer = AcpcDealer(THREE, hands=12, seed=4, limit=5.0)
        ports: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        table = asyncio.create_task(dealer.run("127.0.0.1", [0, 0, 0], ["a", "b", "c"], ports.set_result))
        clients = [AcpcClient(random_agent(seed), THREE, limit=5.0) for seed in range(3)]
        players = [acpc.join(client, "127.0.0.1", port) for client, port in zip(clients, await ports, strict=True)]
        await asyncio.gather(table, *players)
        return dealer, clients

    dealer, clients = asyncio.run(asyncio.wait_for(match(), 60))
    assert len(dealer.log) == 13
    assert dealer.log[-1].startswith("SCORE:")
    assert sum(dealer.scores) == 0
    assert [client.hands for client in clients] == [12, 12, 12]
    for line in dealer.log[:-1]:
        acpc.read_log_line(line, THREE)
    for record in dealer.records:
        replay(record, GAME)


def test_garbage_silence_and_a_disconnect_do_not_stop_the_dealer() -> None:
    async def noisy(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"VERSION:2.0.0\r\n")
        for _ in range(4):
            line = await reader.readline()
            writer.write(b"\xff\xfe nonsense\r\n" + line.strip() + b":x99\r\n" + line.strip() + b":r-5\r\n")
        writer.close()

    async def silent(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"VERSION:2.0.0\r\n")
        while await reader.readline():
            pass
        writer.close()

    async def match() -> AcpcDealer:
        dealer = AcpcDealer(THREE, hands=4, seed=1, limit=0.1)
        ports: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        table = asyncio.create_task(dealer.run("127.0.0.1", [0, 0, 0], ["good", "noisy", "silent"], ports.set_result))
        first, second, third = await ports
        client = AcpcClient(random_agent(1), THREE, limit=0.1)
        await asyncio.gather(table, acpc.join(client, "127.0.0.1", first), noisy(second), silent(third))
        return dealer

    dealer = asyncio.run(asyncio.wait_for(match(), 60))
    assert len(dealer.records) == 4
    assert sum(dealer.scores) == 0


def test_a_slow_agent_is_folded_in_time() -> None:
    class Slow(Script):
        def decide(self, view: View) -> Decision:
            import time

            time.sleep(0.5)
            return super().decide(view)

    async def ask() -> tuple[str | None, float]:
        client = AcpcClient(Slow("raise 1000", "raise 1000"), HEADS_UP, limit=0.2)
        loop = asyncio.get_running_loop()
        start = loop.time()
        reply = await client.answer("MATCHSTATE:0:30:r300:9s8h|")
        return reply, loop.time() - start

    reply, seconds = asyncio.run(ask())
    assert reply == "MATCHSTATE:0:30:r300:9s8h|:f"
    assert seconds < 0.45


@pytest.mark.parametrize("nonsense", [b"r" + b"9" * 5000, "r²".encode(), b"r" + b"9" * 18])
def test_a_raise_without_end_costs_its_sender_alone_and_every_hand_is_kept_at_once(nonsense: bytes) -> None:
    """5,000 digits ended the match, and the hands before it were lost with it."""
    heard: list[str] = []

    async def match() -> AcpcDealer:
        ports: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        dealer = AcpcDealer(HEADS_UP, hands=30, seed=4, limit=5.0, on_line=heard.append)
        table = asyncio.create_task(dealer.run("127.0.0.1", [0, 0], ["good", "mad"], ports.set_result))
        good, bad = await ports

        async def mad() -> None:
            reader, writer = await asyncio.open_connection("127.0.0.1", bad)
            writer.write(b"VERSION:2.0.0\r\n")
            while line := await reader.readline():
                writer.write(line.strip() + b":" + nonsense + b"\r\n")

        player = asyncio.create_task(mad())
        await asyncio.gather(table, acpc.join(AcpcClient(random_agent(1), HEADS_UP, 5.0), "127.0.0.1", good))
        player.cancel()
        return dealer

    dealer = asyncio.run(asyncio.wait_for(match(), 100))
    assert len(dealer.records) == 30
    assert heard == dealer.log
    for record in dealer.records:
        replay(record, GAME)


@pytest.mark.parametrize("betting", ["fc", "ff", "r20000cc", "r" + "9" * 19, "r٣"])
def test_betting_after_the_end_or_without_end_is_badly_written(betting: str) -> None:
    with pytest.raises(MingpaiError):
        MatchState.parse(f"MATCHSTATE:0:1:{betting}:AhKd|").state(HEADS_UP)
