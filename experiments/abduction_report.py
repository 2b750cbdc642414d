"""Makes experiments/results/abduction.md and abduction_curve.svg from the results of abduction_tables.py.

python experiments/abduction_report.py
"""

import itertools
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
from pictures import svg_pyplot
from script import as_script

from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.abduction.runtime import PAPER_MODEL, SHIPPED
from mingpai.models.loader import Model, folder_of

RESULTS = Path(__file__).parent / "results"
RUN = Path(__file__).parents[1] / "mingpai" / "models" / SHIPPED / "run.json"
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
PAPER_LABEL = " paper"
"""In the names of results of the paper's network."""
AGENTS = (("ablgd", ""), ("ablgd:preset=paper", PAPER_LABEL))
ROUNDS8 = 5000
BLIND7 = (
    "From nothing (`python experiments/abduction_seeds.py`); with ABLN, what options say of other hands follows from "
    "its estimate alone (`blind`). "
)
WENT_ON7 = "From the shipped network on (`python experiments/abduction_removed.py`), shipped configuration. "
TITLES7 = (
    ("table7 plain", "Configuration `plain`: no options with facts.", "--set abln=false"),
    ("table7 removed", WENT_ON7 + "Without: no estimate of the hidden hands at all, as in the paper: ABLN and all "
     "counting of options removed; it begins weaker and has to make good what it lost.",
     "--set abln=false --set blind=true"),
    ("table7 removed counting", WENT_ON7 + "Without: exact counting in ABLN's place; only ABLN is removed.",
     "--set abln=false"),
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
STUDENT = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}
"""Standard errors on each side of a 95% interval by degrees of freedom."""
PAPER_DECISIONS = 4e8
PHASES = ("random play", "rule4", "ppo", "search", "critic")
"""As `mingpai.methods.abduction.train` numbers them."""

Data = dict[str, Any]


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
        *table("against (paper / here) | paper | `config=paper` here | `lite` (`ablgd`)", _three5(data)),
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
    won = f"{percent(one)}% of {one['matches']} matches, {one['points']:+.3f} points a round"
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
    one, papers = data["table6"], data.get(f"table6{PAPER_LABEL}")
    rows = []
    for name in (*PAPER6, "all"):
        count, action, score = one["stages"][name]
        ours = papers["stages"][name][1:] if papers else None
        cells = [f"{value:g}" for value in PAPER6[name]] if name in PAPER6 else ["-", "-"]
        cells += [f"{100 * value:.1f}" for value in ours] if ours else ["-", "-"]
        rows.append(f"| {name} | {count} | {' | '.join(cells)} | {100 * action:.1f} | {100 * score:.1f} |")
    commands = [command("table6", one, rounds=one["rounds"])]
    if papers:
        commands.append(command(f"table6{options_of(PAPER_LABEL)}", papers, rounds=papers["rounds"]))
    return [
        "## Table 6: agreement with recorded play", "", *[f"- {text}" for text in commands], "",
        "Recorded are rounds of other players than the network: rule4 at all seats, and rule3 against it. The paper's",
        "are those of people. Plays with more than one pseudo-action; agreement is the same type and rank.", "",
        *table("plays before the end | decisions | paper: action % | paper: score % | `config=paper`: action % | "
               "`config=paper`: score % | `lite`: action % | `lite`: score %", rows),
    ]  # fmt: skip


def _three7(data: Data) -> list[str]:
    """Table 7 with three columns; the parts below say what `lite` compares, and have table 8."""
    ours = [data[name] for name, _, _ in TITLES7 if name in data]
    best = f"{percent(ours[0])} of {ours[0]['matches']}" if ours else "-"
    papers = seeded(data, f"table7{PAPER_LABEL} seed ")
    seeds = ", ".join(f"{100 * one['won']:.1f}" for one in papers)
    cell = f"{seeds} of {papers[0]['matches']} each, by seed" if papers else "not trained for it yet"
    return table("% of matches won by ABLN | paper | `config=paper` here | `lite`, first part below",
                 [f"| against none | 60.9 ± 0.7 of 5 x 500 | {cell} | {best} |"])  # fmt: skip


