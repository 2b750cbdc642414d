import re
from pathlib import Path

import pytest

import mingpai.web
from mingpai.core.reasons import LANGUAGES
from mingpai.web.texts import text, texts

SOURCES = sorted(Path(mingpai.web.__file__).parent.rglob("*.py"))
USED = sorted({key for path in SOURCES for key in re.findall(r'\b(?:say|text)\("([a-z_0-9]+)"', path.read_text())})


@pytest.mark.parametrize("key", sorted(texts()))
def test_every_text_is_complete_in_both_languages(key: str) -> None:
    entry = texts()[key]
    assert set(entry) == set(LANGUAGES)
    assert set(re.findall(r"{(\w+)}", entry["en"])) == set(re.findall(r"{(\w+)}", entry["zh"]))


def test_every_text_used_exists() -> None:
    assert len(USED) > 20
    assert set(USED) <= set(texts())


def test_names_are_filled_in() -> None:
    assert text("seat", "en", seat=2) == "Seat 2"
