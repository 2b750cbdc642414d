"""The four stages of an agent: understand, model, infer, decide. Each can be swapped on its own.

understand the observed actions in their context; model the players who made them; infer the hidden cards; decide.
"""

import time
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeVar

from mingpai.core.agent import Agent, S
from mingpai.core.decision import Belief, Decision
from mingpai.core.game import View
from mingpai.core.notes import Note, Stages

Understood_co = TypeVar("Understood_co", covariant=True)
Understood_contra = TypeVar("Understood_contra", contravariant=True)
Players_co = TypeVar("Players_co", covariant=True)
Players_contra = TypeVar("Players_contra", contravariant=True)


class Understand(Protocol[Understood_co]):
    """Reads the observed actions in their context."""

    def understand(self, view: Any) -> Understood_co: ...


class Model(Protocol[Understood_contra, Players_co]):
    """Says how the players act: P(action | hand, situation). With `model_many`, for many views at once."""

    def model(self, view: Any, actions: Understood_contra) -> Players_co: ...


class Infer(Protocol[Understood_contra, Players_contra]):
    """Turns actions and models into a belief about the hidden cards. It carries what the last stage needs of them."""

    def infer(self, view: Any, actions: Understood_contra, players: Players_contra) -> Belief: ...


class Decide(Protocol):
    """Chooses from a belief; its Decision carries the note of this stage."""

    def decide(self, view: Any, belief: Belief) -> Decision: ...


class StagedAgent(Agent[S]):
    """An agent composed of four stages. The Decision carries the note of each stage that offers one (`note`)."""

    understanding: Understand[Any]
    modelling: Model[Any, Any]
    inference: Infer[Any, Any]
    deciding: Decide

    def reseed(self, seed: int) -> None:
        super().reseed(seed)
        for stage in (self.understanding, self.modelling, self.inference, self.deciding):
            if callable(reseed := getattr(stage, "reseed", None)):
                reseed(seed)

    def without_stages(self, view: View) -> Decision | None:
        """A decision that needs no stages, such as a bid by counting; None where they decide."""
        return None

    @property
    def uses_chance(self) -> bool:
        """Whether the seed has a part in what the stages decide."""
        return self.is_random

    def decide(self, view: View) -> Decision:
        return self.decide_many([view])[0]

    def decide_many(self, views: Sequence[View]) -> list[Decision]:
        decisions = [self.without_stages(view) for view in views]
        staged = self._staged([view for view, made in zip(views, decisions, strict=True) if made is None])
        return [next(staged) if made is None else made for made in decisions]

    def _staged(self, views: Sequence[View]) -> Iterator[Decision]:
        if not views:
            return
        start = time.perf_counter()
        actions = [self.understanding.understand(view) for view in views]
        models = self._models(views, actions)
        shared = (time.perf_counter() - start) / len(views)
        for view, action, players in zip(views, actions, models, strict=True):
            start = time.perf_counter()
            belief = self.inference.infer(view, action, players)
            made = self.deciding.decide(view, belief)
            stages = Stages(_note(self.understanding, action), _note(self.modelling, players),
                            _note(self.inference, belief), made.stages.decide)  # fmt: skip
            yield Decision(
                made.move, made.candidates, made.value_unit, belief, stages, made.reasons, made.work,
                seconds=shared + time.perf_counter() - start, agent=self.spec,
                seed=self.seed if self.uses_chance else None,
            )  # fmt: skip

    def _models(self, views: Sequence[View], actions: Sequence[Any]) -> Sequence[Any]:
        many = getattr(self.modelling, "model_many", None)
        if callable(many):
            return list(many(views, actions))
        return [self.modelling.model(view, action) for view, action in zip(views, actions, strict=True)]


def _note(stage: object, product: object) -> Note | None:
    note = getattr(stage, "note", None)
    made = note(product) if callable(note) else None
    assert made is None or isinstance(made, Note)
    return made
