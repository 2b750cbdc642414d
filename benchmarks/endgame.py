"""The exact solver of Dou Dizhu endgames: `mingpai bench endgame`. One core, CPU time.

Public positions: 30 of them, read where they lie beside the project: verdicts and complete sets of winning moves.
Random deals: hands of one shuffled deck, the landlord leads, two fresh seeds in every run, verdict only; past the limit
a deal is not proved. Then what the judge is worth on whole deals, what a second thread is, the truth lines of whole
games, and the memory that a long proof takes.

A run keeps its parts in runs/bench-endgame/run and, when it was stopped, goes on after the last whole one. With 10
seconds for a deal (`MINGPAI_BENCH_SECONDS=10 mingpai bench endgame --save`) it takes about 25 minutes.

On a busy machine the parts can be measured one by one, side by side, and put together afterwards:
`python -m benchmarks.endgame part NAME SEED` writes runs/bench-endgame/SEED-NAME.json, for NAME public, a kind of deal
(20+20, 20+17+17, ...), worth, threads, truth or memory; `python -m benchmarks.endgame merge` makes of them what
`mingpai bench endgame --save` writes. `python -m benchmarks.endgame plot` draws the growth curves into
docs/endgame-growth.svg.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks._measure import machine
from mingpai._native.core import Budget
from mingpai._native.endgame import Ask, Position
from mingpai._native.endgame import solve as native_solve
from mingpai.core.random import Rng, stream
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame.solver import MEBIBYTE, rules_with_bans, solve_position
from mingpai.methods.endgame.truth import truth_line

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ROOT.parent / "shared" / "data" / "endgame" / "puzzles.jsonl"
PUBLIC_SOURCE = "30 public endgames that are not ours to ship: docs/data.md says where they come from"
RESULTS = ROOT / "benchmarks" / "results" / "endgame.json"
PLOT = ROOT / "docs" / "endgame-growth.svg"

RULES = rules_of("douzero")
MEMORY = 512
"""Mebibytes."""
PUBLIC_COLUMNS = ["work", "seconds", "target", "met"]
PUBLIC_TARGETS = {"verdicts": 0.03, "all winning moves": 0.1}
"""Seconds for all 30 positions."""

CHUNKS = ROOT / "runs" / "bench-endgame"
RUN = CHUNKS / "run"
"""The whole parts of a run that is not done."""

SHORT = 10.0
"""CPU seconds: the share of deals within them is reported beside that within the limit."""
LIMIT = float(os.environ.get("MINGPAI_BENCH_SECONDS", "60"))
"""CPU seconds for a deal."""
MOST_NODES_PER_SECOND = 4_500_000
"""More than any processor reaches: the limit on nodes that certainly lets a deal have its CPU seconds."""


@dataclass(frozen=True)
class Kind:
    """Random deals of one size, and what is asked of them: so many of them within so many seconds."""

    sizes: tuple[int, ...]
    deals: int
    targets: tuple[tuple[float, float], ...] = ()
    """Seconds -> the share of deals proved within them."""

    @property
    def cards(self) -> str:
        return "+".join(map(str, self.sizes))


TWO_HANDED = (Kind((12, 12), 50), Kind((16, 16), 50), Kind((18, 18), 50), Kind((20, 20), 100, ((2, 1.0),)))
WHOLE = Kind((20, 17, 17), 20, ((2, 0.5), (10, 0.9), (60, 1.0)))
THREE_HANDED = (
    *(Kind((size,) * 3, 10) for size in (8, 10, 12)),
    *(Kind((size,) * 3, 20, ((10, 1.0),)) for size in (14, 16)),
    WHOLE,
)
KINDS = {kind.cards: kind for kind in (*TWO_HANDED, *THREE_HANDED)}
GAMES, GAME_TARGET = 10, (15.0, 0.9)
"""Games whose truth lines are timed, and what is asked of them."""
GAME_LIMIT = 20.0
"""CPU seconds for a truth line."""
SEEDS = 2
MEMORIES, MEMORY_DEALS, MEMORY_NODES, MEMORY_SLACK = (32, 64, 256), 3, 2_000_000, 8
"""Mebibytes given to proofs of whole deals, deals and nodes for each; mebibytes for threads and the judge's scratch."""
THREAD_KINDS, THREAD_DEALS = ("20+20", "20+17+17"), 20
"""What is solved with one thread and again with two."""


