"""The network at decision time: ONNX on one thread, many positions at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.methods.abduction.knowledge import KnowledgeBase
from mingpai.models.loader import Model, load

SHIPPED = "guandan-ablgd"
"""Name of the shipped model."""
PAPER_MODEL = "guandan-ablgd-paper"
"""Name of the shipped network of the paper's sizes."""
JUDGE = "guandan-ablgd-critic"
"""Name of the shipped judge: the value of a position with open hands, for the search."""
JUDGE_FEATURES = f"guandan-open-{abduction.OPEN_VERSION}"
FEATURES = f"guandan-ablgd-{abduction.ENCODING_VERSION}"
INPUTS = ("rows", "pseudo", "facts", "marks", "of")
"""Rows of positions (uint8); of each option its pseudo-action (int64), facts (float32), marks (uint8), position."""
OUTPUTS = ("logits", "value", "scores", "estimate")
SCORES = (-3, -2, -1, 1, 2, 3)

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Encoded:
    """A position as the network takes it: its row, and of each legal pseudo-action what is known before the network."""

    row: NDArray[np.uint8]
    pseudo: NDArray[np.uint8]
    facts: NDArray[np.float32]
    marks: NDArray[np.uint8]
    plays: Sequence[native.Play]


@dataclass(frozen=True)
class Reading:
    """What the network says of one position."""

    pseudo: NDArray[np.uint8]
    """The legal pseudo-actions."""
    plays: Sequence[native.Play]
    """The concrete play of each, by the minimiser."""
    chances: Doubles
    """Probability of each."""
    value: float
    """Expected score of the seat's team in the round."""
    scores: Doubles
    """Probability of each final score, in the order of SCORES."""
    estimate: Doubles | None
    """ABLN: copies of 54 kinds at the three other seats from the next on; not yet made consistent."""


def softmax(logits: NDArray[np.float32]) -> Doubles:
    odds: Doubles = np.exp(logits.astype(np.float64) - logits.max())
    shares: Doubles = odds / odds.sum()
    return shares


class Runtime:
    """A shipped network and the knowledge base it plays with; for a search also the judge."""

    def __init__(self, model: str, base: KnowledgeBase, judge: str | None = None) -> None:
        self.model: Model = load(model, game="guandan", features=FEATURES)
        self.judge = load(judge, game="guandan", features=JUDGE_FEATURES) if judge else None
        self.weights = base.weights

    def open_values(self, rows: NDArray[np.uint8]) -> Doubles:
        """Expected scores for the seats to move at positions whose hands lie open. Needs the judge."""
        assert self.judge is not None
        values: Doubles = self.judge.run({"rows": rows})["value"].astype(np.float64)
        return values

    def values(self, rows: NDArray[np.uint8]) -> Doubles:
        """Expected scores for the seats to move, as the network says from what they see."""
        nothing = np.zeros(len(rows), np.int64)
        facts = np.zeros((len(rows), abduction.FACTS), np.float32)
        marks = np.zeros((len(rows), abduction.MARKS), np.uint8)
        of = np.arange(len(rows))
        out = self.model.run({"rows": rows, "pseudo": nothing, "facts": facts, "marks": marks, "of": of})
        values: Doubles = out["value"].astype(np.float64)
        return values

    def encode(self, round_: native.Round) -> Encoded:
        """A position whose seat to move is in the tricks."""
        pseudo, facts, marks, plays = abduction.options(round_, self.weights)
        return Encoded(abduction.encode(round_, round_.turn), pseudo, facts, marks, plays)

    def concrete(self, round_: native.Round, pseudo: int, variants: int) -> list[tuple[native.Play, float]]:
        """The concrete plays of a pseudo-action that the knowledge base likes best, with the network's logits."""
        numbers, facts, marks, plays = abduction.options(round_, self.weights, variants=variants)
        which = np.flatnonzero(numbers == pseudo)
        out = self.model.run({
            "rows": abduction.encode(round_, round_.turn)[None], "pseudo": numbers[which].astype(np.int64),
            "facts": facts[which], "marks": marks[which], "of": np.zeros(len(which), np.int64),
        })  # fmt: skip
        return [(plays[i], float(logit)) for i, logit in zip(which, out["logits"], strict=True)]

    def read(self, rounds: Sequence[native.Round]) -> list[Reading]:
        """Readings of positions whose seats to move are in the tricks."""
        return self.read_encoded([self.encode(round_) for round_ in rounds])

    def read_encoded(self, positions: Sequence[Encoded]) -> list[Reading]:
        """The same of positions that are encoded."""
        counts = [len(position.pseudo) for position in positions]
        out = self.model.run({
            "rows": np.stack([position.row for position in positions]),
            "pseudo": np.concatenate([position.pseudo for position in positions]).astype(np.int64),
            "facts": np.concatenate([position.facts for position in positions]),
            "marks": np.concatenate([position.marks for position in positions]),
            "of": np.repeat(np.arange(len(positions)), counts),
        })  # fmt: skip
        ends = np.cumsum([0, *counts])
        return [
            Reading(
                position.pseudo, position.plays, softmax(out["logits"][ends[i] : ends[i + 1]]), float(out["value"][i]),
                softmax(out["scores"][i]), out["estimate"][i].astype(np.float64) if "estimate" in out else None,
            )
            for i, position in enumerate(positions)
        ]  # fmt: skip
