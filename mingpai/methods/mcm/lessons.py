"""Lessons: decisions of a search in its own games, kept as shards that the paper's network learns from.

A teacher plays all three seats of shuffled deals; every choice among several LessSplit candidates is a lesson: the
position, the candidates, and for each how much of the search went into it and what it earned. A shard is some deals
whole, written at once or not at all, and depends on its number and the settings alone: so a folder can be filled in
several sittings, by several processes, with the same result.
"""

import functools
import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai._native import doudizhu, mcm
from mingpai._native.core import Budget
from mingpai._native.handsplit import Searcher, SearchSettings
from mingpai._native.ruleplay import Situation, Splitter
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.core.errors import MingpaiError
from mingpai.core.random import seed_of
from mingpai.core.reading import read_object
from mingpai.core.settings import setting
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.rules import rules_of
from mingpai.records.jsonl import replacing
from mingpai.training.run import as_json

RULES = "standard"
SLACK = 3
"""LessSplit: candidates occur in a partition of at most L_min + 3 parts."""
MANIFEST = "lessons.json"
SCHEMA = 1
ARRAYS = (
    "hands", "move_cards", "move_kinds", "move_starts", "lessons", "candidate_starts", "candidate_cards",
    "candidate_kinds", "shares", "values",
)  # fmt: skip
"""What a shard holds."""
TEST_PART = 10
"""One deal in so many is kept for testing."""
CHUNK = 4096


@functools.cache
def splitter(rules: str = RULES) -> Splitter:
    """The splitter of a rule profile."""
    return Splitter(rules_of(rules).native)


@dataclass(frozen=True)
class LessonSettings:
    """How lessons are made. What is set here decides every byte of the shards."""

    teacher: str = setting("mctshs", "Who plays: mctshs, or a model folder whose improvement module plays.")
    iterations: int = setting(1000, "Simulations of a decision.", (1, 1_000_000))
    stray: float = setting(0.03, "Share of moves made at random, so that positions vary; the lesson stays.", (0, 1))
    deals: int = setting(500, "Deals of a shard.", (1, 100_000))
    seed: int = setting(1, "Seed of the first shard.", (0, 2**31))


@dataclass(frozen=True)
class Opinion:
    """What a teacher thinks of one candidate."""

    move: Move
    share: float
    """Part of the search that went into it."""
    value: float
    """Mean result of its simulations for the side to move; 0 where none was made."""


@dataclass
class LiveDeal:
    """A deal in play. Roles: 0 is the landlord."""

    hands: list[int]
    bottom: int
    rng: np.random.Generator
    seed: int
    history: list[tuple[int, Move]] = field(default_factory=list)

    @property
    def role(self) -> int:
        return len(self.history) % 3

    @property
    def is_over(self) -> bool:
        return not all(self.hands)

    @property
    def last(self) -> Move:
        """The move to beat; a pass when the role to move leads."""
        return next((move for _, move in self.history[:-3:-1] if not move.is_pass), doudizhu.Move())

    def situation(self, rules: doudizhu.Rules) -> Situation:
        counts = [doudizhu.card_count(hand) for hand in self.hands]
        return Situation(rules, self.role, self.hands[self.role], counts, self.bottom, doudizhu.FULL_DECK, self.history)

    def play(self, move: Move) -> None:
        role = self.role
        self.hands[role] -= move.cards
        self.history.append((role, move))


Teacher = Callable[[Sequence[LiveDeal]], list[list[Opinion]]]
"""The candidates of each deal's role to move, the choice first."""


class SearchTeacher:
    """Our MCTSHS, the agent `mctshs`: LessSplit candidates, uniform worlds, roll-outs by the fast rule player."""

    def __init__(self, iterations: int) -> None:
        self._rules = doudizhu.profile(RULES)
        self._searcher = Searcher(self._rules, tuned_weights())
        self._settings = SearchSettings()
        self._settings.iterations = iterations
        self._settings.slack = SLACK
        self._settings.width = 96

    def __call__(self, deals: Sequence[LiveDeal]) -> list[list[Opinion]]:
        return [self._decide(deal) for deal in deals]

    def _decide(self, deal: LiveDeal) -> list[Opinion]:
        seed = seed_of(deal.seed, "decision", len(deal.history))
        tree = self._searcher.search(deal.situation(self._rules), None, self._settings, seed, Budget())
        return [Opinion(root.move, root.visits / tree.iterations, root.value) for root in tree.moves]


