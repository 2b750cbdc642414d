"""Agents: what decides from a view. The arena calls the agent; the agent never calls the game."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from mingpai.core.decision import Decision
from mingpai.core.event import Event
from mingpai.core.game import Seat, View
from mingpai.core.random import Rng, seed_of, stream
from mingpai.core.settings import check


@dataclass(frozen=True)
class NoSettings:
    """The settings of an agent that has none."""


S = TypeVar("S")


class Agent(ABC, Generic[S]):
    """Decides from views. Its options are the fields of `Settings`, its presets named values of them.

    Memory between deals lives only here: it is filled by `observe` and `end_deal`, given out by `memory`, taken back by
    `recall`, and cleared by `start_match`. An agent without memory may serve many tables.
    """

    Settings: ClassVar[type] = NoSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Preset name -> settings that differ from the defaults."""
    rules: ClassVar[str] = ""
    """The only rule profile it can play; empty for any."""
    has_memory: ClassVar[bool] = False
    is_random: ClassVar[bool] = False
    """Whether chance plays a part: then decisions depend on the seed and on the view alone."""

    def __init__(self, settings: S, *, game: str, spec: str, seed: int = 0) -> None:
        check(settings, f"{spec.partition(':')[0]}:")
        self.settings = settings
        self.game = game
        """Name of the game it was made for."""
        self.spec = spec
        """How the agent was asked for, for example "mctshs:seconds=0.5"."""
        self.seed = seed

    def reseed(self, seed: int) -> None:
        """Decide by another seed from now on, as an agent made with it would; memory and networks stay."""
        self.seed = seed

    @abstractmethod
    def decide(self, view: View) -> Decision:
        """The decision for a view whose seat is to move. Never illegal; AgentFailed if it cannot be made."""

    def decide_many(self, views: Sequence[View]) -> list[Decision]:
        """Equal to deciding each view on its own; agents with a network batch them."""
        return [self.decide(view) for view in views]

    def start_match(self, seat: Seat, seats: int) -> None:
        """A match begins: forget everything."""

    def start_deal(self, view: View) -> None:
        """A deal begins; the view shows one's own cards."""

    def observe(self, event: Event) -> None:
        """Something happened that this seat can see."""

    def end_deal(self, points: Sequence[float]) -> None:
        """The deal is over; points of each seat."""

    def memory(self) -> dict[str, Any]:
        """What is remembered, JSON-ready."""
        return {}

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Take back what `memory` gave."""

    def close(self) -> None:
        """Release processes and files."""

    def rng(self, view: View) -> Rng:
        """The random stream for this view: the same for the same seed and view, whatever was decided before."""
        return stream(self.seed, "decide", view.key())

    def native_seed(self, view: View) -> int:
        """A seed for native code, by the same rule as `rng`."""
        return native_seed(self.seed, view)


def native_seed(seed: int, view: View) -> int:
    """The seed for native code of whoever decides this view by a seed."""
    return seed_of(seed, "native", view.key())
