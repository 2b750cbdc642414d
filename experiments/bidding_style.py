"""How well the style of a player is recognised from N decisions: confusion matrices, reachable classes.

    python experiments/bidding_style.py [--players 600] [--seed 51]      # about a CPU minute; results/bidding_style.*

Decisions are those of a simulated log that no benchmark has seen (100,000 of them). A player bids on each with the
chance that his temper gives. His true class is the class of (mu, sigma) over all 100,000; then N of them are drawn,
many times, and the class they give is compared. Two sets of players: drawn from the population, and spread evenly
over bold and timid, steady and erratic, so that all classes occur. Two benchmarks: the paper's network as it is, and
the same with its threshold moved so that it bids on half of the decisions.
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pictures import svg_pyplot
from script import as_script

from mingpai._native import bidding as native
from mingpai.core.random import stream
from mingpai.methods.bidding.model import PAPER_MODEL, BidModel
from mingpai.methods.bidding.population import draw_players, simulate
from mingpai.methods.bidding.raw import PAPER, LogFile
from mingpai.methods.bidding.style import (
    CLASSES,
    EPSILON,
    SPREAD_BORDER,
    TENDENCY_BORDER,
    Formula,
    class_of,
)

RESULTS = Path(__file__).parent / "results"
DECISIONS = 100_000
GAMES = 40_000
SIZES = (10, 30, 100)
TRIALS = 40
"""Draws of N decisions for each player."""
MARGINS = ((0.0, 0.0), (0.1, 0.05), (0.2, 0.1))
"""A player is away from the borders when mu and sigma are at least so far from them; the last is what is claimed."""

Floats = NDArray[np.float64]
Indices = tuple[Floats, Floats, Floats]
CODES = [kind.code for kind in CLASSES]


def decisions(seed: int) -> tuple[Floats, NDArray[Any], Floats]:
    """How far each hand lies above the threshold of a neutral player, and the benchmark's log-odds."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "games.log"
        simulate(log, GAMES, draw_players(500, seed), seed)
        blocks = [block.bids for block in LogFile(log, PAPER).blocks()]
    bids = {name: np.concatenate([block[name] for block in blocks])[:DECISIONS] for name in blocks[0]}
    assert len(bids["hand"]) == DECISIONS
    thresholds = np.array([[native.threshold(phase, value) for value in range(3)] for phase in range(2)])
    above = native.values(bids["hand"]) - thresholds[bids["phase"], bids["value"]]
    logits = BidModel(PAPER_MODEL).logits(bids["phase"], bids["value"], bids["hand"])
    return above, bids["hand"], logits.astype(float)


def wide_tempers(count: int, seed: int) -> list[tuple[float, float]]:
    """Bias from -2.5 to 2.5, noise from 0.03 to 3, evenly (noise by its logarithm)."""
    rng = stream(seed, "wide")
    return list(zip(rng.uniform(-2.5, 2.5, count).tolist(),
                    np.exp(rng.uniform(np.log(0.03), np.log(3), count)).tolist(), strict=True))  # fmt: skip


def indices(did: NDArray[np.bool_], wanted: NDArray[np.bool_]) -> Indices:
    """mu signed, mu printed and sigma of rows of decisions."""
    over, under = (did & ~wanted).sum(-1), (~did & wanted).sum(-1)
    bids, benchmark = did.sum(-1), wanted.sum(-1)
    printed = np.where(bids > 0, over / (bids - EPSILON), 0.0)
    signed = printed - np.where(benchmark > 0, under / np.maximum(benchmark, 1), 0.0)
    return signed, printed, np.sqrt((over + under) / (did.shape[-1] - 1))


def codes(mu: Floats, sigma: Floats) -> NDArray[np.int64]:
    places = [CODES.index(class_of(float(m), float(s)).code) for m, s in zip(mu.ravel(), sigma.ravel(), strict=True)]
    return np.array(places).reshape(mu.shape)


