"""A smaller network that plays like the large one at a third of its time: what the search plays its worlds out with.

The student plays all seats of many deals; at every decision the teacher values every legal move and the student learns
these values, and above all which move is best. Needs the `train` extra.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from mingpai.core.settings import setting
from mingpai.methods.mcm.agent import SHIPPED, STUDENT
from mingpai.methods.mcm.export import own_command, own_games, ship_value, shipped_network
from mingpai.methods.mcm.learner import Course, LearnerSettings, Trainee, check_layout, layout_of, replica
from mingpai.methods.mcm.losses import choice_entropy
from mingpai.methods.mcm.network import POINTS, WIN, Shape, ValueNet
from mingpai.methods.mcm.rows import FEATURES, older, widened
from mingpai.methods.mcm.tables import SelfPlay, TableSettings, exploration, table_seed
from mingpai.training.learning import begin
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun


@dataclass(frozen=True)
class StudentSettings(LearnerSettings, TableSettings):
    """A smaller network and its teacher."""

    samples: int = 12_000_000
    shape: Shape = field(default_factory=lambda: Shape(width=256, depth=2, joint=128, head=128))
    teacher: str = setting(SHIPPED, "Name of a shipped model, or path of a model folder.", kind="model")
    last_explore: float = 0.02
    points_share: float = 0.25
    sharpness: float = setting(4.0, "The teacher's choice is a softmax of its values times this.", (0, 1000))
    choice_weight: float = setting(
        0.5, "Weight of the cross-entropy of the choice against that of the win probabilities.", (0, 1000)
    )


class StudentLearner:
    """Plays one decision at every table, then learns what the teacher thinks of all their moves."""

    def __init__(self, settings: StudentSettings) -> None:
        begin(settings)
        self.settings = settings
        self.net = ValueNet(settings.shape, mixed=settings.mixed)
        self.mean = replica(self.net)
        self.trainee = Trainee(self.net, self.mean, settings.rate, settings.average)
        self.teacher = shipped_network(settings.teacher, mixed=settings.mixed)
        self.course = Course(settings)
        self._sit_down()

    def _sit_down(self) -> None:
        self.play = SelfPlay(self.settings, table_seed(self.settings.seed, self.course.sitting))

    def step(self) -> Mapping[str, float]:
        settings = self.settings
        choices = self.play.ask(self.net)
        taught = self.teacher.values(choices.states, choices.moves, choices.of).clone()
        out = self.net.forward_all(choices.states, choices.moves, choices.of)
        win_loss = functional.binary_cross_entropy_with_logits(out[:, WIN], torch.sigmoid(taught[:, WIN]))
        points_loss = functional.mse_loss(out[:, POINTS], taught[:, POINTS])
        choice_loss = choice_entropy(out, taught, choices.states, choices.of, settings.sharpness)
        loss = win_loss + settings.points_weight * points_loss + settings.choice_weight * choice_loss
        self.trainee.descend(loss, self.course.rate())
        self.course.steps += 1
        self.trainee.follow(self.course.steps)
        self.play.answer(choices, exploration(settings, self.course.progress))
        return self.course.metrics((win_loss.item(), points_loss.item()), self.play.counts())

    def state_dict(self) -> dict[str, Any]:
        return layout_of(self.net) | self.trainee.state_dict() | self.course.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        check_layout(state, self.net)
        self.trainee.load_state_dict(state)
        self.course.load_state_dict(state)
        self._sit_down()


def ship_student(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    data = f"values of {Path(run.settings.teacher).name} in {own_games(run, state)}"
    title = "Dou Dizhu: the value of every legal move, small, for playouts"
    return ship_value(run, state, root, STUDENT, title, data=data, command=own_command(run, "mcm-student"))


TRAINING = Training(
    method="handsplit/student",
    what="plays {0.samples:,} decisions and learns the values that {0.teacher} gives them",
    settings=StudentSettings,
    learner=StudentLearner,
    steps=lambda learner: learner.settings.steps,
    game="doudizhu",
    features=FEATURES,
    older=older(FEATURES),
    adapt=lambda weights, network: widened(weights),
    shipped=STUDENT,
    networks=lambda learner: (learner.net, learner.mean),
    ship=ship_student,
    may_change=("samples", "threads"),
)
