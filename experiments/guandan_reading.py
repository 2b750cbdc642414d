"""Do the others' plays tell their hands, and what does a search gain at one decision that believes them?

    python experiments/guandan_reading.py collect --against ablgd|rule4 [--positions N] [--seed S] [--minutes M]
    python experiments/guandan_reading.py compare [--against ablgd|rule4]

`collect` stops in rounds that the network plays against itself or rule4, at decisions of the network of which it is not
sure. It draws worlds from the estimate and looks at the last plays of the others again in each of them. It plays the
candidates on in unweighed worlds, and in as many that several readers draw (hindsight.py). What each candidate is worth
is played out in the true world, by the network at all seats, eight times with some chance in its choices; the true
world is what the plays came from, so a search that reads them rightly gains there. Everything is kept in
runs/reading-AGAINST.npz, and `collect` goes on where it stopped. `compare` says how well weighed worlds tell the true
hands, and what each search gains on the same decisions. For choosing a plan: on other deals than those on which it is
then reported.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from kept import Kept
from numpy.typing import NDArray
from script import as_script

from mingpai._native import abduction
from mingpai._native import guandan as native
from mingpai.core.random import seed_of
from mingpai.games.guandan.features import KINDS
from mingpai.games.guandan.rules import SEATS
from mingpai.games.guandan.view import GuandanView
from mingpai.methods.abduction.belief import EstimateBelief
from mingpai.methods.abduction.duel import network_chooser
from mingpai.methods.abduction.hindsight import Reader, ask, log_chances, shares_of
from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.abduction.runtime import JUDGE, SHIPPED, Runtime
from mingpai.methods.abduction.search import SearchPlan, candidates, likeliest, runtime_choices, runtime_values, valued

KEPT = Kept(Path(__file__).parent / "results" / "guandan_reading.json")
PAGE = KEPT.path.with_suffix(".md")
NETWORK = abduction.NETWORK
TABLES = 64
SHARE = 0.12
"""Share of the decisions that are looked at."""
WIDE = SearchPlan(worlds=32, width=5, sure=0.9, least=0.05, depth=0, prior=0)
DEPTHS = (4, 8, 12)
READERS = (Reader(), Reader(plays=2, trust=0.5, pool=3), Reader(plays=3, trust=1.0, pool=6))
"""Whose worlds are played: unweighed ones, and those of readers that believe more and more."""
DRAWN = 128
"""Worlds that are weighed to see what the plays tell."""
BACK = 4
"""The last plays of each other seat that are looked at."""
JUDGED = 8
HEAT = 0.5
"""Temperature of the play that judges."""
TRUSTS = (0.0, 0.3, 0.6, 1.0)
PRIORS = (0.02, 0.05, 0.1, 0.2)
BACKS = (1, 2, 4)
KINDS_OF_PLAYS = {"all": -1, "passes": 0, "over another": 1, "leads": 2}
SECONDS = 0.35

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Stop:
    """A decision that was looked at."""

    chances: Doubles
    """Of the candidates."""
    logs: Doubles
    """Of the looked-at plays in each world."""
    ages: NDArray[np.int64]
    """Of each looked-at play: 1 the last one of its seat."""
    kinds: NDArray[np.int64]
    """Of each looked-at play: 0 a pass, 1 a play over another, 2 a lead."""
    true_logs: Doubles
    """Of the looked-at plays with the true hands."""
    cards: NDArray[np.int8]
    """Copies of each kind at each other seat in each world."""
    true: NDArray[np.int8]
    weights: Doubles
    """By reader and played world: their logarithms."""
    values: Doubles
    """By depth, reader, played world and candidate."""
    worth: Doubles
    """Of each candidate in the true world."""


def copies(hands: Sequence[native.Cards], others: Sequence[int]) -> NDArray[np.int8]:
    return np.stack([np.bincount(hands[seat].kinds(), minlength=KINDS) for seat in others]).astype(np.int8)


def looked_at(round_: native.Round) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ages and kinds of the last plays of the other seats, oldest first, as they are looked at."""
    seen, ages, kinds = [0] * 4, [], []
    replayed = round_.copy()
    while replayed.steps and replayed.steps[-1][1].pseudo >= 0:
        seat, play = replayed.steps[-1]
        replayed.undo()
        seen[seat] += 1
        if seat != round_.turn and seen[seat] <= BACK:
            ages.append(seen[seat])
            kinds.append(0 if play.is_pass else 2 if replayed.is_leading else 1)
    return np.array(ages[::-1], np.int64), np.array(kinds[::-1], np.int64)


