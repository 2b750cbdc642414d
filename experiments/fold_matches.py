"""FOLD at the table: heads-up against each style (table 3), places at 2-8 seats (figures 9, 11), what reading is worth.

    python experiments/fold_matches.py field          the styles among themselves, and their statistics
    python experiments/fold_matches.py heads-up       FOLD against each of the seven, 100 matches each
    python experiments/fold_matches.py seats          average place at 2 to 8 seats
    python experiments/fold_matches.py eight          the same at eight seats only
    python experiments/fold_matches.py reading        the same matches with uniform hands, and without implied odds

Format: 2000 chips, one rebuy of 2000, blinds 20/40, at most 600 hands. Heads-up each deck is played twice, seats
exchanged.
"""

import argparse
import itertools
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mingpai._native import handreading as reading
from mingpai._native import holdem as native
from mingpai.agents.holdem_styles import STYLES
from mingpai.core.random import seed_of, stream
from mingpai.games.holdem.notation import format_cards
from mingpai.games.holdem.rules import rules_of
from mingpai.methods.handreading.agent import FoldAgent, FoldSettings
from mingpai.methods.handreading.tournament import Player, Tournament, deck_of, heads_up
from mingpai.records.handhistory import Action, HandHistory
from mingpai.records.styles import style_statistics

RESULTS = Path(__file__).parent / "results"
SEED = 2026
Z = 1.96
"""Half-width of a 95% interval, in standard errors."""


