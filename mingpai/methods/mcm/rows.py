"""Positions as the value networks of Dou Dizhu read them: rows of features for the state and for every legal move."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mingpai._native import mcm
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.state import SEATS
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.models.card import BadModel
from mingpai.models.loader import Model, load

FEATURES = f"doudizhu-value-{mcm.FEATURE_VERSION}"
"""Name of the feature layout (native/mcm/features.hpp)."""
OPEN_FEATURES = f"doudizhu-open-{mcm.FEATURE_VERSION}"
"""The same with the hands of the others: for a judge of worlds, which no seat can ask about its own deal."""
UNTOLD = 2
"""The version before this one. Its networks were not told which doublings count: all of them did."""

WIN, POINTS = 0, 1
"""Columns of a network's values: the logit of winning, and points in stakes of a farmer."""

Rows = NDArray[np.uint8]
Values = NDArray[np.float32]


class Evaluate(Protocol):
    """Values of many moves: move i belongs to state of[i]. Two columns: WIN and POINTS."""

    def __call__(self, states: Rows, moves: Rows, of: NDArray[np.int64]) -> Values: ...


def open_network(name: str) -> Evaluate:
    """A shipped value network by name, or a model folder of one's own by path."""
    model = load_value(name)

    def evaluate(states: Rows, moves: Rows, of: NDArray[np.int64]) -> Values:
        return model.run({"states": known_places(model, states), "moves": moves, "of": of})["values"]

    return evaluate


def older(features: str) -> tuple[str, ...]:
    """The layouts before this one that `known_places` and `widened` make fit."""
    return (f"{features.rpartition('-')[0]}-{UNTOLD}",)


def load_value(name: str, features: str = FEATURES) -> Model:
    """A shipped network of states and moves by name, or a model folder by path."""
    return load(name, game="doudizhu", features=features, older=older(features))


def known_places(model: Model, states: Rows) -> Rows:
    """The rows as the graph of a model reads them."""
    if not model.card.features.endswith(f"-{UNTOLD}"):
        return states
    return np.concatenate([states[:, : mcm.UNTOLD_STATE_SIZE], states[:, mcm.STATE_SIZE :]], axis=1)


def widened(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Weights for today's rows: those of a network that was not told which doublings count get zeros for that, and so
    it plays as it did and can learn to listen."""
    told = mcm.STATE_SIZE - mcm.UNTOLD_STATE_SIZE
    rows = weights["state_weights"]
    if len(rows) not in (mcm.STATE_SIZE - told, mcm.OPEN_STATE_SIZE - told):
        return dict(weights)
    nothing = np.zeros((told, rows.shape[1]), rows.dtype)
    parts = (rows[: mcm.UNTOLD_STATE_SIZE], nothing, rows[mcm.UNTOLD_STATE_SIZE :])
    return {**weights, "state_weights": np.concatenate(parts)}


@functools.lru_cache(maxsize=8)
def native_network(name: str, features: str = FEATURES) -> mcm.Network:
    """A shipped value network by name, or a model folder by path, in whole numbers."""
    weights = load_value(name, features).weights()
    try:
        return mcm.Network(weights)
    except ValueError as error:
        raise BadModel(f"model {name} cannot be searched with: {error}") from None


def position_of(view: DoudizhuView) -> mcm.Position:
    """The seat's own hand and everything played. Only after the bidding."""
    landlord, role = view.landlord, view.role
    assert landlord is not None
    assert role is not None
    history = [step.action for step in view.steps if not isinstance(step.action, Bid)]
    counts = [view.counts[(landlord + i) % SEATS] for i in range(SEATS)]
    return mcm.Position(role, view.hand, view.native.bottom, counts, history, view.rule_set.native, view.deck)


def values_of(evaluate: Evaluate, positions: Sequence[mcm.Position], for_points: bool) -> list[Values]:
    """The values of the legal moves of each position, from one call of the network."""
    states, moves, offsets = mcm.observe_positions(positions, for_points)
    return np.split(evaluate(states, moves, state_of_each_move(offsets)), offsets[1:-1])


def state_of_each_move(offsets: NDArray[np.int32]) -> NDArray[np.int64]:
    """The input `of` from where the moves of each state start."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
