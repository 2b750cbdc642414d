"""The judge that sees all hands, and the network that learns from it."""

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mingpai._native import doudizhu, mcm  # noqa: E402
from mingpai._native.endgame import Position, brute_force  # noqa: E402
from mingpai.agents.doudizhu_greedy import tuned_weights  # noqa: E402
from mingpai.core.errors import BadSetting  # noqa: E402
from mingpai.methods.mcm.agent import JUDGE, SHIPPED, STUDENT  # noqa: E402
from mingpai.methods.mcm.ahead import PlayedOn, close_moves, corrected  # noqa: E402
from mingpai.methods.mcm.export import shipped_network  # noqa: E402
from mingpai.methods.mcm.losses import rank_in_group, reading_loss, worth_comparing  # noqa: E402
from mingpai.methods.mcm.network import Shape, ValueNet  # noqa: E402
from mingpai.methods.mcm.rows import OPEN_FEATURES, native_network  # noqa: E402
from mingpai.methods.mcm.tables import SelfPlay  # noqa: E402
from mingpai.methods.mcm.train_open import FRESH, OpenLearner, OpenSettings, opened  # noqa: E402
from mingpai.training.learning import above_mean  # noqa: E402
from mingpai.training.method import settings_from  # noqa: E402

RULES = doudizhu.profile("standard")
SMALL = OpenSettings(
    samples=4096, tables=64, minibatch=64, memory=2000, first=300, start=FRESH, shape=Shape(64, 2, 64, 64), rise=5,
    rate=3e-3, judge_rate=3e-3, mixed=False,
)  # fmt: skip


def open_rows(batch: mcm.Batch, is_open: bool) -> tuple[np.ndarray, np.ndarray]:
    sizes = (mcm.OPEN_STATE_SIZE, mcm.OPEN_MOVE_SIZE) if is_open else (mcm.STATE_SIZE, mcm.MOVE_SIZE)
    states, moves = np.ones((len(batch), sizes[0]), np.uint8), np.ones((batch.options, sizes[1]), np.uint8)
    batch.observe(states, moves)
    return states, moves


def test_open_rows_go_on_where_closed_ones_end() -> None:
    """The same tables, closed and open: equal up to the closed end, then both other hands as thermometers."""
    closed, seen = (mcm.Batch(20, 3, RULES, open=is_open) for is_open in (False, True))
    rng = np.random.default_rng(1)
    for _ in range(30):
        states, moves = open_rows(closed, False)
        open_states, open_moves = open_rows(seen, True)
        assert np.array_equal(open_states[:, : mcm.STATE_SIZE], states)
        assert np.array_equal(open_moves[:, : mcm.MOVE_SIZE], moves)
        for table in range(20):
            turn = int(seen.turns()[table])
            others = [seen.hands(table)[(turn + i) % 3] for i in (1, 2)]
            places = open_states[table, mcm.STATE_SIZE : mcm.STATE_SIZE + 2 * 54].reshape(2, 54)
            assert places.sum(1).tolist() == [doudizhu.card_count(hand) for hand in others]
            turns = open_states[table, mcm.STATE_SIZE + 2 * 54 :][: 2 * 12].reshape(2, 12)
            assert turns.argmax(1).tolist() == [min(11, mcm.estimated_turns(hand)) for hand in others]
        choices = rng.integers(0, np.diff(seen.offsets())).astype(np.int32)
        closed.play(choices)
        seen.play(choices)


def test_samples_and_tables_must_have_the_same_rows() -> None:
    with pytest.raises(ValueError, match="another size"):
        mcm.Batch(1, 1, RULES, samples=mcm.Samples(10), open=True)


def lead_truths(
    batch: mcm.Batch, samples: mcm.Samples, most: int, rules: doudizhu.Rules = RULES, *, for_points: bool = False
) -> list[tuple[float, float, bool]]:
    """Plays a deal at random: the returns of its late leads, wins and points, beside what the solver says of them."""
    rng, truths, decisions = np.random.default_rng(len(samples)), {}, 0
    while batch.options:
        states, moves = open_rows(batch, True)
        values = rng.normal(size=(batch.options, 2)).astype(np.float32)
        turn, hands, legal = int(batch.turns()[0]), batch.hands(0), batch.moves(0)
        is_lead = not any(move.is_pass for move in legal)
        if is_lead and sum(map(doudizhu.card_count, hands)) <= most:
            after = Position(hands, turn).after(legal[int(values[:, int(for_points)].argmax())])
            truths[decisions] = (after.has_landlord_won if after.is_over else brute_force(after, rules)) is (turn == 0)
        decisions += 1
        batch.act(values, states, moves, 0.0, 1.0)
    places = {decisions - 1 - i: truth for i, truth in truths.items()}
    return [(float(samples.wins[i]), float(samples.points[i]), truth) for i, truth in places.items()]