def dealt(seed: int) -> LiveDeal:
    """A shuffled deal; the landlord is any seat, and takes the bottom cards."""
    deal = doudizhu.shuffled_deal(seed)
    hands = list(deal.hands)
    hands[0] += deal.bottom
    return LiveDeal(hands, deal.bottom, np.random.default_rng(seed), seed)


class Shard:
    """Lessons as arrays, while they are written."""

    def __init__(self) -> None:
        self.hands: list[list[int]] = []
        self.history: list[Sequence[Move]] = []
        self.lessons: list[tuple[int, int]] = []
        self.opinions: list[list[Opinion]] = []

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        told = [opinion for each in self.opinions for opinion in each]
        played = [move for each in self.history for move in each]
        return {
            "hands": np.array(self.hands, np.uint64),
            "move_cards": np.array([move.cards for move in played], np.uint64),
            "move_kinds": kinds_of(played),
            "move_starts": np.cumsum([0, *map(len, self.history)], dtype=np.int32),
            "lessons": np.array(self.lessons, np.int32).reshape(-1, 2),
            "candidate_starts": np.cumsum([0, *map(len, self.opinions)], dtype=np.int32),
            "candidate_cards": np.array([opinion.move.cards for opinion in told], np.uint64),
            "candidate_kinds": kinds_of([opinion.move for opinion in told]),
            "shares": np.array([opinion.share for opinion in told], np.float16),
            "values": np.array([opinion.value for opinion in told], np.float16),
        }


def kinds_of(moves: Sequence[Move]) -> NDArray[np.uint8]:
    """Type, rank and length of each move."""
    return np.array([(int(move.type), move.rank, move.length) for move in moves], np.uint8).reshape(-1, 3)


def play_shard(number: int, settings: LessonSettings, teacher: Teacher) -> Shard:
    """Plays the deals of one shard side by side."""
    deals = [dealt(seed_of(settings.seed, "lessons", number, i)) for i in range(settings.deals)]
    shard = Shard()
    shard.hands = [list(deal.hands) for deal in deals]
    while live := [i for i, deal in enumerate(deals) if not deal.is_over]:
        choosing = []
        for i in live:
            candidates = splitter().less_split_moves(deals[i].hands[deals[i].role], deals[i].last, SLACK)
            if len(candidates) > 1:
                choosing.append(i)
            else:
                deals[i].play(candidates[0])
        for i, told in zip(choosing, teacher([deals[i] for i in choosing]), strict=True):
            shard.lessons.append((i, len(deals[i].history)))
            shard.opinions.append(told)
            deals[i].play(_played(deals[i], told, settings.stray))
    shard.history = [[move for _, move in deal.history] for deal in deals]
    return shard


def _played(deal: LiveDeal, told: Sequence[Opinion], stray: float) -> Move:
    """The teacher's choice, or now and then any candidate."""
    if deal.rng.random() < stray:
        return told[int(deal.rng.integers(len(told)))].move
    return told[0].move


def shard_path(folder: Path, number: int) -> Path:
    return folder / f"lessons-{number:05}.npz"


def write_lessons(
    folder: Path, settings: LessonSettings, numbers: Sequence[int], teacher: Teacher
) -> Iterator[tuple[int, int]]:
    """Writes the shards that are missing; yields the number and the lessons of each."""
    _claim(folder, settings)
    for number in numbers:
        path = shard_path(folder, number)
        if path.exists():
            continue
        shard = play_shard(number, settings, teacher)
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez_compressed(file, **shard.arrays())  # type: ignore[arg-type]
        yield number, len(shard.lessons)


