"""The published numbers: `python tools/published.py` checks them, `list`, `mark`, `sign`.

experiments/numbers.toml is the one list: every page that a command made (a source) with the command, the seed, the
commit of the code, the checksums of the networks and the signatures of the agents at that time; and every page that
quotes sources. The check fails when

- a network or the play of an agent is no longer what a source was made with, and the source is not called stale;
- a stale source does not say so at its head (`mark` writes that), or a page that quotes one does not;
- the files of a network are not those of its card;
- a number on a quoting page (with an interval, a decimal point or thousands, outside code) is on none of its sources,
  and the list does not say either whose it is or how it was measured;
- a page of results, a benchmark, a log of verify or a model card is missing from the list, or names a commit that does
  not exist; a README, a page of docs or of a method shows such numbers and is not in the list.

`sign SOURCE` prints the checksums and signatures of today, to be put into the list when a source has been made again.
"""

import argparse
import functools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quoted import Figure, figures, is_among, results, values

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "experiments" / "numbers.toml"
MODELS = ROOT / "mingpai" / "models"
MUST_BE_LISTED = ("experiments/results/**/*.md", "experiments/results/*.json*", "benchmarks/results/*.json",
                  "mingpai/models/*/card.toml", "verify/*.txt")  # fmt: skip
"""Of data with a page of the same name the page alone."""
MUST_BE_WATCHED = ("README*.md", "docs/**/*.md", "mingpai/methods/*/README.md")
POSITIONS = 40
"""Positions of a signature: enough to notice a change of play, few enough for every check."""
MARK = "> Stale: "


@dataclass(frozen=True)
class Source:
    """A page that a command made."""

    what: str
    command: str
    seed: str
    commit: str
    """The commit that holds the page and the code it was made with."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Network -> the first digits of the checksum of its file."""
    agents: Mapping[str, str] = field(default_factory=dict)
    """"GAME SPEC" -> behaviour signature on 40 positions."""
    stale: str = ""
    """What has changed since, where the page has not been made again."""
    stale_rows: str = ""
    """Which lines of the page that is true of, as a regular expression; without it the whole page. Not to be quoted."""

    def quotable(self, text: str) -> str:
        lines = text.splitlines()
        return "\n".join(line for line in lines if not self.stale_rows or not re.search(self.stale_rows, line))


@dataclass(frozen=True)
class Quoting:
    """A page that repeats numbers of sources."""

    sources: tuple[str, ...]
    stale: Mapping[str, str] = field(default_factory=dict)
    """Stale source -> the words of this page that say so."""
    given: tuple[str, ...] = ()
    """Numbers that are no results of ours: those of papers, versions, limits."""
    measured: Mapping[str, str] = field(default_factory=dict)
    """Number that is on no source -> the command that measured it, or what it is reckoned from."""
    exact: tuple[str, ...] = ()
    """Numbers without an interval that this page repeats, as they are written on it and on a source."""


@dataclass(frozen=True)
class Numbers:
    sources: Mapping[str, Source]
    pages: Mapping[str, Quoting]


def read_list(path: Path = LIST) -> Numbers:
    data = tomllib.loads(path.read_text("utf-8"))
    sources = {name: Source(**entry) for name, entry in data["source"].items()}
    return Numbers(sources, {name: _quoting(entry) for name, entry in data["page"].items()})


def _quoting(entry: Mapping[str, Any]) -> Quoting:
    lists = {key: tuple(entry.get(key, ())) for key in ("sources", "given", "exact")}
    return Quoting(**lists, **{key: entry[key] for key in entry if key not in lists})


def faults(numbers: Numbers, signatures: bool = True, root: Path = ROOT) -> list[str]:
    missing = (expected(root) - set(numbers.sources)) | (watched(root) - set(numbers.pages))
    wrong = [f"{name}: not in {LIST.name}" for name in sorted(missing)]
    for name, source in numbers.sources.items():
        if not (root / name).is_file():
            wrong.append(f"{name}: is listed and does not exist")
            continue
        changed = list(changes(source, signatures))
        if changed and (not source.stale or source.stale_rows):
            wrong.append(f"{name}: {'; '.join(changed)}: play it again and sign it, or call it stale")
        if source.stale and name.endswith(".md") and MARK + source.stale not in (root / name).read_text("utf-8"):
            wrong.append(f"{name}: does not say that it is stale: python tools/published.py mark")
        cited = {source.commit, *re.findall(r'^commit = "(\w+)', (root / name).read_text("utf-8"), re.MULTILINE)}
        wrong += [f"{name}: there is no commit {commit}" for commit in sorted(cited) if not exists(commit)]
    for name, page in numbers.pages.items():
        wrong += quoting_faults(name, page, numbers, root)
    return wrong


def expected(root: Path) -> set[str]:
    paths = [path for pattern in MUST_BE_LISTED for path in root.glob(pattern)]
    return {path.relative_to(root).as_posix() for path in paths
            if path.suffix == ".md" or not path.with_suffix(".md").is_file()}  # fmt: skip


def watched(root: Path) -> set[str]:
    """Pages of people that show numbers."""
    paths = [path for pattern in MUST_BE_WATCHED for path in root.glob(pattern)]
    return {path.relative_to(root).as_posix() for path in paths if shows_numbers(path.read_text("utf-8"))}


def shows_numbers(text: str) -> bool:
    return any(True for _ in figures(text)) or any(True for _ in results(text))


