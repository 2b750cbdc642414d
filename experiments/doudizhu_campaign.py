"""The long training of Dou Dizhu: value network, judge and student by one command, with a curve of their strength.

    python experiments/doudizhu_campaign.py list                     # what there is, what it costs, how far it is
    python experiments/doudizhu_campaign.py run pilot-exact          # one run; --minutes M stops, the same goes on
    python experiments/doudizhu_campaign.py run campaign --processes 2 # both cores; then the student
    python experiments/doudizhu_campaign.py curve                    # what every snapshot scored, as a table
    python experiments/doudizhu_campaign.py keep campaign            # its networks so far, small enough for the tree

A run is one schedule of `mingpai train mcm-open`, in sittings. Every SNAPSHOT decisions the averaged networks are kept
(runs/campaign/NAME/snapshots) and the network meets the yardstick, the frozen copy of what version 0.1 shipped, on the
same duplicate deals each time: for wins, for points by the standard rules and for points by those of DouZero. Choose by
these scores; report on other deals (`doudizhu_shown.py`). Pilots are 20 processor minutes each and differ from
`pilot-base` (or, those that begin with networks that know nothing, from `pilot-fresh`) in what their name says. What
`keep` has put into experiments/begun, a run without a folder of its own goes on from: the averaged networks, how far
they are and their scores, no optimiser.
"""

import argparse
import json
import math
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from frozen_agents import VALUE
from network_matches import MatchSettings, evaluate_of, rounds
from safetensors.torch import load_file, save_file
from script import as_script

from mingpai.core.errors import MingpaiError
from mingpai.methods.mcm.agent import SHIPPED
from mingpai.methods.mcm.export import network_of, shipped_network
from mingpai.methods.mcm.network import Shape, ValueNet
from mingpai.methods.mcm.train_open import FRESH, OpenSettings
from mingpai.methods.mcm.train_open import TRAINING as OPEN
from mingpai.methods.mcm.train_student import TRAINING as STUDENT
from mingpai.methods.mcm.train_student import StudentSettings
from mingpai.training.loop import train
from mingpai.training.method import Training
from mingpai.training.run import TrainingRun, as_json

RUNS = Path(__file__).parent / "runs" / "campaign"
BEGUN = Path(__file__).parent / "begun"
NETWORKS = {"mean": "network.safetensors", "judge_mean": "judge.safetensors", "reader": "reader.safetensors"}
"""What is kept of a state, in half precision, and the files that hold it."""
PACE = 5900
"""Decisions played and learned in a second of one core, with the judge."""
STUDENT_PACE = 10_600
DEALS, SEED = 4096, 1907
"""Of a score: deals that nothing is reported on."""

LISTENING = {"rules": "standard,standard,douzero"}
"""Two deals of three count spring and bombs, one bombs alone: the network is told which."""


AHEAD = {"ahead": 3, "ahead_margin": 0.5}
"""Close moves are played on before the judge values them; the campaign's first 37.3 million decisions were without."""


@dataclass(frozen=True)
class Plan:
    """A run: how long, and what it changes."""

    what: str
    decisions: int
    changed: Mapping[str, Any] = field(default_factory=dict)
    snapshot: int = 10_000_000
    """Decisions between two scores."""
    student: int = 0
    """Decisions that a student learns from at the end; 0 for none."""
    pace: int = PACE
    """Decisions in a second of one core."""

    @property
    def settings(self) -> OpenSettings:
        return OpenSettings(**{"samples": self.decisions, **LISTENING, **self.changed})

    @property
    def minutes(self) -> float:
        return (self.decisions / self.pace + self.student / STUDENT_PACE) / 60


def pilot(what: str, *, pace: int = PACE, **changed: Any) -> Plan:
    """Twenty minutes at the pace of one core."""
    return Plan(what, 1200 * pace, {"seed": 31, **changed}, snapshot=1200 * pace, pace=pace)


def fresh(what: str, width: int, pace: int = PACE) -> Plan:
    return pilot(what, pace=pace, start=FRESH, judge=FRESH, rate=1e-3, shape=Shape(width, 4, 256, 128))


