"""CQL: the hand is split into groups, a split is chosen, then one of its groups; both are learned in self-play."""

from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from mingpai._native import mcm
from mingpai._native.ruleplay import Splitter
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.mcm import rows
from mingpai.methods.mcm.rows import load_value, position_of
from mingpai.models.card import BadModel

CARDS = mcm.move_layout()["cards"]


def views(deals: int) -> Iterator[DoudizhuView]:
    """Positions of random play."""
    rng = np.random.default_rng(1)
    for seed in range(deals):
        state = GAME.deal(seed, "standard+nobid")
        while state.to_move is not None:
            yield doudizhu_view(state.view(state.to_move))
            moves = state.legal_moves()
            state.play(moves[int(rng.integers(len(moves)))])


@pytest.mark.parametrize("slack", [0, 1, 2])
def test_every_split_is_a_partition_of_the_hand_with_something_to_play(slack: int) -> None:
    for view in views(3):
        position, splitter = position_of(view), Splitter(view.rule_set.native)
        groups, of, choices, splits, split_of = mcm.position_combinations([position], splitter, slack, 40)
        hand = mcm.observe_positions([position], False)[0][0, : CARDS[1]]
        follows = not view.last.is_pass
        assert not of.any()
        assert not split_of.any()
        assert 1 <= len(splits) <= 40
        assert len({tuple(sorted(split)) for split in splits.tolist()}) == len(splits)
        for split in splits:
            parts = split[split < len(groups)]
            assert groups[parts, CARDS[0] : CARDS[0] + CARDS[1]].sum() == hand.sum()
            assert len(parts) - follows <= splitter.min_turns(view.hand) + slack
            assert (choices[parts] >= 0).any()


def test_groups_that_may_be_played_are_legal_moves_and_the_pass_is_one_of_them() -> None:
    for view in views(2):
        position = position_of(view)
        groups, _, choices, _, _ = mcm.position_combinations([position], Splitter(view.rule_set.native), 1, 100)
        rows = mcm.observe_positions([position], False)[1]
        for group, choice in zip(groups, choices, strict=True):
            if choice >= 0:
                assert np.array_equal(rows[choice], group)
        passes = [i for i, move in enumerate(position.moves) if move.is_pass]
        assert set(passes) <= set(choices.tolist())


def test_more_splits_than_asked_for_are_drawn_by_the_hand_alone() -> None:
    view = doudizhu_view(GAME.deal(4, "standard+nobid").view(0))
    position, splitter = position_of(view), Splitter(view.rule_set.native)
    every = mcm.position_combinations([position], splitter, 2, 100_000)[3]
    few, again = (mcm.position_combinations([position], splitter, 2, 7) for _ in range(2))
    assert len(every) > len(few[3]) == 7
    assert all(np.array_equal(np.asarray(one), np.asarray(other)) for one, other in zip(few, again, strict=True))


def test_candidates_are_groups_of_one_split() -> None:
    agent = REGISTRY.agent("doudizhu", "cql")
    for view in views(2):
        decision = agent.decide(view)
        legal = view.native_moves().to_list()
        assert decision.move in legal
        assert all(candidate.move in legal for candidate in decision.candidates)
        values = [candidate.value or 0 for candidate in decision.candidates]
        assert values == sorted(values, reverse=True)
        shortest = Splitter(view.rule_set.native).min_turns(view.hand)
        assert len(decision.candidates) <= shortest + agent.settings.slack + 1


def test_bids_are_legal() -> None:
    agent = REGISTRY.agent("doudizhu", "cql")
    state = GAME.deal(1, "standard")
    assert state.to_move is not None
    assert agent.decide(state.view(state.to_move)).move in state.legal_moves()


def test_it_learns_and_goes_on_where_it_stopped() -> None:
    pytest.importorskip("torch")
    from mingpai.methods.mcm.train_cql import CqlLearner, CqlTraining

    settings = CqlTraining(deals=96, tables=32, minibatch=64, memory=2000, most=8)
    learner = CqlLearner(settings)
    told = [learner.step() for _ in range(2)]
    assert told[1]["decisions"] > told[0]["decisions"] > 32
    assert learner.minibatches > 0
    assert all(0 < value < 2 for one in told for name, value in one.items() if name.endswith("loss"))
    again = CqlLearner(settings)
    again.load_state_dict(learner.state_dict())
    assert again.waves == 2
    assert all(bool((a == b).all()) for a, b in zip(learner.mean.parameters(), again.mean.parameters(), strict=True))


def test_every_decision_of_a_wave_is_learned_once_with_a_chance_or_the_result() -> None:
    pytest.importorskip("torch")
    from mingpai.methods.mcm.cql_network import CombinationNet
    from mingpai.methods.mcm.train_cql import CqlTraining, Memory, Wave

    settings = CqlTraining(tables=8, most=8)
    memory, made = Memory(5000, 1), 0
    wave = Wave(settings, 0, memory)
    net = CombinationNet(settings.shape)
    while step := wave.step(net, 0.3):
        made += step
    assert memory.added == made
    targets = memory.rows.targets[:made]
    assert (targets >= 0).all()
    assert (targets <= 1).all()
    assert ((targets[:, 1] == 0) | (targets[:, 1] == 1)).sum() >= 8
    (states, groups, of, splits, chosen), values = memory.minibatch(20)
    assert len(states) == len(splits) == len(chosen) == len(values) == 20
    assert int(splits.max()) <= len(groups) == len(of)
    assert np.array_equal(of[chosen], np.arange(20))


def test_self_play_values_what_the_exported_network_values() -> None:
    torch = pytest.importorskip("torch")
    from mingpai.methods.mcm.cql_network import CombinationNet, CombinationShape

    view = doudizhu_view(GAME.deal(4, "standard+nobid").view(0))
    position = position_of(view)
    states, _, _ = mcm.observe_positions([position], False)
    groups, of, _, splits, _ = mcm.position_combinations([position], Splitter(view.rule_set.native), 1, 30)
    net = CombinationNet(CombinationShape())
    inputs = [torch.from_numpy(part) for part in (states, groups, of, splits)]
    joint, pooled, values = net.split_values(*inputs)
    plain = net(*inputs)
    assert torch.allclose(values, plain[0], atol=1e-5)
    assert torch.allclose(net.group_values(joint, pooled, inputs[3]), plain[1], atol=1e-5)
    all_states, all_groups, all_of, all_splits = inputs
    learned = net.learn(all_states, all_groups, all_of, all_splits[:1], torch.from_numpy(splits[:1, 0]))
    assert torch.allclose(learned[0], plain[0][:1], atol=1e-5)
    assert torch.allclose(learned[1], plain[1][:1, 0], atol=1e-5)


def test_a_start_of_another_shape_is_refused() -> None:
    pytest.importorskip("torch")
    from mingpai.methods.mcm.train_cql import CqlLearner, CqlTraining

    with pytest.raises(BadModel, match="doudizhu-value cannot be started from"):
        CqlLearner(CqlTraining(start="doudizhu-value", deals=8, tables=4))


def test_a_network_that_the_native_code_cannot_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = load_value("doudizhu-student").weights()
    narrow = {name: value[..., :100] if name == "state_weights" else value for name, value in weights.items()}
    monkeypatch.setattr(rows, "load", lambda *_, **__: SimpleNamespace(weights=lambda: narrow))
    with pytest.raises(BadModel, match="cannot be searched with"):
        rows.native_network("narrow")
