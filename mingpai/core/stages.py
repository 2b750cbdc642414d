"""The four stages of an agent: understand, model, infer, decide. Each can be swapped on its own.

understand an observed action in its context; model the player who made it; infer the hidden cards; decide.
"""

import dataclasses
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from mingpai.core.agent import Agent, S
from mingpai.core.decision import Belief, Decision
from mingpai.core.game import Seat, View

Understood = TypeVar("Understood")
Understood_co = TypeVar("Understood_co", covariant=True)
Understood_contra = TypeVar("Understood_contra", contravariant=True)
Player = TypeVar("Player")
Player_co = TypeVar("Player_co", covariant=True)
Player_contra = TypeVar("Player_contra", contravariant=True)


class Understand(Protocol[Understood_co]):
    """Reads the observed actions in their context."""

    def understand(self, view: View) -> Sequence[Understood_co]: ...


class Model(Protocol[Understood_contra, Player_co]):
    """Says how each player acts: P(action | hand, situation)."""

    def model(self, view: View, actions: Sequence[Understood_contra]) -> Mapping[Seat, Player_co]: ...


class Infer(Protocol[Understood_contra, Player_contra]):
    """Turns actions and models into a belief about the hidden cards."""

    def infer(
        self, view: View, actions: Sequence[Understood_contra], players: Mapping[Seat, Player_contra]
    ) -> Belief: ...


class Decide(Protocol):
    """Chooses from a belief."""

    def decide(self, view: View, belief: Belief) -> Decision: ...


class StagedAgent(Agent[S]):
    """An agent composed of four stages. The Decision carries a note of each stage that offers one (`note()`)."""

    understanding: Understand[Any]
    modelling: Model[Any, Any]
    inference: Infer[Any, Any]
    deciding: Decide

    def reseed(self, seed: int) -> None:
        super().reseed(seed)
        for stage in (self.understanding, self.modelling, self.inference, self.deciding):
            if callable(reseed := getattr(stage, "reseed", None)):
                reseed(seed)

    def decide(self, view: View) -> Decision:
        start = time.perf_counter()
        actions = self.understanding.understand(view)
        players = self.modelling.model(view, actions)
        belief = self.inference.infer(view, actions, players)
        decision = self.deciding.decide(view, belief)
        notes = {"understand": _note(self.understanding, actions), "model": _note(self.modelling, players),
                 "infer": _note(self.inference, belief), "decide": decision.stages.get("decide")}  # fmt: skip
        return dataclasses.replace(
            decision, belief=belief, stages=notes, agent=self.spec, seed=self.seed if self.is_random else None,
            seconds=time.perf_counter() - start,
        )  # fmt: skip


def _note(stage: object, product: object) -> object:
    note = getattr(stage, "note", None)
    return note(product) if callable(note) else None
