"""Makes experiments/results/abduction.md and its pictures from the results of abduction_tables.py.

    python experiments/abduction_report.py

The pictures are abduction_agreement.svg (figure 5), abduction_curve.svg and abduction_paper_curve.svg. What has not
been measured is left out, or said to be missing.
"""

import itertools
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pictures import svg_pyplot
from script import as_script

from mingpai.methods.abduction.estimates import SORTS, TURN, TURNS
from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.abduction.runtime import PAPER_MODEL, SHIPPED
from mingpai.models.card import NETWORK, read_card
from mingpai.models.loader import Model, folder_of

RESULTS = Path(__file__).parent / "results"
RUN = Path(__file__).parents[1] / "mingpai" / "models" / SHIPPED / "run.json"
FROZEN = Path(__file__).parent / "frozen" / "guandan-ablgd"
BOTS = ("random", "rule1", "rule2", "rule3", "rule4")
PAPER6 = {
    "-max": (39.36, 24.29),
    "-30": (58.60, 33.89),
    "-20": (63.05, 41.24),
    "-10": (68.19, 59.32),
    "-5": (76.74, 75.70),
    "-1": (94.79, 95.37),
}
PAPER5 = {"random": ("random", 100), "rule1": ("BSL4", 100), "rule2": ("BSL3", 100), "rule3": ("BSL2", 85.2),
          "rule4": ("BSL1", 81.4)}  # fmt: skip
"""Our bot -> the paper's of the same place, and what its ABL-GD wins against it."""
CURVE_STEP = 8
"""Updates between two rows of the learning curve of the paper's network."""
SAMPLED_STEP = 16
"""Updates whose mean is a point of the curve of a run that played no matches."""
PAPER_LABEL = " paper"
"""In the names of results of the paper's network."""
AGENTS = (("ablgd", ""), ("ablgd:preset=paper", PAPER_LABEL))
GROUPS6 = (
    ("", "Rounds of rule4 at all seats, and of rule3 against it."),
    (" older", "Rounds of an older network (`experiments/frozen`) at all seats."),
    (" records", "Rounds of a file of records."),
)
"""What the names of the parts of table 6 end with, and whose rounds they are."""
ROUNDS8 = 5000
PAPER8 = (("5181", "4441"), ("40.3 / 27.5 / 32.2", "18.6 / 39.7 / 41.7"))
"""Cumulative scores, and shares of the rounds won by 3, 2 and 1, with ABLN and without."""
TRAINING_OF_THE_PAPER = {
    "critic": "own", "ahead": "0", "bots": "0", "gamma": "0.996", "lam": "0.98", "rate": "0.0001",
    "last_rate": "0.0001", "abln_rate": "4e-06", "buffer": "32768", "batch": "16384", "every": "16384", "imitate": "0",
    "decisions": "400000000",
}  # fmt: skip
"""Settings as the paper trains (table 4): it has no judge, no look ahead, no bots, and tells of no imitation."""
BLIND7 = (
    "From nothing (`python experiments/abduction_seeds.py`); with ABLN, what options say of other hands follows from "
    "its estimate alone (`blind`). "
)
WENT_ON7 = "From the network of 0.1 on (`python experiments/abduction_removed.py` when that was shipped), `lite`. "
TITLES7 = (
    ("table7 plain", "Configuration `plain`: no options with facts.", "--set abln=false"),
    ("table7 removed", WENT_ON7 + "Without: no estimate of the hidden hands at all, as in the paper: ABLN and all "
     "counting of options removed; it begins weaker and has to make good what it lost.",
     "--set abln=false --set blind=true"),
    ("table7 removed counting", WENT_ON7 + "Without: exact counting in ABLN's place; only ABLN is removed.",
     "--set abln=false"),
    ("table7 removed paper", "From the paper's network as shipped on (`python experiments/abduction_removed.py "
     "--config paper`). Without: ABLN removed; it begins weaker and has to make that good.", "--set abln=false"),
)  # fmt: skip
"""Parts of table 7 with one training each: what is compared, and the settings of the model without ABLN."""
SEEDED7 = (
    ("table7 seed ", BLIND7 + "Without: no estimate of the hidden hands at all; facts by ranks and hand sizes.",
     "--set abln=false"),
    ("table7 counting seed ", BLIND7 + "Without: exact counting in its place; facts by the unseen cards and hand "
     "sizes.", "--set abln=false --set blind=false"),
    (f"table7{PAPER_LABEL} seed ", "The paper's network from nothing, far from trained: both beginnings compared.",
     "--set abln=false"),
)  # fmt: skip
"""Parts with a training for each seed."""
SPEED_SPECS = ("ablgd", "ablgd:preset=paper", "ablgd:preset=strong")
STAGES = ("all", "early", "middle", "late")
ESTIMATES = ("uniform", "counting", "abln", "abln, consistent")
LOWER = "abln, consistent, lower than counting by"
STUDENT = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}
"""Standard errors on each side of a 95% interval by degrees of freedom."""
PAPER_DECISIONS = 4e8
STRENGTHS: dict[int, dict[str, tuple[float, int]]] = {
    561975: {"random": (100, 20), "rule1": (0, 20)},
    1588111: {"random": (100, 100), "rule1": (25, 100), "rule2": (9, 100)},
    3622095: {"rule1": (27, 60), "rule2": (25, 60)},
    3981226: {"rule1": (92, 60), "rule2": (60, 60)},
    4399310: {"random": (100, 100), "rule1": (98, 100), "rule2": (67, 100)},
}
"""The paper's network on its way: decisions -> bot -> % of how many matches, as its cards and the diary had it."""
PHASES = ("random play", "rule4", "ppo", "search", "critic")
"""As `mingpai.methods.abduction.train` numbers them."""

