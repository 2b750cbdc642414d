"""Deep Monte Carlo with lambda-returns: the network plays all seats of many deals at once and learns what came of it.

Every deal is played for wins or for points (the network is told which) and the landlord is any seat or the one with the
strongest cards, as after a bidding. Each decision is stored with the return of its seat; one minibatch is learned for
every step of all tables. Needs the `train` extra.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mingpai.methods.mcm.export import SHIPPED, ship_value
from mingpai.methods.mcm.learner import Course, LearnerSettings, Trainee, check_layout, layout_of, replica
from mingpai.methods.mcm.losses import return_losses
from mingpai.methods.mcm.network import ValueNet
from mingpai.methods.mcm.ray import RayPlay
from mingpai.methods.mcm.rows import FEATURES, older, widened
from mingpai.methods.mcm.tables import (
    EngineSettings,
    Memory,
    MemorySettings,
    SelfPlay,
    TableSettings,
    draw_seed,
    exploration,
    table_seed,
)
from mingpai.training.learning import begin
from mingpai.training.method import Training

METHOD = "handsplit/value"
"""As stored in run folders: the name of the room that MCM grew up in."""

MAY_CHANGE = ("samples", "threads", "engine", "workers")
"""Settings that a resumed run may change."""


@dataclass(frozen=True)
class Settings(LearnerSettings, TableSettings, MemorySettings, EngineSettings):
    """What a run is made of. The same settings and seed give the same run when it is not interrupted.

    A resumed run begins with new deals and an empty memory, in streams of its sitting.
    """


class ValueLearner:
    """Plays one decision at every table, then learns one minibatch of what came of earlier ones."""

    def __init__(self, settings: Settings) -> None:
        begin(settings)
        self.settings = settings
        self.net = ValueNet(settings.shape, mixed=settings.mixed)
        self.mean = replica(self.net)
        self.trainee = Trainee(self.net, self.mean, settings.rate, settings.average)
        self.course = Course(settings)
        self._sit_down()

    def _sit_down(self) -> None:
        settings, sitting = self.settings, self.course.sitting
        self.memory = Memory(settings.memory, draw_seed(settings.seed, sitting))
        self.play: SelfPlay | RayPlay
        if settings.engine == "ray":
            self.play = RayPlay(settings, self.memory, sitting)
        else:
            self.play = SelfPlay(settings, table_seed(settings.seed, sitting), self.memory)

    def step(self) -> Mapping[str, float]:
        self._play()
        while len(self.memory) < self.settings.first:
            self._play()
        win_loss, points_loss = return_losses(self.net, *self.memory.minibatch(self.settings.minibatch))
        self.trainee.descend(win_loss + self.settings.points_weight * points_loss, self.course.rate())
        self.course.steps += 1
        self.trainee.follow(self.course.steps)
        return self.course.metrics((win_loss.item(), points_loss.item()), self.play.counts())

    def _play(self) -> None:
        """One decision at every table; on Ray, as many as a minibatch learns."""
        explore = exploration(self.settings, self.course.progress)
        if isinstance(self.play, RayPlay):
            self.play.step(self.net, explore)
        else:
            self.play.answer(self.play.ask(self.net), explore, self.settings.lam)

    def state_dict(self) -> dict[str, Any]:
        return layout_of(self.net) | self.trainee.state_dict() | self.course.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        check_layout(state, self.net)
        self.trainee.load_state_dict(state)
        self.course.load_state_dict(state)
        if isinstance(self.play, RayPlay):
            self.play.close()
        self._sit_down()


TRAINING = Training(
    method=METHOD,
    what="plays {0.samples:,} decisions against itself and learns from what came of them",
    settings=Settings,
    learner=ValueLearner,
    steps=lambda learner: learner.settings.steps,
    game="doudizhu",
    features=FEATURES,
    older=older(FEATURES),
    adapt=lambda weights, network: widened(weights),
    shipped=SHIPPED,
    networks=lambda learner: (learner.net, learner.mean),
    ship=ship_value,
    may_change=MAY_CHANGE,
)
