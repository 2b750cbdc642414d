"""Single rounds of Guandan in every situation of tribute, on duplicate cards, each situation reported apart.

    python experiments/guandan_rounds.py --a SPEC [--b SPEC] [--deals N] [--seed S] [--minutes M]

SPEC is rule1 to rule4 or ablgd with options; `--b` is by default the frozen copy of ablgd (experiments/frozen, its
signature is a test). Every deal is played three times: a-b, b-a and b-b. Prints its cost first, works in chunks, keeps
every score in experiments/results/guandan_rounds.json and goes on where it stopped; guandan_rounds.md shows them all.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from kept import Kept
from script import as_script

from mingpai.agents.catalogue import REGISTRY
from mingpai.methods.abduction.agent import AblgdAgent
from mingpai.methods.abduction.duel import CONFIDENCE
from mingpai.methods.abduction.rounds import MIRRORED, Played, Standing, play, player_of, report
from mingpai.models.card import NETWORK, read_card
from mingpai.models.loader import folder_of

HERE = Path(__file__).parent
KEPT = Kept(HERE / "results" / "guandan_rounds.json")
PAGE = HERE / "results" / "guandan_rounds.md"
FROZEN = "ablgd:model=experiments/frozen/guandan-ablgd"
CHUNK = 50
ROUND_SECONDS = 0.005
SEARCHED_CHUNK = 10
SEARCHED_SECONDS = 1.3


def network_of(spec: str, seed: int) -> str:
    """The beginning of the checksum of the network that plays; empty for a bot."""
    agent = REGISTRY.agent("guandan", spec, seed)
    return read_card(folder_of(agent.settings.model)).files[NETWORK][:12] if isinstance(agent, AblgdAgent) else ""


def page(kept: dict[str, Any]) -> str:
    """All results as a page."""
    lines = [
        "# Guandan: single rounds by situation of tribute", "",
        "Every deal is played three times with the same cards: by both players, with their seats exchanged, and by the "
        "second alone.", "So points are against the second player, and the last column is what the first makes of the "
        "same cards in the same situation", "above what the second would. ± is a 95% interval over deals.", "",
    ]  # fmt: skip
    for name, value in kept.items():
        one, other, seed = name.split(" | ")
        words = [
            f"--a {one}",
            *([f"--b {other}"] if other != FROZEN else []),
            f"--deals {len(value['scores']['none'])}",
        ]
        lines += [
            f"## `{one}` against `{other}`", "",
            f"`python experiments/guandan_rounds.py {' '.join(words)} --seed {seed}`; {value['cpu_seconds'] / 60:.0f} "
            "processor minutes.", "",
            "| situation | rounds | won, % | points a round | above the other in its place |", "|---|---|---|---|---|",
            *(row(situation, Standing(**standing)) for situation, standing in value["situations"].items()), "",
        ]  # fmt: skip
    return "\n".join(lines)


def row(situation: str, one: Standing) -> str:
    cells = [f"{100 * one.won:.1f} ± {100 * CONFIDENCE * one.won_error:.1f}"]
    cells += [
        f"{mean:+.3f} ± {CONFIDENCE * error:.3f}"
        for mean, error in ((one.points, one.error), (one.gain, one.gain_error))
    ]
    return f"| {situation} | {one.rounds} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", required=True)
    parser.add_argument("--b", default=FROZEN)
    parser.add_argument("--deals", type=int, default=400, help="of each of four situations")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--minutes", type=float, default=20, help="start no chunk after so many minutes")
    options = parser.parse_args()
    teams = [player_of(spec, options.seed) for spec in (options.a, options.b)]
    searches = any(word in options.a + options.b for word in ("strong", "worlds"))
    chunk_size, seconds = (SEARCHED_CHUNK, SEARCHED_SECONDS) if searches else (CHUNK, ROUND_SECONDS)
    print(f"about {8 * options.deals * seconds / 60:.1f} processor minutes", flush=True)
    name = f"{options.a} | {options.b} | {options.seed}"
    networks = [network_of(spec, options.seed) for spec in (options.a, options.b)]
    kept = KEPT.load().get(name, {})
    if kept.get("networks") != networks:
        kept = {"networks": networks, "cpu_seconds": 0.0, "scores": {situation: [] for situation in MIRRORED}}
    deadline = time.monotonic() + 60 * options.minutes
    while (done := len(kept["scores"]["none"])) < options.deals and time.monotonic() < deadline:
        start = time.process_time()
        chunk = play(teams[0], teams[1], min(chunk_size, options.deals - done), options.seed, done)
        for situation, rows in chunk.items():
            kept["scores"][situation] += rows.astype(int).tolist()
        kept["cpu_seconds"] = round(kept["cpu_seconds"] + time.process_time() - start, 1)
        played: Played = {situation: np.array(rows, float) for situation, rows in kept["scores"].items()}
        kept["situations"] = {key: value.to_json() for key, value in report(played).items()}
        KEPT.save(name, kept)
        PAGE.write_text(page(KEPT.load()), encoding="utf-8")
        print(f"{len(kept['scores']['none'])} deals: {report(played)['all']}", flush=True)
    print(f"{options.a} against {options.b}, seed {options.seed}")
    for key, value in report({s: np.array(rows, float) for s, rows in kept["scores"].items()}).items():
        print(f"{key:10} {value}")


if __name__ == "__main__":
    as_script(main)
