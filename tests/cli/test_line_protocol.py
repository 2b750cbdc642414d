import json
import sys
from pathlib import Path

import jsonschema

from mingpai.core import decision
from tests.cli.shell import mingpai

SCHEMA = json.loads(Path(decision.__file__).with_name("decision.schema.json").read_text())
LEAD = {"seat": "landlord", "hand": "3344556677889TJQKA2D", "bottom": "33D", "history": []}
FOLLOW = {"seat": "down", "hand": "3455667789TJQKKA2", "bottom": "34D", "history": [["landlord", "33"]]}
BID = {"phase": "bid", "seat": 2, "first": 0, "hand": "3457789TJQKKA22XD", "bids": [[0, "0"], [1, "2"]]}


def ask(*lines: str) -> list[dict[str, object]]:
    answer = mingpai("agent", "doudizhu", "random", stdin="\n".join(lines) + "\n")
    assert answer.code == 0, answer
    return [json.loads(line) for line in answer.out.splitlines()]


def test_each_position_gets_one_decision_of_the_committed_schema() -> None:
    answers = ask(*(json.dumps(position) for position in (LEAD, FOLLOW, BID)))
    assert len(answers) == 3
    for answer in answers:
        jsonschema.validate(answer, SCHEMA)
    assert answers[2]["move"] in ("0", "3")


def test_a_bad_line_gets_an_error_and_the_next_is_read() -> None:
    bad = ["{", "[]", '"x"', "{}", '{"seat": "king"}', json.dumps(LEAD | {"hand": "33333"}), "[" * 100_000,
           json.dumps(LEAD | {"seed": "x"}), json.dumps(FOLLOW | {"seat": "up"}), "\x00"]  # fmt: skip
    answers = ask(*bad, json.dumps(LEAD))
    assert len(answers) == len(bad) + 1
    assert all(list(answer) == ["error"] for answer in answers[:-1])
    assert "move" in answers[-1]


def test_the_seed_of_a_line_decides_the_chance() -> None:
    first, second, third = ask(*(json.dumps(LEAD | {"seed": seed}) for seed in (1, 1, 2)))
    assert first["move"] == second["move"]
    assert {first["seed"], third["seed"]} == {1, 2}


def test_another_program_plays_through_the_line_protocol() -> None:
    """exec: with our own command line at the other end gives the moves of the agent itself."""
    program = f"exec:{sys.executable} -m mingpai agent doudizhu random"
    answer = mingpai("match", "doudizhu", "--a", program, "--b", "random", "--deals", "2", "--seed", "3", "--json")
    assert answer.code == 0, answer
    assert json.loads(answer.out)["voids"] == {}


def test_a_program_that_fails_voids_the_game_and_says_why() -> None:
    answer = mingpai("match", "doudizhu", "--a", "exec:cat", "--b", "random", "--deals", "1", "--json")
    assert "without a move" in answer.out + answer.err, answer


def test_numbers_without_end_get_an_error_and_the_next_line_is_read() -> None:
    """Chips of 2^63 and more, 5,000 digits, and half a character ended the program."""
    table = {"seat": 0, "hand": "AhKd", "board": "", "stacks": [2000, 2000], "button": 0, "history": []}
    bad = [
        json.dumps(table | {"history": [[0, "raise 99999999999999999999"]]}),
        json.dumps(table | {"stacks": [2**63, 2**63]}),
        json.dumps(table | {"stacks": ["9" * 30, "1e999999999"]}),
        json.dumps(table | {"blinds": "1e9/1e99999"}),
        '{"seat": ' + "9" * 5000 + "}",
        json.dumps(table | {"hand": "\ud800"}),
        json.dumps(table | {"history": [[0, "raise ²"]]}),
        json.dumps(table | {"seed": 10**40}),
        json.dumps(table | {"shown": [[7, "2c2d"]]}),
        json.dumps(table | {"rules": ["x"], "board": {"a": 1}}),
    ]
    answer = mingpai("agent", "holdem", "random", stdin="\n".join([*bad, json.dumps(table)]) + "\n")
    assert answer.code == 0, answer
    answers = [json.loads(line) for line in answer.out.splitlines()]
    assert [list(line) == ["error"] for line in answers] == [True] * len(bad) + [False]
