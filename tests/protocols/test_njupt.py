"""The NJUPT Guandan platforms. Messages are written by hand from the manuals, not recorded from our server."""

import asyncio
import contextlib
import json
from typing import Any

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadlyWritten
from mingpai.games.guandan import GAME, notation
from mingpai.games.guandan.moves import TYPE_NAMES
from mingpai.protocols import njupt
from mingpai.protocols.njupt_client import NjuptClient, join
from mingpai.protocols.njupt_host import Host, HostedTable
from mingpai.records.replay import replay
from tests.protocols.script import Script

HAND = [
    "S3", "H3", "D4", "C5", "S6", "H7", "C7", "S8", "D8", "H9", "C9", "ST", "DT", "HJ", "CJ", "SQ",
    "DQ", "HK", "CK", "SA", "DA", "S2", "H2", "D5", "C8", "SB", "HR",
]  # fmt: skip
"""27 cards of seat 1, level 2: one wild card."""

BEGINNING = {"type": "notify", "stage": "beginning", "handCards": HAND, "myPos": 1}
FULL = [{"rest": 27, "playArea": None} for _ in range(4)]


def act(**changes: Any) -> dict[str, Any]:
    message = {
        "type": "act", "stage": "play", "handCards": HAND, "publicInfo": FULL, "selfRank": "2", "oppoRank": "2",
        "curRank": "2", "curPos": -1, "curAction": None, "greaterPos": -1, "greaterAction": None,
        "actionList": [], "indexRange": 0,
    }  # fmt: skip
    return message | changes


PASS = ["PASS", "PASS", "PASS"]


@pytest.mark.parametrize(
    ("text", "level", "kind", "action"),
    [
        ("S6", "2", "single", ["Single", "6", ["S6"]]),
        ("HR", "2", "single", ["Single", "R", ["HR"]]),
        ("H4H2=4", "2", "pair", ["Pair", "4", ["H4", "H2"]]),
        ("S3H3C3", "2", "triple", ["Trips", "3", ["S3", "H3", "C3"]]),
        ("S3H3S4H4S5H5", "2", "tube", ["ThreePair", "3", ["S3", "H3", "S4", "H4", "S5", "H5"]]),
        ("SKHKDKS3H3", "2", "full-house", ["ThreeWithTwo", "K", ["SK", "HK", "DK", "S3", "H3"]]),
        ("SKHKDKSAHADA", "2", "plate", ["TwoTrips", "K", ["SK", "HK", "DK", "SA", "HA", "DA"]]),
        ("S6H7H2=8H2=9CT", "2", "straight", ["Straight", "6", ["S6", "H7", "H2", "H2", "CT"]]),
        ("SAS2S3S4S5", "7", "straight-flush", ["StraightFlush", "A", ["SA", "S2", "S3", "S4", "S5"]]),
        ("STSJSQSKSA", "7", "straight-flush", ["StraightFlush", "T", ["ST", "SJ", "SQ", "SK", "SA"]]),
        ("S9H9D9C9H2=9", "2", "bomb", ["Bomb", "9", ["S9", "H9", "D9", "C9", "H2"]]),
        ("SBSBHRHR", "2", "joker-bomb", ["Bomb", "JOKER", ["SB", "SB", "HR", "HR"]]),
    ],
)
def test_actions_as_the_manual_writes_them(text: str, level: str, kind: str, action: list[Any]) -> None:
    number = notation.parse_level(level)
    (play,) = [p for p in notation.readings(text, number) if TYPE_NAMES[p.type] == kind]
    assert njupt.action_of(play) == action
    assert njupt.play_of(action, number) == play


def test_four_kings_in_both_dialects() -> None:
    both = (["FourKings", "B", ["SB", "SB", "HR", "HR"]], ["Bomb", "JOKER", ["SB", "SB", "HR", "HR"]])
    assert len({njupt.play_of(action, 1) for action in both}) == 1
    assert njupt.action_of(njupt.play_of(both[1], 1), "openguandan") == both[0]


