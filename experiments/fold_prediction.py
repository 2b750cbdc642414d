"""Hand prediction of method 5: top-1/2/3 of eleven categories by street, log-loss and calibration, like figure 7.

    python experiments/fold_prediction.py ../shared/data/holdem/pluribus-6max.phhs.gz
    python experiments/fold_prediction.py own --hands 4000        heads-up hands of the arena's own

Predictors: FOLD's default model, the fitted model, Markov, the pre-flop range alone (of the fitted model), and a
uniform hand on the exact board, which knows what the board makes likely and nothing of the players. What is fitted is
fitted to the sessions of the other folds; intervals are bootstraps over sessions.

A fold that is done is kept in experiments/runs/fold_prediction: the same command goes on, `--minutes` stops it after
the fold in hand, `--again` starts over (after a change of the models).
"""

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from script import as_script

from mingpai.methods.handreading.markov import MarkovModel
from mingpai.methods.handreading.model import DefaultModel, UniformModel
from mingpai.methods.handreading.own_hands import own_hands
from mingpai.methods.handreading.predict import (
    TOP,
    Guess,
    Predictor,
    RangePredictor,
    Scored,
    calibration_error,
    guesses,
    interval,
    score,
    split_by_session,
)
from mingpai.methods.handreading.train import fitted_to
from mingpai.records.handhistory import STREETS, HandHistory, read_phh

FOLDS = 5
OWN_SEED = 31_415
"""Of the arena's own hands to predict; the shipped model is fitted to others."""
SECONDS_A_HAND = 0.06
RESULTS = Path(__file__).parent / "results"
RUNS = Path(__file__).parent / "runs" / "fold_prediction"


def fit(train: Sequence[HandHistory]) -> Mapping[str, Predictor]:
    fitted = fitted_to(train)
    return {"default": RangePredictor(DefaultModel()), "fitted": RangePredictor(fitted), "markov": MarkovModel(train),
            "preflop only": RangePredictor(fitted, preflop_only=True),
            "uniform": RangePredictor(UniformModel())}  # fmt: skip


def fold_of(hands: Sequence[HandHistory], held_out: int) -> dict[str, list[Guess]]:
    """Guesses for the hands of a fold by predictors fitted to the sessions of the others."""
    parts = split_by_session(hands, FOLDS)
    predictors = fit([hand for number, part in enumerate(parts) if number != held_out for hand in part])
    by_name: dict[str, list[Guess]] = {name: [] for name in predictors}
    for hand in parts[held_out]:
        for name, new in guesses(hand, predictors).items():
            by_name[name].extend(new)
    return by_name


