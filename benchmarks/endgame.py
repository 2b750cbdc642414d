"""The exact solver of Dou Dizhu endgames: `mingpai bench endgame`. One core, CPU time.

Public positions: 30 of them, read where they lie beside the project: verdicts and complete sets of winning moves.
Random deals: hands of one shuffled deck, the landlord leads, fresh seeds in every run, verdict only; past the limit a
deal is not proved.
`python -m benchmarks.endgame` draws the growth curves of the saved results into docs/endgame-growth.svg.
"""

import json
import math
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks._measure import machine
from mingpai._native.core import Budget
from mingpai._native.endgame import Ask, Position
from mingpai._native.endgame import solve as native_solve
from mingpai.core.random import Rng, stream
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.endgame.solver import rules_with_bans

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ROOT.parent / "shared" / "data" / "endgame" / "puzzles.jsonl"
RESULTS = ROOT / "benchmarks" / "results" / "endgame.json"
PLOT = ROOT / "docs" / "endgame-growth.svg"

RULES = rules_of("douzero").native
MEMORY = 512 << 20
"""Bytes."""
PUBLIC_COLUMNS = ["work", "seconds", "target", "met"]
PUBLIC_TARGETS = {"verdicts": 0.05, "all winning moves": 0.1}
"""Seconds for all 30 positions."""

TWO_HANDED = ((12, 12), (16, 16), (18, 18), (20, 20))
TWO_HANDED_DEALS = 50
THREE_HANDED = ((8,) * 3, (10,) * 3, (12,) * 3, (14,) * 3, (16,) * 3, (20, 17, 17))
THREE_HANDED_DEALS = 10
SHORT = 10.0
"""CPU seconds: the share of deals within them is reported beside that within the limit."""
LIMIT = float(os.environ.get("MINGPAI_BENCH_SECONDS", "60"))
"""CPU seconds for a deal."""
MOST_NODES_PER_SECOND = 4_500_000
"""More than any processor reaches: the limit on nodes that certainly lets a deal have its CPU seconds."""


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
                found = {move.cards for move, wins in result.moves if wins}
                assert found == {parse_cards(text) for text in puzzle["winning_first_moves"]}, puzzle
        best = min(best, spent)
    return best


def random_hands(sizes: Sequence[int], rng: Rng) -> list[int]:
    """Hands of these sizes from one shuffled deck."""
    deck = [rank for rank in range(13) for _ in range(4)] + [13, 14]
    order = iter([deck[int(place)] for place in rng.permutation(len(deck))])
    return [sum(1 << (4 * next(order)) for _ in range(size)) for size in sizes]


def deal_seconds(sizes: Sequence[int], deals: int, limit: float, seed: int) -> list[float | None]:
    """CPU seconds of each deal, sorted; None, at the end, for those not proved within the limit."""
    times: list[float | None] = []
    for number in range(deals):
        position = Position(random_hands(sizes, stream(seed, "deal", *sizes, number)))
        start = time.process_time()
        budget = Budget(0, int(limit * MOST_NODES_PER_SECOND))
        result = native_solve(position, RULES, budget, Ask.ANY, line=False, memory=MEMORY)
        spent = time.process_time() - start
        times.append(None if result.landlord_wins is None or spent > limit else spent)
    return sorted(times, key=lambda t: float("inf") if t is None else t)


def quantile(times: Sequence[float | None], share: float) -> float | None:
    return times[min(len(times) - 1, int(share * len(times)))]


def text(seconds: float | None) -> str:
    return "not proved" if seconds is None else f"{seconds:.4f}" if seconds < 0.1 else f"{seconds:.2f}"


def curve(kinds: Sequence[Sequence[int]], deals: int, limit: float, seed: int) -> list[dict[str, Any]]:
    out = []
    for sizes in kinds:
        times = deal_seconds(sizes, deals, limit, seed)
        out.append({"cards": "+".join(map(str, sizes)), "total": sum(sizes), "limit": limit, "seconds": times})
    return out


def row(part: dict[str, Any]) -> list[str]:
    times: list[float | None] = part["seconds"]

    def within(limit: float) -> str:
        return f"{sum(t is not None and t <= limit for t in times)}/{len(times)}"

    shares = [text(quantile(times, share)) for share in (0.5, 0.9)]
    return [part["cards"], *shares, text(times[-1]), within(SHORT), within(part["limit"])]


def run(quick: bool = False) -> dict[str, Any]:
    seed = int.from_bytes(os.urandom(4), "big")
    public = (
        []
        if not PUBLIC.exists()
        else [
            [name, f"{spent:.4f}", f"{PUBLIC_TARGETS[name]:.2f}", "yes" if spent <= PUBLIC_TARGETS[name] else "no"]
            for name, spent in (("verdicts", public_seconds(Ask.ANY)), ("all winning moves", public_seconds(Ask.ALL)))
        ]
    )
    share = 10 if quick else 1
    limit = SHORT if quick else LIMIT
    two = curve(TWO_HANDED, TWO_HANDED_DEALS // share, limit, seed)
    three = curve(THREE_HANDED, max(3, THREE_HANDED_DEALS // share), limit, seed)
    columns = ["cards", "median s", "90% s", "worst s", f"within {SHORT:.0f} s", f"within {limit:.0f} s"]
    return {
        "tables": [
            {"title": "30 public positions, seconds in all", "columns": PUBLIC_COLUMNS, "rows": public},
            {"title": "two-handed random deals", "columns": columns, "rows": [row(part) for part in two]},
            {"title": "three-handed random deals", "columns": columns, "rows": [row(part) for part in three]},
        ],
        "two": two,
        "three": three,
        "seed": seed,
        "machine": machine(),
    }


def plot(results: dict[str, Any]) -> str:
    """Growth curves: cards in all against seconds, logarithmic; a deal is a dot, the line joins medians."""
    width, height, left, bottom = 720, 420, 70, 50
    low, high = -4.0, 2.0
    totals = [part["total"] for name in ("two", "three") for part in results[name]]
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
        for part in results[name]:
            times = [part["limit"] if t is None else t for t in part["seconds"]]
            at = x(part["total"])
            dot = f'r="2.5" fill="{colour}" fill-opacity="0.35"'
            lines += [f'<circle cx="{at:.1f}" cy="{y(t):.1f}" {dot}/>' for t in times]
            points.append(f"{x(part['total']):.1f},{y(times[len(times) // 2]):.1f}")
        lines.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        place = 50 if name == "two" else 68
        lines.append(f'<text x="{left + 12}" y="{place}" fill="{colour}">{title}: each deal, and the median</text>')
    for total in sorted(set(totals)):
        lines.append(f'<text x="{x(total):.1f}" y="{height - bottom + 20}" text-anchor="middle">{total}</text>')
    middle = (left + width - 20) / 2
    lines.append(f'<text x="{middle}" y="{height - 12}" text-anchor="middle">cards in all hands</text></svg>')
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PLOT.write_text(plot(json.loads(RESULTS.read_text())))
    print(f"wrote {PLOT.relative_to(ROOT)}")