Data = dict[str, Any]
Names = list[tuple[str, str]]
"""What is said before a name, and the name."""
Strengths = dict[int, dict[str, tuple[float, int]]]


def percent(value: Data) -> str:
    return f"{100 * value['won']:.1f} ± {196 * value['error']:.1f}"


def command(part: str, value: Data, **sizes: int) -> str:
    """The exact command of a part, with its sizes."""
    words = [f"--{name} {size}" for name, size in sizes.items()]
    return f"`python experiments/abduction_tables.py {' '.join([part, *words])} --seed {value['seed']}`"


def table(columns: str, rows: list[str]) -> list[str]:
    names = [name.strip() for name in columns.split("|")]
    return [f"| {' | '.join(names)} |", "|" + "---|" * len(names), *rows, ""]


def table5(data: Data) -> list[str]:
    if "table5 rule4" not in data:
        return []
    rows = []
    cells = [(agent, bot, data.get(f"table5{label} {bot}")) for agent, label in AGENTS for bot in BOTS]
    for agent, bot, value in [*cells, ("ablgd:preset=strong", "rule4", data.get("strong rule4"))]:
        if value:
            wins = " / ".join(f"{100 * value['by_score'][i] / value['rounds']:.1f}" for i in (6, 5, 4))
            points = f"{value['points']:+.3f} ± {1.96 * value['points_error']:.3f}"
            rows.append(f"| `{agent}` | {bot} | {percent(value)} | {value['matches']} | {points} | {wins} |")
    labels = dict(AGENTS)
    commands = [
        command(f"table5{options_of(labels[agent])} --against {bot}", value, matches=value["matches"])
        for agent, bot, value in cells if value
    ]  # fmt: skip
    if "strong rule4" in data:
        one = data["strong rule4"]
        commands.append(command("strong", one, matches=one["matches"]))
    return [
        "## Table 5: against random and the rule bots", "", *[f"- {text}" for text in commands], "",
        *table("agent | against | % of matches | matches | points a round | rounds won by 3 / 2 / 1, %", rows),
        "In the paper's form, % of matches won by each of the three. The paper does not say which contest bots BSL1 to",
        "BSL4 are, so its column and ours have no common scale: weakest first, ours are rule1 to rule4.", "",
        *table("against (paper / here) | paper | `config=paper` here | `ablgd`", _three5(data)),
    ]  # fmt: skip


def _three5(data: Data) -> list[str]:
    """Table 5 with three columns."""
    rows = []
    for bot, (rival, share) in PAPER5.items():
        ours = [data.get(f"table5{label} {bot}") for label in (PAPER_LABEL, "")]
        cells = [f"{percent(value)} of {value['matches']}" if value else "-" for value in ours]
        rows.append(f"| {rival} / {bot} | {share:g} of 1000 | {' | '.join(cells)} |")
    return rows


def options_of(label: str) -> str:
    """The options that a label of results stands for."""
    return f" --model {PAPER_MODEL} --label '{label}'" if label else ""


def searching(data: Data) -> list[str]:
    if "search network" not in data:
        return []
    one = data["search network"]
    rounds = 100 * sum(one["by_score"][4:]) / one["rounds"]
    won = (
        f"{percent(one)}% of {one['matches']} matches, {rounds:.1f}% of {one['rounds']} rounds, "
        f"{one['points']:+.3f} ± {1.96 * one['points_error']:.3f} points a round"
    )
    return [f"`ablgd:preset=strong` against `ablgd`: {won} ({command('search', one, matches=one['matches'])}).", ""]


def plans(data: Data) -> list[str]:
    if "plans" not in data:
        return []
    one = data["plans"]
    priors = sorted({row[1] for row in one["rows"]})
    rows = []
    for depth in dict.fromkeys(row[0] for row in one["rows"]):
        gains = {row[1]: f"{row[2]:+.3f} ± {1.96 * row[3]:.3f}" for row in one["rows"] if row[0] == depth}
        rows.append(f"| {depth or 'to the end'} | {' | '.join(gains[prior] for prior in priors)} |")
    return [
        "## What a search gains at one decision", "", command("plans", one, positions=one["positions"]), "",
        "Points gained at a decision by what 16 worlds say, judged by 16 other worlds that the network plays to the "
        "end against", f"rule4 ({one['decisions']} decisions, on other deals than the tables above"
        f"{one.get('of', '')}). Rows: decisions before", "the critic; columns: points "
        "that a factor e in the policy's probability is worth.", "",
        *table("depth | " + " | ".join(f"{prior:g}" for prior in priors), rows),
    ]  # fmt: skip


