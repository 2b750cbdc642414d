"""The paper's own deals, played again: the authors' result, the paper's method here, and ours, at the same seats.

    python experiments/paper003_deals.py run mcm-paper --data ../shared/data/doudizhu/paper003-games.jsonl.gz
    python experiments/paper003_deals.py report --data ../shared/data/doudizhu/paper003-games.jsonl.gz

The authors' logs have 3,582 whole deals (docs/paper003.md). Each is played with our agent at the seats of MCM and our
`rhcp`, `cql` and `random` at those of the others, under the rules the games replay by. `--games N` plays the first N of
each seating; chunks are kept in experiments/runs and a run goes on where it stopped. The report takes what there is.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from script import as_script
from seatings import COLUMNS, Outcome, Seats, folder_name, play_seating, read_outcomes, seated

from mingpai.arena.statistics import fixed_mean, fixed_rate
from mingpai.games.doudizhu.notation import cards_text
from mingpai.records.paper003 import PROFILE, PaperGame, read_games

RESULTS = Path(__file__).parent / "results"
REPORT, STORED = RESULTS / "paper003_deals.md", RESULTS / "paper003_deals.json"
RUNS = Path(__file__).parent / "runs" / "paper003_deals"
CPU_A_GAME = {"mcm-paper": 0.15, "network": 0.01, "mcm": 0.003, "flagship": 0.15}
"""Processor seconds, about, on the machine of the results."""


def games_by_seating(path: Path) -> dict[Seats, list[PaperGame]]:
    games: dict[Seats, list[PaperGame]] = {}
    for game in read_games(path):
        if isinstance(game, PaperGame) and game.hands is not None:
            games.setdefault(game.seats, []).append(game)
    return games


def deck_of(game: PaperGame) -> str:
    assert game.hands is not None
    assert game.bottom is not None
    return "/".join(map(cards_text, (game.hands[0] - game.bottom, *game.hands[1:], game.bottom)))


def folder_of(seats: Seats, agent: str) -> Path:
    return RUNS / folder_name(seated(seats, agent))


def run(column: str, games: dict[Seats, list[PaperGame]], most: int) -> None:
    agent = COLUMNS[column]
    count = sum(min(most, len(each)) for each in games.values())
    print(f"{count} games, about {count * CPU_A_GAME[column] / 60:.0f} processor minutes", flush=True)
    for seats, each in games.items():
        start, decks = time.process_time(), [deck_of(game) for game in each[:most]]
        *_, done = play_seating(seated(seats, agent), decks, folder_of(seats, agent), PROFILE, seed=1)
        print(f"{' / '.join(seats)}: {done} games, {time.process_time() - start:.0f} s", flush=True)


def collect(games: dict[Seats, list[PaperGame]]) -> dict[str, dict[str, str]]:
    """Seating -> column -> the role that went out in each game."""
    known: dict[str, dict[str, str]] = json.loads(STORED.read_text()) if STORED.exists() else {}
    for seats, each in games.items():
        row = known.setdefault(" / ".join(seats), {})
        row["paper"] = "".join(str(game.winner) for game in each)
        for column, agent in COLUMNS.items():
            outs = "".join(str(one.out) for one in _outcomes(seats, agent))
            if len(outs) > len(row.get(column, "")):
                row[column] = outs
    return known


def _outcomes(seats: Seats, agent: str) -> Sequence[Outcome]:
    return read_outcomes(folder_of(seats, agent))


HEAD = """# The paper's own deals, played again

`python experiments/paper003_deals.py run COLUMN --data FILE`, then `report`. Landlord's wins in %; the agent named sits
where MCM sat, our `rhcp`, `cql`, `random` at the other seats. Brackets: 95% intervals. Second number: the difference to
the authors' result on the same deals, in points; last the games. The other programs are not the authors' own: a row
says how our MCM does against our RHCP and CQL where theirs met theirs.
"""


def report(games: dict[Seats, list[PaperGame]]) -> None:
    known = collect(games)
    STORED.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    names = [f"`{agent}`" for agent in COLUMNS.values()]
    lines = [
        HEAD,
        "| landlord | down | up | paper, games | " + " | ".join(names) + " |",
        "|---" * (4 + len(names)) + "|",
    ]
    for name, row in known.items():
        paper = np.array([float(digit == "0") for digit in row["paper"]])
        cells = [f"{100 * paper.mean():.1f}, {len(paper)}"]
        for column in COLUMNS:
            won = np.array([float(digit == "0") for digit in row.get(column, "")])
            cells.append(_cell(won, paper[: len(won)]) if len(won) else "-")
        lines.append(f"| {' | '.join((*name.split(' / '), *cells))} |")
    REPORT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def _cell(won: np.ndarray, paper: np.ndarray) -> str:
    rate, gain = fixed_rate(list(won)), fixed_mean(list(won - paper))
    wins = f"{100 * rate.mean:.1f} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"
    return f"{wins}, {100 * gain.mean:+.1f} [{100 * gain.low:+.1f}, {100 * gain.high:+.1f}], {len(won)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("run", "report"))
    parser.add_argument("column", nargs="?", choices=tuple(COLUMNS))
    parser.add_argument("--data", type=Path, default=Path("../shared/data/doudizhu/paper003-games.jsonl.gz"))
    parser.add_argument("--games", type=int, default=10_000, help="of each seating at most")
    options = parser.parse_args()
    games = games_by_seating(options.data)
    if options.what == "run":
        run(options.column, games, options.games)
    else:
        report(games)


if __name__ == "__main__":
    as_script(main)
