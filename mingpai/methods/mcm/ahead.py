"""Close moves played on: they go on in the hands as dealt for some decisions, and the judge values what is left.

That tells moves apart better than the judge can at once: what follows from them has begun to show. All seats play what
the averaged network finds best from what each can see, natively. What is learned from it are differences between the
moves of a decision; how good the deal is for the seat, which is common to them, is left to the judge.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mingpai._native import mcm
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.core.errors import BadSetting
from mingpai.core.settings import setting
from mingpai.methods.mcm.losses import is_for_points
from mingpai.methods.mcm.network import POINTS, WIN, ValueNet
from mingpai.methods.mcm.tables import Choices

Floats = NDArray[np.float32]

RENEWED = 128
"""Steps after which moves are played on by newer weights."""
SUREST = 0.998
"""Chances to win are taught up to this."""
HALF_STAKE = 0.5
"""As close as a logit."""


@dataclass(frozen=True)
class AheadSettings:
    """How far close moves are played on."""

    ahead: int = setting(
        0, "Decisions that close moves are played on for, in the dealt hands, before the judge values them; 0: none.",
        (0, 100),
    )  # fmt: skip
    ahead_margin: float = setting(
        0.5, "Moves that are valued so close to the best are played on: in logits, or half stakes.", (0, 1000)
    )


@dataclass(frozen=True)
class PlayedOn:
    """Moves that were played on, and what came of them."""

    rows: NDArray[np.int64]
    """Among the moves of all tables."""
    of: NDArray[np.int64]
    """The state of each."""
    found: Floats
    """The chance to win, or points, for the seat to move."""
    for_points: NDArray[np.bool_]
    """Which of the two."""


class Ahead:
    """Plays close moves on, with weights that are some steps old."""

    def __init__(self, settings: AheadSettings, net: ValueNet, judge: ValueNet) -> None:
        """`net` and `judge` are averages; `renew` looks at them again. Raises BadSetting."""
        self._settings, self._net, self._judge = settings, net, judge
        self.renew()

    def renew(self) -> None:
        try:
            self._play = mcm.LookAhead(whole_numbers(self._net), whole_numbers(self._judge), tuned_weights())
        except ValueError as error:
            raise BadSetting("ahead", self._settings.ahead, f"0 for these networks ({error})") from None

    def play(self, batch: mcm.Batch, seen: Choices, own: Tensor, kept: NDArray[np.int64], most: float) -> PlayedOn:
        """Of the moves `kept` those that the network values close to the best. Points are cut at `most` stakes."""
        points = is_for_points(seen.states).numpy()
        rows = kept[close_moves(own.numpy()[kept], seen.of.numpy()[kept], points, self._settings.ahead_margin)]
        of = seen.of.numpy()[rows]
        found = self._play.values(batch, rows.astype(np.int32), self._settings.ahead)
        return PlayedOn(rows, of, np.where(points[of], np.clip(found, -most, most), found), points[of])


def whole_numbers(net: ValueNet) -> mcm.Network:
    """The network as it plays natively."""
    return mcm.Network({name: value.numpy() for name, value in net.state_dict().items()})


def close_moves(own: Floats, of: NDArray[np.int64], for_points: NDArray[np.bool_], margin: float) -> NDArray[np.bool_]:
    """Which moves are valued within the margin of the best of their state, where there are two or more of them.

    `own` has both columns of each move, `for_points` says of each state which one counts.
    """
    values = own[np.arange(len(of)), np.where(for_points[of], POINTS, WIN)]
    best = np.full(len(for_points), -np.inf, np.float32)
    np.maximum.at(best, of, values)
    close = values >= best[of] - margin * np.where(for_points[of], HALF_STAKE, 1.0)
    close &= np.bincount(of[close], minlength=len(for_points))[of] > 1
    return close


def corrected(judged: Tensor, played: PlayedOn) -> Tensor:
    """What the judge says of all moves, with the differences between those that were played on as they were found."""
    out = judged.clone()
    column = np.where(played.for_points, POINTS, WIN)
    said = judged.numpy()[played.rows, column]
    said = np.where(played.for_points, said, 1 / (1 + np.exp(-said)))
    counts = np.maximum(np.bincount(played.of), 1)
    level = np.bincount(played.of, said - played.found) / counts
    values = played.found + level[played.of]
    values = np.where(played.for_points, values, logit(values)).astype(np.float32)
    out[torch.from_numpy(played.rows), torch.from_numpy(column)] = torch.from_numpy(values)
    return out


def logit(chances: NDArray[np.floating]) -> NDArray[np.floating]:
    """Of chances to win, no surer than SUREST."""
    sure = np.clip(chances, 1 - SUREST, SUREST)
    logits: NDArray[np.floating] = np.log(sure / (1 - sure))
    return logits
