"""ABL-GD (paper 002): tables 5 to 8, ABLN's estimates, what the network and the rules are worth, speed, learning curve.

    python experiments/abduction_tables.py PART [--matches N] [--seed S] [--minutes M] [--model NAME|PATH]

Parts: table5, strong, table6 (also figure 5; with --records FILE on rounds of your own, JSON Lines as the app and
`mingpai match --records` write them), table7 (with --without PATH, a model trained without ABLN; also for table 8),
estimates, network, knowledge, plans, search, speed. Every match is played twice with the seats swapped and the same
cards round by round; intervals are 95% and take such a pair as the unit. A part prints what it will cost, works in
chunks of some pairs, saves after each, and goes on where it stopped when run again, if the networks are still the same.
Results are in experiments/results/abduction.json;
`python experiments/abduction_report.py` makes abduction.md and its pictures of them.
"""

import argparse
import functools
import json
import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from abduction_fit import comparisons, fitted
from kept import Kept
from script import as_script

from mingpai._native import abduction
from mingpai._native.abduction import Tables, Worlds
from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.table import AnyAgent, play_deal
from mingpai.core.errors import MingpaiError
from mingpai.core.game import View
from mingpai.core.random import seed_of
from mingpai.games.guandan import GAME
from mingpai.games.guandan.view import GuandanView
from mingpai.methods.abduction.agent import AblgdAgent
from mingpai.methods.abduction.belief import EstimateBelief
from mingpai.methods.abduction.duel import (
    Chooser,
    network_chooser,
    play_matches,
    search_chooser,
    strength,
    uniform_chooser,
    waiting_rows,
)
from mingpai.methods.abduction.estimates import Compared, Gain, Position, Quality, compare, position
from mingpai.methods.abduction.knowledge import RULE_NAMES, knowledge
from mingpai.methods.abduction.runtime import JUDGE, SHIPPED, Runtime
from mingpai.methods.abduction.search import (
    SearchPlan,
    candidates,
    play_out,
    runtime_choices,
    runtime_values,
    valued,
)
from mingpai.methods.abduction.story import Agreement, by_stage, evaluate
from mingpai.models.card import NETWORK as NETWORK_FILE
from mingpai.models.card import read_card
from mingpai.models.loader import folder_of
from mingpai.records.jsonl import read_records
from mingpai.records.record import Record

KEPT = Kept(Path(__file__).parent / "results" / "abduction.json")
BOTS = ("random", "rule1", "rule2", "rule3", "rule4")
NETWORK = abduction.NETWORK
CHUNK_PAIRS = 250
BLIND = "--set blind=True"
"""In the command of a model whose options count no cards."""
NO_ABLN = "--set abln=False"
"""In the command of a model without ABLN."""
WENT_ON = "--set imitate=0"
"""In the command of a model that started from the shipped network."""
PLAN_DEPTHS = (4, 12, 0)
"""Decisions before the judge values a play-out; 0: the end of the round."""
FROZEN = f"ablgd:model={Path(__file__).parent / 'frozen' / 'guandan-ablgd'}"
"""An older network, which stays as it is whatever is shipped."""
TABLE6_SEATS = {
    "": (("rule4", "rule4"), ("rule3", "rule4"), ("rule4", "rule3")),
    " older": ((FROZEN, FROZEN),),
}
"""Recorded rounds of table 6, by what their name in the results ends with: who sits at even and odd seats, in turn."""
SPEED_ROUNDS = 5
SPEED_SPECS = ("ablgd", "ablgd:preset=paper", "ablgd:preset=strong")
COMPARED = ("abln, consistent", "counting")
"""Estimators whose log-losses are compared position by position."""
PLAN_PRIORS = (0.05, 0.1, 0.2, 0.3, 0.5)


class Stored:
    """A finished match as it is kept: only what `strength` reads."""

    def __init__(self, pair: int, swapped: bool, result: int, rounds: int, points: int, by_score: list[int]) -> None:
        self.pair, self.swapped, self.score = pair, swapped, self
        self.result, self.rounds, self.points, self.by_score = result, rounds, points, by_score