PLANS: dict[str, Plan] = {
    "campaign": Plan(
        "the long one, from the shipped networks, trunk and head for each role, close moves played on", 130_000_000,
        {"seed": 30, "rate": 5e-4, "judge_rate": 5e-4, "last_rate": 1e-5, "split": True, "tables": 2048,
         "minibatch": 2048, **AHEAD}, student=24_000_000, pace=3600,
    ),
    "pilot-base": pilot("from the shipped networks, told what doubles"),
    "pilot-standard": pilot("the standard rules alone", rules="standard"),
    "pilot-exact": pilot("the judge learns what the solver proves from 15 cards on", exact_cards=15),
    "pilot-uncut": pilot("returns in points cut at 64 stakes, not eight", most_doublings=6),
    "pilot-points": pilot("points weigh more", points_weight=0.3, points_difference_weight=1.0),
    "pilot-lambda": pilot("returns look further", lam=0.95),
    "pilot-memory": pilot("four times the memory", memory=1_000_000),
    "pilot-twice": pilot("the judge learns every decision twice", pace=9400, minibatch=2048),
    "pilot-reading": pilot("no hands to be read", reading_weight=0.0),
    "pilot-deeper": pilot("a layer more", deeper=1),
    "pilot-roles": pilot("trunk and head for each role, which begin alike", pace=4600, split=True),
    "pilot-ahead": pilot("close moves played on before the judge values them", pace=4000, **AHEAD),
    "pilot-league": pilot("a snapshot plays one side at a quarter of the tables", league=0.25, league_every=1_000_000),
    "pilot-fresh": fresh("from nothing, 512 x 4", 512),
    "pilot-768": fresh("from nothing, 768 x 4", 768, 3500),
    "pilot-1024": fresh("from nothing, 1024 x 4", 1024, 2100),
}  # fmt: skip

SCORES: dict[str, tuple[str, bool]] = {
    "wins": ("standard", False), "points": ("standard", True), "points, douzero": ("douzero", True)
}  # fmt: skip
"""What is scored: the rules, and whether both sides play for points."""


def score(net: ValueNet, deals: int) -> dict[str, list[float]]:
    """Against the yardstick: mean and standard error."""
    told: dict[str, list[float]] = {}
    other = evaluate_of(shipped_network(str(VALUE)))
    for name, (rules, for_points) in SCORES.items():
        settings = MatchSettings(deals=deals, seed=SEED, rules=rules, for_points=for_points)
        *_, result = rounds(evaluate_of(net), other, settings)
        mean, error = (result.mean_points, result.points_error) if for_points else (result.rate, result.error)
        told[name] = [round(mean, 4), round(error, 4)]
    return told


