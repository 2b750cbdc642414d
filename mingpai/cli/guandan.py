"""`mingpai explain` and `mingpai eval`: recorded rounds of Guandan through the eyes of ABL-GD."""

import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import track

from mingpai.agents.catalogue import REGISTRY
from mingpai.cli.explain import show_decision
from mingpai.cli.output import AsJson, Lang, console, print_json, show
from mingpai.cli.records import find_record
from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.core.reasons import Language
from mingpai.records.record import Record

if TYPE_CHECKING:
    from mingpai.methods.abduction.agent import AblgdAgent
    from mingpai.methods.abduction.story import Explained

Game = Annotated[str, typer.Argument(metavar="GAME", help="guandan")]
Spec = Annotated[str, typer.Option("--agent", help="ablgd, with options.")]
STORE = Path("records.duckdb")

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "move": "move",
        "of": "of",
        "seat": "seat",
        "recorded": "recorded",
        "hand": "hand",
        "estimate": "Estimated hand of seat",
        "truth": "in brackets what it really holds",
        "pseudo": "Pseudo-actions",
        "action": "pseudo-action",
        "probability": "probability",
        "plays": "Candidates of",
        "play": "play",
        "score": "score",
        "inconsistency": "inconsistency",
        "broken": "rules it breaks",
        "decided": "decided by",
        "hard": "Rules that nothing outweighs",
        "rule": "rule",
        "ruled": "rules out here",
        "value": "expected score",
        "final": "final scores",
        "suit": "suit",
        "jokers": "jokers",
    },
    "zh": {
        "move": "第",
        "of": "手，共",
        "seat": "座位",
        "recorded": "实战",
        "hand": "手牌",
        "estimate": "估计手牌，座位",
        "truth": "括号内为真实张数",
        "pseudo": "伪动作",
        "action": "伪动作",
        "probability": "概率",
        "plays": "候选出牌：",
        "play": "出牌",
        "score": "得分",
        "inconsistency": "不一致度",
        "broken": "违反的规则",
        "decided": "决定性规则",
        "hard": "硬规则",
        "rule": "规则",
        "ruled": "此处排除",
        "value": "期望得分",
        "final": "终局得分",
        "suit": "花色",
        "jokers": "王",
    },
}


def _agent(spec: str) -> "AblgdAgent":
    from mingpai.methods.abduction.agent import AblgdAgent

    made = REGISTRY.agent("guandan", spec)
    if not isinstance(made, AblgdAgent):
        raise BadSetting("agent", spec, "ablgd, with options: only it estimates hands and abduces")
    return made


def _check_game(game: str) -> None:
    if game != "guandan":
        raise BadSetting("game", game, "guandan: `mingpai decide` explains positions of the other games")


