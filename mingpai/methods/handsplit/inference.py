"""Stages one to three: what the others did, how they are taken to play, and what they therefore probably hold.

A belief is a set of weighted worlds (particles). Each weighs how likely the observed moves and passes would be in it: a
player who lets a low pair pass is less likely to hold a pair. See native/handsplit/inference.hpp.
"""

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mingpai._native import doudizhu as native
from mingpai._native.core import Budget
from mingpai._native.handsplit import Particles, PlayerModel, Searcher, Worlds
from mingpai._native.ruleplay import Situation
from mingpai.agents.doudizhu_situation import doudizhu_view, seat_of, situation_of
from mingpai.core.decision import Belief
from mingpai.core.game import Seat, State, View
from mingpai.core.notes import Note
from mingpai.core.random import Rng, seed_of
from mingpai.games.doudizhu.moves import Bid, Move
from mingpai.games.doudizhu.notation import RANKS, ROLES
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.games.doudizhu.view import MAX_SEED, DoudizhuView

KEPT_DEALS = 64
"""Deals whose particles are kept at once: an arena plays many tables in turn."""


@dataclass(frozen=True)
class Observation:
    """A move or pass in its context."""

    seat: Seat
    move: Move
    last: Move
    """What it was played on; a pass when it was a lead."""
    owner: Seat | None
    """Who had played `last`."""


@dataclass(frozen=True)
class MovesNote(Note):
    """How much was seen."""

    moves: int
    passes: int


@dataclass(frozen=True)
class ModelNote(Note):
    """The numbers of the player model."""

    temperature: float
    noise: float
    tempering: float


@dataclass(frozen=True)
class BeliefNote(Note):
    """The worlds of the belief, and as how many of equal weight they count."""

    worlds: int
    effective_worlds: float
    uniform: bool


class ReadMoves:
    """Understand: every move with what it answered and whose that was."""

    def understand(self, view: View) -> Sequence[Observation]:
        steps = doudizhu_view(view).steps
        return [
            Observation(step.seat, step.action, step.before.last, step.before.owner)
            for step in steps
            if not isinstance(step.action, Bid)
        ]

    def note(self, actions: Sequence[Observation]) -> MovesNote:
        passes = sum(action.move.is_pass for action in actions)
        return MovesNote(len(actions) - passes, passes)


@dataclass(frozen=True)
class OneModel:
    """Model: everybody is taken to draw moves by softmax of the fast rule player's scores, with some noise."""

    temperature: float
    noise: float
    tempering: float

    def model(self, view: View, actions: Sequence[Observation]) -> Mapping[Seat, PlayerModel]:
        one = PlayerModel(self.temperature, self.noise, self.tempering)
        return {seat: one for seat in range(3) if seat != view.seat}

    def note(self, players: Mapping[Seat, PlayerModel]) -> ModelNote:
        return ModelNote(self.temperature, self.noise, self.tempering)


class ParticleBelief(Belief):
    """Weighted worlds that agree with a view."""

    def __init__(self, view: DoudizhuView, situation: Situation, worlds: Worlds, searcher: Searcher) -> None:
        self.view = view
        self.situation = situation
        self.worlds = worlds
        """The native worlds: the tree search draws from them."""
        self.searcher = searcher

    def marginals(self) -> Mapping[str, Mapping[str, float]]:
        unseen = _counts(self.situation.unseen)
        first = self.worlds.expected_first()
        expected = {
            self.situation.first: first,
            self.situation.second: [count - part for count, part in zip(unseen, first, strict=True)],
        }
        return {
            ROLES[role]: {RANKS[rank]: copies for rank, copies in enumerate(cards) if unseen[rank]}
            for role, cards in expected.items()
        }

    def sample(self, rng: Rng, count: int) -> Sequence[State]:
        indices = self.worlds.draw(int(rng.integers(MAX_SEED)), count)
        return [self.world(self.worlds.first_hand(index)) for index in indices]

    def world(self, first_hand: int) -> DoudizhuState:
        """The world in which the next seat holds these cards."""
        hands = [0, 0, 0]
        hands[self.view.seat] = self.view.hand
        hands[seat_of(self.view, self.situation.first)] = first_hand
        hands[seat_of(self.view, self.situation.second)] = self.situation.unseen - first_hand
        return self.view.world(hands)

    def log_prob(self, world: State) -> float:
        assert isinstance(world, DoudizhuState)
        first = world.hand(seat_of(self.view, self.situation.first))
        return self.log_uniform(first) + self.worlds.log_ratio(self.situation, first, self.searcher)

    def log_uniform(self, first_hand: int) -> float:
        """Log-probability of a world when every way to place the hidden cards is equally likely."""
        known = self.situation.known_of_landlord
        held = first_hand
        if self.situation.first == 0:
            if not native.holds(first_hand, known):
                return -math.inf
            held -= known
        hidden = self.situation.unseen - known
        if not native.holds(hidden, held):
            return -math.inf
        ways = math.prod(math.comb(n, k) for n, k in zip(_counts(hidden), _counts(held), strict=True))
        return math.log(ways / math.comb(native.card_count(hidden), native.card_count(held)))


class ParticleInference:
    """Infer: particles, kept from move to move of a deal. With `uniform` set, all worlds weigh the same."""

    def __init__(self, searchers: "Searchers", count: int, seed: int, uniform: bool, seconds: float) -> None:
        self._searchers = searchers
        self._count = count
        self._seed = seed
        self._uniform = uniform
        self._seconds = seconds
        self._kept: OrderedDict[tuple[int, str], Particles] = OrderedDict()

    def reseed(self, seed: int) -> None:
        """Draw by another seed; particles of the former are kept beside."""
        self._seed = seed

    def infer(self, view: View, actions: Sequence[Observation], players: Mapping[Seat, PlayerModel]) -> ParticleBelief:
        table = doudizhu_view(view)
        situation = situation_of(table)
        searcher = self._searchers.of(table)
        particles = self._particles(table, next(iter(players.values())))
        worlds = particles.update(situation, searcher, Budget(seconds=self._seconds))
        return ParticleBelief(table, situation, worlds, searcher)

    def _particles(self, view: DoudizhuView, model: PlayerModel) -> Particles:
        deal = deal_key(view)
        key = (self._seed, deal)
        if key not in self._kept:
            seed = seed_of(self._seed, "particles", deal)
            self._kept[key] = Particles(seed, self._count, model, self._uniform)
            if len(self._kept) > KEPT_DEALS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def note(self, belief: ParticleBelief) -> BeliefNote:
        return BeliefNote(len(belief.worlds), round(belief.worlds.effective_size, 1), self._uniform)


class Searchers:
    """The native searchers of an agent, one for each rule profile: they hold the caches of hand values."""

    def __init__(self, make: Any) -> None:
        self._make = make
        self._made: dict[str, Searcher] = {}

    def of(self, view: DoudizhuView) -> Searcher:
        name = view.rule_set.name
        if name not in self._made:
            self._made[name] = self._make(view.rule_set.native)
        return self._made[name]


def deal_key(view: DoudizhuView) -> str:
    """Equal for all views of one seat during the play of one deal."""
    start = view.hand + view.native.played[view.seat]
    return f"{view.rule_set.name};{view.seat};{view.landlord};{start:x};{view.native.bottom:x};{view.deck:x}"


def _counts(cards: int) -> list[int]:
    return [cards >> (4 * rank) & 15 for rank in range(len(RANKS))]
