"""The value network and its training loop."""

import math
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mingpai._native import mcm  # noqa: E402
from mingpai.core.errors import BadSetting, MingpaiError  # noqa: E402
from mingpai.methods.mcm.learner import learning_rate  # noqa: E402
from mingpai.methods.mcm.network import Shape, ValueNet  # noqa: E402
from mingpai.methods.mcm.rows import widened  # noqa: E402
from mingpai.methods.mcm.tables import exploration  # noqa: E402
from mingpai.methods.mcm.train_value import METHOD, Settings, ValueLearner  # noqa: E402
from mingpai.training.loop import train  # noqa: E402
from mingpai.training.run import TrainingRun  # noqa: E402
from mingpai.training.sparse import add_rows  # noqa: E402

TINY = Shape(width=64, depth=2, joint=64, head=32)
SMALL = Settings(
    samples=128 * 150, shape=TINY, mixed=False, tables=128, minibatch=128, memory=20_000, first=1000, rise=10,
    rate=3e-3, average=0.9,
)  # fmt: skip


def random_rows(rows: int, columns: int, seed: int) -> Any:
    return torch.from_numpy((np.random.default_rng(seed).random((rows, columns)) < 0.1).astype(np.uint8))


def test_sparse_linear_has_the_gradient_of_the_matrix_product() -> None:
    rows = random_rows(6, 40, 1)
    weights, start = torch.randn(40, 64, requires_grad=True), torch.randn(64, requires_grad=True)
    add_rows(rows, weights, start).square().sum().backward()  # type: ignore[no-untyped-call]
    have = [weights.grad.clone(), start.grad.clone()]
    weights.grad = start.grad = None
    (rows.float() @ weights + start).square().sum().backward()
    torch.testing.assert_close(have, [weights.grad, start.grad], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("roles", [False, True])
@pytest.mark.parametrize("to_move", [[0, 2, 1, 1, 0], [0] * 66 + [2] * 4, [1] * 64])
def test_the_three_forms_of_the_network_agree(roles: bool, to_move: list[int]) -> None:
    """Whatever the share of a role in the rows, also none, and whether they fill a product or not."""
    shape, count = replace(TINY, roles=roles), len(to_move)
    net = ValueNet(shape)
    states, moves = random_rows(count, mcm.STATE_SIZE, 1), random_rows(count, mcm.MOVE_SIZE, 2)
    first, places = mcm.state_layout()["role"]
    states[:, first : first + places] = torch.eye(places, dtype=torch.uint8)[torch.tensor(to_move)]
    of = torch.arange(count)
    wanted = net.dense(states, moves, of)
    torch.testing.assert_close(net.values(states, moves, of), wanted, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(net(states, moves), wanted, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(net.forward_all(states, moves, of), wanted, rtol=1e-4, atol=1e-5)
    mixed = ValueNet(shape, mixed=True)
    mixed.load_state_dict(net.state_dict())
    torch.testing.assert_close(mixed.values(states, moves, of), wanted, rtol=0.05, atol=0.02)


def test_schedules() -> None:
    assert learning_rate(SMALL, 0) == pytest.approx(SMALL.rate / SMALL.rise)
    assert learning_rate(SMALL, 10**6) == pytest.approx(SMALL.last_rate)
    assert exploration(SMALL, 0) == SMALL.explore
    assert exploration(SMALL, 0.5) == exploration(SMALL, 1) == SMALL.last_explore


def test_training_learns_who_wins(tmp_path: Path) -> None:
    """Knowing nothing costs ln 2; after a few thousand deals the network knows better."""
    run = TrainingRun(tmp_path, METHOD, SMALL)
    outcome = train(run, ValueLearner(SMALL), SMALL.steps)
    last = list(run.metrics())[-1]
    assert outcome.step == SMALL.steps
    assert last["samples"] == SMALL.samples
    assert last["win_loss"] < math.log(2) - 0.03


def test_a_checkpoint_is_taken_up_the_same_way_each_time(tmp_path: Path) -> None:
    """Not as if nothing had happened (deals in play are not kept), but always to the same end."""
    train(TrainingRun(tmp_path / "once", METHOD, SMALL), ValueLearner(SMALL), 5)
    shutil.copytree(tmp_path / "once", tmp_path / "twice")
    ends = []
    for name in ("once", "twice"):
        resumed = ValueLearner(SMALL)
        train(TrainingRun(tmp_path / name, METHOD, SMALL), resumed, 9, resume=True)
        ends.append(resumed.net.state_dict())
    assert all(torch.equal(ends[0][key], ends[1][key]) for key in ends[0])


def test_a_killed_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    train(TrainingRun(tmp_path, METHOD, SMALL), ValueLearner(SMALL), 20)
    resumed = ValueLearner(SMALL)
    train(TrainingRun(tmp_path, METHOD, SMALL), resumed, 30, resume=True)
    assert resumed.course.steps == 30
    assert resumed.course.sitting == 1
    assert resumed.state_dict()["cpu_seconds"] > resumed.course.cpu_seconds > 0


def test_the_same_seed_gives_the_same_network() -> None:
    first, second = ValueLearner(SMALL), ValueLearner(SMALL)
    for _ in range(3):
        assert first.step()["win_loss"] == second.step()["win_loss"]
    torch.testing.assert_close(first.mean.state_dict(), second.mean.state_dict())


def test_a_checkpoint_of_another_shape_is_refused() -> None:
    other = ValueLearner(replace(SMALL, shape=Shape(width=128, depth=2, joint=64, head=32)))
    with pytest.raises(MingpaiError, match="shape"):
        other.load_state_dict(ValueLearner(SMALL).state_dict())


KILLED = """
import sys
from pathlib import Path
from mingpai.methods.mcm.train_value import METHOD, ValueLearner
from mingpai.training.loop import train
from mingpai.training.run import TrainingRun
from tests.methods.mcm.test_train_value import SMALL
train(TrainingRun(Path(sys.argv[1]), METHOD, SMALL), ValueLearner(SMALL), 100_000, checkpoint_seconds=0.2)
"""


def test_a_killed_run_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(folder)]) as process:
        deadline = time.monotonic() + 120
        while len(list(folder.glob("checkpoints/*.pt"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.kill()
    run = TrainingRun(folder, METHOD, SMALL)
    reached = run.load()["steps"]
    assert reached > 0
    learner = ValueLearner(SMALL)
    outcome = train(run, learner, reached + 3, resume=True)
    assert outcome.step == learner.course.steps == reached + 3


def test_a_network_that_was_not_told_what_doubles_says_the_same_and_can_learn_to_listen() -> None:
    """Weights of the layout before: zeros for the new places, so that no rules change a value until it has learned."""
    net = ValueNet(TINY)
    told = mcm.STATE_SIZE - mcm.UNTOLD_STATE_SIZE
    weights = {name: value.numpy() for name, value in net.state_dict().items()}
    before = {**weights, "state_weights": np.delete(weights["state_weights"], np.s_[mcm.UNTOLD_STATE_SIZE :], axis=0)}
    assert len(before["state_weights"]) == mcm.STATE_SIZE - told
    net.load_state_dict({name: torch.from_numpy(value) for name, value in widened(before).items()})
    rest = slice(0, mcm.UNTOLD_STATE_SIZE)
    np.testing.assert_array_equal(net.state_weights[rest].detach().numpy(), before["state_weights"])
    assert widened(weights).keys() == weights.keys()
    np.testing.assert_array_equal(widened(weights)["state_weights"], weights["state_weights"])

    settings = replace(SMALL, rules="douzero", points_share=1.0)
    learner = ValueLearner(settings)
    for network in (learner.net, learner.mean):
        network.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in widened(before).items()})
    learner.step()
    place = mcm.state_layout()["no_spring"][0]
    assert learner.net.state_weights[place].abs().max() > 0
    assert learner.net.state_weights[place + 1].abs().max() == 0


def test_open_weights_are_widened_before_the_hands() -> None:
    rows = np.arange(float(mcm.OPEN_STATE_SIZE - 2))[:, None]
    wide = widened({"state_weights": rows})["state_weights"][:, 0]
    assert len(wide) == mcm.OPEN_STATE_SIZE
    assert list(wide[mcm.UNTOLD_STATE_SIZE - 1 : mcm.STATE_SIZE + 1]) == [
        mcm.UNTOLD_STATE_SIZE - 1, 0, 0, mcm.UNTOLD_STATE_SIZE
    ]  # fmt: skip


def test_unknown_rules_are_named() -> None:
    with pytest.raises(BadSetting, match="nowhere"):
        ValueLearner(replace(SMALL, rules="standard,nowhere"))