def test_pass_and_garbage_actions() -> None:
    assert njupt.play_of(PASS, 1).is_pass
    for bad in (None, [], ["Pair", "4", ["H4"]], ["Pair", "4", ["H4", "X9"]], ["Flower", "4", ["H4"]], "PASS", 7):
        with pytest.raises(BadlyWritten):
            njupt.play_of(bad, 1)


def test_order_of_the_action_list() -> None:
    """A pass, singles by strength, ... bombs by size then rank, straight flushes last."""
    hand = "S3S4S5S6S7 H7D7C7 SK S2 SB"
    state = GAME.start(f"{hand}/S9/S9/ST", setup={"level": "2"})
    actions = [njupt.action_of(play) for play in njupt.in_order(state.legal_moves())]
    singles = [rank for word, rank, _ in actions if word == "Single"]
    assert singles == ["3", "4", "5", "6", "7", "7", "7", "7", "K", "2", "B"]
    words = list(dict.fromkeys(word for word, _, _ in actions))
    assert words == ["Single", "Pair", "Trips", "Straight", "Bomb", "StraightFlush"]
    follow = GAME.start(f"S3/{hand}/S9/ST", setup={"level": "2"})
    follow.play(GAME.parse_move("S3", follow))
    assert njupt.action_of(njupt.in_order(follow.legal_moves())[0]) == PASS


def test_client_leads_by_index() -> None:
    client = NjuptClient(Script("S3H3"))
    assert client.recv(json.dumps(BEGINNING)) is None
    actions = [["Single", "3", ["S3"]], ["Single", "3", ["H3"]], ["Pair", "3", ["S3", "H3"]]]
    assert client.recv(json.dumps(act(actionList=actions, indexRange=2))) == {"actIndex": 2}


def test_client_follows_with_the_history_it_heard() -> None:
    agent = Script("S8D8", "pass")
    client = NjuptClient(agent)
    client.recv(BEGINNING)
    led = ["Pair", "7", ["S7", "D7"]]
    client.recv(
        {"type": "notify", "stage": "play", "curPos": 0, "curAction": led, "greaterPos": 0, "greaterAction": led}
    )
    public = [{"rest": 25, "playArea": led}, *FULL[1:]]
    actions = [PASS, ["Pair", "8", ["S8", "D8"]], ["Pair", "8", ["S8", "C8"]], ["Pair", "9", ["H9", "C9"]]]
    question = act(
        publicInfo=public, curPos=0, curAction=led, greaterPos=0, greaterAction=led, actionList=actions, indexRange=3
    )
    assert client.recv(question) == {"actIndex": 1}
    (view,) = agent.views
    assert view.to_json()["history"] == [[0, "S7D7"]]
    assert view.to_json()["leader"] == 0


def test_client_answers_a_wild_straight_flush_that_was_played_as_a_straight() -> None:
    agent = Script("C7S8C9DTHJ")
    client = NjuptClient(agent)
    client.recv(BEGINNING)
    led = ["Straight", "6", ["S6", "S7", "H2", "S9", "ST"]]
    table = {"curPos": 0, "curAction": led, "greaterPos": 0, "greaterAction": led}
    client.recv({"type": "notify", "stage": "play", **table})
    public = [{"rest": 22, "playArea": led}, *FULL[1:]]
    actions = [
        PASS,
        ["Straight", "7", ["H7", "S8", "C9", "DT", "HJ"]],
        ["Straight", "7", ["C7", "S8", "C9", "DT", "HJ"]],
    ]
    assert client.recv(act(publicInfo=public, actionList=actions, indexRange=2, **table)) == {"actIndex": 2}
    assert agent.views[0].to_json()["history"] == [[0, "S6S7H2=H8S9ST"]]
    assert client.falls.total() == 0