def duel(
    name: str, options: argparse.Namespace, choosers: list[Chooser], players: tuple[int, int], *, pairs: int,
    about: dict[str, Any], weights: Sequence[float] | None = None,
    chunk: int = CHUNK_PAIRS, judge: bool = False, blind: int = 0,
) -> dict[str, Any]:  # fmt: skip
    """Matches in chunks; goes on from what is stored under the name, if it is of the same players."""
    kept = KEPT.load().get(name, {})
    about = json.loads(json.dumps(about | {"seed": options.seed, "networks": checksums(options, judge)}))
    rows: list[list[Any]] = kept["rows"] if about.items() <= kept.items() else []
    seconds = kept.get("cpu_seconds", 0.0) if rows else 0.0
    deadline = time.monotonic() + 60 * options.minutes
    while len(rows) < 2 * pairs and time.monotonic() < deadline:
        first, count = len(rows) // 2, min(chunk, pairs - len(rows) // 2)
        start = time.process_time()
        played = play_matches(choosers, players, count, options.seed, first=first, weights=weights, blind=blind)
        for one in played:
            s = one.score
            rows.append([one.pair, one.swapped, s.result, s.rounds, s.points, list(s.by_score)])
        seconds += time.process_time() - start
        result = strength([Stored(*row) for row in rows])  # type: ignore[misc]
        value = {**about, "cpu_seconds": round(seconds, 1), **result.to_json(), "rows": rows}
        KEPT.save(name, value)
        low, high = result.interval()
        print(
            f"{name}: {len(rows)} matches, {result.won:.1%} [{low:.1%}, {high:.1%}], points {result.points:+.3f}",
            flush=True,
        )
    stored: dict[str, Any] = KEPT.load()[name]
    return stored


def checksums(options: argparse.Namespace, judge: bool) -> list[str]:
    """Which networks play, with or without the judge: the beginnings of their checksums."""
    named = [options.model, *([options.critic] if judge else []), *([options.without] if options.without else [])]
    return [read_card(folder_of(name)).files[NETWORK_FILE][:12] for name in named]


def runtime_of(options: argparse.Namespace, judge: str | None = None) -> Runtime:
    return Runtime(options.model, knowledge(), judge)


# --- the parts --------------------------------------------------------------------------------------------------------


def table5(options: argparse.Namespace) -> None:
    bots = [bot for bot in BOTS if options.against in ("", bot)]
    print(f"about {0.1 * options.matches * len(bots) / 60:.1f} processor minutes")
    for bot in bots:
        against(options, bot, f"table5{options.label} {bot}", None)


def against(options: argparse.Namespace, bot: str, name: str, weights: Sequence[float] | None) -> dict[str, Any]:
    """The network against a bot."""
    choosers, about = [network_chooser(runtime_of(options))], {"against": bot, "weights": weights}
    return duel(name, options, choosers, (NETWORK, BOTS.index(bot)), pairs=options.matches // 2, about=about,
                weights=weights)  # fmt: skip


def player(preset: str = "") -> AblgdAgent:
    """The agent, for its settings."""
    made = REGISTRY.agent("guandan", "ablgd" + preset)
    assert isinstance(made, AblgdAgent)
    return made


def paired(one: dict[str, Any], other: dict[str, Any]) -> tuple[float, float, int]:
    """Points a round of the first above the second on the same matches, the standard error, and the matches."""
    pairs = min(len(one["rows"]), len(other["rows"])) // 2
    points, rounds = (
        [np.array([row[column] for row in value["rows"][: 2 * pairs]], float).reshape(-1, 2).sum(1)
         for value in (one, other)]
        for column in (4, 3)
    )  # fmt: skip
    means = [float(p.sum() / r.sum()) for p, r in zip(points, rounds, strict=True)]
    apart = [(p - m * r) / r.mean() for p, m, r in zip(points, means, rounds, strict=True)]
    error = float((apart[0] - apart[1]).std(ddof=1) / math.sqrt(pairs))
    return means[0] - means[1], error, 2 * pairs


