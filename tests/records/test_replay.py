"""Replay accepts what was played and names the event that was not."""

from typing import Any

import pytest

from mingpai.core.errors import MingpaiError
from mingpai.records.record import Record, record_of
from mingpai.records.replay import ReplayFailed, positions, replay
from tests.contract.toy import KUHN, LITTLE
from tests.records.test_jsonl import played
from tests.scale import count


def changed(record: Record, **fields: Any) -> Record:
    return Record.from_json(record.to_json() | fields)


def test_played_records_replay() -> None:
    for seed in range(count(fast=50, ci=500, verify=2000)):
        record = played(seed)
        state = replay(record, LITTLE)
        assert record_of(state, record.players, seed=seed) == record


def test_positions_give_each_move_with_the_state_before_it() -> None:
    record = played(4)
    texts = [event.text for event in record.events if event.kind == "play"]
    seen = []
    for state, seat, move in positions(record, LITTLE):
        assert state.to_move == seat
        assert move in state.legal_moves()
        seen.append(str(move))
    assert seen == texts


def test_a_void_record_replays_as_far_as_it_goes() -> None:
    state = LITTLE.deal(1)
    state.play(state.legal_moves()[0])
    record = record_of(state, ["a", "b", "c"], void="b left")
    assert not replay(record, LITTLE).is_over
    assert record.points is None


EVENTS = played(1).to_json()["events"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"deck": "11"}, "cannot be set up"),
        ({"players": ["a"] * 4}, "4 players at 3 seats"),
        ({"switches": {}}, "switches"),
        ({"points": [9, 9, 9]}, "points"),
        ({"winners": [0, 1, 2]}, "winners"),
        ({"seats": ["x", "y", "z"]}, "seats"),
        ({"events": EVENTS[:-1]}, "not finished"),
        ({"events": EVENTS[:2]}, "event 2: .*missing"),
        ({"events": [*EVENTS, EVENTS[-1]]}, "after the deal was over"),
        ({"events": [*EVENTS[:3], ["play", 1, "1"]]}, "event 3: .*seat 0 is to move"),
        ({"events": [*EVENTS[:3], ["play", 0, "9"]]}, "event 3: cannot read '9'"),
        ({"events": [*EVENTS[:3], ["bid", *EVENTS[3][1:]]]}, "event 3: .*but the rules give"),
        ({"events": [["deal", 0, "1", True], *EVENTS[1:]]}, "event 0: .*but the rules give"),
        ({"void": "why"}, "a void deal has no result"),
    ],
)
def test_a_record_that_breaks_the_rules_is_refused_with_the_event(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ReplayFailed, match=words):
        replay(changed(played(1), **fields), LITTLE)


def test_a_record_of_another_game_is_refused() -> None:
    with pytest.raises(MingpaiError, match="not of 'kuhn'"):
        replay(played(1), KUHN)
