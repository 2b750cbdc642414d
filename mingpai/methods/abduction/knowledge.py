"""The knowledge base (`knowledge.toml`) and the inconsistency minimiser: from pseudo-actions to a play and why."""

import functools
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.core.errors import MingpaiError
from mingpai.core.reasons import LANGUAGES, Language, Reason
from mingpai.games.guandan.features import KINDS, action_text
from mingpai.games.guandan.moves import PSEUDO_ACTIONS, Play, Type
from mingpai.games.guandan.notation import RANKS, SMALL_JOKER, Phase

FILE = Path(__file__).with_name("knowledge.toml")
RULE_NAMES: tuple[str, ...] = tuple(abduction.rule_names())
"""The native measures, in the order of weights: each is how much a play breaks the soft rule of that name."""
STRAIGHT = 5
"""Cards of a straight."""


@dataclass(frozen=True)
class KnowledgeRule:
    """A rule with its explanation."""

    name: str
    texts: Mapping[Language, str]
    weight: float | None = None
    """Price of one unit of its measure; None for a hard rule, which nothing outweighs."""
    measure: Mapping[str, float] = field(default_factory=dict)
    """Of a soft rule: the native measures that make up its own, each with its factor."""

    def amount(self, measures: Mapping[str, float]) -> float:
        """How much is broken of it, by the native measures of a play."""
        return sum(factor * measures[name] for name, factor in self.measure.items())


@dataclass(frozen=True)
class KnowledgeBase:
    """Hard and soft rules."""

    hard: Mapping[str, KnowledgeRule]
    soft: tuple[KnowledgeRule, ...]
    """In the order of the file."""

    @property
    def weights(self) -> list[float]:
        """The price of each native measure, in the order of RULE_NAMES: what all soft rules together ask for it."""
        return [sum((rule.weight or 0.0) * rule.measure.get(name, 0.0) for rule in self.soft) for name in RULE_NAMES]

    def reason(self, name: str) -> Reason:
        """Why a soft rule decided, in both languages."""
        rule = next(rule for rule in self.soft if rule.name == name)
        return Reason("guandan.rule", {"rule": name, "en": rule.texts["en"], "zh": rule.texts["zh"]})


def read_knowledge(path: Path = FILE) -> KnowledgeBase:
    """The knowledge base of a file. Raises MingpaiError for a rule without its sentence, or with an unknown measure."""
    with path.open("rb") as file:
        data = tomllib.load(file)
    hard = {name: KnowledgeRule(name, _texts(path, f"hard rule {name}", item)) for name, item in data["hard"].items()}
    return KnowledgeBase(hard, tuple(_soft_rule(path, name, item) for name, item in data["soft"].items()))


def _soft_rule(path: Path, name: str, item: Mapping[str, Any]) -> KnowledgeRule:
    """A soft rule: its measure is the native one of its name, or a sum of native ones with factors."""
    measure = {key: float(factor) for key, factor in item.get("measure", {name: 1.0}).items()}
    if unknown := sorted(set(measure) - set(RULE_NAMES)):
        raise MingpaiError(
            f"{path}: soft rule {name} measures {', '.join(unknown)}, but measures are {', '.join(sorted(RULE_NAMES))}"
        )
    return KnowledgeRule(name, _texts(path, f"soft rule {name}", item), float(item["weight"]), measure)


def _texts(path: Path, rule: str, item: Mapping[str, Any]) -> dict[Language, str]:
    """The sentence of a rule in every language."""
    texts: dict[Language, str] = {language: str(item.get(language, "")).strip() for language in LANGUAGES}
    if missing := [language for language, text in texts.items() if not text]:
        raise MingpaiError(f"{path}: {rule} has no sentence in {', '.join(missing)}")
    return texts


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
        return [name for name in {**first, **second} if first.get(name, 0.0) != second.get(name, 0.0)]


def judge(plays: Sequence[Play], round_: native.Round, base: KnowledgeBase) -> tuple[Judged, ...]:
    """Candidates with what they break, the least inconsistent first; equals in the order given."""
    hand, level = round_.hand(round_.turn), round_.level
    measures = [abduction.measures(hand, level, play) for play in plays]
    named = [dict(zip(RULE_NAMES, measure, strict=True)) for measure in measures]
    sums = np.array([np.dot(measure, base.weights) for measure in measures])
    odds = np.exp(sums.min() - sums)
    chances = odds / odds.sum()
    order = np.argsort(sums, kind="stable")
    return tuple(
        Judged(
            plays[i],
            {rule.name: round(amount, 3) for rule in base.soft if (amount := rule.amount(named[i]))},
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
    hand = round_.hand(round_.turn)
    if native.lead_mask(hand, round_.level)[pseudo]:
        return "does_not_beat"
    return "no_combination" if _ranks_are_held(pseudo, hand, round_.level) else "not_held"


def _ranks_are_held(pseudo: int, hand: native.Cards, level: int) -> bool:
    """Whether the hand has cards for every rank of a straight, wild cards filling gaps: only their suits are wrong."""
    kind, first, _ = native.shape_of(pseudo)
    if Type(kind) not in (Type.STRAIGHT, Type.STRAIGHT_FLUSH):
        return False
    wild = 4 * level + 1
    ranks = {card // 4 for card in hand.kinds() if card != wild and card < SMALL_JOKER}
    missing = sum((first + place) % len(RANKS) not in ranks for place in range(STRAIGHT))
    return missing <= hand.count(wild)


@dataclass(frozen=True)
class Ruled:
    """What a hard rule rules out in a position."""

    rule: KnowledgeRule
    count: int
    """Pseudo-actions in the tricks, cards of the hand in the exchange; 0 where the rule has nothing to say."""


def ruled_out(round_: native.Round, base: KnowledgeBase | None = None) -> list[Ruled]:
    """Every hard rule, with how much of what a seat might want to do it rules out now."""
    base = base or knowledge()
    counts = Counter(_broken_by(round_))
    return [Ruled(rule, counts[name]) for name, rule in base.hard.items()]


def _broken_by(round_: native.Round) -> Iterator[str]:
    """The rule that each pseudo-action, or each kind of card in the exchange, breaks."""
    if round_.phase == native.PHASE_PLAY:
        legal = round_.legal_mask()
        yield from (broken_rule(pseudo, round_) for pseudo in range(PSEUDO_ACTIONS) if not legal[pseudo])
        return
    paying = round_.phase == Phase.TRIBUTE
    allowed = {play.cards.kinds()[0] for play in round_.legal_plays()}
    yield from ("not_held" for kind in range(KINDS) if not round_.hand(round_.turn).count(kind))
    refused = set(round_.hand(round_.turn).kinds()) - allowed
    yield from ["tribute_highest" if paying else "return_low"] * len(refused)


def pseudo_text(pseudo: int) -> str:
    """A pseudo-action for people."""
    return action_text(pseudo)
