"""Botzone's GuanDan: requests written by hand in all dialects."""

import io
import json
from typing import Any

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadlyWritten
from mingpai.games.guandan import notation
from mingpai.games.guandan.moves import TYPE_NAMES
from mingpai.protocols.botzone import KEEP_RUNNING
from mingpai.protocols.botzone_guandan import Session, id_of, kind_of, play_of, respond, serve, texts
from tests.protocols.script import Script


def ids(text: str) -> list[int]:
    """Card ids of cards, second copies from the second deck."""
    seen: list[int] = []
    for kind in notation.parse_cards(text).kinds():
        card = id_of(kind)
        seen.append(card + 54 if card in seen else card)
    return seen


HAND = ids("S3H3D4C5S6H7C7S8D8H9C9STDTHJCJSQDQHKCKSADAS2H2D5C8SBHR")
PLAIN = {"level": "2", "tribute": 0, "first": None, "last": None}
EMPTY = {"resist": False, "tribute_cards": {}, "return_cards": {}}
DEAL = {"stage": "deal", "deliver": HAND, "your_id": 1, "global": PLAIN}


def play(history: Any, **changes: Any) -> dict[str, Any]:
    return {"stage": "play", "history": history, "done": [], "pass_on": -1, "global": PLAIN | EMPTY} | changes


def test_card_ids() -> None:
    assert [notation.card_text(kind_of(card)) for card in (0, 1, 2, 3, 4, 51, 52, 53, 54, 107)] == [
        "HA", "DA", "SA", "CA", "H2", "CK", "SB", "HR", "HA", "HR",
    ]  # fmt: skip
    for kind in range(54):
        assert kind_of(id_of(kind)) == kind
    for bad in (-1, 108, True):
        with pytest.raises(BadlyWritten):
            kind_of(bad)


def test_claimed_cards_choose_the_reading() -> None:
    physical = ids("S3H3S4H4H2H2")
    physical = physical[2:] + physical[:2]
    plate = play_of(physical, ids("S3H3") + ids("S3") + ids("S4H4") + ids("D4"), 1)
    assert TYPE_NAMES[plate.type] == "plate"
    tube = play_of(physical, ids("S3H3S4H4S5H5"), 1)
    assert (TYPE_NAMES[tube.type], notation.RANKS[tube.rank]) == ("tube", "3")
    assert play_of([], [], 1).is_pass


def test_the_deal_is_answered_by_nothing() -> None:
    assert respond(Session(Script()), DEAL) == []


OBJECTS = [{"player": 0, "response": [ids("S7D7"), ids("S7D7")]}]
SLOTS = [[], [], [], [ids("S7D7"), ids("S7D7")]]


@pytest.mark.parametrize("history", [OBJECTS, SLOTS], ids=["objects", "slots"])
@pytest.mark.parametrize("flat", [False, True], ids=["global", "flat"])
@pytest.mark.parametrize("level", ["2", ["2", "2"]], ids=["level", "levels"])
def test_following_in_every_dialect(history: list[Any], flat: bool, level: Any) -> None:
    agent = Script("S8D8")
    session = Session(agent)
    facts = PLAIN | {"level": level}
    deal = {**DEAL, "global": facts}
    request = play(history) | {"global": facts | EMPTY}
    if flat:
        deal = {"stage": "deal", "deliver": HAND, "your_id": 1, "seed": 7, **facts}
        request = {"stage": "play", "history": history, "done": [], "pass_on": -1, **facts, **EMPTY}
    respond(session, deal)
    physical, claimed = respond(session, request)
    assert (texts(physical), texts(claimed)) == ("S8D8", "S8D8")
    assert agent.views[0].to_json()["history"] == [[0, "S7D7"]]
    assert len(session.own) == 25


def test_a_whole_trick_in_objects_and_the_next_lead() -> None:
    agent = Script("S8D8", "S3H3")
    session = Session(agent)
    respond(session, DEAL)
    respond(session, play(OBJECTS))
    passes: list[Any] = [{"player": seat, "response": [[], []]} for seat in (2, 3, 0)]
    ours = {"player": 1, "response": [ids("S8D8"), ids("S8D8")]}
    physical, _ = respond(session, play([ours, *passes]))
    assert texts(physical) == "S3H3"
    assert agent.views[1].to_json()["history"] == [[0, "S7D7"], [1, "S8D8"], [2, "pass"], [3, "pass"], [0, "pass"]]