def table6(data: Data) -> list[str]:
    if "table6" not in data:
        return []
    draw6(data)
    lines = [
        "## Table 6: agreement with recorded play", "", *[f"- {text}" for text in _commands6(data)], "",
        "Recorded are rounds of other players than the network measured, the same for both networks; the paper's are",
        "those of people. Plays with more than one pseudo-action; agreement is the same type and rank; ± is over",
        "rounds (all or nothing: the rule of three). Figure 5 is drawn from it:", "",
        "![figure 5](abduction_agreement.svg)", "",
    ]  # fmt: skip
    for ending, title in GROUPS6:
        lines += _group6(data, ending, title)
    return lines


def _commands6(data: Data) -> list[str]:
    one, papers = data["table6"], data.get(f"table6{PAPER_LABEL}")
    commands = [command("table6", one, rounds=one["rounds"])]
    if papers:
        commands.append(command(f"table6{options_of(PAPER_LABEL)}", papers, rounds=papers["rounds"]))
    own = "`python experiments/abduction_tables.py table6 --records FILE`"
    return [*commands, f"{own}: your own rounds, as the app and `mingpai match --records` write them"]


def _group6(data: Data, ending: str, title: str) -> list[str]:
    """A table of both networks on the rounds of some players."""
    ours, papers = (data.get(f"table6{label}{ending}") for label in ("", PAPER_LABEL))
    one: Data | None = ours or papers
    if one is None:
        return [] if "records" in ending else [f"**{title}** Not measured yet.", ""]
    rows = []
    for name in (*PAPER6, "all"):
        cells = [f"{value:g}" for value in PAPER6[name]] if name in PAPER6 else ["-", "-"]
        cells += [cell6(value, name, at) for value in (papers, ours) for at in (1, 2)]
        rows.append(f"| {name} | {one['stages'][name][0]} | {' | '.join(cells)} |")
    return [
        f"**{title}** {one['rounds']} rounds.{_note6(ours, papers, ending)}", "",
        *table("plays before the end | decisions | paper: action % | paper: score % | `config=paper`: action % | "
               "`config=paper`: score % | `ablgd`: action % | `ablgd`: score %", rows),
    ]  # fmt: skip


def _note6(ours: Data | None, papers: Data | None, ending: str) -> str:
    """What must be known of the players of a group."""
    if ending == " records":
        return f" {' and '.join(sorted({one['file'] for one in (ours, papers) if one}))}."
    if ending != " older" or not ours:
        return ""
    same = ours["networks"] == [read_card(FROZEN).files[NETWORK][:12]]
    if same:
        return " It is the network of `ablgd` itself, which can only agree."
    return " Where a network learned on from this one, its agreement is that of a descendant."


def cell6(value: Data | None, stage: str, at: int) -> str:
    """A share in percent with its interval."""
    if not value or value["stages"][stage][at] is None:
        return "-"
    share, error = value["stages"][stage][at], error6(value["stages"][stage], stage, at)
    return f"{100 * share:.1f}" + ("" if error is None else f" ± {196 * error:.1f}")


def error6(row: Sequence[Any], stage: str, at: int) -> float | None:
    """The standard error of a share. Older results have none: at one play of each round it is that of a share."""
    if len(row) > 3:
        return None if row[at + 2] is None else float(row[at + 2])
    return None if stage == "all" else math.sqrt(row[at] * (1 - row[at]) / row[0])


def draw6(data: Data) -> None:
    """Figure 5: agreement by plays before the end, actions on the left, scores on the right."""
    figure, axes = svg_pyplot().subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for at, (side, title) in enumerate(zip(axes, ("action", "score"), strict=True)):
        side.plot(
            list(PAPER6), [pair[at] for pair in PAPER6.values()], marker="s", color="black", label="paper, people"
        )
        for color, (agent, label) in zip(("tab:orange", "tab:blue"), reversed(AGENTS), strict=True):
            for (ending, _), style in zip(GROUPS6, ("-", "--", ":"), strict=True):
                _curve6(side, data.get(f"table6{label}{ending}"), at + 1, color, style, f"{agent},{ending or ' rules'}")
        side.set_xlabel("plays before the end")
        side.set_title(title)
    axes[0].set_ylabel("agreement, %")
    axes[0].set_ylim(0, 105)
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(RESULTS / "abduction_agreement.svg", metadata={"Date": None})


def _curve6(side: Any, value: Data | None, at: int, color: str, style: str, label: str) -> None:
    """The curve of a network on the rounds of some players."""
    rows = {name: value["stages"][name] for name in PAPER6 if value["stages"][name][at] is not None} if value else {}
    errors = [196 * (error6(row, name, at) or 0) for name, row in rows.items()]
    if rows:
        side.errorbar(list(rows), [100 * row[at] for row in rows.values()], yerr=errors, marker="o", markersize=3,
                      capsize=2, linewidth=1, color=color, linestyle=style, label=label)  # fmt: skip


