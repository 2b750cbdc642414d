"""Speed of learning Dou Dizhu: decisions played and learned in a second of the clock: `mingpai bench learning`.

One process is the measure of each kind; beside it what two cores make of the same run: threads inside torch, processes
that share tables and minibatch (`processes`), and workers of Ray that play while one process learns. It wants both
cores to itself.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchmarks._measure import machine
from mingpai.methods.mcm.train_open import OpenLearner, OpenSettings
from mingpai.methods.mcm.train_value import Settings, ValueLearner
from mingpai.training.loop import Learner

LONG = 10**9
"""Decisions of a run that no benchmark comes to the end of."""
VALUE = Settings(samples=LONG)
OPEN = OpenSettings(samples=LONG)
SPLIT = replace(OPEN, split=True, tables=2048, minibatch=2048)
WARM_STEPS = 6

CASES: Mapping[str, Mapping[str, Any]] = {
    "value network alone (`mcm`)": {
        "one process": VALUE, "two threads": replace(VALUE, threads=2),
        "Ray, two workers": replace(VALUE, engine="ray", workers=2),
    },
    "taught by the judge (`mcm-open`)": {
        "one process": OPEN, "two threads": replace(OPEN, threads=2), "two processes": replace(OPEN, processes=2),
    },
    "the same, layers for each role, 2,048 tables": {
        "one process": SPLIT, "two threads": replace(SPLIT, threads=2), "two processes": replace(SPLIT, processes=2),
    },
}  # fmt: skip


def learner_of(settings: Settings | OpenSettings) -> Learner:
    return OpenLearner(settings) if isinstance(settings, OpenSettings) else ValueLearner(settings)


def pace(settings: Settings | OpenSettings, seconds: float) -> float:
    """Decisions a second, once the run is warm."""
    learner, steps = learner_of(settings), 0
    for _ in range(WARM_STEPS):
        learner.step()
    start = time.monotonic()
    while (spent := time.monotonic() - start) < seconds:
        learner.step()
        steps += 1
    return steps * settings.minibatch / spent


def run(quick: bool = False) -> dict[str, Any]:
    seconds = 2.0 if quick else 20.0
    rows = []
    for kind, ways in CASES.items():
        paces = {way: pace(settings, seconds) for way, settings in ways.items()}
        alone = paces["one process"]
        rows += [[kind, way, f"{speed:,.0f}", f"{speed / alone:.2f}x"] for way, speed in paces.items()]
    columns = ["learning", "on", "decisions a second", "of one process"]
    about = machine().replace("one core, CPU time", "two cores, by the clock")
    return {"tables": [{"title": "learning", "columns": columns, "rows": rows}], "machine": about}
