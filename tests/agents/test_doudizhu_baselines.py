"""RB, RHCP and the fast rule player, tested like rules; and their behaviour, frozen: they judge what is tuned later."""

import hashlib

import pytest

from mingpai._native.doudizhu import wanted_bid
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.game import View
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.games.doudizhu.view import DoudizhuView
from tests.scale import count

BASELINES = ("rb", "rhcp")
LANDLORD, DOWN, UP = 0, 1, 2


def position(hands: tuple[str, str, str], moves: str, seat: int) -> DoudizhuView:
    """The view of a seat in an open endgame after some moves; seat 0 is the landlord and leads."""
    state = GAME.start("/".join((*hands, "")), "standard", {"landlord": 0})
    for text in moves.split():
        state.play(GAME.parse_move(text, state))
    assert state.to_move == seat
    return state.view(seat)


def played(agent: str, view: View) -> str:
    return str(REGISTRY.agent("doudizhu", agent).decide(view).move)


@pytest.mark.parametrize("agent", [*BASELINES, "greedy"])
def test_goes_out_when_it_can(agent: str) -> None:
    assert played(agent, position(("3344455", "3789", "6TJ"), "", LANDLORD)) != "pass"
    assert played(agent, position(("33444", "3789", "6TJ"), "", LANDLORD)) == "33444"
    assert played(agent, position(("36", "9", "6TJ"), "3", DOWN)) == "9"


@pytest.mark.parametrize("agent", BASELINES)
def test_a_farmer_does_not_attack_his_mates_winning_lead(agent: str) -> None:
    """The farmer before the landlord has led his last but one card, a 2, and the landlord has passed."""
    view = position(("3345X", "46789TJD", "23"), "3 pass 2 pass", DOWN)
    assert played(agent, view) == "pass"


@pytest.mark.parametrize("agent", BASELINES)
def test_a_farmer_lets_a_high_pair_of_his_mate_stand(agent: str) -> None:
    view = position(("334455789", "AA3789T", "2246789T"), "33 AA", UP)
    assert played(agent, view) == "pass"


@pytest.mark.parametrize("agent", BASELINES)
def test_a_mate_who_passed_is_not_taken_for_the_landlord(agent: str) -> None:
    """The landlord's 3 was passed by the farmer after him: the move to beat is the landlord's, and is beaten."""
    view = position(("3458899JJ", "33QKK22", "477TAA"), "3 pass", UP)
    assert played(agent, view) != "pass"
    # The same cards to beat, but they are the mate's: the landlord has passed. Q is high enough to stand.
    view = position(("3458899JJ", "33QKK22", "477TAA"), "3 Q", UP)
    assert played(agent, view) == "pass"


@pytest.mark.parametrize("agent", BASELINES)
def test_a_single_is_not_led_to_an_enemys_last_card(agent: str) -> None:
    view = position(("3446699K", "7JQK", "A"), "", LANDLORD)
    assert len(played(agent, view)) > 1


@pytest.mark.parametrize("agent", BASELINES)
def test_an_enemy_with_one_card_left_is_stopped(agent: str) -> None:
    """The landlord has one card: the farmer before him spends even a 2, for nobody plays after him."""
    view = position(("6A", "335578", "334789T2"), "6 pass", UP)
    assert played(agent, view) != "pass"


def test_rb_feeds_its_mates_last_card() -> None:
    """The farmer after the landlord has the lead and his mate one card: a single, low, although pairs are at hand."""
    view = position(("35599JJQ", "24467788", "A"), "3 2 pass pass", DOWN)
    assert played("rb", view) == "4"


@pytest.mark.parametrize(("agent", "signature"), [("rb", "8ac0815a38185734"), ("rhcp", "42146f64d5afacc4")])
def test_behaviour_is_frozen(agent: str, signature: str) -> None:
    """A change of play of a baseline changes what every published comparison means: it needs a new name."""
    digest = hashlib.sha256()
    player = REGISTRY.agent("doudizhu", agent)
    for seed in range(40):
        state = GAME.deal(seed, "standard", {"landlord": seed % 3})
        while not state.is_over:
            move = player.decide(state.view(state.to_move or 0)).move
            digest.update(f"{move} ".encode())
            state.play(move)
    assert digest.hexdigest()[:16] == signature


@pytest.mark.parametrize(
    ("hand", "bid"),
    [("33445566778899TTJ", 0), ("345678899TTJQ222X", 1), ("3456788999TJ222XD", 3), ("345678899TTJJQ2XD", 2)],
)
def test_bids_follow_high_cards(hand: str, bid: int) -> None:
    assert wanted_bid(parse_cards(hand)) == bid


@pytest.mark.parametrize("agent", [*BASELINES, "greedy", "mctshs", "mingpai"])
def test_bids_are_legal_under_every_kind_of_bidding(agent: str) -> None:
    for rules in ("standard", "standard+auction", "standard+callrob"):
        for seed in range(count(fast=3, ci=10, verify=30)):
            state = GAME.deal(seed, rules)
            decision = REGISTRY.agent("doudizhu", agent).decide(state.view(state.to_move or 0))
            assert isinstance(decision.move, Bid)
            assert decision.move in state.legal_moves()


@pytest.mark.parametrize("agent", BASELINES)
def test_beats_rlcards_rule_player(agent: str) -> None:
    """At least 60% of duplicate deals; the thousand deals of the claim are in the method's README."""
    deals = count(fast=40, ci=150, verify=400)
    wins = 0
    players = {name: REGISTRY.agent("doudizhu", name) for name in (agent, "rlcard")}
    for seed in range(deals):
        for landlord, farmers in ((agent, "rlcard"), ("rlcard", agent)):
            state = GAME.deal(seed, "rlcard")
            while (seat := state.to_move) is not None:
                state.play(players[landlord if seat == LANDLORD else farmers].decide(state.view(seat)).move)
            wins += (LANDLORD in state.winners()) == (landlord == agent)
    assert wins / (2 * deals) >= 0.6
