"""The CQL-style opponent's network: one-step Q-learning on the loop of `train_value`.

With lambda 0 the return of a decision is the value of the best move at the seat's next decision: the target of
Q-learning. Small and briefly trained on purpose: an opponent for the paper's tables.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mingpai.methods.mcm.cql import SHIPPED
from mingpai.methods.mcm.export import own_command, ship_value
from mingpai.methods.mcm.network import Shape
from mingpai.methods.mcm.rows import FEATURES
from mingpai.methods.mcm.train_value import MAY_CHANGE, Settings, ValueLearner
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun


@dataclass(frozen=True)
class CqlSettings(Settings):
    """The settings of `train_value`, smaller, with lambda 0 and for wins alone."""

    samples: int = 6_000_000
    shape: Shape = field(default_factory=lambda: Shape(width=128, depth=2, joint=64, head=64))
    lam: float = 0.0
    explore: float = 0.1
    last_explore: float = 0.02
    bid_share: float = 0.0
    points_share: float = 0.0


def ship_cql(run: TrainingRun, state: Mapping[str, Any], root: Path) -> Path:
    title = "Dou Dizhu: Q-values of moves, one-step Q-learning"
    return ship_value(run, state, root, SHIPPED, title, command=own_command(run, "cql"))


TRAINING = Training(
    method="handsplit/cql",
    settings=CqlSettings,
    learner=ValueLearner,
    steps=lambda learner: learner.settings.steps,
    game="doudizhu",
    features=FEATURES,
    shipped=SHIPPED,
    networks=lambda learner: (learner.net, learner.mean),
    ship=ship_cql,
    may_change=MAY_CHANGE,
)