def is_away(mu: Floats, sigma: Floats, margin: tuple[float, float]) -> NDArray[np.bool_]:
    far_mu = np.minimum(np.abs(mu - TENDENCY_BORDER), np.abs(mu + TENDENCY_BORDER)) >= margin[0]
    return far_mu & (np.abs(sigma - SPREAD_BORDER) >= margin[1])


def study(tempers: list[tuple[float, float]], above: Floats, wanted: NDArray[np.bool_], seed: int) -> dict[str, Any]:
    """True indices and, for each N, confusion matrices and the share recognised by distance from the borders."""
    rng = stream(seed, "study")
    truth: list[list[float]] = []
    drawn: dict[int, list[Indices]] = {size: [] for size in SIZES}
    for bias, noise in tempers:
        did = above + bias + noise * rng.logistic(size=len(above)) > 0
        truth.append([float(index) for index in indices(did, wanted)])
        for size in SIZES:
            which = rng.integers(0, len(above), (TRIALS, size))
            again = above[which] + bias + noise * rng.logistic(size=which.shape) > 0
            drawn[size].append(indices(again, wanted[which]))
    signed, printed, sigma = np.array(truth).T
    out: dict[str, Any] = {"bid rate": float(wanted.mean()), "players": len(tempers), "truth": truth, "formulas": {}}
    for formula, mu in (("signed", signed), ("printed", printed)):
        real = codes(mu, sigma)
        counted: dict[str, Any] = {"players": np.bincount(real, minlength=6).tolist(), "sizes": {}}
        for size in SIZES:
            place = 0 if formula == "signed" else 1
            guessed = codes(np.array([row[place] for row in drawn[size]]), np.array([row[2] for row in drawn[size]]))
            matrix = np.zeros((6, 6), int)
            np.add.at(matrix, (np.repeat(real, TRIALS), guessed.ravel()), 1)
            right = (guessed == real[:, None]).mean(axis=1)
            away = {}
            for margin in MARGINS:
                far = is_away(mu, sigma, margin)
                share = float(right[far].mean()) if far.any() else None
                away[f"{margin[0]}/{margin[1]}"] = {"players": int(far.sum()), "right": share}
            counted["sizes"][size] = {"matrix": matrix.tolist(), "away": away}
        out["formulas"][formula] = counted
    return out


def reachable(rate: float, formula: Formula) -> list[str]:
    """Classes of all players who bid on some share of the hands that the benchmark bids on and of the others."""
    yes, no = np.meshgrid(np.linspace(0, 1, 101), np.linspace(0, 1, 101))
    over, under, bids = no * (1 - rate), (1 - yes) * rate, yes * rate + no * (1 - rate)
    mu = np.where(bids > 0, over / np.maximum(bids, 1e-12), 0) - (1 - yes if formula == "signed" else 0)
    places = set(codes(mu, np.sqrt(over + under)).ravel().tolist())
    return [code for place, code in enumerate(CODES) if place in places]


def page(result: dict[str, Any]) -> list[str]:
    lines = [HEAD.format(**result)]
    for name, cases in result["cases"].items():
        for benchmark, case in cases.items():
            lines += ["", f"## {name}, benchmark {benchmark} (bids on {100 * case['bid rate']:.1f}%)", ""]
            lines += [
                "| formula | N | all players | mu 0.1, sigma 0.05 away | mu 0.2, sigma 0.1 away |",
                "|---|---|---|---|---|",
            ]
            for formula, counted in case["formulas"].items():
                for size, row in counted["sizes"].items():
                    cells = ["none" if cell["right"] is None else f"{100 * cell['right']:.1f}% of {cell['players']}"
                             for cell in row["away"].values()]  # fmt: skip
                    lines.append(f"| {formula} | {size} | {' | '.join(cells)} |")
            for size in SIZES:
                lines += ["", f"Confusion at N = {size}, signed, % of each row (true class by line):", ""]
                lines += matrix_lines(case["formulas"]["signed"], size)
    lines += ["", "## Which classes can be reached", "",
              "By any player, from never to always bidding, on the hands that the benchmark bids and on others:", "",
              "| the benchmark bids on | printed | signed |", "|---|---|---|"]  # fmt: skip
    for rate, row in result["reachable"].items():
        lines.append(f"| {100 * float(rate):.0f}% | {', '.join(row['printed'])} | {', '.join(row['signed'])} |")
    return [*lines, "", "![styles](bidding_style.svg)"]