def test_client_pays_and_gives_back() -> None:
    """The second round: seat 1 was last, pays; later, as first, it gives back."""
    client = NjuptClient(Script("HR", "C5"))
    client.recv({"type": "notify", "stage": "episodeOver", "order": [0, 2, 3, 1], "curRank": "2", "restCards": []})
    client.recv(BEGINNING)
    actions = [["tribute", "tribute", ["HR"]], ["tribute", "tribute", ["HR"]]]
    assert client.recv(act(stage="tribute", actionList=actions, indexRange=1)) == {"actIndex": 0}
    client.recv({"type": "notify", "stage": "episodeOver", "order": [1, 0, 3, 2], "curRank": "2", "restCards": []})
    client.recv(BEGINNING)
    client.recv({"type": "notify", "stage": "tribute", "result": [[2, 1, "SB"]]})
    actions = [["back", "back", ["S3"]], ["back", "back", ["C5"]]]
    hand = [*HAND, "SB"]
    rest = [{"rest": n, "playArea": None} for n in (27, 28, 26, 27)]
    question = act(stage="back", handCards=hand, publicInfo=rest, actionList=actions, indexRange=1)
    assert client.recv(question) == {"actIndex": 1}


def test_client_knows_the_exchange_in_play() -> None:
    agent = Script("S3H3")
    client = NjuptClient(agent)
    client.recv({"type": "notify", "stage": "episodeOver", "order": [0, 2, 3, 1], "curRank": "2", "restCards": []})
    client.recv(BEGINNING)
    client.recv({"type": "notify", "stage": "tribute", "result": [[1, 0, "HR"], [3, 2, "SA"]]})
    client.recv({"type": "notify", "stage": "back", "result": [[0, 1, "S4"], [2, 3, "S5"]]})
    hand = [card for card in HAND if card != "HR"] + ["S4"]
    actions = [["Single", "3", ["S3"]], ["Pair", "3", ["S3", "H3"]]]
    assert client.recv(act(handCards=hand, actionList=actions, indexRange=1)) == {"actIndex": 1}
    (view,) = agent.views
    position = view.to_json()
    assert position["previous"] == [0, 2, 3, 1]
    assert position["history"] == [[1, "HR"], [3, "SA"], [0, "S4"], [2, "S5"]]


def test_client_falls_back_when_it_missed_notes() -> None:
    """Joining in the middle: only the act message is known."""
    agent = Script("S8D8")
    client = NjuptClient(agent)
    client.recv({"type": "notify", "stage": "beginning", "handCards": HAND, "myPos": 1})
    led = ["Pair", "7", ["S7", "D7"]]
    public = [{"rest": 20, "playArea": led}, *[{"rest": n, "playArea": None} for n in (27, 22, 19)]]
    actions = [PASS, ["Pair", "8", ["S8", "D8"]]]
    question = act(publicInfo=public, curPos=0, curAction=led, greaterPos=0, greaterAction=led, actionList=actions)
    assert client.recv(question) == {"actIndex": 1}
    assert agent.views[0].to_json()["counts"] == [20, 27, 22, 19]


def test_client_survives_garbage() -> None:
    client = NjuptClient(Script())
    for message in ("{", "[]", '"x"', {"type": "notify"}, {"type": "notify", "stage": "play"}, {"type": "dance"}):
        assert client.recv(message) is None
    assert client.recv(act(actionList=[])) == {"actIndex": 0}
    assert client.recv(act(actionList=[PASS, ["Single", "3", ["S3"]]], handCards=None)) == {"actIndex": 0}


def test_client_ends_with_the_result() -> None:
    client = NjuptClient(Script())
    client.recv({"type": "notify", "stage": "gameOver", "curTimes": 1, "settingTimes": 1})
    assert not client.is_over
    client.recv({"type": "notify", "stage": "gameResult", "victoryNum": [1, 0, 1, 0], "draws": [0, 0, 0, 0]})
    assert client.result["victoryNum"] == [1, 0, 1, 0]


