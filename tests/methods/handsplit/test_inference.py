"""The belief over hidden hands: exact bookkeeping, uniform as a switch, and evidence that points the right way."""

import math
from collections import Counter

import numpy as np
import pytest

from mingpai._native import doudizhu as native
from mingpai._native.core import Budget
from mingpai._native.handsplit import Particles, PlayerModel
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_situation import situation_of
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.handsplit.agent import make_searcher
from mingpai.methods.handsplit.inference import ParticleBelief
from tests.scale import count


def belief_of(view: DoudizhuView, particles: int = 400, uniform: bool = False, seed: int = 1) -> ParticleBelief:
    situation, searcher = situation_of(view), make_searcher(view.rule_set.native)
    worlds = Particles(seed, particles, PlayerModel(), uniform).update(situation, searcher, Budget())
    return ParticleBelief(view, situation, worlds, searcher)


def after(moves: int, seed: int, agent: str = "rb") -> DoudizhuState:
    state, player = GAME.deal(seed, "standard", {"landlord": 0}), REGISTRY.agent("doudizhu", agent)
    for _ in range(moves):
        if state.is_over:
            break
        state.play(player.decide(state.view(state.to_move or 0)).move)
    return state


@pytest.mark.parametrize("moves", [0, 5, 16, 30])
def test_worlds_agree_with_the_view(moves: int) -> None:
    state = after(moves, 1)
    for seat in range(3):
        view = state.view(seat)
        for world in belief_of(view).sample(np.random.default_rng(1), 20):
            assert world.view(seat) == view


def test_weights_sum_to_one_and_marginals_to_the_cards_left() -> None:
    state = after(14, 2)
    for seat in range(3):
        view = state.view(seat)
        belief = belief_of(view)
        assert sum(belief.worlds.weight(i) for i in range(len(belief.worlds))) == pytest.approx(1)
        for name, cards in belief.marginals().items():
            other = next(s for s in range(3) if state.seat_name(s) == name)
            assert sum(cards.values()) == pytest.approx(view.counts[other])


def test_bottom_cards_not_played_are_the_landlords() -> None:
    state = after(2, 3)
    bottom = state.native.bottom
    for seat in (1, 2):
        held = belief_of(state.view(seat)).marginals()["landlord"]
        for rank in range(15):
            missing = (bottom >> (4 * rank) & 15) - (state.native.played[0] >> (4 * rank) & 15)
            assert held.get(native.RANKS[rank], 0) >= missing - 1e-9


def test_uniform_particles_are_a_uniform_sample_also_after_moves() -> None:
    """Every particle is an order of the hidden cards; what is played must not bend the orders that remain."""
    view = after(12, 4).view(0)
    belief = belief_of(view, particles=20000, uniform=True)
    marginals = belief.marginals()
    hidden, share = belief.situation.unseen, view.counts[1] / (view.counts[1] + view.counts[2])
    for rank, letter in enumerate(native.RANKS):
        copies = hidden >> (4 * rank) & 15
        if copies:
            assert marginals["down"][letter] == pytest.approx(copies * share, abs=0.03)


def test_probabilities_of_all_worlds_sum_to_one() -> None:
    """Few hidden cards: the worlds can be listed. Uniform exactly, inferred up to the sampling of the normaliser."""
    state = GAME.start("33456789TJ/4568TJQK/55779A2/", "standard", {"landlord": 0})
    for text in ("33", "pass", "55", "pass", "pass"):
        state.play(GAME.parse_move(text, state))
    view = state.view(state.to_move or 0)
    for uniform, tolerance in ((True, 1e-9), (False, 0.05)):
        belief = belief_of(view, 4000, uniform)
        total = sum(math.exp(belief.log_prob(belief.world(first))) for first in all_first_hands(belief))
        assert total == pytest.approx(1, abs=tolerance)


def all_first_hands(belief: ParticleBelief) -> set[int]:
    hands = {0}
    size = belief.view.counts[(belief.view.seat + 1) % 3]
    for rank in range(15):
        copies = belief.situation.unseen >> (4 * rank) & 15
        hands = {hand + (k << (4 * rank)) for hand in hands for k in range(copies + 1)}
    return {hand for hand in hands if native.card_count(hand) == size}


def test_kept_particles_equal_fresh_ones_and_some_are_kept() -> None:
    state, player = GAME.deal(6, "standard", {"landlord": 0}), REGISTRY.agent("doudizhu", "rhcp")
    searcher = make_searcher(state.rule_set.native)
    kept = Particles(9, 200, PlayerModel(), False)
    carried = 0
    for _ in range(24):
        if state.is_over:
            break
        if state.to_move == 1:
            situation = situation_of(state.view(1))
            continued = kept.update(situation, searcher, Budget())
            carried += kept.kept
            fresh = Particles(9, 200, PlayerModel(), False).update(situation, searcher, Budget())
            for i in range(200):
                assert continued.first_hand(i) == fresh.first_hand(i)
                assert continued.weight(i) == fresh.weight(i)
        state.play(player.decide(state.view(state.to_move or 0)).move)
    assert carried > 0


def test_a_pass_is_evidence_against_cheap_answers() -> None:
    """The farmer after the landlord lets a 3 pass: he is less likely to hold middle singles than his mate is."""
    state = GAME.deal(7, "standard", {"landlord": 0})
    lead = next(move for move in state.native.legal_moves() if move.size == 1)
    state.play(lead)
    state.play(native.Move())
    view = state.view(2)
    inferred, uniform = belief_of(view, 3000), belief_of(view, 3000, uniform=True)
    tilt = Counter({card: inferred.marginals()["down"][card] - uniform.marginals()["down"][card] for card in "JQ"})
    assert sum(tilt.values()) < 0


def test_true_hands_are_likelier_than_under_the_uniform_belief() -> None:
    """Games of players that the model was not fitted to: the mean gain over uniform is clearly positive."""
    gains = []
    for seed in range(count(fast=25, ci=60, verify=200)):
        state = after(15, 100 + seed, ("rb", "rhcp")[seed % 2])
        if state.is_over:
            continue
        seat = state.to_move or 0
        belief = belief_of(state.view(seat), 400)
        first = state.hand((seat + 1) % 3)
        gains.append(belief.log_prob(state) - belief.log_uniform(first))
    error = np.std(gains, ddof=1) / math.sqrt(len(gains))
    assert np.mean(gains) - 2 * error > 0
