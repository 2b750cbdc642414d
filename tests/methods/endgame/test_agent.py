"""The agent `solver`: perfect when the cards are known."""

from mingpai._native.endgame import brute_force
from mingpai.agents.catalogue import REGISTRY
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.state import DoudizhuState, start
from mingpai.methods.endgame.agent import SolverAgent, position_of, possible_worlds


def ending(deck: str) -> DoudizhuState:
    return start(deck, "douzero", {"landlord": 0, "bid": 1})


def solver() -> SolverAgent:
    agent = REGISTRY.agent("doudizhu", "solver", 0)
    assert isinstance(agent, SolverAgent)
    return agent


def test_it_counts_the_worlds_of_an_ending() -> None:
    view = ending("33/45/6").view(0)
    worlds = list(possible_worlds(view))
    assert len(worlds) == 3
    assert sum(world.weight for world in worlds) == 3
    assert all(world.hands[0] == view.hand for world in worlds)


def test_a_known_world_is_played_to_the_proved_result() -> None:
    # The other two hold cards of one rank only: the landlord knows everything.
    state = ending("3345A/66/66")
    agent = solver()
    view = state.view(0)
    (world,) = possible_worlds(view)
    position = position_of(view, world.hands)
    decision = agent.decide(view)
    assert isinstance(decision.move, Move)
    child = position.after(decision.move)
    rules = view.rule_set.native
    assert brute_force(position, rules) is brute_force(child, rules)
    assert decision.reasons[0].code in ("endgame.proved_win", "endgame.proved_loss")


def test_it_never_gives_a_proved_win_away() -> None:
    agent = solver()
    for deck in ("33457/66/66", "44589/77/77", "3QQ/88/88", "35/44/4", "JJ3/TT/TT", "3358A/6/666", "34QK/9/99"):
        view = ending(deck).view(0)
        (world,) = possible_worlds(view)
        position = position_of(view, world.hands)
        wins = brute_force(position, view.rule_set.native)
        move = agent.decide(view).move
        assert isinstance(move, Move)
        child = position.after(move)
        after = child.has_landlord_won if child.is_over else brute_force(child, view.rule_set.native)
        assert after is wins
