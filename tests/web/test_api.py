"""The JSON API: the same answers and errors as the command line, whatever is sent."""

import json
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import mingpai
from mingpai.agents.catalogue import REGISTRY
from mingpai.cli.main import app as command_line
from mingpai.records.jsonl import RecordWriter
from mingpai.records.record import Record, record_of
from mingpai.web import api
from mingpai.web.doors import Doors, Names
from mingpai.web.limits import MAX_BODY
from tests.scale import count
from tests.web.deals import played

LEAD = {"seat": "landlord", "hand": "3344556677889TJQKA2D", "bottom": "33D", "history": []}


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    api.install(app)
    app.add_middleware(Doors, names=Names(["testserver"]))
    return TestClient(app, raise_server_exceptions=True, client=("127.0.0.1", 50000))


def test_a_decision_comes_back(client: TestClient) -> None:
    answer = client.post("/api/v1/decide", json={"game": "doudizhu", "agent": "random", "position": LEAD, "seed": 4})
    assert answer.status_code == 200
    assert answer.json()["seed"] == 4
    legal = client.post("/api/v1/legal", json={"game": "doudizhu", "position": LEAD}).json()["moves"]
    assert answer.json()["move"] in legal


@pytest.mark.parametrize(("body", "kind", "status"), [
    ({"game": "doudizhu", "agent": "nobody", "position": LEAD}, "BadSetting", 400),
    ({"game": "doudizhu", "agent": "exec:ls", "position": LEAD}, "BadSetting", 400),
    ({"game": "doudizhu", "agent": "random", "position": {}}, "BadlyWritten", 400),
    ({"game": "bridge", "agent": "random", "position": LEAD}, "BadlyWritten", 422),
    ({"game": "doudizhu", "agent": "random"}, "BadlyWritten", 422),
    ({"game": "doudizhu", "agent": "random", "position": LEAD, "more": 1}, "BadlyWritten", 422),
    ({"game": "doudizhu", "agent": "random", "position": LEAD, "seed": -1}, "BadlyWritten", 422),
])  # fmt: skip
def test_a_mistake_is_named(client: TestClient, body: dict[str, object], kind: str, status: int) -> None:
    answer = client.post("/api/v1/decide", json=body)
    assert answer.status_code == status
    assert answer.json()["kind"] == kind


def test_a_body_that_is_too_large_is_refused(client: TestClient) -> None:
    answer = client.post("/api/v1/legal", content=b"x" * (MAX_BODY + 1))
    assert answer.status_code == 413


def test_an_endgame_is_proved(client: TestClient) -> None:
    asked = {"landlord": "4667788QK2", "farmer": "334455QK2", "all_moves": True}
    answer = client.post("/api/v1/solve", json=asked).json()
    assert answer["landlord_wins"] is True
    assert answer["winning_moves"] == ["4"]
    assert client.post("/api/v1/solve", json=asked | {"landlord": "33333"}).status_code == 400


def test_equity_is_exact_where_it_can_be(client: TestClient) -> None:
    answer = client.post("/api/v1/equity", json={"players": ["AhKd", "QQ+,AK"]}).json()
    assert answer["method"] == "exact"
    assert sum(answer["equities"]) == pytest.approx(1)
    assert client.post("/api/v1/equity", json={"players": ["AhKd", "AhQh"]}).status_code == 400


