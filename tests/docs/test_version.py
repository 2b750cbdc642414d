"""The version is the same wherever it is said, and the changelog has it with a date."""

import re
import tomllib
from pathlib import Path

import mingpai

ROOT = Path(__file__).parent.parent.parent


def test_the_version_is_said_once_and_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    citation = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert citation is not None
    assert project == mingpai.__version__ == citation[1]


def test_the_changelog_has_it_first_with_a_date_and_how_to_upgrade() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", text, re.MULTILINE)
    assert versions[0][0] == mingpai.__version__
    assert len(versions) == len(re.findall(r"^## ", text, re.MULTILINE))
    assert "**Upgrade from" in text.partition("\n## ")[2].partition("\n## ")[0]
