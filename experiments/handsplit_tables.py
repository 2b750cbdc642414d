"""The tables of Dou Dizhu play: MCTSHS and the flagship against the other agents, ablations, strength against time.

    python experiments/handsplit_tables.py list              # the experiments, their matches and what they cost
    python experiments/handsplit_tables.py run mctshs        # play one; --deals N for fewer, --jobs N processes
    python experiments/handsplit_tables.py report            # write results/handsplit.md from everything played so far

Each match is played on duplicate deals, card play only, landlord at seat 0 with the bottom cards: every deal is
uniform, nobody bid for it. A match keeps its chunks in a folder (runs/, not committed) and goes on where it stopped.
Results are what was played, with number of deals, seed and interval; a match stopped early counts with what it has.
"""

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pictures import svg_pyplot
from script import as_script

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import RunFolder, play_plan
from mingpai.arena.plan import Plan, duel, table_of
from mingpai.arena.summary import Summary, summarise

RESULTS = Path(__file__).parent / "results"
RUNS = Path(__file__).parent / "runs" / "handsplit"
REPORT = RESULTS / "handsplit.md"
STORED = RESULTS / "handsplit.json"
"""The rows of the tables as data: a run elsewhere adds to them."""
TIMES = RESULTS / "handsplit_times.json"
"""Made by handsplit_times.py."""
GAME = REGISTRY.game("doudizhu")

SEARCH_SECONDS = 0.25
"""CPU seconds of a game with one searching side at the default iterations, on the machine of the results."""


@dataclass(frozen=True)
class Match:
    """Agents and deals of one row of a table."""

    sides: tuple[str, ...]
    """Two agents: A against B, both ways. Three: landlord, down and up, who keep their seats."""
    deals: int
    seed: int
    rules: str = ""

    @property
    def name(self) -> str:
        text = "--".join((*self.sides, str(self.seed), self.rules))
        return "".join(c if c.isalnum() or c in "-." else "_" for c in text).strip("-")

    def plan(self) -> Plan:
        about: dict[str, Any] = {"seed": self.seed, "rules": self.rules, "setup": dict(GAME.play_only)}
        if len(self.sides) == 2:
            return duel(GAME, *self.sides, **about)
        return table_of(GAME, list(self.sides), rotate=False, **about)


FLAGSHIP = "mingpai:preset=normal"
SEARCH = "mctshs:belief=inferred,endings=true,particles=2000"
"""The flagship without a network: inference, search and exact endings."""
SHORT = f"{SEARCH},iterations=6000"
"""About 0.05 s a choice: ablations differ from it in one setting."""


def changed(setting: str) -> str:
    """`SHORT` with another value of one of its settings."""
    agent, _, settings = SHORT.partition(":")
    name = setting.partition("=")[0]
    kept = [part for part in settings.split(",") if part.partition("=")[0] != name]
    return f"{agent}:{','.join([*kept, setting])}"


FAST = "mingpai:preset=fast"
QUICK = "mctshs:belief=inferred,endings=true,particles=500,iterations=9000"
"""The flagship without a network at the time of `mcm-search`, 20 ms: see handsplit_times.md."""

SEATS = (FAST, "mcm", "mctshs")
"""The three strongest of different kinds, for three agents at one table."""

TIMED = (
    (FAST, 400, 73),
    ("mcm-search", 400, 73),
    (FLAGSHIP, 400, 70),
)
"""The flagship's search with more and more time, and the deals that are affordable: see handsplit_times.md."""

