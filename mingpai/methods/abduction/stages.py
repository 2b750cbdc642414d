"""The four stages of `ablgd`.

understand is the encoding of table 1, model and infer are ABLN made consistent with what is known, decide is the policy
and the inconsistency minimiser; with worlds > 0 a short search over worlds drawn from the estimate corrects the policy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mingpai.core.agent import native_seed
from mingpai.core.decision import Belief, Candidate, Decision
from mingpai.core.game import Seat
from mingpai.core.notes import Note, Stages
from mingpai.core.reasons import Reason
from mingpai.games.guandan.moves import PSEUDO_ACTIONS
from mingpai.games.guandan.notation import card_text
from mingpai.games.guandan.view import GuandanView
from mingpai.methods.abduction.belief import EstimateBelief
from mingpai.methods.abduction.knowledge import Abduced, knowledge, minimise, pseudo_text
from mingpai.methods.abduction.runtime import SCORES, Doubles, Encoded, Reading, Runtime
from mingpai.methods.abduction.search import Searched, SearchPlan, search

SHOWN = 8
"""Pseudo-actions that a decision keeps."""
JOKERS = (52, 53)


@dataclass(frozen=True)
class SeenNote(Note):
    """How far the round has gone."""

    plays_seen: int
    cards_left: Sequence[int]
    """By seat."""


@dataclass(frozen=True)
class ModelNote(Note):
    """Whether the network estimates hands (ABLN)."""

    abln: bool


@dataclass(frozen=True)
class EstimateNote(Note):
    """Estimated copies of jokers and wild cards at the other seats."""

    key_cards: Mapping[Seat, Mapping[str, float]]


@dataclass(frozen=True)
class PlayNote(Note):
    """A concrete play of the pseudo-action, and the rules that it breaks by how much."""

    play: str
    inconsistency: float
    probability: float
    broken: Mapping[str, float]


@dataclass(frozen=True)
class ValueNote(Note):
    """What the network expects of the round: the mean score of the team and the chance of each score."""

    expected: float
    scores: Mapping[str, float]


@dataclass(frozen=True)
class SearchedNote(Note):
    """What the search found of a pseudo-action."""

    value: float
    error: float


@dataclass(frozen=True)
class AbducedNote(Note):
    """The paper's figure 4: the policy, the plays of the chosen pseudo-action, the rules that decided, the value."""

    pseudo_actions: Mapping[str, float]
    played: str
    plays: tuple[PlayNote, ...]
    deciding_rules: Sequence[str]
    dropped: Mapping[str, str]
    """Pseudo-actions that a hard rule forbade, and the rule."""
    value: ValueNote
    searched: Mapping[str, SearchedNote] | None = None


@dataclass(frozen=True)
class Observed:
    """A position encoded, and how far it has gone."""

    encoded: Encoded
    note: SeenNote


class ReadBelief(EstimateBelief):
    """The estimate of a reading, and the reading: the same network says what to play."""

    def __init__(self, view: GuandanView, reading: Reading) -> None:
        super().__init__(view, reading.estimate)
        self.reading = reading


@dataclass
class Encoding:
    """Understand: the round as planes and counts, the legal pseudo-actions with their facts."""

    runtime: Runtime

    def understand(self, view: GuandanView) -> Observed:
        note = SeenNote(len(view.moves()), list(view.counts))
        return Observed(self.runtime.encode(view.native), note)

    def note(self, observed: Observed) -> SeenNote:
        return observed.note


@dataclass
class Network:
    """Model: one look of the network at the round. It plays all four seats, and says what they hold and do."""

    runtime: Runtime

    def model(self, view: GuandanView, observed: Observed) -> Reading:
        return self.model_many([view], [observed])[0]

    def model_many(self, views: Sequence[GuandanView], observed: Sequence[Observed]) -> list[Reading]:
        """Readings of many positions at once."""
        return self.runtime.read_encoded([one.encoded for one in observed])

    def note(self, reading: Reading) -> ModelNote:
        return ModelNote(reading.estimate is not None)


class Consistency:
    """Infer: the nearest hands to the estimate that agree with everything known."""

    def infer(self, view: GuandanView, observed: Observed, reading: Reading) -> ReadBelief:
        return ReadBelief(view, reading)

    def note(self, belief: ReadBelief) -> EstimateNote:
        key_cards = (*JOKERS, 4 * belief.view.level + 1)
        rows = belief.estimate.reshape(len(belief.others()), -1)
        return EstimateNote({
            seat: {card_text(kind): round(float(row[kind]), 2) for kind in key_cards}
            for seat, row in zip(belief.others(), rows, strict=True)
        })  # fmt: skip