def save_fold(path: Path, guessed: Mapping[str, Sequence[Guess]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez(part, **{f"{name}/{field}": np.array([getattr(guess, field) for guess in items])
                      for name, items in guessed.items() for field in Guess.__annotations__})  # fmt: skip
    part.rename(path)


def read_fold(path: Path) -> dict[str, list[Guess]]:
    with np.load(path) as stored:
        columns = {key: stored[key] for key in stored.files}
    names = dict.fromkeys(key.rpartition("/")[0] for key in columns)
    return {name: list(_guesses({field: columns[f"{name}/{field}"] for field in Guess.__annotations__}))
            for name in names}  # fmt: skip


def _guesses(columns: Mapping[str, npt.NDArray[Any]]) -> Iterator[Guess]:
    for session, street, seat, chances, truth in zip(*columns.values(), strict=True):
        yield Guess(str(session), int(street), int(seat), chances, int(truth))


def all_folds(hands: Sequence[HandHistory], key: str, minutes: float, again: bool) -> dict[str, list[Guess]] | None:
    """The guesses of all folds, those that are kept and those made now; None where the time was not enough."""
    start = time.perf_counter()
    for number in range(FOLDS):
        path = RUNS / f"{key}-{number}.npz"
        if again or not path.exists():
            if time.perf_counter() - start > 60 * minutes:
                print(f"{number} of {FOLDS} folds are done; the same command without --again goes on")
                return None
            save_fold(path, fold_of(hands, number))
            print(f"fold {number + 1} of {FOLDS}, {time.perf_counter() - start:.0f} s", flush=True)
    by_name: dict[str, list[Guess]] = {}
    for number in range(FOLDS):
        for name, items in read_fold(RUNS / f"{key}-{number}.npz").items():
            by_name.setdefault(name, []).extend(items)
    return by_name


def table(scored: Mapping[str, Scored], rng: np.random.Generator) -> list[str]:
    lines = ["| street | guesses | predictor | top-1 (95%) | top-2 | top-3 | log-loss (95%) | calibration error |",
             "|---|---|---|---|---|---|---|---|"]  # fmt: skip
    for street, street_name in enumerate(STREETS):
        for name, item in scored.items():
            where = item.streets == street
            top = {k: interval(item.top[k][where] * 100, item.sessions[where], rng) for k in TOP}
            loss = interval(item.log_loss[where], item.sessions[where], rng)
            lines.append(
                f"| {street_name} | {where.sum()} | {name} | {top[1][0]:.1f} ({top[1][1]:.1f}-{top[1][2]:.1f}) |"
                f" {top[2][0]:.1f} | {top[3][0]:.1f} | {loss[0]:.3f} ({loss[1]:.3f}-{loss[2]:.3f}) |"
                f" {calibration_error(item, where):.3f} |"
            )
    return lines


def differences(scored: Mapping[str, Scored], rng: np.random.Generator) -> tuple[list[str], dict[str, list[float]]]:
    """Paired: the same guesses, the same sessions drawn."""
    lines = ["| pair | street | top-1, points (95%) | log-loss (95%) |", "|---|---|---|---|"]
    means: dict[str, list[float]] = {}
    for one, other in (("fitted", "markov"), ("fitted", "preflop only"), ("default", "markov"), ("uniform", "markov")):
        a, b = scored[one], scored[other]
        for street, street_name in enumerate(STREETS):
            where = a.streets == street
            top = interval((a.top[1] - b.top[1])[where] * 100, a.sessions[where], rng)
            loss = interval((a.log_loss - b.log_loss)[where], a.sessions[where], rng)
            means.setdefault(f"{one} - {other}", []).append(top[0])
            lines.append(f"| {one} - {other} | {street_name} | {top[0]:+.2f} ({top[1]:+.2f} to {top[2]:+.2f}) |"
                         f" {loss[0]:+.3f} ({loss[1]:+.3f} to {loss[2]:+.3f}) |")  # fmt: skip
    return lines, means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help='a file of hands, or "own" for hands of the arena')
    parser.add_argument("--hands", type=int, default=4000, help="of the arena's own")
    parser.add_argument("--every", type=int, default=1, help="take every n-th hand only")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after the fold in hand")
    parser.add_argument("--again", action="store_true", help="also the folds that are kept")
    options = parser.parse_args()
    is_own = str(options.data) == "own"
    hands = list(own_hands(options.hands, OWN_SEED) if is_own else read_phh(options.data))[:: options.every]
    print(f"{len(hands)} hands: about {SECONDS_A_HAND * len(hands) / 60:.0f} minutes of one core", flush=True)
    key = f"own-{options.hands}" if is_own else f"{options.data.name.partition('.')[0]}-{options.every}"
    guessed = all_folds(hands, key, options.minutes, options.again)
    if guessed is None:
        return
    scored = {name: score(items) for name, items in guessed.items()}
    rng = np.random.default_rng(1)
    changes, means = differences(scored, rng)
    average = {name: float(np.mean(values)) for name, values in means.items()}
    text = "\n".join([
        "# Hand prediction by street", "",
        f"`python experiments/fold_prediction.py {f'own --hands {options.hands}' if is_own else options.data}"
        + (f" --every {options.every}`" if options.every > 1 else "`"), "",
        f"{len(hands)} hands, {len({hand.session for hand in hands})} sessions, {FOLDS} folds by session. "
        "Intervals: 1000 bootstraps over sessions.", "",
        *table(scored, rng), "", "## Differences on the same guesses", "", *changes, "",
        "Mean over the four streets, points of top-1: " + "; ".join(f"{n} {v:+.2f}" for n, v in average.items()), "",
    ])  # fmt: skip
    RESULTS.mkdir(exist_ok=True)
    name = "fold_prediction_own" if is_own else "fold_prediction"
    (RESULTS / f"{name}.md").write_text(text)
    (RESULTS / f"{name}.json").write_text(json.dumps({"means": means, "average": average}, indent=1) + "\n")
    print(text)


if __name__ == "__main__":
    as_script(main)
