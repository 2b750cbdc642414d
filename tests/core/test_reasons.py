import re
import string
from pathlib import Path

import pytest

import mingpai
from mingpai.core.reasons import LANGUAGES, Reason, catalogue

SOURCES = Path(mingpai.__file__).parent


def fields(template: str) -> set[str]:
    return {name.partition(".")[0] for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("code", sorted(catalogue()))
def test_every_reason_is_complete_in_both_languages(code: str) -> None:
    entry = catalogue()[code]
    assert set(entry) == set(LANGUAGES)
    assert fields(entry["en"]) - {"en"} == fields(entry["zh"]) - {"zh"}, "only a text of its own language may differ"
    assert re.search(r"[\u4e00-\u9fff]", entry["zh"])


def test_every_code_named_in_the_sources_is_in_the_catalogue() -> None:
    pattern = re.compile(r'\bReason\(\s*"([a-z0-9_.]+)"')
    used = {code for path in SOURCES.rglob("*.py") for code in pattern.findall(path.read_text())}
    assert used
    assert used <= set(catalogue())


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(KeyError, match="no_such_reason"):
        Reason("no_such_reason")


def test_rendering_fills_the_arguments() -> None:
    assert "3" in Reason("random_choice", {"count": 3}).render("zh")
