"""The paper's policy: abstract moves, kickers as a second choice, samples from MCTSHS, the network."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mingpai._native import doudizhu
from mingpai.games.doudizhu import notation
from mingpai.methods.mcm.policy import (
    McmPolicyAgent,
    McmPolicySettings,
    Options,
    abstract_moves,
    abstract_of,
    kickers_of,
    probabilities,
)

RULES = doudizhu.profile("standard")


def move(text: str) -> doudizhu.Move:
    return doudizhu.classify(notation.parse_cards(text), RULES)[0]


def test_abstract_moves_follow_from_the_rules() -> None:
    """Ranks that may carry the main part, and places of the chains that a hand of 20 cards can hold."""
    by_type: dict[int, int] = {}
    for type_, _, _ in abstract_moves():
        by_type[type_] = by_type.get(type_, 0) + 1
    kinds = {doudizhu.Type(type_).name: count for type_, count in by_type.items()}
    assert kinds == {
        "PASS": 1, "SINGLE": 15, "PAIR": 13, "TRIPLE": 13, "TRIPLE_SINGLE": 13, "TRIPLE_PAIR": 13, "STRAIGHT": 36,
        "PAIR_STRAIGHT": 52, "AIRPLANE": 45, "AIRPLANE_SINGLES": 38, "AIRPLANE_PAIRS": 30, "FOUR_SINGLES": 13,
        "FOUR_PAIRS": 13, "BOMB": 13, "ROCKET": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kickers"),
    [
        ("3", ""),
        ("3334", "4"),
        ("33344", "4"),
        ("33344456", "56"),
        ("333445", None),
        ("333344", "44"),
        ("33334455", "45"),
    ],
)
def test_kickers(text: str, kickers: str | None) -> None:
    readings = doudizhu.classify(notation.parse_cards(text), RULES).to_list()
    if kickers is None:
        assert not readings
        return
    made = kickers_of(readings[0])
    assert "".join(notation.RANKS[rank] * int(made[rank]) for rank in range(15)) == kickers


def test_two_choices_multiply() -> None:
    """P(move) = P(abstract move) P(kickers | abstract move), over the legal moves alone."""
    legal = [move("3"), move("5554"), move("5556"), doudizhu.Move()]
    numbers = abstract_moves()
    scores = np.full(len(numbers), 9.0, np.float32)
    for text, score in (("3", 0.0), ("5554", np.log(2.0))):
        scores[numbers[abstract_of(move(text))]] = score
    scores[numbers[abstract_of(doudizhu.Move())]] = 0.0
    kicker_scores = np.zeros((len(numbers), 15), np.float32)
    kicker_scores[numbers[abstract_of(move("5554"))], notation.RANKS.index("6")] = np.log(3.0)
    policy = probabilities(Options.of(legal), scores, kicker_scores)
    assert policy == pytest.approx([0.25, 0.125, 0.375, 0.25])


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Any:
    pytest.importorskip("torch")
    from mingpai.methods.mcm.train_policy import SHARD_DEALS, PolicyLearner, Settings

    folder = tmp_path_factory.mktemp("samples")
    settings = Settings(
        samples=str(folder),
        teacher="greedy",
        deals=2 * SHARD_DEALS,
        jobs=1,
        epochs=3,
        channels=8,
        layers=2,
        minibatch=64,
    )
    return PolicyLearner(settings)


def test_samples_are_split_by_deal_and_unique(learner: Any) -> None:
    assert len(learner.testing) * 5 < len(learner.learning)
    rows = [*learner.learning.planes, *learner.testing.planes]
    assert len({row.tobytes() for row in rows}) == len(rows)


def test_generation_goes_on_where_it_stopped(learner: Any) -> None:
    from mingpai.methods.mcm.train_policy import generate, read_deals, shard_path

    folder = Path(learner.settings.samples)
    before = read_deals(folder)
    shard_path(folder, 1).unlink()
    assert list(generate(learner.settings)) == [1]
    assert read_deals(folder) == before, "the same seed plays the same deals"


def test_the_policy_learns_its_teacher(learner: Any) -> None:
    from mingpai.methods.mcm.train_policy import losses

    before = float(np.mean([loss.item() for loss in losses(learner.net, learner.learning, np.arange(64))[:2]]))
    metrics = {}
    while learner.steps < learner.all_steps:
        metrics = dict(learner.step())
    after = float(np.mean([loss.item() for loss in losses(learner.net, learner.learning, np.arange(64))[:2]]))
    assert after < before - 0.1
    assert metrics["test_accuracy"] > 0.3


def test_losses_and_probabilities_agree(learner: Any) -> None:
    import torch

    from mingpai.methods.mcm.train_policy import losses

    data = learner.learning
    with torch.inference_mode():
        scores, kicker_scores = learner.net(torch.from_numpy(data.planes[:8]))
        kind_loss, kicker_loss, _ = losses(learner.net, data, np.arange(8))
    chosen = []
    for i in range(8):
        rows = slice(data.start[i], data.start[i + 1])
        policy = probabilities(
            Options(data.abstract[rows], data.kickers[rows]), scores[i].numpy(), kicker_scores[i].numpy()
        )
        assert policy.sum() == pytest.approx(1)
        chosen.append(np.log(policy[data.choice[i]]))
    assert float(kind_loss + kicker_loss) == pytest.approx(-np.mean(chosen), rel=1e-3)


def test_a_shipped_policy_plays(learner: Any, tmp_path: Path) -> None:
    from mingpai.games.doudizhu import GAME
    from mingpai.methods.mcm.train_policy import METHOD, ship_policy
    from mingpai.training.run import TrainingRun

    run = TrainingRun(tmp_path / "run", METHOD, dataclasses.replace(learner.settings))
    run.path.mkdir()
    folder = ship_policy(run, learner.state_dict(), tmp_path)
    agent = McmPolicyAgent(McmPolicySettings(str(folder)), game="doudizhu", spec="mcm-policy")
    state = GAME.deal(3, "standard+nobid")
    while state.to_move is not None:
        decision = agent.decide(state.view(state.to_move))
        assert sum(candidate.probability or 0 for candidate in decision.candidates) == pytest.approx(1)
        state.play(decision.move)
