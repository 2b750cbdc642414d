"""Plays a plan: in chunks, over processes, with a folder to go on from, stopping early when asked to."""

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from mingpai.arena.engines import Chunk, Engine, Task, make_engine
from mingpai.arena.plan import Plan
from mingpai.arena.result import DealResult
from mingpai.arena.statistics import ALPHA, LEAST_DEALS, Verdict, anytime_rate
from mingpai.arena.summary import Summary, score, summarise
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.core.reading import read_object, read_text
from mingpai.records.jsonl import RecordWriter, writing_text

RUN_SCHEMA = 1

MOST_DEALS = 10**12

FIRST_CHUNK, LARGEST_CHUNK = 4, 256
"""Deals in a chunk, at first and at most."""

QUICK_CHUNK, SLOW_CHUNK = 3.0, 15.0
"""Seconds: chunks that end sooner are doubled, those that take longer are halved."""

PRECISION_EVERY = 16
"""Deals between two looks at the width of the interval."""


@dataclass(frozen=True)
class Stop:
    """When to end before the last deal. Intervals are then the anytime ones."""

    decided: bool = False
    """As soon as the sequential test says that the two sides are not equal."""
    precision: float | None = None
    """As soon as the interval of the score (0 to 1) reaches no further than this from its middle."""
    alpha: float = ALPHA

    @property
    def is_asked_for(self) -> bool:
        return self.decided or self.precision is not None


@dataclass
class Progress:
    """What a window may show while a match is played."""

    done: int
    total: int
    games: int
    score: float | None
    """Of the first side, 0 to 1; only with two sides."""


@dataclass
class MatchRun:
    """A match that was played, perhaps not to its last deal."""

    plan: Plan
    results: list[DealResult] = field(default_factory=list)
    """In the order of the deals."""
    stopped: str | None = None
    """Why it ended before the last deal: decided, precise, interrupted; None if it did not."""
    stop: Stop = field(default_factory=Stop)

    def summary(self) -> Summary:
        return summarise(self.plan, self.results, anytime=self.stop.is_asked_for, alpha=self.stop.alpha)


