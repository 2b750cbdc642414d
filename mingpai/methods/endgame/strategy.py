"""Whole winning strategies: built, saved, loaded, walked.

A file holds the position and the winners' moves, in the order in which a walk over all defences first needs them, and
nothing else. Loading repeats that walk by the rules alone, so a file that loads is a proof.
"""

import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mingpai._native import endgame as native
from mingpai._native.core import Budget
from mingpai._native.endgame import Position
from mingpai.core.errors import BadlyWritten, MingpaiError
from mingpai.core.reading import read_object
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.notation import cards_text
from mingpai.games.doudizhu.rules import Rules, rules_of
from mingpai.methods.endgame.solver import (
    DEFAULT_MEMORY,
    check_position,
    interruptible,
    memory_bytes,
    read_position,
    seat_names,
    solve_position,
)
from mingpai.records.jsonl import replacing

MAGIC = b"mingpai-strategy-1\n"
"""First line of a file; the number is the version of the format."""


@dataclass(frozen=True)
class StrategyTree:
    """A reply of the winners to every defence."""

    position: Position
    rules: Rules
    landlord_wins: bool
    native: native.Strategy

    def __len__(self) -> int:
        """Positions in which the winners have a reply."""
        return len(self.native)

    def reply(self, position: Position) -> Move | None:
        """The winners' move; None when the losers are to move, or where the strategy never comes."""
        return self.native.reply(position)

    def save(self, path: Path) -> None:
        """Written whole or not at all."""
        with replacing(path) as temporary:
            temporary.write_bytes(self.to_bytes())

    def to_bytes(self) -> bytes:
        head = json.dumps(self._head(), separators=(",", ":")).encode()
        return MAGIC + head + b"\n" + zlib.compress(self.native.write(), 9)

    def _head(self) -> dict[str, Any]:
        names = seat_names(self.position)
        head: dict[str, Any] = {
            name: cards_text(hand) for name, hand in zip(names, self.position.hands, strict=True)
        } | {"turn": names[self.position.turn], "rules": self.rules.name, "landlord_wins": self.landlord_wins}
        if not self.position.last.is_pass:
            head |= {"last": str(self.position.last), "by": names[self.position.last_by]}
        return head


def build(
    position: Position, rules: Rules, *, seconds: float = 0.0, memory: int = DEFAULT_MEMORY, threads: int | None = None
) -> StrategyTree:
    """The winners' strategy: the landlord's, or the refutation when he loses. MingpaiError if a limit is reached."""
    solution = solve_position(position, rules, line=False, seconds=seconds, memory=memory, threads=threads)
    if solution.landlord_wins is None:
        raise MingpaiError("not proved within the limits, so there is no strategy to build")
    budget = Budget(max(seconds - solution.seconds, 0.001) if seconds > 0 else 0.0)
    wins = solution.landlord_wins
    size = memory_bytes(memory)
    built = interruptible(lambda: native.Strategy.build(position, rules.native, wins, budget, size), budget)
    if built is None:
        raise MingpaiError("the whole strategy was not built within the limits")
    return StrategyTree(position, rules, wins, built)


def load(path: Path) -> StrategyTree:
    """Read a file and verify it. Raises BadlyWritten."""
    return from_bytes(path.read_bytes(), str(path))


def from_bytes(data: bytes, name: str = "strategy") -> StrategyTree:
    """The strategy in `data`, verified by walking every defence."""
    if not data.startswith(MAGIC):
        raise BadlyWritten(name, f"a file that begins with {MAGIC.decode().strip()!r}")
    head, newline, body = data[len(MAGIC) :].partition(b"\n")
    try:
        facts = read_object(head)
        moves = zlib.decompress(body)
        rules = rules_of(facts["rules"])
        position = read_position(
            facts["landlord"], facts.get("farmer"), facts.get("down"), facts.get("up"), facts["turn"],
            facts.get("last", ""), facts.get("by", ""), rules,
        )  # fmt: skip
        wins = bool(facts["landlord_wins"])
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
        raise BadlyWritten(name, f"a strategy file ({error})") from None
    check_position(position, rules)
    read = native.Strategy.read(position, rules.native, wins, moves) if newline else None
    if read is None:
        raise BadlyWritten(name, "moves that win against every defence")
    return StrategyTree(position, rules, wins, read)
