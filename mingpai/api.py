"""Mingpai for Python users: `mingpai.decide(game, position, agent)` and its siblings."""

import copy
import difflib
import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent
from mingpai.core.decision import Decision
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.core.game import View
from mingpai.core.reading import WHOLE, read_object
from mingpai.core.reasons import Language

Position = Mapping[str, Any] | str | View
"""A position object of the line protocol, the same as JSON text, or a View."""


SCHEMAS = {
    "doudizhu": "games/doudizhu/position.schema.json",
    "guandan": "games/guandan/position.schema.json",
    "holdem": "games/holdem/position.schema.json",
    "record": "records/record.schema.json",
    "decision": "core/decision.schema.json",
}
"""The JSON schemas by name: the positions of each game, the records, the Decision."""


def schema(name: str) -> dict[str, Any]:
    """The JSON schema of a game's positions ("doudizhu", "guandan", "holdem"), of a "record" or of a "decision"."""
    if name not in SCHEMAS:
        raise BadSetting("schema", name, f"one of {', '.join(SCHEMAS)}")
    return copy.deepcopy(_schema(name))


@functools.cache
def _schema(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((Path(__file__).parent / SCHEMAS[name]).read_text("utf-8"))
    return loaded


def view(game: str, position: Position) -> View:
    """What one seat knows, from a position. A field that the schema of the game does not have is refused."""
    if isinstance(position, View):
        return position
    data = read_object(position) if isinstance(position, str) else position
    rules = REGISTRY.game(game)
    if isinstance(data, Mapping):
        _check_fields(game, data)
    return rules.view_from_json(data)


def _check_fields(game: str, data: Mapping[str, Any]) -> None:
    """A misspelt field would otherwise be read as one that was left out."""
    fields = list(_schema(game)["properties"])
    for name in data:
        if name not in fields:
            near = difflib.get_close_matches(str(name)[:40], fields, 1)
            raise BadlyWritten(
                {name: data[name]},
                f"one of the fields of its schema (did you mean {near[0]}?)" if near else f"one of {', '.join(fields)}",
            )


def decide(game: str, position: Position, agent: str | Agent[Any], seed: int | None = None) -> Decision:
    """What an agent would play in a position, and why.

    `agent` is a spec such as "mctshs:seconds=0.1" or an agent already made. The seed comes from the argument, else from
    the position, else it is 0.
    """
    seen = view(game, position)
    if seen.to_move != seen.seat:
        raise MingpaiError(f"seat {seen.seat} is not to move (seat {seen.to_move} is): nothing to decide")
    if seed is None:
        seed = _seed_in(position)
    if isinstance(agent, str):
        return REGISTRY.agent(game, agent, seed or 0).decide(seen)
    own = agent.seed
    agent.reseed(own if seed is None else seed)
    try:
        return agent.decide(seen)
    finally:
        agent.reseed(own)


def legal_moves(game: str, position: Position) -> list[str]:
    """The legal moves of a position, in notation."""
    return [str(move) for move in view(game, position).legal_moves()]


def explain(game: str, position: Position, agent: str | Agent[Any], seed: int | None = None,
            language: Language = "en") -> str:  # fmt: skip
    """The decision in words: the move, its reasons and the best candidates."""
    decision = decide(game, position, agent, seed)
    lines = [f"{decision.agent}: {decision.move}", *(f"- {reason.render(language)}" for reason in decision.reasons)]
    for candidate in decision.candidates[:5]:
        value = "" if candidate.value is None else f" {decision.value_unit} {candidate.value:.3f}"
        share = "" if candidate.probability is None else f" p {candidate.probability:.3f}"
        lines.append(f"  {candidate.move}:{value}{share}")
    return "\n".join(lines)


def _seed_in(position: Position) -> int | None:
    if isinstance(position, View):
        return None
    seed = (read_object(position) if isinstance(position, str) else position).get("seed")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or seed not in WHOLE):
        raise BadlyWritten({"seed": seed}, f"seed: a whole number from {WHOLE.start} to {WHOLE.stop - 1}")
    return seed
