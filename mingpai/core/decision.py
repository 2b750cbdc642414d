"""A decision that explains itself: the same object for every agent, game and window."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from mingpai.core.notes import Stages
from mingpai.core.random import Rng
from mingpai.core.reasons import Reason
from mingpai.core.writing import json_text

if TYPE_CHECKING:
    from mingpai.core.game import Move, State

ValueUnit = Literal["win", "points", "chips"]
VALUE_UNITS: tuple[ValueUnit, ...] = ("win", "points", "chips")


class Belief(ABC):
    """A distribution over the worlds that agree with a view."""

    @abstractmethod
    def marginals(self) -> Mapping[str, Mapping[str, float]]:
        """Seat name -> card (or hand class) -> expected number of copies, or probability."""

    @abstractmethod
    def sample(self, rng: Rng, count: int) -> "Sequence[State]":
        """Worlds drawn from the distribution."""

    @abstractmethod
    def log_prob(self, world: "State") -> float:
        """Natural logarithm of the world's probability; -inf where impossible."""


@dataclass(frozen=True)
class Candidate:
    """A move that was considered."""

    move: "Move"
    value: float | None = None
    """Expected result for the side to move, in the decision's unit; None if not estimated."""
    probability: float | None = None
    """How likely the agent's policy is to play it; None if it has no policy."""
    visits: int | None = None
    """How often a search tried it; None without search."""

    def to_json(self) -> dict[str, object]:
        return {"move": str(self.move), "value": _number(self.value), "probability": _number(self.probability),
                "visits": self.visits}  # fmt: skip


@dataclass(frozen=True)
class Decision:
    """The chosen move, and why."""

    move: "Move"
    candidates: Sequence[Candidate] = ()
    """What was considered, best first."""
    value_unit: ValueUnit = "win"
    """Unit of the values, always from the point of view of the side to move."""
    belief: Belief | None = None
    """What the agent believes of the hidden cards; None if it did not ask."""
    stages: Stages = field(default_factory=Stages)
    """What the stages understand, model, infer and decide found."""
    reasons: Sequence[Reason] = ()
    work: Mapping[str, float] = field(default_factory=dict)
    """Work done, by kind: iterations, nodes, worlds, evaluations."""
    seconds: float = 0.0
    """Wall time spent."""
    agent: str = ""
    """The spec of the agent."""
    seed: int | None = None
    """The seed the agent was made with; None if chance played no part."""

    def to_json(self) -> dict[str, object]:
        """The Decision as `decision.schema.json` describes it."""
        return {
            "move": str(self.move),
            "candidates": [candidate.to_json() for candidate in self.candidates],
            "value_unit": self.value_unit,
            "belief": None if self.belief is None else {s: dict(c) for s, c in self.belief.marginals().items()},
            "stages": self.stages.to_json(),
            "reasons": [reason.to_json() for reason in self.reasons],
            "work": dict(self.work),
            "seconds": self.seconds,
            "agent": self.agent,
            "seed": self.seed,
        }

    def dumps(self) -> str:
        """One line of JSON."""
        return json_text(self.to_json())


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
