"""What the long training of Dou Dizhu must show: today's agents against the yardsticks and against each other.

    python experiments/doudizhu_shown.py list                            # the matches, what they cost, what is played
    python experiments/doudizhu_shown.py run mcm --minutes 6             # one; the same command goes on
    python experiments/doudizhu_shown.py run fast --models runs/campaign/campaign/models   # networks not shipped yet
    python experiments/doudizhu_shown.py report                          # results/doudizhu_shown.md

Duplicate deals of seeds that nothing was chosen on, card play only but for `bids`, where every deal is played six
times, each side alone and as two in every seat. The yardsticks are the agents of version 0.1 (`frozen_agents.py`). A
match keeps its chunks in runs/shown (not committed); one with `--models` is kept apart and is no part of the report.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from frozen_agents import AGENTS
from script import as_script

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import RunFolder, play_plan
from mingpai.arena.plan import Plan, duel, rotated
from mingpai.arena.summary import Summary, summarise
from mingpai.core.errors import MingpaiError

REPORT = Path(__file__).parent / "results" / "doudizhu_shown.md"
RUNS = Path(__file__).parent / "runs" / "shown"
GAME = REGISTRY.game("doudizhu")
STEP = 40
"""Deals between two looks at the clock."""


@dataclass(frozen=True)
class Match:
    """Today's agent against another, and what is asked of it."""

    agent: str
    other: str
    deals: int
    seed: int
    wanted: str
    seconds: float
    """Processor time of a deal, about."""
    rules: str = ""
    is_frozen: bool = True
    """Whether `other` is the name of a yardstick."""
    for_points: bool = False
    has_auction: bool = False
    """Whether the seats bid, each side in every seat; else the landlord is seat 0."""

    def plan(self, models: Path | None) -> Plan:
        other = AGENTS[self.other] if self.is_frozen else self._with(self.other, models)
        sides = [f"{spec}{',' if ':' in spec else ':'}objective=points" if self.for_points else spec
                 for spec in (self._with(self.agent, models), other)]  # fmt: skip
        if self.has_auction:
            return rotated(duel(GAME, *sides, seed=self.seed, rules=self.rules))
        return duel(GAME, *sides, seed=self.seed, rules=self.rules, setup=dict(GAME.play_only))

    @staticmethod
    def _with(spec: str, models: Path | None) -> str:
        """An agent of ours with networks of a folder."""
        if models is None or not spec.startswith(("mcm", "mingpai")):
            return spec
        names = {"model": "value", "player": "student", "judge": "judge"}
        kept = {"model": "value"} if spec.startswith("mcm") else names
        words = ",".join(f"{key}={models / f'doudizhu-{name}'}" for key, name in kept.items())
        return f"{spec}{',' if ':' in spec else ':'}{words}"


ALONE = "mingpai:iterations=0,plays_out=false,judge=none,endings=false,reads=0,particles=1,worlds=1,candidates=1"
"""The value network plays the cards: what differs are the bids."""
FAST, NORMAL, STRONG = (f"mingpai:preset={name}" for name in ("fast", "normal", "strong"))
MATCHES: dict[str, Match] = {
    "mcm": Match("mcm", "mcm", 4000, 1971, "56% or more", 0.013),
    "mcm-points": Match("mcm", "mcm", 4000, 1972, "ahead in points", 0.013, for_points=True),
    "fast": Match(FAST, "normal", 2000, 1973, "55% or more", 1.2),
    "fast-points": Match(FAST, "normal", 2000, 1974, "ahead in points", 1.2, for_points=True),
    "normal": Match(NORMAL, FAST, 1000, 1975, "52% or more, clear of 50", 1.2, is_frozen=False),
    "strong": Match(STRONG, NORMAL, 1000, 1976, "52% or more, clear of 50", 25, is_frozen=False),
    "rlcard": Match(NORMAL, "rlcard", 1000, 1977, "94% or more", 1.0, "rlcard", is_frozen=False),
    "rhcp": Match(NORMAL, "rhcp", 1000, 1978, "82% or more", 1.0, is_frozen=False),
    "bids": Match(
        f"{ALONE},bids=learned",
        f"{ALONE},bids=value",
        5000,
        1979,
        "ahead in points",
        0.05,
        is_frozen=False,
        for_points=True,
        has_auction=True,
    ),
}


def folder_of(name: str, models: Path | None) -> Path:
    return RUNS / (name if models is None else f"{name}--{models.parent.name}")


def summary_of(name: str, models: Path | None = None) -> Summary | None:
    folder = folder_of(name, models)
    results = RunFolder(folder).results() if folder.exists() else {}
    plan = MATCHES[name].plan(models)
    return summarise(plan, [results[number] for number in sorted(results)]) if results else None


def text_of(name: str, summary: Summary) -> str:
    match, side = MATCHES[name], summary.sides[0]
    rate, gain = side.total.win_rate, summary.difference
    assert gain is not None
    wins = f"{100 * rate.mean:.1f} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"
    points = f"{gain.points.mean / 2:+.2f} [{gain.points.low / 2:+.2f}, {gain.points.high / 2:+.2f}]"
    who = f"{match.agent}{' for points' if match.for_points else ''}"
    other = f"{match.other} of 0.1" if match.is_frozen else match.other
    return f"| {who} | {other} | {summary.deals} | {wins} | {points} | {match.wanted} | {match.seed} |"


def run(name: str, models: Path | None, minutes: float) -> None:
    match, folder, end = MATCHES[name], folder_of(name, models), time.monotonic() + 60 * minutes
    print(f"about {match.deals * match.seconds / 60:.0f} processor minutes in all", flush=True)
    for upto in range(STEP, match.deals + STEP, STEP):
        played = play_plan(match.plan(models), min(upto, match.deals), folder=folder, resume=folder.exists())
        if played.stopped or time.monotonic() >= end:
            break
    summary = summary_of(name, models)
    assert summary is not None
    print(text_of(name, summary))


HEAD = (
    "| agent | against | deals | wins, % [95%] | points [95%] | asked for | seed |",
    "|---|---|---|---|---|---|---|",
)


def report() -> None:
    rows = [text_of(name, summary) for name in MATCHES if (summary := summary_of(name)) is not None]
    if not rows:
        raise MingpaiError("nothing has been played yet: run")
    about = "Made by `python experiments/doudizhu_shown.py run NAME; report`; see its head."
    REPORT.write_text("\n".join(["# What the training of Dou Dizhu shows", "", about, "", *HEAD, *rows, ""]))
    print(f"wrote {REPORT}")


def show() -> None:
    for name, match in MATCHES.items():
        summary = summary_of(name)
        cost = f"{match.deals} deals, about {match.deals * match.seconds / 60:.0f} processor minutes"
        done = summary.deals if summary else 0
        print(f"{name}: {match.agent} against {match.other}, {match.wanted}; {cost}; {done} played")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("list", "run", "report"))
    parser.add_argument("name", nargs="?", choices=tuple(MATCHES))
    parser.add_argument(
        "--models", type=Path, help="folder of doudizhu-value, -student and -judge; without it: shipped"
    )
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after this time; the same command goes on")
    options = parser.parse_args()
    if options.action == "list":
        show()
    elif options.action == "report":
        report()
    elif options.name is None:
        parser.error(f"run needs one of {', '.join(MATCHES)}")
    else:
        run(options.name, options.models, options.minutes)


if __name__ == "__main__":
    as_script(main)