class Run:
    """One of the plans, its folder and how far it is."""

    def __init__(self, name: str, plan: Plan, processes: int = 1, root: Path = RUNS, begun: Path = BEGUN) -> None:
        self.plan, self.path = plan, root / name
        self.begun = begun / f"doudizhu-{name}"
        self.settings = replace(plan.settings, processes=processes)
        self.scores = self.path / "scores.json"

    def scored(self) -> list[dict[str, Any]]:
        return json.loads(self.scores.read_text()) if self.scores.exists() else []

    def go_on(self, is_late: Callable[[], bool], deals: int = DEALS) -> bool:
        """Trains from snapshot to snapshot; whether it came to its end."""
        self._take_up()
        every = max(1, self.plan.snapshot // self.settings.minibatch)
        for number in range(1, math.ceil(self.settings.steps / every) + 1):
            if len(self.scored()) >= number:
                continue
            state = self._train(
                OPEN, self.settings, self.path / "open", min(number * every, self.settings.steps), is_late
            )
            if state is None:
                return False
            self._keep(state, deals)
        return not self.plan.student or self._make_student(is_late)

    def keep(self) -> None:
        """Puts the averaged networks of the last checkpoint, how far they are and their scores into the tree."""
        run = TrainingRun(self.path / "open", OPEN.method, self.settings, may_change=OPEN.may_change)
        if not run.start(resume=True):
            raise MingpaiError(f"{self.path} has no checkpoint yet")
        state = run.load()
        run.close()
        self.begun.mkdir(parents=True, exist_ok=True)
        for part, name in NETWORKS.items():
            save_file({key: value.half().contiguous() for key, value in state[part].items()}, self.begun / name)
        told = {key: state[key] for key in ("steps", "cpu_seconds", "resumes")}
        told |= {"settings": as_json(self.settings), "scores": self.scored()}
        (self.begun / "run.json").write_text(json.dumps(told, indent=1) + "\n")
        print(f"{told['steps'] * self.settings.minibatch / 1e6:.1f} million decisions kept in {self.begun.name}")

    def _take_up(self) -> None:
        """A run without a folder begins with what was kept of it, if anything was."""
        if self.path.exists() or not self.begun.exists():
            return
        told = json.loads((self.begun / "run.json").read_text())
        learner = OPEN.learner(self.settings)
        state = learner.state_dict() | {key: told[key] for key in ("steps", "cpu_seconds", "resumes")}
        for part, name in NETWORKS.items():
            state[part] = {key: value.float() for key, value in load_file(self.begun / name).items()}
        state |= {"net": state["mean"], "judge": state["judge_mean"]}
        run = TrainingRun(self.path / "open", OPEN.method, self.settings, may_change=OPEN.may_change)
        run.start()
        run.save(state["steps"], state)
        run.close()
        self.scores.write_text(json.dumps(told["scores"], indent=1) + "\n")

    def _train(
        self, training: Training, settings: Any, path: Path, steps: int, is_late: Callable[[], bool]
    ) -> dict[str, Any] | None:
        """The state after so many steps; None when it became late before."""
        run = TrainingRun(path, training.method, settings, may_change=training.may_change)

        def look(step: int, values: Mapping[str, float]) -> None:
            if is_late():
                signal.raise_signal(signal.SIGINT)  # the loop saves and ends

        if is_late():
            return None
        learner = training.learner(settings)
        outcome = train(run, learner, steps, resume=True, log_every=training.log_every, progress=look)
        return None if outcome.interrupted else learner.state_dict()

    def _keep(self, state: Mapping[str, Any], deals: int) -> None:
        """The averaged networks of a snapshot, and its score."""
        kept = {key: state[key] for key in ("mean", "judge_mean", "steps", "cpu_seconds")}
        folder = self.path / "snapshots"
        folder.mkdir(parents=True, exist_ok=True)
        torch.save(kept, folder / f"{state['steps']:08}.pt")
        line = {"decisions": state["steps"] * self.settings.minibatch, "cpu_seconds": round(state["cpu_seconds"]),
                "deals": deals, **score(network_of(state), deals)}  # fmt: skip
        self.scores.write_text(json.dumps([*self.scored(), line], indent=1) + "\n")
        print(text_of(self.path.name, line), flush=True)

    def _make_student(self, is_late: Callable[[], bool]) -> bool:
        """Ships network and judge under `models`, then a student of that network beside them."""
        models = self.path / "models"
        run = TrainingRun(self.path / "open", OPEN.method, self.settings, may_change=OPEN.may_change)
        if not (models / SHIPPED).exists():
            OPEN.ship(run, run.load(), models)
        settings = StudentSettings(
            samples=self.plan.student, seed=self.settings.seed, teacher=str(models / SHIPPED),
            rules=self.settings.rules, threads=self.settings.processes,
        )  # fmt: skip
        state = self._train(STUDENT, settings, self.path / "student", settings.steps, is_late)
        if state is None:
            return False
        run = TrainingRun(self.path / "student", STUDENT.method, settings, may_change=STUDENT.may_change)
        print(f"models in {STUDENT.ship(run, state, models).parent}")
        return True


def text_of(name: str, line: Mapping[str, Any]) -> str:
    wins = "{:.1f} +- {:.1f}".format(*(100 * value for value in line["wins"]))
    points = ["{:+.3f} +- {:.3f}".format(*line[key]) for key in SCORES if key != "wins"]
    minutes = line["cpu_seconds"] / 60
    return (
        f"| {name} | {line['decisions'] / 1e6:.1f} | {minutes:.0f} | {line['deals']} | {wins} | {' | '.join(points)} |"
    )


HEAD = (
    "| run | decisions, million | processor minutes | deals | wins, % | points | points, douzero |",
    "|---|---|---|---|---|---|---|",
)


def curve() -> None:
    lines = [text_of(name, line) for name, plan in PLANS.items() for line in Run(name, plan).scored()]
    print("\n".join([*HEAD, *lines]))


def show() -> None:
    for name, plan in PLANS.items():
        done = Run(name, plan).scored()
        so_far = f"; {done[-1]['decisions'] / 1e6:.1f} million done" if done else ""
        length = f"{plan.decisions / 1e6:.1f} million decisions, about {plan.minutes:.0f} processor minutes"
        print(f"{name}: {plan.what}; {length}{so_far}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("list", "run", "curve", "keep"))
    parser.add_argument("name", nargs="?", choices=tuple(PLANS))
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after this time; the same command goes on")
    parser.add_argument("--processes", type=int, default=1, help="that play and learn side by side")
    options = parser.parse_args()
    if options.action == "list":
        show()
    elif options.action == "curve":
        curve()
    elif options.name is None:
        raise MingpaiError(f"{options.action}: expected one of {', '.join(PLANS)}")
    elif options.action == "keep":
        Run(options.name, PLANS[options.name]).keep()
    else:
        end = time.monotonic() + 60 * options.minutes
        plan = PLANS[options.name]
        print(f"{options.name}: about {plan.minutes:.0f} processor minutes in all", flush=True)
        ended = Run(options.name, plan, options.processes).go_on(lambda: time.monotonic() >= end)
        print("done" if ended else "stopped; the same command goes on")


if __name__ == "__main__":
    as_script(main)
