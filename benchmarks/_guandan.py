"""Speed of the Guandan rules, a part of `mingpai bench rules`. One core, CPU time.

No public engine can be had offline to run beside ours; the figures of others are those they publish or that were
measured elsewhere, and said so. The plain Python reference of the tests runs in the same process.
"""

import time
from collections.abc import Callable
from typing import Any

from mingpai._native import core
from mingpai._native import guandan as native
from mingpai.games.guandan import notation

HANDS = 500
WANTED = {
    "27-card lead, full list": 50_000.0,
    "27-card lead, mask of 168": 1_000_000.0,
    "random rounds": 5_000.0,
}
"""Rates per second we hold ourselves to."""

PUBLISHED = {
    "27-card lead, full list": "official engine 82, plain Python 794, TypeScript (reduced list) 35,000",
    "random rounds": "best public 512",
}
"""Others' rates, measured elsewhere."""


def hands() -> list[native.Cards]:
    rng = core.Rng(1)
    return [native.deal(rng)[0] for _ in range(HANDS)]


def reference_lists() -> Callable[[], int]:
    from tests.reference import guandan as reference

    texts = [[notation.card_text(kind) for kind in hand.kinds()] for hand in hands()[:5]]

    def work() -> int:
        for i, text in enumerate(texts):
            reference.leads(text, reference.RANKS[i % 13])
        return len(texts)

    return work


def rule4_decisions(seconds: float) -> tuple[float, float, int]:
    """Mean and 99th percentile of the milliseconds of a decision of rule4, and how many were timed."""
    spent: list[float] = []
    start, seed = time.process_time(), 0
    while time.process_time() - start < seconds:
        seed += 1
        rng = core.Rng(seed)
        round_ = native.Round("huaian2017", native.deal(rng), seed % 13, seed % 4)
        while not round_.is_over:
            before = time.process_time()
            play = round_.bot_play(4)
            spent.append(time.process_time() - before)
            round_.apply(play)
    spent.sort()
    return 1000 * sum(spent) / len(spent), 1000 * spent[len(spent) * 99 // 100], len(spent)


def tables(rate: Callable[[Callable[[], int], float], float], seconds: float) -> list[dict[str, Any]]:
    """The Guandan tables; `rate` measures work per second of CPU time."""
    cards = hands()
    seeds = iter(range(1 << 30))

    def lists() -> int:
        native.time_lead_lists(cards, 4)
        return 4 * len(cards)

    def masks() -> int:
        native.time_lead_masks(cards, 100)
        return 100 * len(cards)

    def rounds() -> int:
        return native.play_random_rounds(500, next(seeds), core.Budget()).rounds

    measured = {
        "27-card lead, full list": rate(lists, seconds),
        "27-card lead, mask of 168": rate(masks, seconds),
        "random rounds": rate(rounds, seconds),
    }
    plain = rate(reference_lists(), seconds)
    rows = [
        [work, f"{ours:,.0f}", f"{WANTED[work]:,.0f}", "yes" if ours >= WANTED[work] else "NO", PUBLISHED.get(work, "")]
        for work, ours in measured.items()
    ]
    rows.append(["27-card lead, our plain Python reference", f"{plain:,.0f}", "", "", ""])
    mean, tail, count = rule4_decisions(seconds)
    leads = native.count_opening_leads(10_000, 1)
    sizes = [plays / number for plays, number in zip(leads.plays, leads.hands, strict=True)]
    random_play = native.play_random_rounds(2000, 1, core.Budget())
    return [
        {
            "title": "Guandan rules, per second of CPU time",
            "columns": ["work", "ours", "target", "met", "published by others"],
            "rows": rows,
        },
        {
            "title": "Guandan, other figures",
            "columns": ["what", "value"],
            "rows": [
                ["opening leads, 10,000 hands: mean with 0, 1, 2 wild cards", ", ".join(f"{n:.0f}" for n in sizes)],
                ["opening leads, most", str(leads.most)],
                ["decisions of a random round, mean", f"{random_play.decisions / random_play.rounds:.1f}"],
                [f"a decision of rule4, ms: mean and 99th percentile of {count:,}", f"{mean:.3f}, {tail:.3f}"],
            ],
        },
    ]
