"""Every method has a page for a newcomer of one or two screens; its diary, where it has one, is a page beside it."""

import re
from pathlib import Path

import pytest

import mingpai

METHODS = Path(mingpai.__file__).parent / "methods"
ROOMS = sorted(path.parent for path in METHODS.glob("*/__init__.py"))
MOST_LINES = 100
LINK = re.compile(r"\]\(([^)#]+?)\)")


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_method_has_a_short_page_with_use_and_results(room: Path) -> None:
    text = (room / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert "```\nmingpai " in text
    assert "| " in text


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_its_links_lead_somewhere(room: Path) -> None:
    for page in (room / "README.md", room / "NOTES.md"):
        for target in LINK.findall(page.read_text(encoding="utf-8")) if page.exists() else ():
            assert target.startswith("http") or (room / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_its_diary_is_named_by_the_page(room: Path) -> None:
    if (room / "NOTES.md").exists():
        assert "](NOTES.md)" in (room / "README.md").read_text(encoding="utf-8")
