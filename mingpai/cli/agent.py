"""`mingpai agents`, `mingpai agent` (the line protocol) and `mingpai decide` (one position)."""

import dataclasses
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from mingpai import api
from mingpai.agents.catalogue import REGISTRY
from mingpai.cli.output import print_json, show
from mingpai.core.agent import Agent
from mingpai.core.errors import MingpaiError
from mingpai.core.reading import as_text, read_lines

GameName = Annotated[str, typer.Argument(metavar="GAME", help="doudizhu, guandan or holdem")]
AgentSpec = Annotated[str, typer.Argument(metavar="SPEC", help="name[:key=value,...], see 'mingpai agents GAME'")]


def agents(game: GameName, as_json: Annotated[bool, typer.Option("--json")] = False) -> None:
    """List the agents of a game with their options and presets."""
    rows = []
    for entry in REGISTRY.entries(game):
        kind = entry.load()
        options = {field.name: field.default for field in dataclasses.fields(kind.Settings)}
        rows.append((entry, options, sorted(kind.presets)))
    if as_json:
        print_json([{"name": entry.name, "summary": entry.summary, "options": options, "presets": presets}
                    for entry, options, presets in rows])  # fmt: skip
        return
    show(f"Agents for {game}", ("name", "what", "options", "presets"), [
        (entry.name, entry.summary, ", ".join(f"{k}={v}" for k, v in options.items()), ", ".join(presets))
        for entry, options, presets in rows
    ])  # fmt: skip


def agent(game: GameName, spec: AgentSpec, seed: Annotated[int, typer.Option(help="Seed of the agent.")] = 0) -> None:
    """Read one JSON position per line, answer one JSON Decision per line."""
    player = REGISTRY.agent(game, spec, seed)
    for line in read_lines(as_text(sys.stdin)):
        if line.strip():
            print(answer(player, line), flush=True)


def answer(player: Agent[Any], line: str) -> str:
    """The answer to one line: a Decision, or {"error": ...}; never an exception for a bad line."""
    try:
        return api.decide(player.game, line, player).dumps()
    except MingpaiError as error:
        return json.dumps({"error": str(error)}, ensure_ascii=False)


def decide(
    game: GameName,
    spec: AgentSpec,
    position: Annotated[str, typer.Argument(help="A JSON position, or a file that holds one, or - for standard input")],
    as_json: Annotated[bool, typer.Option("--json")] = False,
    seed: Annotated[int, typer.Option(help="Seed of the agent.")] = 0,
    language: Annotated[str, typer.Option("--lang", help="en or zh")] = "en",
) -> None:
    """Decide one position and say why."""
    player = REGISTRY.agent(game, spec, seed)
    if position == "-":
        position = sys.stdin.read()
    elif not position.lstrip().startswith("{") and Path(position).is_file():
        position = Path(position).read_text()
    decision = api.decide(game, position, player)
    if as_json:
        print(decision.dumps())
        return
    from mingpai.cli.explain import show_decision

    show_decision(decision, "zh" if language == "zh" else "en")