class RunFolder:
    """`run.json` and `chunks/`: what was played, to go on from or to merge. Files appear whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def start(self, plan: Plan, *, resume: bool) -> dict[int, DealResult]:
        """The results that are already there; the folder is made if it is not."""
        about = self.path / "run.json"
        if about.exists():
            if not resume:
                raise MingpaiError(f"{self.path} holds a run already: go on with --resume or name another folder")
            if self.plan() != plan:
                raise MingpaiError(f"{self.path} holds a run of another match: {json.dumps(self.plan().to_json())}")
            return self.results()
        with writing_text(about) as file:
            json.dump({"schema": RUN_SCHEMA, "plan": plan.to_json()}, file, indent=1)
        return {}

    def plan(self) -> Plan:
        try:
            data = read_object((self.path / "run.json").read_bytes())
            if data["schema"] != RUN_SCHEMA:
                raise BadlyWritten({"schema": data["schema"]}, f"schema {RUN_SCHEMA}")
            return Plan.from_json(data["plan"])
        except FileNotFoundError:
            raise MingpaiError(f"{self.path} is no run folder: it has no run.json") from None
        except (BadlyWritten, KeyError, TypeError) as error:
            raise MingpaiError(f"{self.path}/run.json cannot be read: {error}") from None

    def results(self) -> dict[int, DealResult]:
        by_number: dict[int, DealResult] = {}
        for path in sorted((self.path / "chunks").glob("*.jsonl")):
            try:
                results = [DealResult.from_json(read_object(line)) for line in read_text(path).splitlines()]
            except MingpaiError as error:
                raise MingpaiError(f"{path} cannot be read: {error}") from None
            by_number |= {result.number: result for result in results}
        return by_number

    def save(self, results: Sequence[DealResult]) -> None:
        first, last = results[0].number, results[-1].number
        with writing_text(self.path / "chunks" / f"{first:08}-{last:08}.jsonl") as file:
            file.writelines(json.dumps(result.to_json()) + "\n" for result in results)


def play_plan(
    plan: Plan, deals: int, *, first: int = 0, jobs: int = 1, engine: str = "local", chunk: int = 0,
    stop: Stop | None = None, folder: Path | None = None, resume: bool = False, records: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> MatchRun:  # fmt: skip
    """Plays deals `first` to `first + deals - 1` of a plan.

    The results depend on the plan and the numbers of the deals alone: not on `jobs`, `engine`, `chunk` or on having
    been interrupted. With `folder` each chunk is kept as soon as it is done.
    """
    stop = stop or Stop()
    if not 1 <= deals <= MOST_DEALS:
        raise BadSetting("deals", deals, f"1 to {MOST_DEALS}")
    if stop.is_asked_for and len(plan.sides) != 2:
        raise BadSetting("early stop", len(plan.sides), "two sides")
    keeper = None if folder is None else RunFolder(folder)
    known = {} if keeper is None else keeper.start(plan, resume=resume)
    run, watch = MatchRun(plan, stop=stop), _Watch(plan, stop)
    writer = None if records is None else RecordWriter(records)
    numbers = range(first, first + deals)
    try:
        for batch, lines in _batches(plan, numbers, known, engine, jobs, chunk, keeper, records is not None):
            for place, result in enumerate(batch):
                run.results.append(result)
                if writer is not None and lines:
                    for line in lines[place]:
                        writer.write_line(line)
                run.stopped = watch.ended(result)
                if run.stopped is not None:
                    return run
            if progress is not None:
                progress(watch.progress(deals))
    except KeyboardInterrupt:
        run.stopped = "interrupted"
    finally:
        if writer is not None:
            writer.close()
    return run


def merge(folders: Sequence[Path]) -> MatchRun:
    """The results of several run folders of the same plan, for example from several machines."""
    plans = [RunFolder(folder).plan() for folder in folders]
    for folder, plan in zip(folders, plans, strict=True):
        if plan != plans[0]:
            raise MingpaiError(f"{folder} holds another match than {folders[0]}: they cannot be merged")
    by_number: dict[int, DealResult] = {}
    for folder in folders:
        by_number |= RunFolder(folder).results()
    return MatchRun(plans[0], [by_number[number] for number in sorted(by_number)])


Batch = tuple[Sequence[DealResult], Sequence[Sequence[str]]]


def _batches(
    plan: Plan, numbers: range, known: dict[int, DealResult], engine: str, jobs: int, chunk: int,
    keeper: RunFolder | None, with_records: bool,
) -> Iterator[Batch]:  # fmt: skip
    """Results in the order of the deals: those known, and those played now, kept as they come."""
    missing = (number for number in numbers if number not in known)
    if all(number in known for number in numbers):
        yield [known[number] for number in numbers], ()
        return
    players = make_engine(engine, plan, jobs)
    try:
        upto = numbers.start
        for played in _chunks(players, plan, missing, chunk, with_records):
            if keeper is not None:
                keeper.save(played.results)
            for place, result in enumerate(played.results):
                before = [known[number] for number in range(upto, result.number)]
                yield before, ()
                yield [result], played.lines[place : place + 1]
                upto = result.number + 1
        yield [known[number] for number in range(upto, numbers.stop)], ()
    finally:
        players.close()


def _chunks(players: Engine, plan: Plan, missing: Iterator[int], chunk: int, with_records: bool) -> Iterator[Chunk]:
    """Plays the missing deals, some chunks ahead, and yields them in order."""
    size = chunk or FIRST_CHUNK
    ahead: deque[Callable[[], Chunk]] = deque()
    while True:
        while len(ahead) < players.slots and (numbers := tuple(islice(missing, size))):
            ahead.append(players.submit(Task(plan, numbers, with_records)))
        if not ahead:
            return
        done = ahead.popleft()()
        if not chunk:
            size = _next_size(size, done.seconds)
        yield done


def _next_size(size: int, seconds: float) -> int:
    if seconds < QUICK_CHUNK:
        return min(LARGEST_CHUNK, 2 * size)
    return max(1, size // 2) if seconds > SLOW_CHUNK else size


class _Watch:
    """Follows the results in order and says when to stop: the answer depends on the results alone."""

    def __init__(self, plan: Plan, stop: Stop) -> None:
        self._plan, self._stop = plan, stop
        self._verdict = Verdict(stop.alpha)
        self._scores: list[float] = []
        self._done = 0

    def ended(self, result: DealResult) -> str | None:
        self._done += 1
        if len(self._plan.sides) != 2 or result.is_void:
            return None
        self._scores.append(score(self._plan, result))
        if self._stop.decided and self._verdict.add(self._scores[-1]):
            return "decided"
        count, wanted = len(self._scores), self._stop.precision
        if wanted is not None and count >= LEAST_DEALS and count % PRECISION_EVERY == 0:
            estimate = anytime_rate(self._scores, self._stop.alpha)
            if max(estimate.high - estimate.mean, estimate.mean - estimate.low) <= wanted:
                return "precise"
        return None

    def progress(self, total: int) -> Progress:
        mean = sum(self._scores) / len(self._scores) if self._scores else None
        return Progress(self._done, total, self._done * len(self._plan.seatings), mean)