def logs_of(runtime: Runtime, round_: native.Round, worlds: abduction.Worlds, plays: int) -> Doubles:
    """Logarithms of the chances of so many looked-at plays; those at the end that nobody had a choice in are 0."""
    logs = np.zeros((len(worlds), plays))
    others = [seat for seat in range(SEATS) if seat != round_.turn]
    found = log_chances(runtime, round_, worlds, BACK, others)
    logs[:, : found.shape[1]] = found
    return logs


def heated(runtime: Runtime, rng: np.random.Generator, tables: abduction.Tables) -> NDArray[np.int32]:
    """Choices by the policy, cooled."""
    logits, offsets = ask(runtime, tables)
    return likeliest(logits / HEAT + rng.gumbel(size=len(logits)).astype(np.float32), offsets)


def stops(runtime: Runtime, tables: abduction.Tables, rng: np.random.Generator, seed: int) -> list[Stop]:
    """Some of the waiting decisions of which the network is not sure."""
    asked = []
    for i in np.flatnonzero(rng.random(tables.waiting) < SHARE):
        round_ = tables.round(int(i))
        view = GuandanView(round_.blinded(round_.turn), round_.turn)
        reading = runtime.read([view.native])[0]
        places = candidates(reading, WIDE)
        if len(places) > 1:
            asked.append((int(i), round_, view, reading, places))
    if not asked:
        return []
    parts, known = [], []
    for _, round_, view, reading, places in asked:
        estimate = EstimateBelief(view, reading.estimate).estimate
        worlds = abduction.Worlds(view.native, estimate, DRAWN, seed_of(seed, view.key()))
        others = [(round_.turn + k) % 4 for k in (1, 2, 3)]
        ages, kinds = looked_at(round_.world([round_.hand(seat) for seat in range(4)]))
        logs = logs_of(runtime, view.native, worlds, len(ages)).astype(np.float32)
        true_logs = logs_of(runtime, view.native, abduction.Worlds.of(round_), len(ages))[0]
        cards = np.stack([copies(worlds[w], others) for w in range(len(worlds))])
        true = copies([round_.hand(seat) for seat in range(4)], others)
        plays = [reading.plays[place] for place in places]
        drawn_by = [seed_of(seed, view.key(), k) for k in range(len(READERS))]
        read = [reader.read(runtime, view.native, estimate, WIDE.worlds, k)
                for reader, k in zip(READERS, drawn_by, strict=True)]  # fmt: skip
        known.append((logs, ages, kinds, true_logs, cards, true, np.stack([one.logs for one in read])))
        parts += [abduction.Tables.playouts(view.native, plays, one.worlds, runtime.weights) for one in read]
    values = searched(runtime, abduction.Tables.joined(parts), [len(places) for *_, places in asked])
    worth = judged(runtime, tables, [(i, places) for i, *_, places in asked], rng)
    out = []
    for k, (_, round_, _, reading, places) in enumerate(asked):
        sign = 1 if round_.turn % 2 == 0 else -1
        out.append(Stop(reading.chances[places], *known[k], sign * values[k], sign * worth[k]))
    return out


def searched(runtime: Runtime, tables: abduction.Tables, widths: list[int]) -> list[Doubles]:
    """Values of the candidates of each decision by depth, reader and world."""
    choose, value = runtime_choices(runtime), runtime_values(runtime)
    rows, done = [], 0
    for depth in DEPTHS:
        while tables.waiting and done < depth:
            tables.play(choose(tables))
            done += 1
        rows.append(valued(tables, value))
    worlds = len(READERS) * WIDE.worlds
    ends = np.cumsum([worlds * width for width in widths])
    parts = [np.split(row, ends[:-1]) for row in rows]
    shape = (len(READERS), WIDE.worlds)
    return [np.stack([p[k].reshape(*shape, width) for p in parts]) for k, width in enumerate(widths)]


def judged(
    runtime: Runtime, tables: abduction.Tables, asked: list[tuple[int, list[int]]], rng: np.random.Generator
) -> list[Doubles]:
    """What team 0 makes of each candidate in the true world."""
    waiting = np.concatenate([np.full(len(places) * JUDGED, i) for i, places in asked]).astype(np.int32)
    options = np.concatenate([np.repeat(places, JUDGED) for _, places in asked]).astype(np.int32)
    played = tables.branches(waiting, options)
    while played.waiting:
        played.play(heated(runtime, rng, played))
    scores = played.scores().astype(np.float64).reshape(-1, JUDGED).mean(1)
    return list(np.split(scores, np.cumsum([len(places) for _, places in asked])[:-1]))


