"""What a match says: win rates and points by side and by part, with intervals, voids, time."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from mingpai.arena.plan import Plan
from mingpai.arena.result import DealResult
from mingpai.arena.statistics import ALPHA, Estimate, Verdict, anytime_mean, anytime_rate, fixed_mean, fixed_rate

Value = Callable[[DealResult, Plan, int, int], float]
Interval = Callable[[Sequence[float]], Estimate]


@dataclass(frozen=True)
class Standing:
    """Win rate and points of a side, over all its parts or in one of them."""

    win_rate: Estimate
    points: Estimate
    """Per deal and seating; see DealResult.points."""
    games: int
    """Deals times seatings."""

    def to_json(self) -> dict[str, Any]:
        return {"win_rate": self.win_rate.to_json(), "points": self.points.to_json(), "games": self.games}


@dataclass(frozen=True)
class SideSummary:
    """One competitor."""

    name: str
    agent: str
    total: Standing
    roles: dict[str, Standing]
    """By part: see DealResult.parts."""
    facts: dict[str, Estimate]
    """Of whole matches: the mean place, and what else the game tells."""
    seconds: float
    """Mean time of a decision; 0 if the agent does not tell."""

    def to_json(self) -> dict[str, Any]:
        roles = {role: standing.to_json() for role, standing in self.roles.items()}
        facts = {name: estimate.to_json() for name, estimate in self.facts.items()}
        about = {"name": self.name, "agent": self.agent, "seconds_per_decision": self.seconds}
        return about | self.total.to_json() | {"roles": roles, "facts": facts}


@dataclass(frozen=True)
class Summary:
    """A whole match."""

    plan: Plan
    deals: int
    """Deals (or matches) that count."""
    voids: dict[str, int]
    """Deals that do not count, by reason."""
    sides: tuple[SideSummary, ...]
    difference: Standing | None
    """First side minus second, paired by deal; only with two sides. Win rates from -1 to 1."""
    intervals: str
    """fixed or anytime: see mingpai.arena.statistics."""
    evidence: float | None
    """Against "the two are equal", by the sequential test; None unless it was asked for."""

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.plan.game,
            "unit": self.plan.unit,
            "rules": self.plan.rules,
            "setup": dict(self.plan.setup),
            "seed": self.plan.seed,
            "seatings": [list(seating) for seating in self.plan.seatings],
            "deals": self.deals,
            "voids": self.voids,
            "sides": [side.to_json() for side in self.sides],
            "difference": None if self.difference is None else self.difference.to_json(),
            "intervals": self.intervals,
            "evidence": self.evidence,
        }


def summarise(plan: Plan, results: Sequence[DealResult], *, anytime: bool = False, alpha: float = ALPHA) -> Summary:
    """The summary of some results. `anytime` intervals hold whenever one stops; `fixed` ones need a planned end."""
    counted = [result for result in results if not result.is_void]
    rate: Interval = lambda values: (anytime_rate if anytime else fixed_rate)(values, alpha)  # noqa: E731
    mean: Interval = lambda values: (anytime_mean if anytime else fixed_mean)(values, alpha)  # noqa: E731
    sides = tuple(_side(plan, counted, side, rate, mean) for side in range(len(plan.sides)))
    two = len(plan.sides) == 2
    return Summary(
        plan=plan,
        deals=len(counted),
        voids=dict(Counter(_why_void(result) for result in results if result.is_void)),
        sides=sides,
        difference=_difference(plan, counted, rate, mean) if two else None,
        intervals="anytime" if anytime else "fixed",
        evidence=_evidence(plan, counted, alpha) if anytime and two else None,
    )


def score(plan: Plan, result: DealResult) -> float:
    """How a deal went for the first of two sides, from 0 (lost everything) to 1."""
    return (1 + _paired(plan, result, DealResult.win)) / 2


def _paired(plan: Plan, result: DealResult, value: Value) -> float:
    seatings = range(len(plan.seatings))
    return fmean(value(result, plan, seating, 0) - value(result, plan, seating, 1) for seating in seatings)


def _difference(plan: Plan, results: Sequence[DealResult], rate: Interval, mean: Interval) -> Standing:
    scores = rate([score(plan, result) for result in results])
    wins = Estimate(2 * scores.mean - 1, 2 * scores.low - 1, 2 * scores.high - 1, scores.count)
    points = mean([_paired(plan, result, DealResult.points) for result in results])
    return Standing(wins, points, len(results) * len(plan.seatings))


def _side(plan: Plan, results: Sequence[DealResult], side: int, rate: Interval, mean: Interval) -> SideSummary:
    wins: dict[str, list[list[float]]] = defaultdict(list)
    points: dict[str, list[list[float]]] = defaultdict(list)
    for result in results:
        by_role: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
        for seating, players in enumerate(plan.seatings):
            if side in players:
                whole = ("", result.win(plan, seating, side), result.points(plan, seating, side))
                for role, won, got in (whole, *result.parts(plan, seating, side)):
                    by_role[role][0].append(won)
                    by_role[role][1].append(got)
        for role, (all_won, all_got) in by_role.items():
            wins[role].append(all_won)
            points[role].append(all_got)
    standings = {role: _standing(wins[role], points[role], rate, mean) for role in wins}
    total = standings.pop("", _standing([], [], rate, mean))
    decisions = sum(result.decisions[side] for result in results if result.decisions)
    seconds = sum(result.seconds[side] for result in results if result.seconds)
    per_decision = seconds / decisions if decisions else 0.0
    roles = dict(sorted(standings.items()))
    return SideSummary(
        plan.names[side], plan.sides[side], total, roles, _facts(plan, results, side, mean), per_decision
    )


def _facts(plan: Plan, results: Sequence[DealResult], side: int, mean: Interval) -> dict[str, Estimate]:
    values: dict[str, list[float]] = defaultdict(list)
    for result in results:
        told = [result.facts(plan, seating, side) for seating, seats in enumerate(plan.seatings) if side in seats]
        for name in told[0] if told else ():
            values[name].append(fmean(facts[name] for facts in told))
    return {name: mean(each) for name, each in values.items()}


def _standing(
    wins: Sequence[Sequence[float]], points: Sequence[Sequence[float]], rate: Interval, mean: Interval
) -> Standing:
    """From the values of each deal's replays: averaged by deal first, for a deal's replays are not independent."""
    return Standing(rate(list(map(fmean, wins))), mean(list(map(fmean, points))), sum(map(len, wins)))


def _why_void(result: DealResult) -> str:
    return next(play.void for play in result.plays if play.void is not None)


def _evidence(plan: Plan, results: Sequence[DealResult], alpha: float) -> float:
    verdict = Verdict(alpha)
    for result in results:
        verdict.add(score(plan, result))
    return verdict.evidence