def test_openguandan_answers() -> None:
    client = NjuptClient(Script("S3H3", "C5"), dialect="openguandan", name="ming")
    assert client.hello(rounds=3) == {"type": "CREATE_ROOM", "data": {"userId": "ming", "round": 3}}
    assert client.hello(room=7, seat=2) == {
        "type": "JOIN_ROOM",
        "data": {"userId": "ming", "roomId": 7, "seatNum": 2},
    }
    client.recv({"type": "JOIN_ROOM", "code": 200, "data": {"roomId": 7, "userNum": 1}})
    client.recv(BEGINNING)
    actions = [["Single", "3", ["S3"]], ["Pair", "3", ["S3", "H3"]]]
    answer = client.recv(act(actionList=actions))
    assert answer == {"type": "PLAY", "data": {"roomId": 7, "player": 1, "act": ["Pair", "3", ["S3", "H3"]]}}
    client.recv({"type": "notify", "stage": "episodeOver", "order": [1, 0, 3, 2]})
    client.recv(BEGINNING)
    client.recv({"type": "notify", "stage": "tribute", "result": [[2, 1, "SB"]]})
    backs = [["back", "back", ["S3"]], ["back", "back", ["C5"]]]
    returning = {
        "type": "act", "handCards": [*HAND, "SB"], "selfRank": "2", "oppoRank": "2", "curRank": "2", "stage": "back",
        "tributePos": 2, "tribute": "SB", "actionList": backs, "indexRange": 1,
    }  # fmt: skip
    assert client.recv(returning) == {
        "type": "PAYTRIBUTE",
        "data": {"roomId": 7, "player": 1, "tributePos": 2, "tribute": "SB", "act": ["back", "back", ["C5"]]},
    }
    assert client.falls.total() == 0


@pytest.mark.parametrize("room", [1, 0, "1", "blue"])
def test_the_room_is_echoed_as_it_came(room: int | str) -> None:
    client = NjuptClient(Script("S3"), dialect="openguandan")
    client.hello()
    client.recv(json.dumps({"type": "CREATE_ROOM", "code": 200, "data": {"roomId": room, "userNum": 0}}))
    client.recv(BEGINNING)
    answer = client.recv(act(actionList=[["Single", "3", ["S3"]]]))
    assert answer is not None
    assert answer["data"]["roomId"] == room
    assert type(answer["data"]["roomId"]) is type(room)


def test_a_refused_room_ends_the_visit() -> None:
    client = NjuptClient(Script(), dialect="openguandan")
    client.hello(room=5)
    client.recv({"type": "JOIN_ROOM", "code": 400, "data": {"message": "no such room"}})
    assert client.is_over
    assert client.result["message"] == "no such room"


class Fake:
    """A player at a table without a socket: a client, or answers that are wrong."""

    def __init__(self, client: NjuptClient | None, reply: str | None = None) -> None:
        self.name = "fake"
        self.client = client
        self.reply = reply
        self.heard: list[dict[str, Any]] = []
        self._answer: str | None = reply

    async def send(self, text: str) -> None:
        self.heard.append(json.loads(text))
        if self.client is not None and (answer := self.client.recv(text)) is not None:
            self._answer = json.dumps(answer)

    async def receive(self) -> str | None:
        return self._answer

    def discard(self) -> int:
        return 0


def _bot(dialect: njupt.Dialect, spec: str = "rule3") -> NjuptClient:
    return NjuptClient(REGISTRY.agent("guandan", spec), dialect=dialect, name=spec)


