"""`mcm-search`: the network's playouts over worlds."""

import numpy as np
import pytest

from mingpai._native import doudizhu, selfplay
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_rows import Rows, Values, position_of
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.methods.handsplit.mcm_match import best_of_each
from mingpai.methods.handsplit.mcm_search import play_out

LEGAL_AND_REPEATED = "mcm-search:worlds=8,width=3,particles=100,iterations=100"


def lone(states: Rows, moves: Rows, of: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Values:
    """A network that likes moves of many cards."""
    start, places = selfplay.move_layout()["cards"]
    many = moves[:, start : start + places].sum(axis=1)
    return np.stack([many, many], axis=1).astype(np.float32)


def test_best_of_each_takes_the_first_of_equals_and_skips_empty_tables() -> None:
    values = np.array([1, 3, 3, 5, 2, 2], np.float32)
    assert best_of_each(values, np.array([0, 3, 3, 4, 6], np.int32)).tolist() == [1, 0, 0, 0]


def test_playouts_start_from_the_position_and_end() -> None:
    state = GAME.deal(4, "standard+nobid")
    assert isinstance(state, DoudizhuState)
    for _ in range(3):
        state.play(state.legal_moves()[0])
    seat = state.to_move
    assert seat is not None
    position = position_of(state.view(seat))
    hands = np.array([[state.hand(role) for role in range(3)]] * len(position.moves), np.uint64)
    choices = np.arange(len(position.moves), dtype=np.int32)
    batch = selfplay.Batch.from_worlds(position, hands, choices, doudizhu.profile("standard"), False)
    play_out(batch, lone, 0)
    assert (batch.winners() >= 0).all()
    again = selfplay.Batch.from_worlds(position, hands, choices, doudizhu.profile("standard"), False)
    play_out(again, lone, 0)
    assert np.array_equal(batch.winners(), again.winners())


def test_worlds_must_agree_with_the_hand() -> None:
    state = GAME.deal(4, "standard+nobid")
    assert isinstance(state, DoudizhuState)
    position = position_of(state.view(0))
    hands = np.array([[state.hand(1), state.hand(0), state.hand(2)]], np.uint64)
    with pytest.raises(ValueError, match="not the hand"):
        selfplay.Batch.from_worlds(position, hands, np.zeros(1, np.int32), doudizhu.profile("standard"), False)


@pytest.mark.parametrize("search", ["tree", "playouts"])
@pytest.mark.parametrize("objective", ["win", "points"])
def test_decisions_are_legal_and_repeat(objective: str, search: str) -> None:
    spec = f"{LEGAL_AND_REPEATED},objective={objective},search={search}"
    first, second = (REGISTRY.agent("doudizhu", spec, 5) for _ in range(2))
    state = GAME.deal(6, "standard+nobid")
    while state.to_move is not None:
        view = state.view(state.to_move)
        decision = first.decide(view)
        assert decision.move in view.legal_moves()
        assert second.decide(view).move == decision.move
        assert decision.candidates
        state.play(decision.move)


def test_going_out_is_found() -> None:
    """The landlord to lead holds one pair: nothing else is to be searched."""
    agent = REGISTRY.agent("doudizhu", LEGAL_AND_REPEATED)
    state = GAME.start("33/44556/778899/", "standard+nobid")
    decision = agent.decide(state.view(0))
    assert str(decision.move) == "33"