PHH = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ['d dh p1 AhKd', 'd dh p2 ????', 'p2 cbr 6', 'p1 cc', 'd db AsTc2d', 'p1 cc', 'p2 cbr 8', 'p1 f']
players = ['ann', 'bob']
"""


def test_hands_are_read_as_on_the_command_line(client: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "hand.phh"
    file.write_text(PHH)
    told = CliRunner().invoke(command_line, ["read", str(file), "--seat", "1", "--json"])
    answer = client.post("/api/v1/read", json={"hand": PHH, "seat": 1})
    assert answer.json() == json.loads(told.stdout)
    assert client.post("/api/v1/read", json={"hand": PHH, "seat": 2}).json()["kind"] == "BadSetting"


def test_styles_are_counted_as_on_the_command_line(client: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "hands.phh"
    file.write_text(PHH)
    told = CliRunner().invoke(command_line, ["records", "styles", str(file), "--json"])
    answer = client.post("/api/v1/style", json={"log": PHH}).json()
    assert answer == json.loads(told.stdout)
    assert answer["bob"]["vpip"] == 1.0


def test_bidding_styles_come_from_records(client: TestClient) -> None:
    game = REGISTRY.game("doudizhu")
    state, agent = game.deal(3), REGISTRY.agent("doudizhu", "greedy")
    while (turn := state.to_move) is not None:
        state.play(agent.decide(state.view(turn)).move)
    line = record_of(state, ("a", "b", "c")).dumps()
    answer = client.post("/api/v1/style/bidding", json={"log": line}).json()
    assert answer["records"] == 1
    assert {player["player"] for player in answer["players"]} <= {"a", "b", "c"}
    assert client.post("/api/v1/style/bidding", json={"log": "nothing"}).status_code == 400


def test_stored_games_are_listed_shown_and_verified(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINGPAI_HOME", str(tmp_path))
    assert client.get("/api/v1/records").json() == {"total": 0, "records": []}
    record = next(played("guandan", ("rule1", "rule2", "rule1", "rule2"), 1))
    with RecordWriter(tmp_path / "games" / "guandan.jsonl") as writer:
        writer.write(record)
    listed = client.get("/api/v1/records", params={"game": "guandan"}).json()
    assert [line["key"] for line in listed["records"]] == [record.key]
    assert client.get("/api/v1/records", params={"game": "holdem"}).json()["total"] == 0
    whole = client.get(f"/api/v1/records/{record.key}").json()
    assert Record.from_json(whole) == record
    assert client.get("/api/v1/records/0").status_code == 404
    forged = json.dumps(whole | {"points": [9, -9, 9, -9]})
    answer = client.post("/api/v1/verify", json={"records": record.dumps() + "\n" + forged + "\n{}"}).json()
    assert (answer["read"], answer["good"], answer["bad"]) == (3, 1, 2)


def test_decisions_have_the_same_schema_everywhere(client: TestClient) -> None:
    described = client.get("/openapi.json").json()["paths"]["/api/v1/decide"]["post"]["responses"]["200"]
    schema = described["content"]["application/json"]["schema"]
    assert schema == json.loads((Path(mingpai.__file__).parent / "core" / "decision.schema.json").read_text())


def fail(game: str, position: object) -> None:
    raise RuntimeError(f"in {__file__}")


def test_a_failure_names_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    app = FastAPI()
    api.install(app)

    monkeypatch.setattr("mingpai.web.tasks.api_legal", fail)
    quiet = TestClient(app, raise_server_exceptions=False)
    answer = quiet.post("/api/v1/legal", json={"game": "doudizhu", "position": LEAD})
    assert answer.status_code == 500
    assert answer.json()["kind"] == "Error"
    assert "/" not in answer.json()["message"]


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
                    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
                    max_leaves=12)  # fmt: skip
CARDS = "3456789TJQKA2XD "
FIELDS = st.fixed_dictionaries({}, optional={
    "seat": st.sampled_from(["landlord", "down", "up", 0, 1, None]) | JSON, "hand": st.text(CARDS, max_size=21) | JSON,
    "bottom": st.text(CARDS, max_size=4) | JSON, "history": JSON, "phase": st.just("bid") | JSON,
    "first": JSON, "bids": JSON, "rules": st.just("standard") | JSON,
})  # fmt: skip


@given(FIELDS | st.dictionaries(st.text(max_size=5), JSON, max_size=3))
@settings(max_examples=count(fast=60, ci=300, verify=3000), deadline=None, suppress_health_check=list(HealthCheck))
def test_no_position_breaks_the_server(client: TestClient, position: dict[str, object]) -> None:
    for path, extra in (("/api/v1/legal", {}), ("/api/v1/decide", {"agent": "random"})):
        answer = client.post(path, content=json.dumps({"game": "doudizhu", "position": position, **extra}))
        assert answer.status_code in (200, 400, 422), answer.text