def strong(options: argparse.Namespace) -> None:
    print(f"about {14 * options.matches / 60:.0f} processor minutes")
    runtime, plan = runtime_of(options, options.critic), changed(player(":preset=strong").plan, options.plan)
    choose = search_chooser(runtime, plan, options.seed)
    duel(f"strong rule4{options.plan}", options, [choose], (NETWORK, 4), pairs=options.matches // 2, chunk=16,
         about={"against": "rule4", "plan": asdict(plan)}, judge=True)  # fmt: skip


def changed(plan: SearchPlan, text: str) -> SearchPlan:
    """The plan with other settings, as worlds=64,depth=6; those of the reader are plays, trust and pool."""
    for name, value in (one.split("=") for one in text.split(",") if one):
        part: Any = plan.reader if hasattr(plan.reader, name) else plan
        new = replace(part, **{name: type(getattr(part, name))(value)})
        plan = replace(plan, reader=new) if part is plan.reader else new
    return plan


def search_part(options: argparse.Namespace) -> None:
    """The search against the network alone."""
    print(f"about {14 * options.matches / 60:.0f} processor minutes")
    runtime, plan = runtime_of(options, options.critic), changed(player(":preset=strong").plan, options.plan)
    choosers = [search_chooser(runtime, plan, options.seed), network_chooser(runtime)]
    duel(f"search network{options.plan}", options, choosers, (NETWORK, NETWORK + 1), pairs=options.matches // 2,
         chunk=8, about={"against": "ablgd", "plan": asdict(plan)}, judge=True)  # fmt: skip


def table7(options: argparse.Namespace) -> None:
    """With ABLN against without; the same matches give table 8. What was trained with blind=true plays so too."""
    if not options.without:
        raise SystemExit("table7 needs --without PATH: a model trained with --set abln=false, equal steps and seed")
    print(f"about {0.06 * options.matches / 60:.1f} processor minutes")
    with_, without = Runtime(options.model, knowledge()), Runtime(options.without, knowledge())
    about = {"with": with_.model.card.data, "without": without.model.card.data, "command": with_.model.card.command}
    commands = [one.model.card.command for one in (with_, without)]
    blind = [BLIND in command for command in commands]
    choosers = [
        network_chooser(one, informs=BLIND in command and NO_ABLN not in command)
        for one, command in zip((with_, without), commands, strict=True)
    ]
    name = name7(about["command"], blind[1])
    duel(name, options, choosers, (NETWORK, NETWORK + 1), pairs=options.matches // 2, about=about,
         blind=sum(1 << i for i, one in enumerate(blind) if one))  # fmt: skip


def name7(command: str, blind: bool) -> str:
    """Under which name matches of table 7 are kept: what was trained how, from nothing with its seed."""
    if "config=plain" in command:
        return "table7 plain"
    if WENT_ON in command and "config=paper" in command:
        return "table7 removed paper"
    if WENT_ON in command:
        return "table7 removed" if blind else "table7 removed counting"
    found = re.search(r"--set seed=(\d+)", command)
    config = " paper" if "config=paper" in command else "" if blind else " counting"
    return f"table7{config} seed {found[1] if found else 0}"


def table6(options: argparse.Namespace) -> None:
    """Agreement with rounds of other players: the rule bots, an older network, or those of a file."""
    if options.records:
        read = list(recorded(options.records))
        agree(options, f"table6{options.label} records", read, {"file": options.records.name})
        return
    print(f"about {0.2 * options.rounds / 60:.1f} processor minutes")
    deadline = time.monotonic() + 60 * options.minutes
    for ending, seats in TABLE6_SEATS.items():
        played = list(rounds6(seats, options, deadline))
        agree(options, f"table6{options.label}{ending}", played, {"seed": options.seed})


def rounds6(seats: Sequence[tuple[str, str]], options: argparse.Namespace, deadline: float) -> Iterator[Record]:
    """Rounds of these players on cards of the seed: the same whichever network is measured."""
    for number in range(options.rounds):
        even_and_odd = seats[number % len(seats)]
        made = [sitting(even_and_odd[seat % 2], seat) for seat in range(4)]
        setup = {"level": "23456789TJQKA"[number % 13]}
        yield play_deal(GAME.deal(options.seed * 100_000 + number, "", setup), made, seed=number)
        if time.monotonic() > deadline:
            return


