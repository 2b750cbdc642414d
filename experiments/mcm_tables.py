"""The tables of paper 003 for MCM and MCTSHS: paper, the paper's method here, and ours, on the same deals.

    python experiments/mcm_tables.py list                     # the rows and what they cost
    python experiments/mcm_tables.py run mcm-paper            # one column: mcm-paper, mcm, flagship; or mctshs, times
    python experiments/mcm_tables.py report                   # results/mcm_tables.md and .json from all that was played

Every row of a column is played on the same deals (`--seed`), card play only, and all columns on the same ones. The
landlord is seat 0, whatever the cards: the paper's logs deal so too, nobody bids in them (docs/paper003.md). Chunks
are kept in experiments/runs (not committed), so a run goes on where it stopped; a row counts with what it has, and
says how many deals that is. No choice was made on the seed reported here.
"""

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pictures import svg_pyplot
from script import as_script
from seatings import COLUMNS, Seats, folder_name, play_seating, read_outcomes, seated, shuffled_decks

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.signature import positions, signature
from mingpai.arena.statistics import Estimate, fixed_mean, fixed_rate
from mingpai.games.doudizhu import GAME
from mingpai.records.paper003 import PRINTED, PRINTED_AGAIN

RESULTS = Path(__file__).parent / "results"
REPORT, STORED = RESULTS / "mcm_tables.md", RESULTS / "mcm_tables.json"
CURVES = RESULTS / "mcm_tables_curves.svg"
RUNS = Path(__file__).parent / "runs" / "mcm_tables"

CPU_A_DEAL = {"mcm-paper": 0.15, "network": 0.01, "mcm": 0.003, "flagship": 0.15}
"""Processor seconds of one deal of a row, about, on the machine of the results."""
OTHERS = ("random", "rhcp", "cql")
FROZEN = ("random", "rb", "rhcp", "cql", "rlcard")
"""Opponents whose signature is printed: they stood still while the others were made."""

ROWS: tuple[Seats, ...] = (
    *PRINTED,
    *(("MCM", other.upper(), other.upper()) for other in OTHERS),
    *((other.upper(), "MCM", "MCM") for other in OTHERS),
)
"""Landlord, down, up."""
LOGGED = {("RANDOM", "MCM", "MCM"): (6, 500), ("RHCP", "MCM", "MCM"): (215, 500), ("CQL", "MCM", "MCM"): (251, 582)}
"""Landlord's wins and games in the authors' logs, where the paper has a curve only."""

MCTSHS = ("mctshs", "mctshs:preset=paper")
RULED = ("rb", "rlcard")
"""Who sits at the two other seats: our RB, and RLCard's rule player."""
MCTSHS_LOGGED = {0: (431, 485), 1: (409, 542), 2: (460, 555)}
"""Role of MCTSHS against RB -> wins and games in the logs."""
ROLES = ("landlord", "farmer one", "farmer two")


HEAD = """# MCM and MCTSHS at one table with the others (paper 003)

`python experiments/mcm_tables.py run COLUMN`, then `report`. Who went out, in %: landlord with a 95% interval / down /
up, then the number of deals. All rows and columns are played on the same deals (seed {seed}), card play only; the
landlord is seat 0, whatever the cards. `mcm-paper` is the paper's method; `mcm` and `mingpai` are ours. Paper: its
first table; after the semicolon its second, on one set of deals.
"""
GAINS = """
## Gain over its own self-play as landlord, points

A landlord's percentage means little alone: each agent is compared with itself at all three seats on the same deals.
"""
BY_ROLE = """
![winning rates over games](mcm_tables_curves.svg)

## MCTSHS against RB, by role

MCTSHS sits at one seat, a rule player at the two others; the counts of the logs beside it. `mctshs:preset=paper` makes
50,000 simulations a move, as in the logs. The authors' RB is not ours: in their logs it opens with 3KKK and then 3222
from 3344566889TQAKKK222L, and as a farmer puts a 2 on its partner's ace (docs/paper003.md). A weak rule player that is
public, RLCard's, stands beside our `rb`.
"""
CHOICE = """
## Time of a choice

Processor time, mean over 40 fixed positions of random deals. Wins on deals of another seed, each played twice: the
search is the landlord, then both farmers.
"""


@dataclass(frozen=True)
class Row:
    """A row as it was played."""

    agents: Seats
    deals: int
    seed: int

    @property
    def folder(self) -> Path:
        return RUNS / folder_name(self.agents, self.seed)

    def play(self) -> None:
        start, decks = time.process_time(), shuffled_decks(self.deals, self.seed)
        *_, done = play_seating(self.agents, decks, self.folder, seed=self.seed)
        print(f"{' / '.join(self.agents)}: {done} deals, {time.process_time() - start:.0f} s", flush=True)


def rows_of(column: str, deals: int, seed: int) -> list[Row]:
    return [Row(seated(seats, COLUMNS[column]), deals, seed) for seats in ROWS]


def at_role(agent: str, role: int, others: str) -> Seats:
    landlord, down, up = (agent if seat == role else others for seat in range(len(ROLES)))
    return landlord, down, up