@pytest.mark.parametrize("dialect", njupt.DIALECTS)
def test_a_whole_match_at_our_table(dialect: njupt.Dialect, caplog: pytest.LogCaptureFixture) -> None:
    """Four clients, tribute and all: no fault, no fall-back, and every round replays by our rules."""
    players = [Fake(_bot(dialect)) for _ in range(4)]
    outcome = asyncio.run(HostedTable(players, dialect=dialect, seed=5, rounds=4).play())
    assert outcome.faults == []
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    assert len(outcome.records) == 4
    for record in outcome.records:
        replay(record, GAME)
    stages = [m["stage"] for m in players[0].heard if m["type"] == "notify"]
    assert all(not player.client.falls.total() for player in players if player.client is not None)
    assert stages[0] == "beginning"
    assert stages[-2:] == ["gameOver", "gameResult"]
    assert "tribute" in stages or "anti-tribute" in stages


@pytest.mark.parametrize(
    "reply", [None, "", "nonsense", "[]", '{"actIndex": -1}', '{"actIndex": 9999}', '{"actIndex": "x"}']
)
def test_a_faulty_player_gets_the_first_action_and_the_table_goes_on(reply: str | None) -> None:
    players = [Fake(_bot("v1006")), Fake(None, reply), Fake(_bot("v1006")), Fake(_bot("v1006"))]
    outcome = asyncio.run(HostedTable(players, dialect="v1006", seed=6, rounds=1).play())
    assert len(outcome.records) == 1
    assert all(fault.startswith("seat 1") for fault in outcome.faults)
    assert outcome.faults
    replay(outcome.records[0], GAME)


class Sleeper(Fake):
    """Answers well, but too late."""

    async def receive(self) -> str | None:
        await asyncio.sleep(1)
        return await super().receive()


def test_a_late_answer_counts_as_none() -> None:
    players = [Fake(_bot("v1006")), Fake(_bot("v1006")), Fake(_bot("v1006")), Sleeper(_bot("v1006"))]
    outcome = asyncio.run(HostedTable(players, dialect="v1006", seed=6, rounds=1, limit=0.01).play())
    assert outcome.faults
    assert all(fault == "seat 3: no answer within 0.01 s" for fault in outcome.faults)
    replay(outcome.records[0], GAME)


README_FIELDS = {
    ("notify", "beginning"): {"handCards", "myPos"},
    ("notify", "play"): {"curPos", "curAction", "greaterPos", "greaterAction"},
    ("notify", "tribute"): {"result"},
    ("notify", "anti-tribute"): {"antiNums", "antiPos"},
    ("notify", "back"): {"result"},
    ("notify", "episodeOver"): {"order", "curRank", "restCards"},
    ("notify", "gameOver"): {"curTimes", "settingTimes"},
    ("notify", "gameResult"): {"victory", "victoryRank"},
    ("act", "play"): {"handCards", "publicInfo", "selfRank", "oppoRank", "curRank", "curPos", "curAction",
                      "greaterAction", "greaterPos", "actionList", "indexRange"},
    ("act", "tribute"): {"handCards", "selfRank", "oppoRank", "curRank", "actionList", "indexRange"},
    ("act", "back"): {"handCards", "selfRank", "oppoRank", "curRank", "tributePos", "tribute", "actionList",
                      "indexRange"},
}  # fmt: skip
"""What each message of OpenGuanDan's server has besides its type and stage, by sections 4.1 and 4.2 of its README."""


def test_the_host_sends_what_the_readme_of_openguandan_has_and_no_more() -> None:
    players = [Fake(_bot("openguandan")) for _ in range(4)]
    asyncio.run(HostedTable(players, dialect="openguandan", seed=5, rounds=8).play())
    heard = [message for player in players for message in player.heard]
    for message in heard:
        assert set(message) - {"type", "stage"} == README_FIELDS[message["type"], message["stage"]], message
    seen = {(message["type"], message["stage"]) for message in heard}
    assert seen | {("notify", "anti-tribute")} == set(README_FIELDS)


