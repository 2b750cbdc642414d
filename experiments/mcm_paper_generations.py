"""The generations of the paper's MCM: how each learned, and whether it beats the one before.

    python experiments/mcm_paper_generations.py match runs/mcm-paper/models/gen2 runs/mcm-paper/models/gen1 --deals 500
    python experiments/mcm_paper_generations.py curves 1=runs/mcm-paper/net-1 2=runs/mcm-paper/net-2
    python experiments/mcm_paper_generations.py report

A match is between the networks alone (every best score is played at once), on duplicate deals, card play only. What was
played and learned is kept in results/mcm_paper.json; the report and the curves (the paper's figure) are made from it.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from pictures import svg_pyplot
from script import as_script

from mingpai.arena.match import play_plan
from mingpai.arena.plan import duel
from mingpai.games.doudizhu import GAME

RESULTS = Path(__file__).parent / "results"
STORED, REPORT, CURVES = RESULTS / "mcm_paper.json", RESULTS / "mcm_paper.md", RESULTS / "mcm_paper_curves.svg"
CPU_A_DEAL = 0.06
"""Processor seconds of a duplicate deal between networks, about."""


def stored() -> dict[str, Any]:
    return dict(json.loads(STORED.read_text())) if STORED.exists() else {"curves": {}, "matches": {}}


def save(data: dict[str, Any]) -> None:
    STORED.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def match(new: Path, old: Path, deals: int, seed: int) -> None:
    print(f"{deals} duplicate deals, about {deals * CPU_A_DEAL / 60:.0f} processor minutes", flush=True)
    sides = [f"mcm-paper:model={folder},at_once=always" for folder in (new, old)]
    plan = duel(GAME, *sides, seed=seed, setup=GAME.play_only)
    rate = play_plan(plan, deals).summary().sides[0].total.win_rate
    data = stored()
    data["matches"][f"{new.name} - {old.name}"] = {
        "deals": deals, "seed": seed, "mean": rate.mean, "low": rate.low, "high": rate.high,
    }  # fmt: skip
    save(data)
    print(f"{new.name} against {old.name}: {rate.mean:.1%} [{rate.low:.1%}, {rate.high:.1%}]")


def curves(runs: list[str]) -> None:
    data = stored()
    for text in runs:
        name, _, folder = text.partition("=")
        lines = [json.loads(line) for line in (Path(folder) / "metrics.jsonl").read_text().splitlines()]
        about = json.loads((Path(folder) / "run.json").read_text())["settings"]
        kept = [line for i, line in enumerate(lines) if "test_loss" in line or i % 4 == 0]
        data["curves"][name] = {
            "settings": about,
            "lines": [{k: round(v, 5) for k, v in line.items()} for line in kept],
        }
    save(data)


def draw(data: dict[str, Any]) -> None:
    figure, places = svg_pyplot().subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    for name, curve in data["curves"].items():
        for place, what in zip(places, ("loss", "accuracy"), strict=True):
            for part, style in (("train", "-"), ("test", "o--")):
                points = [
                    (line["epoch"], line[f"{part}_{what}"]) for line in curve["lines"] if f"{part}_{what}" in line
                ]
                if points:
                    place.plot(
                        *zip(*points, strict=True), style, label=f"generation {name}, {part}", linewidth=1, markersize=4
                    )
            place.set_xlabel("epoch")
            place.set_ylabel(what)
    places[1].legend(fontsize=7)
    figure.savefig(CURVES, metadata={"Date": None})


def report() -> None:
    data = stored()
    draw(data)
    lines = [
        "# The paper's MCM: generations", "",
        "`python experiments/mcm_paper_generations.py`. Loss is the cross-entropy of the search's shares, accuracy "
        "how often the best score is the teacher's choice; test: every tenth deal of the lessons named.", "",
        "| generation | lessons | epochs | test loss | test accuracy |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for name, curve in data["curves"].items():
        tests = [line for line in curve["lines"] if "test_loss" in line]
        best = min(tests, key=lambda line: line["test_loss"])
        settings = curve["settings"]
        lines.append(
            f"| {name} | {settings['lessons']} | {best['epoch']:.0f} of {settings['epochs']} | "
            f"{best['test_loss']:.4f} | {best['test_accuracy']:.1%} |"
        )
    lines += [
        "",
        "![curves](mcm_paper_curves.svg)",
        "",
        "| networks alone | deals, seed | wins of the first, % |",
        "|---|---|---|",
    ]
    for name, row in data["matches"].items():
        rate = f"{100 * row['mean']:.1f} [{100 * row['low']:.1f}, {100 * row['high']:.1f}]"
        lines.append(f"| {name} | {row['deals']}, {row['seed']} | {rate} |")
    REPORT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    playing = commands.add_parser("match")
    playing.add_argument("new", type=Path)
    playing.add_argument("old", type=Path)
    playing.add_argument("--deals", type=int, default=500)
    playing.add_argument("--seed", type=int, default=41)
    commands.add_parser("curves").add_argument("runs", nargs="+", metavar="GENERATION=RUN")
    commands.add_parser("report")
    options = parser.parse_args()
    if options.what == "match":
        match(options.new, options.old, options.deals, options.seed)
    elif options.what == "curves":
        curves(options.runs)
    else:
        report()


if __name__ == "__main__":
    as_script(main)
