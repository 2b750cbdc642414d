"""Everything that is installed is pinned: a package that slips in, or a version that differs, fails here."""

import functools
import importlib
import importlib.metadata
import sys
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
pins = importlib.import_module("pins")

OURS = {"mingpai", "pip"}
"""The project itself, and what installs it."""


@functools.cache
def installed() -> dict[str, str]:
    """Packages of the environment that runs the tests, without the build tag of a local wheel."""
    found = {}
    for package in importlib.metadata.distributions():
        name = pins.normal(package.metadata["Name"])
        found[name] = package.version.partition("+")[0]
    return found


def needed(names: set[str]) -> set[str]:
    """The packages that these need under this Python and system, and what those need, as far as installed here."""
    known, waiting = set[str](), list(names)
    while waiting:
        name = waiting.pop()
        if name in known or name not in installed():
            continue
        known.add(name)
        wanted = [Requirement(line) for line in importlib.metadata.requires(name) or ()]
        waiting += [pins.normal(one.name) for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})]
    return known


def test_the_files_of_pins_agree_with_each_other_and_with_the_project() -> None:
    assert pins.faults() == []


def test_everything_that_the_project_needs_is_pinned_at_the_version_that_is_installed() -> None:
    """Also what its packages pull in: 51 of 64 were free before."""
    limits, here = pins.pinned(pins.CONSTRAINTS.read_text()), installed()
    asked = {pins.normal(pins._NAME.match(item)[0]) for kind in ("run", "test") for item in pins.requirements(kind)}
    wrong = {name: (here[name], limits.get(name)) for name in needed(asked) - OURS if limits.get(name) != here[name]}
    wrong = {name: found for name, found in wrong.items() if not name.startswith(pins.LEFT_OUT)}
    assert not wrong, f"installed and pinned differ: {wrong}; run: python tools/pins.py"


def test_no_file_of_pins_names_an_index_or_a_machine() -> None:
    for path in (pins.CONSTRAINTS, *pins.FOLDER.glob("*.txt")):
        text = path.read_text()
        assert "://" not in text
        assert "--index" not in text
        assert "--find-links" not in text
