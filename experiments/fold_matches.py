"""FOLD at the table: heads-up against each style (table 3), places at 2-8 seats (figures 9, 11), what reading is worth.

    python experiments/fold_matches.py field          the styles among themselves, and their statistics
    python experiments/fold_matches.py heads-up       FOLD against each style, 100 matches each
    python experiments/fold_matches.py seats          average place at 2 to 8 seats, 100 matches each
    python experiments/fold_matches.py reading        the matches of heads-up with uniform hands, without implied odds
    python experiments/fold_matches.py paper          the paper's FOLD (preset=paper) against each of the seven styles
    python experiments/fold_matches.py eight          all eight programs at one table: figures 11 and 12
    python experiments/fold_matches.py strangers      FOLD and its presets against players of other kinds
    python experiments/fold_matches.py strangers-eight  FOLD at eight seats with the strangers kept apart
    python experiments/fold_matches.py samples        figure 4: samples behind an equity, its error, its time
    python experiments/fold_matches.py actions        figure 5: shares of actions by class of hand

Format: 2000 chips, one rebuy of 2000, blinds 20/40, at most 600 hands. Heads-up each deck is played twice, seats
exchanged. Matches are kept in experiments/runs/fold as they end: stopped, a part goes on where it was; `--minutes`
stops it by itself.
"""

import argparse
import itertools
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pictures import svg_pyplot
from script import as_script

from mingpai._native import handreading as reading
from mingpai._native import holdem as native
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.holdem_strangers import APART, TUNED_ON
from mingpai.agents.holdem_styles import ALL_STYLES, STYLES
from mingpai.core.random import seed_of, stream
from mingpai.games.holdem.equity import category_of, rank_of
from mingpai.games.holdem.notation import format_cards
from mingpai.games.holdem.rules import rules_of
from mingpai.methods.handreading.agent import FoldAgent, FoldSettings
from mingpai.methods.handreading.hands import COMBOS, combo
from mingpai.methods.handreading.infer import unblocked
from mingpai.methods.handreading.tournament import Player, Tournament, deck_of, heads_up
from mingpai.records.handhistory import Action, HandHistory
from mingpai.records.styles import style_statistics

RESULTS = Path(__file__).parent / "results"
RUNS = Path(__file__).parent / "runs" / "fold"
SEED = 2026
Z = 1.96
"""Half-width of a 95% interval, in standard errors."""
SECONDS_HEADS_UP, SECONDS_AT_EIGHT = 0.5, 4.0
"""What a match costs on one core, for the estimate."""
STATISTICS_HANDS = 3000
CURVE_STEP = 25
"""Hands between two points of a chip curve."""

Record = dict[str, Any]


