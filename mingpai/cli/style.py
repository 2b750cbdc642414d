"""`mingpai style`: the bidding styles of the players of a log of Dou Dizhu."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from mingpai.cli.output import AsJson, Lang, console, print_json, show
from mingpai.core.errors import BadSetting
from mingpai.core.reasons import LANGUAGES, Language
from mingpai.methods.bidding.compared import Compared, compare
from mingpai.methods.bidding.model import PAPER_MODEL
from mingpai.methods.bidding.plot import draw_styles
from mingpai.methods.bidding.raw import FAULTS, PAPER, Convention, Jokers, Seats
from mingpai.methods.bidding.style import CLASSES, LEAST_DECISIONS, Formula, PlayerStyle, StyleTable, styles_of_log

JokerOption = Annotated[str, typer.Option("--jokers", help="Raw logs: paper (X is the big joker) or usual (D is).")]
SeatOption = Annotated[
    str, typer.Option("--seats", help="Raw logs: which number of a bid or play is the seat, first or second.")
]

WORDS: dict[Language, dict[str, str]] = {
    "en": {"title": "Bidding styles in {file}: {records} games, benchmark {model}", "player": "player", "N": "N",
           "bids": "bids", "over": "over", "under": "under", "class": "style", "none": "fewer than {least} decisions",
           "count": "players", "classes": "Players by class", "more": "... and {more} more: --most, --player or --json",
           "bad": "{count} lines are no records: {why} (first: {lines})",
           "beside": "Decision by decision beside the benchmark (figure 11)", "number": "", "phase": "phase",
           "value": "bid so far", "hand": "hand", "did": "player", "benchmark": "benchmark", "chance": "p",
           "call": "call", "rob": "rob", "bid": "bid", "pass": "pass", "above": "over", "below": "under"},
    "zh": {"title": "{file} 中的叫牌风格：{records} 局，基准模型 {model}", "player": "玩家", "N": "N", "bids": "叫牌",
           "over": "高估", "under": "低估", "class": "风格", "none": "叫牌决策少于 {least} 次", "count": "玩家数",
           "classes": "各类风格的玩家数", "more": "……另有 {more} 名：--most、--player 或 --json",
           "bad": "{count} 行不是有效记录：{why}（最先出现于第 {lines} 行）",
           "beside": "与基准模型逐次对照（图 11）", "number": "", "phase": "阶段", "value": "当前叫分", "hand": "手牌",
           "did": "玩家", "benchmark": "基准", "chance": "p", "call": "叫牌", "rob": "抢地主", "bid": "叫",
           "pass": "不叫", "above": "高估", "below": "低估"},
}  # fmt: skip


def convention_of(jokers: str, seats: str) -> Convention:
    """The convention of two options; it checks them."""
    joker_names: dict[str, Jokers] = {"paper": "paper", "usual": "usual"}
    seat_names: dict[str, Seats] = {"first": "first", "second": "second"}
    if jokers not in joker_names:
        raise BadSetting("--jokers", jokers, "paper or usual")
    if seats not in seat_names:
        raise BadSetting("--seats", seats, "first or second")
    return Convention(jokers=joker_names[jokers], seats=seat_names[seats])


def language_of(text: str) -> Language:
    for language in LANGUAGES:
        if text == language:
            return language
    raise BadSetting("--lang", text, f"one of {', '.join(LANGUAGES)}")


def style(
    log: Annotated[Path, typer.Argument(help="A raw log, or Mingpai's own records (.jsonl).")],
    player: Annotated[str, typer.Option(help="Only this player, with his decisions beside the benchmark's.")] = "",
    printed: Annotated[
        bool,
        typer.Option(
            "--printed", help="The formula as the paper prints it, never negative, instead of the signed one."
        ),
    ] = False,
    plot: Annotated[Path | None, typer.Option(help="Also draw mu against sigma: NAME.svg or NAME.png.")] = None,
    model: Annotated[str, typer.Option(help="The benchmark: a model's name or folder.")] = PAPER_MODEL,
    most: Annotated[
        int,
        typer.Option(min=1, max=100_000, help="Players shown, those with the most decisions first; decisions shown."),
    ] = 20,
    jokers: JokerOption = PAPER.jokers,
    seats: SeatOption = PAPER.seats,
    language: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Bidding styles: how far each player's bids lie from the benchmark's, and which of six classes that makes.

    mu is the share of over-rated hands among those bid on, less the share of under-rated ones among those the benchmark
    bids on; sigma is how often the two differ. Ten decisions are the least that make a style.
    """
    spoken, formula = language_of(language), "printed" if printed else "signed"
    chosen: Formula = "printed" if formula == "printed" else "signed"
    table = styles_of_log(log, convention_of(jokers, seats), model)
    styles = [table.of(player)] if player else list(table.styles)
    if plot is not None:
        draw_styles(styles, plot, chosen, spoken)
    beside = compare(log, convention_of(jokers, seats), player, most, model) if player else []
    if as_json:
        decisions = {"decisions": [one.to_json() for one in beside]} if player else {}
        print_json(table.to_json() | {"players": [one.to_json() for one in styles]} | decisions)
        return
    _show(log, table, styles, chosen, spoken, most)
    if beside:
        _show_decisions(beside, spoken)
    if plot is not None:
        console.print(f"written: {plot}", markup=False)


def _show_decisions(decisions: list[Compared], language: Language) -> None:
    words = WORDS[language]
    marks = {1: words["above"], 0: "", -1: words["below"]}
    names = ("number", "phase", "value", "hand", "did", "benchmark", "chance")
    rows = [(number, words["rob" if one.phase else "call"], one.value, one.hand, words["bid" if one.bid else "pass"],
             words["bid" if one.benchmark else "pass"], f"{one.probability:.2f}", marks[one.deviation])
            for number, one in enumerate(decisions, 1)]  # fmt: skip
    show(words["beside"], (*(words[name] for name in names), "S"), rows)


def _show(
    log: Path, table: StyleTable, styles: list[PlayerStyle], formula: Formula, language: Language, most: int
) -> None:
    words = WORDS[language]
    none = words["none"].format(least=LEAST_DECISIONS)
    rows, classes = [], Counter[str]()
    for one in styles:
        kind = one.style(formula)
        name = none if kind is None else kind.name(language)
        classes[name] += 1
        rows.append((one.player, one.decisions, one.bids, one.over, one.under, f"{one.mu(formula):+.3f}",
                     f"{one.sigma:.3f}", name))  # fmt: skip
    columns = (words["player"], words["N"], words["bids"], words["over"], words["under"], "mu", "sigma", words["class"])
    show(words["title"].format(file=log.name, records=table.records, model=table.model), columns, rows[:most])
    if len(rows) > most:
        console.print(words["more"].format(more=len(rows) - most), markup=False)
    if len(styles) > 1:
        order = [*(kind.name(language) for kind in CLASSES), none]
        show(
            words["classes"],
            (words["class"], words["count"]),
            [(name, classes[name]) for name in order if classes[name]],
        )
    for name, (count, lines) in table.malformed.items():
        why = FAULTS[name][language] if name in FAULTS else name
        console.print(words["bad"].format(count=count, why=why, lines=", ".join(map(str, lines))), markup=False)
