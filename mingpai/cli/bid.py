"""`mingpai bid`: how probable a bid is, and which cards make it so."""

from typing import Annotated

import typer

from mingpai._native.doudizhu import Bidding
from mingpai.cli.output import AsJson, Lang, console, print_json, show
from mingpai.cli.style import language_of
from mingpai.core.errors import BadSetting
from mingpai.core.reasons import Language, Reason
from mingpai.games.doudizhu.notation import cards_text, parse_cards
from mingpai.methods.bidding.model import CALIBRATED, DEALT_CARDS, BidModel, Effect
from mingpai.methods.bidding.situation import CALL, MOST_VALUE, ROB, BidSituation, situation_after

SHOWN = 5
"""Cards that are named as reasons."""

WORDS: dict[Language, dict[str, str]] = {
    "en": {"cards": "cards", "shift": "moves the probability by", "title": "What moves it most", "bid": "bid",
           "no": "no bid", "call": "call", "rob": "rob"},
    "zh": {"cards": "牌", "shift": "对概率的影响", "title": "影响最大的牌", "bid": "叫", "no": "不叫",
           "call": "叫牌阶段", "rob": "抢地主阶段"},
}  # fmt: skip


def bid(
    hand: Annotated[str, typer.Argument(help="The 17 cards, for example 3577788TQKKKKA22X (X small joker, D big).")],
    phase: Annotated[str, typer.Option(help="call or rob; by default what the bids make it.")] = "",
    bids: Annotated[str, typer.Option(help="The bids so far, in order: 0,1 or with --callrob 0,1,1.")] = "",
    callrob: Annotated[bool, typer.Option("--callrob", help="Call and rob instead of scores.")] = False,
    model: Annotated[str, typer.Option(help="A model's name or folder.")] = CALIBRATED,
    language: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """The probability that a strong player bids on a hand of Dou Dizhu, and the cards that move it most."""
    spoken, cards = language_of(language), parse_cards(hand)
    if (count := sum(cards >> (4 * rank) & 15 for rank in range(15))) != DEALT_CARDS:
        raise BadSetting("hand", hand, f"{DEALT_CARDS} cards, found {count}")
    asked = _situation(phase, bids, callrob)
    benchmark = BidModel(model)
    chance = float(benchmark.probabilities(asked.phase, asked.value, cards)[0])
    effects = benchmark.effects(asked.phase, asked.value, cards)
    if as_json:
        print_json({"hand": cards_text(cards), "phase": asked.phase, "value": asked.value, "probability": chance,
                    "bid": chance > 0.5, "model": model,
                    "effects": [{"cards": effect.cards, "shift": effect.shift} for effect in effects]})  # fmt: skip
        return
    words = WORDS[spoken]
    verdict = words["bid"] if chance > 0.5 else words["no"]
    place = words["rob"] if asked.phase == ROB else words["call"]
    reason = Reason("doudizhu.bid_model", {"percent": f"{100 * chance:.1f}%", "hand": cards_text(cards)})
    console.print(f"[bold]{verdict}[/bold] ({place}, {asked.value}): {reason.render(spoken)}")
    show(words["title"], (words["cards"], words["shift"]), [_row(effect) for effect in effects[:SHOWN]])


def _row(effect: Effect) -> tuple[str, str]:
    return effect.cards, f"{100 * effect.shift:+.1f}"


def _situation(phase: str, bids: str, callrob: bool) -> BidSituation:
    """The situation that the options describe. Raises BadSetting."""
    try:
        made = [int(text) for text in bids.split(",")] if bids.strip() else []
    except ValueError:
        raise BadSetting("--bids", bids, "numbers separated by commas") from None
    rob = callrob or phase == "rob"
    highest = 0
    for value in made:
        if value not in ((0, 1) if rob else (0, 1, 2)) or (not rob and value and value <= highest):
            raise BadSetting(
                "--bids", bids, "0 or 1 each" if rob else "0 or more than before, below 3: a bid of 3 ends it"
            )
        highest = max(highest, value)
    asked = situation_after(made, Bidding.CALL_ROB if rob else Bidding.SCORE)
    if phase not in ("", "call", "rob"):
        raise BadSetting("--phase", phase, "call or rob")
    if phase == "rob" and asked.phase != ROB:
        if made:
            raise BadSetting("--bids", bids, "somebody who called: nobody is asked to rob before")
        return BidSituation(ROB, 1)
    if phase == "call" and asked.phase != CALL:
        raise BadSetting("--phase", phase, "rob: somebody has called")
    return BidSituation(asked.phase, min(asked.value, MOST_VALUE))