def test_wild_cards_are_claimed() -> None:
    session = Session(Script("S6H7D8H9H2=T"))
    respond(session, DEAL)
    physical, claimed = respond(session, play([]))
    assert texts(physical) == "S6H7D8H9H2"
    assert notation.RANKS[kind_of(claimed[-1]) // 4] == "T"
    assert claimed[:-1] == physical[:-1]


def test_pass() -> None:
    session = Session(Script("pass"))
    respond(session, DEAL)
    assert respond(session, play(OBJECTS)) == [[], []]
    assert session.own == HAND


def test_tribute_and_return() -> None:
    """We were last: the big joker goes to seat 0, who gives a 4 back; we then lead."""
    agent = Script("HR", "S3H3")
    session = Session(agent)
    facts = {"level": "2", "tribute": 1, "first": 0, "last": 1}
    respond(session, {**DEAL, "global": facts})
    asked = {"stage": "tribute", "global": {**facts, "tribute_cards": {"1": -1}, "return_cards": {}, "resist": False}}
    (paid,) = respond(session, asked)
    assert texts([paid]) == "HR"
    four = id_of(notation.KINDS["S4"])
    told = {**facts, "tribute_cards": {"1": paid}, "return_cards": {"0": [four]}, "resist": False}
    physical, _ = respond(session, play([], **{"global": told}))
    assert texts(physical) == "S3H3"
    assert four in session.own
    assert paid not in session.own
    position = agent.views[1].to_json()
    assert position["previous"][0] == 0
    assert position["history"] == [[1, "HR"], [0, "S4"]]


def test_return_of_the_first() -> None:
    agent = Script("C5")
    session = Session(agent)
    facts = {"level": "2", "tribute": 1, "first": 1, "last": 2}
    respond(session, {**DEAL, "global": facts})
    joker = id_of(notation.KINDS["SB"]) + 54
    asked = {
        "stage": "return",
        "global": {**facts, "tribute_cards": {"2": joker}, "return_cards": {"1": -1}, "resist": False},
    }
    (given,) = respond(session, asked)
    assert texts([given]) == "C5"
    assert joker in session.own
    assert len(session.own) == 27


def test_a_resisted_tribute_gives_nothing() -> None:
    session = Session(Script())
    facts = {"level": "2", "tribute": 1, "first": 0, "last": 1, "tribute_cards": {"1": -1}, "resist": True}
    respond(session, {**DEAL, "global": facts})
    assert respond(session, {"stage": "tribute", "global": facts}) == []


def test_the_old_names_of_tributes() -> None:
    agent = Script("S3H3")
    session = Session(agent)
    facts = {"level": "2", "tribute": True, "ranking": [0, 2, 3, 1]}
    respond(session, {**DEAL, "global": facts})
    queen, four, five = (id_of(notation.KINDS[text]) for text in ("CQ", "S4", "S5"))
    told = {**facts, "fourth_tribute": HAND[-1], "third_tribute": queen, "first_return": four, "second_return": five}
    physical, _ = respond(session, play([], **{"global": {**told, "resist": False}}))
    assert texts(physical) == "S3H3"
    assert four in session.own
    assert HAND[-1] not in session.own


def test_garbage_is_answered_by_a_pass() -> None:
    session = Session(Script())
    respond(session, DEAL)
    for bad in (play("what"), play([{"player": 0}]), play([{"player": 0, "response": [[999], [999]]}])):
        assert respond(session, bad) == [[], []]


def test_long_running_and_restarted_programs_agree() -> None:
    """The same requests as one message with everything repeated, and as bare requests one after the other."""
    agent = REGISTRY.agent("guandan", "rule4")
    requests = [DEAL, play(OBJECTS)]
    sink = io.StringIO()
    lines = [json.dumps({"requests": [DEAL], "responses": []}), json.dumps(requests[1])]
    serve(agent, io.StringIO("\n".join(lines) + "\n"), sink)
    first, mark, second, mark2 = sink.getvalue().splitlines()
    assert mark == mark2 == KEEP_RUNNING
    assert json.loads(first) == {"response": []}
    again = io.StringIO()
    serve(agent, io.StringIO(json.dumps({"requests": requests, "responses": [[]]}) + "\n"), again)
    assert again.getvalue().splitlines()[0] == second
