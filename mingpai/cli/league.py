"""`mingpai league` and `mingpai signature`."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.league import League, plans, play_league
from mingpai.arena.match import Progress
from mingpai.arena.plan import CATALOGUE, Unit, rotated
from mingpai.arena.signature import POSITIONS, signature
from mingpai.cli.agent import AgentSpec, GameName
from mingpai.cli.match import Deals, EngineName, Jobs, Rules, Seed, Set, progress_bar, setup_of
from mingpai.cli.output import AsJson, console, print_json, show
from mingpai.core.errors import MingpaiError

REGISTRY_TARGET = CATALOGUE


def league(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="SPEC...", help="Two agents or more.")],
    deals: Deals = 100,
    seed: Seed = 0,
    jobs: Jobs = 1,
    engine: EngineName = "local",
    rules: Rules = "",
    setup: Set = None,
    bidding: Annotated[bool, typer.Option("--bidding", help="Dou Dizhu: bid first; seats rotated.")] = False,
    matches: Annotated[bool, typer.Option("--matches", help="Whole matches instead of single deals.")] = False,
    run: Annotated[Path | None, typer.Option(help="Folder that keeps each chunk.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the league in that folder.")] = False,
    as_json: AsJson = False,
) -> None:
    """Every agent against every other on the same deals, with Elo ratings and 95% intervals."""
    table = REGISTRY.game(game)
    options = setup_of(setup) if bidding or matches else {**table.play_only, **setup_of(setup)}
    unit: Unit = "match" if matches else "deal"
    duels = plans(table, agents, seed=seed, rules=rules, unit=unit, setup=options, registry=REGISTRY_TARGET)
    if table.play_only and (bidding or matches):
        duels = {pair: rotated(plan) for pair, plan in duels.items()}
    with _progress(as_json) as progress:
        result = play_league(
            agents, duels, deals, jobs=jobs, engine=engine, folder=run, resume=resume, progress=progress
        )  # fmt: skip
    if as_json:
        print_json(result.to_json())
    else:
        _show(result, f"{game}: {deals} {unit}{'es' if unit == 'match' else 's'} a pair, seed {seed}")


def signature_(
    game: GameName,
    spec: AgentSpec,
    check: Annotated[str, typer.Option(help="Compare with this signature; exit code 1 if it differs.")] = "",
    count: Annotated[int, typer.Option(min=1, help="Positions of each kind.")] = POSITIONS,
    seed: Annotated[int, typer.Option(help="Seed of the agent.")] = 0,
    as_json: AsJson = False,
) -> None:
    """What an agent plays in fixed positions, as one short text: it changes when the agent's play does."""
    agent = REGISTRY.agent(game, spec, seed)
    try:
        made = signature(agent, REGISTRY.game(game), count)
    finally:
        agent.close()
    if as_json:
        print_json({"agent": made.agent, "positions": made.positions, "signature": made.text})
    else:
        console.print(made.text)
    if check and check != made.text:
        print(f"mingpai: {spec} plays otherwise: {made.text}, not {check}", file=sys.stderr)
        raise typer.Exit(1)


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[str, Progress], None] | None]:
    with progress_bar(quiet) as bar:
        yield None if bar is None else lambda name, now: bar(now)


def _show(result: League, title: str) -> None:
    order = result.order()
    if not all(summary.deals for summary in result.pairs.values()):
        raise MingpaiError("a pair has no deal that counts: " + "; ".join(_voids(result)))
    show(title, ("place", "agent", "elo", "95%", *(f"vs {place}" for place in range(1, len(order) + 1))), [
        (place, result.agents[n], f"{result.ratings[n].elo:.0f}",
         f"[{result.ratings[n].low:.0f}, {result.ratings[n].high:.0f}]", *(_score(result, n, m) for m in order))
        for place, n in enumerate(order, start=1)
    ])  # fmt: skip
    console.print(
        f"Bradley-Terry ratings, mean 1500; the scores differ from them by at most {result.transitive_error:.1%}."
    )
    for line in _voids(result):
        console.print(line, style="red", markup=False)


def _score(result: League, one: int, other: int) -> str:
    if one == other:
        return ""
    summary = result.pairs[min(one, other), max(one, other)]
    assert summary.difference is not None
    mean = (1 + summary.difference.win_rate.mean) / 2
    return f"{mean if one < other else 1 - mean:.1%}"


def _voids(result: League) -> list[str]:
    return [f"{result.agents[i]} - {result.agents[j]}: {count} deals void: {why}"
            for (i, j), summary in result.pairs.items() for why, count in summary.voids.items()]  # fmt: skip
