"""What the app does with finished games, and which agent it offers first."""


from mingpai.agents.catalogue import REGISTRY
from mingpai.records.jsonl import GoodLine, RecordWriter, read_lines
from mingpai.records.record import Record
from mingpai.web.home import home
from mingpai.web.limits import offered

BEST = {"doudizhu": "mingpai:preset=fast", "guandan": "rule4", "holdem": "fold"}
"""The agent offered first in each game."""


def choices(game: str) -> list[str]:
    """The specs that the app offers: the best first, then every agent, and each of its presets."""
    found = [BEST[game]]
    for name in offered(game):
        presets = REGISTRY.entry(game, name).load().presets
        found += [f"{name}:preset={preset}" for preset in presets] or [name]
    return list(dict.fromkeys(found))


def keep(record: Record) -> None:
    """Save a finished game."""
    with RecordWriter(home() / "games" / f"{record.game}.jsonl") as writer:
        writer.write(record)


def kept(most: int = 200) -> list[Record]:
    """The finished games, newest first."""
    found: list[Record] = []
    for path in sorted((home() / "games").glob("*.jsonl")):
        found += [line.record for line in read_lines(path) if isinstance(line, GoodLine)][-most:]
    return found[::-1][:most]
