"""Playing for points: what doubles under each profile, in the network, the tree and the playouts."""

import numpy as np
import pytest

from mingpai._native.core import Budget
from mingpai._native.handsplit import Ending, Particles, PlayerModel, SearchSettings
from mingpai._native.mcm import PlayoutSearcher, PlayoutSettings
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.agents.doudizhu_situation import situation_of
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.rules import PROFILES, rules_of
from mingpai.games.doudizhu.view import DoudizhuView, view_from_json
from mingpai.methods.handsplit.agent import make_searcher
from mingpai.methods.handsplit.endings import Endings, is_certain
from mingpai.methods.handsplit.inference import ParticleBelief
from mingpai.methods.handsplit.search import aim_of, proved_moves
from mingpai.methods.mcm.agent import SHIPPED, STUDENT, stake_of
from mingpai.methods.mcm.rows import native_network
from tests.scale import count

DOUBLINGS = {"standard": (True, True), "openspiel": (True, True), "botzone": (True, True), "douzero": (False, True),
             "rlcard": (False, False)}  # fmt: skip
"""Profile -> whether spring doubles, whether bombs do."""


def ending(hand: str, rules: str, down: str = "456", up: str = "789") -> DoudizhuView:
    """The landlord leads from `hand`, nobody has played; the others hold single low cards."""
    deck = "".join(sorted(hand + down + up))
    counts = [len(hand), len(down), len(up)]
    return view_from_json({"seat": "landlord", "hand": hand, "bottom": "", "history": [], "rules": rules, "landlord": 0,
                           "bid": 1, "deck": deck, "counts": counts})  # fmt: skip


def walked(seed: int, rules: str) -> tuple[list[DoudizhuView], int]:
    """The views along a deal of random moves, and the doublings at its end."""
    rng, state, views = np.random.default_rng(seed), GAME.deal(seed, rules, GAME.play_only), []
    while state.to_move is not None:
        view = state.view(state.to_move)
        views.append(view)
        moves = state.legal_moves()
        state.play(moves[int(rng.integers(len(moves)))])
    return views, state.native.status.doublings(rules_of(rules).native)


@pytest.mark.parametrize("rules", PROFILES)
def test_nothing_doubles_once_it_is_said_that_nothing_can(rules: str) -> None:
    last, calm = 0, 0
    for seed in range(count(fast=60, ci=300, verify=2000)):
        views, doublings = walked(seed, rules)
        for view in views:
            if not view.may_double:
                assert view.native.status.bomb_doublings(view.rule_set.native) == doublings
                calm += 1
        last += views[-1].may_double
    assert calm > 0
    assert last > 0 or not any(DOUBLINGS[rules])


@pytest.mark.parametrize("rules", PROFILES)
def test_a_spring_and_bombs_may_double_as_the_profile_says(rules: str) -> None:
    spring, bombs = DOUBLINGS[rules]
    assert ending("33", rules).may_double == spring
    assert ending("3333J", rules).may_double == (spring or bombs)
    played, _ = walked(1, rules)
    assert played[0].may_double == (spring or bombs)


def played_out(view: DoudizhuView) -> dict[str, float]:
    """What each move earns in playouts alone, in stakes."""
    rules = view.rule_set.native
    situation, searcher = situation_of(view), make_searcher(rules)
    belief = Particles(3, 20, PlayerModel(), False).update(situation, searcher, Budget())
    settings = PlayoutSettings()
    settings.worlds, settings.trust, settings.points, settings.margin, settings.width = 8, 0, True, 1000, 100
    network, player = native_network(SHIPPED), native_network(STUDENT)
    result = PlayoutSearcher(network, player, None, rules, tuned_weights()).search(
        situation, belief, [], settings, 7, Budget()
    )
    return {str(played.move): played.value for played in result.moves if played.worlds > 0}


def searched(view: DoudizhuView) -> dict[str, float]:
    """What each move earns in the tree, in stakes."""
    settings = SearchSettings()
    settings.iterations, settings.points, settings.early_stop = 400, True, False
    searcher = make_searcher(view.rule_set.native)
    result = searcher.search(situation_of(view), None, settings, 7, Budget())
    return {str(root.move): 2 * root.value - 1 for root in result.moves if root.visits > 0}


@pytest.mark.parametrize("rules", PROFILES)
@pytest.mark.parametrize("hand", ["33", "3333", "22XD"])
def test_a_sure_win_earns_what_the_profile_counts(hand: str, rules: str) -> None:
    """A spring in every case, a bomb in two: none of it counts where the profile does not have it."""
    spring, bombs = DOUBLINGS[rules]
    view = ending(hand, rules)
    out = next(move for move in view.native_moves().to_list() if move.cards == view.hand or move.is_bomb)
    wanted = 2.0 ** (spring + (bombs and out.is_bomb))
    for earned in (played_out(view), searched(view)):
        assert earned[str(out)] == pytest.approx(wanted)


def test_every_doubling_counts() -> None:
    """Four bombs and a spring are worth more than eight stakes."""
    view = ending("3333444455556666", "standard", "789", "789")
    assert max(played_out(view).values()) > 8
    assert max(searched(view).values()) > 8


@pytest.mark.parametrize("agent", ["mcm", "mctshs:iterations=60", "mingpai:worlds=8,particles=60,iterations=100"])
def test_points_are_wins_where_every_deal_counts_one(agent: str) -> None:
    for_wins, for_points = (
        REGISTRY.agent("doudizhu", f"{agent}{',' if ':' in agent else ':'}objective={objective}")
        for objective in ("win", "points")
    )
    views, _ = walked(4, "rlcard")
    asked = [view for view in views if len(view.legal_moves()) > 1][::4]
    assert len(asked) > 3
    for view in asked:
        assert for_points.decide(view).move == for_wins.decide(view).move


def test_values_are_in_points_also_where_wins_are_asked_for() -> None:
    """Near the end, when nothing doubles any more: the stake times what the chance to win is worth."""
    for_wins, for_points = (REGISTRY.agent("doudizhu", f"mcm:objective={objective}") for objective in ("win", "points"))
    calm = [view for seed in range(5) for view in walked(seed, "standard")[0] if not view.may_double]
    assert len(calm) > 10
    for view in calm:
        chances = {str(each.move): each.value for each in for_wins.decide(view).candidates}
        for each in for_points.decide(view).candidates:
            chance = chances[str(each.move)]
            assert chance is not None
            assert each.value == pytest.approx(stake_of(view) * (2 * chance - 1), abs=1e-5)


def proved(view: DoudizhuView) -> Ending:
    situation, searcher = situation_of(view), make_searcher(view.rule_set.native)
    worlds = Particles(3, 20, PlayerModel(), False).update(situation, searcher, Budget())
    told = Endings().prove(ParticleBelief(view, situation, worlds, searcher), view.native_moves().to_list())
    assert told is not None
    return told


def test_a_proof_that_is_no_sure_win_leaves_the_choice_to_points() -> None:
    sure, unsure = ending("3333J", "standard"), ending("33446", "standard", "9AA", "KK2")
    assert is_certain(proved(sure))
    assert not is_certain(proved(unsure))
    for view in (sure, unsure):
        assert aim_of("points", view) == "points"
        assert aim_of("win", view) == "win"
        assert proved_moves(proved(view), "win")
    assert proved_moves(proved(sure), "points")
    assert proved_moves(proved(unsure), "points") is None
    assert proved_moves(None, "win") is None