def mctshs_rows(deals: int, seed: int) -> list[Row]:
    cases = product(RULED, MCTSHS, range(len(ROLES)))
    return [Row(at_role(agent, role, others), deals, seed) for others, agent, role in cases]


def stored() -> dict[str, Any]:
    return dict(json.loads(STORED.read_text())) if STORED.exists() else {}


def key_of(agents: Sequence[str]) -> str:
    return " / ".join(agents)


def collect(seed: int) -> dict[str, Any]:
    """Everything played, over what was stored before: the longer row counts."""
    known = stored().get("rows", {})
    rows = [row for column in COLUMNS for row in rows_of(column, 1, seed)] + mctshs_rows(1, seed)
    for row in rows:
        outs = "".join(str(one.out) for one in read_outcomes(row.folder))
        if len(outs) > len(known.get(key_of(row.agents), "")):
            known[key_of(row.agents)] = outs
    return dict(known)


def outs_of(rows: Mapping[str, str], agents: Sequence[str]) -> NDArray[np.int64] | None:
    """The role that went out in each deal."""
    digits = rows.get(key_of(agents))
    return None if digits is None else np.array([int(digit) for digit in digits])


def wins_of(rows: Mapping[str, str], agents: Sequence[str]) -> NDArray[np.float64] | None:
    """Whether the landlord won, deal by deal."""
    outs = outs_of(rows, agents)
    return None if outs is None else (outs == 0).astype(float)