EXPERIMENTS: dict[str, tuple[Match, ...]] = {
    "baselines": tuple(Match((agent, "rlcard"), 1000, 1, "rlcard") for agent in ("rb", "rhcp", "greedy")),
    "mctshs": tuple(Match(("mctshs", agent), 500, 2) for agent in ("rb", "rhcp")),
    "flagship": (
        Match((FLAGSHIP, "rhcp"), 400, 70),
        Match((FLAGSHIP, "rlcard"), 400, 70, "rlcard"),
    ),
    "mcm": (
        Match(("mcm", "rlcard"), 4000, 61, "rlcard"),
        Match(("mcm", "rhcp"), 1000, 61),
        Match(("mcm", "rb"), 1000, 61),
        Match(("mcm", "cql"), 1000, 61),
        Match(("mcm", QUICK), 1000, 62),
        Match(("mcm-search", QUICK), 1000, 63),
        Match(("mcm-search", "mcm"), 1000, 63),
        Match(("mcm-search", "rlcard"), 400, 64, "rlcard"),
        Match(("mcm:objective=points", "mcm"), 1000, 65),
    ),
    "equal": tuple(Match(("mcm", f"mctshs:iterations={iterations}"), 200, 66) for iterations in (1000, 3000, 10_000)),
    "seatings": tuple(
        Match((SEATS[i], SEATS[j], SEATS[k]), 200, 4)
        for i, j, k in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    )
    + tuple(Match((agent, agent, agent), 200, 4) for agent in SEATS),
    "ablations": tuple(
        Match((SHORT, changed(change)), 400, 5)
        for change in ("slack=-1", "belief=uniform", "tree=false", "endings=false", "sees_world=false")
    ),
    "time": tuple(Match((agent, "rhcp"), deals, seed) for agent, deals, seed in TIMED),
}


def run(name: str, row: int | None, deals: int | None, jobs: int) -> None:
    for match in EXPERIMENTS[name] if row is None else EXPERIMENTS[name][row : row + 1]:
        folder, wanted = RUNS / match.name, deals or match.deals
        start = time.perf_counter()
        played = play_plan(match.plan(), wanted, folder=folder, resume=folder.exists(), jobs=jobs)
        side = played.summary().sides[0]
        rate = side.total.win_rate
        interval = f"{rate.mean:.3f} [{rate.low:.3f}, {rate.high:.3f}]"
        seconds = time.perf_counter() - start
        print(f"{' / '.join(match.sides)}: {len(played.results)} deals, {interval}, {seconds:.0f} s", flush=True)


def summary_of(match: Match) -> Summary | None:
    """What has been played of a match; None for nothing."""
    folder = RunFolder(RUNS / match.name)
    results = folder.results() if folder.path.exists() else {}
    return summarise(match.plan(), [results[i] for i in sorted(results)]) if results else None


def lines_of(match: Match) -> list[dict[str, Any]]:
    """The rows of a match as data: what has been played here, nothing if nothing has."""
    summary = summary_of(match)
    if summary is None:
        return []
    out = []
    for side in summary.sides[:1] if len(match.sides) == 2 else summary.sides:
        parts = {"all": side.total, **(side.roles if len(side.roles) > 1 or len(match.sides) == 3 else {})}
        for part, standing in parts.items():
            if len(match.sides) == 3 and part == "all":
                continue
            win, points = standing.win_rate, standing.points
            out.append({
                "side": side.agent, "part": part, "deals": summary.deals, "wins": [win.mean, win.low, win.high],
                "points": [points.mean, points.low, points.high], "ms": 1000 * side.seconds,
            })  # fmt: skip
    return out


def text_of(match: Match, line: dict[str, Any]) -> str:
    win, points = [100 * x for x in line["wins"]], line["points"]
    wins = f"{win[0]:.1f} [{win[1]:.1f}, {win[2]:.1f}]"
    gained = f"{points[0]:+.2f} [{points[1]:+.2f}, {points[2]:+.2f}]"
    who = f"{line['side']} | {' / '.join(match.sides)} | {line['part']} | {line['deals']}"
    return f"| {who} | {wins} | {gained} | {line['ms']:.1f} | {match.seed} |"


HEAD = (
    "| side | match | part | deals | wins, % [95%] | points [95%] | ms a decision | seed |",
    "|---|---|---|---|---|---|---|---|",
)


def merged() -> dict[str, list[dict[str, Any]]]:
    """The rows of every match by name: those stored, replaced by what has been played here if that is more."""
    stored: dict[str, list[dict[str, Any]]] = json.loads(STORED.read_text()) if STORED.exists() else {}
    known = {match.name: match for matches in EXPERIMENTS.values() for match in matches}
    for name, match in known.items():
        played = lines_of(match)
        if played and played[0]["deals"] >= stored.get(name, [{"deals": 0}])[0]["deals"]:
            stored[name] = played
    return {name: stored[name] for name in known if name in stored}


