"""Exact endings: proofs in every possible world, against plain search of all of them."""

import functools
import math

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
from mingpai.methods.handsplit.endings import Endings, best_moves, is_certain
from mingpai.methods.handsplit.inference import ParticleBelief
from mingpai.methods.handsplit.search import TreeNote


def uniform_belief(view: DoudizhuView) -> ParticleBelief:
    situation, searcher = situation_of(view), make_searcher(view.rule_set.native)
    worlds = Particles(1, 50, PlayerModel(), True).update(situation, searcher, Budget())
    return ParticleBelief(view, situation, worlds, searcher)


@functools.cache
def landlord_wins(hands: tuple[int, int, int], turn: int, last: native.Move, owner: int) -> bool:
    """By definition: the side to move wins if one of its moves does."""
    rules = native.profile("standard")
    moves = native.lead_moves(hands[turn], rules) if last.is_pass else native.follow_moves(hands[turn], last, rules)
    for move in moves:
        left = tuple(hand - (move.cards if seat == turn else 0) for seat, hand in enumerate(hands))
        if left[turn] == 0:
            return turn == 0
        following = (turn + 1) % 3
        to_beat, by = (last, owner) if move.is_pass else (move, turn)
        if following == by:
            to_beat = native.Move()
        if landlord_wins((left[0], left[1], left[2]), following, to_beat, by) == (turn == 0):
            return turn == 0
    return turn != 0


def wins_by_definition(state: DoudizhuState, move: native.Move) -> bool:
    after = state.copy()
    after.play(move)
    mover_is_landlord = state.to_move == 0
    if after.is_over:
        return True
    status = after.native.status
    hands = after.native.hands
    return (
        landlord_wins((hands[0], hands[1], hands[2]), status.turn, status.last, status.owner or 0) == mover_is_landlord
    )


@pytest.mark.parametrize(
    ("hands", "moves"),
    [
        ("34JK/5QA/67", ""),
        ("3355K/4A2/99", ""),
        ("347/5QA/2K", "3"),
        ("3344X/5QA2/6677", "33"),
        ("45A/3677/2D", ""),
    ],
)
def test_proofs_equal_plain_search_of_every_world(hands: str, moves: str) -> None:
    state = GAME.start(hands + "/", "standard", {"landlord": 0})
    for text in moves.split():
        state.play(GAME.parse_move(text, state))
    view = state.view(state.to_move or 0)
    belief = uniform_belief(view)
    candidates = view.native_moves().to_list()
    ending = Endings().prove(belief, candidates)
    assert ending is not None
    worlds = possible_worlds(belief)
    assert ending.worlds == len(worlds)
    for proved in ending.moves:
        expected = sum(chance for world, chance in worlds if wins_by_definition(world, proved.move))
        assert proved.won == pytest.approx(expected, abs=1e-9), str(proved.move)
    assert best_moves(ending)
    assert is_certain(ending) == (ending.moves[0].won == pytest.approx(1))


def possible_worlds(belief: ParticleBelief) -> list[tuple[DoudizhuState, float]]:
    size = belief.view.counts[(belief.view.seat + 1) % 3]
    hands = {0}
    for rank in range(15):
        copies = belief.situation.unseen >> (4 * rank) & 15
        hands = {hand + (k << (4 * rank)) for hand in hands for k in range(copies + 1)}
    firsts = [hand for hand in sorted(hands) if native.card_count(hand) == size]
    return [(belief.world(first), math.exp(belief.log_uniform(first))) for first in firsts]


def test_too_many_worlds_or_cards_are_left_to_the_search() -> None:
    view = GAME.deal(1, "standard", {"landlord": 0}).view(0)
    assert Endings().prove(uniform_belief(view), view.native_moves().to_list()) is None
    small = GAME.start("34JK/5QA/67/", "standard", {"landlord": 0}).view(0)
    assert Endings(max_worlds=2).prove(uniform_belief(small), small.native_moves().to_list()) is None
    assert Endings(nodes=1, all_nodes=1).prove(uniform_belief(small), small.native_moves().to_list()) is None


def test_the_flagship_plays_a_proved_win_and_says_so() -> None:
    """The farmers hold 3 and 44 in some order: leading the pair of 5s, then the 2s, wins against both."""
    view = GAME.start("5522/3/44/", "standard", {"landlord": 0}).view(0)
    decision = REGISTRY.agent("doudizhu", "mingpai").decide(view)
    assert decision.reasons[0].code == "doudizhu.proved"
    assert isinstance(decision.stages.decide, TreeNote)
    assert decision.stages.decide.proved
    assert decision.candidates[0].value == pytest.approx(1)