@functools.cache
def sitting(spec: str, seat: int) -> AnyAgent:
    return REGISTRY.agent("guandan", spec, seat)


def recorded(path: Path) -> Iterator[Record]:
    """Finished rounds of Guandan from a file of records; void ones are left out."""
    for record in read_records(path):
        if record.game != GAME.name:
            raise MingpaiError(f"{path}: a record of {record.game}, not of {GAME.name}")
        if record.void is None and record.points is not None:
            yield record


def agree(options: argparse.Namespace, name: str, records: Sequence[Record], about: dict[str, Any]) -> None:
    """Keeps and prints how often the network's choice and score are the recorded ones."""
    start = time.process_time()
    stages = by_stage(list(evaluate(records, player(f":model={options.model}"))))
    if not stages["all"].decisions:
        raise MingpaiError(f"{options.records or name}: no finished round of guandan with a choice in it")
    value = about | {"rounds": len(records), "networks": checksums(options, judge=False)}
    value |= {"cpu_seconds": round(time.process_time() - start), "stages": {k: row6(v) for k, v in stages.items()}}
    KEPT.save(name, value)
    print(f"{name}: {len(records)} rounds; plays before the end, decisions, action %, score %")
    for stage, one in stages.items():
        print(f"{stage:>5} {one.decisions:6} {share(one.action, one.action_error):>14} "
              f"{share(one.score, one.score_error):>14}")  # fmt: skip


def row6(one: Agreement) -> list[float | None]:
    """Decisions, shares of actions and scores, their standard errors; None for what is not a number."""
    values = (one.action, one.score, one.action_error, one.score_error)
    return [one.decisions, *(None if math.isnan(value) else value for value in values)]


def share(value: float, error: float) -> str:
    """In percent, with its 95% interval where there is one."""
    if math.isnan(value):
        return "-"
    return f"{100 * value:.1f}" + ("" if math.isnan(error) else f" ± {196 * error:.1f}")


def positions(runtime: Runtime, count: int, seed: int) -> Iterator[Position]:
    """Positions of the network's own rounds, spread over them."""
    players = [(NETWORK, NETWORK)] * 64
    tables = abduction.Tables(players, seed, knowledge().weights)
    rng = np.random.default_rng(seed)
    made = 0
    while made < count:
        given = waiting_rows(tables, np.arange(tables.waiting))
        out = runtime.model.run(given.inputs())
        for i in np.flatnonzero(rng.random(tables.waiting) < 0.1):
            round_ = tables.round(int(i))
            yield position(round_, out["estimate"][i].astype(np.float64), round_.level)
            made += 1
        offsets = given.offsets
        logits = out["logits"] + rng.gumbel(size=len(out["logits"])).astype(np.float32)
        starts = offsets[:-1]
        choice = [int(np.argmax(logits[a:b])) for a, b in zip(starts, offsets[1:], strict=True)]
        tables.play(np.array(choice, np.int32))