def fold(**options: Any) -> FoldAgent:
    return FoldAgent(FoldSettings(**options), game="holdem", spec="fold", seed=SEED)


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error."""
    array = np.asarray(values, np.float64)
    return float(array.mean()), float(array.std(ddof=1) / np.sqrt(len(array)))


def row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    return [row(head), row(["---"] * len(head)), *map(row, rows)]


def field(matches: int) -> tuple[list[str], Any]:
    """Round-robin of the styles, and their statistics at a full table."""
    names = list(STYLES)
    wins = {name: {} for name in names}  # type: dict[str, dict[str, float]]
    for one, other in itertools.combinations(names, 2):
        won = float(heads_up(STYLES[one], STYLES[other], matches, SEED)["won"].mean())
        wins[one][other], wins[other][one] = won, 1 - won
    rows = [[name, *(f"{wins[name][other]:.2f}" if other != name else "-" for other in names),
             f"{np.mean(list(wins[name].values())):.2f}"] for name in names]  # fmt: skip
    found = style_statistics(_full_table([*names, "fold"], 1500))
    shown = [[name, f"{100 * (item.vpip or 0):.1f}", f"{100 * (item.pfr or 0):.1f}", f"{item.af or 0:.2f}",
              f"{100 * (item.wtsd or 0):.1f}", f"{100 * item.won / item.hands:+.0f}"]
             for name, item in found.items()]  # fmt: skip
    lines = [f"Win rates of {matches} matches each, heads-up:", "", *table(["", *names, "mean"], rows), "",
             "Statistics of 1500 hands at eight seats, 50 big blinds each hand:", "",
             *table(["player", "VPIP", "PFR", "AF", "WTSD", "bb/100"], shown)]  # fmt: skip
    return lines, {"wins": wins, "styles": {name: item.to_json() for name, item in found.items()}}


def _full_table(names: list[str], hands: int) -> list[HandHistory]:
    agent = fold()
    agent.start_match(names.index("fold"), len(names))
    styles = [STYLES[name].native if name in STYLES else None for name in names]
    found = []
    for number in range(hands):
        deck = deck_of(SEED, number)
        cards = [(deck[2 * s], deck[2 * s + 1]) for s in range(len(names))]
        board = deck[2 * len(names) : 2 * len(names) + 5]
        made = native.Table([2000] * len(names), number % len(names), 20, 40, 0, rules_of("").native, cards, board)
        step = 0
        while not made.is_over:
            reading.play_styles(made, styles, seed_of(SEED, number, step))
            step += 1
            if made.to_act is not None:
                made.act(*agent.act_on(made, made.to_act, seed_of(SEED, "fold", number, step)))
        agent.remember(made)
        found.append(_history(made, names))
    return found


def _history(made: native.Table, names: list[str]) -> HandHistory:
    order = sorted(range(made.seats), key=lambda seat: (seat - made.button - 1) % made.seats)
    place = {seat: index for index, seat in enumerate(order)}
    kinds: dict[Any, Any] = {native.ActionKind.FOLD: "fold", native.ActionKind.RAISE: "raise"}
    return HandHistory(
        stacks=tuple(made.starting_stacks[seat] for seat in order), posts=(20, 40) + (0,) * (made.seats - 2),
        antes=(0,) * made.seats, board=format_cards(made.board), players=tuple(names[seat] for seat in order),
        actions=tuple(Action(street, place[seat], kinds.get(kind, "call"), to)
                      for (seat, kind, to), street in zip(made.actions, made.action_streets, strict=True)),
        finishing=tuple(made.starting_stacks[seat] + made.payoffs()[seat] for seat in order),
    )  # fmt: skip


def table_3(matches: int) -> tuple[list[str], Any]:
    rows, data = [], {}
    for name, style in STYLES.items():
        found = heads_up(fold(), style, matches, SEED)
        won, error = mean(found["won"])
        margin, spread = mean(found["margin"])
        data[name] = {key: values.tolist() for key, values in found.items()}
        rows.append([name, f"{won:.2f} ± {Z * error:.2f}", f"{margin:+.0f} ± {spread:.0f}",
                     f"{found['hands'].mean():.0f}", f"{found['volatility'].mean() / 1e6:.2f}"])  # fmt: skip
        print(rows[-1], flush=True)
    won, error = mean([value for item in data.values() for value in item["won"]])
    margin, spread = mean([value for item in data.values() for value in item["margin"]])
    rows.append(["all", f"{won:.3f} ± {Z * error:.3f}", f"{margin:+.0f} ± {spread:.0f}", "", ""])
    lines = [f"FOLD heads-up, {matches} matches each: win rate with its 95% interval, chip margin with its standard",
             "error, hands, volatility F in millions.", "",
             *table(["against", "won", "margin", "hands", "F"], rows), "", *_convergence(data)]  # fmt: skip
    return lines, data


def _convergence(data: dict[str, dict[str, list[float]]]) -> list[str]:
    """Figure 8: how the order of the opponents by win rate settles with the number of matches."""
    steps = [n for n in (10, 20, 40, 70, 100) if n <= min(len(item["won"]) for item in data.values())]
    final = sorted(data, key=lambda name: np.mean(data[name]["won"]))
    rows = []
    for step in steps:
        order = sorted(data, key=lambda name: np.mean(data[name]["won"][:step]))
        rows.append([step, f"{np.mean([a == b for a, b in zip(order, final, strict=True)]):.2f}"])
    return ["Ranking of the opponents after some matches, share of places equal to the final ones (figure 8):", "",
            *table(["matches", "equal places"], rows)]  # fmt: skip


def seats(matches: int, numbers: Sequence[int] = range(2, 9)) -> tuple[list[str], Any]:
    rows, data = [], {}
    for number in numbers:
        places, chips, lasted, volatility, curves = [], [], [], [], []
        for match in range(matches):
            rng = stream(SEED, "seats", number, match)
            names = [str(name) for name in rng.choice(list(STYLES), number - 1, replace=False)]
            hero = match % number
            players: list[Player] = [STYLES[name] for name in names]
            players.insert(hero, fold())
            result = Tournament(players, seed_of(SEED, "seats", number, match)).play()[hero]
            places.append(result.place)
            chips.append(result.chips)
            lasted.append(result.lasted)
            volatility.append(result.volatility)
            curves.append(result.curve[::25])
        place, error = mean(places)
        data[number] = {"places": places, "chips": chips, "lasted": lasted, "volatility": volatility, "curves": curves}
        rows.append([number, f"{place:.2f} ± {Z * error:.2f}", f"{np.mean(chips):.0f} of {4000 * number}",
                     f"{np.mean(lasted):.0f}", f"{np.mean(volatility) / 1e6:.2f}"])  # fmt: skip
        print(rows[-1], flush=True)
    lines = [f"FOLD with random opponents of the seven, {matches} matches at each number of seats: average place with",
             "its 95% interval, chips at the end (a rebuy left included), hands lasted, volatility F in millions.", "",
             *table(["seats", "place", "chips", "hands", "F"], rows)]  # fmt: skip
    return lines, data


def eight(matches: int) -> tuple[list[str], Any]:
    """FOLD and all seven."""
    return seats(matches, [8])


def ablation(matches: int) -> tuple[list[str], Any]:
    variants: dict[str, dict[str, Any]] = {
        "FOLD": {}, "uniform hands": {"reading": "uniform"}, "no implied odds": {"implied_odds": False},
    }  # fmt: skip
    margins: dict[str, list[float]] = {}
    won: dict[str, list[float]] = {}
    for name, options in variants.items():
        for style in STYLES.values():
            found = heads_up(fold(**options), style, matches, SEED)
            margins.setdefault(name, []).extend(found["margin"])
            won.setdefault(name, []).extend(found["won"])
        print(name, np.mean(won[name]), flush=True)
    rows = []
    for name in variants:
        rate, error = mean(won[name])
        gain, spread = mean(np.subtract(won["FOLD"], won[name]).tolist()) if name != "FOLD" else (0.0, 0.0)
        chips, wide = mean(np.subtract(margins["FOLD"], margins[name]).tolist()) if name != "FOLD" else (0.0, 0.0)
        rows.append([name, f"{rate:.3f} ± {Z * error:.3f}", f"{gain:+.3f} ± {Z * spread:.3f}",
                     f"{chips:+.0f} ± {Z * wide:.0f}"])  # fmt: skip
    lines = [f"Heads-up against all seven, {matches} matches each on the same decks; what FOLD gains, 95%.", "",
             *table(["variant", "won", "FOLD gains, matches", "FOLD gains, chips"], rows)]  # fmt: skip
    return lines, {"won": won, "margins": margins}


PARTS: dict[str, tuple[Callable[[int], tuple[list[str], Any]], int]] = {
    "field": (field, 100), "heads-up": (table_3, 100), "seats": (seats, 100), "eight": (eight, 100),
    "reading": (ablation, 40),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--matches", type=int, default=0)
    options = parser.parse_args()
    run, default = PARTS[options.part]
    start = time.perf_counter()
    lines, data = run(options.matches or default)
    asked = f" --matches {options.matches}" if options.matches else ""
    command = f"`python experiments/fold_matches.py {options.part}{asked}`"
    spent = time.perf_counter() - start
    text = "\n".join([f"# FOLD: {options.part}", "", f"{command}, seed {SEED}, {spent:.0f} s.", "", *lines, ""])
    RESULTS.mkdir(exist_ok=True)
    name = f"fold_{options.part.replace('-', '_')}"
    (RESULTS / f"{name}.md").write_text(text)
    (RESULTS / f"{name}.json").write_text(json.dumps(data) + "\n")
    print(text)


if __name__ == "__main__":
    main()
