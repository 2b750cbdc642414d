"""The shipped JSON schemas describe what the program writes, and refuse what it refuses."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

import mingpai
from mingpai import api
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.core.game import State
from mingpai.core.random import stream
from mingpai.records.record import Record, record_of
from tests.cli.shell import mingpai as command

GAMES = ("doudizhu", "guandan", "holdem")
BAD_VALUES: tuple[Any, ...] = (None, 7.5, "king", -1, 99, [], {}, [[0]], [["landlord"]], "²")


@pytest.mark.parametrize("name", api.SCHEMAS)
def test_each_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(mingpai.schema(name))


def test_an_unknown_schema_is_refused() -> None:
    with pytest.raises(BadSetting, match="bridge"):
        mingpai.schema("bridge")


def test_what_is_handed_out_is_a_copy() -> None:
    mingpai.schema("doudizhu")["properties"].clear()
    assert "hand" in mingpai.schema("doudizhu")["properties"]


def deals(game: str, count: int) -> Iterator[State]:
    """Random deals, each as it stands after every move: with the bidding and, where there is one, without."""
    rules = REGISTRY.game(game)
    for number in range(count):
        rng = stream(number, "schemas", game)
        profile = rules.profiles()[number % len(rules.profiles())]
        state = rules.deal(number, profile, rules.play_only if number % 2 and rules.play_only else None)
        yield state
        while state.to_move is not None:
            moves = state.legal_moves()
            state.play(moves[int(rng.integers(len(moves)))])
            yield state


@pytest.mark.parametrize("game", GAMES)
def test_every_view_is_written_as_the_schema_says_and_read_again(game: str) -> None:
    validator = jsonschema.Draft202012Validator(mingpai.schema(game))
    for number, state in enumerate(deals(game, 8)):
        seat = number % state.seats
        position = json.loads(json.dumps(state.view(seat).to_json()))
        validator.validate(position)
        assert number % 5 or mingpai.view(game, position) == state.view(seat)


@pytest.mark.parametrize("game", GAMES)
def test_every_record_is_written_as_the_schema_says(game: str) -> None:
    validator = jsonschema.Draft202012Validator(mingpai.schema("record"))
    for number, state in enumerate(deals(game, 3)):
        if number % 9 and not state.is_over:
            continue
        void = None if state.is_over else "stopped"
        record = record_of(state, ["a"] * state.seats, seed=1, void=void, tags={"deal": 3})
        validator.validate(json.loads(record.dumps()))


def positions(game: str) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(state.view(state.to_move).to_json())) for number, state in enumerate(deals(game, 4))
            if state.to_move is not None and number % 7 == 0]  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_what_the_schema_refuses_the_reader_refuses(game: str) -> None:
    validator, tried = jsonschema.Draft202012Validator(mingpai.schema(game)), 0
    for position in positions(game):
        for field in position:
            for value in BAD_VALUES:
                damaged = position | {field: copy.deepcopy(value)}
                if validator.is_valid(damaged):
                    continue
                tried += 1
                with pytest.raises(MingpaiError):
                    mingpai.decide(game, damaged, "random")
    assert tried > 50


def test_what_the_schema_of_records_refuses_the_reader_refuses() -> None:
    validator, tried = jsonschema.Draft202012Validator(mingpai.schema("record")), 0
    state = REGISTRY.game("doudizhu").deal(1)
    good = json.loads(record_of(state, ["a", "b", "c"], void="stopped").dumps())
    for field in good:
        for value in (*BAD_VALUES, "missing"):
            damaged = {key: item for key, item in good.items() if key != field}
            damaged |= {} if value == "missing" else {field: value}
            if not validator.is_valid(damaged):
                tried += 1
                with pytest.raises(MingpaiError):
                    Record.from_json(damaged)
    assert tried > 50


def test_a_misspelt_field_is_named() -> None:
    position = {"seat": "landlord", "hand": "3344556677889TJQKA2D", "bottom": "33D", "histroy": []}
    with pytest.raises(BadlyWritten, match="did you mean history"):
        mingpai.legal_moves("doudizhu", position)


@pytest.mark.parametrize("name", ["doudizhu", "record"])
def test_the_command_prints_what_is_shipped(name: str) -> None:
    answer = command("schema", name)
    assert (answer.code, json.loads(answer.out)) == (0, mingpai.schema(name))


def test_the_command_lists_and_refuses() -> None:
    assert all(name in command("schema").out for name in api.SCHEMAS)
    assert command("schema", "bridge").code == 2
