"""Pin everything that is installed, with hashes: `python tools/pins.py [--upgrade]`; `--check` only compares.

Asks pip, without installing anything, what each kind of installation needs under every Python 3.11, 3.12 and 3.13
found here, and writes

constraints.txt          the version of every package, also of those that other packages pull in; every pip call has it
requirements/run.txt     what `make run` installs, with the hashes of the files for the Pythons and the machine asked
requirements/build.txt   what building the native core needs
requirements/test.txt    what `make test` installs
requirements/docs.txt    what `make docs` installs

Versions stay as they are in constraints.txt unless they no longer fit; --upgrade takes the newest. torch has no hash:
its builds with and without GPU support are different files of one version; which an index has is its own affair.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
FOLDER = ROOT / "requirements"
KINDS = ("build", "run", "docs", "test")
EXTRAS = {"run": "app", "docs": "docs", "test": "test"}
"""The extra of the project that a kind of installation takes."""
PYTHONS = ("3.11", "3.12", "3.13")
UNHASHED = ("torch",)
LEFT_OUT = ("nvidia-", "cuda-", "triton")
"""What a build of torch with GPU support brings along; it names the exact versions itself."""
BUILD_TOOLS = ("cmake>=3.18", "ninja>=1.5")
"""What scikit-build-core asks for where the machine has none."""

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_OWN = re.compile(r"mingpai\[([^\]]*)\]")


@dataclass
class Pin:
    """One package."""

    version: str
    hashes: set[str] = field(default_factory=set)
    pythons: set[str] = field(default_factory=set)
    """Where it is needed."""

    def lines(self, name: str, asked: Iterable[str]) -> str:
        missing = sorted(set(asked) - self.pythons)
        marker = "".join(f" and python_version != '{python}'" for python in missing).replace(" and", " ;", 1)
        return " \\\n".join(
            [f"{name}=={self.version}{marker}", *(f"    --hash=sha256:{one}" for one in sorted(self.hashes))]
        )


Pins = dict[str, Pin]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def requirements(kind: str) -> list[str]:
    """What pyproject.toml asks for by name: the project's own extras spelled out."""
    about = project()
    if kind == "build":
        return [*about["build-system"]["requires"], *BUILD_TOOLS]
    wanted, waiting = list(about["project"]["dependencies"]), [EXTRAS[kind]]
    while waiting:
        for item in about["project"]["optional-dependencies"][waiting.pop()]:
            own = _OWN.fullmatch(item)
            waiting += own[1].split(",") if own else []
            wanted += [] if own else [item]
    return wanted


def pythons() -> dict[str, str]:
    """Interpreters by version: the one that runs this, and others by their usual names."""
    commands = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    for version in PYTHONS:
        command = shutil.which(f"python{version}")
        if version not in commands and command is not None and _works(command, version):
            commands[version] = command
    return {version: commands[version] for version in PYTHONS if version in commands}


def _works(command: str, version: str) -> bool:
    told = subprocess.run([command, "-m", "pip", "--version"], capture_output=True, text=True)
    return told.returncode == 0 and f"(python {version})" in told.stdout


def resolve(python: str, wanted: Sequence[str], constraints: str) -> list[Mapping[str, Any]]:
    """What pip would install."""
    with tempfile.TemporaryDirectory() as folder:
        limits, report = Path(folder) / "constraints.txt", Path(folder) / "report.json"
        limits.write_text(constraints)
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run",
                   "--ignore-installed", "--report", str(report), "-c", str(limits), *wanted]  # fmt: skip
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        installed: list[Mapping[str, Any]] = json.loads(report.read_text())["install"]
        return installed


def collect(pins: Pins, version: str, installed: Iterable[Mapping[str, Any]]) -> None:
    for item in installed:
        name, number = normal(item["metadata"]["name"]), item["metadata"]["version"]
        public = number.partition("+")[0]
        if name.startswith(LEFT_OUT):
            continue
        pin = pins.setdefault(name, Pin(public))
        if pin.version != public:
            raise SystemExit(
                f"{name}: {pin.version} and {public} under different Pythons: give it a bound in pyproject.toml"
            )
        pin.pythons.add(version)
        if name not in UNHASHED:
            pin.hashes.add(item["download_info"]["archive_info"]["hashes"]["sha256"])