def collect(options: argparse.Namespace) -> None:
    print(f"about {SECONDS * options.positions / 60:.0f} processor minutes", flush=True)
    path: Path = options.run / f"reading-{options.against}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    kept: list[Stop] = list(np.load(path, allow_pickle=True)["stops"]) if path.exists() else []
    runtime = Runtime(options.model, knowledge(), options.critic)
    choose = network_chooser(runtime)
    other = NETWORK if options.against == "ablgd" else 4
    deadline = time.monotonic() + 60 * options.minutes
    sitting = seed_of(options.seed, options.against, len(kept))
    tables = abduction.Tables([(NETWORK, other)] * TABLES, sitting, knowledge().weights)
    rng = np.random.default_rng(sitting)
    for _ in range(int(rng.integers(20, 60))):
        tables.play(choose(tables, np.arange(tables.waiting)))
    while len(kept) < options.positions and time.monotonic() < deadline:
        kept += stops(runtime, tables, rng, sitting)
        for _ in range(5):
            tables.play(choose(tables, np.arange(tables.waiting)))
    np.savez(path, stops=np.array(kept, object))
    print(f"{len(kept)} decisions", flush=True)


def chosen(stop: Stop, back: int, kind: str) -> NDArray[np.bool_]:
    """Which of the looked-at plays are meant."""
    meant: NDArray[np.bool_] = (stop.ages <= back) & ((stop.kinds == KINDS_OF_PLAYS[kind]) | (kind == "all"))
    return meant


def weights_of(stop: Stop, trust: float, back: int) -> Doubles:
    """What each world weighs by the last plays."""
    logs = trust * stop.logs[:, chosen(stop, back, "all")].sum(1)
    shares: Doubles = np.exp(logs - logs.max())
    return shares / shares.sum()


def nats(stop: Stop, trust: float, back: int, kind: str) -> float:
    """How much likelier the true hands are among weighed worlds than among unweighed ones, as a logarithm."""
    which = chosen(stop, back, kind)
    others = trust * stop.logs[:, which].sum(1).astype(np.float64)
    top = others.max()
    return float(trust * stop.true_logs[which].sum() - top - np.log(np.exp(others - top).mean()))


def card_loss(stop: Stop, weights: Doubles) -> float:
    """Log-loss of 'does this seat hold this card' by weighed worlds."""
    held = np.tensordot(weights, (stop.cards > 0).astype(float), 1)
    smoothed = (held * DRAWN + 0.5) / (DRAWN + 1)
    open_ = stop.cards.max(0) > stop.cards.min(0)
    if not open_.any():
        return 0.0
    return float(-np.log(np.where(stop.true > 0, smoothed, 1 - smoothed))[open_].mean())


def means_of(stop: Stop, depth: int, reader: int) -> Doubles:
    """What the search expects of each candidate."""
    means: Doubles = shares_of(stop.weights[reader]) @ stop.values[DEPTHS.index(depth)][reader] / WIDE.worlds
    return means


def gain_of(stop: Stop, depth: int, reader: int, prior: float) -> float:
    """Points in the true world of what the search picks above the likeliest option."""
    picked = int(np.argmax(means_of(stop, depth, reader) + prior * np.log(stop.chances)))
    return float(stop.worth[picked] - stop.worth[0])


def told(kept: Sequence[Stop], depth: int, reader: int) -> list[float]:
    """What a search says of the true points of a candidate below the likeliest one.

    A line in its value and the logarithm of the policy's probability: both slopes with standard errors, and R squared.
    """
    true = np.concatenate([stop.worth[0] - stop.worth[1:] for stop in kept])
    values = [means_of(stop, depth, reader) for stop in kept]
    found = np.concatenate([one[0] - one[1:] for one in values])
    odds = np.concatenate([np.log(stop.chances[0] / stop.chances[1:]) for stop in kept])
    given = np.stack([found, odds, np.ones(len(true))], 1)
    slopes = np.linalg.lstsq(given, true, rcond=None)[0]
    left = true - given @ slopes
    errors = np.sqrt(np.diag(np.linalg.inv(given.T @ given)) * left.var())
    return [float(slopes[0]), float(errors[0]), float(slopes[1]), float(errors[1]), float(1 - left.var() / true.var())]


def mean_error(values: Sequence[float]) -> list[float]:
    return [float(np.mean(values)), float(np.std(values) / len(values) ** 0.5)]


