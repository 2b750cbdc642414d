"""The `mcm` agent: the network alone."""

from pathlib import Path

import numpy as np
import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.decision import Decision
from mingpai.core.errors import BadSetting
from mingpai.core.game import View
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.state import DoudizhuState


def played_views(seed: int, rules: str = "standard+nobid") -> list[View]:
    """Views of the seat to move along a deal of random moves."""
    rng = np.random.default_rng(seed)
    state = GAME.deal(seed, rules)
    views: list[View] = []
    while not state.is_over:
        assert state.to_move is not None
        views.append(state.view(state.to_move))
        moves = state.legal_moves()
        state.play(moves[int(rng.integers(len(moves)))])
    return views


@pytest.mark.parametrize("spec", ["mcm", "mcm:objective=points"])
def test_decisions_are_legal_and_ordered(spec: str) -> None:
    agent = REGISTRY.agent("doudizhu", spec)
    for view in played_views(1):
        decision = agent.decide(view)
        assert decision.move in view.legal_moves()
        assert {candidate.move for candidate in decision.candidates} == set(view.legal_moves())
        values = [candidate.value for candidate in decision.candidates if candidate.value is not None]
        assert values == sorted(values, reverse=True)
        assert spec != "mcm" or all(0 <= value <= 1 for value in values)


def values_of(decision: Decision) -> list[float | None]:
    return [candidate.value for candidate in decision.candidates]


def test_many_at_once_equal_one_by_one() -> None:
    agent = REGISTRY.agent("doudizhu", "mcm")
    views = played_views(2)
    together = agent.decide_many(views)
    for view, decision in zip(views, together, strict=True):
        alone = agent.decide(view)
        assert alone.move == decision.move
        assert values_of(alone) == pytest.approx(values_of(decision), abs=1e-4)


def test_bids_follow_the_strength_of_the_hand() -> None:
    agent = REGISTRY.agent("doudizhu", "mcm")
    strong = GAME.start("56789KKKKAAAA22XD/33445566778899TJQ/334456789TTTJJJQQ/Q22", "standard")
    assert isinstance(strong, DoudizhuState)
    bids = {seat: agent.decide(view_to_bid(strong, seat)).move for seat in (0, 1)}
    assert bids == {0: Bid(3), 1: Bid(0)}


def view_to_bid(state: DoudizhuState, seat: int) -> View:
    other = state.copy()
    while other.to_move != seat:
        other.play(Bid(0))
    return other.view(seat)


def test_unknown_models_are_named() -> None:
    with pytest.raises(BadSetting, match="doudizhu-value"):
        REGISTRY.agent("doudizhu", "mcm:model=no-such")


@pytest.mark.parametrize("roles", [False, True])
def test_the_onnx_file_equals_the_network(roles: bool, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from mingpai.methods.mcm.export import graph_of, network_of
    from mingpai.methods.mcm.network import Shape, ValueNet
    from mingpai.training.export import largest_difference, write_onnx

    net = ValueNet(Shape(width=128, depth=3, joint=64, head=64, roles=roles)).eval()
    assert network_of({"mean": net.state_dict()}).shape == net.shape
    write_onnx(graph_of(net), tmp_path / "model.onnx")
    assert largest_difference(graph_of(net, 30), tmp_path / "model.onnx") < 1e-4
