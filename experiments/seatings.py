"""Three agents at fixed seats, landlord first, on given deals: who went out. Chunks are kept, so a run can go on."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.table import Side, Sitting, play_sittings
from mingpai.core.errors import MingpaiError
from mingpai.core.random import seed_of
from mingpai.games.doudizhu import GAME
from mingpai.records.jsonl import writing_text

CHUNK = 20
"""Deals that are kept together."""

Seats = tuple[str, str, str]
"""Agents: landlord, down, up."""

COLUMNS = {
    "mcm-paper": "mcm-paper",
    "network": "mcm-paper:at_once=always",
    "mcm": "mcm",
    "flagship": "mingpai:preset=fast",
}
"""Column of a table of paper 003 -> the agent in the place of MCM."""


def seated(seats: Seats, agent: str) -> Seats:
    """The agents of a row of paper 003: `agent` where it has MCM, ours of the same name where it has others.

    Alone as landlord, or as the farmer after him, MCM plays the best score at once in the logs: there `mcm-paper` is
    its network alone, whatever the column.
    """
    if agent in (COLUMNS["network"], COLUMNS["mcm-paper"]) and seats.count("MCM") == 1 and seats[2] != "MCM":
        agent = COLUMNS["mcm-paper" if seats[0] == "MCM" else "network"]
    landlord, down, up = (agent if name == "MCM" else name.lower() for name in seats)
    return landlord, down, up


@dataclass(frozen=True)
class Outcome:
    """One deal."""

    out: int
    """The role that went out: 0 landlord, 1 down, 2 up."""
    decisions: tuple[int, ...]
    """Of each seat."""
    seconds: tuple[float, ...]


def shuffled_decks(deals: int, seed: int) -> list[str]:
    """Deals by number and seed alone."""
    return [GAME.deal(seed_of(seed, "deal", number), "", GAME.play_only).deck() for number in range(deals)]


def play_seating(agents: Seats, decks: Sequence[str], folder: Path, rules: str = "", seed: int = 0) -> Iterator[int]:
    """Plays what is missing in the folder; yields how many deals are done after each chunk."""
    sides: list[Side] | None = None
    for first in range(0, len(decks), CHUNK):
        path = folder / f"{first:06}.json"
        if not path.exists():
            sides = sides or [_side(spec, seed_of(seed, "agent", seat)) for seat, spec in enumerate(agents)]
            played = _play(sides, decks[first : first + CHUNK], rules)
            with writing_text(path) as file:
                json.dump([[one.out, one.decisions, one.seconds] for one in played], file)
        yield min(first + CHUNK, len(decks))


def read_outcomes(folder: Path) -> list[Outcome]:
    """What was played, in the order of the deals, up to the first chunk that is missing."""
    outcomes: list[Outcome] = []
    while (path := folder / f"{len(outcomes):06}.json").exists():
        rows = json.loads(path.read_text())
        outcomes += [Outcome(out, tuple(decisions), tuple(seconds)) for out, decisions, seconds in rows]
        if len(rows) < CHUNK:
            break
    return outcomes


def folder_name(agents: Seats, *more: object) -> str:
    text = "--".join((*agents, *map(str, more)))
    return "".join(c if c.isalnum() or c in "-." else "_" for c in text)


def _side(spec: str, seed: int) -> Side:
    return Side(spec, lambda: REGISTRY.agent("doudizhu", spec, seed))


def _play(sides: Sequence[Side], decks: Sequence[str], rules: str) -> list[Outcome]:
    sittings = [
        Sitting((0, 1, 2), GAME.start(deck, rules, GAME.play_only), tags={"deal": number})
        for number, deck in enumerate(decks)
    ]
    done = sorted(play_sittings(sittings, sides), key=lambda sitting: int(sitting.tags["deal"]))
    return [_outcome(sitting) for sitting in done]


def _outcome(sitting: Sitting) -> Outcome:
    if sitting.void is not None:
        raise MingpaiError(f"a deal is void: {sitting.void}")
    out = next(event.seat for event in reversed(sitting.records[0].events) if event.kind == "play")
    assert out is not None
    return Outcome(out, tuple(sitting.decisions), tuple(round(each, 6) for each in sitting.seconds))
