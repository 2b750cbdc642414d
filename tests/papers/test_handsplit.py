"""Worked examples of paper 003."""

import numpy as np
import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.notation import parse_cards
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.methods.handsplit.split import less_split, min_turns, split

PAPER_HAND = parse_cards("34556789XD")


def test_example_has_exactly_16_partitions() -> None:
    partitions = {tuple(sorted(str(move) for move in partition)) for partition in split(PAPER_HAND)}
    chains = ["56789", "45678", "456789", "34567", "345678", "3456789"]
    assert len(partitions) == 16
    assert {chain for chain in chains if any(chain in partition for partition in partitions)} == set(chains)
    assert ("3", "4", "5", "56789", "XD") in partitions
    assert ("3", "4", "5", "5", "6", "7", "8", "9", "D", "X") in partitions


def test_example_has_fewest_turns_3() -> None:
    assert min_turns(PAPER_HAND) == 3
    (smallest,) = less_split(PAPER_HAND, slack=0)
    assert sorted(str(move) for move in smallest) == ["3456789", "5", "XD"]


HISTORY = "33 55 77 99 TT AA 22 pass pass 789TJQK pass 89TJQKA pass pass 44488 666JJ pass pass X"
"""The cooperative case with its two slips put right: 44488 for 4448, 789TJQK for 789JQK. Seat 1 is to answer the small
joker; only a 5 and a 2 are unseen, one with the landlord and one with the mate."""

LOSING_LEADS = {"5", "6", "7", "Q", "K", "A"}
SAFE_LEADS = {"3", "4", "33", "QQ", "KK", "2", "34567"}


def cooperative_case(landlords_last: str, mates_last: str) -> DoudizhuState:
    landlord = "33" + "99" + "22" + "789TJQK" + "666JJ" + "X" + landlords_last
    bottom, dealt = "339", landlord.replace("33", "", 1).replace("9", "", 1)
    farmer, mate = "55TT" + "334567QQKKA2D", "77AA89TJQKA44488" + mates_last
    state = GAME.start(f"{dealt}/{farmer}/{mate}/{bottom}", "standard", {"landlord": 0})
    for text in HISTORY.split():
        state.play(GAME.parse_move(text, state))
    return state


@pytest.mark.parametrize(
    "agent", ["mctshs:iterations=400", "mctshs:preset=paper,iterations=4000", "mingpai:iterations=400"]
)
@pytest.mark.parametrize(("landlords", "mates"), [("5", "2"), ("2", "5")])
def test_cooperative_case_the_big_joker_and_a_lead_that_wins_in_both_worlds(
    agent: str, landlords: str, mates: str
) -> None:
    state = cooperative_case(landlords, mates)
    player = REGISTRY.agent("doudizhu", agent)
    decision = player.decide(state.view(1))
    assert str(decision.move) == "D"
    assert {str(c.move): c.value for c in decision.candidates}.get("pass", 0) == 0
    state.play(decision.move)
    state.play(GAME.parse_move("pass", state))
    state.play(GAME.parse_move("pass", state))
    lead = player.decide(state.view(1))
    assert str(lead.move) in SAFE_LEADS
    values = {str(candidate.move): candidate.value for candidate in lead.candidates}
    assert (values[str(lead.move)] or 0) > 0.8


def test_cooperative_case_has_two_worlds() -> None:
    view = cooperative_case("5", "2").view(1)
    worlds = view.sample_worlds(np.random.default_rng(0), 40)
    hands = {str(world.view(0).to_json()["hand"]) for world in worlds}
    assert hands == {"5", "2"}
    assert view == cooperative_case("2", "5").view(1)


def test_cooperative_case_the_shortest_win_is_3_or_4() -> None:
    """With proofs: exactly the leads that win in both worlds are proved, and the shortest of them is played."""
    state = cooperative_case("5", "2")
    for text in ("D", "pass", "pass"):
        state.play(GAME.parse_move(text, state))
    decision = REGISTRY.agent("doudizhu", "mingpai:slack=-1,width=96,belief=uniform").decide(state.view(1))
    assert str(decision.move) in {"3", "4"}
    values = {str(candidate.move): candidate.value for candidate in decision.candidates}
    assert all(values[move] == pytest.approx(1) for move in SAFE_LEADS)
    assert all((values[move] or 0) < 0.99 for move in LOSING_LEADS)