def pinned(text: str) -> dict[str, str]:
    """Names and versions of a constraints or requirements file."""
    pinned = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, re.MULTILINE)
    return {normal(name): version for name, version in pinned}


def write(pins: Mapping[str, Pins], asked: Sequence[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    everything = {name: pin.version for kind in KINDS for name, pin in pins[kind].items()}
    head = ("# Exact versions of everything that is installed, made by: python tools/pins.py\n"
            "# Every pip call of this project passes this file (-c constraints.txt).\n"
            "# torch is pinned exactly: any newer build drags in several GB of GPU packages.\n")  # fmt: skip
    CONSTRAINTS.write_text(head + "".join(f"{name}=={everything[name]}\n" for name in sorted(everything)))
    for kind in KINDS:
        hashed = {name: pin for name, pin in pins[kind].items() if name not in UNHASHED}
        head = (f"# Made by: python tools/pins.py, for Python {', '.join(asked)} on {sys.platform} {machine()}.\n"
                "# Installed with: pip install --require-hashes --no-deps -r\n")  # fmt: skip
        (FOLDER / f"{kind}.txt").write_text(
            head + "".join(hashed[name].lines(name, asked) + "\n" for name in sorted(hashed))
        )


def machine() -> str:
    import platform

    return platform.machine().lower()


def faults() -> list[str]:
    """Where the files disagree with pyproject.toml, with each other, or with what is installed here."""
    limits = pinned(CONSTRAINTS.read_text())
    faults = []
    for kind in KINDS:
        text = (FOLDER / f"{kind}.txt").read_text()
        hashed = pinned(text)
        faults += [f"{kind}.txt: {name}=={version} is {limits.get(name)} in constraints.txt"
                  for name, version in hashed.items() if limits.get(name) != version]  # fmt: skip
        faults += [f"{kind}.txt: {name} has no hash" for name in hashed if not _has_hash(text, name)]
        asked = {normal(_NAME.match(item)[0]) for item in requirements(kind)}  # type: ignore[index]
        faults += [
            f"{kind}.txt: {name} of pyproject.toml is not pinned" for name in asked - set(hashed) - set(UNHASHED)
        ]
    faults += [f"{name} of pyproject.toml is not pinned" for name in UNHASHED if name not in limits]
    return faults


def _has_hash(text: str, name: str) -> bool:
    entry = next(part for part in re.split(r"\n(?=[^\s#])", text) if normal(part.partition("==")[0]) == name)
    return "--hash=sha256:" in entry


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--upgrade", action="store_true", help="the newest versions that pyproject.toml allows")
    parser.add_argument("--check", action="store_true", help="change nothing; fail when the files have drifted")
    options = parser.parse_args()
    if options.check:
        wrong = faults()
        print("\n".join(wrong) or "everything is pinned")
        return 1 if wrong else 0
    known = "" if options.upgrade else CONSTRAINTS.read_text()
    pins: dict[str, Pins] = {kind: {} for kind in KINDS}
    interpreters = pythons()
    for version, python in interpreters.items():
        for kind in reversed(KINDS):  # the largest decides; the others keep to it
            print(f"Python {version}: {kind} ...", flush=True)
            collect(pins[kind], version, resolve(python, requirements(kind), known))
            known = merged(known, pins)
    write(pins, list(interpreters))
    return 0


def merged(known: str, pins: Mapping[str, Pins]) -> str:
    """The constraints for the next question: what was chosen before stays."""
    versions = pinned(known) | {name: pin.version for chosen in pins.values() for name, pin in chosen.items()}
    return "".join(f"{name}=={version}\n" for name, version in versions.items())


if __name__ == "__main__":
    raise SystemExit(main())