def test_late_decisions_are_given_what_the_solver_proves() -> None:
    seen = []
    for seed in range(25):
        samples = mcm.Samples(200, True)
        batch = mcm.Batch(1, seed, RULES, deals_again=False, samples=samples, open=True, exact_cards=10)
        seen += lead_truths(batch, samples, 10)
    assert len(seen) > 20
    assert all(won == truth for won, _, truth in seen)
    assert {truth for *_, truth in seen} == {True, False}


def test_points_are_proved_where_nothing_doubles() -> None:
    """Under rlcard never; the deals are played for points."""
    seen, rules = [], doudizhu.profile("rlcard")
    for seed in range(25):
        samples = mcm.Samples(200, True)
        batch = mcm.Batch(1, seed, rules, 0.0, 1.0, False, samples, True, 10)
        seen += lead_truths(batch, samples, 10, rules, for_points=True)
    assert len(seen) > 20
    assert all(won == truth and points == (1 if truth else -1) for won, points, truth in seen)
    samples = mcm.Samples(200, True)
    batch = mcm.Batch(1, 3, RULES, 0.0, 1.0, False, samples, True, 54)
    states, moves = open_rows(batch, True)
    batch.act(np.zeros((batch.options, 2), np.float32), states, moves, 0.0, 1.0)
    assert batch.counts.proved == 0, "a spring may still double"


def test_exact_returns_need_open_rows() -> None:
    with pytest.raises(ValueError, match="open rows"):
        mcm.Batch(1, 1, RULES, exact_cards=10)


def test_the_judge_can_learn_proved_results() -> None:
    learner = OpenLearner(replace(SMALL, exact_cards=12))
    learner.step()
    assert learner.play.counts().proved > 0


def test_a_judge_begins_with_what_the_network_knows() -> None:
    known = shipped_network(STUDENT)
    judge = ValueNet(known.shape, is_open=True)
    judge.load_state_dict(opened(known.state_dict()))
    play = SelfPlay(SMALL, 1, is_open=True)
    seen = play.ask(judge)
    closed = known.values(
        seen.states[:, : mcm.STATE_SIZE].contiguous(), seen.moves[:, : mcm.MOVE_SIZE].contiguous(), seen.of
    )
    assert torch.allclose(seen.values, closed, atol=1e-4)


def ahead(batch: mcm.Batch, rows: np.ndarray, depth: int) -> np.ndarray:
    """What the shipped networks make of moves that are played on."""
    judge = native_network(JUDGE, OPEN_FEATURES)
    return mcm.LookAhead(native_network(STUDENT), judge, tuned_weights()).values(batch, rows.astype(np.int32), depth)


def played(batch: mcm.Batch, decisions: int) -> mcm.Batch:
    """The batch after decisions at random."""
    rng = np.random.default_rng(5)
    for _ in range(decisions):
        batch.play(rng.integers(0, np.maximum(np.diff(batch.offsets()), 1)).astype(np.int32))
    return batch


@pytest.mark.parametrize("for_points", [False, True])
def test_a_move_that_goes_out_wins(for_points: bool) -> None:
    rules = doudizhu.profile("douzero")
    batch = played(mcm.Batch(3000, 8, rules, 0.0, float(for_points), False, None, True), 30)
    offsets, turns = batch.offsets(), batch.turns()
    outs = [offsets[table] + i for table in range(3000) for i, move in enumerate(batch.moves(table))
            if move.cards == batch.hands(table)[turns[table]] and not move.is_bomb]  # fmt: skip
    assert len(outs) > 20
    assert set(ahead(batch, np.array(outs), 3)) == {1.0}


@pytest.mark.parametrize("profile", ["standard", "douzero", "rlcard"])
def test_points_to_the_end_are_stakes_with_what_the_rules_double(profile: str) -> None:
    batch = played(mcm.Batch(60, 8, doudizhu.profile(profile), 0.0, 1.0, False, None, True), 3)
    found = np.abs(ahead(batch, np.arange(batch.options)[::5], 1000))
    assert np.array_equal(np.log2(found), np.log2(found).round())
    assert (set(found) == {1.0}) == (profile == "rlcard")


