"""Where rounds are played for learning: in this process, or by workers on Ray. A worker that dies is replaced."""

import io
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import torch

from mingpai.arena.workers import Workers
from mingpai.core.errors import BadSetting
from mingpai.core.random import seed_of
from mingpai.methods.abduction.actor import NOBODY, PLAINLY, RULE4, Actor, Collecting, Decisions, OpenJudge, joined
from mingpai.methods.abduction.duel import Chooser
from mingpai.methods.abduction.network import AblNet, Shape

ENGINES = ("local", "ray")
RECENT_ROUNDS = 2000
"""Rounds against the bot that `bot_points` is about."""


class Source(Protocol):
    """Gives decisions of finished rounds."""

    def imitate(self, player: int, decisions: int, net: AblNet | None = None) -> Decisions: ...

    def collect(
        self, net: AblNet, judge: OpenJudge | None, decisions: int, how: Collecting = PLAINLY,
        rivals: Mapping[int, Chooser] = NOBODY,
    ) -> Decisions: ...  # fmt: skip

    def rounds(self) -> int:
        """Rounds finished so far in this sitting."""
        ...

    def bot_points(self) -> float:
        """Mean score of the latest rounds against the bot, as sampled in training; nan where none is played."""
        ...


class LocalSource:
    """Tables in this process."""

    def __init__(
        self, *, tables: int, seed: int, bot_tables: int, gamma: float, lam: float, blind: bool = False,
        rival_tables: int = 0, searching_tables: int = 0, bots: Sequence[int] = (RULE4,),
    ) -> None:  # fmt: skip
        apart, rest = seed_of(seed, "bots"), tables - bot_tables
        self._bots = Actor(bot_tables, apart, bot_tables, gamma, lam, bots, blind) if bot_tables else None
        rivals = (rival_tables, searching_tables)
        self._self = Actor(rest, seed, 0, gamma, lam, (), blind, *rivals) if rest else None
        self._share = bot_tables / tables
        self._scores: list[tuple[int, int]] = [(0, 0)]

    def _actors(self, decisions: int) -> list[tuple[Actor, int]]:
        parts = [(self._bots, round(self._share * decisions)), (self._self, round((1 - self._share) * decisions))]
        return [(actor, wanted) for actor, wanted in parts if actor is not None and wanted > 0]

    def imitate(self, player: int, decisions: int, net: AblNet | None = None) -> Decisions:
        return joined([actor.imitate(player, wanted, net) for actor, wanted in self._actors(decisions)])

    def collect(
        self, net: AblNet, judge: OpenJudge | None, decisions: int, how: Collecting = PLAINLY,
        rivals: Mapping[int, Chooser] = NOBODY,
    ) -> Decisions:  # fmt: skip
        return joined([actor.collect(net, judge, wanted, how, rivals) for actor, wanted in self._actors(decisions)])

    def rounds(self) -> int:
        return sum(actor.tables.counts.rounds for actor in (self._bots, self._self) if actor is not None)

    def bot_points(self) -> float:
        if self._bots is None:
            return float("nan")
        counts = self._bots.tables.counts
        self._scores.append((counts.rounds, counts.points))
        while len(self._scores) > 2 and counts.rounds - self._scores[1][0] >= RECENT_ROUNDS:
            self._scores.pop(0)
        rounds, points = self._scores[0]
        return (counts.points - points) / max(1, counts.rounds - rounds)


class Worker:
    """What runs in a Ray worker: tables and a copy of the networks."""

    def __init__(self, shape: dict[str, Any], **tables: Any) -> None:
        torch.set_num_threads(1)
        self._source = LocalSource(**tables)
        self._net, self._judge = AblNet(Shape(**shape)), OpenJudge()

    def imitate(self, player: int, decisions: int) -> Decisions:
        return self._source.imitate(player, decisions)

    def collect(self, weights: bytes, with_judge: bool, decisions: int, how: Collecting) -> Decisions:
        state = torch.load(io.BytesIO(weights), weights_only=True)
        self._net.load_state_dict(state["net"])
        self._judge.load_state_dict(state["critic"])
        return self._source.collect(self._net, self._judge if with_judge else None, decisions, how)

    def facts(self) -> tuple[int, float]:
        return self._source.rounds(), self._source.bot_points()


class RaySource:
    """Workers on Ray, on a cluster or on a local Ray started here. The tables are shared out among them."""

    def __init__(
        self, workers: int, shape: dict[str, Any], *, tables: int, seed: int, bot_tables: int, **rest: Any
    ) -> None:
        count = max(1, workers)
        share = dict(rest, shape=shape, tables=max(1, tables // count), bot_tables=bot_tables // count)
        self.workers = Workers(Worker, workers, lambda number: share | {"seed": seed_of(seed, "worker", number + 1)})

    def imitate(self, player: int, decisions: int, net: AblNet | None = None) -> Decisions:
        """The facts of options never need a network here: settings that do are refused."""
        return joined(self.workers.each("imitate", player, decisions // len(self.workers)))

    def collect(
        self, net: AblNet, judge: OpenJudge | None, decisions: int, how: Collecting = PLAINLY,
        rivals: Mapping[int, Chooser] = NOBODY,
    ) -> Decisions:  # fmt: skip
        """Rivals never play here: settings that want them are refused."""
        file = io.BytesIO()
        torch.save({"net": net.state_dict(), "critic": (judge or OpenJudge()).state_dict()}, file)
        weights = self.workers.shared(file.getvalue())
        return joined(self.workers.each("collect", weights, judge is not None, decisions // len(self.workers), how))

    def rounds(self) -> int:
        return sum(rounds for rounds, _ in self.workers.each("facts"))

    def bot_points(self) -> float:
        return float(sum(points for _, points in self.workers.each("facts")) / len(self.workers))


def open_source(engine: str, workers: int, *, shape: dict[str, Any], **tables: Any) -> Source:
    """The source of an engine."""
    if engine == "ray":
        return RaySource(workers, shape, **tables)
    if engine != "local":
        raise BadSetting("engine", engine, f"one of {', '.join(ENGINES)}")
    return LocalSource(**tables)
