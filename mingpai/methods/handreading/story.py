"""A recorded hand read street by street: what the others hold, one's own equity, what FOLD would do and why."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mingpai._native import holdem as native
from mingpai.core.errors import BadlyWritten, BadSetting
from mingpai.games.holdem.notation import parse_cards
from mingpai.games.holdem.ranges import CLASSES, Range
from mingpai.games.holdem.rules import rules_of
from mingpai.games.holdem.view import UNKNOWN
from mingpai.methods.handreading.agent import FoldAgent, FoldSettings, Reading
from mingpai.methods.handreading.decide import Facts, Verdict
from mingpai.methods.handreading.hands import HAND_CLASSES, STARTING, STARTING_HANDS, Floats, combo, strength
from mingpai.methods.handreading.infer import board_on
from mingpai.methods.handreading.predict import class_chances
from mingpai.records.handhistory import STREETS, HandHistory

_KINDS = {"fold": native.ActionKind.FOLD, "call": native.ActionKind.CALL, "raise": native.ActionKind.RAISE}


@dataclass(frozen=True)
class Moment:
    """One's turn in the hand: what could be read, and what FOLD would do."""

    street: str
    board: str
    actions: str
    """The betting of the street so far, in words."""
    ranges: dict[str, Floats]
    """Player -> probability of each combination."""
    held: dict[str, str | None]
    """Player -> the hand really held, where recorded."""
    verdict: Verdict
    did: str
    """What the player at the seat really did."""

    @property
    def facts(self) -> Facts:
        """What the verdict rests on."""
        assert self.verdict.facts is not None
        return self.verdict.facts

    def matrix(self, player: str) -> npt.NDArray[np.float64]:
        """13 x 13 from AA, suited above the diagonal: mean weight of each class."""
        return Range(self.ranges[player]).matrix()

    def likeliest(self, player: str, count: int = 6) -> list[tuple[str, float]]:
        """The starting hands that weigh most."""
        by_class = np.bincount(STARTING, self.ranges[player], minlength=STARTING_HANDS)
        return [(CLASSES[i], float(by_class[i])) for i in np.argsort(-by_class)[:count]]

    def categories(self, player: str) -> list[tuple[str, float]]:
        """What the player has made, likeliest first."""
        cards = parse_cards(self.board)
        classes = strength(board_on(cards, (0, 0, 0, 1, 2, 3)[len(cards)])).classes
        chances = class_chances(self.ranges[player], classes)
        return [(HAND_CLASSES[i], float(chances[i])) for i in np.argsort(-chances) if chances[i] > 0]

    def to_json(self) -> dict[str, Any]:
        return {
            "street": self.street, "board": self.board, "actions": self.actions, "did": self.did,
            "choice": self.verdict.choice, "to": self.verdict.to, "equity": self.facts.equity,
            "notes": self.verdict.note(with_options=False).to_json(),
            "options": [{"name": o.name, "to": o.to, "value": o.value, "equity": o.equity, "folds": o.folds}
                        for o in self.verdict.options],
            "players": {name: {"held": self.held[name], "likeliest": dict(self.likeliest(name)),
                               "categories": dict(self.categories(name)), "matrix": self.matrix(name).tolist()}
                        for name in self.ranges},
        }  # fmt: skip


def tell(hand: HandHistory, seat: int, reading: Reading = "fitted", seed: int = 0) -> list[Moment]:
    """Every decision of a seat (0 is the first to act after the flop) of a recorded hand."""
    if not 0 <= seat < hand.seats:
        raise BadSetting("seat", seat + 1, f"1 to {hand.seats}")
    if not hand.hole or hand.hole[seat] is None:
        raise BadSetting("seat", seat + 1, "a seat whose hole cards are recorded")
    agent = FoldAgent(FoldSettings(reading=reading), game="holdem", spec="fold", seed=seed)
    table = _start(hand)
    names = [hand.players[i] if hand.players else f"seat {i + 1}" for i in range(hand.seats)]
    moments: list[Moment] = []
    words: list[str] = []
    street = 0
    for number, action in enumerate(hand.actions):
        if action.street != street:
            street, words = action.street, []
        _verify_turn(table, action.seat, number)
        if action.seat == seat:
            moments.append(_moment(hand, table, seat, agent, names, words, number + seed))
        text = f"{names[action.seat]} {_word(table, action.kind, action.to)}"
        words.append(text)
        kind = native.ActionKind.CHECK if action.kind == "call" and table.legal().check else _KINDS[action.kind]
        try:
            table.act(kind, int(action.to))
        except ValueError as error:
            raise BadlyWritten(text, f"a legal action, number {number + 1} of the hand ({error})") from None
    return moments


def _verify_turn(table: native.Table, seat: int, number: int) -> None:
    """Raises BadlyWritten unless the seat is to act on a board that is known."""
    if table.to_act != seat:
        raise BadlyWritten(f"seat {seat + 1}", f"the seat whose turn it is, at action {number + 1} of the hand")
    if UNKNOWN in table.board:
        raise BadlyWritten(f"action {number + 1}", "the board cards of every street that was played")


def _start(hand: HandHistory) -> native.Table:
    """The table at the start of the hand; unknown hands are left unknown."""
    cards = [_pair(text) if text else None for text in hand.hole]
    board = parse_cards(hand.board)
    blinds = sorted(chips for chips in hand.posts if chips > 0)
    if len(blinds) != 2 or any(chips != int(chips) for chips in (*hand.stacks, *blinds)):
        raise BadSetting("hand", hand.source, "a small and a big blind, all in whole chips")
    return native.Table(
        [int(chips) for chips in hand.stacks], hand.seats - 1, int(blinds[0]), int(blinds[1]),
        int(max(hand.antes, default=0)), rules_of("").native, cards, board,
    )  # fmt: skip


def _pair(text: str) -> tuple[int, int]:
    cards = parse_cards(text)
    if len(cards) != 2:
        raise BadlyWritten(text, "two cards")
    return cards[0], cards[1]


def _moment(
    hand: HandHistory, table: native.Table, seat: int, agent: FoldAgent, names: list[str], words: list[str], seed: int
) -> Moment:
    verdict, belief = agent.weigh(table, seat, seed)
    spot = belief.spot
    action = hand.actions[len(spot.seen)]
    return Moment(
        street=STREETS[spot.replay.street],
        board=hand.board_on(spot.replay.street),
        actions=", ".join(words) or "-",
        ranges={names[other]: weights for other, weights in belief.ranges.items()},
        held={names[other]: hand.hole[other] for other in belief.ranges},
        verdict=verdict,
        did=_word(table, action.kind, action.to),
    )


def _word(table: native.Table, kind: str, to: float) -> str:
    if kind == "raise":
        return f"raises to {to}" if table.current_bet else f"bets {to}"
    if kind == "fold":
        return "folds"
    cost = table.legal().call_cost
    return f"calls {cost}" if cost else "checks"


def own_class(hand: HandHistory, seat: int, board: str) -> str:
    """What the seat has made on a board."""
    cards = parse_cards(board)
    held = combo(*parse_cards(hand.hole[seat] or ""))
    made = strength(board_on(cards, (0, 0, 0, 1, 2, 3)[len(cards)]))
    return HAND_CLASSES[made.classes[held]]


__all__ = ["Moment", "own_class", "tell"]
