"""The JSON API: the same answers and errors as the command line, whatever is sent."""

import json

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mingpai.web import api
from mingpai.web.limits import MAX_BODY
from tests.scale import count

LEAD = {"seat": "landlord", "hand": "3344556677889TJQKA2D", "bottom": "33D", "history": []}


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    api.install(app)
    return TestClient(app, raise_server_exceptions=True)


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
@settings(max_examples=count(fast=60, ci=300, verify=20000), deadline=None, suppress_health_check=list(HealthCheck))
def test_no_position_breaks_the_server(client: TestClient, position: dict[str, object]) -> None:
    for path, extra in (("/api/v1/legal", {}), ("/api/v1/decide", {"agent": "random"})):
        answer = client.post(path, content=json.dumps({"game": "doudizhu", "position": position, **extra}))
        assert answer.status_code in (200, 400, 422), answer.text
