"""What each part of the flagship's search is worth: `fast` and `normal` against themselves with one setting changed.

    python experiments/flagship_parts.py list                        # the variants, what they cost, what is played
    python experiments/flagship_parts.py run fast-reads --minutes 6  # one; the same command goes on
    python experiments/flagship_parts.py report                      # the table so far

Duplicate deals, card play only, to choose by: what is chosen is reported on other deals (`doudizhu_shown.py`). Wins
above 50% speak for the flagship as it is. Chunks are kept in runs/parts (not committed); the table is printed only.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from script import as_script

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import RunFolder, play_plan
from mingpai.arena.plan import Plan, duel
from mingpai.arena.summary import summarise

RUNS = Path(__file__).parent / "runs" / "parts"
GAME = REGISTRY.game("doudizhu")
SEED, DEALS, STEP = 1981, 1000, 20
SECONDS = {"fast": 0.4, "normal": 2.2}
"""Processor time of a deal, about."""
WORLDS = {"fast": 24, "normal": 288}

CHANGES = {
    "reads": ("every world that is played out is read", "reads={worlds}"),
    "unread": ("no world is read by the network", "reads=0"),
    "warmer": ("the others' moves are read as less exact", "reading_temperature=0.5"),
    "colder": ("and as more exact", "reading_temperature=0.125"),
    "reading": ("what is read counts in full", "reading_power=1.0"),
    "judged": ("the judge instead of playouts", "plays_out=false"),
    "unjudged": ("no judge", "judge=none"),
    "judge": ("the judge counts twice as much", "judge_trust=4.0"),
    "treeless": ("no tree", "iterations=0"),
    "tree": ("the tree counts half as much", "tree_trust=0.5"),
    "network": ("the network counts half as much", "trust={half_trust}"),
    "unproved": ("no endings are proved", "endings=false"),
    "proved": ("endings of ten times as many worlds are proved", "ending_worlds=1000"),
}
"""Name -> what is changed, and the setting."""
HALF_TRUST = {"fast": 1.0, "normal": 0.375}


@dataclass(frozen=True)
class Match:
    """A preset against itself with one setting changed."""

    preset: str
    change: str

    @property
    def name(self) -> str:
        return f"{self.preset}-{self.change}"

    @property
    def setting(self) -> str:
        return CHANGES[self.change][1].format(worlds=WORLDS[self.preset], half_trust=HALF_TRUST[self.preset])

    @property
    def folder(self) -> Path:
        return RUNS / self.name

    def plan(self) -> Plan:
        agent = f"mingpai:preset={self.preset}"
        return duel(GAME, agent, f"{agent},{self.setting}", seed=SEED, setup=dict(GAME.play_only))

    def text(self) -> str:
        """The row of the table; empty while nothing is played."""
        results = RunFolder(self.folder).results() if self.folder.exists() else {}
        if not results:
            return ""
        summary = summarise(self.plan(), [results[number] for number in sorted(results)])
        first, second = summary.sides
        rate = first.total.win_rate
        wins = f"{100 * rate.mean:.1f} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"
        times = f"{1000 * first.seconds:.1f} / {1000 * second.seconds:.1f}"
        return f"| {self.preset} | {self.setting} | {CHANGES[self.change][0]} | {summary.deals} | {wins} | {times} |"


MATCHES = {match.name: match for preset in SECONDS for change in CHANGES for match in [Match(preset, change)]}
HEAD = (
    "| preset | the other has | which means | deals | wins of the preset as it is, % [95%] | ms a decision |",
    "|---|---|---|---|---|---|",
)


def run(match: Match, deals: int, minutes: float) -> None:
    end = time.monotonic() + 60 * minutes
    print(f"about {deals * SECONDS[match.preset] / 60:.0f} processor minutes in all", flush=True)
    for upto in range(STEP, deals + STEP, STEP):
        played = play_plan(match.plan(), min(upto, deals), folder=match.folder, resume=match.folder.exists())
        if played.stopped or time.monotonic() >= end:
            break
    print(match.text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("list", "run", "report"))
    parser.add_argument("name", nargs="?", choices=tuple(MATCHES))
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after this time; the same command goes on")
    options = parser.parse_args()
    if options.action == "run" and options.name is None:
        parser.error(f"run needs one of {', '.join(MATCHES)}")
    elif options.action == "run":
        run(MATCHES[options.name], options.deals, options.minutes)
    elif options.action == "report":
        print("\n".join([*HEAD, *(text for match in MATCHES.values() if (text := match.text()))]))
    else:
        for match in MATCHES.values():
            print(f"{match.name}: {match.setting}; about {DEALS * SECONDS[match.preset] / 60:.0f} processor minutes")


if __name__ == "__main__":
    as_script(main)
