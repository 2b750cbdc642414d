"""A smaller network that plays like the large one at a third of its time: what the search plays its worlds out with.

The student plays all seats of many deals; at every decision the teacher values every legal move and the student learns
these values, and above all which move is best. Needs the `train` extra.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from mingpai.core.errors import BadSetting
from mingpai.core.settings import setting
from mingpai.methods.mcm.agent import SHIPPED, STUDENT
from mingpai.methods.mcm.export import ship_value, shipped_network
from mingpai.methods.mcm.losses import is_for_points
from mingpai.methods.mcm.network import POINTS, WIN, Shape
from mingpai.methods.mcm.rows import FEATURES
from mingpai.methods.mcm.train_value import MAY_CHANGE, Choices, SelfPlay, Settings, ValueLearner, exploration
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun


@dataclass(frozen=True)
class StudentSettings(Settings):
    """The settings of `train_value` for a smaller network and a teacher; `lam` and `memory` are not used."""

    samples: int = 12_000_000
    shape: Shape = field(default_factory=lambda: Shape(width=256, depth=2, joint=128, head=128))
    teacher: str = setting(SHIPPED, "Name of a shipped model, or path of a model folder.", kind="model")
    memory: int = 1
    first: int = 0
    explore: float = 0.05
    last_explore: float = 0.02
    points_share: float = 0.25
    sharpness: float = setting(4.0, "The teacher's choice is a softmax of its values times this.", (0, 1000))
    choice_weight: float = setting(
        0.5, "Weight of the cross-entropy of the choice against that of the win probabilities.", (0, 1000)
    )


class StudentLearner(ValueLearner):
    """Plays one decision at every table, then learns what the teacher thinks of all their moves."""

    settings: StudentSettings

    def __init__(self, settings: StudentSettings) -> None:
        if settings.engine != "local":
            raise BadSetting("engine", settings.engine, "local: a student learns on one machine")
        super().__init__(settings)
        self.teacher = shipped_network(settings.teacher, mixed=settings.mixed)

    def step(self) -> Mapping[str, float]:
        assert isinstance(self.play, SelfPlay)
        choices = self.play.ask(self.net)
        taught = self.teacher.values(choices.states, choices.moves, choices.of).clone()
        losses = self.imitate(choices, taught)
        self.play.answer(choices, exploration(self.settings, min(1.0, self.steps / self.settings.steps)))
        return self.meter.read(losses)

    def imitate(self, choices: Choices, taught: Tensor) -> tuple[float, float]:
        """One step of the optimiser; the losses of wins and points."""
        settings = self.settings
        out = self.net.forward_all(choices.states, choices.moves, choices.of)
        wins = torch.sigmoid(taught[:, WIN])
        win_loss = functional.binary_cross_entropy_with_logits(out[:, WIN], wins)
        points_loss = functional.mse_loss(out[:, POINTS], taught[:, POINTS])
        choice_loss = choice_entropy(out, taught, choices, settings.sharpness)
        self.take_step(win_loss + settings.points_weight * points_loss + settings.choice_weight * choice_loss)
        return win_loss.item(), points_loss.item()


def choice_entropy(out: Tensor, taught: Tensor, choices: Choices, sharpness: float) -> Tensor:
    """Mean cross-entropy of the choice among the moves of a state, by the column that the state is played for."""
    column = torch.where(is_for_points(choices.states)[choices.of], POINTS, WIN)[:, None]
    mine, theirs = (sharpness * values.gather(1, column)[:, 0] for values in (out, taught))
    states = len(choices.states)
    wanted = _log_shares(theirs, choices.of, states).exp()
    return -(wanted * _log_shares(mine, choices.of, states)).sum() / states


def _log_shares(values: Tensor, of: Tensor, states: int) -> Tensor:
    """Logarithm of the softmax over the moves of each state."""
    highest = torch.full((states,), -torch.inf).scatter_reduce(0, of, values.detach(), "amax")
    shifted = values - highest[of]
    total = torch.zeros(states).index_add(0, of, shifted.exp())
    return shifted - total.log()[of]


def ship_student(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    settings: StudentSettings = run.settings
    learned, minutes = state["steps"] * settings.minibatch / 1e6, state["cpu_seconds"] / 60
    data = (
        f"values of {settings.teacher} in {learned:.1f} million decisions of its own games, "
        f"{minutes:.0f} processor minutes"
    )
    command = f"mingpai train mcm-student --set samples={settings.samples} --set seed={settings.seed}"
    title = "Dou Dizhu: the value of every legal move, small, for playouts"
    return ship_value(run, state, root, STUDENT, title, data=data, command=command)


TRAINING = Training(
    method="handsplit/student",
    settings=StudentSettings,
    learner=StudentLearner,
    steps=lambda learner: learner.settings.steps,
    game="doudizhu",
    features=FEATURES,
    shipped=STUDENT,
    networks=lambda learner: (learner.net, learner.mean),
    ship=ship_student,
    may_change=MAY_CHANGE,
)
