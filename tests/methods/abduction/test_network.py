"""The network and its helpers."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
torch.set_num_threads(1)

from mingpai._native import abduction  # noqa: E402
from mingpai._native import guandan as native  # noqa: E402
from mingpai.methods.abduction.actor import Actor, OpenJudge, joined, sampled  # noqa: E402
from mingpai.methods.abduction.export import graph_of, judge_graph  # noqa: E402
from mingpai.methods.abduction.network import (  # noqa: E402
    LITE,
    PAPER,
    AblNet,
    Shape,
    counted,
    higher_ranks,
    ranks_of_kinds,
    segments,
    unseen,
)
from mingpai.methods.abduction.train import latest, minibatches  # noqa: E402
from mingpai.training.export import largest_difference, write_onnx  # noqa: E402
from mingpai.training.learning import best, log_softmax  # noqa: E402

TINY = Shape(
    mlp_layers=2, mlp_width=64, flat_out=32, attention_layers=1, attention_width=16, heads=2, sequence_out=16,
    abln_layers=1, abln_width=32, counted=True, policy_width=32, option_width=64,
    option_hidden=16, marks=True,
)  # fmt: skip


@pytest.fixture(scope="module")
def decisions():  # type: ignore[no-untyped-def]
    return Actor(16, 1, 0, 0.996, 0.98).imitate(4, 400)


@pytest.mark.parametrize("shape", [
    TINY, replace(TINY, abln=False), replace(TINY, abln=False, blind=True), replace(TINY, marks=False),
    replace(TINY, option_width=0, marks=False),
])  # fmt: skip
def test_training_and_exported_form_agree(shape: Shape, decisions, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    net = AblNet(shape)
    for one, other in zip(net(*decisions.options()), net.dense(*decisions.options()), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
    write_onnx(graph_of(net), tmp_path / "net.onnx")
    assert largest_difference(graph_of(net), tmp_path / "net.onnx") < 1e-4


def test_the_papers_network_has_the_papers_sizes() -> None:
    """Table 4 and section 2.2: 506-512-512-512-216, six layers of 256 to 216, ABLN 432-512-512-512-162, 168 outputs."""
    net = AblNet(PAPER)

    def widths(layers: object) -> list[tuple[int, int]]:
        return [(layer.in_features, layer.out_features) for layer in layers]  # type: ignore[attr-defined]

    assert net.flat_weights.shape == (506, 512)
    assert widths([*net.flat_layers, net.flat_project]) == [(512, 512), (512, 512), (512, 216)]
    assert (len(net.attention), net.embed.in_features, net.embed.out_features) == (6, 58, 256)
    assert net.sequence_project.out_features == 216
    assert widths([*net.abln_layers, net.abln_out]) == [(432, 512), (512, 512), (512, 512), (512, 162)]
    assert net.policy.out_features == 168


def test_the_papers_network_reads_nothing_but_table_1(decisions) -> None:  # type: ignore[no-untyped-def]
    """Neither facts nor marks nor the scene change what it says."""
    net, (rows, pseudo, facts, marks, of) = AblNet(PAPER).eval(), decisions.take(np.arange(4)).options()
    scene = rows.clone()
    scene[:, abduction.SCENE_AT :] = 1
    for one, other in zip(
        net(rows, pseudo, facts, marks, of), net(scene, pseudo, facts + 1, marks + 1, of), strict=True
    ):
        assert torch.equal(one, other)


def test_the_judge_and_its_exported_form_agree(decisions, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    judge, rows = OpenJudge(), torch.from_numpy(decisions.open)
    torch.testing.assert_close(judge(rows), judge.dense(rows), rtol=1e-4, atol=1e-5)
    write_onnx(judge_graph(judge), tmp_path / "judge.onnx")
    assert largest_difference(judge_graph(judge), tmp_path / "judge.onnx") < 1e-4


def test_both_configurations_learn(decisions) -> None:  # type: ignore[no-untyped-def]
    part = decisions.take(np.arange(12))
    at = torch.from_numpy(part.offsets[:-1] + part.choice).long()
    for shape in (LITE, PAPER):
        torch.manual_seed(0)
        net = AblNet(shape)
        optimiser = torch.optim.Adam(net.parameters(), 3e-4)
        losses = []
        for _ in range(3):
            out = net(*part.options())
            loss = -log_softmax(out.logits, part.options()[-1], len(part))[at].mean()
            loss = loss + (out.estimate - torch.from_numpy(part.hidden)).square().mean() + out.value.square().mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses.append(float(loss.detach()))
        assert losses[-1] < losses[0]


def test_unseen_and_counted_are_what_the_rows_say(decisions) -> None:  # type: ignore[no-untyped-def]
    rows = torch.from_numpy(decisions.rows)
    hidden = torch.from_numpy(decisions.hidden).float().view(-1, 3, 54)
    torch.testing.assert_close(unseen(rows), hidden.sum(1))
    estimate = counted(rows).view(-1, 3, 54)
    torch.testing.assert_close(estimate.sum(1), hidden.sum(1))
    torch.testing.assert_close(estimate.sum(2), hidden.sum(2))


def test_higher_ranks_are_above_the_rank() -> None:
    above, order = higher_ranks()
    level = 7  # eight
    pair_of_aces = next(i for i in range(168) if native.shape_of(i)[:2] == (1, 0))
    higher = ranks_of_kinds() @ above[level, :, order[level, pair_of_aces]]
    assert {kind for kind in range(54) if higher[kind]} == {28, 29, 30, 31, 52, 53}  # eights and jokers
    assert not above[level, :, order[level, 167]].any()  # a pass compares with nothing


def test_probabilities_of_options() -> None:
    offsets = torch.tensor([0, 2, 5])
    of = segments(offsets)
    assert of.tolist() == [0, 0, 1, 1, 1]
    logits = torch.tensor([0.0, 0.0, 1.0, 2.0, 3.0])
    chances = log_softmax(logits, of, 2).exp()
    assert float(chances[:2].sum()) == pytest.approx(1)
    torch.testing.assert_close(chances[2:], torch.softmax(logits[2:], 0))
    assert best(logits, of, 2).tolist() == [0, 4]
    draw = torch.Generator().manual_seed(1)
    drawn = torch.stack([sampled(chances.log(), of, 2, draw) for _ in range(3000)])
    assert float((drawn[:, 0] == 1).float().mean()) == pytest.approx(0.5, abs=0.05)
    assert float((drawn[:, 1] == 4).float().mean()) == pytest.approx(float(chances[4]), abs=0.05)


def test_decisions_can_be_taken_and_joined(decisions) -> None:  # type: ignore[no-untyped-def]
    parts = [decisions.take(np.arange(0, 100)), decisions.take(np.arange(100, 250))]
    both = joined(parts)
    whole = decisions.take(np.arange(250))
    np.testing.assert_array_equal(both.offsets, whole.offsets)
    np.testing.assert_array_equal(both.facts, whole.facts)
    np.testing.assert_array_equal(both.marks, whole.marks)
    np.testing.assert_array_equal(both.choice, whole.choice)
    sizes = [len(part) for part in minibatches(both, 4, np.random.default_rng(0))]
    assert sorted(sizes) == [62, 62, 63, 63]
    assert latest(parts, 150) == parts[1:]
    assert latest(parts, 151) == parts


def test_rows_of_tables_are_rows_of_their_rounds() -> None:
    tables = abduction.Tables([(abduction.NETWORK, abduction.NETWORK)] * 3, 1, [1.0] * abduction.RULES)
    rows, _, hidden, *_ = tables.observe(hidden=True)
    for i in range(3):
        round_ = tables.round(i)
        np.testing.assert_array_equal(rows[i], abduction.encode(round_, round_.turn))
        seats = [(round_.turn + k) % 4 for k in (1, 2, 3)]
        assert hidden[i].reshape(3, 54).sum(1).tolist() == [len(round_.hand(seat)) for seat in seats]