def _three7(data: Data) -> list[str]:
    """Table 7 with three columns; the parts below say what is compared."""
    cells = [_cell7(seeded(data, f"table7{label} seed ")) for label in (PAPER_LABEL, "")]
    on = [data.get(name) for name in ("table7 removed paper", "table7 removed")]
    rows = [f"| both from nothing, mean of the seeds | 60.9 ± 0.7 of 5 x 500 | {' | '.join(cells)} |",
            f"| both from a trained network on, from which ABLN is removed | - | "
            f"{' | '.join(_of(one) if one else 'not measured yet' for one in on)} |"]  # fmt: skip
    return [
        *table("% of matches won by ABLN against no estimate | paper | `config=paper` here | `lite`", rows),
        "The paper's ± is the deviation of five tests of one training, ours a 95% interval.", "",
    ]  # fmt: skip


def _of(value: Data) -> str:
    return f"{percent(value)} of {value['matches']}"


def _cell7(ones: list[Data]) -> str:
    if len(ones) < 2:
        return f"{_of(ones[0])}, one seed" if ones else "not trained for it yet"
    mean, half, _ = mean_of_seeds(ones, "won")
    seeds = ", ".join(f"{100 * one['won']:.1f}" for one in ones)
    nothing = "; says nothing" if half > 0.5 else ""
    return f"{100 * mean:.1f} ± {100 * half:.1f} of {sum(one['matches'] for one in ones)} ({seeds} by seed{nothing})"


def mean_of_seeds(ones: list[Data], name: str) -> tuple[float, float, str]:
    """The mean of `won` or `points`, the larger of its two 95% half widths, and over what that is."""
    values = np.array([one[name] for one in ones])
    halves = {
        "the seeds, by Student's t": STUDENT[len(values) - 1] * values.std(ddof=1) / len(values) ** 0.5,
        "the matches": 1.96 * over_matches(ones, name),
    }
    over = max(halves, key=lambda key: halves[key])
    return float(values.mean()), float(halves[over]), over


def over_matches(ones: list[Data], name: str) -> float:
    """The standard error over matches; those with the same cards, seats swapped or of another seed, are one unit."""
    rows = [row for one in ones for row in one["rows"]]
    values = np.array([(1 + row[2]) / 2 if name == "won" else row[4] for row in rows])
    weights = np.array([1.0 if name == "won" else row[3] for row in rows])
    apart = np.bincount([row[0] for row in rows], weights=values - weights * values.sum() / weights.sum())
    return math.sqrt((apart**2).sum() * len(apart) / max(1, len(apart) - 1)) / float(weights.sum())


def table7(data: Data) -> list[str]:
    lines = ["## Tables 7 and 8: with ABLN against without", "", *_three7(data), *_three8(data)]
    for prefix, title, settings in SEEDED7:
        lines += seeds_table7(seeded(data, prefix), title, settings)
    for name, title, settings in TITLES7:
        if name in data:
            lines += one_table7(data[name], title, settings)
    return lines


def _three8(data: Data) -> list[str]:
    """Table 8 with three columns, all trained from nothing."""
    parts = [totals8(seeded(data, f"table7{label} seed ")) for label in (PAPER_LABEL, "")]
    columns = [("about 5000", *(f"{a} : {b}" for a, b in PAPER8)), *(_cells8(one) for one in parts)]
    names = ("rounds, an equal share of each seed", "cumulative score, with : without",
             "won by 3 / 2 / 1, % of rounds won, with : without")  # fmt: skip
    rows = [f"| {name} | {' | '.join(column[i] for column in columns)} |" for i, name in enumerate(names)]
    return table("table 8, both from nothing | paper | `config=paper` here | `lite`", rows)


def _cells8(totals: tuple[int, list[int], list[str]]) -> tuple[str, str, str]:
    rounds, scores, shares = totals
    return (str(rounds), f"{scores[0]} : {scores[1]}", " : ".join(shares)) if rounds else ("not played yet", "-", "-")


def differing(text: str) -> str:
    """The settings of a training that are not the paper's, and the paper's."""
    found = dict(re.findall(r"--set (\w+)=(\S+)", text))
    apart = [f"`{name}={found[name]}` (paper: {value})" for name, value in TRAINING_OF_THE_PAPER.items()
             if name in found and not _same(found[name], value)]  # fmt: skip
    return ", ".join(apart)