def fold(**options: Any) -> FoldAgent:
    return FoldAgent(FoldSettings(**options), game="holdem", spec="fold", seed=SEED)


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error."""
    array = np.asarray(values, np.float64)
    return float(array.mean()), float(array.std(ddof=1) / np.sqrt(len(array))) if len(array) > 1 else 0.0


def row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    return [row(head), row(["---"] * len(head)), *map(row, rows)]


@dataclass(frozen=True)
class Task:
    """One match to play."""

    key: str
    number: int
    seconds: float
    """What it costs, about."""
    play: Callable[[], Record]


class Log:
    """Matches already played: a JSON line each, so that a stopped run goes on."""

    def __init__(self, part: str) -> None:
        self.path = RUNS / f"{part}.jsonl"
        RUNS.mkdir(parents=True, exist_ok=True)
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        self.records: dict[tuple[str, int], Record] = {}
        for item in map(json.loads, lines):
            self.records[item["key"], item["number"]] = item

    def run(self, tasks: Sequence[Task], minutes: float) -> bool:
        """Play what is missing; False if the time was up first."""
        missing = [task for task in tasks if (task.key, task.number) not in self.records]
        print(
            f"{len(missing)} of {len(tasks)} matches to play, about {sum(t.seconds for t in missing) / 60:.0f} minutes"
        )
        start = time.perf_counter()
        with self.path.open("a") as file:
            for task in missing:
                if time.perf_counter() - start > 60 * minutes:
                    return False
                before = time.process_time()
                item = {"key": task.key, "number": task.number, **task.play()}
                item["seconds"] = round(time.process_time() - before, 2)
                self.records[task.key, task.number] = item
                file.write(json.dumps(item) + "\n")
                file.flush()
        return True

    def of(self, key: str) -> list[Record]:
        """Records of a key, by number."""
        return [item for (name, _), item in sorted(self.records.items()) if name == key]

    @property
    def seconds(self) -> float:
        return float(sum(item.get("seconds", 0.0) for item in self.records.values()))


# --- the field --------------------------------------------------------------------------------------------------------


def styles_meet(one: str, other: str, number: int) -> Record:
    """A deck played twice by two styles, seats exchanged."""
    return {"won": heads_up(ALL_STYLES[one], ALL_STYLES[other], 2, seed_of(SEED, "field", number))["won"].tolist()}


def field_tasks(matches: int) -> Iterator[Task]:
    for one, other in itertools.combinations(ALL_STYLES, 2):
        for number in range(0, matches, 2):
            yield Task(f"{one} {other}", number, 0.05, partial(styles_meet, one, other, number))


def field(log: Log) -> tuple[list[str], Any]:
    """Round-robin of the styles, and their statistics at eight seats."""
    names = list(ALL_STYLES)
    wins: dict[str, dict[str, float]] = {name: {} for name in names}
    matches = 0
    for one, other in itertools.combinations(names, 2):
        won = [value for item in log.of(f"{one} {other}") for value in item["won"]]
        matches = len(won)
        wins[one][other] = float(np.mean(won))
        wins[other][one] = 1 - wins[one][other]
    rows = [[name, *(f"{wins[name][other]:.2f}" if other != name else "-" for other in names),
             f"{np.mean(list(wins[name].values())):.2f}"] for name in names]  # fmt: skip
    found_styles = style_statistics(_full_tables([*names, "fold"], STATISTICS_HANDS))
    shown = [[name, f"{100 * (item.vpip or 0):.1f}", f"{100 * (item.pfr or 0):.1f}", f"{item.af or 0:.2f}",
              f"{100 * (item.wtsd or 0):.1f}", f"{100 * item.won / item.hands:+.0f}"]
             for name in [*names, "fold"] for item in (found_styles[name],)]  # fmt: skip
    lines = [f"Win rates of {matches} matches each, heads-up, each deck twice with the seats exchanged:", "",
             *table(["", *names, "mean"], rows), "",
             f"Statistics of {STATISTICS_HANDS} hands at eight seats, the players of each hand drawn from all ten, 50",
             "big blinds each hand (the contest field: 67/7/13, 42/13/1.1, 30/6/0.6, 22/22/0.2, 22/1/1.0, 49/2/1.3,",
             "7.5/0.1/0.4, 5.5/2.7/0.04):", "",
             *table(["player", "VPIP", "PFR", "AF", "WTSD", "bb/100"], shown)]  # fmt: skip
    return lines, {"wins": wins, "styles": {name: item.to_json() for name, item in found_styles.items()}}


def _full_tables(names: list[str], hands: int) -> list[HandHistory]:
    """Hands of eight players drawn from all; the agent remembers nobody, as seats change."""
    agent = fold(adapt=False)
    histories = []
    for number in range(hands):
        drawn = [str(name) for name in stream(SEED, "seats of", number).choice(names, 8, replace=False)]
        styles = [ALL_STYLES[name].native if name in ALL_STYLES else None for name in drawn]
        deck = deck_of(SEED, number)
        cards = [(deck[2 * s], deck[2 * s + 1]) for s in range(8)]
        made = native.Table([2000] * 8, number % 8, 20, 40, 0, rules_of("").native, cards, deck[16:21])
        step = 0
        while not made.is_over:
            reading.play_styles(made, styles, seed_of(SEED, number, step))
            step += 1
            if made.to_act is not None:
                made.act(*agent.act_on(made, made.to_act, seed_of(SEED, "fold", number, step)))
        histories.append(_history(made, drawn))
    return histories


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


# --- heads-up ---------------------------------------------------------------------------------------------------------


def duel(style: str, number: int, **options: Any) -> Record:
    """One match of FOLD; matches 2n and 2n + 1 have the same decks and exchanged seats."""
    pair: list[Player] = [fold(**options), ALL_STYLES[style]]
    mine = number % 2
    results = Tournament(pair[::-1] if mine else pair, seed_of(SEED, "match", number // 2)).play()
    own, other = results[mine], results[1 - mine]
    won = 1.0 if own.place < other.place else 0.0 if own.place > other.place else 0.5
    return {"won": won, "margin": own.chips - other.chips, "hands": own.lasted, "volatility": own.volatility,
            "curve": own.curve[::CURVE_STEP]}  # fmt: skip


def heads_up_tasks(matches: int) -> Iterator[Task]:
    for number, name in itertools.product(range(matches), ALL_STYLES):
        yield Task(name, number, SECONDS_HEADS_UP, partial(duel, name, number))


def _duel_row(name: str, items: Sequence[Record]) -> list[object]:
    won, error = mean([item["won"] for item in items])
    margin, spread = mean([item["margin"] for item in items])
    hands, volatility = (np.mean([item[key] for item in items]) for key in ("hands", "volatility"))
    return [name, len(items), f"{won:.3f} ± {Z * error:.3f}", f"{margin:+.0f} ± {spread:.0f}", f"{hands:.0f}",
            f"{volatility / 1e6:.2f}"]  # fmt: skip


def table_3(log: Log) -> tuple[list[str], Any]:
    by_style = {name: log.of(name) for name in ALL_STYLES}
    rows = [_duel_row(name, items) for name, items in by_style.items()]
    seven = [item for name in STYLES for item in by_style[name]]
    rows.insert(len(STYLES), _duel_row("**the seven**", seven))
    _plot_convergence({name: [item["won"] for item in items] for name, items in by_style.items()})
    lines = ["FOLD heads-up: win rate with its 95% interval, chip margin with its standard error, hands lasted,",
             "volatility F in millions. Below the seven, the two styles that complete the measured spread.", "",
             *table(["against", "matches", "won", "margin", "hands", "F"], rows), "",
             *_convergence({name: [item["won"] for item in by_style[name]] for name in STYLES}), "",
             "![Win rate by the number of matches](fold_convergence.svg)"]  # fmt: skip
    kept = ("won", "margin", "hands", "volatility")
    return lines, {name: {key: [item[key] for item in items] for key in kept} for name, items in by_style.items()}


def _convergence(won: dict[str, list[float]]) -> list[str]:
    """Figure 8: how the order of the opponents by win rate settles with the number of matches."""
    steps = [n for n in (10, 20, 40, 70, 100) if n <= min(len(item) for item in won.values())]
    rows = []
    for step in steps:
        close = [abs(np.mean(item[:step]) - np.mean(item)) for item in won.values()]
        rows.append([step, f"{np.mean([x for item in won.values() for x in item[:step]]):.3f}", f"{max(close):.3f}"])
    return ["Convergence (figure 8): win rate over the seven after some matches, and the furthest that the rate",
            "against one of them still is from its final value:", "",
            *table(["matches", "won", "furthest"], rows)]  # fmt: skip


def _plot_convergence(won: dict[str, list[float]]) -> None:
    plt = svg_pyplot("fold")
    figure, axes = plt.subplots(figsize=(7, 4))
    for name, item in won.items():
        axes.plot(np.arange(1, len(item) + 1), np.cumsum(item) / np.arange(1, len(item) + 1), label=name)
    axes.set_xlabel("matches")
    axes.set_ylabel("win rate of FOLD")
    axes.legend(fontsize="small", ncols=3)
    figure.savefig(RESULTS / "fold_convergence.svg", metadata={"Date": None}, bbox_inches="tight")


# --- several seats ----------------------------------------------------------------------------------------------------


def tournament(seats: int, number: int, **options: Any) -> Record:
    """FOLD among random styles of the seven; at eight seats among all of them."""
    rng = stream(SEED, "seats", seats, number)
    players: list[Player] = [STYLES[str(name)] for name in rng.choice(list(STYLES), seats - 1, replace=False)]
    hero = number % seats
    players.insert(hero, fold(**options))
    results = Tournament(players, seed_of(SEED, "seats", seats, number)).play()
    own = results[hero]
    best = max((r for s, r in enumerate(results) if s != hero), key=lambda r: -r.place)
    return {"place": own.place, "chips": own.chips, "hands": own.lasted, "volatility": own.volatility,
            "curve": own.curve[::CURVE_STEP], "best": best.curve[::CURVE_STEP]}  # fmt: skip


def seats_tasks(matches: int) -> Iterator[Task]:
    fewer = itertools.product(range(matches), range(2, 8))
    for number, seats in itertools.chain(((number, 8) for number in range(matches)), fewer):
        cost = SECONDS_HEADS_UP + (SECONDS_AT_EIGHT - SECONDS_HEADS_UP) * (seats - 2) / 6
        yield Task(str(seats), number, cost, partial(tournament, seats, number))


def places(log: Log) -> tuple[list[str], Any]:
    rows, data = [], {}
    for number in range(2, 9):
        items = log.of(str(number))
        if not items:
            continue
        place, error = mean([item["place"] for item in items])
        chips, hands, volatility = (np.mean([item[key] for item in items]) for key in ("chips", "hands", "volatility"))
        first = np.mean([item["place"] == 1 for item in items])
        data[number] = {key: [item[key] for item in items] for key in ("place", "chips", "hands", "volatility")}
        rows.append([number, len(items), f"{place:.2f} ± {Z * error:.2f}", f"{first:.2f}",
                     f"{chips:.0f} of {4000 * number}", f"{hands:.0f}", f"{volatility / 1e6:.2f}"])  # fmt: skip
    _plot_curves(log.of("8"))
    lines = ["FOLD with random opponents of the seven (at eight seats all of them): average place with its 95%",
             "interval, share of first places, chips at the end (a rebuy left included), hands, volatility F in",
             "millions.", "",
             *table(["seats", "matches", "place", "first", "chips", "hands", "F"], rows), "",
             "![Chips in the course of matches at eight seats](fold_curves.svg)"]  # fmt: skip
    return lines, data


def _plot_curves(items: Sequence[Record]) -> None:
    """Figure 10: chips of FOLD in the course of the matches at eight seats, single ones and the mean."""
    plt = svg_pyplot("fold")
    length = max(len(item["curve"]) for item in items)
    padded = {key: np.array([item[key] + [item[key][-1]] * (length - len(item[key])) for item in items])
              for key in ("curve", "best")}  # fmt: skip
    hands = 1 + CURVE_STEP * np.arange(length)
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot(hands, padded["curve"][:12].T, color="C0", alpha=0.25, linewidth=0.8)
    axes.plot(hands, padded["curve"].mean(axis=0), color="C0", linewidth=2.5, label="FOLD, mean")
    axes.plot(hands, padded["best"].mean(axis=0), color="C1", linewidth=2.5, label="best opponent, mean")
    axes.set_xlabel("hands")
    axes.set_ylabel("chips, a rebuy left included")
    axes.legend()
    figure.savefig(RESULTS / "fold_curves.svg", metadata={"Date": None}, bbox_inches="tight")


# --- what reading is worth --------------------------------------------------------------------------------------------

VARIANTS: dict[str, dict[str, Any]] = {
    "uniform hands": {"reading": "uniform"}, "no implied odds": {"implied_odds": False},
}  # fmt: skip
"""FOLD itself plays the same matches in the part heads-up."""


def reading_tasks(matches: int) -> Iterator[Task]:
    for number, name, variant in itertools.product(range(matches), STYLES, VARIANTS):
        yield Task(f"{variant}: {name}", number, SECONDS_HEADS_UP, partial(duel, name, number, **VARIANTS[variant]))


def ablation(log: Log) -> tuple[list[str], Any]:
    whole = Log("heads-up")
    rows, data, each = [], {}, 0
    for variant in VARIANTS:
        pairs = [(own, other) for name in STYLES for other in log.of(f"{variant}: {name}")
                 if (own := whole.records.get((name, other["number"])))]  # fmt: skip
        each = len(pairs) // len(STYLES)
        won, margins = ([(own[key], other[key]) for own, other in pairs] for key in ("won", "margin"))
        rate, error = mean([other for _, other in won])
        gain, spread = mean([own - other for own, other in won])
        chips, wide = mean([own - other for own, other in margins])
        data[variant] = {"won": won, "margin": margins}
        rows.append([variant, len(pairs), f"{np.mean([own for own, _ in won]):.3f}", f"{rate:.3f} ± {Z * error:.3f}",
                     f"{gain:+.3f} ± {Z * spread:.3f}", f"{chips:+.0f} ± {Z * wide:.0f}"])  # fmt: skip
    lines = [f"Heads-up against the seven, {each} matches each on the same decks; what FOLD gains, with 95% intervals.",
             "Uniform hands: opponents' styles are still learned, but nothing is read from their actions in the hand.",
             "No implied odds: calls of draws with eight outs or more are valued at their price alone.", "",
             *table(["variant", "matches", "FOLD won", "variant won", "FOLD gains", "FOLD gains, chips"], rows),
             ]  # fmt: skip
    return lines, data


# --- the paper's FOLD -------------------------------------------------------------------------------------------------

PAPER = dict(FoldAgent.presets["paper"])
SECONDS_PAPER = 0.3


def paper_tasks(matches: int) -> Iterator[Task]:
    for number, name in itertools.product(range(matches), STYLES):
        yield Task(name, number, SECONDS_PAPER, partial(duel, name, number, **PAPER))


def paper_table(log: Log) -> tuple[list[str], Any]:
    by_style = {name: log.of(name) for name in STYLES if log.of(name)}
    rows = [_duel_row(name, items) for name, items in by_style.items()]
    rows.append(_duel_row("**the seven**", [item for items in by_style.values() for item in items]))
    lines = ["`fold:preset=paper` heads-up; the thresholds were found on other decks. Win rate with its 95% interval,",
             "chip margin with its standard error, hands lasted, volatility F in millions.", "",
             *table(["against", "matches", "won", "margin", "hands", "F"], rows)]  # fmt: skip
    kept = ("won", "margin", "hands", "volatility")
    return lines, {name: {key: [item[key] for item in items] for key in kept} for name, items in by_style.items()}


# --- all eight programs -----------------------------------------------------------------------------------------------


def eight(number: int) -> Record:
    """FOLD and the seven styles at one table: what each of them did."""
    names = ["fold", *STYLES]
    order = [names[int(i)] for i in stream(SEED, "eight", number).permutation(len(names))]
    players: list[Player] = [fold() if name == "fold" else STYLES[name] for name in order]
    results = Tournament(players, seed_of(SEED, "eight", number)).play()
    return {"players": {name: [result.place, result.chips, result.lasted, result.volatility]
                        for name, result in zip(order, results, strict=True)}}  # fmt: skip


def eight_tasks(matches: int) -> Iterator[Task]:
    for number in range(matches):
        yield Task("eight", number, SECONDS_AT_EIGHT, partial(eight, number))


def eight_table(log: Log) -> tuple[list[str], Any]:
    items = [item["players"] for item in log.of("eight")]
    rows = []
    for name in ("fold", *STYLES):
        columns = np.array([item[name] for item in items], np.float64)
        place, error = mean(list(columns[:, 0]))
        chips, hands, volatility = columns[:, 1:].mean(axis=0)
        rows.append([name, f"{place:.2f} ± {Z * error:.2f}", f"{chips:.0f}", f"{hands:.0f}", f"{volatility / 1e6:.2f}"])
    rows.sort(key=lambda cells: cells[1])
    lines = [f"All eight programs at one table, {len(items)} matches: average place with its 95% interval (figure 11),",
             "chips at the end, hands lasted and volatility F in millions (figure 12).", "",
             *table(["program", "place", "chips", "hands", "F"], rows)]  # fmt: skip
    return lines, items


# --- strangers --------------------------------------------------------------------------------------------------------

CANDIDATES: dict[str, dict[str, Any]] = {
    "fold": {}, "value": dict(FoldAgent.presets["value"]), "blend": {"policy": "blend"},
}  # fmt: skip
"""FOLD, its preset and the blend of both: compared on the strangers that may be tuned on."""
SECONDS_STRANGER, SECONDS_STRANGERS = 1.0, 6.0
EARLY = 62
"""Hands within which a bust is early."""


def meeting(stranger: str, number: int, **options: Any) -> Record:
    """One match of FOLD against a stranger; matches 2n and 2n + 1 have the same decks and exchanged seats."""
    other: Any = REGISTRY.agent("holdem", stranger, SEED)
    pair: list[Player] = [fold(**options), other]
    mine = number % 2
    results = Tournament(pair[::-1] if mine else pair, seed_of(SEED, "stranger", number // 2)).play()
    own, rival = results[mine], results[1 - mine]
    won = 1.0 if own.place < rival.place else 0.0 if own.place > rival.place else 0.5
    return {"won": won, "margin": own.chips - rival.chips, "hands": own.lasted, "volatility": own.volatility}


def stranger_tasks(matches: int) -> Iterator[Task]:
    """The default against everybody, those kept apart first; the other candidates where they may be compared."""
    pairs = [("fold", APART), ("fold", TUNED_ON), *((preset, TUNED_ON) for preset in CANDIDATES if preset != "fold")]
    for preset, names in pairs:
        for number, name in itertools.product(range(matches), names):
            play = partial(meeting, name, number, **CANDIDATES[preset])
            yield Task(f"{preset}: {name}", number, SECONDS_STRANGER, play)


def _stranger_row(name: str, items: Sequence[Record]) -> list[object]:
    won, error = mean([item["won"] for item in items])
    lost = [item for item in items if item["won"] == 0]
    early = sum(item["hands"] <= EARLY for item in lost)
    hands = np.mean([item["hands"] for item in items])
    return [name, len(items), f"{won:.3f} ± {Z * error:.3f}", f"{hands:.0f}", early]


def stranger_table(log: Log) -> tuple[list[str], Any]:
    lines = ["Heads-up against players of other kinds (`mingpai/agents/holdem_strangers.py`): win rates with 95%",
             f"intervals, hands lasted, matches lost within {EARLY} hands.", ""]  # fmt: skip
    for preset, names, title in (
        ("fold", APART, "kept apart"),
        *((c, TUNED_ON, "may be tuned on") for c in CANDIDATES),
    ):
        by_stranger = {name: items for name in names if (items := log.of(f"{preset}: {name}"))}
        if not by_stranger:
            continue
        rows = [_stranger_row(name, items) for name, items in by_stranger.items()]
        rows.append(_stranger_row("**all**", [item for items in by_stranger.values() for item in items]))
        lines += [f"`{preset}`, strangers that are {title}:".replace("are may", "may"), "",
                  *table(["against", "matches", "won", "hands", "lost early"], rows), ""]  # fmt: skip
    return lines, {f"{key} {number}": item["won"] for (key, number), item in log.records.items()}


def strangers_at_eight(number: int) -> Record:
    """FOLD and seven strangers kept apart, each kind at least once."""
    rng = stream(SEED, "strangers", number)
    names = [*APART, *(str(name) for name in rng.choice(APART, 7 - len(APART)))]
    players: list[Any] = [REGISTRY.agent("holdem", names[int(i)], SEED) for i in rng.permutation(7)]
    hero = number % 8
    players.insert(hero, fold())
    results = Tournament(players, seed_of(SEED, "strangers at eight", number)).play()
    own = results[hero]
    return {"place": own.place, "chips": own.chips, "hands": own.lasted}


def stranger_eight_tasks(matches: int) -> Iterator[Task]:
    for number in range(matches):
        yield Task("eight", number, SECONDS_STRANGERS, partial(strangers_at_eight, number))


def stranger_eight_table(log: Log) -> tuple[list[str], Any]:
    items = log.of("eight")
    place, error = mean([item["place"] for item in items])
    first = np.mean([item["place"] == 1 for item in items])
    chips, hands = (np.mean([item[key] for item in items]) for key in ("chips", "hands"))
    early = sum(item["hands"] <= EARLY for item in items)
    lines = [f"FOLD and seven strangers kept apart ({', '.join(APART)}, some twice) at eight seats.", "",
             *table(["matches", "place", "first", "chips of 32000", "hands", f"busts within {EARLY} hands"],
                    [[len(items), f"{place:.2f} ± {Z * error:.2f}", f"{first:.2f}", f"{chips:.0f}", f"{hands:.0f}",
                      early]])]  # fmt: skip
    return lines, items


# --- figures 4 and 5 --------------------------------------------------------------------------------------------------

SAMPLE_STEPS = (25, 50, 100, 200, 400, 500, 700, 1000, 2000)


def sampled(number: int) -> Record:
    """A random flop in a pot of four with random ranges: equity by every number of samples, and what it took."""
    rng = stream(SEED, "samples", number)
    cards = [int(card) for card in rng.permutation(52)[:5]]
    own = np.zeros(COMBOS, np.float32)
    own[combo(cards[0], cards[1])] = 1
    free = unblocked(cards)
    ranges = np.stack([own, *(free * rng.random(COMBOS).astype(np.float32) ** 4 for _ in range(3))])
    board = sum(1 << card for card in cards[2:])
    estimates: dict[str, list[float]] = {}
    for samples in SAMPLE_STEPS:
        how = native.EquitySettings(native.EquityMethod.INDEPENDENT, samples, 0.0, number, 1, 0.0)
        start = time.perf_counter()
        equity = float(native.equity(ranges, board, 0, how, None).equities[0])
        estimates[str(samples)] = [equity, time.perf_counter() - start]
    exact = native.EquitySettings(native.EquityMethod.INDEPENDENT, 1_000_000, 0.0, number + 1, 1, 0.0)
    return {"found": estimates, "limit": float(native.equity(ranges, board, 0, exact, None).equities[0])}


def sample_tasks(matches: int) -> Iterator[Task]:
    for number in range(matches):
        yield Task("samples", number, 0.2, partial(sampled, number))


def sample_table(log: Log) -> tuple[list[str], Any]:
    items = log.of("samples")
    rows = []
    for samples in map(str, SAMPLE_STEPS):
        errors = [abs(item["found"][samples][0] - item["limit"]) for item in items]
        share = [error / max(item["limit"], 1e-9) for error, item in zip(errors, items, strict=True)]
        seconds = np.median([item["found"][samples][1] for item in items])
        rows.append([samples, f"{np.mean(errors):.4f}", f"{100 * np.mean(share):.2f}%", f"{1e3 * seconds:.3f}"])
    lines = [f"Figure 4 on {len(items)} random flops in pots of four with random weighted ranges: mean error of equity",
             "against a million samples, the same by the equity, and the median time of one core in milliseconds.", "",
             *table(["samples", "error", "by the equity", "ms"], rows)]  # fmt: skip
    return lines, items


CLASSES = ("high card", "pair", "two pair or trips", "straight or better")
"""Classes of hands in figure 5, by what was made on the street."""
ACTIONS = ("fold", "check", "call", "raise")


def class_of(cards: Sequence[int]) -> int:
    """The class of a hand of figure 5."""
    kind = int(category_of(rank_of(list(cards))))
    return min(kind, 2) if kind < 4 else 3


class Watching:
    """FOLD that also counts what every seat does after the flop, by class of hand and kind of action."""

    def __init__(self, seats: int) -> None:
        self.counts = np.zeros((seats, len(CLASSES), len(ACTIONS)), int)
        self._fold = fold()

    def start_match(self, seat: int, seats: int) -> None:
        self._fold.start_match(seat, seats)

    def act_on(self, table: native.Table, seat: int, seed: int) -> tuple[native.ActionKind, int]:
        return self._fold.act_on(table, seat, seed)

    def remember(self, table: native.Table) -> None:
        self._fold.remember(table)
        for (seat, kind, _), street in zip(table.actions, table.action_streets, strict=True):
            held = table.hands[seat]
            if street > 0 and held is not None:
                cards = [*held, *table.full_board[: street + 2]]
                self.counts[seat, class_of(cards), _KIND_ORDER.index(kind)] += 1


def acted(number: int) -> Record:
    """FOLD and the seven at one table: actions after the flop of each program."""
    watching = Watching(1 + len(STYLES))
    Tournament([watching, *STYLES.values()], seed_of(SEED, "actions", number)).play()
    return {"counts": dict(zip(("fold", *STYLES), watching.counts.tolist(), strict=True))}


_KIND_ORDER = [native.ActionKind.FOLD, native.ActionKind.CHECK, native.ActionKind.CALL, native.ActionKind.RAISE]


def action_tasks(matches: int) -> Iterator[Task]:
    for number in range(matches):
        yield Task("actions", number, SECONDS_AT_EIGHT, partial(acted, number))


def action_table(log: Log) -> tuple[list[str], Any]:
    items = log.of("actions")
    total = {name: np.sum([item["counts"][name] for item in items], axis=0) for name in ("fold", *STYLES)}
    rows = []
    for name, counts in total.items():
        for kind, row_ in zip(CLASSES, counts, strict=True):
            shares = [f"{share:.2f}" for share in row_ / max(row_.sum(), 1)]
            rows.append([name, kind, int(row_.sum()), *shares])
    lines = [f"Figure 5: what each program does after the flop with each class of hand, in {len(items)} matches of all",
             "eight: shares of its actions.", "", *table(["program", "hand", "actions", *ACTIONS], rows)]  # fmt: skip
    return lines, {name: counts.tolist() for name, counts in total.items()}


@dataclass(frozen=True)
class Part:
    """A table: its matches, how it is told, how many matches it takes by default."""

    tasks: Callable[[int], Iterator[Task]]
    tell: Callable[[Log], tuple[list[str], Any]]
    matches: int


PARTS = {
    "field": Part(field_tasks, field, 100), "heads-up": Part(heads_up_tasks, table_3, 100),
    "seats": Part(seats_tasks, places, 100), "reading": Part(reading_tasks, ablation, 40),
    "paper": Part(paper_tasks, paper_table, 100), "eight": Part(eight_tasks, eight_table, 100),
    "strangers": Part(stranger_tasks, stranger_table, 100),
    "strangers-eight": Part(stranger_eight_tasks, stranger_eight_table, 100),
    "samples": Part(sample_tasks, sample_table, 40),
    "actions": Part(action_tasks, action_table, 10),
}  # fmt: skip


def use_seed(seed: int) -> None:
    """Take other decks; their matches and tables get folders of their own."""
    global SEED, RUNS, RESULTS
    if seed != SEED:
        SEED, RUNS, RESULTS = seed, RUNS / f"seed_{seed}", RESULTS / f"seed_{seed}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--matches", type=int, default=0, help="of each row of the table")
    parser.add_argument("--tell", action="store_true", help="write the table of the matches played so far")
    parser.add_argument("--minutes", type=float, default=20, help="stop after so many; started again it goes on")
    parser.add_argument("--seed", type=int, default=SEED, help="of decks and players; others than the default apart")
    options = parser.parse_args()
    use_seed(options.seed)
    part = PARTS[options.part]
    log = Log(options.part)
    minutes = 0.0 if options.tell else options.minutes
    if not log.run(list(part.tasks(options.matches or part.matches)), minutes) and not options.tell:
        print("the time is up; the same command goes on from here")
        return
    RESULTS.mkdir(exist_ok=True)
    lines, data = part.tell(log)
    asked = f" --matches {options.matches}" if options.matches else ""
    asked += f" --seed {options.seed}" if "seed_" in RESULTS.name else ""
    command = f"`python experiments/fold_matches.py {options.part}{asked}`"
    spent = f"{log.seconds:.0f} s of one core"
    text = "\n".join([f"# FOLD: {options.part}", "", f"{command}, seed {SEED}, {spent}.", "", *lines, ""])
    name = f"fold_{options.part.replace('-', '_')}"
    (RESULTS / f"{name}.md").write_text(text)
    (RESULTS / f"{name}.json").write_text(json.dumps(data) + "\n")
    print(text)


if __name__ == "__main__":
    as_script(main)
