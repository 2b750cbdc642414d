"""Printed numbers and worked examples of paper 000: bidding styles in Dou Dizhu."""

import numpy as np
import pytest

from mingpai.games.doudizhu.notation import parse_cards
from mingpai.methods.bidding import features
from mingpai.methods.bidding.style import CLASSES, NAMES, class_of, style_of


def test_the_worked_player_is_aggressive_and_irrational() -> None:
    """N = 12, n = 12, m = 6: mu 0.500004, sigma 0.738549 (printed 0.738548), 激进非理性型."""
    style = style_of("g-t610144107920", [1] * 12, [0] * 6 + [1] * 6)
    assert (style.decisions, style.bids, style.over, style.under) == (12, 12, 6, 0)
    assert round(style.mu_printed, 6) == 0.500004
    assert round(style.mu_signed, 6) == 0.500004
    assert round(style.sigma, 6) == 0.738549
    found = style.style()
    assert found is not None
    assert found.name("zh") == "激进非理性型"
    assert found.name("en") == "aggressive, irrational"
    assert style.style("printed") == found


def test_table_1_the_six_classes_and_their_borders() -> None:
    third, two_thirds = 1 / 3, 2 / 3
    expected = {
        (-0.34, 0.5): "保守理性型", (-0.34, two_thirds): "保守非理性型",
        (-third, 0.5): "风险理性型", (0.33, 1.0): "风险非理性型",
        (third, 0.66): "激进理性型", (0.9, 0.7): "激进非理性型",
    }  # fmt: skip
    assert {point: class_of(*point).name("zh") for point in expected} == expected
    assert len(CLASSES) == 6
    assert {kind.code for kind in CLASSES} == set(NAMES)


def test_figure_1_the_hand_as_a_matrix() -> None:
    """67788999AAAA2XD: as many ones in a column as cards of the rank; the jokers have a number each."""
    row = features.rows([1], [1], [parse_cards("67788999AAAA2XD")])[0]
    matrix = row[: features.MATRIX].reshape(4, 12)
    assert matrix.sum(axis=0).tolist() == [0, 0, 0, 1, 2, 2, 3, 0, 0, 0, 0, 4]
    assert matrix[:, 6].tolist() == [1, 1, 1, 0]


def test_figure_3_strong_cards_and_situation() -> None:
    """The rob phase with one bid before; a 2, X, D and one bomb."""
    row = features.rows([1], [1], [parse_cards("67788999AAAA2XD")])[0]
    assert row[features.STRONG].tolist() == [1, 1, 1, 0, 0, 0, 1, 0, 0, 0]
    assert row[features.SITUATION].tolist() == [1, 0, 1, 0]
    assert len(row) == features.SIZE == 62


def test_section_1_2_the_network() -> None:
    """Three convolutions along the ranks, kernels 2, 3, 5, four channels each, no pooling; the dense part first raises
    the dimension; dropout between; two outputs. In training the convolutions are one product: the same numbers."""
    import torch

    from mingpai.methods.bidding.network import BiddingNet

    net = BiddingNet("paper")
    assert [layer.weight.shape for layer in net.convolutions] == [(4, 4, 2), (4, 4, 3), (4, 4, 5)]
    dense = [layer for layer in net.dense if isinstance(layer, torch.nn.Linear)]
    assert dense[0].in_features == 4 * (11 + 10 + 8) + 10 + 4
    assert dense[0].out_features > dense[0].in_features
    assert dense[-1].out_features == 2
    rows = torch.from_numpy((np.random.default_rng(1).random((20, features.SIZE)) < 0.4).astype(np.float32))
    matrix = rows[:, : features.MATRIX]
    trained = net.train()._vectors(matrix)
    assert torch.allclose(trained, net.eval()._vectors(matrix), atol=1e-6)
    assert not torch.equal(net.train()(rows), net.train()(rows))
    assert torch.equal(net.eval()(rows), net.eval()(rows))


@pytest.mark.parametrize("variant", ["no_strong", "no_situation"])
def test_section_3_2_1_an_ablation_cannot_see_what_it_leaves_out(variant: str) -> None:
    import torch

    from mingpai.methods.bidding.network import BiddingNet

    net = BiddingNet(variant).eval()  # type: ignore[arg-type]
    rows = torch.zeros(1, features.SIZE)
    changed, other = rows.clone(), rows.clone()
    hidden, seen = (
        (features.STRONG, features.SITUATION) if variant == "no_strong" else (features.SITUATION, features.STRONG)
    )
    changed[:, hidden], other[:, seen] = 1, 1
    assert torch.equal(net(rows), net(changed))
    assert not torch.equal(net(rows), net(other))
