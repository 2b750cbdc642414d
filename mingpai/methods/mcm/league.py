"""A league for self-play: at some tables a snapshot of the network, frozen earlier, plays one side. Needs torch.

Pure self-play may forget how to meet what it has left behind; a league keeps meeting it. The first snapshot is the
network that the run began with and always stays; of the later ones the latest few.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mingpai.core.settings import setting
from mingpai.methods.mcm.learner import replica
from mingpai.methods.mcm.network import ValueNet

KEPT = 4
"""Later snapshots that stay."""
LANDLORD = 0


@dataclass(frozen=True)
class LeagueSettings:
    """Who else sits at the tables."""

    league: float = setting(0.0, "Share of the tables at which a snapshot of the network plays one side.", (0, 1))
    league_every: int = setting(2_000_000, "Decisions between two snapshots.", (1, 10**12))


class League:
    """The snapshots, and where they sit: snapshot after snapshot, as the landlord at one table and the farmers at the
    next."""

    def __init__(self, settings: LeagueSettings, tables: int, first: ValueNet) -> None:
        self._every = settings.league_every
        self.tables = round(settings.league * tables)
        """At which a snapshot sits: the first ones."""
        self.rivals = [replica(first)] if self.tables else []
        self.taken = 0
        """Snapshots taken after the first."""

    def watch(self, decisions: int, mean: ValueNet) -> None:
        """Takes a snapshot when it is time."""
        if self.tables and decisions // self._every > self.taken:
            self.taken += 1
            self.rivals = [*self.rivals[:1], *self.rivals[1:][-(KEPT - 1) :], replica(mean)]

    def values(self, states: Tensor, moves: Tensor, of: Tensor, own: Tensor, turns: NDArray[np.int8]) -> Tensor:
        """The values that moves are chosen by: those of a snapshot where it is to move, else the network's own."""
        if not self.tables:
            return own
        rival = torch.from_numpy(self.seated(turns))
        chosen = own.clone()
        for number, net in enumerate(self.rivals):
            asked = torch.nonzero(rival == number)[:, 0]
            rows = torch.nonzero(rival[of] == number)[:, 0]
            if len(rows):
                chosen[rows] = net.values(states[asked], moves[rows], torch.searchsorted(asked, of[rows]))
        return chosen

    def seated(self, turns: NDArray[np.int8]) -> NDArray[np.int64]:
        """The snapshot that is to move at each table; -1 where none is."""
        table = np.arange(len(turns))
        plays_landlord = table // len(self.rivals) % 2 == 0
        is_there = (table < self.tables) & ((turns == LANDLORD) == plays_landlord)
        return np.where(is_there, table % len(self.rivals), -1)

    def state_dict(self) -> dict[str, Any]:
        return {"rivals": [net.state_dict() for net in self.rivals], "taken": self.taken}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        weights: Sequence[dict[str, Tensor]] = state["rivals"]
        while len(self.rivals) < len(weights):
            self.rivals.append(replica(self.rivals[0]))
        for net, known in zip(self.rivals, weights, strict=True):
            net.load_state_dict(known)
        self.taken = state["taken"]
