"""What is written, and what must be left of it whichever call fails: before, the act, and the check afterwards."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch._dynamo  # noqa: F401 (Adam loads it at its first step: once here, not in every fork)

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import play_plan
from mingpai.arena.plan import Plan, duel
from mingpai.records.jsonl import RecordWriter, read_records, writing_text
from mingpai.records.record import Record
from mingpai.records.store import Store
from mingpai.training.loop import train
from mingpai.training.run import TrainingRun
from mingpai.web import games, home
from mingpai.web.table import Order, Table
from tests.records.test_jsonl import played
from tests.training.toy import LineLearner, LineSettings

Step = Callable[[Path], object]


@dataclass(frozen=True)
class Scenario:
    """`act` is struck by a fault; `check` raises AssertionError unless what is left is whole, to go on with."""

    before: Step
    act: Step
    check: Step


# --- records


def append(folder: Path, numbers: tuple[int, ...]) -> None:
    with RecordWriter(folder / "games.jsonl") as writer:
        for number in numbers:
            writer.write(played(number))


def check_records(folder: Path) -> None:
    append(folder, (9,))
    records = list(read_records(folder / "games.jsonl"))
    new = [played(3), played(4), played(9)]
    assert records[:2] == [played(1), played(2)], "what was there is lost"
    assert records[2:] in (new, new[1:], [new[0], new[2]], new[2:]), "a record is torn or twice"


# --- a whole file in place of another


def write_file(folder: Path, text: str) -> None:
    with writing_text(folder / "file.json") as file:
        json.dump([text] * 20_000, file)


def check_file(folder: Path) -> None:
    content = json.loads((folder / "file.json").read_text())
    assert content in (["old"] * 20_000, ["new"] * 20_000), "the file is torn"


# --- a table of the app: the game in progress and the finished games


def table_of(moves: int) -> Table:
    table = Table(Order("doudizhu", agents=("random",), seed=3))
    for _ in range(moves):
        table.state.play(table.state.legal_moves()[0])
    return table


def save_table(folder: Path, moves: int) -> None:
    os.environ["MINGPAI_HOME"] = str(folder)
    home.save("tables/me.json", table_of(moves).to_json())


def finish_game(folder: Path) -> None:
    save_table(folder, 3)
    games.keep(played(5), "me")


def check_table(folder: Path) -> None:
    os.environ["MINGPAI_HOME"] = str(folder)
    table = Table.from_json(home.load("tables/me.json"))
    assert len(table.state.moves()) in (2, 3), "the game in progress is lost"
    games.keep(played(6), "me")
    finished = [replace(record, tags={**record.tags, "when": 0}) for record in games.kept(10, "", "me")]
    both = [replace(record, tags={**record.tags, "when": 0}) for record in (played(6), played(5))]
    assert finished in (both, both[:1]), "a finished game is torn"


# --- checkpoints


def run_of(folder: Path) -> TrainingRun:
    return TrainingRun(folder / "run", "line", LineSettings(), may_change=("steps",))


def train_to(folder: Path, steps: int) -> LineLearner:
    learner = LineLearner(LineSettings())
    train(run_of(folder), learner, steps, resume=True, log_every=1, checkpoint_seconds=0)
    return learner


def check_training(folder: Path) -> None:
    """Taken up again, the run ends with the weights and the metrics of one that nothing disturbed."""
    learner, whole = train_to(folder, 7), LineLearner(LineSettings())
    for _ in range(7):
        whole.step()
    assert learner.net.weight.item() == whole.net.weight.item(), "the run went on from a wrong state"
    assert [line["step"] for line in run_of(folder).metrics()] == list(range(1, 8)), "metrics are lost or twice"
    assert not [path.name for path in (folder / "run" / "checkpoints").iterdir() if path.suffix == ".tmp"]


# --- the store


def add(folder: Path, numbers: range) -> None:
    file = folder / "new.jsonl"
    with Store(folder / "games.duckdb") as store:
        if not file.exists():
            file.write_text("".join(played(number).dumps() + "\n" for number in numbers))
        store.import_file(file, None)


def fill_store(folder: Path) -> None:
    with Store(folder / "games.duckdb") as store:
        store.add(played(number) for number in range(20))
    (folder / "new.jsonl").write_text("".join(played(number).dumps() + "\n" for number in range(20, 40)))


def check_store(folder: Path) -> None:
    add(folder, range(20, 40))
    with Store(folder / "games.duckdb") as store:
        kept: list[Record] = list(store.records())
    assert sorted(record.seed or 0 for record in kept) == sorted(played(number).seed or 0 for number in range(40))


# --- a match of the arena


def plan() -> Plan:
    game = REGISTRY.game("doudizhu")
    return duel(game, "random", "random", seed=4, setup=game.play_only)


def play(folder: Path, deals: int) -> list[object]:
    run = play_plan(plan(), deals, folder=folder / "run", resume=True, chunk=1)
    return [result.plays for result in run.results]


def check_match(folder: Path) -> None:
    assert play(folder, 4) == [result.plays for result in play_plan(plan(), 4).results], "results differ"


SCENARIOS = {
    "records": Scenario(lambda at: append(at, (1, 2)), lambda at: append(at, (3, 4)), check_records),
    "file": Scenario(lambda at: write_file(at, "old"), lambda at: write_file(at, "new"), check_file),
    "table": Scenario(lambda at: save_table(at, 2), finish_game, check_table),
    "checkpoints": Scenario(lambda at: train_to(at, 5), lambda at: train_to(at, 7), check_training),
    "store": Scenario(fill_store, lambda at: add(at, range(20, 40)), check_store),
    "match": Scenario(lambda at: play(at, 2), lambda at: play(at, 4), check_match),
}