def public_seconds(ask: Ask) -> float:
    """CPU seconds for the public positions: the best of five runs. The answers are checked."""
    positions = [json.loads(line) for line in PUBLIC.read_text().splitlines()]
    best = float("inf")
    for _ in range(5):
        spent = 0.0
        for puzzle in positions:
            rules = rules_with_bans("douzero", puzzle["banned"].split()).native
            position = Position([parse_cards(puzzle["landlord"]), parse_cards(puzzle["farmer"])])
            start = time.process_time()
            result = native_solve(position, rules, Budget(), ask, line=False)
            spent += time.process_time() - start
            assert result.landlord_wins is puzzle["landlord_wins"], puzzle
            if ask == Ask.ALL:
                winning = {move.cards for move, wins in result.moves if wins}
                assert winning == {parse_cards(text) for text in puzzle["winning_first_moves"]}, puzzle
        best = min(best, spent)
    return best


def public_rows() -> list[list[str]]:
    """The rows of the public positions, or one that says what is missing."""
    if not PUBLIC.exists():
        return [
            [f"not measured: no {PUBLIC.relative_to(ROOT.parent)} beside the project ({PUBLIC_SOURCE})", "", "", ""]
        ]
    measured = (("verdicts", public_seconds(Ask.ANY)), ("all winning moves", public_seconds(Ask.ALL)))
    return [
        [name, f"{spent:.4f}", f"{PUBLIC_TARGETS[name]:.2f}", "yes" if spent <= PUBLIC_TARGETS[name] else "no"]
        for name, spent in measured
    ]


def random_hands(sizes: Sequence[int], rng: Rng) -> list[int]:
    """Hands of these sizes from one shuffled deck."""
    deck = [rank for rank in range(13) for _ in range(4)] + [13, 14]
    order = iter([deck[int(place)] for place in rng.permutation(len(deck))])
    return [sum(1 << (4 * next(order)) for _ in range(size)) for size in sizes]


@dataclass(frozen=True)
class Timing:
    """One deal."""

    seconds: float | None
    """CPU seconds; None: not proved within the limit."""
    nodes: int
    spent: float
    """CPU seconds, proved or not."""


def timed_deal(kind: Kind, limit: float, seed: int, number: int, *, judge: bool = True) -> Timing:
    """One deal of a seed."""
    position = Position(random_hands(kind.sizes, stream(seed, "deal", *kind.sizes, number)))
    start = time.process_time()
    budget = Budget(0, int(limit * MOST_NODES_PER_SECOND))
    answer = solve_position(
        position, RULES, ask=Ask.ANY, line=False, memory=MEMORY, threads=1, judge=judge, budget=budget
    )
    spent = time.process_time() - start
    return Timing(spent if answer.is_proved and spent <= limit else None, answer.nodes, spent)


def timed(kind: Kind, deals: int, limit: float, seed: int) -> Iterator[Timing]:
    """The deals of a seed, one after the other."""
    for number in range(deals):
        yield timed_deal(kind, limit, seed, number)


def sorted_seconds(timings: Sequence[Timing]) -> list[float | None]:
    """Unproved ones, as None, at the end."""
    return sorted((t.seconds for t in timings), key=lambda t: float("inf") if t is None else t)


def quantile(times: Sequence[float | None], share: float) -> float | None:
    return times[min(len(times) - 1, int(share * len(times)))]