def compare(options: argparse.Namespace) -> None:
    path = options.run / f"reading-{options.against}.npz"
    kept: list[Stop] = list(np.load(path, allow_pickle=True)["stops"])
    value: dict[str, Any] = {"seed": options.seed, "decisions": len(kept)}
    value["nats"] = [
        [kind, back, trust, *mean_error([nats(stop, trust, back, kind) for stop in kept])]
        for kind in KINDS_OF_PLAYS for back in BACKS for trust in TRUSTS if trust
    ]  # fmt: skip
    unweighed = np.array([card_loss(stop, weights_of(stop, 0, 1)) for stop in kept])
    value["cards"] = [[0, 0.0, float(unweighed.mean()), 0.0, 0.0]]
    for back in BACKS:
        for trust in (one for one in TRUSTS if one):
            losses = np.array([card_loss(stop, weights_of(stop, trust, back)) for stop in kept])
            value["cards"].append([back, trust, float(losses.mean()), *mean_error((losses - unweighed).tolist())])
    value["gains"] = [
        [reader, depth, prior, *mean_error([gain_of(stop, depth, reader, prior) for stop in kept])]
        for reader in range(len(READERS)) for depth in DEPTHS for prior in PRIORS
    ]  # fmt: skip
    value["lines"] = [[reader, depth, *told(kept, depth, reader)] for reader in range(len(READERS)) for depth in DEPTHS]
    KEPT.save(options.against, value)
    PAGE.write_text(page(KEPT.load()), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


def interval(mean: float, error: float, digits: int) -> str:
    return f"{mean:+.{digits}f} ± {1.96 * error:.{digits}f}"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]


def page(data: dict[str, Any]) -> str:
    """All that was compared."""
    lines = [
        "# Guandan: do the others' plays tell their hands?", "",
        "`python experiments/guandan_reading.py --help` says how decisions are collected. Every world is weighed by "
        "how likely the last plays", "of the other seats were in it under the network, to the power of `trust`. ± is a "
        "95% interval over decisions.", "",
    ]  # fmt: skip
    for against, value in data.items():
        lines += [f"## Rounds of `ablgd` against `{against}`", "", *one_page(against, value)]
    return "\n".join(lines)


def named(number: int) -> str:
    reader = READERS[number]
    return f"read={reader.plays}, trust={reader.trust:g}, pool={reader.pool}" if reader.plays else "unweighed"


def one_page(against: str, value: dict[str, Any]) -> list[str]:
    trusts = [trust for trust in TRUSTS if trust]
    by_kind = {(kind, back): {} for kind in KINDS_OF_PLAYS for back in BACKS}  # type: ignore[var-annotated]
    for kind, back, trust, mean, error in value["nats"]:
        by_kind[kind, back][trust] = interval(mean, error, 2)
    gains = {(reader, depth): {} for reader, depth, *_ in value["gains"]}  # type: ignore[var-annotated]
    for reader, depth, prior, mean, error in value["gains"]:
        gains[reader, depth][prior] = interval(mean, error, 3)
    return [
        f"`python experiments/guandan_reading.py collect --against {against} --positions {value['decisions']} --seed "
        f"{value['seed']}` and `compare --against {against}`: {value['decisions']} decisions.", "",
        f"How much likelier the true hands are among {DRAWN} worlds drawn from the estimate once they are weighed "
        "(logarithm, natural).", "Rows: which plays, and how many of each seat.", "",
        *table(["plays", "of each seat", *(f"trust {trust:g}" for trust in trusts)],
               [[kind, str(back), *(cells[trust] for trust in trusts)] for (kind, back), cells in by_kind.items()]),
        "Log-loss of 'does this seat hold this card', and how much it is above that of unweighed worlds.", "",
        *table(["plays of each seat", "trust", "log-loss", "above unweighed"],
               [[str(back), f"{trust:g}", f"{loss:.4f}", interval(mean, error, 4) if back else "-"]
                for back, trust, loss, mean, error in value["cards"]]),
        f"What a search of {WIDE.worlds} worlds tells of the points by which a candidate is behind the likeliest in "
        "the true world: a line in", "the difference it finds and in the logarithm of the probabilities' ratio.", "",
        *table(["worlds", "depth", "slope of the search", "slope of the policy", "R²"],
               [[named(reader), str(depth), interval(slope, error, 2), interval(prior, prior_error, 3), f"{share:.4f}"]
                for reader, depth, slope, error, prior, prior_error, share in value["lines"]]),
        "Points gained in the true world by what the search picks above the likeliest option. Columns: points that a "
        "factor e in", "probability is worth.", "",
        *table(["worlds", "depth", *(f"prior {prior:g}" for prior in PRIORS)],
               [[named(reader), str(depth), *(cells[prior] for prior in PRIORS)]
                for (reader, depth), cells in gains.items()]),
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["collect", "compare"])
    parser.add_argument("--against", choices=["ablgd", "rule4"], default="ablgd")
    parser.add_argument("--positions", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--minutes", type=float, default=5, help="look at no more decisions after so many minutes")
    parser.add_argument("--model", default=SHIPPED)
    parser.add_argument("--critic", default=JUDGE)
    parser.add_argument("--run", type=Path, default=Path("runs"), help="where the decisions are kept")
    options = parser.parse_args()
    {"collect": collect, "compare": compare}[options.part](options)


if __name__ == "__main__":
    as_script(main)
