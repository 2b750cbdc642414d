"""A user's mistake: exit code 2, one message that says what was expected, no traceback."""

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
])  # fmt: skip
def test_a_mistake_is_answered_with_what_was_expected(words: tuple[str, ...], named: str) -> None:
    answer = mingpai(*words)
    assert answer.code == 2, answer
    assert named in answer.err, answer
    assert "Traceback" not in answer.err