def report(names: Sequence[str]) -> None:
    stored = merged()
    STORED.write_text(json.dumps(stored, indent=1) + "\n")
    about = (
        "Made by `python experiments/handsplit_tables.py report`; see its head. Times are wall time on a machine that"
    )
    busy = "was busy with other work, forced moves included: `handsplit_times.md` has times of a choice."
    lines = ["# Dou Dizhu play: results", "", about, busy, ""]
    for name in names:
        body = [text_of(match, line) for match in EXPERIMENTS[name] for line in stored.get(match.name, [])]
        if body:
            command = f"`python experiments/handsplit_tables.py run {name}`"
            lines += [f"## {name}", "", command, "", *HEAD, *body, ""]
    REPORT.write_text("\n".join(lines))
    print(f"wrote {REPORT}")
    plot([match for name in names for match in EXPERIMENTS[name] if len(match.sides) == 2], stored)
    plot_time(EXPERIMENTS["time"], stored)


def label(agent: str) -> str:
    """A short name for the picture: settings that are those of a search named above are left out."""
    for name, search in (("search at 0.05 s", SHORT), ("search at 20 ms", QUICK)):
        if agent == search:
            return name
    kept = [part for part in agent.partition(":")[2].split(",") if part not in SHORT.partition(":")[2].split(",")]
    is_changed = agent.startswith("mctshs:") and "particles=2000" in agent
    return f"with {','.join(kept)}" if is_changed else agent


def plot(matches: Sequence[Match], stored: dict[str, list[dict[str, Any]]]) -> None:
    """Win rates of the first sides with their intervals, as a picture beside the tables."""
    pyplot = svg_pyplot()
    played = [(match, stored[match.name][0]) for match in reversed(matches) if match.name in stored]
    figure, axes = pyplot.subplots(figsize=(11, 0.45 * len(played) + 1), layout="constrained")
    for place, (_, line) in enumerate(played):
        mean, low, high = (100 * x for x in line["wins"])
        axes.errorbar(mean, place, xerr=[[mean - low], [high - mean]], fmt="o", color="tab:blue", capsize=3)
    labels = [f"{' - '.join(map(label, match.sides))} ({line['deals']} deals)" for match, line in played]
    axes.set_yticks(range(len(played)), labels, fontsize=7)
    axes.axvline(50, color="grey", linewidth=0.8)
    axes.set_xlabel("wins of the first, % of duplicate deals, 95%")
    figure.savefig(REPORT.with_suffix(".svg"), metadata={"Date": None})


def plot_time(matches: Sequence[Match], stored: dict[str, list[dict[str, Any]]]) -> None:
    """Strength against thinking time: wins over the same opponent by processor time of a choice."""
    from matplotlib import pyplot

    played = [(match, stored[match.name][0]) for match in matches if match.name in stored]
    if not played or not TIMES.exists():
        return
    times = json.loads(TIMES.read_text())
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for match, line in played:
        mean, low, high = (100 * x for x in line["wins"])
        place = times[match.sides[0]]
        axes.errorbar(place, mean, yerr=[[mean - low], [high - mean]], fmt="o", color="tab:blue", capsize=3)
        axes.annotate(
            f"{line['deals']} deals", (place, high), xytext=(0, 4), textcoords="offset points", ha="center", fontsize=7
        )
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlabel("processor time of a choice, ms")
    axes.set_ylabel(f"wins over {played[0][0].sides[1]}, %, 95%")
    figure.savefig(RESULTS / "handsplit_time.svg", metadata={"Date": None})


def show() -> None:
    for name, matches in EXPERIMENTS.items():
        games = sum(match.deals * (2 if len(match.sides) == 2 else 1) for match in matches)
        print(f"{name}: {games} games, about {games * SEARCH_SECONDS / 60:.0f} CPU minutes at default iterations")
        for match in matches:
            print(f"  {' / '.join(match.sides)}: {match.deals} deals, seed {match.seed} {match.rules}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("list", "run", "report"))
    parser.add_argument("name", nargs="?", choices=tuple(EXPERIMENTS))
    parser.add_argument("--row", type=int, help="only this match of the experiment, 0 is the first")
    parser.add_argument("--deals", type=int, help="stop at so many deals; a later run goes on")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if options.action == "list":
        show()
    elif options.action == "report":
        report(tuple(EXPERIMENTS))
    elif options.name is None:
        parser.error(f"run needs one of {', '.join(EXPERIMENTS)}")
    else:
        run(options.name, options.row, options.deals, options.jobs)


if __name__ == "__main__":
    as_script(main)
