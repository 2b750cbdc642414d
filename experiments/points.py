"""Points that are points: every agent playing for points against itself playing for wins, under every rule profile.

    python experiments/points.py list                         # the matches, what they cost, what has been played
    python experiments/points.py run mcm --minutes 6          # one agent under all profiles; --rules P for one of them
    python experiments/points.py report                       # write results/points.md from everything played so far

Duplicate deals, card play only, landlord at seat 0, bid 1: points are then the stake and its doublings alone. A match
keeps its chunks in a folder (runs/points, not committed); `run` goes on where it stopped, and ends after `--minutes`.
"""

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from script import as_script

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import RunFolder, play_plan
from mingpai.arena.plan import Plan, duel
from mingpai.arena.summary import Summary, summarise
from mingpai.core.errors import BadSetting
from mingpai.games.doudizhu.rules import PROFILES

RESULTS = Path(__file__).parent / "results"
REPORT, STORED = RESULTS / "points.md", RESULTS / "points.json"
RUNS = Path(__file__).parent / "runs" / "points"
GAME = REGISTRY.game("doudizhu")
SEED = 1900
STEP = 100
"""Deals between two looks at the clock."""


@dataclass(frozen=True)
class Player:
    """An agent whose two objectives meet."""

    spec: str
    """With the settings that both sides have."""
    deals: int
    seconds: float
    """Processor time of a deal, both its games, about."""

    def of(self, objective: str) -> str:
        return f"{self.spec}{',' if ':' in self.spec else ':'}objective={objective}"


PLAYERS = {
    "mcm": Player("mcm", 4000, 0.013),
    "fast": Player("mingpai:preset=fast", 1600, 0.4),
    "normal": Player("mingpai:preset=normal", 400, 2.2),
    "mctshs": Player("mctshs", 400, 0.8),
}


@dataclass(frozen=True)
class Match:
    """One row: for points against for wins."""

    name: str
    rules: str

    @property
    def player(self) -> Player:
        return PLAYERS[self.name]

    @property
    def folder(self) -> Path:
        return RUNS / f"{self.name}-{self.rules}"

    def plan(self) -> Plan:
        setup = dict(GAME.play_only)
        return duel(GAME, self.player.of("points"), self.player.of("win"), seed=SEED, rules=self.rules, setup=setup)

    def summary(self) -> Summary | None:
        """What has been played here; None for nothing."""
        results = RunFolder(self.folder).results() if self.folder.exists() else {}
        return summarise(self.plan(), [results[number] for number in sorted(results)]) if results else None


MATCHES = tuple(Match(name, rules) for name in PLAYERS for rules in PROFILES)


def run(matches: list[Match], deals: int | None, minutes: float) -> None:
    """A stretch of every match in turn, so that an early end leaves them all with some."""
    end = time.monotonic() + 60 * minutes
    wanted = {match: deals or match.player.deals for match in matches}
    upto = dict.fromkeys(matches, 0)
    while matches and time.monotonic() < end:
        for match in list(matches):
            upto[match] = min(upto[match] + STEP, wanted[match])
            played = play_plan(match.plan(), upto[match], folder=match.folder, resume=match.folder.exists())
            if upto[match] == wanted[match]:
                matches.remove(match)
            if played.stopped or time.monotonic() >= end:
                break
    for match in wanted:
        print(text_of(match, line_of(match)), flush=True)


def line_of(match: Match) -> dict[str, Any]:
    """A row as data; empty when nothing has been played here."""
    summary = match.summary()
    if summary is None:
        return {}
    side, gain = summary.sides[0], summary.difference
    assert gain is not None
    points = [value / 2 for value in _three(gain.points, 4)]
    return {"deals": summary.deals, "ms": round(1000 * side.seconds, 2), "points": points,
            "wins": _three(side.total.win_rate, 4)}  # fmt: skip


def _three(estimate: Any, digits: int) -> list[float]:
    return [round(value, digits) for value in (estimate.mean, estimate.low, estimate.high)]


HEAD = ("| agent | rules | deals | points [95%] | wins, % [95%] |", "|---|---|---|---|---|")


def text_of(match: Match, line: dict[str, Any]) -> str:
    if not line:
        return f"| {match.name} | {match.rules} | 0 | - | - |"
    points = "{:+.3f} [{:+.3f}, {:+.3f}]".format(*line["points"])
    wins = "{:.1f} [{:.1f}, {:.1f}]".format(*(100 * value for value in line["wins"]))
    return f"| {match.name} | {match.rules} | {line['deals']} | {points} | {wins} |"


ABOUT = """# Playing for points

Made by `python experiments/points.py run AGENT; report`; see its head. Each agent with `objective=points` against
itself with `objective=win`: half of what the first is ahead by in a game, in points of a side (landlord, or both
farmers together) at bid 1, and its share of wins. Duplicate deals, seed {seed}. Under `rlcard` every deal counts one,
so that both are the same game; `douzero` counts bombs and no spring; the others count both.
"""


def report() -> None:
    stored: dict[str, Any] = json.loads(STORED.read_text()) if STORED.exists() else {}
    for match in MATCHES:
        line = line_of(match)
        if line.get("deals", 0) >= stored.get(match.folder.name, {"deals": 1})["deals"]:
            stored[match.folder.name] = line
    STORED.write_text(json.dumps(stored, indent=1) + "\n")
    rows = [text_of(match, stored[match.folder.name]) for match in MATCHES if match.folder.name in stored]
    REPORT.write_text("\n".join([ABOUT.format(seed=SEED), *HEAD, *rows, ""]))
    print(f"wrote {REPORT}")


def show() -> None:
    for match in MATCHES:
        summary = match.summary()
        cost = f"about {match.player.deals * match.player.seconds / 60:.0f} processor minutes"
        done = summary.deals if summary else 0
        print(f"{match.name} {match.rules}: {match.player.deals} deals, {cost}; {done} played")


def chosen(name: str, rules: str | None) -> list[Match]:
    if rules is not None and rules not in PROFILES:
        raise BadSetting("rules", rules, f"one of {', '.join(PROFILES)}")
    return [match for match in MATCHES if match.name == name and rules in (None, match.rules)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("list", "run", "report"))
    parser.add_argument("name", nargs="?", choices=tuple(PLAYERS))
    parser.add_argument("--rules", help="one profile only")
    parser.add_argument("--deals", type=int, help="so many deals instead of the published number")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after this time; a later run goes on")
    options = parser.parse_args()
    if options.action == "list":
        show()
    elif options.action == "report":
        report()
    elif options.name is None:
        parser.error(f"run needs one of {', '.join(PLAYERS)}")
    else:
        run(chosen(options.name, options.rules), options.deals, options.minutes)


if __name__ == "__main__":
    as_script(main)
