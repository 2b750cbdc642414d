"""The knowledge base (`knowledge.toml`) and the inconsistency minimiser: from pseudo-actions to a play and why."""

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.core.errors import MingpaiError
from mingpai.core.reasons import Language
from mingpai.games.guandan.features import action_text
from mingpai.games.guandan.moves import PSEUDO_ACTIONS, Play

FILE = Path(__file__).with_name("knowledge.toml")
RULE_NAMES: tuple[str, ...] = tuple(abduction.rule_names())
"""Soft rules in the order of weights and measures."""


@dataclass(frozen=True)
class KnowledgeRule:
    """A rule with its explanation."""

    name: str
    texts: Mapping[Language, str]
    weight: float | None = None
    """Price of one unit of its measure; None for a hard rule, which nothing outweighs."""


@dataclass(frozen=True)
class KnowledgeBase:
    """Hard and soft rules."""

    hard: Mapping[str, KnowledgeRule]
    soft: tuple[KnowledgeRule, ...]
    """In the order of RULE_NAMES."""

    @property
    def weights(self) -> list[float]:
        return [rule.weight or 0.0 for rule in self.soft]

    def with_weights(self, weights: Sequence[float]) -> "KnowledgeBase":
        """The same rules with other prices."""
        soft = tuple(KnowledgeRule(rule.name, rule.texts, float(w)) for rule, w in zip(self.soft, weights, strict=True))
        return KnowledgeBase(self.hard, soft)


def read_knowledge(path: Path = FILE) -> KnowledgeBase:
    """The knowledge base of a file. Raises MingpaiError unless it has exactly the soft rules that can be measured."""
    with path.open("rb") as file:
        data = tomllib.load(file)
    hard = {name: KnowledgeRule(name, {"en": item["en"], "zh": item["zh"]}) for name, item in data["hard"].items()}
    given = data["soft"]
    if set(given) != set(RULE_NAMES):
        raise MingpaiError(f"{path}: soft rules {sorted(given)}, but measures exist for {sorted(RULE_NAMES)}")
    soft = tuple(
        KnowledgeRule(name, {"en": given[name]["en"], "zh": given[name]["zh"]}, float(given[name]["weight"]))
        for name in RULE_NAMES
    )
    return KnowledgeBase(hard, soft)


@functools.cache
def knowledge() -> KnowledgeBase:
    """The shipped knowledge base."""
    return read_knowledge()


@dataclass(frozen=True)
class Judged:
    """A concrete candidate of a pseudo-action."""

    play: Play
    broken: Mapping[str, float]
    """Soft rule -> how much of it the play breaks; rules that it keeps are left out."""
    inconsistency: float
    """Sum of weight times measure."""
    probability: float
    """Scores of the candidates as a distribution: softmax of minus the inconsistency."""


@dataclass(frozen=True)
class Dropped:
    """A pseudo-action that was likelier but has no candidate that keeps the hard rules."""

    pseudo: int
    rule: KnowledgeRule


@dataclass(frozen=True)
class Abduced:
    """What the minimiser found."""

    pseudo: int
    candidates: tuple[Judged, ...]
    """Consistent plays of the pseudo-action, best first."""
    dropped: tuple[Dropped, ...]
    """Pseudo-actions that it fell through."""

    @property
    def play(self) -> Play:
        return self.candidates[0].play

    def deciding(self) -> list[str]:
        """The soft rules in which the best candidate differs from the second: those that decided."""
        if len(self.candidates) < 2:
            return []
        first, second = self.candidates[0].broken, self.candidates[1].broken
        return [name for name in RULE_NAMES if first.get(name, 0.0) != second.get(name, 0.0)]


def judge(plays: Sequence[Play], round_: native.Round, base: KnowledgeBase) -> tuple[Judged, ...]:
    """Candidates with what they break, the least inconsistent first; equals in the order given."""
    hand, level = round_.hand(round_.turn), round_.level
    measures = [abduction.measures(hand, level, play) for play in plays]
    sums = np.array([np.dot(measure, base.weights) for measure in measures])
    odds = np.exp(sums.min() - sums)
    chances = odds / odds.sum()
    order = np.argsort(sums, kind="stable")
    return tuple(
        Judged(
            plays[i],
            {name: round(amount, 3) for name, amount in zip(RULE_NAMES, measures[i], strict=True) if amount},
            float(sums[i]),
            float(chances[i]),
        )
        for i in order
    )


def minimise(distribution: NDArray[np.float64], round_: native.Round, base: KnowledgeBase | None = None) -> Abduced:
    """The play for a distribution over the pseudo-actions: the likeliest one whose candidates keep the hard rules."""
    base = base or knowledge()
    dropped: list[Dropped] = []
    for pseudo in np.argsort(-distribution, kind="stable"):
        plays = round_.plays_of(int(pseudo))
        if plays:
            return Abduced(int(pseudo), judge(plays, round_, base), tuple(dropped))
        dropped.append(Dropped(int(pseudo), base.hard[broken_rule(int(pseudo), round_)]))
    raise MingpaiError("the seat to move has no legal pseudo-action")


def broken_rule(pseudo: int, round_: native.Round) -> str:
    """The hard rule that rules out every candidate of a pseudo-action."""
    if pseudo == PSEUDO_ACTIONS - 1:
        return "must_lead"
    formed = native.lead_mask(round_.hand(round_.turn), round_.level)[pseudo]
    return "does_not_beat" if formed else "not_held"


def pseudo_text(pseudo: int) -> str:
    """A pseudo-action for people."""
    return action_text(pseudo)