def table7(data: Data) -> list[str]:
    lines = ["## Tables 7 and 8: with ABLN against without", "", *_three7(data)]
    for name, title, settings in TITLES7:
        if name in data:
            lines += one_table7(data[name], title, settings)
    for prefix, title, settings in SEEDED7:
        lines += seeds_table7(seeded(data, prefix), title, settings)
    return lines


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
    return [
        f"**{title}** {play}, both models by", f"`{text}`,",
        f"the one without ABLN with `{settings}`. With: {ones[0]['with']}. Without: {ones[0]['without']}.", "",
        *table("seed of the training | % of matches won by ABLN | matches | points a round", rows + _mean7(ones)),
        "Intervals of a seed are over its matches; that of the mean is over the seeds, by Student's t." if len(ones) > 1
        else "One training: what another seed would give is not known.", "",
        *table8({"rows": [row for one in ones for row in one["rows"]]}),
    ]  # fmt: skip


def _mean7(ones: list[Data]) -> list[str]:
    """The mean over seeds with its interval; nothing for one seed."""
    if len(ones) < 2:
        return []
    cells = []
    for name, scale, form in (("won", 100, "{:.1f} ± {:.1f}"), ("points", 1, "{:+.3f} ± {:.3f}")):
        values = np.array([one[name] for one in ones])
        error = STUDENT[len(values) - 1] * values.std(ddof=1) / len(values) ** 0.5
        cells.append(form.format(scale * values.mean(), scale * error))
    return [f"| mean of {len(ones)} | {cells[0]} | {sum(one['matches'] for one in ones)} | {cells[1]} |"]


def one_table7(one: Data, title: str, settings: str) -> list[str]:
    low, high = (100 * (one["won"] + k * 1.96 * one["error"]) for k in (-1, 1))
    return [
        f"**{title}** "
        f"{command('table7 --model WITH --without WITHOUT', one, matches=one['matches'])},",
        "both models by", f"`{one['command']}`,",
        f"the one without ABLN with `{settings}`. With: {one['with']}. Without: {one['without']}.", "",
        f"With ABLN wins {100 * one['won']:.1f}% [{low:.1f}, {high:.1f}] of {one['matches']} "
        "matches; the paper has 60.9 ± 0.7.", "",
        *table8(one),
    ]  # fmt: skip


def table8(one: Data) -> list[str]:
    """Scores of the first 5000 rounds, and the shares of rounds won by 3, 2 and 1."""
    counts, rounds = np.zeros(7), 0
    for row in one["rows"]:
        counts += np.array(row[5])
        rounds += row[3]
        if rounds >= ROUNDS8:
            break
    wins, losses = counts[[6, 5, 4]], counts[[0, 1, 2]]
    scores = [int((side * np.array([3, 2, 1])).sum()) for side in (wins, losses)]
    shares = [" / ".join(f"{100 * n / max(1, side.sum()):.1f}" for n in side) for side in (wins, losses)]
    return table(f"{rounds} rounds | with ABLN | without | paper: with | paper: without", [
        f"| cumulative score | {scores[0]} | {scores[1]} | 5181 | 4441 |",
        f"| won by 3 / 2 / 1, % of rounds won | {shares[0]} | {shares[1]} | 40.3 / 27.5 / 32.2 | 18.6 / 39.7 / 41.7 |",
    ])  # fmt: skip


