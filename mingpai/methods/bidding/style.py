"""The bidding style of a player: how far what he bids lies from the benchmark.

S = the player's action - the benchmark's (1 bid, 0 not). m decisions are over-estimated (S = 1), u under-estimated (S
= -1); the player bid on n hands, the benchmark on b. As printed, mu = m / (n - eps) is never negative; signed, the
under-estimated share u / b of the hands the benchmark bids is subtracted, which changes nothing for who never under-
bids. sigma = sqrt(sum S^2 / (N - 1)). Three classes by mu, two by sigma, from N = 10 decisions on.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mingpai._native.doudizhu import Bidding
from mingpai.core.errors import BadlyWritten, BadSetting, MingpaiError
from mingpai.core.reasons import Language
from mingpai.games.doudizhu.notation import parse_bid
from mingpai.games.doudizhu.rules import rules_of
from mingpai.games.doudizhu.state import start
from mingpai.methods.bidding.model import PAPER_MODEL, BidModel
from mingpai.methods.bidding.raw import Convention, LogFile
from mingpai.methods.bidding.situation import situation_after
from mingpai.records.jsonl import BadLine, read_lines
from mingpai.records.record import Record

EPSILON = 1e-4
LEAST_DECISIONS = 10
"""Fewer decisions make no style."""

TENDENCY_BORDER = 1 / 3
SPREAD_BORDER = 2 / 3

Formula = Literal["signed", "printed"]

Tendency = Literal["conservative", "risk", "aggressive"]
TENDENCIES: tuple[Tendency, ...] = ("conservative", "risk", "aggressive")


@dataclass(frozen=True)
class StyleClass:
    """One of the six classes."""

    tendency: Tendency
    rational: bool

    @property
    def code(self) -> str:
        return f"{self.tendency}_{'rational' if self.rational else 'irrational'}"

    def name(self, language: Language = "en") -> str:
        return NAMES[self.code][language]


NAMES: dict[str, dict[Language, str]] = {
    "conservative_rational": {"en": "conservative, rational", "zh": "保守理性型"},
    "conservative_irrational": {"en": "conservative, irrational", "zh": "保守非理性型"},
    "risk_rational": {"en": "risk-taking, rational", "zh": "风险理性型"},
    "risk_irrational": {"en": "risk-taking, irrational", "zh": "风险非理性型"},
    "aggressive_rational": {"en": "aggressive, rational", "zh": "激进理性型"},
    "aggressive_irrational": {"en": "aggressive, irrational", "zh": "激进非理性型"},
}

CLASSES: tuple[StyleClass, ...] = tuple(
    StyleClass(tendency, rational) for tendency in TENDENCIES for rational in (True, False)
)


def class_of(mu: float, sigma: float) -> StyleClass:
    """The class of the two indices: table 1 of the paper."""
    place = 0 if mu < -TENDENCY_BORDER else 1 if mu < TENDENCY_BORDER else 2
    return StyleClass(TENDENCIES[place], sigma < SPREAD_BORDER)


@dataclass(frozen=True)
class PlayerStyle:
    """The decisions of a player, counted, and what follows from them."""

    player: str
    decisions: int
    """N: how often the player was asked."""
    bids: int
    """n: hands the player bid on."""
    benchmark_bids: int
    """b: hands the benchmark bids on."""
    over: int
    """m: hands the player bid on and the benchmark does not."""
    under: int
    """u: hands the benchmark bids on and the player did not."""

    @property
    def mu_printed(self) -> float:
        return self.over / (self.bids - EPSILON) if self.bids else 0.0

    @property
    def mu_signed(self) -> float:
        return self.mu_printed - (self.under / self.benchmark_bids if self.benchmark_bids else 0.0)

    def mu(self, formula: Formula = "signed") -> float:
        return self.mu_signed if formula == "signed" else self.mu_printed

    @property
    def sigma(self) -> float:
        return math.sqrt((self.over + self.under) / (self.decisions - 1)) if self.decisions > 1 else 0.0

    def style(self, formula: Formula = "signed") -> StyleClass | None:
        """The class; None for fewer than 10 decisions."""
        return class_of(self.mu(formula), self.sigma) if self.decisions >= LEAST_DECISIONS else None

    def to_json(self) -> dict[str, Any]:
        style, printed = self.style(), self.style("printed")
        return {
            "player": self.player,
            "decisions": self.decisions,
            "bids": self.bids,
            "benchmark_bids": self.benchmark_bids,
            "over": self.over,
            "under": self.under,
            "mu": self.mu_signed,
            "mu_printed": self.mu_printed,
            "sigma": self.sigma,
            "class": None if style is None else style.code,
            "class_printed": None if printed is None else printed.code,
            "name": None if style is None else NAMES[style.code],
        }


def style_of(player: str, actions: ArrayLike, benchmark: ArrayLike) -> PlayerStyle:
    """The style of one player from his actions and the benchmark's on the same decisions (0 no bid, else a bid)."""
    did, wanted = np.asarray(actions) > 0, np.asarray(benchmark) > 0
    if did.shape != wanted.shape:
        raise BadSetting("benchmark", wanted.shape, f"one action for each of {did.size} decisions")
    over, under = int((did & ~wanted).sum()), int((~did & wanted).sum())
    return PlayerStyle(player, did.size, int(did.sum()), int(wanted.sum()), over, under)