def test_moves_are_played_on_each_for_itself_and_deep_enough_to_the_end() -> None:
    batch = played(mcm.Batch(40, 9, RULES, deals_again=False, open=True), 4)
    rows = np.arange(batch.options)[::3]
    found = ahead(batch, rows, 4)
    assert np.array_equal(ahead(batch, rows[::-1].copy(), 4)[::-1], found)
    assert np.array_equal(np.concatenate([ahead(batch, row[None], 4) for row in rows[:20]]), found[:20])
    ends = ahead(batch, rows, 1000)
    assert ((ends < 0.05) | (ends > 0.95)).all(), "to the end, or until the network is as good as sure"
    assert len(set(found.tolist())) > len(rows) / 2
    assert np.corrcoef(found, ends)[0, 1] > 0.4


def test_playing_on_needs_moves_that_are_there_and_networks_that_see_what_they_may() -> None:
    batch = mcm.Batch(3, 1, RULES, open=True)
    for rows in (np.array([-1]), np.array([batch.options])):
        with pytest.raises(ValueError, match="no such move"):
            ahead(batch, rows, 2)
    with pytest.raises(ValueError, match="depth"):
        ahead(batch, np.array([0]), 0)
    judge, closed = native_network(JUDGE, OPEN_FEATURES), native_network(STUDENT)
    with pytest.raises(ValueError, match="cannot see"):
        mcm.LookAhead(judge, judge, tuned_weights())
    with pytest.raises(ValueError, match="judge"):
        mcm.LookAhead(closed, closed, tuned_weights())


def test_moves_are_close_to_the_best_of_their_state() -> None:
    """By wins in logits, by points in half stakes; a best move without another near it is not played on."""
    of = np.array([0, 0, 0, 1, 1, 2, 2, 3])
    own = np.array([[0, 9], [-2, 0], [-0.9, 5], [1, 0], [-0.1, 0], [9, 0.3], [0, -0.05], [0, 0]], np.float32)
    points = np.array([False, False, True, True])
    assert np.flatnonzero(close_moves(own, of, points, 1.0)).tolist() == [0, 2, 5, 6]
    assert np.flatnonzero(close_moves(own, of, points, 0.8)).tolist() == [5, 6]


def test_playing_on_corrects_differences_and_leaves_the_rest_to_the_judge() -> None:
    judged = torch.tensor([[0.0, 0.5], [1.0, -0.5], [-3.0, 0.1], [0.3, 2.0], [0.2, 1.0]])
    found = np.array([0.9, 0.5, -1.0, 1.0], np.float32)
    played = PlayedOn(np.array([0, 1, 3, 4]), np.array([0, 0, 1, 1]), found, np.array([False, False, True, True]))
    told = corrected(judged, played)
    chances = torch.sigmoid(told[:2, 0])
    assert torch.isclose(chances.mean(), torch.sigmoid(judged[:2, 0]).mean())
    assert torch.isclose(chances[0] - chances[1], torch.tensor(0.4))
    assert torch.allclose(told[3:, 1], torch.tensor([0.5, 2.5]))
    assert torch.equal(told[2], judged[2])
    assert torch.equal(told[:2, 1], judged[:2, 1])
    assert torch.equal(told[3:, 0], judged[3:, 0])


def test_a_network_that_cannot_play_natively_is_refused_at_once() -> None:
    with pytest.raises(BadSetting, match=r"ahead.*multiples of 128"):
        OpenLearner(replace(SMALL, ahead=2))


def test_networks_learn_from_moves_that_were_played_on() -> None:
    told = []
    for ahead in (0, 2):
        learner = OpenLearner(replace(SMALL, ahead=ahead, rules="standard,douzero", shape=Shape(128, 2, 128, 128)))
        for _ in range(3):
            learner.step()
        told.append(learner.net.out.bias.detach().clone())
    assert not torch.equal(*told)


def test_judge_and_network_learn() -> None:
    learner = OpenLearner(SMALL)
    before = [p.clone() for p in learner.net.parameters()]
    losses = [learner.step()["win_loss"] for _ in range(40)]
    assert losses[-1] < losses[0]
    assert any(not torch.equal(a, b) for a, b in zip(before, learner.net.parameters(), strict=True))
    again = OpenLearner(SMALL)
    again.load_state_dict(learner.state_dict())
    assert again.course.steps == 40
    assert all(torch.equal(a, b) for a, b in zip(again.judge.parameters(), learner.judge.parameters(), strict=True))


def test_reading_counts_unseen_cards_alone() -> None:
    first, places = mcm.state_layout()["unseen"]
    states = torch.zeros(2, mcm.STATE_SIZE, dtype=torch.uint8)
    states[:, first : first + 3] = 1
    held = torch.zeros(2, places, dtype=torch.uint8)
    held[0, 0] = 1
    sure = torch.where(held.bool(), 20.0, -20.0)
    assert reading_loss(sure, held, states) < 1e-6
    sure[:, 3:] = 20.0
    assert reading_loss(sure, held, states) < 1e-6, "what was seen is not asked"
    assert reading_loss(-sure, held, states) > 10


