"""`mingpai agents`, `mingpai agent` (the line protocol) and `mingpai decide` (one position)."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from mingpai import api
from mingpai.agents.catalogue import REGISTRY
from mingpai.cli.output import AsJson, Lang, print_json, show, show_options
from mingpai.core.agent import Agent
from mingpai.core.errors import MingpaiError
from mingpai.core.reading import as_text, read_lines, read_text
from mingpai.core.registry import Entry
from mingpai.core.settings import options_of

GameName = Annotated[str, typer.Argument(metavar="GAME", help="doudizhu, guandan or holdem")]
AgentSpec = Annotated[str, typer.Argument(metavar="SPEC", help="name[:key=value,...], see 'mingpai agents GAME'")]


def agents(game: GameName, as_json: AsJson = False) -> None:
    """List the agents of a game with their presets and what each of their options means."""
    rows = [(entry, entry.load()) for entry in REGISTRY.entries(game)]
    if as_json:
        print_json([_about(entry, kind) for entry, kind in rows])
        return
    show(f"Agents for {game}", ("name", "what", "whose", "presets"), [
        (entry.name, entry.summary, entry.source, ", ".join(sorted(kind.presets))) for entry, kind in rows
    ])  # fmt: skip
    for entry, kind in rows:
        if options := options_of(kind.Settings):
            show_options(f"Options of {entry.name}", options.values())


def _about(entry: Entry, kind: type[Agent[Any]]) -> dict[str, object]:
    options = options_of(kind.Settings)
    return {"name": entry.name, "summary": entry.summary, "source": entry.source, "presets": sorted(kind.presets),
            "options": {key: option.default for key, option in options.items()},
            "settings": [option.to_json() for option in options.values()]}  # fmt: skip


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
    as_json: AsJson = False,
    seed: Annotated[int, typer.Option(help="Seed of the agent.")] = 0,
    language: Lang = "en",
) -> None:
    """Decide one position and say why."""
    player = REGISTRY.agent(game, spec, seed)
    if position == "-":
        position = sys.stdin.read()
    elif not position.lstrip().startswith("{") and Path(position).is_file():
        position = read_text(Path(position))
    decision = api.decide(game, position, player)
    if as_json:
        print(decision.dumps())
        return
    from mingpai.cli.explain import show_decision

    show_decision(decision, "zh" if language == "zh" else "en")
