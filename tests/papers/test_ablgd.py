"""Paper 002: figure 4 and the sizes of tables 1, 2 and 4."""

import numpy as np
import pytest

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.games.guandan import GAME
from mingpai.games.guandan.features import action_text
from mingpai.games.guandan.notation import cards_text
from mingpai.methods.abduction.knowledge import minimise


def test_figure_4_the_pair_of_fours_is_h4c4() -> None:
    """Level 8, a hand with H4 H4 C4 H8: of the candidates of 'pair of 4' H4C4 is chosen."""
    state = GAME.start("H4H4C4H8/S3S3/S5S5/S6S6", setup={"level": "8", "leader": 0})
    pair = next(i for i in range(168) if action_text(i) == "pair 4")
    least = minimise(np.eye(168)[pair], state.native)
    named = [cards_text(one.play.cards) for one in least.candidates]
    assert sorted(named) == ["C4H8", "H4C4", "H4H4", "H4H8"]
    assert named[0] == "H4C4"
    assert sum(one.probability for one in least.candidates) == pytest.approx(1.0)


def test_table_2_has_168_pseudo_actions() -> None:
    sizes = [0] * 11
    for pseudo in range(native.PSEUDO_ACTIONS):
        sizes[native.shape_of(pseudo)[0]] += 1
    assert sizes == [15, 15, 13, 13, 12, 13, 10, 65, 10, 1, 1]
    assert sum(sizes) == 168


def test_table_4_sizes_of_the_network() -> None:
    torch = pytest.importorskip("torch")
    from mingpai.methods.abduction.network import PAPER, AblNet

    net = AblNet(PAPER)
    assert list(net.flat_weights.shape) == [506, 512]
    assert [layer.out_features for layer in net.flat_layers] == [512] * 2
    assert net.flat_project.out_features == net.sequence_project.out_features == 216
    assert len(net.attention) == 6
    assert net.embed.out_features == 256
    widths = [net.abln_layers[0].in_features, *(layer.out_features for layer in net.abln_layers)]
    assert [*widths, net.abln_out.out_features] == [432, 512, 512, 512, 162]
    rows = torch.zeros(3, abduction.ROW_SIZE, dtype=torch.uint8)
    rows[:, 1] = 1
    facts, marks = torch.zeros(3 * 168, abduction.FACTS), torch.zeros(3 * 168, abduction.MARKS, dtype=torch.uint8)
    options = torch.arange(168).repeat(3), facts, marks, torch.arange(3).repeat_interleave(168)
    with torch.no_grad():
        out = net(rows, *options)
    assert tuple(out.logits.shape) == (3 * 168,)
    assert tuple(out.estimate.shape) == (3, 162)
    assert float(out.estimate.min()) >= 0
    assert float(out.estimate.max()) <= 2