def explain(
    game: Game,
    record: Annotated[str, typer.Argument(metavar="RECORD", help="FILE[:LINE] or the start of a key in the store.")],
    at: Annotated[int, typer.Option("--at", help="Number of the move, from 1.")],
    agent: Spec = "ablgd",
    store: Annotated[Path, typer.Option("--store", envvar="MINGPAI_STORE", help="The DuckDB file.")] = STORE,
    language: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Explain a move of a recorded round: estimated hands, pseudo-actions, candidates and the rules that decided."""
    from mingpai.methods.abduction.story import explain as explained

    _check_game(game)
    moment = explained(find_record(record, store), at, _agent(agent))
    if as_json:
        print_json(moment.to_json())
    else:
        _show(moment, "zh" if language == "zh" else "en")


def _show(moment: "Explained", language: Language) -> None:
    from mingpai.games.guandan.notation import cards_text
    from mingpai.methods.abduction.knowledge import knowledge
    from mingpai.methods.abduction.stages import AbducedNote

    words = WORDS[language]
    place = f"{words['move']} {moment.number} {words['of']} {moment.moves}, {words['seat']} {moment.view.seat}"
    hand = f"{words['hand']} {cards_text(moment.view.hand)}"
    console.print(f"{place}, {hand}; {words['recorded']} {moment.played}", markup=False)
    for seat, row in moment.estimated().items():
        show_hand(f"{words['estimate']} {seat} ({words['truth']})", row.tolist(), moment.truth[seat].tolist(), words)
    show(words["hard"], (words["rule"], words["ruled"]),
         [(one.rule.texts[language], str(one.count)) for one in moment.ruled_out()])  # fmt: skip
    note = moment.decision.stages.decide
    if isinstance(note, AbducedNote):
        show(words["pseudo"], (words["action"], words["probability"]),
             [(name, f"{chance:.3f}") for name, chance in note.pseudo_actions.items()])  # fmt: skip
        texts = {rule.name: rule.texts[language] for rule in knowledge().soft}
        rows = [(one.play, f"{one.probability:.3f}", f"{one.inconsistency:.2f}",
                 "; ".join(f"{texts[name]} ({amount:g})" for name, amount in one.broken.items()))
                for one in note.plays]  # fmt: skip
        columns = (words["play"], words["score"], words["inconsistency"], words["broken"])
        show(f"{words['plays']} {note.played}", columns, rows)
        if note.deciding_rules:
            deciding = "; ".join(texts[name] for name in note.deciding_rules)
            console.print(f"{words['decided']}: {deciding}", markup=False)
        scores = "  ".join(f"{score} {chance:.2f}" for score, chance in note.value.scores.items())
        console.print(f"{words['value']} {note.value.expected:+.2f}; {words['final']}: {scores}", markup=False)
    show_decision(dataclasses.replace(moment.decision, belief=None), language)


def show_hand(title: str, row: list[float], truth: list[float], words: dict[str, str]) -> None:
    """Estimated copies by suit and rank, as in the paper's figure 4."""
    from mingpai.games.guandan.notation import RANKS, SUITS

    def cell(kind: int) -> str:
        if row[kind] < 0.005 and not truth[kind]:
            return "."
        return f"{row[kind]:.2f}" + (f" ({truth[kind]:g})" if truth[kind] else "")

    rows = [(suit, *(cell(4 * rank + number) for rank in range(len(RANKS)))) for number, suit in enumerate(SUITS)]
    show(title, (words["suit"], *RANKS), rows)
    console.print(f"{words['jokers']}: SB {cell(52)}, HR {cell(53)}", markup=False)


def evaluate(
    game: Game,
    records: Annotated[list[Path], typer.Argument(metavar="RECORDS", help="JSON Lines files.")],
    agent: Spec = "ablgd",
    as_json: AsJson = False,
) -> None:
    """How often ABL-GD's choice is the recorded one (type and rank), and its score the recorded one (table 6)."""
    from mingpai.methods.abduction.story import by_stage
    from mingpai.methods.abduction.story import evaluate as asked

    _check_game(game)
    player = _agent(agent)
    read = list(_read(records))
    shown = read if as_json else track(read, description="rounds", transient=True)
    stages = by_stage(list(asked(shown, player)))
    if not stages["all"].decisions:
        raise MingpaiError("no finished round of guandan with a choice in it")
    if as_json:
        print_json({"rounds": len(read), "agent": agent, "stages": {
            name: {"decisions": one.decisions, "action": _number(one.action), "score": _number(one.score)}
            for name, one in stages.items()
        }})  # fmt: skip
        return
    columns = ("plays before the end", "decisions", "action %", "score %")
    show(f"Agreement of {agent} with {len(read)} rounds", columns, [
        (name, one.decisions, _percent(one.action), _percent(one.score)) for name, one in stages.items()
    ])  # fmt: skip


def _read(paths: list[Path]) -> Iterator[Record]:
    from mingpai.records.jsonl import read_records

    for path in paths:
        for record in read_records(path):
            if record.game != "guandan":
                raise MingpaiError(f"{path}: a record of {record.game}, not of guandan")
            yield record


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def _percent(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.1f}"