def test_the_judge_starts_from_the_model_that_is_named() -> None:
    known = shipped_network(JUDGE, OPEN_FEATURES)
    learner = OpenLearner(OpenSettings(samples=1024, tables=8, first=10, memory=100))
    assert torch.equal(learner.judge.state_weights, known.state_weights)
    apart = OpenLearner(OpenSettings(samples=1024, tables=8, first=10, memory=100, judge=FRESH))
    assert torch.equal(apart.judge.state_weights[: mcm.STATE_SIZE], apart.net.state_weights)


def test_a_deeper_network_begins_near_the_one_it_comes_from() -> None:
    learner = OpenLearner(OpenSettings(samples=1024, tables=8, first=10, memory=100, mixed=False, deeper=1))
    known = shipped_network(SHIPPED)
    assert len(learner.net.blocks) == len(known.blocks) + 1
    seen = SelfPlay(SMALL, 1).ask(known)
    near = learner.net.values(seen.states, seen.moves, seen.of)
    assert not torch.equal(near, seen.values)
    assert (near - seen.values).abs().mean() < 0.05


def test_a_judge_works_on_one_machine() -> None:
    with pytest.raises(BadSetting, match="engine"):
        settings_from(OpenSettings, ["engine=ray"])


def test_the_moves_that_are_compared() -> None:
    """States of four, two and one moves: the best two and one other; nothing of a state with a single one."""
    states = torch.zeros(3, mcm.STATE_SIZE, dtype=torch.uint8)
    of = torch.tensor([0, 0, 0, 0, 1, 1, 2])
    own = torch.tensor([[0.1, 9.0], [3.0, 0.0], [0.2, 0.0], [2.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0]])

    def kept(seed: int, others: int = 0) -> tuple[int, ...]:
        rng = np.random.default_rng(seed)
        return tuple(worth_comparing(states, of, own, rng, best=2, others=others).tolist())

    assert {kept(seed, others=1) for seed in range(30)} == {(0, 1, 3, 4, 5), (1, 2, 3, 4, 5)}
    assert kept(0) == (1, 3, 4, 5)


def test_ranks_and_means_of_groups() -> None:
    of = np.array([0, 0, 0, 2, 2])
    assert rank_in_group(np.array([3.0, 1.0, 2.0, 5.0, 4.0]), of).tolist() == [2, 0, 1, 1, 0]
    values = above_mean(torch.tensor([1.0, 2.0, 3.0, 5.0, 7.0]), torch.from_numpy(of), 3)
    assert values.tolist() == [-1.0, 0.0, 1.0, -1.0, 1.0]


def test_roles_that_are_split_begin_alike_and_part() -> None:
    """Network and judge, from the shipped ones; every role learns from its own decisions alone."""
    settings = OpenSettings(samples=1024, tables=8, minibatch=8, first=10, memory=100, mixed=False, split=True)
    learner, known = OpenLearner(settings), shipped_network(SHIPPED)
    assert learner.net.shape.roles
    assert learner.judge.shape.roles
    seen = SelfPlay(SMALL, 1).ask(known)
    torch.testing.assert_close(learner.net.values(seen.states, seen.moves, seen.of), seen.values, rtol=1e-3, atol=1e-3)
    for _ in range(3):
        learner.step()
    for net in (learner.net, learner.judge):
        landlord, down, up = net.project.weight.chunk(3)
        assert not torch.equal(landlord, down)
        assert not torch.equal(down, up)


@pytest.mark.ci
def test_two_processes_go_on_from_a_state_the_same_way_each_time() -> None:
    """A step learns as many decisions as with one process; the processes play other deals."""
    settings = replace(SMALL, processes=2)

    def went_on(state: Mapping[str, Any]) -> OpenLearner:
        learner = OpenLearner(settings)
        learner.load_state_dict(copy.deepcopy(state))
        for _ in range(3):
            learner.step()
        return learner

    begun = OpenLearner(SMALL)
    begun.step()
    alone = OpenLearner(SMALL)
    alone.load_state_dict(copy.deepcopy(begun.state_dict()))
    for _ in range(3):
        alone.step()
    one, two = went_on(begun.state_dict()), went_on(begun.state_dict())
    assert all(map(torch.equal, one.net.parameters(), two.net.parameters()))
    assert one.course.steps == alone.course.steps == 4
    assert not torch.equal(one.net.state_weights, alone.net.state_weights)


def test_processes_must_divide_the_tables() -> None:
    with pytest.raises(BadSetting, match="divisor of tables"):
        OpenLearner(replace(SMALL, processes=3))