def estimates(data: Data) -> list[str]:
    if "estimates" not in data:
        return []
    one = data["estimates"]
    keys = ("top1 jokers", "top1 level cards", "top1 wild cards", "bombs")
    rows = []
    for stage in ("all", "early", "middle", "late"):
        for name in ("uniform", "counting", "abln", "abln, consistent"):
            q = one["stages"][stage][name]
            shown = " | ".join("-" if math.isnan(q.get(k, math.nan)) else f"{100 * q[k]:.1f}" for k in keys)
            numbers = f"{q['mse']:.4f} | {q['log_loss']:.4f} | {q['calibration']:.4f}"
            rows.append(f"| {stage} | {name} | {q['positions']} | {numbers} | {shown} |")
    return [
        "## ABLN against counting", "",
        f"{command('estimates', one, positions=one['positions'])}: positions of its own rounds.", "",
        *table("stage | estimate | positions | MSE | log-loss | calibration gap | joker | level | wild | bomb", rows),
        "uniform: unseen copies shared evenly; counting: by hand sizes and the exchange, exactly "
        "consistent. Log-loss and",
        "calibration are of 'does this seat hold this card'. Joker, level, wild, bomb: how often (%) the seat with the",
        "highest estimate really holds one.", "",
    ]  # fmt: skip


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
    alone, strong = one["ablgd"], one["ablgd:preset=strong"]
    return [
        "## Speed, one core", "", "`python experiments/abduction_tables.py speed`", "",
        f"Batched self-play of `lite`: {one['batched_per_cpu_second']} decisions a second of processor time.",
        f"A single decision: {alone['mean_ms']} ms (worst {alone['max_ms']}); `strong`: "
        f"{strong['mean_ms']} ms (worst {strong['max_ms']}).",
        "",
    ]  # fmt: skip


def curve() -> list[str]:
    """The learning curve of the shipped model, from its run.json."""
    about = json.loads(RUN.read_text(encoding="utf-8"))
    lines = [line for line in about["metrics"] if "won_rule4" in line]
    if not lines:
        return []
    draw(lines)
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


def paper_curve() -> list[str]:
    """How the network of the paper's sizes learned so far, from its run.json."""
    about = json.loads(RUN.parents[1].joinpath(PAPER_MODEL, "run.json").read_text(encoding="utf-8"))
    lines, weights = about["metrics"], sum(array.size for array in Model(folder_of(PAPER_MODEL)).weights().values())
    ends = [i for i, (line, after) in enumerate(itertools.pairwise(lines)) if line["phase"] != after["phase"]]
    rows = []
    for i in sorted({*range(0, len(lines), CURVE_STEP), *ends, len(lines) - 1}):
        line = lines[i]
        agreement = f"{100 * line['agreement']:.1f}" if "agreement" in line else "-"
        minutes, phase = line["cpu_seconds"] / 60, PHASES[int(line["phase"])]
        rows.append(f"| {line['decisions']} | {phase} | {minutes:.1f} | {agreement} | {line['abln']:.3f} |")
    return [
        "## Learning curve of the paper's network", "",
        "Random play, the games of rule4, then its own (PPO); `NOTES.md` of the method has the command that goes on.",
        "ABLN's error rises where the rounds of random play have ended: those of rule4 hide more cards (counting 0.2).",
        "From 561,975 decisions on it counts twenty times in the loss, and minibatches are of 64 instead of 256.",
        f"{weights / 1e6:.1f} million weights. One update of {CURVE_STEP}, and the last of each phase.", "",
        *table("decisions | phase | processor minutes | agreement with rule4, % | ABLN's squared error", rows),
    ]  # fmt: skip


def draw(lines: list[Data]) -> None:
    pyplot = svg_pyplot()
    figure, axes = pyplot.subplots(figsize=(6, 3.4))
    for bot in ("rule3", "rule4"):
        steps = [line["decisions"] / 1e6 for line in lines]
        axes.plot(steps, [line[f"points_{bot}"] for line in lines], marker="o", label=f"against {bot}")
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
    lines += curve() + paper_curve()
    text = "\n".join(lines).rstrip() + "\n"
    (RESULTS / "abduction.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    as_script(main)