def _claim(folder: Path, settings: LessonSettings) -> None:
    """Writes the manifest, or checks that the folder's is of these settings."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / MANIFEST
    wanted = {"schema": SCHEMA, "rules": RULES, "settings": as_json(settings)}
    if manifest.exists():
        if read_object(manifest.read_bytes()) != wanted:
            raise MingpaiError(f"{folder} holds lessons of other settings: name another folder")
        return
    with replacing(manifest) as temporary:
        temporary.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")


class Lessons:
    """The lessons of folders, together: deals, and for each lesson the deal, the ply and the candidates."""

    def __init__(self, folders: Sequence[Path]) -> None:
        paths = [path for folder in folders for path in sorted(folder.glob("lessons-*.npz"))]
        if not paths:
            raise MingpaiError(f"no shards lessons-*.npz in {', '.join(map(str, folders))}: make some first")
        shards = [_read_shard(path) for path in paths]
        self.hands = np.concatenate([shard["hands"] for shard in shards])
        self.move_cards = np.concatenate([shard["move_cards"] for shard in shards])
        self.move_kinds = np.concatenate([shard["move_kinds"] for shard in shards])
        self.move_starts = _joined_starts([shard["move_starts"] for shard in shards])
        deals = np.cumsum([0, *(len(shard["hands"]) for shard in shards)])
        moved = [shard["lessons"] + [first, 0] for shard, first in zip(shards, deals[:-1], strict=True)]
        self.lessons = np.concatenate(moved).astype(np.int32)
        self.starts = _joined_starts([shard["candidate_starts"] for shard in shards])
        self.cards = np.concatenate([shard["candidate_cards"] for shard in shards])
        self.kinds = np.concatenate([shard["candidate_kinds"] for shard in shards])
        self.shares = np.concatenate([shard["shares"] for shard in shards])
        self.values = np.concatenate([shard["values"] for shard in shards])

    def __len__(self) -> int:
        return len(self.lessons)

    def batch(self, which: NDArray[np.int64]) -> "Batch":
        """The tensors of some lessons."""
        planes, hands = self.planes(which)
        counts = self.starts[which + 1] - self.starts[which]
        of = np.repeat(np.arange(len(which)), counts)
        rows = np.arange(len(of)) + np.repeat(self.starts[which] - np.cumsum(counts) + counts, counts)
        roles = (self.lessons[which, 1] % 3).astype(np.uint8)
        candidates = mcm.candidate_planes(roles[of], hands[of], self.cards[rows], self.kinds[rows])
        return Batch(planes, candidates, of, self.shares[rows].astype(np.float32), self.values[rows].astype(np.float32))

    def planes(self, which: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        """The paper's tensors of some lessons, and the hands of the seats that decide."""
        return mcm.lesson_planes(self.hands, self.move_cards, self.move_kinds, self.move_starts, self.lessons[which])

    def distinct(self) -> NDArray[np.int64]:
        """The lessons with equal tensors left out: the first of each stays."""
        seen: dict[bytes, int] = {}
        for start in range(0, len(self), CHUNK):
            which = np.arange(start, min(start + CHUNK, len(self)))
            for i, tensor in zip(which, self.planes(which)[0], strict=True):
                seen.setdefault(hashlib.blake2b(np.packbits(tensor).tobytes(), digest_size=16).digest(), int(i))
        return np.fromiter(seen.values(), np.int64, len(seen))

    def parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Distinct lessons to learn from and to test with, nine to one: whole deals, so that none is on both sides."""
        kept = self.distinct()
        tests = np.array([seed_of(int(first), "part") % TEST_PART == 0 for first in self.hands[:, 0]])
        is_test = tests[self.lessons[kept, 0]]
        return kept[~is_test], kept[is_test]


@dataclass(frozen=True)
class Batch:
    """Some lessons as the network takes them."""

    planes: NDArray[np.uint8]
    candidates: NDArray[np.uint8]
    of: NDArray[np.int64]
    """The lesson of each candidate."""
    shares: NDArray[np.float32]
    values: NDArray[np.float32]


def _joined_starts(each: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    ends = np.cumsum([0, *(starts[-1] for starts in each)])
    moved = [starts[:-1] + before for starts, before in zip(each, ends[:-1], strict=True)]
    return np.concatenate([*moved, ends[-1:]]).astype(np.int32)


def _read_shard(path: Path) -> dict[str, NDArray[Any]]:
    try:
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in ARRAYS}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise MingpaiError(f"{path} holds no lessons: {error}") from None
