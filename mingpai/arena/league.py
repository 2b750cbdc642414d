"""A league: every agent against every other on the same deals, rated."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from mingpai.arena.match import MatchRun, Progress, play_plan
from mingpai.arena.plan import CATALOGUE, Plan, Unit, duel
from mingpai.arena.ratings import Rating, rate, transitive_error
from mingpai.arena.summary import Summary, score
from mingpai.core.errors import BadSetting
from mingpai.core.game import Game
from mingpai.core.random import stream


@dataclass(frozen=True)
class League:
    """The result of a round robin."""

    agents: tuple[str, ...]
    ratings: tuple[Rating, ...]
    """In the order of the agents."""
    pairs: Mapping[tuple[int, int], Summary]
    """For each pair of agents, the lower number first."""
    transitive_error: float
    """The largest distance between a pair's mean score and what the ratings expect of it."""

    def order(self) -> list[int]:
        """The agents, best first."""
        return sorted(range(len(self.agents)), key=lambda agent: -self.ratings[agent].elo)

    def to_json(self) -> dict[str, Any]:
        table = [{"agent": self.agents[n]} | dataclasses.asdict(self.ratings[n]) for n in self.order()]
        pairs = [
            {"a": self.agents[i], "b": self.agents[j]} | summary.to_json() for (i, j), summary in self.pairs.items()
        ]
        return {"ratings": table, "transitive_error": self.transitive_error, "pairs": pairs}


def plans(
    game: Game, agents: Sequence[str], *, seed: int = 0, rules: str = "", unit: Unit = "deal",
    setup: Mapping[str, Any] | None = None, registry: str = CATALOGUE,
) -> dict[tuple[int, int], Plan]:  # fmt: skip
    """The matches of a round robin: the same seed, so the same deals, for every pair."""
    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise BadSetting("agents", ", ".join(agents), "at least two, all different")
    return {
        (i, j): duel(game, agents[i], agents[j], seed=seed, rules=rules, unit=unit, setup=setup, registry=registry)
        for i, j in combinations(range(len(agents)), 2)
    }


def play_league(
    agents: Sequence[str], matches: Mapping[tuple[int, int], Plan], deals: int, *, jobs: int = 1,
    engine: str = "local", folder: Path | None = None, resume: bool = False,
    progress: Callable[[str, Progress], None] | None = None,
) -> League:  # fmt: skip
    """Plays a round robin. With `folder` each match keeps its chunks in a folder of its own and may go on later."""
    runs: dict[tuple[int, int], MatchRun] = {}
    for (i, j), plan in matches.items():
        name = f"{agents[i]} - {agents[j]}"
        watch = None if progress is None else _named(name, progress)
        place = None if folder is None else folder / plan.key
        runs[i, j] = play_plan(
            plan, deals, jobs=jobs, engine=engine, folder=place, resume=resume, progress=watch
        )  # fmt: skip
        if runs[i, j].stopped == "interrupted":
            raise KeyboardInterrupt
    return league_of(agents, runs)


def league_of(agents: Sequence[str], runs: Mapping[tuple[int, int], MatchRun]) -> League:
    """Rates what was played."""
    deals = max(result.number for run in runs.values() for result in run.results) + 1
    scores = np.full((deals, len(agents), len(agents)), np.nan)
    for (i, j), run in runs.items():
        for result in run.results:
            if not result.is_void:
                scores[result.number, i, j] = score(run.plan, result)
                scores[result.number, j, i] = 1 - scores[result.number, i, j]
    seed = next(iter(runs.values())).plan.seed
    ratings = rate(scores, stream(seed, "league", "bootstrap"))
    summaries = {pair: run.summary() for pair, run in runs.items()}
    return League(tuple(agents), tuple(ratings), summaries, transitive_error(scores, ratings))


def _named(name: str, progress: Callable[[str, Progress], None]) -> Callable[[Progress], None]:
    return lambda now: progress(name, now)