@dataclass
class Abduction:
    """Decide: the likeliest pseudo-action, searched if there is a plan for it, as the play that breaks least rules."""

    runtime: Runtime
    plan: SearchPlan
    uniform: bool
    """Whether the search draws worlds evenly instead of by the estimate."""
    seed: int
    variants: int = 1
    """Concrete plays that the network chooses among; 1: the knowledge base chooses."""

    def reseed(self, seed: int) -> None:
        """Chance comes from another seed from now on."""
        self.seed = seed

    def decide(self, view: GuandanView, belief: Belief) -> Decision:
        assert isinstance(belief, ReadBelief)
        reading = belief.reading
        searched = self._search(view, belief) if self.plan.worlds and len(reading.pseudo) > 1 else None
        abduced = minimise(_weights(reading, searched), view.native)
        if self.variants > 1 and len(abduced.candidates) > 1:
            abduced = self._preferred(view, abduced)
        return Decision(
            move=abduced.play,
            candidates=_candidates(reading, searched, abduced),
            value_unit="points",
            stages=Stages(decide=_note(reading, searched, abduced)),
            reasons=_reasons(reading, searched, abduced),
            work={"evaluations": 1, "worlds": searched.worlds if searched else 0},
        )

    def _preferred(self, view: GuandanView, abduced: Abduced) -> Abduced:
        """The play first that the network likes best of those that the knowledge base likes best."""
        valued = self.runtime.concrete(view.native, abduced.pseudo, self.variants)
        best = max(valued, key=lambda one: one[1])[0]
        return replace(abduced, candidates=tuple(sorted(abduced.candidates, key=lambda one: one.play != best)))

    def _search(self, view: GuandanView, belief: ReadBelief) -> Searched | None:
        """None where the policy is sure."""
        drawn_by = None if self.uniform else belief.estimate
        seed = native_seed(self.seed, view)
        searched = search(self.runtime, view.native, belief.reading, drawn_by, self.plan, seed)
        return searched if searched.worlds else None


def _weights(reading: Reading, searched: Searched | None) -> Doubles:
    """What each pseudo-action weighs: its probability, or what the search makes of it; -1 where it is not legal."""
    weights = reading.chances
    if searched is not None:
        weights = np.zeros(len(reading.chances))
        weights[searched.places] = np.exp(searched.total - searched.total.max())
    everything: Doubles = np.full(PSEUDO_ACTIONS, -1.0)
    everything[reading.pseudo] = weights
    return everything


def _candidates(reading: Reading, searched: Searched | None, abduced: Abduced) -> list[Candidate]:
    """The concrete play of each likely pseudo-action, the one played first."""
    values = dict(zip(searched.places, searched.values.tolist(), strict=True)) if searched else {}
    played = _place(reading, abduced)
    others = [place for place in _likeliest(reading) if place != played]
    return [
        Candidate(
            abduced.play if place == played else reading.plays[place], value=values.get(place),
            probability=float(reading.chances[place]), visits=searched.worlds if searched and place in values else None,
        )
        for place in [played, *others][:SHOWN]
    ]  # fmt: skip


def _place(reading: Reading, abduced: Abduced) -> int:
    """The place of what is played among the options."""
    return int(np.flatnonzero(reading.pseudo == abduced.pseudo)[0])


def _likeliest(reading: Reading) -> list[int]:
    """The places of the options that are shown, likeliest first."""
    order: list[int] = np.argsort(-reading.chances, kind="stable")[:SHOWN].tolist()
    return order


def _reasons(reading: Reading, searched: Searched | None, abduced: Abduced) -> list[Reason]:
    if len(reading.pseudo) == 1:
        return [Reason("only_move")]
    place = _place(reading, abduced)
    name = pseudo_text(abduced.pseudo)
    share = round(100 * float(reading.chances[place]), 1)
    reasons = [Reason("guandan.pseudo_action", {"action": name, "share": share})]
    if searched is not None:
        value = float(searched.values[searched.places.index(place)])
        reasons.append(Reason("guandan.searched", {"worlds": searched.worlds, "value": f"{value:+.2f}"}))
    deciding = abduced.deciding()
    if deciding:
        reasons += [knowledge().reason(rule) for rule in deciding]
    return reasons


def _note(reading: Reading, searched: Searched | None, abduced: Abduced) -> AbducedNote:
    order = _likeliest(reading)
    likely = zip(reading.pseudo[order].tolist(), reading.chances[order].tolist(), strict=True)
    scores = {f"{score:+d}": round(chance, 4) for score, chance in zip(SCORES, reading.scores.tolist(), strict=True)}
    return AbducedNote(
        pseudo_actions={pseudo_text(pseudo): round(chance, 4) for pseudo, chance in likely},
        played=pseudo_text(abduced.pseudo),
        plays=tuple(
            PlayNote(str(one.play), round(one.inconsistency, 3), round(one.probability, 4), dict(one.broken))
            for one in abduced.candidates[:SHOWN]
        ),
        deciding_rules=abduced.deciding(),
        dropped={pseudo_text(one.pseudo): one.rule.name for one in abduced.dropped},
        value=ValueNote(round(reading.value, 3), scores),
        searched=_searched_note(reading, searched) if searched else None,
    )


def _searched_note(reading: Reading, searched: Searched) -> dict[str, SearchedNote]:
    rows = zip(searched.places, searched.values, searched.errors, strict=True)
    return {
        pseudo_text(int(reading.pseudo[place])): SearchedNote(round(float(value), 3), round(float(error), 3))
        for place, value, error in rows
    }
