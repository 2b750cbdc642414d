"""Fits the action likelihoods to hands with known cards by maximum likelihood. Needs the `train` extra.

    python -m mingpai.methods.handreading.train ../shared/data/holdem/pluribus-6max.phhs.gz

Small networks, several before and several after the flop, give P(action | hand, situation) by their mean. They are
trained on every action whose hole cards are known, folded hands included, with the cross-entropy of the action taken
among the legal ones.
"""

import argparse
import hashlib
import itertools
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mingpai.core.errors import MingpaiError
from mingpai.core.extras import optional
from mingpai.games.holdem.notation import parse_cards
from mingpai.methods.handreading import features
from mingpai.methods.handreading.hands import combo
from mingpai.methods.handreading.infer import board_on
from mingpai.methods.handreading.model import FittedModel, Layers, legal_acts
from mingpai.methods.handreading.own_hands import own_hands
from mingpai.methods.handreading.understand import Act, understand
from mingpai.records.handhistory import HandHistory, read_phh

OWN_SEED = 11
"""Of the arena's own hands that are fitted to; tests take others."""


@dataclass(frozen=True)
class TrainSettings:
    """How the networks are fitted."""

    members: int = 8
    """Networks whose probabilities are averaged: they differ in where they start and in the order of the samples."""
    hidden: tuple[int, int] = (48, 24)
    preflop_epochs: int = 60
    postflop_epochs: int = 30
    batch: int = 512
    learning_rate: float = 4e-3
    weight_decay: float = 1e-3
    seed: int = 1


@dataclass(frozen=True)
class Samples:
    """Actions with known cards: what the network sees, what was legal, what was done."""

    hands: npt.NDArray[np.float32]
    contexts: npt.NDArray[np.float32]
    legal: npt.NDArray[np.bool_]
    acts: npt.NDArray[np.int64]


def samples(hands: Sequence[HandHistory]) -> tuple[Samples, Samples]:
    """Every action of known cards, before and after the flop."""
    rows: tuple[list[tuple[object, ...]], list[tuple[object, ...]]] = ([], [])
    before = features.preflop_hands()
    for hand in hands:
        board = parse_cards(hand.board)
        hole = [combo(*parse_cards(text)) if text else None for text in hand.hole]
        for seen in understand(hand):
            held = hole[seen.seat]
            if held is None:
                continue
            legal = [act in legal_acts(seen) for act in Act]
            if seen.street == 0:
                rows[0].append((before[held], features.preflop_context(seen), legal, int(seen.act)))
            else:
                known = board_on(board, seen.street)
                context = features.postflop_context(seen, known)
                rows[1].append((features.postflop_hands(known)[held], context, legal, int(seen.act)))
    if not all(rows):
        raise MingpaiError("the hands have no actions of known cards before and after the flop")
    return _stack(rows[0]), _stack(rows[1])


def _stack(rows: list[tuple[object, ...]]) -> Samples:
    hands, contexts, legal, acts = zip(*rows, strict=True)
    floats = np.float32
    return Samples(np.array(hands, floats), np.array(contexts, floats), np.array(legal), np.array(acts, np.int64))


def fit(data: Samples, settings: TrainSettings, epochs: int) -> Layers:
    """Networks by maximum likelihood, side by side: AdamW with a cosine schedule, another order of samples for each."""
    torch = optional("torch")
    torch.set_num_threads(1)
    torch.manual_seed(settings.seed)
    inputs = torch.tensor(np.concatenate([data.hands, data.contexts], axis=1))
    illegal, acts = torch.tensor(~data.legal), torch.tensor(data.acts)
    weights, biases = _drawn(torch, settings, inputs.shape[1])
    optimiser = torch.optim.AdamW([*weights, *biases], settings.learning_rate, weight_decay=settings.weight_decay)
    steps = epochs * -(-len(acts) // settings.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(epochs):
        orders = torch.stack([torch.randperm(len(acts)) for _ in range(settings.members)])
        for batch in torch.split(orders, settings.batch, dim=1):
            scores = _scores(torch, weights, biases, inputs[batch]).masked_fill(illegal[batch], -1e9)
            losses = torch.nn.functional.cross_entropy(scores.flatten(0, 1), acts[batch].flatten())
            optimiser.zero_grad()
            (settings.members * losses).backward()
            optimiser.step()
            schedule.step()
    width = data.hands.shape[1]
    first, *later = (weight.detach().numpy().astype(np.float32) for weight in weights)
    bias, *more = (values.detach().numpy().astype(np.float32) for values in biases)
    return Layers(first[:, :width].copy(), first[:, width:].copy(), bias, tuple(later), tuple(more))


def _drawn(torch: Any, settings: TrainSettings, width: int) -> tuple[list[Any], list[Any]]:
    """Weights and biases of all layers before training; the first axis counts the networks."""
    sizes = [width, *settings.hidden, len(Act)]

    def uniform(shape: tuple[int, ...], into: int) -> Any:
        return ((torch.rand(settings.members, *shape) * 2 - 1) / into**0.5).requires_grad_()

    pairs = list(itertools.pairwise(sizes))
    return [uniform((into, out), into) for into, out in pairs], [uniform((1, out), into) for into, out in pairs]


def _scores(torch: Any, weights: Sequence[Any], biases: Sequence[Any], values: Any) -> Any:
    for number, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        values = torch.baddbmm(bias, torch.relu(values) if number else values, weight)
    return values


def fitted_to(hands: Sequence[HandHistory], settings: TrainSettings | None = None) -> FittedModel:
    """The fitted model of some hands."""
    settings = settings or TrainSettings()
    before, after = samples(hands)
    preflop = fit(before, settings, settings.preflop_epochs)
    return FittedModel(preflop, fit(after, settings, settings.postflop_epochs))


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit to all sessions of a file and write the parameters with their card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="hands with known cards (.phh, .phhs, .phhs.gz)")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("fitted.npz"))
    parser.add_argument("--own", type=int, default=0, help="heads-up hands of the arena's own to fit to as well")
    options = parser.parse_args(arguments)
    try:
        return _write(options.data, options.own, options.out)
    except MingpaiError as error:
        parser.exit(2, f"{error}\n")


def _write(data: Path, own: int, out: Path) -> int:
    settings = TrainSettings()
    hands = list(read_phh(data))
    fitted_to([*hands, *own_hands(own, OWN_SEED)], settings).save(out)
    card = {
        "what": "P(action | hand, situation) of six-player no-limit hold'em, means of small networks",
        "data": {"file": data.name, "sha256": hashlib.sha256(data.read_bytes()).hexdigest(),
                 "hands": len(hands), "sessions": len({hand.session for hand in hands})},
        "own_hands": own,
        "command": f"python -m mingpai.methods.handreading.train {data}" + (f" --own {own}" if own else ""),
        "settings": asdict(settings),
        "features_version": features.FEATURES_VERSION,
        "measured": "experiments/fold_prediction.py: cross-validated by session, never on the sessions fitted to",
    }  # fmt: skip
    out.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