async def _lobby() -> list[dict[str, Any]]:
    """What the host says to those who make a room, join it, take a seat that is gone, and join what does not exist."""
    from websockets.asyncio.client import connect

    asked = [
        {"type": "CREATE_ROOM", "data": {"userId": "a", "round": 1}},
        {"type": "JOIN_ROOM", "data": {"userId": "b", "roomId": 1}},
        {"type": "JOIN_ROOM", "data": {"userId": "c", "roomId": 1, "seatNum": 3}},
        {"type": "JOIN_ROOM", "data": {"userId": "d", "roomId": 1, "seatNum": 3}},
        {"type": "JOIN_ROOM", "data": {"userId": "d", "roomId": 2}},
        {"type": "LEAVE_ROOM", "data": {"userId": "d", "roomId": 1}},
    ]
    server = await Host("openguandan").serve(port=0)
    url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    heard = []
    async with asyncio.timeout(20), contextlib.AsyncExitStack() as open_sockets:
        for message in asked:
            socket = await open_sockets.enter_async_context(connect(url))
            await socket.send(json.dumps(message))
            heard.append(json.loads(await socket.recv()))
    server.close()
    return heard


def test_the_lobby_answers_as_the_readme_of_openguandan_has_it() -> None:
    """Sections 3.1 and 3.2: whole numbers, and a code; of refusals the README says nothing."""
    made, joined, seated, *refused = asyncio.run(_lobby())
    assert made == {"type": "CREATE_ROOM", "code": 200, "data": {"roomId": 1, "userNum": 0}}
    assert joined == {"type": "JOIN_ROOM", "code": 200, "data": {"roomId": 1, "userNum": 1}}
    assert seated == {"type": "JOIN_ROOM", "code": 200, "data": {"roomId": 1, "userNum": 3}}
    assert [(answer["type"], answer["code"]) for answer in refused] == [
        ("JOIN_ROOM", 400), ("JOIN_ROOM", 400), ("ERROR", 400)]  # fmt: skip


async def _real_sockets(dialect: njupt.Dialect) -> Host:
    """Two good clients, one that leaves after a few messages, one that sends garbage, over real sockets."""
    from websockets.asyncio.client import connect

    host = Host(dialect, rounds=1, seed=3, limit=2.0)
    server = await host.serve(port=0)
    port = server.sockets[0].getsockname()[1]
    url = f"ws://127.0.0.1:{port}"
    enter = {"type": "JOIN_ROOM", "data": {"userId": "x", "roomId": 1}}

    async def leaver() -> None:
        async with connect(f"{url}/game/leaver") as socket:
            if dialect == "openguandan":
                await socket.send(json.dumps(enter))
            for _ in range(3):
                await socket.recv()

    async def garbage() -> None:
        async with connect(f"{url}/game/garbage") as socket:
            if dialect == "openguandan":
                await socket.send("hello?")
                await socket.send(json.dumps(enter))
            async for message in socket:
                await socket.send("}{ not json")
                if '"gameResult"' in str(message):
                    return

    async with asyncio.timeout(60):
        first = asyncio.create_task(join(_bot(dialect), url))
        await asyncio.sleep(0.3)
        room = None if dialect == "v1006" else 1
        others = [asyncio.create_task(leaver()), asyncio.create_task(join(_bot(dialect), url, room=room))]
        await asyncio.sleep(0.2)
        others.append(asyncio.create_task(garbage()))
        result = await first
        await asyncio.gather(*others)
    server.close()
    await server.wait_closed()
    assert result["stage"] == "gameResult"
    return host


@pytest.mark.parametrize("dialect", njupt.DIALECTS)
def test_four_clients_over_real_sockets_one_leaves_one_sends_garbage(dialect: njupt.Dialect) -> None:
    host = asyncio.run(_real_sockets(dialect))
    (outcome,) = host.outcomes
    assert len(outcome.records) == 1
    replay(outcome.records[0], GAME)
    assert any("gone" in fault for fault in outcome.faults)
    assert any("JSON" in fault for fault in outcome.faults)
