"""A user's mistake: exit code 2, one message that says what was expected, no traceback."""

import json

import pytest

from tests.cli.shell import mingpai

POSITION = '{"seat": "landlord", "hand": "3344556677889TJQKA2D", "bottom": "33D", "history": []}'


@pytest.mark.parametrize(("words", "named"), [
    (("nonsense",), "No such command"),
    (("agents", "bridge"), "doudizhu"),
    (("decide", "doudizhu", "nobody", POSITION), "random"),
    (("decide", "doudizhu", "random", "{broken"), "JSON"),
    (("decide", "doudizhu", "random", "{}"), "expected"),
    (("decide", "doudizhu", "random", '{"seat": "landlord", "hand": "3333344", "bottom": "345", "history": []}'), "3"),
    (("bench", "nothing"), "rules"),
    (("app", "--port", "99999"), "65535"),
    (("match", "doudizhu", "--a", "random", "--b", "random:x=1", "--deals", "1"), "no options"),
    (("match", "doudizhu", "--a", "random", "--b", "random", "--deals", "9" * 20), "1 to"),
    (("match", "doudizhu", "--a", "exec:cat", "--b", "random", "--deals", "1"), "no deal counts"),
    (("equity", "AhKd", "any", "--samples", "9" * 20), "samples"),
    (("equity", "AhKd", "any", "--threads", "9" * 20), "threads"),
    (("equity", "AhKd", "any", "--error", "nan"), "error"),
])  # fmt: skip
def test_a_mistake_is_answered_with_what_was_expected(words: tuple[str, ...], named: str) -> None:
    answer = mingpai(*words)
    assert answer.code == 2, answer
    assert named in answer.err, answer
    assert "Traceback" not in answer.err


def test_a_negative_seed_is_a_seed() -> None:
    first, second = (mingpai("equity", "AhKd", "any", "--samples", "2000", "--seed", "-1", "--json") for _ in range(2))
    assert first.code == 0, first
    assert first.out == second.out


@pytest.mark.parametrize("game", ["doudizhu", "guandan", "holdem"])
def test_what_is_no_json_ends_a_botzone_program_with_one_message(game: str) -> None:
    answer = mingpai("botzone", game, "--agent", "random", stdin="no request\n")
    assert answer.code == 2, answer
    assert "a request as a JSON object" in answer.err
    assert "Traceback" not in answer.err


def test_an_open_interval_is_null_in_json() -> None:
    """One deal has no interval: -Infinity is not JSON."""

    def refused(constant: str) -> None:
        raise ValueError(constant)

    answer = mingpai("match", "doudizhu", "--a", "random", "--b", "random", "--deals", "1", "--json")
    sides = json.loads(answer.out, parse_constant=refused)["sides"]
    assert sides[0]["points"]["low"] is None