def percent(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.1f} [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"


def points(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:+.1f} [{100 * estimate.low:+.1f}, {100 * estimate.high:+.1f}]"


def printed_of(seats: Seats) -> str:
    if seats in LOGGED:
        wins, games = LOGGED[seats]
        return f"{100 * wins / games:.1f} (log, {games})"
    if seats not in PRINTED:
        return "curve"
    again = f"; {' / '.join(f'{share:.0f}' for share in PRINTED_AGAIN[seats])}" if seats in PRINTED_AGAIN else ""
    return f"{' / '.join(f'{share:.1f}' for share in PRINTED[seats])}{again}"


def cell_of(outs: NDArray[np.int64]) -> str:
    """Landlord's wins with their interval, then the farmers', then the deals."""
    down, up = (100 * float((outs == role).mean()) for role in (1, 2))
    return f"{percent(fixed_rate(list((outs == 0).astype(float))))} / {down:.1f} / {up:.1f}, {len(outs)}"


def main_table(rows: Mapping[str, Any]) -> list[str]:
    lines = ["| landlord | down | up | paper | " + " | ".join(f"`{agent}`" for agent in COLUMNS.values()) + " |",
             "|---|---|---|---|" + "---|" * len(COLUMNS)]  # fmt: skip
    for seats in ROWS:
        cells = []
        for agent in COLUMNS.values():
            outs = outs_of(rows, seated(seats, agent))
            cells.append("-" if outs is None else cell_of(outs))
        lines.append(f"| {' | '.join(seats)} | {printed_of(seats)} | {' | '.join(cells)} |")
    return lines


def gains_table(rows: Mapping[str, Any]) -> list[str]:
    """MCM as landlord against its own self-play on the same deals."""
    lines = ["| landlord | down | up | paper | " + " | ".join(f"`{agent}`" for agent in COLUMNS.values()) + " |",
             "|---|---|---|---|" + "---|" * len(COLUMNS)]  # fmt: skip
    own_paper = PRINTED["MCM", "MCM", "MCM"][0]
    for seats in (seats for seats in ROWS if seats[0] == "MCM" and seats in PRINTED and seats[1] != "MCM"):
        cells = []
        for agent in COLUMNS.values():
            wins, own = wins_of(rows, seated(seats, agent)), wins_of(rows, (agent, agent, agent))
            both = 0 if wins is None or own is None else min(len(wins), len(own))
            cells.append(points(fixed_mean(list(wins[:both] - own[:both]))) if both else "-")  # type: ignore[index]
        lines.append(f"| {' | '.join(seats)} | {PRINTED[seats][0] - own_paper:+.1f} | {' | '.join(cells)} |")
    return lines


def mctshs_table(rows: Mapping[str, Any]) -> list[str]:
    names = [f"`{agent}` - `{others}`" for others, agent in product(RULED, MCTSHS)]
    lines = ["| MCTSHS sits as | logs | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    for role, (wins, games) in MCTSHS_LOGGED.items():
        cells = []
        for others, agent in product(RULED, MCTSHS):
            landlord_wins = wins_of(rows, at_role(agent, role, others))
            mine = None if landlord_wins is None else (landlord_wins if role == 0 else 1 - landlord_wins)
            cells.append("-" if mine is None else f"{percent(fixed_rate(list(mine)))}, {len(mine)}")
        lines.append(f"| {ROLES[role]} | {100 * wins / games:.1f} ({wins} of {games}) | {' | '.join(cells)} |")
    return lines


def draw_curves(rows: Mapping[str, Any]) -> None:
    """The paper's figures: the winning rate over the games played, MCM as landlord and as both farmers."""
    figure, places = svg_pyplot().subplots(2, 3, figsize=(11, 6), sharey=True, layout="constrained")
    for column, other in enumerate(OTHERS):
        for line, seats in enumerate((("MCM", other.upper(), other.upper()), (other.upper(), "MCM", "MCM"))):
            place = places[line][column]
            for agent in COLUMNS.values():
                wins = wins_of(rows, seated(seats, agent))
                if wins is not None:
                    mine = wins if line == 0 else 1 - wins
                    place.plot(np.cumsum(mine) / np.arange(1, len(mine) + 1), label=agent, linewidth=1)
            place.set_title(f"MCM as {'landlord' if line == 0 else 'both farmers'} against {other.upper()}", fontsize=9)
            place.set_ylim(0, 1.02)
            place.set_xlabel("games", fontsize=8)
    places[0][0].legend(fontsize=7)
    places[0][0].set_ylabel("winning rate")
    figure.savefig(CURVES, metadata={"Date": None})


def times_line(times: Mapping[str, Any]) -> list[str]:
    if not times:
        return ["Not measured yet: `python experiments/mcm_tables.py run times`."]
    lines = [
        "| `mctshs:preset=paper` with | its wins against `mcm-paper`, % | deals | its choice, ms | `mcm-paper`'s, ms |",
        "|---|---|---|---|---|",
    ]
    for name, row in sorted(times.items(), key=lambda item: int(item[0])):
        estimate = fixed_mean(row["scores"])
        cells = (
            f"{name} simulations",
            percent(estimate),
            len(row["scores"]),
            f"{row['search_ms']:.1f}",
            f"{row['mcm_ms']:.1f}",
        )
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


TIMES = ("1000", "5000", "20000", "50000", "100000", "200000")
TIMED = 40
"""Positions that a choice is timed on."""


def run_times(deals: int, seed: int) -> None:
    """The paper's search with more and more simulations against the paper's MCM, both sides; the time of a choice."""
    decks, times = shuffled_decks(deals, seed + 7), dict(stored().get("times", {}))
    for simulations in TIMES:
        search = f"mctshs:preset=paper,iterations={simulations}"
        both = [(search, "mcm-paper", "mcm-paper"), ("mcm-paper", search, search)]
        for agents in both:
            for _ in play_seating(agents, decks, RUNS / folder_name(agents, seed + 7), seed=seed):
                pass
        alone, paired = (read_outcomes(RUNS / folder_name(agents, seed + 7)) for agents in both)
        scores = [((one.out == 0) + (two.out != 0)) / 2 for one, two in zip(alone, paired, strict=False)]
        times[simulations] = {"scores": scores, "search_ms": choice_ms(search), "mcm_ms": choice_ms("mcm-paper")}
        print(simulations, {name: value for name, value in times[simulations].items() if name != "scores"}, flush=True)
        save({**stored(), "times": times})


def choice_ms(spec: str) -> float:
    """Processor time of a choice, over fixed positions: other work on the machine does not count."""
    agent = REGISTRY.agent("doudizhu", spec)
    views = list(positions(GAME, TIMED, GAME.play_only))
    agent.decide(views[0])
    start = time.process_time()
    for view in views:
        agent.decide(view)
    return 1e3 * (time.process_time() - start) / len(views)


def save(data: Mapping[str, Any]) -> None:
    STORED.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def report(seed: int) -> None:
    data = {**stored(), "rows": collect(seed)}
    data["signatures"] = {name: signature(REGISTRY.agent("doudizhu", name), GAME).text for name in FROZEN}
    save(data)
    rows = data["rows"]
    draw_curves(rows)
    frozen = ", ".join(f"`{name}` {mark}" for name, mark in data["signatures"].items())
    lines = [HEAD.format(seed=seed), *main_table(rows), GAINS, *gains_table(rows), BY_ROLE, *mctshs_table(rows), CHOICE]
    lines += [*times_line(data.get("times", {})), "", f"Opponents frozen by their signatures: {frozen}."]
    REPORT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("list", "run", "report"))
    parser.add_argument("column", nargs="?", choices=(*COLUMNS, "mctshs", "times"))
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=31)
    options = parser.parse_args()
    if options.what == "list":
        for column in COLUMNS:
            cost = len(ROWS) * options.deals * CPU_A_DEAL[column]
            print(f"{column}: {len(ROWS)} rows of {options.deals} deals, about {cost / 60:.0f} processor minutes")
    elif options.what == "report":
        report(options.seed)
    elif options.column == "times":
        run_times(options.deals, options.seed)
    else:
        is_search = options.column == "mctshs"
        rows = (mctshs_rows if is_search else lambda d, s: rows_of(options.column, d, s))(options.deals, options.seed)
        cost = 1.0 if is_search else CPU_A_DEAL[options.column]
        print(f"{len(rows)} rows, about {len(rows) * options.deals * cost / 60:.0f} processor minutes", flush=True)
        for row in rows:
            row.play()


if __name__ == "__main__":
    as_script(main)