def _same(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other


def seeded(data: Data, prefix: str) -> list[Data]:
    """The results of a part by seed of the training."""
    names = sorted((name for name in data if name.startswith(prefix)), key=lambda name: int(name[len(prefix) :]))
    return [data[name] | {"training": name[len(prefix) :]} for name in names]


def seeds_table7(ones: list[Data], title: str, settings: str) -> list[str]:
    """A row for each seed of the training, and their mean."""
    if not ones:
        return []
    rows = [f"| {one['training']} | {percent(one)} | {one['matches']} | {one['points']:+.3f} ± "
            f"{1.96 * one['points_error']:.3f} |" for one in ones]  # fmt: skip
    text = re.sub(r"--set seed=\d+", "--set seed=SEED", ones[0]["command"])
    play = command("table7 --model WITH --without WITHOUT", ones[0], matches=ones[0]["matches"])
    apart = [f"Both differ from the paper's training in {differing(text)}.", ""] if "config=paper" in text else []
    return [
        f"**{title}** {play}, both models by", f"`{text}`,",
        f"the one without ABLN with `{settings}`. With: {ones[0]['with']}. Without: {ones[0]['without']}.", "", *apart,
        *table("seed of the training | % of matches won by ABLN | matches | points a round", rows + _mean7(ones)),
        *_over7(ones), "", *table8(ones),
    ]  # fmt: skip


def _mean7(ones: list[Data]) -> list[str]:
    """The mean over seeds with its interval; nothing for one seed."""
    if len(ones) < 2:
        return []
    won, half, _ = mean_of_seeds(ones, "won")
    points, points_half, _ = mean_of_seeds(ones, "points")
    cells = f"{100 * won:.1f} ± {100 * half:.1f} | {sum(one['matches'] for one in ones)}"
    return [f"| mean of {len(ones)} | {cells} | {points:+.3f} ± {points_half:.3f} |"]


def _over7(ones: list[Data]) -> list[str]:
    """What the intervals are over."""
    if len(ones) < 2:
        return ["One training: what another seed would give is not known."]
    won, points = (mean_of_seeds(ones, name)[2] for name in ("won", "points"))
    return [
        "Intervals of a seed are over its matches. That of the mean is the larger of two, over the matches of all "
        "seeds (the same cards being one unit)",
        f"and over the seeds (matches won: over {won}; points: over {points}).",
    ]


def one_table7(one: Data, title: str, settings: str) -> list[str]:
    low, high = (100 * (one["won"] + k * 1.96 * one["error"]) for k in (-1, 1))
    return [
        f"**{title}** "
        f"{command('table7 --model WITH --without WITHOUT', one, matches=one['matches'])},",
        "both models by", f"`{one['command']}`,",
        f"the one without ABLN with `{settings}`. With: {one['with']}. Without: {one['without']}.", "",
        f"With ABLN wins {100 * one['won']:.1f}% [{low:.1f}, {high:.1f}] of {one['matches']} "
        "matches; the paper has 60.9 ± 0.7.", "",
        *table8([one]),
    ]  # fmt: skip


def table8(ones: list[Data]) -> list[str]:
    """Scores of about 5000 rounds, and the shares of rounds won by 3, 2 and 1."""
    rounds, scores, shares = totals8(ones)
    return table(f"{rounds} rounds | with ABLN | without | paper: with | paper: without", [
        f"| cumulative score | {scores[0]} | {scores[1]} | {' | '.join(PAPER8[0])} |",
        f"| won by 3 / 2 / 1, % of rounds won | {' | '.join(shares)} | {' | '.join(PAPER8[1])} |",
    ])  # fmt: skip


def totals8(ones: list[Data]) -> tuple[int, list[int], list[str]]:
    """Rounds, scores and shares with ABLN and without, from equal shares of the first rounds of each training."""
    counts = sum((first_rounds(one, ROUNDS8 / len(ones)) for one in ones), np.zeros(7))
    sides = (counts[[6, 5, 4]], counts[[0, 1, 2]])
    scores = [int((side * np.array([3, 2, 1])).sum()) for side in sides]
    shares = [" / ".join(f"{100 * n / max(1, side.sum()):.1f}" for n in side) for side in sides]
    return int(counts.sum()), scores, shares


def first_rounds(one: Data, most: float) -> Any:
    """Rounds by score, -3 to 3, of the first matches that have so many."""
    counts = np.zeros(7)
    for row in one["rows"]:
        if counts.sum() >= most:
            break
        counts += np.array(row[5])
    return counts


def estimates(data: Data) -> list[str]:
    if "estimates" not in data:
        return []
    one = data["estimates"]
    keys = ("top1 jokers", "top1 level cards", "top1 wild cards", "bombs")
    rows = []
    for stage in STAGES:
        for name in ESTIMATES if stage in one["stages"] else ():
            q = one["stages"][stage][name]
            numbers = f"{q['mse']:.4f} | {q['log_loss']:.4f} | {q['calibration']:.4f}"
            shown = " | ".join(_number(q.get(key), 100, 1) for key in keys)
            rows.append(f"| {stage} | {name} | {q['positions']} | {numbers} | {shown} |")
    return [
        "## ABLN against counting", "",
        f"{command('estimates', one, positions=one['positions'])}: positions of its own rounds.", "",
        verdict(data), "",
        *table("stage | estimate | positions | MSE | log-loss | calibration gap | joker | level | wild | bomb", rows),
        "uniform: unseen copies shared evenly; counting: by hand sizes and the exchange, exactly "
        "consistent. Log-loss and",
        "calibration are of 'does this seat hold this card'. Joker, level, wild, bomb: how often (%) the seat with the",
        "highest estimate really holds one.", "", *_by_sort(one), *_by_turn(one),
    ]  # fmt: skip


def _number(value: float | None, scale: float, digits: int) -> str:
    return "-" if value is None or math.isnan(value) else f"{scale * value:.{digits}f}"


def _by_sort(one: Data) -> list[str]:
    """Log-loss by sort of card."""
    if "gains" not in one:
        return ["Log-loss by kind of card and by turn has not been measured with this network yet.", ""]
    rows = []
    for stage in STAGES:
        for name in ESTIMATES if stage in one["stages"] else ():
            q = one["stages"][stage][name]
            rows.append(f"| {stage} | {name} | {' | '.join(_number(q.get(f'log_loss {s}'), 1, 4) for s in SORTS)} |")
        gains = [_gain(one["gains"].get(stage, {}).get(sort)) for sort in SORTS]
        rows.append(f"| {stage} | {LOWER} | {' | '.join(gains)} |")
    return ["Log-loss by kind of card:", "", *table("stage | estimate | jokers | level | wild | others", rows)]


def _by_turn(one: Data) -> list[str]:
    """Log-loss by turn."""
    rows = []
    for turns in TURNS if "gains" in one else ():
        parts, gain = one["stages"].get(f"{TURN} {turns}"), one["gains"].get(f"{TURN} {turns}", {}).get("all")
        if parts:
            numbers = " | ".join(f"{parts[name]['log_loss']:.4f}" for name in ESTIMATES)
            rows.append(f"| {turns} | {parts['counting']['positions']} | {numbers} | {_gain(gain)} |")
    columns = f"plays before | positions | {' | '.join(ESTIMATES)} | {LOWER}"
    return ["Log-loss by turn, plays of all seats before the position:", "", *table(columns, rows)] if rows else []


def _gain(gain: Sequence[float] | None) -> str:
    return f"{gain[1]:+.4f} ± {1.96 * gain[2]:.4f}" if gain else "-"


def verdict(data: Data) -> str:
    """Where ABLN's estimate is better than exact counting, where not, and whether it pays in matches."""
    one = data["estimates"]
    better, level, worse = _by_gains(one["gains"]) if "gains" in one else _by_stages(one["stages"])
    parts = {"better than exact counting": better, "worse": worse, "not shown to differ": level}
    said = "; ".join(f"{text} {_in_words(names)}" for text, names in parts.items() if names)
    return f"**By log-loss the estimate of ABLN, made consistent, is {said}. {_pays(data)}**"


def _by_gains(gains: Data) -> tuple[Names, Names, Names]:
    """Sorts of cards and turns where the log-loss of ABLN is lower, level and higher, by 95% intervals."""
    named = [("for", sort, gains["all"].get(sort)) for sort in SORTS]
    named += [("in turns", turns, gains.get(f"{TURN} {turns}", {}).get("all")) for turns in TURNS]
    sides: tuple[Names, Names, Names] = ([], [], [])
    for head, name, gain in named:
        if gain:
            sides[1 - (gain[1] > 1.96 * gain[2]) + (gain[1] < -1.96 * gain[2])].append((head, name))
    return sides


def _by_stages(stages: Data) -> tuple[Names, Names, Names]:
    """The same by stages, of results without intervals."""
    losses = {("in the stages", stage): [stages[stage][name]["log_loss"] for name in ("abln, consistent", "counting")]
              for stage in STAGES[1:] if stage in stages}  # fmt: skip
    lower = [name for name, (abln, counting) in losses.items() if abln < counting]
    return lower, [], [name for name in losses if name not in lower]


def _in_words(names: Names) -> str:
    heads = list(dict.fromkeys(head for head, _ in names))
    return ", and ".join(f"{head} {_listed([name for one, name in names if one == head])}" for head in heads)


def _listed(names: list[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _pays(data: Data) -> str:
    """Whether ABLN wins matches against exact counting in its place."""
    said = []
    if "table7 removed counting" in data:
        one = data["table7 removed counting"]
        said.append(f"{_of(one)} from the network of 0.1 on, {_judged(one['won'], 1.96 * one['error'])}")
    ones = seeded(data, "table7 counting seed ")
    if len(ones) > 1:
        mean, half, _ = mean_of_seeds(ones, "won")
        matches = sum(one["matches"] for one in ones)
        share = f"{100 * mean:.1f} ± {100 * half:.1f}"
        said.append(f"{share} of {matches} from nothing, {_judged(mean, half)}")
    if not said:
        return "Whether it pays in matches against exact counting has not been measured yet."
    return f"In matches against exact counting in its place ABLN wins (%) {'; '.join(said)}."


def _judged(won: float, half: float) -> str:
    if abs(won - 0.5) <= half:
        return "so that it pays is not shown"
    return "so it pays" if won > 0.5 else "so it does not pay"


def network(data: Data) -> list[str]:
    if "differs" not in data:
        return []
    one = data["differs"]
    share = f"{100 * one['differs']:.1f}% of {one['decisions']} decisions with a choice"
    lines = ["## The network is what plays", "", f"Its pseudo-action differs from rule4's in {share}."]
    for bot in ("rule1", "rule4"):
        value = data.get(f"uniform {bot}")
        if value:
            won = f"{percent(value)}% of {value['matches']} matches"
            lines.append(f"With uniform pseudo-actions in its place the same minimiser wins {won} against {bot}.")
    return [*lines, "", command("network", one, matches=one["matches"]), ""]


def weights(data: Data) -> list[str]:
    if "weights" not in data:
        return []
    one = data["weights"]
    rows = [f"| {name} | {base:g} | {w:.2f} |"
            for name, base, w in zip(one["rules"], knowledge().weights, one["fitted"], strict=True)]  # fmt: skip
    gain = f"{one['points_a_round']:+.3f} ± {1.96 * one['error']:.3f} points a round"
    return [
        "## Soft rules: weights fitted to results", "",
        command("knowledge", one, comparisons=one["comparisons"], matches=one["matches"]), "",
        *table("rule | by hand | fitted", rows),
        f"Fitted minus by hand, the network against rule4 on the same {one['matches']} matches: {gain}.", "",
    ]  # fmt: skip


def exchange(data: Data) -> list[str]:
    if "exchange" not in data:
        return []
    one = data["exchange"]
    gain = f"{one['points_a_round']:+.3f} ± {1.96 * one['error']:.3f} points a round"
    return [
        "## Tribute and return", "",
        "Cards valued by the critic and the plan in eight worlds (a setting, `gifts=8`, that is gone) minus the plan",
        f"alone, against rule4 on the same {one['matches']} matches: {gain}.", "",
    ]  # fmt: skip


def speed(data: Data) -> list[str]:
    if "speed" not in data:
        return []
    one = data["speed"]
    rows = [f"| `{spec}` | {one[spec]['decisions']} | {one[spec]['mean_ms']} | {one[spec]['max_ms']} |"
            for spec in SPEED_SPECS if spec in one]  # fmt: skip
    return [
        "## Speed, one core", "", "`python experiments/abduction_tables.py speed`", "",
        f"Batched self-play of `ablgd`: {one['batched_per_cpu_second']} decisions a second of processor time.",
        "Single decisions at the positions of rounds of rule4, processor time:", "",
        *table("agent | decisions | mean, ms | longest, ms", rows),
    ]  # fmt: skip


def curve() -> list[str]:
    """The learning curve of the shipped model, from its run.json."""
    about = json.loads(RUN.read_text(encoding="utf-8"))
    lines = [line for line in about["metrics"] if "won_rule4" in line]
    if not lines:
        return sampled_curve(about["metrics"])
    draw(
        {f"against {bot}": [(line["decisions"], line[f"points_{bot}"]) for line in lines] for bot in ("rule3", "rule4")}
    )
    rows = []
    for line in lines:
        rule3 = f"{100 * line['won_rule3']:.0f} | {line['points_rule3']:+.2f}"
        rule4 = f"{100 * line['won_rule4']:.0f} | {line['points_rule4']:+.2f}"
        minutes = f"{line['cpu_seconds'] / 60:.1f} | {line['seconds'] / 60:.1f}"
        phase = PHASES[int(line["phase"])]
        rows.append(f"| {line['decisions'] / 1e6:.2f} | {phase} | {minutes} | {rule3} | {rule4} |")
    columns = (
        "million decisions | phase | processor minutes | minutes by the clock | % of matches to rule3 | points | "
        "% of matches to rule4 | points"
    )
    return [
        "## Learning curve of the shipped model", "", "![learning curve](abduction_curve.svg)", "",
        "`python experiments/abduction_train.py --run runs/ablgd --ship models`: all stages; it says what differed.",
        "",
        "Averaged weights, most likely pseudo-action, 40 to 120 matches at each point, 200 to 500 from 5 million on "
        "(standard error",
        "2 to 8% of matches). From 4.27 million on options have marks. Other work ran on the machine, so the clock "
        "ran two to three times",
        "as fast as the processor time.",
        "", *table(columns, rows), *extrapolation(lines), "",
    ]  # fmt: skip


def sampled_curve(metrics: list[Data]) -> list[str]:
    """The same of a run that played no matches on its way: its sampled rounds at the tables with rule4."""
    lines = [line for line in metrics if "points_to_rule4" in line]
    if not lines:
        return []
    points = [(part[-1], float(np.mean([line["points_to_rule4"] for line in part])))
              for part in (lines[i : i + SAMPLED_STEP] for i in range(0, len(lines), SAMPLED_STEP))]  # fmt: skip
    draw({"against rule4, as sampled": [(line["decisions"], mean) for line, mean in points]})
    rows = [f"| {line['decisions'] / 1e6:.2f} | {PHASES[int(line['phase'])]} | {line['cpu_seconds'] / 60:.1f} | "
            f"{mean:+.2f} |" for line, mean in points]  # fmt: skip
    return [
        "## Learning curve of the shipped model", "", "![learning curve](abduction_curve.svg)", "",
        "Expert iteration from the network of 0.1 on. No matches were played on the way. Points a round of its sampled "
        f"play at the tables against bots, most of them rule4, means of {SAMPLED_STEP} updates that its run.json has.",
        "", *table("million decisions | phase | processor minutes | points to rule4", rows),
    ]  # fmt: skip


def paper_curve(data: Data) -> list[str]:
    """How the network of the paper's sizes learned so far, from its run.json."""
    about = json.loads(RUN.parents[1].joinpath(PAPER_MODEL, "run.json").read_text(encoding="utf-8"))
    lines, weights = about["metrics"], sum(array.size for array in Model(folder_of(PAPER_MODEL)).weights().values())
    strengths = strengths_of(data, lines)
    draw_paper(lines, strengths)
    ends = [i for i, (line, after) in enumerate(itertools.pairwise(lines)) if line["phase"] != after["phase"]]
    measured = [i for i, line in enumerate(lines) if line["decisions"] in strengths]
    shown = sorted({*range(0, len(lines), CURVE_STEP), *ends, *measured, len(lines) - 1})
    return [
        "## Learning curve of the paper's network", "", "![its learning curve](abduction_paper_curve.svg)", "",
        "Random play, the games of rule4, then its own (PPO); the commands of its sittings are in `NOTES.md`.",
        "ABLN's error rises where the rounds of random play have ended: those of rule4 hide more cards (counting 0.2).",
        "From 561,975 decisions on it counts twenty times in the loss, and minibatches are of 64 instead of 256.",
        "PPO imitates nobody: what it brings is shown by % of matches won, where the network was played (those of 60",
        f"on other cards than table 5). {weights / 1e6:.1f} million weights. One update of {CURVE_STEP}, the last of "
        "each phase, and where it was played.", "",
        *table("decisions | phase | processor minutes | agreement with rule4, % | ABLN's squared error | "
               "matches won", [_paper_row(lines[i], strengths) for i in shown]),
    ]  # fmt: skip


def _paper_row(line: Data, strengths: Strengths) -> str:
    agreement = f"{100 * line['agreement']:.1f}" if "agreement" in line else "-"
    minutes, phase = line["cpu_seconds"] / 60, PHASES[int(line["phase"])]
    won = ", ".join(f"{bot} {share:g}% of {n}" for bot, (share, n) in strengths.get(line["decisions"], {}).items())
    return f"| {line['decisions']} | {phase} | {minutes:.1f} | {agreement} | {line['abln']:.3f} | {won or '-'} |"


def strengths_of(data: Data, lines: list[Data]) -> Strengths:
    """What is known of the way, and table 5 for what is shipped."""
    parts = {bot: data.get(f"table5{PAPER_LABEL} {bot}") for bot in BOTS}
    today = {bot: (100 * one["won"], one["matches"]) for bot, one in parts.items() if one}
    passed = {line["decisions"] for line in lines}
    known = {decisions: won for decisions, won in STRENGTHS.items() if decisions in passed}
    return known | ({lines[-1]["decisions"]: today} if today else {})


def draw_paper(lines: list[Data], strengths: Strengths) -> None:
    """Matches won by the paper's network and its agreement with rule4, against decisions."""
    figure, axes = svg_pyplot().subplots(figsize=(6, 3.4))
    imitated = [line for line in lines if "agreement" in line]
    steps = [line["decisions"] / 1e6 for line in imitated]
    axes.plot(steps, [100 * line["agreement"] for line in imitated], color="grey", label="agreement with rule4")
    for bot in ("rule1", "rule2"):
        points = [(decisions / 1e6, won[bot][0]) for decisions, won in sorted(strengths.items()) if bot in won]
        if points:
            axes.plot(*zip(*points, strict=True), marker="o", label=f"matches won against {bot}")
    axes.set_xlabel("million decisions")
    axes.set_ylabel("%")
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(RESULTS / "abduction_paper_curve.svg", metadata={"Date": None})


def draw(series: dict[str, list[tuple[int, float]]]) -> None:
    """Points a round against decisions."""
    pyplot = svg_pyplot()
    figure, axes = pyplot.subplots(figsize=(6, 3.4))
    for label, points in series.items():
        axes.plot([x / 1e6 for x, _ in points], [y for _, y in points], marker="o", label=label)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set_xlabel("million decisions")
    axes.set_ylabel("points a round")
    axes.legend()
    figure.tight_layout()
    figure.savefig(RESULTS / "abduction_curve.svg", metadata={"Date": None})


def extrapolation(lines: list[Data]) -> list[str]:
    """Points against rule4 as a line in the logarithm of the decisions, carried to the paper's 4e8."""
    learned = [line for line in lines if PHASES[int(line["phase"])] in ("search", "ppo")]
    if len(learned) < 3:
        return []
    x = np.log2([line["decisions"] for line in learned])
    y = np.array([line["points_rule4"] for line in learned])
    slope, start = np.polyfit(x, y, 1)
    spread = math.sqrt(((y - start - slope * x) ** 2).sum() / (len(x) - 2) / ((x - x.mean()) ** 2).sum())
    goal = start + slope * math.log2(PAPER_DECISIONS)
    return [
        f"A line in the logarithm of the decisions, after the imitation of rule4, gives {slope:+.3f} ± "
        f"{1.96 * spread:.3f} points a round for each",
        f"doubling. At the paper's 4e8 decisions it would stand at {goal:+.2f} points against "
        "rule4 (the most is +3), if it",
        "stayed a line, which no curve of this kind does over so many doublings.",
    ]  # fmt: skip


def main() -> None:
    data: Data = json.loads((RESULTS / "abduction.json").read_text(encoding="utf-8"))
    lines = [
        "# ABL-GD: results",
        "",
        "Duplicate matches under `huaian2017`; ± is a 95% interval over pairs of matches.",
        "",
    ]
    for section in (table5, searching, plans, table6, table7, estimates, network, weights, exchange, speed):
        lines += section(data)
    lines += curve() + paper_curve(data)
    text = "\n".join(lines).rstrip() + "\n"
    (RESULTS / "abduction.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    as_script(main)