def plans(options: argparse.Namespace) -> None:
    """What a search is worth at one decision, by its depth and by the weight of the policy in it.

    The same play-outs are valued after some decisions and at their end; what each setting picks is judged by other
    worlds of the same estimate, played to the end by the network against rule4. For choosing, on other deals than the
    tables.
    """
    print(f"about {0.2 * options.positions / 60:.0f} processor minutes")
    runtime = runtime_of(options, options.critic)
    choose, value = runtime_choices(runtime), runtime_values(runtime)
    wide = replace(player(":preset=strong").plan, worlds=16, sure=0.95, least=0.03)
    tables = abduction.Tables([(NETWORK, 4)] * 64, options.seed, knowledge().weights)
    gains: dict[tuple[int, float], list[float]] = {(d, p): [] for d in PLAN_DEPTHS for p in PLAN_PRIORS}
    step = 0
    while len(next(iter(gains.values()))) < options.positions:
        step += 1
        for i in range(tables.waiting if step % 6 == 4 else 0):
            round_ = tables.round(i)
            view = GuandanView(round_.blinded(round_.turn), round_.turn)
            reading = runtime.read([view.native])[0]
            places = candidates(reading, wide)
            if len(places) == 1:
                continue
            estimate = EstimateBelief(view, reading.estimate).estimate
            plays, sign = [reading.plays[place] for place in places], 1 if round_.turn % 2 == 0 else -1
            searched, judge = (
                Tables.playouts(view.native, plays,
                                Worlds(view.native, estimate, wide.worlds, seed_of(options.seed, step, i, k)),
                                runtime.weights, players=players)
                for k, players in enumerate([(NETWORK, NETWORK), (NETWORK, 4)])
            )  # fmt: skip
            judged = sign * play_out(judge, 0, choose, value).reshape(wide.worlds, -1).mean(0)
            log_chances, done = np.log(reading.chances[places]), 0
            for depth in PLAN_DEPTHS:
                while searched.waiting and (done < depth or not depth):
                    searched.play(choose(searched))
                    done += 1
                means = sign * valued(searched, value).reshape(wide.worlds, -1).mean(0)
                for prior in PLAN_PRIORS:
                    picked = int(np.argmax(means + prior * log_chances))
                    gains[depth, prior].append(float(judged[picked] - judged[0]))
        tables.play(choose(tables))
    rows = [[d, p, float(np.mean(g)), float(np.std(g) / len(g) ** 0.5)] for (d, p), g in gains.items()]
    decisions = len(next(iter(gains.values())))
    KEPT.save("plans", {"seed": options.seed, "positions": options.positions, "decisions": decisions, "rows": rows})
    for row in rows:
        print("depth {} prior {}: {:+.4f} +- {:.4f} points a decision".format(*row))


def estimates(options: argparse.Namespace) -> None:
    """ABLN's estimate beside counting: by stage, by turn, by sort of card, and how much lower its log-loss is."""
    print(f"about {0.002 * options.positions / 60:.1f} processor minutes")
    compared = compare(positions(runtime_of(options), options.positions, options.seed))
    stages = {part: {name: quality_row(q) for name, q in of.items()} for part, of in compared.qualities().items()}
    value = {"seed": options.seed, "positions": options.positions, "networks": checksums(options, judge=False)}
    KEPT.save("estimates", value | {"stages": stages, "gains": gain_rows(compared)})
    for part, rows in stages.items():
        for name, row in rows.items():
            shown = [f"{key} {value:.4f}" for key, value in row.items() if key in ("mse", "log_loss", "calibration")]
            print(f"{part:10} {name:17}", *shown)


def quality_row(q: Quality) -> dict[str, float]:
    """A quality as it is kept; what is not a number is left out."""
    row = {"positions": q.positions, "mse": q.mse, "log_loss": q.log_loss, "calibration": q.calibration,
           "bombs": q.bombs, **{f"top1 {name}": value for name, value in q.top1.items()},
           **{f"log_loss {name}": value for name, value in q.losses.items()}}  # fmt: skip
    return {name: value for name, value in row.items() if not math.isnan(value)}


def gain_rows(compared: Compared) -> dict[str, dict[str, list[float]]]:
    """Row -> sort of card -> positions, how much lower ABLN's log-loss is than that of counting, standard error."""

    def shown(gain: Gain) -> bool:
        return not math.isnan(gain.error)

    return {
        part: {sort: [one.positions, one.mean, one.error] for sort, one in gains.items() if shown(one)}
        for part, gains in compared.gains(*COMPARED).items()
    }


