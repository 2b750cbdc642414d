"""The page of walks names files that exist, and none of them twice."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FILE = re.compile(r"`((?:mingpai|native)/[^`\s]+)`")


def test_every_file_of_the_walks_exists_and_is_named_once() -> None:
    named = Counter(FILE.findall((ROOT / "docs" / "walk.md").read_text(encoding="utf-8")))
    assert len(named) > 60
    assert [name for name in named if not list(ROOT.glob(name))] == []
    assert [name for name, times in named.items() if times > 1] == []
