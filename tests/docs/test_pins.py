"""Everything that is installed is pinned: a package that slips in, or a version that differs, fails here."""

import functools
import importlib
import importlib.metadata
import sys
import sysconfig
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
pins = importlib.import_module("pins")

OURS = {"mingpai", "pip"}
"""The project itself, and what installs it."""


@functools.cache
def installed() -> dict[str, importlib.metadata.Distribution]:
    """Packages of the environment that runs the tests; not those that a package carries inside itself, which a test
    that has imported it may have put on the path."""
    places = sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
    return {pins.normal(one.metadata["Name"]): one for one in importlib.metadata.distributions(path=places)}


def version(name: str) -> str:
    """The version installed, without the build tag of a local wheel."""
    return installed()[name].version.partition("+")[0]


def needed(names: set[str]) -> set[str]:
    """The packages that these need under this Python and system, and what those need, as far as installed here."""
    known, waiting = set[str](), list(names)
    while waiting:
        name = waiting.pop()
        if name in known or name not in installed():
            continue
        known.add(name)
        wanted = [Requirement(line) for line in installed()[name].requires or ()]
        waiting += [pins.normal(one.name) for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})]
    return known


def test_the_files_of_pins_agree_with_each_other_and_with_the_project() -> None:
    assert pins.faults() == []


def test_everything_that_the_project_needs_is_pinned_at_the_version_that_is_installed() -> None:
    """Also what its packages pull in: 51 of 64 were free before."""
    limits = pins.pinned(pins.CONSTRAINTS.read_text())
    asked = {pins.normal(pins._NAME.match(item)[0]) for kind in ("run", "test") for item in pins.requirements(kind)}
    wrong = {
        name: (version(name), limits.get(name)) for name in needed(asked) - OURS if limits.get(name) != version(name)
    }
    wrong = {name: pair for name, pair in wrong.items() if not name.startswith(pins.LEFT_OUT)}
    assert not wrong, f"installed and pinned differ: {wrong}; run: python tools/pins.py"


def test_no_file_of_pins_names_an_index_or_a_machine() -> None:
    for path in (pins.CONSTRAINTS, *pins.FOLDER.glob("*.txt")):
        text = path.read_text()
        assert "://" not in text
        assert "--index" not in text
        assert "--find-links" not in text
