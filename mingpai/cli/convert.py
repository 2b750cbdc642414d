"""`mingpai records convert`: hold'em hands between other people's formats and ours."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from mingpai.cli.output import AsJson, console, print_json
from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.core.reading import read_text
from mingpai.records.jsonl import writing_text
from mingpai.records.record import Record

GameFile = Annotated[Path | None, typer.Option("--game", help="ACPC logs: the game definition file.")]


def convert(
    source: Annotated[
        Path, typer.Argument(help="PHH (.phh, .phhs, also .gz), ACPC .log, PokerStars .txt, our .jsonl.")
    ],
    out: Annotated[Path, typer.Argument(help="OUT.jsonl (our records) or OUT.phhs.")],
    game: GameFile = None,
    as_json: AsJson = False,
) -> None:
    """Convert hold'em hands. Hands that break the rules are counted and named, and do not stop it."""
    good: list[Record] = []
    bad: list[str] = []
    for read in _read(source, game):
        if isinstance(read, Record):
            good.append(read)
        else:
            bad.append(read)
    _write(out, good)
    if as_json:
        print_json({"file": str(out), "written": len(good), "left_out": len(bad), "errors": bad[:10]})
        return
    console.print(f"{len(good)} hands written to {out}, {len(bad)} left out")
    for line in bad[:10]:
        console.print(line, markup=False)


def _read(source: Path, game: Path | None) -> Iterator[Record | str]:
    name = source.name.removesuffix(".gz")
    if name.endswith((".phh", ".phhs")):
        yield from _read_phh(source)
    elif name.endswith(".log"):
        yield from _read_acpc(source, game)
    elif name.endswith(".txt"):
        yield from _read_pokerstars(source)
    elif name.endswith(".jsonl"):
        yield from _read_records(source)
    else:
        raise BadSetting("file", str(source), "a name that ends in .phh, .phhs, .log, .txt or .jsonl")


def _read_phh(source: Path) -> Iterator[Record | str]:
    from mingpai.records import phh

    for number, hand in enumerate(phh.read_histories(source), start=1):
        try:
            yield phh.from_history(hand).record()
        except MingpaiError as error:
            yield f"hand {number}: {error}"


def _read_acpc(source: Path, game: Path | None) -> Iterator[Record | str]:
    from mingpai.protocols import acpc
    from mingpai.records.record import record_of

    definition = acpc.GameDefinition((20000, 20000), 50, 100)
    if game is not None:
        definition = acpc.GameDefinition.parse(read_text(game))
    for number, line in enumerate(read_text(source).splitlines(), start=1):
        if not line.startswith("STATE:"):
            continue
        try:
            state, names = acpc.read_log_line(line, definition)
            yield record_of(acpc.completed(state), names)
        except MingpaiError as error:
            yield f"line {number}: {error}"


def _read_pokerstars(source: Path) -> Iterator[Record | str]:
    from mingpai.records import pokerstars

    for number, text in enumerate(pokerstars.split_hands(read_text(source)), start=1):
        try:
            yield pokerstars.read(text).record()
        except MingpaiError as error:
            yield f"hand {number}: {error}"


def _read_records(source: Path) -> Iterator[Record | str]:
    for number, line in enumerate(read_text(source).splitlines(), start=1):
        try:
            yield Record.loads(line)
        except MingpaiError as error:
            yield f"line {number}: {error}"


def _write(out: Path, records: list[Record]) -> None:
    if out.suffix == ".jsonl":
        with writing_text(out) as file:
            file.writelines(record.dumps() + "\n" for record in records)
    elif out.suffix == ".phhs":
        from mingpai.games.holdem import GAME, HoldemState
        from mingpai.records import phh
        from mingpai.records.replay import replay

        hands = []
        for record in records:
            state = replay(record, GAME)
            assert isinstance(state, HoldemState)
            hands.append(phh.PhhHand(state, record.players, dict(record.tags)))
        with writing_text(out) as file:
            file.write(phh.write_many(hands))
    else:
        raise BadSetting("file", str(out), "a name that ends in .jsonl or .phhs")