def changes(source: Source, signatures: bool) -> Iterator[str]:
    """What is no longer as the source had it."""
    for name, known in source.models.items():
        if not checksum_of(name).startswith(known):
            yield f"the network {name} is another one"
        elif not is_whole(name):
            yield f"the files of the network {name} are not those of its card"
    for spec, known in source.agents.items() if signatures else ():
        if signature_of(spec) != known:
            yield f"{spec} plays otherwise"


def quoting_faults(name: str, page: Quoting, numbers: Numbers, root: Path = ROOT) -> Iterator[str]:
    text = (root / name).read_text("utf-8")
    unknown = [source for source in page.sources if source not in numbers.sources]
    yield from (f"{name}: quotes {source}, which is not in the list" for source in unknown)
    known = [source for source in page.sources if source in numbers.sources]
    texts = [numbers.sources[source].quotable((root / source).read_text("utf-8")) for source in known]
    yield from (f"{name}: {number} is on none of its sources" for number in unknown_numbers(text, page, texts))
    for number in page.exact:
        if number not in text or not any(number in source for source in texts):
            yield f"{name}: {number} is not on the page and on one of its sources"
    for source in known:
        words = page.stale.get(source, "")
        entry = numbers.sources[source]
        if entry.stale and not entry.stale_rows and (not words or words not in text):
            yield f"{name}: does not say that {source} is stale"


def unknown_numbers(text: str, page: Quoting, sources: Sequence[str]) -> Iterator[str]:
    """The numbers of the page that nothing in the list accounts for."""
    known = [figure for source in (*sources, *page.given) for figure in figures(source)]
    yield from (figure.text for figure in figures(text) if not _is_known(figure, known))
    said = set(page.given) | set(page.measured)
    singles = {value for source in sources for value in values(source)}
    yield from (number for number in results(text) if number not in said and not is_among(number, singles))


def _is_known(figure: Figure, known: Sequence[Figure]) -> bool:
    return any(figure.agrees(other) for other in known)


@functools.cache
def checksum_of(model: str) -> str:
    card = MODELS / model / "card.toml"
    return str(tomllib.loads(card.read_text("utf-8"))["files"]["model.onnx"]) if card.is_file() else "none"


@functools.cache
def is_whole(model: str) -> bool:
    """Whether the files of a network are those of its card."""
    from mingpai.models.card import BadModel, check_files, read_card

    try:
        check_files(MODELS / model, read_card(MODELS / model))
    except BadModel:
        return False
    return True


@functools.cache
def signature_of(spec: str) -> str:
    from mingpai.agents.catalogue import REGISTRY
    from mingpai.arena.signature import signature

    game, _, agent = spec.partition(" ")
    return signature(REGISTRY.agent(game, agent), REGISTRY.game(game), POSITIONS).text


@functools.cache
def exists(commit: str) -> bool:
    """Whether the commit is in the history; true where there is no whole history to ask."""
    shallow = _git("rev-parse", "--is-shallow-repository")
    if shallow.returncode != 0 or shallow.stdout.strip() == "true":
        return True
    return _git("merge-base", "--is-ancestor", commit, "HEAD").returncode == 0


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)


def mark(numbers: Numbers) -> None:
    """Writes what is stale under the title of each stale page, and takes away what is not."""
    for name, source in numbers.sources.items():
        path = ROOT / name
        if path.suffix != ".md":
            continue
        lines = path.read_text("utf-8").splitlines()
        kept = [line for at, line in enumerate(lines) if not line.startswith(MARK) and not _after_mark(lines, at)]
        if source.stale:
            kept[1:1] = ["", MARK + source.stale]
        path.write_text("\n".join(kept) + "\n", encoding="utf-8")


def _after_mark(lines: list[str], at: int) -> bool:
    """The empty line between the title and the mark."""
    return lines[at] == "" and at + 1 < len(lines) and lines[at + 1].startswith(MARK)


def table(numbers: Numbers) -> str:
    rows = ["| page | what | command | seed | commit | networks | stale |", "|---|---|---|---|---|---|---|"]
    for name, source in numbers.sources.items():
        networks = ", ".join(f"{model} {digits}" for model, digits in source.models.items())
        rows.append(f"| {name} | {source.what} | `{source.command}` | {source.seed} | {source.commit} | {networks} | "
                    f"{source.stale} |")  # fmt: skip
    return "\n".join(rows)


def signed(source: Source) -> dict[str, Any]:
    return {"models": {name: checksum_of(name)[:12] for name in source.models},
            "agents": {spec: signature_of(spec) for spec in source.agents}}  # fmt: skip


def print_signed(source: Source) -> None:
    for key, named in signed(source).items():
        print(f"{key} = {{ " + ", ".join(f'"{name}" = "{value}"' for name, value in named.items()) + " }")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", nargs="?", default="check", choices=("check", "list", "mark", "sign"))
    parser.add_argument("source", nargs="?", help="sign: a page of the list")
    options = parser.parse_args()
    numbers = read_list()
    if options.action == "list":
        print(table(numbers))
    elif options.action == "mark":
        mark(numbers)
    elif options.action == "sign":
        if options.source not in numbers.sources:
            parser.error(f"sign needs one of: {', '.join(numbers.sources)}")
        print_signed(numbers.sources[options.source])
    else:
        wrong = faults(numbers)
        print("\n".join(wrong) or f"{len(numbers.sources)} sources and {len(numbers.pages)} quoting pages agree")
        return 1 if wrong else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
