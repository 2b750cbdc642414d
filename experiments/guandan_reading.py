"""Do the others' plays tell their hands, and what does a search gain at one decision that believes them?

    python experiments/guandan_reading.py collect --against ablgd|rule4 [--positions N] [--seed S] [--minutes M]
    python experiments/guandan_reading.py compare [--against ablgd|rule4]

`collect` stops in rounds that the network plays against itself or rule4, at decisions of the network of which it is not
sure. It draws worlds from the estimate, looks at the last plays of the others again in each of them, and plays the
candidates on in some of them. What each candidate is worth is played out in the true world, by the network at all
seats, eight times with some chance in its choices; the true world is what the plays came from, so a search
that reads them rightly gains there. Everything is kept in runs/reading-AGAINST.npz, and `collect` goes on where it
stopped. `compare` says how well weighed worlds tell the true hands, and what each plan of a search gains on the same
decisions. For choosing a plan: on other deals than those on which it is then reported.
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
from mingpai.methods.abduction.hindsight import ask, log_chances
from mingpai.methods.abduction.knowledge import knowledge
from mingpai.methods.abduction.runtime import JUDGE, SHIPPED, Runtime
from mingpai.methods.abduction.search import SearchPlan, candidates, likeliest, runtime_choices, runtime_values, valued

KEPT = Kept(Path(__file__).parent / "results" / "guandan_reading.json")
NETWORK = abduction.NETWORK
TABLES = 64
SHARE = 0.12
"""Share of the decisions that are looked at."""
WIDE = SearchPlan(worlds=64, width=5, sure=0.97, least=0.02, depth=0, prior=0)
DEPTHS = (4, 8, 12)
DRAWN = 256
"""Worlds that are weighed; half of WIDE.worlds are the first of them, the rest those that explain the plays best."""
BACK = 4
"""The last plays of each other seat that are looked at."""
JUDGED = 8
HEAT = 0.5
"""Temperature of the play that judges."""
TRUSTS = (0.0, 0.15, 0.3, 0.5, 0.7, 1.0)
PRIORS = (0.02, 0.05, 0.1, 0.2)
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
    played: NDArray[np.int32]
    """The worlds that were played: the first ones, then those that explain the plays best."""
    values: Doubles
    """By depth, played world and candidate."""
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
        best = np.argsort(-logs.sum(1), kind="stable")[: WIDE.worlds // 2]
        played = np.concatenate([np.arange(WIDE.worlds // 2), best]).astype(np.int32)
        known.append((logs, ages, kinds, true_logs, cards, true, played))
        worlds = worlds.take(played)
        plays = [reading.plays[place] for place in places]
        parts.append(abduction.Tables.playouts(view.native, plays, worlds, runtime.weights))
    values = searched(runtime, abduction.Tables.joined(parts), [len(places) for *_, places in asked])
    worth = judged(runtime, tables, [(i, places) for i, *_, places in asked], rng)
    out = []
    for k, (_, round_, _, reading, places) in enumerate(asked):
        sign = 1 if round_.turn % 2 == 0 else -1
        out.append(Stop(reading.chances[places], *known[k], sign * values[k], sign * worth[k]))
    return out


def searched(runtime: Runtime, tables: abduction.Tables, widths: list[int]) -> list[Doubles]:
    """Values of the candidates of each decision by depth and world."""
    choose, value = runtime_choices(runtime), runtime_values(runtime)
    rows, done = [], 0
    for depth in DEPTHS:
        while tables.waiting and done < depth:
            tables.play(choose(tables))
            done += 1
        rows.append(valued(tables, value))
    ends = np.cumsum([WIDE.worlds * width for width in widths])
    parts = [np.split(row, ends[:-1]) for row in rows]
    return [np.stack([p[k].reshape(WIDE.worlds, width) for p in parts]) for k, width in enumerate(widths)]


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


def weights_of(stop: Stop, trust: float, back: int) -> Doubles:
    """What each world weighs by the last plays."""
    logs = trust * (stop.logs * (stop.ages <= back)).sum(1)
    shares: Doubles = np.exp(logs - logs.max())
    return shares / shares.sum()


def told(stop: Stop, weights: Doubles) -> tuple[float, float, float]:
    """Squared error of the copies, log-loss of 'does this seat hold this card', effective share of the worlds."""
    expected = np.tensordot(weights, stop.cards.astype(float), 1)
    held = np.tensordot(weights, (stop.cards > 0).astype(float), 1)
    smoothed = (held * DRAWN + 0.5) / (DRAWN + 1)
    open_ = stop.cards.max(0) > stop.cards.min(0)
    truth = stop.true > 0
    loss = -np.log(np.where(truth, smoothed, 1 - smoothed))[open_].mean() if open_.any() else 0.0
    return float(((expected - stop.true) ** 2).mean()), float(loss), float(1 / (weights**2).sum() / len(weights))


def gain_of(stop: Stop, depth: int, weights: Doubles, prior: float) -> float:
    """Points in the true world of what the search picks above the likeliest option.

    Where all worlds weigh the same it has played the first ones, else those that explain the plays best.
    """
    half = WIDE.worlds // 2
    which = slice(0, half) if np.ptp(weights) == 0 else slice(half, None)
    used = weights[stop.played[which]]
    means = used @ stop.values[DEPTHS.index(depth)][which] / used.sum()
    picked = int(np.argmax(means + prior * np.log(stop.chances)))
    return float(stop.worth[picked] - stop.worth[0])


def mean_error(values: Sequence[float]) -> list[float]:
    return [float(np.mean(values)), float(np.std(values) / len(values) ** 0.5)]


def compare(options: argparse.Namespace) -> None:
    path = options.run / f"reading-{options.against}.npz"
    kept: list[Stop] = list(np.load(path, allow_pickle=True)["stops"])
    value: dict[str, Any] = {"decisions": len(kept), "told": [], "gains": []}
    for back in (1, 2, 3):
        for trust in TRUSTS:
            rows = np.array([told(stop, weights_of(stop, trust, back)) for stop in kept])
            better = mean_error(rows[:, 1] - np.array([told(stop, weights_of(stop, 0, 1))[1] for stop in kept]))
            value["told"].append([back, trust, *rows.mean(0).tolist(), *better])
            numbers = "squared error {:.4f}, log-loss {:.4f}, effective {:.2f}, above unweighed {:+.4f} +- {:.4f}"
            print(f"plays {back} trust {trust}: " + numbers.format(*value["told"][-1][2:]))
    for back in (1, 2, 3):
        for trust in TRUSTS:
            for depth in DEPTHS:
                for prior in PRIORS:
                    gains = [gain_of(stop, depth, weights_of(stop, trust, back), prior) for stop in kept]
                    value["gains"].append([back, trust, depth, prior, *mean_error(gains)])
    for row in value["gains"]:
        print("plays {} trust {} depth {} prior {}: {:+.4f} +- {:.4f} points a decision".format(*row))
    KEPT.save(options.against, value)


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