def network(options: argparse.Namespace) -> None:
    """What plays: the network replaced by uniform pseudo-actions, and how often it differs from rule4."""
    print(f"about {0.1 * options.matches / 60:.1f} processor minutes")
    for number in (1, 4):
        name = BOTS[number]
        duel(f"uniform {name}", options, [uniform_chooser(options.seed)], (NETWORK, number),
             pairs=options.matches // 8, about={"against": name})  # fmt: skip
    runtime = runtime_of(options)
    choose = network_chooser(runtime)
    tables = abduction.Tables([(NETWORK, 4)] * 64, options.seed, knowledge().weights)
    same = total = 0
    for _ in range(200):
        chosen = choose(tables, np.arange(tables.waiting))
        advised = tables.advise(4)
        same += int((chosen == advised).sum())
        total += len(chosen)
        tables.play(chosen)
    KEPT.save(
        "differs", {"seed": options.seed, "matches": options.matches, "decisions": total, "differs": 1 - same / total}
    )
    print(f"differs from rule4 in {1 - same / total:.1%} of {total} decisions among more than one pseudo-action")


def knowledge_part(options: argparse.Namespace) -> None:
    """Weights fitted to results, and both sets of weights against rule4 on the matches of table 5."""
    print(f"about {(0.03 * options.comparisons + 0.2 * options.matches) / 60:.0f} processor minutes")
    compared = []
    for one in comparisons(options.seed, 4):
        compared.append(one)
        if len(compared) == options.comparisons:
            break
    weights = fitted(compared, strength=len(compared) / 4)
    print({name: round(w, 2) for name, w in zip(RULE_NAMES, weights, strict=True)})
    fit = {"seed": options.seed, "comparisons": len(compared), "rules": list(RULE_NAMES), "fitted": weights}
    by_hand = against(options, "rule4", "table5 rule4", None)
    gain, error, matches = paired(against(options, "rule4", "weights fitted", weights), by_hand)
    KEPT.save("weights", fit | {"matches": matches, "points_a_round": gain, "error": error})
    print(f"fitted - by hand: {gain:+.3f} +- {1.96 * error:.3f} points a round on {matches} matches")


def speed(options: argparse.Namespace) -> None:
    """Decisions per second of one core: batched self-play, single decisions, and the time of both presets."""
    runtime = runtime_of(options)
    choose = network_chooser(runtime)
    tables = abduction.Tables([(NETWORK, NETWORK)] * 512, options.seed, knowledge().weights)
    start, made = time.process_time(), 0
    while made < 60_000:
        made += tables.waiting
        tables.play(choose(tables, np.arange(tables.waiting)))
    batched = made / (time.process_time() - start)
    value: dict[str, Any] = {"batched_per_cpu_second": round(batched)}
    views = [view for number in range(SPEED_ROUNDS) for view in seen_by_rule4(options.seed + number)]
    for spec in SPEED_SPECS:
        value[spec] = times_of(REGISTRY.agent("guandan", spec), views)
    KEPT.save("speed", value)
    print(value)


def seen_by_rule4(seed: int) -> Iterator[View]:
    """Every position of a round of rule4."""
    state, bot = GAME.deal(seed), REGISTRY.agent("guandan", "rule4")
    while state.to_move is not None:
        view = state.view(state.to_move)
        yield view
        state.play(bot.decide(view).move)


def times_of(deciding: AnyAgent, views: Sequence[View]) -> dict[str, float]:
    """Mean and longest processor time of a decision; the first one, which loads, is not counted."""
    deciding.decide(views[0])
    times = []
    for view in views:
        begin = time.process_time()
        deciding.decide(view)
        times.append(1000 * (time.process_time() - begin))
    return {"decisions": len(times), "mean_ms": round(float(np.mean(times)), 2), "max_ms": round(max(times), 1)}


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "table5": table5, "strong": strong, "table6": table6, "table7": table7, "estimates": estimates,
    "network": network, "knowledge": knowledge_part, "plans": plans, "search": search_part,
    "speed": speed,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=list(PARTS))
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=100, help="table6: recorded rounds of each kind")
    parser.add_argument("--records", type=Path, help="table6: rounds of this file of records (JSON Lines) instead")
    parser.add_argument("--positions", type=int, default=4000, help="estimates: positions")
    parser.add_argument("--comparisons", type=int, default=1500, help="knowledge: pairs of candidates")
    parser.add_argument("--label", default="", help="table5, table6: ' paper' keeps the rows of another model apart")
    parser.add_argument("--minutes", type=float, default=20, help="start no chunk after so many minutes")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--model", default=SHIPPED)
    parser.add_argument("--critic", default=JUDGE)
    parser.add_argument("--plan", default="", help="strong, search: other settings of the search, as worlds=64,depth=6")
    parser.add_argument("--without", default="")
    parser.add_argument("--against", default="", help="table5: this bot only")
    parser.add_argument("--file", type=Path, default=KEPT.path, help="where results are kept")
    options = parser.parse_args()
    KEPT.path = options.file
    PARTS[options.part](options)


if __name__ == "__main__":
    as_script(main)
