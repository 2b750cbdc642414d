"""Where decisions come from: many deals side by side, and the memory of what came of each decision."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from mingpai._native import mcm
from mingpai._native.doudizhu import Rules
from mingpai.core.random import seed_of
from mingpai.core.settings import setting
from mingpai.games.doudizhu.rules import rules_of
from mingpai.methods.mcm.network import ValueNet, row_sizes


@dataclass(frozen=True)
class TableSettings:
    """What is dealt and how much is tried."""

    rules: str = setting(
        "standard", "Rule profile; of several, with commas between them, every deal draws one: standard,douzero."
    )
    tables: int = setting(1024, "Deals played side by side.", (1, 1_000_000))
    explore: float = setting(
        0.05, "Chance of any legal move; falls to `last_explore` by the middle of the run.", (0, 1)
    )
    last_explore: float = setting(0.01, "Chance of any legal move in the second half of the run.", (0, 1))
    bid_share: float = setting(0.5, "Deals whose landlord is chosen by strength.", (0, 1))
    points_share: float = setting(0.5, "Deals played for points.", (0, 1))
    most_doublings: int = setting(
        3, "Returns in points are cut at so many doublings of the stake at the time of the decision.", (0, 20)
    )


@dataclass(frozen=True)
class MemorySettings:
    """How returns are made and how many of them are kept."""

    memory: int = setting(250_000, "Latest decisions to draw from.", (1, 10**9))
    first: int = setting(20_000, "Decisions in memory before learning starts.", (0, 10**9))
    lam: float = setting(
        0.88, "Weight of what came later against the network's own value at the seat's next decision.", (0, 1)
    )


@dataclass(frozen=True)
class EngineSettings:
    """Where the tables are."""

    engine: Literal["local", "ray"] = setting(
        "local", "Where the tables are: local, or ray (the extra `scale`): workers that play beside the learner."
    )
    workers: int = setting(2, "Processes of the engine ray; the tables are shared among them.", (1, 1024))


@dataclass(frozen=True)
class Choices:
    """Decisions of all tables: move i belongs to state of[i]."""

    states: Tensor
    moves: Tensor
    of: Tensor
    values: Tensor


class Memory:
    """The latest decisions with their returns, drawn from at random."""

    def __init__(self, size: int, seed: int, *, is_open: bool = False) -> None:
        self.samples = mcm.Samples(size, is_open)
        self._draw = torch.Generator().manual_seed(seed)
        self._columns = [torch.from_numpy(column) for column in
                         (self.samples.states, self.samples.moves, self.samples.wins, self.samples.points)]  # fmt: skip

    def __len__(self) -> int:
        return len(self.samples)

    def minibatch(self, size: int) -> list[Tensor]:
        """Decisions drawn from memory: states, moves, wins, points."""
        index = torch.randint(len(self.samples), (size,), generator=self._draw)
        return [column[index] for column in self._columns]


class SelfPlay:
    """The tables in this process, and the rows of features they write into."""

    def __init__(
        self,
        settings: TableSettings,
        seed: int,
        memory: Memory | None = None,
        *,
        is_open: bool = False,
        exact_cards: int = 0,
    ) -> None:
        self.batch = mcm.Batch(
            settings.tables, seed, profiles_of(settings.rules), settings.bid_share, settings.points_share, True,
            None if memory is None else memory.samples, is_open, exact_cards, settings.most_doublings,
        )  # fmt: skip
        state_size, self._move_size = row_sizes(is_open)
        self._states = np.zeros((settings.tables, state_size), np.uint8)
        self._moves = np.zeros((settings.tables, self._move_size), np.uint8)

    def counts(self) -> mcm.BatchCounts:
        """What has been played."""
        return self.batch.counts

    def ask(self, net: ValueNet) -> Choices:
        """What every table has to decide, and what the network makes of it. Good until the next call."""
        if len(self._moves) < self.batch.options:
            self._moves = np.zeros((2 * self.batch.options, self._move_size), np.uint8)
        self.batch.observe(self._states, self._moves)
        offsets = self.batch.offsets()
        of = torch.from_numpy(np.repeat(np.arange(len(self._states)), np.diff(offsets)))
        states, moves = torch.from_numpy(self._states), torch.from_numpy(self._moves[: offsets[-1]])
        return Choices(states, moves, of, net.values(states, moves, of))

    def answer(self, choices: Choices, explore: float, lam: float = 1.0) -> None:
        """The best move of every table, or now and then any. `lam` shapes the returns of what is remembered."""
        self.batch.act(choices.values.numpy(), choices.states.numpy(), choices.moves.numpy(), explore, lam)


def profiles_of(names: str) -> list[Rules]:
    """The rules that deals are played by. Raises BadSetting."""
    return [rules_of(name).native for name in names.split(",")]


def table_seed(seed: int, sitting: int) -> int:
    """Of the deals of a sitting."""
    return seed_of(seed, "tables", sitting)


def draw_seed(seed: int, sitting: int) -> int:
    """Of the draws from memory in a sitting."""
    return seed_of(seed, "draw", sitting)


def exploration(settings: TableSettings, progress: float) -> float:
    """Chance of any legal move: falls evenly to the middle of the run."""
    return settings.last_explore + (settings.explore - settings.last_explore) * max(0.0, 1 - 2 * progress)
