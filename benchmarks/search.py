"""Speed of the search parts of Dou Dizhu: `mingpai bench search`. One core, CPU time.

Roll-outs are complete: from a random first move of a fresh deal (opening), or of a deal that the fast rule player has
brought to half of its cards (middle), to the end, by the world-seeing policy; 20 from each position, as a search makes
many from one. L_min is computed without a cache.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks._measure import machine, rate
from mingpai._native import doudizhu as native
from mingpai._native.ruleplay import Splitter
from mingpai.methods.handsplit.agent import make_searcher

RULES = native.profile("standard")
DECK_CARDS = 54
MIDDLE_CARDS = 27
EACH = 20
"""Roll-outs from one position."""

ROLL_OUT_TARGETS = {"opening": 100_000.0, "middle": 500_000.0}
TURNS_TARGETS = {10: 10e6, 17: 2e6}
"""Calls a second we hold ourselves to."""


def roll_outs(cards_left: int, deals: int) -> Callable[[], int]:
    searcher = make_searcher(RULES)
    seeds = iter(range(1 << 30))
    return lambda: searcher.roll_outs(deals, EACH, cards_left, next(seeds))[0]


def fewest_turns(cards: int) -> Callable[[], int]:
    rng = np.random.default_rng(cards)
    deck = np.array([rank for rank in range(13) for _ in range(4)] + [13, 14], np.uint64)
    units = np.left_shift(np.uint64(1), np.uint64(4) * deck)
    hands = np.array([rng.permutation(units)[:cards].sum() for _ in range(20_000)], np.uint64)
    splitter = Splitter(RULES)

    def work() -> int:
        splitter.min_turns_sum(hands)
        return len(hands)

    return work


def run(quick: bool = False) -> dict[str, Any]:
    seconds = 0.3 if quick else 3.0
    rows = []
    for name, cards in (("opening", DECK_CARDS), ("middle", MIDDLE_CARDS)):
        speed, target = rate(roll_outs(cards, 50), seconds), ROLL_OUT_TARGETS[name]
        rows.append([f"roll-outs, {name}", f"{speed:,.0f}/s", f"{target:,.0f}/s", "yes" if speed >= target else "no"])
    for size in (5, 10, 15, 17, 20):
        speed = rate(fewest_turns(size), seconds)
        wanted = TURNS_TARGETS.get(size)
        met = "" if wanted is None else "yes" if speed >= wanted else "no"
        rows.append([f"L_min, {size} cards", f"{speed:,.0f}/s", "" if wanted is None else f"{wanted:,.0f}/s", met])
    columns = ["work", "speed", "target", "met"]
    return {"tables": [{"title": "search", "columns": columns, "rows": rows}], "machine": machine()}
