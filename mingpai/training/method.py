"""What `mingpai train NAME` needs to know of a method. Targets are strings: torch is imported when asked for."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mingpai.core.errors import BadSetting
from mingpai.core.settings import read_settings
from mingpai.training.loop import Learner
from mingpai.training.run import TrainingRun

if TYPE_CHECKING:
    import torch

METHODS: dict[str, str] = {
    "bidding": "mingpai.methods.bidding.train:TRAINING",
    "bidding-calibrated": "mingpai.methods.bidding.train:CALIBRATED_TRAINING",
    "ablgd": "mingpai.methods.abduction.train:TRAINING",
    "cql": "mingpai.methods.mcm.train_cql:TRAINING",
    "mcm": "mingpai.methods.mcm.train_value:TRAINING",
    "mcm-open": "mingpai.methods.mcm.train_open:TRAINING",
    "mcm-student": "mingpai.methods.mcm.train_student:TRAINING",
    "mcm-paper": "mingpai.methods.mcm.train_paper:TRAINING",
    "bids": "mingpai.methods.flagship.train_bids:TRAINING",
}
"""Name on the command line -> the method's `Training`."""


@dataclass(frozen=True)
class Training:
    """How one method is trained."""

    method: str
    """As stored in run folders."""
    what: str
    """What a run does, in one line; `{0.NAME}` is a setting."""
    settings: type[Any]
    """A dataclass of `mingpai.core.settings`."""
    learner: Callable[[Any], Learner]
    """A learner for settings."""
    steps: Callable[[Any], int]
    """Length of a run of a learner."""
    game: str
    features: str
    """Feature layout of the network."""
    shipped: str | Callable[[Any], str]
    """Name of the shipped model, or which it is for given settings."""
    networks: Callable[[Any], Sequence["torch.nn.Module"]]
    """The networks of a learner that take the weights of the shipped model."""
    ship: Callable[[TrainingRun, Mapping[str, Any], Path], Path]
    """Makes a model folder from a run and its last checkpoint, under a root."""
    older: tuple[str, ...] = ()
    """Feature layouts before `features` whose weights `adapt` makes fit."""
    adapt: Callable[[Mapping[str, Any], "torch.nn.Module"], Mapping[str, Any]] = lambda weights, network: weights
    """Weights of the shipped model as a network of a learner takes them."""
    teachers: Callable[[Any], Mapping[tuple[str, str], "torch.nn.Module"]] = lambda learner: {}
    """Networks of a learner that teach the others, by name and feature layout of their shipped models."""
    may_change: tuple[str, ...] = field(default=())
    """Settings that a resumed run may change."""
    log_every: int = 200
    """Steps between lines of metrics."""

    def shipped_for(self, settings: Any) -> str:
        """The model that a run of these settings goes on from."""
        return self.shipped if isinstance(self.shipped, str) else self.shipped(settings)


def training(name: str) -> Training:
    """The training of a name. Raises BadSetting."""
    if name not in METHODS:
        raise BadSetting("train", name, f"one of {', '.join(sorted(METHODS))}")
    module, _, attribute = METHODS[name].partition(":")
    method: Training = getattr(importlib.import_module(module), attribute)
    return method


def settings_from(kind: type[Any], texts: Sequence[str]) -> Any:
    """Settings from `key=value` texts; `shape.width=256` reaches into a group. Raises BadSetting."""
    pairs = [text.partition("=") for text in texts]
    for text, (key, equals, _) in zip(texts, pairs, strict=True):
        if not key or not equals:
            raise BadSetting("--set", text, "key=value")
    return read_settings(kind, {key.strip(): value for key, _, value in pairs}, "--set ")