def text(seconds: float | None) -> str:
    return "not proved" if seconds is None else f"{seconds:.4f}" if seconds < 0.1 else f"{seconds:.2f}"


def count_within(times: Sequence[float | None], limit: float) -> int:
    return sum(t is not None and t <= limit for t in times)


def growing_part(kind: Kind, seed: int, quick: bool) -> Iterator[dict[str, Any]]:
    """The timings of one kind of deal, after each deal."""
    limit = SHORT if quick else LIMIT
    wanted = max(3, kind.deals // (10 if quick else 1))
    timings = []
    for timing in timed(kind, wanted, limit, seed):
        timings.append(timing)
        yield {
            "cards": kind.cards, "total": sum(kind.sizes), "seed": seed, "limit": limit, "wanted": wanted,
            "seconds": sorted_seconds(timings),
        }  # fmt: skip


def row(part: dict[str, Any]) -> list[str]:
    times: list[float | None] = part["seconds"]
    targets = KINDS[part["cards"]].targets
    shares = [text(quantile(times, share)) for share in (0.5, 0.9, 0.99)]
    counts = [f"{count_within(times, limit)}/{len(times)}" for limit in (2, SHORT)]
    counts.append(f"{count_within(times, part['limit'])}/{len(times)} in {part['limit']:g} s")
    met = [count_within(times, limit) >= share * len(times) for limit, share in targets if limit <= part["limit"]]
    asked = ", ".join(f"{share:.0%} in {limit:g} s" for limit, share in targets)
    is_whole = len(times) == part["wanted"] and all(limit <= part["limit"] for limit, _ in targets)
    verdict = "" if not targets else "no" if not all(met) else "yes" if is_whole else "not all measured"
    return [part["cards"], str(part["seed"]), *shares, text(times[-1]), *counts, asked, verdict]


def worth_row(name: str, timings: Sequence[Timing], limit: float) -> list[str]:
    counts = [f"{count_within([t.seconds for t in timings], at)}/{len(timings)}" for at in (1, 2, 4, limit)]
    return [name, *counts, f"{sum(t.nodes for t in timings):,}", f"{sum(t.spent for t in timings):.1f}"]


def growing_worth(deals: int, limit: float, seed: int) -> Iterator[list[list[str]]]:
    """Whole deals with the judge and without, after each deal."""
    guided: list[Timing] = []
    plain: list[Timing] = []
    for number in range(deals):
        guided.append(timed_deal(WHOLE, limit, seed, number))
        plain.append(timed_deal(WHOLE, limit, seed, number, judge=False))
        yield [worth_row("with the judge", guided, limit), worth_row("without", plain, limit)]


def elapsed(kind: Kind, deals: int, limit: float, seed: int, threads: int) -> list[float | None]:
    """Seconds on the clock for each deal; None where it was not proved within the limit."""
    out: list[float | None] = []
    for number in range(deals):
        position = Position(random_hands(kind.sizes, stream(seed, "deal", *kind.sizes, number)))
        answer = solve_position(position, RULES, ask=Ask.ANY, line=False, memory=MEMORY, threads=threads, seconds=limit)
        out.append(answer.seconds if answer.is_proved else None)
    return out


def thread_row(cards: str, one: Sequence[float | None], two: Sequence[float | None]) -> list[str]:
    """One thread beside two: deals proved, seconds for those that both proved, and how many times as fast."""
    both = [(a, b) for a, b in zip(one, two, strict=True) if a is not None and b is not None]
    alone, together = sum(a for a, _ in both), sum(b for _, b in both)
    proved = [f"{sum(t is not None for t in times)}/{len(times)}" for times in (one, two)]
    speed_up = f"{alone / together:.2f}" if together else ""
    return [cards, *proved, str(len(both)), f"{alone:.2f}", f"{together:.2f}", speed_up]


def thread_rows(deals: int, limit: float, seed: int) -> list[list[str]]:
    """What a second thread is worth, on the clock: only on a machine that has nothing else to do."""
    return [
        thread_row(cards, *(elapsed(KINDS[cards], deals, limit, seed, threads) for threads in (1, 2)))
        for cards in THREAD_KINDS
    ]


def played(position: Position, rng: Rng) -> list[Move]:
    """A game from the position: each seat plays a random one of its first moves in size, so that games differ."""
    moves: list[Move] = []
    while not position.is_over:
        legal = position.legal_moves(RULES.native)
        longest = sorted(legal, key=lambda move: (-move.size, move.rank))[:3]
        moves.append(longest[int(rng.integers(len(longest)))])
        position = position.after(moves[-1])
    return moves


def growing_truth(games: int, limit: float, seed: int) -> Iterator[list[float | None]]:
    """CPU seconds for the truth line of each game, sorted; None where a position was not proved within the limit."""
    times: list[Timing] = []
    for number in range(games):
        rng = stream(seed, "truth", number)
        start = Position(random_hands(WHOLE.sizes, rng))
        moves = played(start, rng)
        began = time.process_time()
        line = truth_line(start, moves, RULES, memory=MEMORY, budget=Budget(0, int(limit * MOST_NODES_PER_SECOND)))
        spent = time.process_time() - began
        is_whole = spent <= limit and all(point.landlord_wins is not None for point in line)
        times.append(Timing(spent if is_whole else None, 0, spent))
        yield sorted_seconds(times)


def truth_row(seed: int, times: Sequence[float | None]) -> list[str]:
    limit, share = GAME_TARGET
    count = count_within(times, limit)
    shown = [text(quantile(times, at)) for at in (0.5, 0.9)]
    return [str(seed), *shown, f"{count}/{len(times)}", "yes" if count >= share * len(times) else "no"]


def grown_memory(memory: int, seed: int) -> None:
    """Print the mebibytes by which this process grows in a proof of a whole deal that is given so many."""
    import resource

    from mingpai.methods.endgame.solver import shipped_judges

    shipped_judges()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(MEMORY_DEALS):
        position = Position(random_hands(WHOLE.sizes, stream(seed, "deal", *WHOLE.sizes, number)))
        budget = Budget(0, MEMORY_NODES)
        solve_position(position, RULES, ask=Ask.ANY, line=False, memory=memory, threads=2, budget=budget)
    print(
        (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // (1024 if sys.platform == "linux" else 1024**2)
    )


def memory_row(memory: int, grown: int) -> list[str]:
    return [str(memory), str(grown), f"{memory} and {MEMORY_SLACK}", "yes" if grown <= memory + MEMORY_SLACK else "no"]


def memory_rows(seed: int) -> list[list[str]]:
    """The memory asked for beside the memory taken, each in a process of its own."""
    rows = []
    for memory in MEMORIES:
        command = [sys.executable, "-m", "benchmarks.endgame", "memory", str(memory), str(seed)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        rows.append(memory_row(memory, int(done.stdout)))
    return rows


def growing(name: str, seed: int, quick: bool = False) -> Iterator[Any]:
    """One part of the benchmark by its name, as it grows."""
    share = 10 if quick else 1
    if name == "public":
        yield public_rows()
    elif name == "worth":
        yield from growing_worth(max(3, WHOLE.deals // share), SHORT, seed)
    elif name == "threads":
        yield thread_rows(max(3, THREAD_DEALS // share), SHORT, seed)
    elif name == "memory":
        yield memory_rows(seed)
    elif name == "truth":
        yield from growing_truth(max(2, GAMES // share), GAME_LIMIT, seed)
    else:
        yield from growing_part(KINDS[name], seed, quick)


def measured(name: str, seed: int, quick: bool = False) -> Any:
    """One part of the benchmark, whole."""
    *_, part = growing(name, seed, quick)
    return part


def merged(seeds: Sequence[int], parts: Mapping[tuple[int, str], Any]) -> dict[str, Any]:
    """The tables of all parts."""

    def curves(kinds: Sequence[Kind]) -> list[dict[str, Any]]:
        wanted = [(seed, kind.cards) for kind in kinds for seed in seeds]
        return [parts[key] for key in wanted if key in parts]

    two, three = curves(TWO_HANDED), curves(THREE_HANDED)
    truths = {seed: parts[seed, "truth"] for seed in seeds if (seed, "truth") in parts}
    times = ["median s", "90% s", "99% s", "worst s", "within 2 s", f"within {SHORT:.0f} s", "within the limit"]
    columns = ["cards", "seed", *times, "asked", "met"]
    worth_columns = ["whole deals", *(f"proved in {at:g} s" for at in (1, 2, 4, SHORT)), "nodes", "CPU s in all"]
    thread_columns = ["cards", "one thread", "two", "both", "one: s", "two: s", "times as fast"]
    asked = f"{GAME_TARGET[1]:.0%} in {GAME_TARGET[0]:.0f} s"
    truth_columns = ["seed", "median s", "90% s", f"within {GAME_TARGET[0]:.0f} s", f"met: {asked}"]
    tables = (
        ("30 public positions, seconds in all", PUBLIC_COLUMNS, parts.get((seeds[0], "public"), [])),
        ("two-handed random deals", columns, [row(part) for part in two]),
        ("three-handed random deals", columns, [row(part) for part in three]),
        ("what the judge is worth", worth_columns, parts.get((seeds[0], "worth"), [])),
        ("two threads, on the clock", thread_columns, parts.get((seeds[0], "threads"), [])),
        ("memory, mebibytes", ["given", "taken", "asked", "met"], parts.get((seeds[0], "memory"), [])),
        ("truth lines of whole games", truth_columns, [truth_row(seed, times) for seed, times in truths.items()]),
    )
    return {
        "tables": [{"title": title, "columns": names, "rows": rows} for title, names, rows in tables],
        "two": two,
        "three": three,
        "truth": {str(seed): seconds for seed, seconds in truths.items()},
        "seeds": list(seeds),
        "missing": [
            f"{seed}-{name}" for i, seed in enumerate(seeds) for name in names_for(i) if (seed, name) not in parts
        ],
        "kinds": [asdict(kind) for kind in KINDS.values()],
        "memory": MEMORY * MEBIBYTE,
        "machine": machine(),
    }


def names_for(place: int) -> list[str]:
    """The parts that are measured for the first seed (0), or another."""
    return [*(["public", "memory", "worth", "threads"] if place == 0 else []), *KINDS, "truth"]


def run(quick: bool = False) -> dict[str, Any]:
    """All parts. A whole run goes on where the last one was stopped, and forgets its parts when it is done."""
    if quick:
        seeds = fresh_seeds()
        wanted = [(seed, name) for place, seed in enumerate(seeds) for name in names_for(place)]
        return merged(seeds, {(seed, name): measured(name, seed, quick) for seed, name in wanted})
    seeds = kept_seeds()
    wanted = [(seed, name) for place, seed in enumerate(seeds) for name in names_for(place)]
    result = merged(seeds, {(seed, name): kept_part(name, seed) for seed, name in wanted})
    shutil.rmtree(RUN)
    return result


def fresh_seeds() -> list[int]:
    return [int.from_bytes(os.urandom(4), "big") for _ in range(SEEDS)]


def kept_seeds() -> list[int]:
    """The seeds of the run that was stopped, else new ones. Another limit is another run."""
    RUN.mkdir(parents=True, exist_ok=True)
    path = RUN / f"seeds-{LIMIT:g}.json"
    if not path.exists():
        path.write_text(json.dumps(fresh_seeds()))
    seeds: list[int] = json.loads(path.read_text())
    return seeds


def kept_part(name: str, seed: int) -> Any:
    """A part of the run, measured unless a stopped run has it."""
    path = RUN / f"{seed}-{name}.json"
    if not path.exists():
        path.write_text(json.dumps(measured(name, seed)) + "\n")
    return json.loads(path.read_text())


def write_part(name: str, seed: int, folder: Path | None = None) -> None:
    """Measure one part and keep it, deal by deal: what is stopped is not lost. `merge` takes what is in CHUNKS."""
    path = (folder or CHUNKS) / f"{seed}-{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    if name == "public" and not PUBLIC.exists():
        sys.exit(f"no {PUBLIC.relative_to(ROOT.parent)} beside the project: {PUBLIC_SOURCE}")
    for result in growing(name, seed):
        path.write_text(json.dumps(result) + "\n")


def merge_parts() -> None:
    """Put the kept parts together and save them, with the names of those that are missing."""
    chunks = {path.stem: json.loads(path.read_text()) for path in CHUNKS.glob("*-*.json")}
    parts = {(int(stem.split("-", 1)[0]), stem.split("-", 1)[1]): value for stem, value in chunks.items()}
    if not parts:
        sys.exit("nothing was measured yet")
    seeds = sorted({seed for seed, _ in parts}, key=lambda seed: ((seed, "public") not in parts, seed))
    result = merged(seeds, parts)
    RESULTS.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print("not measured:", ", ".join(result["missing"]) or "nothing")


def plot(results: dict[str, Any]) -> str:
    """Growth curves: cards in all against seconds, logarithmic; a deal is a dot, the line joins medians."""
    width, height, left, bottom = 720, 420, 70, 50
    low, high = -4.0, 2.0
    totals: list[int] = [part["total"] for name in ("two", "three") for part in results[name]]
    first, last = min(totals) - 2, max(totals) + 2

    def x(total: float) -> float:
        return left + (total - first) / (last - first) * (width - left - 20)

    def y(seconds: float) -> float:
        power = min(max(math.log10(max(seconds, 1e-9)), low), high)
        return height - bottom - (power - low) / (high - low) * (height - bottom - 30)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12"><rect width="{width}" height="{height}" fill="white"/>'
    ]
    for power in range(int(low), int(high) + 1):
        at = y(10.0**power)
        lines.append(f'<line x1="{left}" y1="{at:.1f}" x2="{width - 20}" y2="{at:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    for name, colour, title in (("two", "#1f77b4", "two-handed"), ("three", "#d62728", "three-handed")):
        points = []
        for total in sorted({part["total"] for part in results[name]}):
            parts = [part for part in results[name] if part["total"] == total]
            times = sorted(part["limit"] if t is None else t for part in parts for t in part["seconds"])
            at = x(total)
            dot = f'r="2.5" fill="{colour}" fill-opacity="0.35"'
            lines += [f'<circle cx="{at:.1f}" cy="{y(t):.1f}" {dot}/>' for t in times]
            points.append(f"{at:.1f},{y(times[len(times) // 2]):.1f}")
        lines.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        place = 50 if name == "two" else 68
        lines.append(f'<text x="{left + 12}" y="{place}" fill="{colour}">{title}: each deal, and the median</text>')
    for total in sorted(set(totals)):
        lines.append(f'<text x="{x(total):.1f}" y="{height - bottom + 20}" text-anchor="middle">{total}</text>')
    middle = (left + width - 20) / 2
    lines.append(f'<text x="{middle}" y="{height - 12}" text-anchor="middle">cards in all hands</text></svg>')
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["part", name, seed, *folder]:
            write_part(name, int(seed), *map(Path, folder))
        case ["memory", memory, seed]:
            grown_memory(int(memory), int(seed))
        case ["merge"]:
            merge_parts()
        case ["plot"]:
            PLOT.write_text(plot(json.loads(RESULTS.read_text())))
            print(f"wrote {PLOT.relative_to(ROOT)}")
        case _:
            sys.exit("part NAME SEED [FOLDER], merge, or plot")