def matrix_lines(counted: dict[str, Any], size: int) -> list[str]:
    lines = ["| true class | players | " + " | ".join(CODES) + " |", "|---" * (len(CODES) + 2) + "|"]
    for place, code in enumerate(CODES):
        row, players = counted["sizes"][size]["matrix"][place], counted["players"][place]
        if players:
            cells = (
                f"**{100 * n / sum(row):.0f}**" if at == place else f"{100 * n / sum(row):.0f}"
                for at, n in enumerate(row)
            )
            lines.append(f"| {code} | {players} | {' | '.join(cells)} |")
    return lines


HEAD = """# Bidding styles: how well they are recognised

`python experiments/bidding_style.py --players {players} --seed {seed}`. The true class of a player is that of his mu
and sigma over {decisions:,} decisions of a log that no benchmark has seen; N of them are drawn {trials} times for each
player. "Away" means that the true mu and sigma lie at least so far from every border between classes. The correlation
of the true mu with the hidden bias of the population's players is {correlation:.2f}."""


def plot(result: dict[str, Any]) -> None:
    pyplot = svg_pyplot()
    figure, axes = pyplot.subplots(2, 2, figsize=(11, 9), layout="constrained")
    for row, (name, cases) in zip(axes, result["cases"].items(), strict=True):
        for axis, (benchmark, case) in zip(row, cases.items(), strict=True):
            truth = np.array(case["truth"])
            axis.scatter(truth[:, 0], truth[:, 2], s=7, color="black", alpha=0.5, linewidths=0)
            axis.axhline(SPREAD_BORDER, color="grey", linewidth=0.8)
            for border in (-TENDENCY_BORDER, TENDENCY_BORDER):
                axis.axvline(border, color="grey", linewidth=0.8)
            axis.set(xlim=(-1.05, 1.05), ylim=(0, 1.05), xlabel="mu (signed)", ylabel="sigma")
            axis.set_title(f"{name}, benchmark {benchmark}: true indices", fontsize=10)
    figure.savefig(RESULTS / "bidding_style.svg", metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=600)
    parser.add_argument("--seed", type=int, default=51)
    options = parser.parse_args()
    print(f"cost: about {options.players / 600:.1f} CPU minutes", flush=True)
    above, _, logits = decisions(options.seed)
    drawn = draw_players(options.players, options.seed + 1)
    sets = {
        "Players of the population": [(player.bias, player.noise) for player in drawn],
        "Players of all tempers": wide_tempers(options.players, options.seed),
    }
    benchmarks = {"as it is": logits > 0, "at one half": logits > np.median(logits)}
    cases = {name: {which: study(tempers, above, wanted, options.seed) for which, wanted in benchmarks.items()}
             for name, tempers in sets.items()}  # fmt: skip
    mus = [row[0] for row in cases["Players of the population"]["as it is"]["truth"]]
    formulas: tuple[Formula, ...] = ("printed", "signed")
    result = {
        "players": options.players,
        "seed": options.seed,
        "decisions": DECISIONS,
        "trials": TRIALS,
        "correlation": float(np.corrcoef(mus, np.clip([player.bias for player in drawn], -1, 1))[0, 1]),
        "cases": cases,
        "reachable": {rate: {formula: reachable(rate, formula) for formula in formulas}
                      for rate in (0.2, 0.3, 0.4, 0.44, 0.46, 0.5, 0.6)},
    }  # fmt: skip
    lines = page(result)
    (RESULTS / "bidding_style.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    plot(result)
    for case in (case for by_benchmark in cases.values() for case in by_benchmark.values()):
        case["truth"] = [[round(value, 4) for value in row] for row in case["truth"]]
    (RESULTS / "bidding_style.json").write_text(json.dumps(result) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    as_script(main)
