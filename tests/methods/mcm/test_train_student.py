"""The student: it learns the values of a teacher, and the choice among the moves of each state."""

import math

import pytest

torch = pytest.importorskip("torch")

from mingpai._native import mcm  # noqa: E402
from mingpai.core.errors import BadSetting  # noqa: E402
from mingpai.methods.mcm.agent import SHIPPED, STUDENT  # noqa: E402
from mingpai.methods.mcm.export import shipped_network  # noqa: E402
from mingpai.methods.mcm.losses import choice_entropy  # noqa: E402
from mingpai.methods.mcm.network import Shape  # noqa: E402
from mingpai.methods.mcm.rows import load_value  # noqa: E402
from mingpai.methods.mcm.train_student import StudentLearner, StudentSettings  # noqa: E402
from mingpai.training.method import settings_from  # noqa: E402

SMALL = StudentSettings(
    samples=2048, tables=64, minibatch=64, shape=Shape(64, 2, 64, 64), rise=5, rate=3e-3, mixed=False
)


def test_the_student_comes_closer_to_its_teacher() -> None:
    learner = StudentLearner(SMALL)
    losses = [learner.step()["points_loss"] for _ in range(30)]
    assert losses[-1] < 0.9 * losses[0]  # a mean over all steps so far
    assert learner.course.steps == 30


def test_values_with_gradients_are_those_without() -> None:
    net = shipped_network(STUDENT)
    learner = StudentLearner(SMALL)
    choices = learner.play.ask(net)
    assert torch.allclose(net.forward_all(choices.states, choices.moves, choices.of), choices.values, atol=1e-4)


def test_the_entropy_of_the_choice_by_hand() -> None:
    """Two states with two and one moves; the teacher is sure of the first move, the student does not care."""
    states = torch.zeros(2, mcm.STATE_SIZE, dtype=torch.uint8)
    of = torch.tensor([0, 0, 1])
    taught = torch.tensor([[100.0, 0.0], [0.0, 0.0], [5.0, 0.0]])
    assert choice_entropy(torch.zeros(3, 2), taught, states, of, 1.0).item() == pytest.approx(math.log(2) / 2)
    assert choice_entropy(taught, taught, states, of, 1.0).item() == pytest.approx(0, abs=1e-6)


def test_a_student_learns_on_one_machine() -> None:
    with pytest.raises(BadSetting, match="engine"):
        settings_from(StudentSettings, ["engine=ray"])


def test_the_shipped_student_is_smaller_than_its_teacher() -> None:
    student, teacher = (load_value(name).weights() for name in (STUDENT, SHIPPED))
    assert 2 * sum(part.size for part in student.values()) < sum(part.size for part in teacher.values())