class StyleCounter:
    """Adds up decisions of many players."""

    def __init__(self, model: BidModel) -> None:
        self.model = model
        self._counts = np.zeros((0, 5), np.int64)

    def add(self, player: NDArray[Any], phase: ArrayLike, value: ArrayLike, hands: ArrayLike, bid: ArrayLike) -> None:
        """Decisions of players by number."""
        if not len(player):
            return
        did, wanted = np.asarray(bid) > 0, self.model.bids(phase, value, hands)
        size = max(len(self._counts), int(player.max()) + 1)
        grown = np.zeros((size, 5), np.int64)
        grown[: len(self._counts)] = self._counts
        for place, which in enumerate((np.ones_like(did), did, wanted, did & ~wanted, ~did & wanted)):
            grown[:, place] += np.bincount(player[which], minlength=size)
        self._counts = grown

    def styles(self, names: Sequence[str]) -> list[PlayerStyle]:
        """Players with at least one decision, those with the most first."""
        styles = [PlayerStyle(name, *map(int, row)) for name, row in zip(names, self._counts, strict=False) if row[0]]
        return sorted(styles, key=lambda style: (-style.decisions, style.player))


@dataclass(frozen=True)
class StyleTable:
    """The styles of the players of a log."""

    styles: tuple[PlayerStyle, ...]
    """Those with the most decisions first; with fewer than 10 they have no class."""
    records: int
    """Games read."""
    malformed: dict[str, tuple[int, list[int]]]
    """What is wrong with lines that are no records -> how many, and the numbers of the first."""
    model: str
    """The benchmark."""

    def of(self, player: str) -> PlayerStyle:
        """The style of a player. Raises BadSetting."""
        for style in self.styles:
            if style.player == player:
                return style
        some = ", ".join(style.player for style in self.styles[:3])
        raise BadSetting("player", player, f"a player of the log, such as {some}" if some else "a log with players")

    def to_json(self) -> dict[str, Any]:
        malformed = {name: {"lines": count, "first": first} for name, (count, first) in self.malformed.items()}
        return {"records": self.records, "malformed": malformed, "model": self.model,
                "players": [style.to_json() for style in self.styles]}  # fmt: skip


def styles_of_log(path: Path, convention: Convention, model: str = PAPER_MODEL) -> StyleTable:
    """The styles of all players of a log: a raw one, or Mingpai's own records (.jsonl)."""
    counter = StyleCounter(BidModel(model))
    if path.suffix == ".jsonl":
        return _styles_of_records(path, counter)
    log = LogFile(path, convention)
    for block in log.blocks():
        bids = block.bids
        counter.add(bids["player"], bids["phase"], bids["value"], bids["hand"], bids["bid"])
    report = log.report()
    return StyleTable(tuple(counter.styles(log.players)), report.records, report.faults, model)


def _styles_of_records(path: Path, counter: StyleCounter) -> StyleTable:
    numbers: dict[str, int] = {}
    bad: list[int] = []
    records = 0
    waiting: list[tuple[str, int, int, int, int]] = []

    def count() -> None:
        columns = [np.array(column) for column in zip(*(row[1:] for row in waiting), strict=True)]
        if waiting:
            players = np.array([numbers.setdefault(row[0], len(numbers)) for row in waiting])
            counter.add(players, columns[0], columns[1], columns[2].astype(np.uint64), columns[3])
        waiting.clear()

    for line in read_lines(path):
        if isinstance(line, BadLine):
            bad.append(line.number)
            continue
        try:
            waiting.extend(decisions_of_record(line.record))
            records += 1
        except MingpaiError:
            bad.append(line.number)
        if len(waiting) >= 10_000:
            count()
    count()
    malformed = {"record": (len(bad), bad[:5])} if bad else {}
    return StyleTable(tuple(counter.styles(list(numbers))), records, malformed, counter.model.name)


def decisions_of_record(record: Record) -> Iterable[tuple[str, int, int, int, int]]:
    """The bidding decisions of a recorded deal: player, phase, bid value, hand, bid. None without bidding."""
    if record.game != "doudizhu":
        raise BadSetting("game", record.game, "doudizhu")
    rules = rules_of(record.rules)
    if rules.bidding == Bidding.NONE or "landlord" in record.setup:
        return []
    state = start(record.deck, record.rules, record.setup)
    if len(record.players) != state.seats:
        raise BadlyWritten(list(record.players), f"the players of {state.seats} seats")
    out, bids = [], list[int]()
    for event in record.events:
        if event.kind != "bid" or event.seat is None:
            continue
        if event.seat != state.to_move:
            raise BadlyWritten(event.to_json(), f"a bid of seat {state.to_move}")
        asked, bid = situation_after(bids, rules.bidding), parse_bid(event.text)
        out.append((record.players[event.seat], asked.phase, asked.value, state.hand(event.seat), bid.value))
        bids.append(bid.value)
        state.play(bid)
    return out
