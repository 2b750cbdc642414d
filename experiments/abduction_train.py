"""Trains the shipped network and judge of ABL-GD, all stages in one command.

    python experiments/abduction_train.py --run runs/ablgd --ship models

A stage is a run of `mingpai train ablgd` that starts from the averaged network of the stage before it; settings that
were changed on the way are changed at the same number of decisions. Every stage has its own folder and checkpoints: run
the command again to go on after an interruption. Prints what it will cost. `--scale 0.004` tries all stages in half a
minute.

The third stage is for its judge alone: it also trains the network, by imitating a search, which did not come out
stronger (the method's NOTES.md has the numbers). The later ones go on with the network of the second and that judge;
from "expert iteration" on the head for options is wider and options are played on before the judge values them; the
last two have two processes that learn together. For most of the last one winning a round is worth a point beside its
score; what is shipped is the mean of its weights at two places, and its judge, which learns points alone again in the
end. The shipped ones were made by these stages, with changes to the code on the way, so that the weights come out
alike, not the same: the first two knew no plans in the judge, the first three no marks of options in the network (the
fourth began with their weights at zero), the fourth no higher pairs and triples by the estimate, and the first five
were stopped by hand.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from script import as_script

from mingpai.methods.abduction.network import AblNet, widened
from mingpai.methods.abduction.train import MAY_CHANGE, METHOD, TRAINING, AblLearner, Settings
from mingpai.training.loop import train
from mingpai.training.run import TrainingRun

CPU_MINUTES = 540
LENGTHS = ("decisions", "pretrain", "imitate", "critic_first", "search", "expert")
SMALL = {"config": "lite", "every": 8192, "buffer": 16384, "batch": 1024, "tables": 256, "critic": "open"}
"""What all stages have in common: updates that one core can do in seconds."""


@dataclass(frozen=True)
class Part:
    """A stage up to a number of decisions, with some settings changed."""

    until: int
    changed: dict[str, Any] = field(default_factory=dict)
    keep: bool = False
    """The stage ends with the mean of the weights after the parts that are kept, if there are any."""


@dataclass(frozen=True)
class Stage:
    name: str
    settings: dict[str, Any]
    parts: list[Part]
    network: str = ""
    """The stage whose averaged network it starts with; empty: from nothing."""
    critic: str = ""
    """The stage whose judge it starts with."""


SECOND = {"pretrain": 0, "imitate": 0, "critic_first": 60_000, "abln_weight": 0.3, "lam": 0.9, "seed": 2}
MARKS = {"pretrain": 0, "imitate": 0, "gamma": 1.0, "abln_weight": 0.3}
STEADY = {"bots": 0.7, "abln_rate": 1e-4, "lam": 0.9, "entropy": 0.003, "ahead": 1.0, "average": 0.99}
EXPERT = {"rate": 1.2e-4, "last_rate": 3e-6, "abln_rate": 1e-4, "critic_rate": 8e-4, "lam": 0.9, "entropy": 0.002,
          "ahead": 1.5, "ahead_depth": 4, "bots": 0.1, "rule3": 0.25, "average": 0.98}  # fmt: skip
GOES_ON = EXPERT | {"rate": 1e-4, "critic_rate": 5e-4}
WIDE = MARKS | {"config": "wide", "batch": 2048, "search_width": 3, "search_sure": 0.9, "search_least": 0.05}
LEAGUE = WIDE | {"league": 0.15, "strong": 0.03, "sparring": 0.5}
IN_LEAGUE = GOES_ON | {"decisions": 1_500_000, "rate": 6e-5, "bots": 0.15, "rule3": 0.2}
ON_TWO_CORES = GOES_ON | {"rate": 2e-4, "rule3": 0.2}
WINNING = ON_TWO_CORES | {"processes": 2, "winning": 1.0}
JUDGE_ALONE = ON_TWO_CORES | {"processes": 2, "rate": 0.0, "last_rate": 0.0, "abln_rate": 0.0, "average": 1.0,
                              "critic_rate": 3e-3}  # fmt: skip
"""The network stays as it is; the judge, which had learned what winning is worth beside, learns points again."""
STAGES = [
    Stage(
        "imitation and self-play",
        {"pretrain": 65_536, "imitate": 393_216, "imitation_batch": 512, "abln_rate": 3e-4, "seed": 1},
        [
            Part(1_970_000, {"decisions": 5_000_000, "bots": 0.4, "rate": 3e-4, "last_rate": 5e-5, "entropy": 0.005,
                             "lam": 0.95, "average": 0.98}),
            Part(2_430_000, {"decisions": 4_000_000, "bots": 0.4, "rate": 4e-4, "last_rate": 5e-5, "entropy": 0.004,
                             "lam": 0.85, "average": 0.95}),
        ],
    ),
    Stage(
        "against rule4",
        SECOND,
        [
            Part(600_000, {"decisions": 2_500_000, "bots": 0.5, "rate": 3e-4, "last_rate": 3e-5, "abln_rate": 3e-4,
                           "entropy": 0.003, "average": 0.95}),
            Part(1_500_000, {"decisions": 1_500_000, "bots": 0.85, "rate": 1.6e-4, "last_rate": 1e-5,
                             "abln_rate": 2e-4, "entropy": 0.001, "average": 0.97}),
            Part(1_840_000, {"decisions": 2_000_000, "bots": 0.6, "rate": 5.5e-4, "last_rate": 3e-5, "abln_rate": 2e-4,
                             "entropy": 0.003, "average": 0.95, "ahead": 1.0}),
        ],
        "imitation and self-play",
    ),
    Stage(
        "critic",
        {"pretrain": 0, "imitate": 0, "critic_first": 1_000_000, "search": 4_000_000, "search_depth": 3,
         "search_prior": 0.15, "search_rate": 5e-4, "gamma": 1.0, "abln_weight": 0.3, "tables": 1024, "every": 16384,
         "imitation_batch": 1024, "seed": 8},
        [Part(2_677_000, {"decisions": 5_000_000, "bots": 0.5, "abln_rate": 3e-4, "lam": 0.9, "average": 0.95})],
        "against rule4",
    ),
    Stage(
        "marks",
        MARKS | {"seed": 22},
        [Part(1_000_000, {"decisions": 8_000_000, "rate": 4e-4, "last_rate": 1e-5, "critic_rate": 4e-4, **STEADY})],
        "against rule4",
        "critic",
    ),
    Stage(
        "marks longer",
        MARKS | {"seed": 23},
        [Part(2_000_000, {"decisions": 5_500_000, "rate": 3.5e-4, "last_rate": 1e-5, "critic_rate": 3.5e-4, **STEADY})],
        "marks",
        "marks",
    ),
    Stage(
        "to the end",
        MARKS | {"seed": 24},
        [Part(1_300_000, {**STEADY, "decisions": 1_300_000, "rate": 2.4e-4, "last_rate": 5e-6, "critic_rate": 2.4e-4,
                          "entropy": 0.002, "average": 0.98})],
        "marks longer",
        "marks longer",
    ),
    Stage(
        "expert iteration",
        WIDE | {"league": 0.1, "seed": 52},
        [
            Part(1_910_000, EXPERT | {"decisions": 4_000_000}),
            Part(3_090_000, EXPERT | {"decisions": 5_000_000}),
            Part(4_200_000, EXPERT | {"decisions": 4_200_000}),
        ],
        "to the end",
        "to the end",
    ),
    Stage(
        "expert iteration again",
        WIDE | {"league": 0.1, "seed": 53},
        [Part(1_150_000, GOES_ON | {"decisions": 1_150_000})],
        "expert iteration",
        "expert iteration",
    ),
    Stage(
        "expert iteration longer",
        WIDE | {"league": 0.1, "seed": 54},
        [Part(4_200_000, GOES_ON | {"decisions": 4_200_000})],
        "expert iteration again",
        "expert iteration again",
    ),
    Stage(
        "league",
        LEAGUE | {"seed": 55},
        [Part(1_500_000, IN_LEAGUE)],
        "expert iteration longer",
        "expert iteration longer",
    ),
    Stage(
        "on two cores",
        WIDE | {"league": 0.1, "sparring": 0.5, "tables": 512, "seed": 57},
        [
            Part(1_710_000, ON_TWO_CORES | {"decisions": 7_500_000}),
            Part(8_500_000, ON_TWO_CORES | {"decisions": 8_500_000, "processes": 2}),
        ],
        "league",
        "league",
    ),
    Stage(
        "winning rounds",
        WIDE | {"league": 0.1, "sparring": 0.5, "tables": 512, "seed": 58},
        [
            Part(2_950_000, ON_TWO_CORES | {"decisions": 11_500_000, "processes": 2}),
            Part(9_600_000, WINNING | {"decisions": 9_600_000}, keep=True),
            Part(14_000_000, WINNING | {"decisions": 14_000_000, "rate": 4e-4}, keep=True),
            Part(14_800_000, JUDGE_ALONE | {"decisions": 14_800_000}),
        ],
        "on two cores",
        "on two cores",
    ),
]  # fmt: skip


def settings_of(stage: Stage, part: Part, scale: float) -> Settings:
    """The settings of a part; scaled ones have all lengths shortened alike."""
    whole = Settings(**{**SMALL, **stage.settings, **part.changed})
    unknown = set(part.changed) - set(MAY_CHANGE)
    if unknown:
        raise ValueError(f"{stage.name}: a run may not change {', '.join(sorted(unknown))}")
    if scale == 1:
        return whole
    lengths = {name: round(getattr(whole, name) * scale) for name in LENGTHS}
    every = max(64, 2 * round(whole.every * scale / 2))
    return replace(whole, **lengths, every=every, tables=16, batch=64, buffer=128)


def grown(before: AblNet, net: AblNet) -> dict[str, torch.Tensor]:
    """The weights of a network for one whose head for options may be wider."""
    weights = {name: value.numpy() for name, value in before.state_dict().items()}
    return {name: torch.from_numpy(value) for name, value in widened(weights, net).items()}


def kept_file(path: Path, part: Part) -> Path:
    return path / f"after-{part.until}.pt"


def mean_of(weights: Sequence[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    return {name: torch.stack([one[name] for one in weights]).mean(0) for name in weights[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of the stages")
    parser.add_argument("--ship", type=Path, required=True, help="where the model folders are made")
    parser.add_argument("--scale", type=float, default=1.0, help="share of all lengths")
    options = parser.parse_args()
    print(f"about {CPU_MINUTES * options.scale:.1f} processor minutes on one core")
    made: dict[str, AblLearner] = {}
    for number, stage in enumerate(STAGES):
        path = options.run / f"{number}-{stage.name.replace(' ', '-')}"
        for part in stage.parts:
            settings = settings_of(stage, part, options.scale)
            run, learner = TrainingRun(path, METHOD, settings, may_change=MAY_CHANGE), AblLearner(settings)
            if stage.network:
                for net in (learner.net, learner.mean):
                    net.load_state_dict(grown(made[stage.network].mean, net))
            if stage.critic:
                learner.judge.load_state_dict(made[stage.critic].judge.state_dict())
            steps = max(1, round(part.until * options.scale / settings.every))
            print(f"{stage.name}: to update {steps}", flush=True)
            if train(run, learner, steps, resume=(path / "run.json").exists(), log_every=1).interrupted:
                raise SystemExit("stopped; the same command goes on")
            if part.keep and not kept_file(path, part).exists():
                torch.save(learner.mean.state_dict(), kept_file(path, part))
        if kept := [torch.load(kept_file(path, part), weights_only=True) for part in stage.parts if part.keep]:
            learner.mean.load_state_dict(mean_of(kept))
        made[stage.name] = learner
    print(TRAINING.ship(run, learner.state_dict(), options.ship))


if __name__ == "__main__":
    as_script(main)
