"""A player beside the benchmark, decision by decision: the paper's figure 11."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mingpai.core.errors import MingpaiError
from mingpai.games.doudizhu.notation import cards_text
from mingpai.methods.bidding.model import PAPER_MODEL, BidModel
from mingpai.methods.bidding.raw import Convention, LogFile
from mingpai.methods.bidding.style import decisions_of_record
from mingpai.records.jsonl import BadLine, read_lines

Asked = tuple[int, int, int, int]
"""Phase, bid value, hand, and what the player did."""


@dataclass(frozen=True)
class Compared:
    """One decision."""

    phase: int
    """0 to call (or to bid a score), 1 to rob."""
    value: int
    """The bid so far, 0 to 2."""
    hand: str
    """The 17 cards."""
    bid: int
    """What the player did: 1 bid, 0 not."""
    benchmark: int
    """What the benchmark would have done."""
    probability: float
    """The benchmark's probability of a bid."""

    @property
    def deviation(self) -> int:
        """S of the paper: 1 over-rated, -1 under-rated, 0 the same."""
        return self.bid - self.benchmark

    def to_json(self) -> dict[str, Any]:
        fields = dataclasses.asdict(self) | {"probability": round(self.probability, 4)}
        return fields | {"deviation": self.deviation}


def compare(path: Path, convention: Convention, player: str, most: int, model: str = PAPER_MODEL) -> list[Compared]:
    """The first decisions of a player in a log, a raw one or Mingpai's own records, beside the benchmark's."""
    decisions = _of_records(path, player) if path.suffix == ".jsonl" else _of_log(path, convention, player)
    asked = [one for one, _ in zip(decisions, range(most), strict=False)]
    if not asked:
        return []
    phases, values, hands, _ = (np.array(column) for column in zip(*asked, strict=True))
    benchmark = BidModel(model)
    chances = benchmark.probabilities(phases, values, hands.astype(np.uint64))
    wanted = benchmark.bids(phases, values, hands.astype(np.uint64))
    rows = zip(asked, wanted, chances, strict=True)
    return [Compared(phase, value, cards_text(hand), int(bid > 0), int(would), float(chance))
            for (phase, value, hand, bid), would, chance in rows]  # fmt: skip


def _of_log(path: Path, convention: Convention, player: str) -> Iterator[Asked]:
    log = LogFile(path, convention)
    for block in log.blocks():
        if player not in log.players:
            continue
        mine = block.bids["player"] == log.players.index(player)
        columns = (block.bids[name][mine].tolist() for name in ("phase", "value", "hand", "bid"))
        yield from zip(*columns, strict=True)


def _of_records(path: Path, player: str) -> Iterator[Asked]:
    for line in read_lines(path):
        if isinstance(line, BadLine):
            continue
        try:
            decisions = list(decisions_of_record(line.record))
        except MingpaiError:
            continue
        yield from ((phase, value, hand, bid) for who, phase, value, hand, bid in decisions if who == player)
